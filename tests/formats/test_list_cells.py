"""Examples of `goldassay.formats.list_cells`: what its functions give."""

from goldassay.formats.list_cells import is_plural


def test_example_of_is_plural():
    assert is_plural("Parents")
    assert not is_plural("class")
    assert is_plural("categories")
