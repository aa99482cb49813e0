"""Examples of axioms/markdown.py."""

from goldassay.axioms.markdown import find_tables, split_page
from goldassay.formats.source import Source


def test_the_example_of_find_tables():
    page = b"# Gold\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    [table] = find_tables(Source(path="a.md", name="a.md", data=page, size=len(page)))
    assert (table.heading, table.header, table.rows) == ("Gold", ["a", "b"], [(5, ["1", "2"])])


def test_the_example_of_split_page():
    assert (split_page("page.md#2"), split_page("gold.csv")) == (("page.md", 2), ("gold.csv", None))
