r"""Rows of tables: CSV, TSV, Parquet and JSON Lines, read by one set of rules for every family.

- A line ends at ``\n``, ``\r\n`` or ``\r``, and nowhere else. A byte order mark is not part of the first line.
- A line with only white space and separators is not a row. Cells that are absent at the end of a row are empty; a row
  with more cells than the first is a bad record, and so is one without a required cell.
- In CSV a cell may be enclosed in double quotes, and then contain separators, line breaks and doubled quotes; a row
  whose quotes are broken is a bad record, and reading goes on at the line after the one where it begins. In TSV quotes
  are characters.
- Names of columns are stripped of white space, and must be unique.
- In JSON Lines each line is an object, and a value is text, a number, true, false, null, or a list or an object.

Regular files are read by polars, all others row by row; both give the same rows (the tests compare them).
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from goldassay.core.errors import InputError, RecordError
from goldassay.core.limits import COLUMNS
from goldassay.formats.documents import parse_json
from goldassay.formats.parquet import BAD_PARQUET, scan_parquet, texts_or_refused
from goldassay.formats.records import BadRecords
from goldassay.formats.source import Source, text_of, utf8_of
from goldassay.formats.trouble import polars_errors

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

TABLES = ("csv", "tsv", "parquet", "json-lines")
"""Formats of rows."""
WHITE = "".join(letter for letter in map(chr, range(0x3001)) if letter.isspace())
"""White space, as Python has it; polars defines it differently."""
WIDE = (b"\xff\xfe", b"\xfe\xff")
BREAK = re.compile(r"[\r\n]")
SHOWN = 120


class Choice(NamedTuple):
    """Which columns of a table are wanted.

    Attributes:
        places: The 0-based place of each column, by its role.
        named: Whether the first row contains the names of the columns; else it is data.
        notes: Notes for the user on the choice.
    """

    places: Mapping[str, int]
    named: bool = True
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Table:
    """Some columns of a table.

    Attributes:
        path: The file.
        frame: One column per role, one row per record, in the order of the file.
        lines: The line on which each row begins, from 1; None for formats without lines.
        rows: The place of each row in the file, from 0, without a row of names, int64; None if all rows are here.
        notes: Notes for the user on how the table was read.
    """

    path: str
    frame: pl.DataFrame
    lines: Sequence[int] | NDArray[np.int64] | None = None
    rows: NDArray[np.int64] | None = None
    notes: tuple[str, ...] = ()

    def line(self, row: int) -> int | None:
        """Return the line on which a row begins; None for formats without lines."""
        return None if self.lines is None else int(self.lines[row])

    @property
    def input_rows(self) -> NDArray[np.int64]:
        """The place of each row in the file, from 0, without a row of names, int64, shape (rows,)."""
        return np.arange(len(self.frame)) if self.rows is None else self.rows

    @property
    def numbered(self) -> pl.DataFrame:
        """The frame, with the place of each row in the file as the column ``row``."""
        import polars as pl

        return self.frame.with_columns(pl.Series("row", self.input_rows))

    def filled(self, bad: BadRecords, *, blank: Collection[str] = ()) -> Table:
        """Strip white space around texts, and reject rows with an empty cell.

        Args:
            bad: Receives the rows with an empty cell.
            blank: Columns whose cells may be empty.

        Raises:
            RecordError: For the first such row, unless bad records are skipped.
        """
        import polars as pl

        frame = self.frame.with_columns(pl.selectors.string().str.strip_chars(WHITE))
        needed = [name for name in frame.columns if name not in blank]
        empty = frame.select(pl.any_horizontal(pl.lit(value=False), *(pl.col(name) == "" for name in needed)))
        gaps = empty.to_series()
        if not gaps.any():
            return replace(self, frame=frame)
        for row in gaps.arg_true().to_list():
            cells = frame.row(row, named=True)
            name = next(name for name in needed if cells[name] == "")
            place = "" if self.lines is not None else f"row {row + 1}: "
            bad.add(
                RecordError(
                    f"The {name} is empty.",
                    path=self.path,
                    line=self.line(row),
                    found=f"{place}{', '.join(map(repr, cells.values()))}"[:SHOWN],
                    expected=f"text for the {name}",
                )
            )
        return replace(self, frame=frame).kept(~gaps)

    def kept(self, rows: pl.Series) -> Table:
        """Keep some rows, each with its line and its place."""
        if rows.all():
            return self
        kept = rows.to_numpy()
        lines = None if self.lines is None else np.asarray(self.lines)[kept]
        return replace(self, frame=self.frame.filter(rows), lines=lines, rows=self.input_rows[kept])


def names_in(source: Source, name: str) -> list[str]:
    r"""Return the names of the columns of a table, or its first row where it has no names.

    Args:
        source: The file.
        name: Its format; only tables have columns.

    Raises:
        InputError: If the file is broken.

    Example:
        >>> names_in(Source(path="a.csv", name="a.csv", data=b"child,parent\ncat,pet", size=20), "csv")
        ['child', 'parent']
    """
    bad = BadRecords(on_error="skip")
    if name == "parquet":
        with polars_errors(source.path, BAD_PARQUET):
            return scan_parquet(source).collect_schema().names()
    if name == "json-lines":
        return list(next((record for _, record, _ in objects_of(source, bad)), {}))
    if name in TABLES:
        return next((row for _, row, _ in delimited(source, name, bad)), [])
    return []


def places_of(names: Sequence[str], roles: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Find the first column of each role by its name, letters alone.

    Args:
        names: The names of the columns.
        roles: The names of the column of each role.

    Example:
        >>> places_of(["Parent ID", "weight", "Child"], {"child": {"child"}, "parent": {"parent", "parentid"}})
        {'child': 2, 'parent': 0}
    """
    words = [re.sub(r"[^a-z]", "", name.lower()) for name in names]
    first = {role: next((at for at, word in enumerate(words) if word in known), None) for role, known in roles.items()}
    return {role: place for role, place in first.items() if place is not None}


