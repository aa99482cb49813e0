"""Examples of `goldassay.formats.list_cells`: what its functions give."""

from goldassay.formats.list_cells import is_plural, names_in_cell


def test_example_of_is_plural():
    assert is_plural("Parents")
    assert not is_plural("class")
    assert is_plural("categories")


def test_example_of_names_in_cell():
    assert names_in_cell("['mammal', 'pet']", plural=False) == ["mammal", "pet"]
    assert names_in_cell("mammal; pet", plural=True) == ["mammal", "pet"]
    assert names_in_cell("{'mammal', 'pet'}", plural=False) == ["mammal", "pet"]
    assert names_in_cell("['mammal' 'pet']", plural=False) == ["mammal", "pet"]
    assert names_in_cell("mammal; pet", plural=False) is None
    assert names_in_cell("[4]annulene", plural=True) is None
    assert names_in_cell("[3]", plural=True) is None
    assert names_in_cell("[]", plural=False) == []
