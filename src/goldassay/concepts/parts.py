"""Files to parts of records: objects of JSON, rows of tables, lines of text, and what annotators write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from goldassay.concepts.annotations import FORMATS, annotations_in, brat_folder
from goldassay.concepts.columns import DocumentColumns
from goldassay.concepts.reading import READABLE, ConceptReading
from goldassay.core.errors import RecordError
from goldassay.core.model import NO_ROW
from goldassay.formats import Source, load, recognise
from goldassay.formats.delimited import TextTable, rows_of, usual_width
from goldassay.formats.parquet import BAD_PARQUET, scan_parquet
from goldassay.formats.records import BadRecords, json_objects
from goldassay.formats.rows import checked_names, lines_of
from goldassay.formats.trouble import polars_errors

if TYPE_CHECKING:
    import polars as pl

Cells: TypeAlias = Mapping[str, Any]
LOOKED_AT = 100
"""Records that say together which columns there are."""
AT_ONCE = 1000
"""Rows of a table that are read at once."""


class Part(NamedTuple):
    """Records that stand one after the other in a file.

    Attributes:
        numbers: The number of each, from 1, bad ones included.
        lines: The line on which each begins; None for formats without lines.
        rows: The row of a table, or the line, that each is, from 0; -1 where the file has neither.
        records: The cells of each by the name of their column, or the error of one that cannot be read.
    """

    numbers: Sequence[int]
    lines: Sequence[int | None]
    rows: Sequence[int]
    records: list[Any]

    def halves(self) -> tuple[Part, Part]:
        """Cut it into two."""
        middle = len(self.records) // 2
        return self.only(slice(middle)), self.only(slice(middle, None))

    def only(self, some: slice) -> Part:
        """Keep some of the records."""
        return Part(self.numbers[some], self.lines[some], self.rows[some], self.records[some])


class Opened(NamedTuple):
    """A file of documents whose first records are known.

    Attributes:
        format: Its format.
        headed: Whether it is a table, whose header says which columns there are, and in whose cells lists are written as text.
        first: Its first records.
        parts: Reads all of them, or at least the cells of some columns.
    """

    format: str
    headed: bool
    first: Sequence[Cells]
    parts: Callable[[DocumentColumns], Iterable[Part]]


def opened(file: str | PathLike[str], reading: ConceptReading, chosen: str | None, bad: BadRecords) -> Opened:
    """Recognise the format of a file, and read its first records; a folder is one of BRAT."""
    if Path(file).is_dir():
        return _annotated("brat", brat_folder(Path(file), bad))
    source = load(file)
    annotated = None if reading.input_format else annotations_in(source)
    name = annotated or reading.input_format or recognise(source, READABLE)
    if name in FORMATS:
        return _annotated(name, FORMATS[name].records(source, bad))
    if name == "json-lines":
        return _of_objects(source)
    if name == "text":
        return _of_lines(source, bad)
    return _of_parquet(source, chosen) if name == "parquet" else _of_table(source, name, reading, chosen)


def split_column(path: str | PathLike[str]) -> tuple[str | PathLike[str], str | None]:
    """Split ``answers.csv#reference`` into the file and the column; an existing file with ``#`` in its name is kept.

    Example:
        >>> split_column("answers.csv#reference"), split_column("answers.csv")
        (('answers.csv', 'reference'), ('answers.csv', None))
    """
    file, mark, column = fspath(path).rpartition("#")
    return (file, column) if mark and column and file and not Path(path).exists() else (path, None)


def _annotated(name: str, records: Iterable[tuple[int | None, Cells]]) -> Opened:
    lines, cells = zip(*found, strict=True) if (found := list(records)) else ((), ())
    part = Part(range(1, len(cells) + 1), lines, [NO_ROW] * len(cells), list(cells))
    return Opened(name, False, cells, lambda _: [part])


def _of_lines(source: Source, bad: BadRecords) -> Opened:
    lines, texts = zip(*found, strict=True) if (found := list(lines_of(source, bad))) else ((), ())
    part = Part(lines, lines, [line - 1 for line in lines], [{"text": text} for text in texts])
    return Opened("text", True, part.records[:1], lambda _: [part])


def _of_objects(source: Source) -> Opened:
    parts = (
        Part(range(block.first + 1, end + 1), block.lines, range(block.first, end), block.values)
        for block in json_objects(source)
        for end in [block.first + len(block.values)]
    )
    waiting: list[Part] = []
    first: list[Cells] = []
    while len(first) < LOOKED_AT and (part := next(parts, None)):
        waiting.append(part)
        first += [record for record in part.records if not isinstance(record, RecordError)]
    return Opened("json-lines", False, first[:LOOKED_AT], lambda _: chain(waiting, parts))


def _of_table(source: Source, name: str, reading: ConceptReading, chosen: str | None) -> Opened:
    unnamed, bad = reading.unnamed(source.path), BadRecords(on_error="skip")
    table = TextTable.opened(source, name)
    if table is None:
        return Opened(name, True, (), lambda _: ())
    if unnamed is None:
        header = checked_names(table.first.cells, source.path)
    else:
        header = list(unnamed(table.first.cells, width=lambda: usual_width(source, name)).places)
        table = replace(table, width=max(table.width, len(header)))
    # What the cells hold matters only for a column of any name.
    looked_at = 0 if chosen is None else LOOKED_AT
    rows = [row.cells for row in islice(rows_of(source, name, bad), int(unnamed is None), looked_at)] or [[]]
    first = [dict.fromkeys(header) | dict(zip(header, cells, strict=False)) for cells in rows]
    return Opened(name, True, first, lambda columns: _rows_of(table, header, columns, named=unnamed is None))


def _rows_of(table: TextTable, header: Sequence[str], columns: DocumentColumns, *, named: bool) -> Iterator[Part]:
    """Read the rows of a table, and those that cannot be read in their places among them."""
    bad = BadRecords(on_error="skip")
    places = {name: header.index(name) for name in columns.named}
    found = table.columns(places, bad, header=named)
    short = {row: header[: found.widths[row]] for row in np.flatnonzero(found.widths <= max(places.values())).tolist()}
    start, lines, rows = 0, found.lines.tolist(), found.places.tolist()
    ends = [*np.searchsorted(found.lines, [error.line or 0 for error in bad.errors]).tolist(), len(lines)]
    for before, end in enumerate(ends):
        for begin in range(start, end, AT_ONCE):
            here = slice(begin, min(begin + AT_ONCE, end))
            records = _records(found.frame[here])
            for row in filter(short.__contains__, range(here.start, here.stop) if short else ()):
                # An absent cell is not an empty one.
                cells = records[row - begin]
                records[row - begin] = {name: cells.get(name, "") for name in short[row]}
            yield Part(range(begin + before + 1, here.stop + before + 1), lines[here], rows[here], records)
        yield from (
            Part([end + before + 1], [error.line], [NO_ROW], [error]) for error in bad.errors[before : before + 1]
        )
        start = end


def _of_parquet(source: Source, chosen: str | None) -> Opened:
    with polars_errors(source.path, BAD_PARQUET):
        table = scan_parquet(source)
        names = table.collect_schema().names()
        some = table.select([chosen] if chosen in names else names[:1]).head(LOOKED_AT).collect()
        first = [dict.fromkeys(names) | cells for cells in _records(some)]
    return Opened("parquet", True, first, lambda columns: _rows_of_parquet(table, columns, source.path))


def _rows_of_parquet(table: pl.LazyFrame, columns: DocumentColumns, path: str) -> Iterator[Part]:
    with polars_errors(path, BAD_PARQUET):
        frame = table.select(columns.named).collect()
        for begin in range(0, len(frame), AT_ONCE):
            records = _records(frame[begin : begin + AT_ONCE])
            rows = range(begin, begin + len(records))
            yield Part(range(begin + 1, rows.stop + 1), [None] * len(rows), rows, records)


def _records(frame: pl.DataFrame) -> list[Any]:
    names, cells = frame.columns, zip(*(column.to_list() for column in frame), strict=True)
    return [dict(zip(names, row, strict=False)) for row in cells]
