"""Examples of `goldassay.formats.known`: what its functions give."""

from goldassay.formats.known import formats_of


def test_example_of_formats_of():
    assert formats_of("rows", "page") == ("csv", "tsv", "parquet", "json-lines", "json-table", "markdown")
