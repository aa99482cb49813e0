"""Files to records: one document a row or a line, whatever the format, with the place where it stands."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source
from goldassay.formats.recognise import BINARY
from goldassay.formats.records import BadRecords
from goldassay.formats.source import text_of
from goldassay.formats.tables import parquet_frame, separator_of

SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        ".jsonl": "json-lines",
        ".ndjson": "json-lines",
        ".json": "json-lines",
        ".csv": "csv",
        ".tsv": "tsv",
        ".tab": "tsv",
        ".parquet": "parquet",
        ".txt": "text",
        ".text": "text",
    }
)
WIDE = (b"\xff\xfe", b"\xfe\xff")
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
LONGEST_CELL = 2**31 - 1


class Record(NamedTuple):
    """One record of a file.

    Attributes:
        number: Which record it is, from 1, bad ones counted too.
        line: The line it begins on; None where there are no lines.
        cells: What stands in it, by the name of the column.
    """

    number: int
    line: int | None
    cells: Mapping[str, Any]


def split_column(path: str) -> tuple[str, str | None]:
    """Split ``answers.csv#reference`` into the file and the column; a file that has ``#`` in its name is a file.

    Example:
        >>> split_column("answers.csv#reference"), split_column("answers.csv")
        (('answers.csv', 'reference'), ('answers.csv', None))
    """
    file, mark, column = path.rpartition("#")
    return (file, column) if mark and column and file and not Path(path).exists() else (path, None)


def format_of(source: Source) -> str:
    """Recognise the format of a file: by its first bytes, then by its name; without an ending it is JSON Lines or plain text.

    Raises:
        InputError: If the file is binary and no Parquet file, or its name has the ending of something else.

    Example:
        >>> format_of(Source(path="a", name="a", data=b'{"id": 1}', size=9))
        'json-lines'
    """
    if source.data.startswith(b"PAR1"):
        return "parquet"
    for magic, (what, hint) in BINARY.items():
        if source.data.startswith(magic):
            raise InputError(f"The file is {what}.", path=source.path, expected="documents", hint=hint)
    if b"\0" in source.data[:4096] and not source.data.startswith(WIDE):
        raise InputError(
            "The file is binary.", path=source.path, found=f"the bytes {source.data[:8].hex(' ')}", expected="text"
        )
    ending = PurePath(source.name).suffix
    if SUFFIXES.get(ending, "parquet") != "parquet":
        return SUFFIXES[ending]
    if source.data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return "json-lines"
    if not ending:
        return "text"
    raise InputError(
        "The format of this file is not recognised.",
        path=source.path,
        found=f"the ending {ending}",
        expected="JSON Lines, CSV, TSV, Parquet, or plain text (.txt)",
        hint="if you know the format, name it: --input-format text",
    )


def records_of(source: Source, name: str, bad: BadRecords) -> Iterator[Record]:
    r"""Read the records of a file, in its order.

    Args:
        source: The file.
        name: Its format.
        bad: Receives the records that cannot be read.

    Yields:
        The records; of plain text, lines with the one cell ``text``.

    Raises:
        InputError: If the file cannot be read; a :class:`~goldassay.core.errors.RecordError` for one bad record.

    Example:
        >>> page = Source(path="a.csv", name="a.csv", data=b"id,text\n1,Take aspirin.\n", size=24)
        >>> next(records_of(page, "csv", BadRecords())).cells
        {'id': '1', 'text': 'Take aspirin.'}
    """
    if name == "parquet":
        yield from _parquet_records(source)
    elif name in ("csv", "tsv"):
        yield from _table_records(source, name, bad)
    elif name == "text":
        yield from (Record(line, line, {"text": text}) for line, text in _lines(source, bad))
    else:
        yield from _json_records(source, bad)


def _lines(source: Source, bad: BadRecords) -> Iterator[tuple[int, str]]:
    """Decode a file line by line, so that a line in another encoding is one bad record."""
    # In UTF-16 lines cannot be told apart before all of it is decoded.
    data = text_of(source).encode() if source.data.startswith(WIDE) else source.data.removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(io.BytesIO(data), start=1):
        try:
            yield number, line.decode().removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            bad.add(
                RecordError(
                    "The line is not in UTF-8.",
                    path=source.path,
                    line=number,
                    found=f"the bytes {line[error.start : error.start + 8].hex(' ')} ({error.reason})",
                    hint="convert it, for example: iconv -f ISO-8859-1 -t UTF-8 IN > OUT",
                )
            )


def _json_records(source: Source, bad: BadRecords) -> Iterator[Record]:
    number = 0
    for line, text in _lines(source, bad):
        if not text.strip():
            continue
        number += 1
        if number == 1 and text.lstrip().startswith("["):
            raise InputError(
                "This is one JSON array, not JSON Lines.",
                path=source.path,
                line=line,
                expected='one object a line: {"id": "1", "text": "Take aspirin."}',
                hint="jq -c '.[]' IN.json > OUT.jsonl",
            )
        try:
            cells = _object(text)
        except (ValueError, TypeError, RecursionError) as error:
            bad.add(
                RecordError(
                    "The line is no JSON object.",
                    path=source.path,
                    line=line,
                    found=f"{text.strip()[:60]!r} ({error})",
                    expected='{"id": "1", "text": "Take aspirin."}',
                )
            )
            continue
        yield Record(number, line, cells)


def _object(text: str) -> dict[str, Any]:
    cells = json.loads(text, parse_constant=_refuse_constant)
    if not isinstance(cells, dict):
        raise TypeError(f"a JSON {type(cells).__name__}")
    if SURROGATE.search(text):
        json.dumps(cells, ensure_ascii=False).encode()  # half of a character is an error here
    return cells


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _table_records(source: Source, name: str, bad: BadRecords) -> Iterator[Record]:
    # An answer may be longer than what the csv module takes for a mistake.
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.reader(
        io.StringIO(text_of(source), newline="\n"),
        delimiter=separator_of(source, name),
        quoting=csv.QUOTE_MINIMAL if name == "csv" else csv.QUOTE_NONE,
        strict=True,
    )
    header: list[str] = []
    number = 0
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            number += bool(header)
            bad.add(RecordError("The row is broken.", path=source.path, line=line, found=str(error)))
            continue
        if row is None:
            return
        if not header:
            header = _header(row, source)
            continue
        if not row:
            continue
        number += 1
        if len(row) != len(header):
            problem = f"The row has {len(row)} cells where the first has {len(header)}."
            bad.add(RecordError(problem, path=source.path, line=line, found=repr(row)[:200]))
            continue
        yield Record(number, line, dict(zip(header, row, strict=True)))


def _header(row: list[str], source: Source) -> list[str]:
    names = [cell.strip() for cell in row]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError("Two columns have one name.", path=source.path, line=1, found=repr(twice))
    return names


def _parquet_records(source: Source) -> Iterator[Record]:
    frame = parquet_frame(source)
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        yield Record(number, None, row)
