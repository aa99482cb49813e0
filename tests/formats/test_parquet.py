"""Footers of Parquet, by hand: every type of Thrift, and what a footer contradicts."""

import io

import polars as pl
import pytest

from goldassay.core.errors import InputError
from goldassay.formats.parquet import DEEPEST, TRAILER, VIEW, _Thrift, check_pages
from goldassay.formats.source import PARQUET, Source

FIELDS = {
    1: (b"\x11", True),
    2: (b"\x12", False),
    3: (b"\x16\x05", -3),
    4: (b"\x18\x02ab", b"ab"),
    5: (b"\x17\0\0\0\0\0\0\xf0\x3f", b"\0\0\0\0\0\0\xf0\x3f"),
    6: (b"\x19\x25\x02\x01", [1, -1]),
    7: (b"\x19\xf3\x0f" + bytes(range(15)), [*range(15)]),
    8: (b"\x1c\x15\x0e\x00", {1: 7}),
    # A number of its own, in place of the distance from the field before.
    300: (b"\x06\xd8\x04\x80\x01", 64),
    302: (b"\x23\x09", 9),
}
WHOLE = b"".join(written for written, _ in FIELDS.values()) + b"\0"


def source(data):
    return Source(path="a.parquet", name="a.parquet", data=data, size=len(data))


def thrift(data, start, end):
    return _Thrift(data, start, end, source(data))


def test_each_type_is_read_and_nothing_behind_the_end():
    reader = thrift(b"before" + WHOLE + b"behind", 6, 6 + len(WHOLE))
    assert reader.fields() == {number: value for number, (_, value) in FIELDS.items()}
    assert reader.at == 6 + len(WHOLE)
    for end in range(len(WHOLE)):
        with pytest.raises((IndexError, InputError)):
            thrift(WHOLE, 0, end).fields()


def test_structs_nest_up_to_a_limit():
    def nested(depth):
        return thrift(b"\x1c" * depth + b"\0" * (depth + 1), 0, 2 * depth + 1).fields()

    assert nested(DEEPEST)
    with pytest.raises(InputError, match="Invalid Parquet") as caught:
        nested(DEEPEST + 1)
    assert caught.value.found == "a footer that nests too deeply"


def file(footer, length=None):
    size = len(footer) if length is None else length
    return source(PARQUET + footer + size.to_bytes(4, "little") + PARQUET)


# No rows, and no groups of them.
NONE = b"\x36\0\0"


def test_the_smallest_file_is_read():
    assert check_pages(file(NONE)) == 0


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (source(PARQUET + b"\0" * TRAILER), "no PAR1 at its end"),
        (source(PARQUET + PARQUET), "no PAR1 at its end"),
        (file(NONE, len(NONE) + 1), "a footer of 4 bytes in a file of 15"),
        # The length of the footer, which is behind it, would end it.
        (file(b"\x36\0"), "a footer or a page header that ends early, or lacks a field or its type"),
        (file(b"\x16\0\0"), "a footer or a page header that ends early, or lacks a field or its type"),
        (file(b"\x36\x02\0"), "1 rows, other than those of its parts"),
        (file(b"\x36\x01\0"), "-1 rows, other than those of its parts"),
        (file(b"\x36\0\x19\x8c\0"), "a list of 8 entries"),
    ],
)
def test_a_footer_that_contradicts_itself_is_refused(given, found):
    with pytest.raises(InputError, match="Invalid Parquet file") as caught:
        check_pages(given)
    assert caught.value.found == found


@pytest.mark.parametrize("rows", [1, 1000])
def test_the_size_in_memory_is_no_less_than_that_of_the_texts(rows):
    out = io.BytesIO()
    words = [f"word number {row}" for row in range(rows)]
    pl.DataFrame({"a": words, "b": [7] * rows}).write_parquet(out)
    size, texts = check_pages(source(out.getvalue())), sum(map(len, words))
    assert 2 * VIEW * rows + texts <= size <= 2 * VIEW * rows + 2 * texts + 16 * rows + 1000