def by_order(names: Sequence[str], places: Mapping[str, int]) -> Choice:
    """Read columns by their order, with a note."""
    return Choice(
        places, named=False, notes=(f"no header was recognised: columns are read by position, first row {_row(names)}",)
    )


def no_columns(names: Sequence[str], expected: str, path: str, *, hint: str | None = None) -> InputError:
    """Build the error for a table without the required columns.

    Args:
        names: The first row, or the names of the columns.
        expected: What the columns should be.
        path: The file.
        hint: What to do.
    """
    count = f"{len(names)} column{'s' if len(names) != 1 else ''}"
    return InputError(
        f"The table has {count}, and no header that names them.",
        path=path,
        line=1,
        found=_row(names)[:200] or "no column",
        expected=expected,
        hint=hint or f"name the columns: {expected}",
    )


def read_table(
    source: Source,
    name: str,
    choose: Callable[[Sequence[str]], Choice],
    bad: BadRecords,
    *,
    native: Collection[str] = (),
    grouped: Collection[str] = (),
    before: int = 0,
) -> Table:
    r"""Read some columns of a table.

    Args:
        source: The file.
        name: Its format, one of `TABLES`.
        choose: Chooses columns by their names, or by the cells of the first row.
        bad: Receives the records that cannot be read.
        native: Roles whose numbers and lists in Parquet are not converted to text.
        grouped: Roles whose texts repeat: in Parquet each is stored once, as a category.
        before: Number of lines before the first line of the source.

    Returns:
        The columns; an absent value is the empty text.

    Raises:
        InputError: If the file is not a table; a :class:`~goldassay.core.errors.RecordError` with its line for a bad
            row.

    Example:
        >>> source = Source(path="a", name="a", data=b"child,parent\ncat,animal\ndog,animal\n", size=22)
        >>> table = read_table(source, "csv", lambda names: Choice({"child": names.index("child")}), BadRecords())
        >>> table.frame["child"].to_list(), table.line(1)
        (['cat', 'dog'], 3)
    """
    if name == "parquet":
        return _of_parquet(source, choose, native, grouped)
    if name == "json-lines":
        return _of_objects(source, choose, bad, native)
    return _of_delimited(source, name, choose, bad, before)


