"""Examples of `goldassay.formats.answer_yaml`: what its functions give."""

from goldassay.formats.answer_means import OF_EDGES
from goldassay.formats.answer_yaml import data_in


def test_example_of_data_in():
    assert data_in("dog:\n  is_a: mammal\n", OF_EDGES) == {"dog": {"is_a": "mammal"}}
    assert data_in("mammal:\n  - dog\n", OF_EDGES) is None
