"""Files as tables of an engine: what every engine needs to know of a file before it reads it."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from os import PathLike, fspath
from os.path import isdir, isfile
from pathlib import Path

import numpy as np

from goldassay.core.errors import EmptyInputError, InputError, names_file
from goldassay.core.limits import COLUMNS
from goldassay.core.text import visible
from goldassay.formats.delimited import CELLS, rows_of, separator_of, usual_width
from goldassay.formats.parquet import check_pages
from goldassay.formats.recognise import recognise
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import ABOVE, is_title
from goldassay.formats.source import (
    PARQUET,
    PIECE,
    Source,
    check_regular,
    comes_once,
    empty,
    is_packed,
    open_file,
    read_first_piece,
    read_pieces,
)

READABLE = ("parquet", "csv", "tsv", "sssom")
QUOTE = ord('"')


@dataclass(frozen=True, kw_only=True)
class Delimited:
    """How the lines of CSV or TSV are written."""

    separator: str
    quoted: bool
    names: tuple[str, ...]
    width: int  # how many cells most of the first rows have
    above: int  # the lines above the first row
    packed: bool
    comments: tuple[str, ...] = ()  # the lines of metadata among them, without their sign
    below: tuple[list[str], ...] = ()  # the first rows below the first one


@names_file
def format_of(path: str | PathLike[str], asked: str | None) -> str:
    """Recognise the format of a table."""
    if isdir(path):
        return "parquet"
    check_regular(path)
    name = asked or _recognise_table(_beginning(path))
    if name not in READABLE:
        raise InputError(
            "Engines can read tables only.",
            found=name,
            expected="Parquet, CSV, TSV or SSSOM",
            hint="leave out --engine",
        )
    return name


def _recognise_table(source: Source) -> str:
    """Recognise a table, or else say what the file is instead."""
    try:
        return recognise(source, READABLE)
    except InputError:
        return recognise(source)


@names_file
def check_parquet_files(path: str | PathLike[str]) -> list[str]:
    """List the Parquet files of a table, after a look at the sizes that each declares."""
    whole = Path(path)
    files = sorted(one for one in whole.rglob("*.parquet") if isfile(one)) if isdir(whole) else [whole]
    if not files:
        raise InputError("The folder contains no Parquet file.", expected="files that end with .parquet")
    for file in files:
        with open_file(file) as stream:
            size = file.stat().st_size
            if not size:
                raise empty("0 bytes")
            # Only the headers of pages are looked at, so that a file may be larger than memory.
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                check_pages(Source(path=fspath(file), name=file.name, data=data, size=size))  # type: ignore[arg-type]
    return [fspath(file) for file in files]


@names_file
def read_delimited_head(path: str | PathLike[str], name: str) -> Delimited:
    """Read the first row of CSV, TSV or SSSOM, and the metadata above it."""
    source = _beginning(path)
    if source.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("Engines read UTF-8 only.", found="UTF-16", hint="iconv -f UTF-16 -t UTF-8 IN > OUT")
    text = source.data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in text.replace(b"\r\n", b""):
        raise InputError(
            "Lines that end with only a carriage return are not supported.",
            expected="lines that end with \\n or \\r\\n",
        )
    lines = text.splitlines(keepends=True)
    comments = _comments(lines) if name == "sssom" else []
    body = replace(source, data=b"".join(lines[len(comments) :]))
    if name == "sssom":
        name = "tsv" if b"\t" in body.data.partition(b"\n")[0] else "csv"
    found = next(rows_of(body, name, BadRecords(), before=len(comments)), None)
    if found is None:
        raise EmptyInputError("The table has no row.", found="no cell", expected="a header")
    line, row, _ = found
    if any("\n" in cell for cell in row):
        raise InputError("The header spans several lines.", line=line, expected="a header of one line")
    separator = separator_of(body, name)
    return Delimited(
        separator=separator,
        quoted=(name == "csv" or _encloses(path)) and _is_quoted(path, separator, comments, plain=name == "tsv"),
        names=tuple(cell.strip() for cell in row),
        width=usual_width(body, name),
        above=line - 1,
        packed=is_packed(path),
        comments=tuple(one.decode(errors="replace").rstrip("\r\n")[1:] for one in comments),
        below=_read_below(body, name) if is_title(row) else (),
    )


def _read_below(source: Source, name: str) -> tuple[list[str], ...]:
    """Read the first rows below the first one, of any width."""
    rows = rows_of(source, name, BadRecords(on_error="skip"), width=COLUMNS.value)
    return tuple(row.cells for row in islice(rows, 1, ABOVE))


def _comments(lines: Sequence[bytes]) -> list[bytes]:
    count = next((number for number, line in enumerate(lines) if not line.startswith(b"#")), len(lines))
    return list(lines[:count])


def _encloses(path: str | PathLike[str]) -> bool:
    """Return whether a cell of TSV is in quotes: without one all quotes are letters."""
    # A file may be larger than memory.
    with open_file(path) as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        data = b"".join(read_pieces(path)) if is_packed(path) else mapped
        return data.find(b'"') >= 0 and any(cell[1] is not None for cell in CELLS.finditer(data))


def _is_quoted(path: str | PathLike[str], separator: str, comments: Sequence[bytes], *, plain: bool = False) -> bool:
    """Return whether cells are in double quotes, which have to enclose whole cells, and plain ones; in the lines of metadata quotes are letters."""
    # Engines drop what follows a quote that is not closed, and each understands a quote within a cell in its own way.
    border = np.frombuffer(f'{separator}\r\n"'.encode(), dtype=np.uint8)
    # What is before the first byte, and after the last, ends a cell. The last byte of a piece waits for the one behind it.
    count, line, opened, held = 0, 1, 0, b"\n"
    skipped = sum(map(len, comments))
    for number, piece in enumerate(chain(read_pieces(path), [b"\n"])):
        whole = piece.removeprefix(b"\xef\xbb\xbf") if not number else piece
        line += whole[:skipped].count(b"\n")
        data, skipped = held + whole[skipped:], max(0, skipped - len(whole))
        letters = np.frombuffer(data, dtype=np.uint8)
        quotes = np.flatnonzero(letters[1:-1] == QUOTE) + 1
        opening = np.arange(count, count + len(quotes)) % 2 == 0
        neighbours = np.where(opening, letters[quotes - 1], letters[quotes + 1])
        wrong = quotes[~np.isin(neighbours, border)]
        if len(wrong):
            raise _broken_quotes_error(line + data[1 : wrong[0]].count(b"\n"), "a quote within a cell")
        marks = np.flatnonzero(np.isin(letters, border[:-1])) if plain and len(quotes) else quotes[:0]
        held_in = marks[(np.searchsorted(quotes, marks) + count) % 2 == 1]
        if len(held_in):
            # Without an engine the rows around it say whether it is a cell.
            at = line + data[1 : held_in[0]].count(b"\n")
            raise _broken_quotes_error(at, "a tab or a line break between quotes")
        count += len(quotes)
        if count % 2 and len(quotes):
            opened = line + data[1 : quotes[-1]].count(b"\n")
        line += data[1:-1].count(b"\n")
        held = data[-2:]
    if count % 2:
        raise _broken_quotes_error(opened, "a quote that is not closed")
    return bool(count)


def _broken_quotes_error(line: int, found: str) -> InputError:
    return InputError(
        "Unbalanced quotes in this row.",
        line=line,
        found=found,
        expected="double quotes around whole cells",
        hint='double the quotes inside a quoted cell: "the ""animal"""; or leave out --engine',
    )


def _beginning(path: str | PathLike[str]) -> Source:
    """Read whole lines from the beginning of a file: enough for metadata and the first row."""
    data, size = read_first_piece(path), Path(path).stat().st_size
    if not data.strip():
        raise empty(f"{size} bytes")
    if len(data) == PIECE and not data.startswith(PARQUET):
        data = data[: data.rfind(b"\n") + 1] or data
    name = Path(path).name.lower().removesuffix(".gz")
    return Source(path=visible(fspath(path)), name=name, data=data, size=size)


def refuse_standard_input(given: object) -> None:
    """Refuse to read standard input or a pipe, which cannot be read twice."""
    if isinstance(given, str | PathLike) and comes_once(given):
        raise InputError(
            "An engine cannot read standard input or a pipe.", expected="a file", hint="write it to a file first"
        )