def records_of(source: Source, name: str, bad: BadRecords) -> Iterator[tuple[int | None, dict[str, Any], int]]:
    r"""Read all cells of a table, record by record.

    Args:
        source: The file.
        name: Its format, one of `TABLES`.
        bad: Receives the records that cannot be read.

    Yields:
        The line of a record, None for formats without lines; its cells by column name; and its place in the file, from 0:
        bad records count, blank lines and a row of names do not.

    Raises:
        InputError: If the file is not a table; a :class:`~goldassay.core.errors.RecordError` with its line for a bad
            row.

    Example:
        >>> list(records_of(Source(path="a", name="a", data=b"id,text\n1,cat\n", size=14), "csv", BadRecords()))
        [(2, {'id': '1', 'text': 'cat'}, 0)]
    """
    if name == "json-lines":
        yield from objects_of(source, bad)
        return
    if name == "parquet":
        with polars_errors(source.path, BAD_PARQUET):
            # Values are decoded as Python's when they are taken out: a date may lie beyond the year 9999.
            records = scan_parquet(source).collect().rows(named=True)
            yield from ((None, cells, row) for row, cells in enumerate(records))
        return
    rows = delimited(source, name, bad)
    _, names, _ = next(rows, (0, [], 0))
    header = checked_names(names, source.path)
    yield from ((line, dict(zip(header, cells, strict=False)), place - 1) for line, cells, place in rows)


def lines_of(source: Source, bad: BadRecords) -> Iterator[tuple[int, str]]:
    r"""Decode a file line by line, so that a line in another encoding is one bad record.

    Yields:
        The number of each line, from 1, and its text without what ends it.

    Example:
        >>> list(lines_of(Source(path="a", name="a", data=b"a\r\n\xe2\x80\xa8b\n", size=9), BadRecords()))
        [(1, 'a'), (2, '\u2028b')]
    """
    yield from decoded(marked_off(source), source.path, bad)


def marked_off(source: Source) -> bytes:
    """Give a file without a byte order mark; in UTF-16 its lines cannot be split before decoding."""
    return text_of(source).encode() if source.data.startswith(WIDE) else source.data.removeprefix(b"\xef\xbb\xbf")


def decoded(data: bytes, path: str, bad: BadRecords, *, first: int = 1) -> Iterator[tuple[int, str]]:
    """Decode lines one by one, as `lines_of` does, from the number of the first of them on."""
    # Unlike str.splitlines, this splits at \n, \r\n and \r alone.
    for number, line in enumerate(data.splitlines(), start=first):
        try:
            yield number, line.decode()
        except UnicodeDecodeError as error:
            bad.add(
                RecordError(
                    "The line is not in UTF-8.",
                    path=path,
                    line=number,
                    found=f"the bytes {line[error.start : error.start + 8].hex(' ')} ({error.reason})",
                    expected="UTF-8",
                    hint="convert it, for example: iconv -f ISO-8859-1 -t UTF-8 IN > OUT",
                )
            )


def objects_of(source: Source, bad: BadRecords) -> Iterator[tuple[int, dict[str, Any], int]]:
    r"""Read JSON Lines: one object per line.

    Args:
        source: The file.
        bad: Receives the lines that contain no object.

    Yields:
        The line, from 1; the object; and its place in the file, from 0: bad lines count, blank ones do not.

    Raises:
        InputError: If the file is one JSON document over several lines.

    Example:
        >>> list(objects_of(Source(path="a", name="a", data=b'{"id": 1}\n\n{"id": 2}', size=20), BadRecords()))
        [(1, {'id': 1}, 0), (3, {'id': 2}, 1)]
    """
    first, blank = True, 0
    for line, text in lines_of(source, bad):
        if not text.strip():
            blank += 1
            continue
        try:
            record, problem = parse_json(text), "a JSON list or value, not an object"
        except (ValueError, RecursionError) as error:
            record, problem = None, str(error)
        if first and not isinstance(record, dict):
            _refuse_document(source, line)
        first = False
        if isinstance(record, dict):
            yield line, record, line - 1 - blank
            continue
        bad.add(
            RecordError(
                "The line is not a JSON object.",
                path=source.path,
                line=line,
                found=f"{text.strip()[:60]!r} ({problem})",
                expected="one object per line, such as {...}",
            )
        )


