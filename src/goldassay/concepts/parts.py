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
        return Part(*(column[:middle] for column in self)), Part(*(column[middle:] for column in self))


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
    parts: Callable[[DocumentColumns | None], Iterable[Part]]


def opened(file: str | PathLike[str], reading: ConceptReading, chosen: str | None, bad: BadRecords) -> Opened:
    """Recognise the format of a file, and read its first records; a folder is one of BRAT.

    Args:
        file: The file.
        reading: How to understand it.
        chosen: The column that holds the documents, if one was named.
        bad: Receives the records that cannot be read, where they are no records of a part.

    Raises:
        InputError: If the file cannot be read.
    """
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
    return _of_parquet(source, chosen) if name == "parquet" else _of_table(source, name, reading)


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


def _of_table(source: Source, name: str, reading: ConceptReading) -> Opened:
    unnamed, bad = reading.unnamed(source.path), BadRecords(on_error="skip")
    table = TextTable.opened(source, name)
    if table is None:
        return Opened(name, True, (), lambda _: ())
    if unnamed is None:
        header = checked_names(table.first.cells, source.path)
    else:
        header = list(unnamed(table.first.cells, width=lambda: usual_width(source, name)).places)
        table = replace(table, width=max(table.width, len(header)))
    rows = [row.cells for row in islice(rows_of(source, name, bad), int(unnamed is None), LOOKED_AT)]
    if not rows:
        return Opened(name, True, (), lambda _: [Part((), (), (), [error]) for error in bad.errors])
    first = [dict.fromkeys(header) | dict(zip(header, cells, strict=False)) for cells in rows]
    return Opened(name, True, first, lambda columns: _rows_of(table, header, columns, named=unnamed is None))


def _rows_of(table: TextTable, header: Sequence[str], columns: DocumentColumns, *, named: bool) -> Iterator[Part]:
    """Read the rows of a table, and those that cannot be read in their places among them."""
    bad = BadRecords(on_error="skip")
    places = {name: header.index(name) for name in columns.named}
    found = table.columns(places, bad, header=named)
    records: list[Any] = _records(found.frame)
    for row in np.flatnonzero(found.widths <= max(places.values())).tolist():
        # An absent cell is not an empty one.
        has = dict.fromkeys(header[: found.widths[row]], "")
        records[row] = {name: records[row].get(name, "") for name in has}
    lines, rows = found.lines.tolist(), found.places.tolist()
    for at, error in reversed(list(zip(np.searchsorted(found.lines, [e.line for e in bad.errors]), bad.errors, strict=True))):
        records.insert(at, error)
        lines.insert(at, error.line)
        rows.insert(at, NO_ROW)
    return _cut(Part(range(1, len(records) + 1), lines, rows, records))


def _of_parquet(source: Source, chosen: str | None) -> Opened:
    with polars_errors(source.path, BAD_PARQUET):
        table = scan_parquet(source)
        names = table.collect_schema().names()
        some = table.select([chosen] if chosen in names else names[:1]).head(LOOKED_AT).collect()
        first = [dict.fromkeys(names) | cells for cells in _records(some)]
    return Opened("parquet", True, first, lambda columns: _rows_of_parquet(table, columns, source.path) if first else ())


def _rows_of_parquet(table: pl.LazyFrame, columns: DocumentColumns, path: str) -> Iterator[Part]:
    with polars_errors(path, BAD_PARQUET):
        records = _records(table.select(columns.named).collect())
    return _cut(Part(range(1, len(records) + 1), [None] * len(records), range(len(records)), records))


def _records(frame: pl.DataFrame) -> list[Any]:
    names, cells = frame.columns, zip(*(column.to_list() for column in frame), strict=True)
    return [dict(zip(names, row, strict=False)) for row in cells]


def _cut(part: Part) -> Iterator[Part]:
    for start in range(0, len(part.records), AT_ONCE):
        yield Part(*(column[start : start + AT_ONCE] for column in part))
