"""Parquet: the declared sizes are checked before polars reads a file, since polars allocates memory by them."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from goldassay.core.errors import InputError
from goldassay.core.libraries import pl
from goldassay.core.limits import check_unpacked
from goldassay.formats.column_names import INDEX
from goldassay.formats.source import PARQUET, Source

INDEX_OF_PANDAS = "__index_level_0__"
BAD_PARQUET = "Invalid Parquet file."
VIEW = 16
"""Bytes that polars needs for a text in addition to its letters, even if it repeats."""
DEEPEST = 32
TRAILER = 8
DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 = 5, 7, 8
"""The fields of a page header that describe its kind."""


def scan_parquet(source: Source) -> pl.LazyFrame:
    """Open a Parquet file after checking its sizes, or a table that is in memory."""
    if source.frame is not None:
        return source.frame.lazy()
    check_parquet(source)
    table = pl.scan_parquet(io.BytesIO(source.data))
    names = names_of(table.collect_schema().items(), pl.String)
    return table if INDEX not in names else table.rename({INDEX_OF_PANDAS: INDEX})


def names_of(columns: Iterable[tuple[str, Any]], text: Any) -> list[str]:
    """List the names of columns; an index of pandas without a name that has texts is called as in CSV."""
    return [INDEX if name == INDEX_OF_PANDAS and kind == text else name for name, kind in columns]


def check_parquet(source: Source) -> None:
    """Refuse a Parquet file whose sizes contradict each other, exceed the file, or exceed the limits.

    Source:
        https://github.com/apache/parquet-format (the footer and the headers of pages, in Thrift's compact protocol)

    Example:
        >>> check_parquet(Source(path="a.parquet", name="a.parquet", data=b"PAR1 and no more", size=16))
        Traceback (most recent call last):
        goldassay.core.errors.InputError: Invalid Parquet file.
          found:    no PAR1 at its end
          expected: a whole Parquet file
          try:      copy or write it again
    """
    check_unpacked(check_pages(source), source.size)


def check_pages(source: Source) -> int:
    """Refuse a Parquet file whose sizes contradict each other or exceed the file, and give its size in memory."""
    try:
        return sum(_sizes(source))
    except (AttributeError, IndexError, KeyError, TypeError, struct.error) as error:
        raise _broken_file_error("a footer or a page header that ends early, or lacks a field or its type") from error


def _sizes(source: Source) -> Iterator[int]:
    """Return the size in memory of each column of each group of rows."""
    data = source.data
    if data[-len(PARQUET) :] != PARQUET or len(data) < len(PARQUET) + TRAILER:
        _refuse("no PAR1 at its end")
    length = int.from_bytes(data[-TRAILER : -len(PARQUET)], "little")
    end = len(data) - TRAILER - length
    if end < len(PARQUET):
        _refuse(f"a footer of {length:,} bytes in a file of {len(data):,}")
    footer = _Thrift(data, end, len(data) - TRAILER, source).fields()
    groups = footer.get(4, [])
    if footer[3] < 0 or footer[3] != sum(group[3] for group in groups):
        _refuse(f"{footer[3]:,} rows, other than those of its parts")
    for group in groups:
        for chunk in group[1]:
            yield _size(source, chunk[3], end, group[3])


def _size(source: Source, column: Mapping[int, Any], end: int, rows: int) -> int:
    """Add up the unpacked sizes of the pages of a column."""
    at = min(column[9], column.get(11) or column[9])
    stop, values, unpacked = at + column[7], 0, 0
    if not (len(PARQUET) <= at <= stop <= end and rows >= 0 and column[5] >= 0):
        _refuse(f"a column on the bytes {at:,} to {stop:,}")
    while at < stop and values < column[5]:
        thrift = _Thrift(source.data, at, stop, source)
        page = thrift.fields()
        at = thrift.at + page[3]
        kind = page.get(DATA_PAGE) or page.get(DATA_PAGE_V2)
        count = (kind or page.get(DICTIONARY_PAGE) or {1: 0})[1]
        # Each entry of a dictionary takes at least a byte.
        if page[3] < 0 or at > stop or page[2] < 0 or count < 0 or (kind is None and count > page[2]):
            _refuse(f"a page of {page[3]:,} bytes and {count:,} values")
        values += count if kind else 0
        unpacked += page[2]
    if values != column[5]:
        _refuse(f"{column[5]:,} values in a column, of which its pages have {values:,}")
    return max(unpacked, int(column[6])) + VIEW * max(values, rows)


def _refuse(found: str) -> NoReturn:
    raise _broken_file_error(found)


def _broken_file_error(found: str) -> InputError:
    return InputError(BAD_PARQUET, found=found, expected="a whole Parquet file", hint="copy or write it again")


@dataclass
class _Thrift:
    """A reader of Thrift's compact protocol, in which Parquet writes its footer and its page headers."""

    data: bytes
    at: int
    end: int
    source: Source

    def fields(self, depth: int = 0) -> dict[int, Any]:
        """Read a struct: the value of each field by its number."""
        if depth > DEEPEST:
            _refuse("a footer that nests too deeply")
        found: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            # A boolean field has its value in its type.
            found[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2, 3):
            return self._byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind == 7:  # noqa: PLR2004 - a double
            return self._bytes(8)
        if kind == 8:  # noqa: PLR2004 - a text
            return self._bytes(self._number())
        if kind in (9, 10):
            if depth > DEEPEST:
                _refuse("a footer that nests too deeply")
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._number()  # noqa: PLR2004
            if count > self.end - self.at:
                _refuse(f"a list of {count:,} entries")
            return [self._value(head & 15, depth + 1) for _ in range(count)]
        if kind == 12:  # noqa: PLR2004 - a struct
            return self.fields(depth + 1)
        _refuse(f"the unknown type {kind} in its footer")

    def _byte(self) -> int:
        if self.at >= self.end:
            raise IndexError(self.at)
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, count: int) -> bytes:
        if count > self.end - self.at:
            raise IndexError(count)
        self.at += count
        return self.data[self.at - count : self.at]

    def _number(self) -> int:
        number = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:  # noqa: PLR2004
                return number
        _refuse("a number of more than 64 bits")

    def _signed(self) -> int:
        number = self._number()
        return (number >> 1) ^ -(number & 1)