def _refuse_document(source: Source, line: int) -> None:
    """Reject a JSON document over several lines, or a list of records."""
    start = source.data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start not in {b"[", b"{"} and not source.data.startswith(WIDE):
        return
    try:
        document = parse_json(text_of(source))
    except (ValueError, RecursionError):
        if start != b"[":
            return
        document = []
    kind, program = ("array", ".[]") if isinstance(document, list) else ("document", ".")
    raise InputError(
        f"This is one JSON {kind}, not JSON Lines.",
        path=source.path,
        line=line,
        found=f"a JSON {type(document).__name__} over several lines, or of several records",
        expected="JSON Lines: one object per line",
        hint=f"jq -c '{program}' IN.json > OUT.jsonl",
    )


def separator_of(source: Source, name: str) -> str:
    """Return the separator of cells: a tab in TSV; in CSV the more frequent of comma and semicolon in the first line.

    Example:
        >>> separator_of(Source(path="a", name="a", data=b"cat;animal, wild;x", size=18), "csv")
        ';'
    """
    if name == "tsv":
        return "\t"
    wide = source.data.startswith(WIDE)
    first = re.split(r"[\r\n]", text_of(source) if wide else source.data[: 2**16].decode("latin-1"), maxsplit=1)[0]
    return ";" if first.count(";") > first.count(",") else ","


def delimited(source: Source, name: str, bad: BadRecords, *, before: int = 0) -> Iterator[tuple[int, list[str], int]]:
    r"""Read the rows of CSV or TSV one by one.

    Args:
        source: The file.
        name: Its format.
        bad: Receives rows whose quotes are broken, or that have more cells than the first.
        before: Number of lines before the first line of the source.

    Yields:
        The line on which each row begins; its raw cells, of which those at the end may be absent; and its place among the rows of
        the file, from 0 for the first: bad rows count, and so do lines of separators alone, which are not given.

    Raises:
        RecordError: For the first bad row, unless bad records are skipped; for a bad first row in any case.

    Example:
        >>> bad = BadRecords(on_error="skip")
        >>> list(delimited(Source(path="a", name="a", data=b'a,b\n"c,d\ne,f\n', size=13), "csv", bad))
        [(1, ['a', 'b'], 0), (3, ['e', 'f'], 2)]
        >>> bad.notes()[1]
        'skipped line 2: The quotes of the row are broken. (\'"c,d\')'
    """
    separator = separator_of(source, name)
    nothing = WHITE + separator
    stream = io.StringIO(text_of(source), newline="")
    csv.field_size_limit(2**31 - 1)
    number, width, place = before + 1, 0, 0
    while line := stream.readline():
        begin, number = number, number + 1
        if not line.strip(nothing):
            place += bool(width) and separator in line
            continue
        at, place = place, place + 1
        if name == "tsv" or '"' not in line:
            row = line.rstrip("\r\n").split(separator)
        else:
            after = stream.tell()
            reader = csv.reader(itertools.chain((line,), stream), delimiter=separator, strict=True)
            try:
                row = next(reader)
            except csv.Error as error:
                # The row may have extended over many lines before the error: they are read again one by one. None of
                # them can extend past that place again, since each has balanced quotes, so everything is read at most
                # twice.
                stream.seek(after)
                _reject(bad, _broken(line, error, source.path, begin), first=not width)
                continue
            number += reader.line_num - 1
        if width and len(row) > width:
            bad.add(_too_wide(row, width, source.path, begin, number - 1))
            continue
        if not width:
            COLUMNS.check(len(row), "The table is too wide.", path=source.path, line=begin)
            width = len(row)
        yield begin, row, at


def _reject(bad: BadRecords, error: RecordError, *, first: bool) -> None:
    """The first row has the column names: it is never skipped."""
    if first:
        raise error
    bad.add(error)


