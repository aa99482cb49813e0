"""Examples of `goldassay.formats.answers.tables`: what its functions give."""

from goldassay.formats.answers.tables import cells_of, rows_of_table, tables_in, toon_in


def test_example_of_rows_of_table():
    assert rows_of_table('id,concept\r1,"a, b"\n', ",") == [["id", "concept"], ["1", "a, b"]]


def test_example_of_tables_in():
    from goldassay.formats.answers.means import OF_EDGES

    text = "|child|parent|\n|-|-|\n|dog|pet|\n\nMore:\n|child|parent|\n|-|-|\n|cat|pet|"
    found = tables_in(text, 1, OF_EDGES)
    assert [row for row in found.table if row] == [["child", "parent"], ["dog", "pet"], ["cat", "pet"]]
    assert sorted(found.taken) == [1, 2, 3, 6, 7, 8]


def test_example_of_toon_in():
    from goldassay.formats.answers.means import OF_EDGES

    assert toon_in("edges[2]{child,parent}:\n  dog,pet\n  cat,pet", 1, OF_EDGES).table == [
        ["child", "parent"],
        ["dog", "pet"],
        ["cat", "pet"],
    ]


def test_example_of_cells_of():
    assert cells_of(r"| **dog** | a\|b |") == ["dog", "a|b"]
