"""Examples of `goldassay.formats.answers.means`: what its functions give."""

from goldassay.formats.answers.means import OF_AXIOMS, OF_EDGES, OF_LABELS


def test_example_of_meaning_is_extra():
    assert OF_LABELS.is_extra("0.9")
    assert OF_AXIOMS.is_extra("object")
    assert not OF_EDGES.is_extra("0.9")
