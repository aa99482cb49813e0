"""Files to records: one document per row or line, with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.core.errors import RecordError
from goldassay.core.model import NO_ROW
from goldassay.formats import Source
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import Chooser
from goldassay.formats.rows import lines_of
from goldassay.formats.rows import records_of as rows_of


class Record(NamedTuple):
    """One record of a file.

    Attributes:
        number: The number of the record, from 1, including bad ones.
        line: The line it begins on; None for formats without lines.
        cells: The cells by column name.
        row: Its row of a table, or its line, from 0; -1 where the file has neither.
    """

    number: int
    line: int | None
    cells: Mapping[str, Any]
    row: int = NO_ROW


def split_column(path: str | PathLike[str]) -> tuple[str | PathLike[str], str | None]:
    """Split ``answers.csv#reference`` into the file and the column; an existing file with ``#`` in its name is kept.

    Example:
        >>> split_column("answers.csv#reference"), split_column("answers.csv")
        (('answers.csv', 'reference'), ('answers.csv', None))
    """
    file, mark, column = fspath(path).rpartition("#")
    return (file, column) if mark and column and file and not Path(path).exists() else (path, None)


def records_of(source: Source, name: str, bad: BadRecords, unnamed: Chooser | None = None) -> Iterator[Record]:
    r"""Read the records of a file, in its order.

    Args:
        source: The file.
        name: Its format.
        bad: Receives the records that cannot be read.
        unnamed: Says what the columns of a table without a header are called; None where it has one.

    Yields:
        The records; of plain text, lines with the one cell ``text``.

    Raises:
        InputError: If the file cannot be read; a :class:`~goldassay.core.errors.RecordError` for one bad record.

    Example:
        >>> page = Source(path="a.csv", name="a.csv", data=b"id,text\n1,Take aspirin.\n", size=24)
        >>> next(records_of(page, "csv", BadRecords()))
        Record(number=1, line=2, cells={'id': '1', 'text': 'Take aspirin.'}, row=0)
    """
    if name == "text":
        yield from (Record(line, line, {"text": text}, line - 1) for line, text in lines_of(source, bad))
        return
    counted = _Counted(into=bad)
    for number, (line, cells, row) in enumerate(rows_of(source, name, counted, unnamed=unnamed), start=1):
        yield Record(number + counted.count, line, cells, row)


@dataclass(kw_only=True)
class _Counted(BadRecords):
    """Counts the bad records of one file, so that they are included in record numbers."""

    into: BadRecords
    count: int = 0

    def add(self, error: RecordError) -> None:
        self.count += 1
        self.into.add(error)
