"""Examples of `goldassay.formats.yaml`: what its functions give."""

from goldassay.formats.yaml import parse_yaml


def test_example_of_parse_yaml():
    assert parse_yaml("dog:\n  is_a: mammal\n  legs: 4\n") == {"dog": {"is_a": "mammal", "legs": 4}}
    assert parse_yaml("- name: dog\n  parents: [mammal, 'a pet']\n- - a\n  - b\n") == [
        {"name": "dog", "parents": ["mammal", "a pet"]},
        ["a", "b"],
    ]
