"""Examples of `goldassay.concepts.reading`: what its functions give."""

from goldassay.concepts.reading import takes_scope


def test_example_of_takes_scope():
    assert takes_scope("clinical")
    assert not takes_scope("documents.txt")
