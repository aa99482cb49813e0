"""Examples of labels/formats/lines.py."""

from goldassay.formats import Source
from goldassay.formats.records import BadRecords
from goldassay.labels.formats.lines import hemkit_rows, is_whole


def test_the_example_of_is_whole():
    assert (is_whole("12"), is_whole("²"), is_whole("-1"), is_whole("1" * 5000)) == (True, False, False, False)


def test_the_example_of_hemkit_rows():
    source = Source(path="a", name="a", data=b"1 2\n\n3\n", size=7)
    assert [row[1:3] for row in hemkit_rows(source, BadRecords())] == [("1", "1"), ("1", "2"), ("2", ""), ("3", "3")]