def _broken(line: str, error: csv.Error, path: str, number: int) -> RecordError:
    open_to_the_end = "unexpected end" in str(error)
    return RecordError(
        "The quotes of the row are broken.",
        path=path,
        line=number,
        found=repr(line.rstrip("\r\n")[:SHOWN]),
        expected='a closing quote (")'
        if open_to_the_end
        else "a separator or the end of the line after a closing quote",
        hint='double the quotes inside a quoted cell: "the ""animal"""',
    )


def _too_wide(row: Sequence[str], width: int, path: str, begin: int, end: int) -> RecordError:
    over = f" on lines {begin} to {end}, of which the first opens a quote" if end > begin else ""
    return RecordError(
        f"The row has {len(row)} cells where the first has {width}.",
        path=path,
        line=begin,
        found=f"{_row(row)[:SHOWN]}{over}",
        expected=f"at most {width} cell{'s' if width != 1 else ''}",
        hint="put a cell that holds a separator in double quotes" if end == begin else "close the quote",
    )


def _row(cells: Iterable[str]) -> str:
    return ", ".join(map(repr, cells))


def checked_names(names: Iterable[str], path: str) -> list[str]:
    """Strip the names of columns, and reject duplicate names."""
    stripped = [name.strip() for name in names]
    twice = next((name for name in stripped if name and stripped.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            "Two columns have the same name.",
            path=path,
            line=1,
            found=repr(twice),
            expected="unique names",
            hint="rename or remove one of them",
        )
    return stripped


def _of_delimited(
    source: Source, name: str, choose: Callable[[Sequence[str]], Choice], bad: BadRecords, before: int
) -> Table:
    import polars as pl

    rows = delimited(source, name, bad, before=before)
    first = next(rows, None)
    if first is None:
        raise InputError(
            "The table has no row.", path=source.path, found=f"{source.size} bytes without a cell", expected="a header"
        )
    _, row, _ = first
    choice = choose([cell.strip() for cell in row])
    if choice.named:
        checked_names(row, source.path)
    whole = at_once(source, name, len(row))
    head = int(choice.named)
    if whole is not None:
        frame = whole[head:].select(pl.nth(place).alias(role) for role, place in choice.places.items())
        lines = range(before + 1 + head, before + 1 + len(whole))
        return Table(path=source.path, frame=frame, lines=lines, notes=choice.notes)
    kept = list(rows) if choice.named else [first, *rows]
    columns = {
        role: [cells[place] if place < len(cells) else "" for _, cells, _ in kept]
        for role, place in choice.places.items()
    }
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    return Table(
        path=source.path,
        frame=frame,
        lines=[line for line, _, _ in kept],
        rows=np.array([place for _, _, place in kept], dtype=np.int64) - head,
        notes=(*choice.notes, *_notes_on_breaks(kept, choice.places.values())),
    )


def _notes_on_breaks(rows: Sequence[tuple[int, Sequence[str], int]], places: Iterable[int]) -> Iterator[str]:
    """Note that cells contain line breaks: sometimes intended, sometimes a missing closing quote."""
    wanted = set(places)
    broken = [line for line, row, _ in rows if any(BREAK.search(cell) for at, cell in enumerate(row) if at in wanted)]
    if broken:
        yield f"{len(broken):,} row{'s' if len(broken) > 1 else ''} with a line break in a cell, first on line {broken[0]}"


def at_once(source: Source, name: str, width: int) -> pl.DataFrame | None:
    """Read CSV or TSV in one go.

    Args:
        source: The file.
        name: Its format.
        width: How many cells a row has.

    Returns:
        All rows as text, including the first; None if the file is not regular enough for every CSV reader: then
        `delimited` has to read it.
    """
    import polars as pl

    data = utf8_of(source).replace(b"\r\n", b"\n")
    separator = separator_of(source, name)
    quoted = name == "csv" and b'"' in data
    if width == 1 or b"\r" in data or data.startswith((b"\n", b"\xef\xbb\xbf")):
        return None
    inside = _separators_in_quotes(data, separator) if quoted else 0
    rows = data.count(b"\n") + (not data.endswith(b"\n"))
    # With the number of separators for this width, a short row implies a long row, and
    # polars rejects the long row.
    if inside is None or data.count(separator.encode()) - inside != (width - 1) * rows:
        return None
    try:
        with polars_errors(source.path, "The table cannot be read."):
            frame = pl.read_csv(
                data,
                has_header=False,
                separator=separator,
                quote_char='"' if quoted else None,
                infer_schema=False,
            ).fill_null("")
    except InputError:
        return None
    if frame.shape != (rows, width):
        return None
    # A row without text may not be a row.
    starts = frame.to_series(0).str.strip_chars(WHITE)
    return None if (starts == "").any() else frame


def _separators_in_quotes(data: bytes, separator: str) -> int | None:
    """Count the separators inside of quoted cells; None unless quotes enclose whole cells, and no line break or quote."""
    letters = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(letters == ord('"'))
    if len(quotes) % 2:
        return None
    opening, closing = quotes[::2], quotes[1::2]
    border = (ord(separator), ord("\n"))
    before = letters[opening - 1]
    after = letters[np.minimum(closing + 1, len(letters) - 1)]
    starts = np.isin(before, border) | (opening == 0)
    ends = np.isin(after, border) | (closing == len(letters) - 1)
    if not (starts.all() and ends.all()):
        return None
    breaks = np.flatnonzero(letters == ord("\n"))
    if (np.searchsorted(breaks, opening) != np.searchsorted(breaks, closing)).any():
        return None
    marks = np.flatnonzero(letters == ord(separator))
    return int((np.searchsorted(marks, closing) - np.searchsorted(marks, opening)).sum())


def _of_parquet(
    source: Source, choose: Callable[[Sequence[str]], Choice], native: Collection[str], grouped: Collection[str]
) -> Table:
    with polars_errors(source.path, BAD_PARQUET):
        table = scan_parquet(source)
        schema = table.collect_schema()
        names = schema.names()
        COLUMNS.check(len(names), "The table is too wide.", path=source.path)
        choice = choose(names)
        columns = texts_or_refused(schema, choice.places, native, grouped, source.path)
        return Table(path=source.path, frame=table.select(columns).collect(), notes=choice.notes)


def _of_objects(
    source: Source, choose: Callable[[Sequence[str]], Choice], bad: BadRecords, native: Collection[str]
) -> Table:
    import polars as pl

    lines: list[int] = []
    rows: list[int] = []
    records: list[dict[str, Any]] = []
    for line, record, row in objects_of(source, bad):
        lines.append(line)
        rows.append(row)
        records.append(record)
    names = list(dict.fromkeys(itertools.chain.from_iterable(records)))
    choice = choose(names)
    if not choice.named:
        raise no_columns(
            names,
            ", ".join(choice.places),
            source.path,
            hint='name the values: {"' + '": ..., "'.join(choice.places) + '": ...}',
        )
    plain = {role: names[at] for role, at in choice.places.items() if role not in native}
    good = []
    for line, row, record in zip(lines, rows, records, strict=True):
        nested = next((role for role, name in plain.items() if isinstance(record.get(name), list | dict)), None)
        if nested is None:
            good.append((line, row, record))
        else:
            bad.add(_nested(nested, record[plain[nested]], source.path, line))
    columns = {role: [cell_of(record.get(names[at])) for *_, record in good] for role, at in choice.places.items()}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    return Table(
        path=source.path,
        frame=frame,
        lines=[line for line, _, _ in good],
        rows=np.array([row for _, row, _ in good], dtype=np.int64),
        notes=choice.notes,
    )


def _nested(role: str, value: object, path: str, line: int) -> RecordError:
    return RecordError(
        f"The {role} is a list or an object.",
        path=path,
        line=line,
        found=cell_of(value)[:SHOWN],
        expected="one text or number",
    )


def cell_of(value: object) -> str:
    """Write a value of JSON as the text of a cell.

    Example:
        >>> cell_of("cat"), cell_of(7), cell_of(None), cell_of(True), cell_of(["a"])
        ('cat', '7', '', 'true', '["a"]')
    """
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)
