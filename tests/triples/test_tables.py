"""Examples of `goldassay.triples.tables`: what its functions give."""

from goldassay.triples.tables import has_lists


def test_example_of_has_lists():
    assert has_lists(["id", "Triples"])
    assert not has_lists(["subject", "object"])
