r"""Rows of CSV and TSV: the wanted columns as text, for any spelling of the file.

- A line ends at ``\n``, ``\r\n`` or ``\r``, and nowhere else. A byte order mark is not part of the first line.
- A line with only white space and separators is not a row. Cells that are absent at the end of a row are empty; a row
  with more cells than the first is a bad record.
- In CSV a cell may be enclosed in double quotes, with blanks around them, and then contain separators, line breaks and doubled quotes; a row
  whose quotes are broken is a bad record, and reading goes on at the line after the one where it begins.
- In TSV a cell is in quotes if one is its first letter and one its last, and all others in it are doubled. All other quotes are letters. It may hold
  separators and line breaks only where its lines are not rows without that: a quote that opens and is not closed takes no other row.

Where quotes enclose whole cells, the places of separators, line breaks and quotes give the rows of the whole file at once, and
polars parses the wanted columns. A file with quotes elsewhere is read by the csv module, and so is a small one.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from bisect import bisect_left
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import InputError, RecordError
from goldassay.core.libraries import pl
from goldassay.core.limits import COLUMNS
from goldassay.core.patterns import pattern_of
from goldassay.formats.column_names import INDEX
from goldassay.formats.records import BadRecords
from goldassay.formats.source import WIDE, Source, check_lines, polars_errors, strip_byte_order_mark, text_of, utf8_of

WHITE = "".join(letter for letter in map(chr, range(0x3001)) if letter.isspace())
"""White space, as Python has it; polars defines it differently."""
DELETE = "\x7f"
"""What begins with white space is before ! or after this in the order of bytes."""
QUOTE, BREAK, RETURN, TAB = b'"\n\r\t'
MARKS = "\x01\x02\x03\x04\x05\x06\x07\x0e\x0f\x10\x11\x12\x13\x14\x15"
SHOWN = 120
QUOTING: Mapping[bool, Literal[0, 3]] = MappingProxyType({True: csv.QUOTE_MINIMAL, False: csv.QUOTE_NONE})
BLANKS: Mapping[str, re.Pattern[bytes]] = {
    sign: pattern_of(
        rb""" (?<![^%b\n\r] ) *+("(?!["%b\r\n])[^"]*(?:""[^"]*)*") *(?=[%b\r\n]|\Z)""" % ((sign.encode(),) * 3)
    )
    for sign in ",;\t|"
}
"""Blanks before and behind a quoted cell, by the separator: the first blank is found sooner than what is before it."""
CELLS = pattern_of(rb"""\"(?:(?<=[\t\r\n]\")|(?<=\A\"))(?:([^"]*+(?:""[^"]*+)*+)"(?=[\t\r\n]|\Z)|[^\t\r\n]*+)""")
"""Cells of TSV that begin with a quote: those that one ends, whose others are doubled, and up to the next separator."""
SEPARATED = pattern_of(rb"[\t\r\n]")
OF_NUMBER = pattern_of(r"[+-]?[0-9]+(?:\.[0-9]*)?")
"""The number of a row."""
OTHERS = pattern_of(r"[,;\t]")
QUOTES_NEEDED = "put a cell that holds a separator in double quotes"
BAR_NEEDED = r"in a Markdown table write a bar inside a cell as \|"
TABULAR = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
"""Suffixes of files that hold no Markdown."""
BEGINNING = 2**16
"""Bytes that hold the first row of nearly every table."""
SMALL = 2**13
"""Bytes below which the csv module is done before polars has begun (measured)."""
LOOKED_AT = 100
"""Rows that show the width of a table without a header."""
Letters: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.int64]


class Row(NamedTuple):
    """A row as it is in the file.

    Attributes:
        place: Its place among the rows of the file, from 0 for the first: bad rows count, and so do lines with only
            separators, which are not rows; blank lines do not.
    """

    line: int
    cells: list[str]
    place: int


class Cells(NamedTuple):
    """Some columns of a table.

    Attributes:
        frame: One column per role, one row per record, all texts; an absent cell is empty.
        lines: The line on which each row begins, from 1, int64, shape (rows,).
        places: The place of each row in the table, from 0 for the first after the header, int64, shape (rows,).
        widths: How many cells each row has, absent ones at its end not counted, int64, shape (rows,).
    """

    frame: pl.DataFrame
    lines: Numbers
    places: Numbers
    widths: Numbers


@dataclass(frozen=True, eq=False)
class TextTable:
    """A file of CSV or TSV whose first row is known.

    Attributes:
        width: Number of cells of a row at most; further cells must be empty.
        before: Number of lines before the first line of the source.
        doubtful: Number of quotes of TSV that are read as letters, although what is up to a later one could be a cell.
    """

    source: Source
    separator: str
    quoted: bool
    first: Row
    width: int
    before: int = 0
    doubtful: int = 0

    @classmethod
    def opened(cls, source: Source, name: str, *, before: int = 0, named: bool = True) -> TextTable | None:
        """Read the first row of a file, which may have the names of its columns; None if it has none."""
        check_lines(source, before=before)
        source, separator, quoted, doubtful = _opened(source, name, "", named=named)
        read = partial(_rows, separator=separator, quoted=quoted, bad=BadRecords(), before=before)
        first = _read_first_of_many(source, read) or next(read(source), None)
        if first is None:
            return None
        return cls(source, separator, quoted, first, len(first.cells), before, doubtful)

    def columns(self, places: Mapping[str, int], bad: BadRecords, *, header: bool = True) -> Cells:
        """Read some columns."""
        skip = int(header)
        if len(self.source.data) < SMALL:
            return self._row_by_row(places, bad, skip)
        return self._lay_out(places, bad, skip) or self._row_by_row(places, bad, skip)

    def first_rows(self, count: int) -> list[list[str]]:
        """Read the cells of some rows below the first, as far as the beginning of the file has them."""
        some, bad = _beginning_of(self.source) or self.source, BadRecords(on_error="skip")
        rows = _rows(some, self.separator, bad, quoted=self.quoted, width=self.width)
        return [row.cells for row in itertools.islice(rows, 1, count + 1)]

    def _parse(self, data: bytes, places: Mapping[str, int]) -> pl.DataFrame | None:
        """Parse the wanted columns of good rows, which may have fewer cells or empty ones behind; None if polars refuses them."""
        if data.startswith(BOM_UTF8):
            # Polars drops a second mark, which is a letter of the first cell.
            return None
        try:
            # Polars takes a text for compressed data if it begins like some.
            with polars_errors("The table cannot be read."):
                frame = pl.read_csv(
                    data,
                    has_header=False,
                    separator=self.separator,
                    quote_char='"' if self.quoted else None,
                    schema={str(place): pl.String for place in range(self.width)},
                    columns=sorted(set(places.values())),
                    truncate_ragged_lines=True,
                )
        except InputError:
            return None
        return frame.select(pl.col(str(place)).fill_null("").alias(role) for role, place in places.items())

    def _lay_out(self, places: Mapping[str, int], bad: BadRecords, skip: int) -> Cells | None:
        """Read a file by the places of its separators; None if quotes are broken."""
        layout = _Layout.of(utf8_of(self.source), self.separator, quoted=self.quoted)
        if layout is None:
            return None
        lines, nothing = layout.lines + self.before, WHITE + self.separator
        counted = (layout.ends > layout.starts) & (lines >= self.first.line)
        texts = {row: layout.row(row) for row in layout.wider(self.width).tolist() if counted[row]}
        wide = {row: self._cells(text) for row, text in texts.items() if text.strip(nothing)}
        wide = {row: cells for row, cells in wide.items() if any(cells[self.width :])}
        good = counted.copy()
        good[list(wide)] = False
        rows = np.flatnonzero(good)
        frame = self._parse(layout.only(rows), places)
        if frame is None or len(frame) != len(rows):
            return None
        if layout.mark:
            frame = frame.with_columns(pl.all().str.replace_all(layout.mark, '"', literal=True))
        for row, cells in wide.items():
            last = int(lines[row]) + layout.row(row).count("\n")
            bad.add(too_wide_error(cells, self.width, self.source.path, int(lines[row]), last))
        for row in rows[_blank(frame)].tolist():
            text = layout.row(row)
            good[row] = bool(text.strip(nothing))
            counted[row] = good[row] or self.separator in text
        if not good[rows].all():
            frame = frame.filter(good[rows])
        order = np.cumsum(counted) - 1 - skip
        return Cells(frame[skip:], *(column[good][skip:] for column in (lines, order, layout.widths)))

    def _cells(self, row: str) -> list[str]:
        """Parse a row with good quotes."""
        return next(csv.reader(io.StringIO(row, newline=""), delimiter=self.separator, quoting=QUOTING[self.quoted]))

    def _row_by_row(self, places: Mapping[str, int], bad: BadRecords, skip: int) -> Cells:
        """Read a file with quotes within cells."""
        made = _rows(self.source, self.separator, bad, quoted=self.quoted, before=self.before, width=self.width)
        rows = list(made)[skip:]
        cells = {
            role: [row.cells[place] if place < len(row.cells) else "" for row in rows] for role, place in places.items()
        }
        frame = pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String))
        found = np.array([(row.line, row.place - skip, len(row.cells)) for row in rows], dtype=np.int64).reshape(-1, 3)
        return Cells(frame, *found.T)


def _blank(frame: pl.DataFrame) -> Numbers:
    """Find the rows without any text."""
    # A cell that begins with a letter is the usual one, and needs no second look.
    odd = frame.select(pl.all_horizontal((pl.all() < "!") | (pl.all() >= DELETE))).to_series().arg_true()
    empty = frame[odd].select(pl.all_horizontal(pl.all().str.strip_chars_start(WHITE) == "")).to_series()
    return odd.filter(empty).to_numpy().astype(np.int64)


class _Layout(NamedTuple):
    """Where the rows of a file are.

    Attributes:
        ends: The place behind its last byte.
        marks: The places of the separators of all rows.
        mark: The letter that is in the place of a quote within a cell; empty if there are none.
    """

    data: bytes
    starts: Numbers
    ends: Numbers
    widths: Numbers
    lines: Numbers
    marks: Numbers
    mark: str

    @classmethod
    def of(cls, data: bytes, separator: str, *, quoted: bool) -> _Layout | None:
        """Find the rows of a file; None if quotes are broken, or a cell has a carriage return.

        A quote in a cell that does not begin with one is a letter, if it is not within quotes. All other quotes must open a cell,
        close one, or be doubled. Then the csv module reads the same cells: at a quote that opens, it goes on to the next
        quote that is not doubled; in any other cell, to the next separator or line break.
        """
        letters, mark = np.frombuffer(data, dtype=np.uint8), ""
        quotes = np.flatnonzero(letters == QUOTE) if quoted else np.zeros(0, dtype=np.int64)
        if not _quotes_are_at_borders(letters, quotes, separator):
            mark = next((sign for sign in MARKS if sign.encode() not in data), "")
            quotes, literal = _split(letters, quotes, separator)
            letters = letters.copy()
            letters[literal] = ord(mark or '"')
            if not mark or not _quotes_are_at_borders(letters, quotes, separator) or _inside(literal, quotes).any():
                return None
            data = letters.tobytes()
        if b"\r" in data:
            if _inside(np.flatnonzero(letters == RETURN), quotes).any():
                return None
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            letters = np.frombuffer(data, dtype=np.uint8)
            quotes = np.flatnonzero(letters == QUOTE) if quoted else quotes
        breaks, marks = np.flatnonzero(letters == BREAK), np.flatnonzero(letters == ord(separator))
        ends = breaks
        if len(quotes):
            ends, marks = breaks[~_inside(breaks, quotes)], marks[~_inside(marks, quotes)]
        if not len(ends) or ends[-1] != len(data) - 1:
            ends = np.append(ends, len(data))
        starts = np.concatenate(([0], ends[:-1] + 1))
        widths = np.diff(np.searchsorted(marks, ends), prepend=0) + 1
        return cls(data, starts, ends, widths, np.searchsorted(breaks, starts) + 1, marks, mark)

    def row(self, number: int) -> str:
        """Decode a row."""
        text = self.data[self.starts[number] : self.ends[number]].decode()
        return text.replace(self.mark, '"') if self.mark else text

    def wider(self, width: int) -> Numbers:
        """Find the rows with more cells than a number, of which the last ones are not nothing at all."""
        rows: Numbers = np.flatnonzero(self.widths > width)
        last = self.marks[np.searchsorted(self.marks, self.starts[rows]) + width - 1]
        filled: Flags = self.ends[rows] - last != self.widths[rows] - width
        return rows[filled]

    def only(self, rows: Numbers) -> bytes:
        """Keep some rows, of which most follow each other."""
        if len(rows) == len(self.starts):
            return self.data
        begins = np.flatnonzero(np.diff(rows, prepend=-2) > 1)
        lasts = np.append(begins[1:], len(rows)) - 1
        starts, ends = self.starts[rows[begins]].tolist(), self.ends[rows[lasts]].tolist()
        return b"\n".join(self.data[start:end] for start, end in zip(starts, ends, strict=True))


def _quotes_are_at_borders(letters: Letters, quotes: Numbers, separator: str) -> bool:
    """Check that all quotes enclose whole cells, or are doubled within such cells."""
    return len(quotes) % 2 == 0 and bool(
        _is_at_border(letters, quotes, separator, np.arange(len(quotes)) % 2 == 0).all()
    )


def _is_at_border(letters: Letters, quotes: Numbers, separator: str, opening: Flags) -> Flags:
    """Check of each quote that a border is before it if it opens a cell, and behind it if it closes one."""
    is_border = np.zeros(256, dtype=np.bool_)
    is_border[[ord(separator), BREAK, RETURN, QUOTE]] = True
    before = is_border[letters[quotes - 1]] | (quotes == 0)
    after = is_border[letters[np.minimum(quotes + 1, len(letters) - 1)]] | (quotes == len(letters) - 1)
    found: Flags = np.where(opening, before, after)
    return found


def _split(letters: Letters, quotes: Numbers, separator: str) -> tuple[Numbers, Numbers]:
    """Split quotes into those that may enclose cells, and those in cells that begin with another letter.

    The latter are looked for in lines whose quotes enclose no whole cells: a quoted cell may have a separator.
    """
    breaks = np.flatnonzero((letters == BREAK) | (letters == RETURN))
    line = np.searchsorted(breaks, quotes)
    count = np.bincount(line, minlength=len(breaks) + 1)
    opening = (np.arange(len(quotes)) - np.searchsorted(line, line)) % 2 == 0
    good = count % 2 == 0
    good[line[~_is_at_border(letters, quotes, separator, opening)]] = False
    borders = np.flatnonzero((letters == ord(separator)) | (letters == BREAK) | (letters == RETURN))
    begins = np.concatenate(([0], borders + 1))[np.searchsorted(borders, quotes)]
    enclosing = (letters[begins] == QUOTE) | good[line]
    return quotes[enclosing], quotes[~enclosing]


def _inside(places: Numbers, quotes: Numbers) -> Flags:
    """Find the places between a quote that opens a cell and the one that closes it."""
    inside: Flags = np.searchsorted(quotes, places) % 2 == 1
    return inside


def separator_of(source: Source, name: str) -> str:
    """Return the separator of cells: a tab in TSV; in CSV the more frequent of comma and semicolon in the first line, or if it has neither a tab, or bars without blanks."""
    if name == "tsv":
        return "\t"
    wide = source.data.startswith(WIDE)
    first = re.split(r"[\r\n]", text_of(source) if wide else source.data[: 2**16].decode("latin-1"), maxsplit=1)[0]
    comma, semicolon = first.count(","), first.count(";")
    return ";" if semicolon > comma else "|" if has_bars(first) else "," if comma or "\t" not in first else "\t"


def has_bars(line: str) -> bool:
    """Return whether bars are all that is between the cells of a row, without blanks, which Markdown has.

    Example:
        >>> has_bars("child|parent"), has_bars("| child | parent |"), has_bars("a,b|c")
        (True, False, False)
    """
    cells = line.strip("\r\n").split("|")
    return len(cells) > 1 and all(cell and cell == cell.strip() for cell in cells) and not OTHERS.search(line)


def names_columns(line: str, recognises: Callable[[Sequence[str]], bool]) -> bool:
    """Return whether a line has names of columns with bars between them; TOON has brackets, too."""
    return has_bars(line) and "{" not in line and recognises(line.strip("\r\n").split("|"))


def without_blanks(source: Source, name: str, separator: str = "") -> Source:
    """Drop the blanks of CSV between separators and quoted cells; a quote behind other letters is a letter."""
    if name != "csv" or b'"' not in source.data or b' "' not in source.data or source.data.startswith(WIDE):
        return source
    data = BLANKS[separator or separator_of(source, name)].sub(rb"\1", source.data)
    return source if data == source.data else replace(source, data=data)


def tsv_row(cells: Iterable[str]) -> str:
    """Write a row of TSV; a cell with a quote is put in quotes."""
    return "\t".join('"' + cell.replace('"', '""') + '"' if '"' in cell else cell for cell in cells)


def with_quotes(source: Source, name: str, separator: str = "") -> tuple[Source, bool, int]:
    """Return a source whose quotes are those of CSV, whether it has any, and how many of TSV are letters in doubt: all that enclose no cell are letters."""
    if name == "csv" or b'"' not in source.data:
        return without_blanks(source, name, separator), name == "csv", 0
    data = strip_byte_order_mark(source)
    letters = np.frombuffer(data, dtype=np.uint8)
    quotes, marks = np.flatnonzero(letters == QUOTE), np.flatnonzero(letters == TAB)
    if not np.isin(letters[quotes[quotes < len(letters) - 1] + 1], (TAB, BREAK, RETURN)).any() and letters[-1] != QUOTE:
        # No cell ends with a quote, so all are letters.
        return source, False, 0
    # A carriage return before a line feed ends no line of its own.
    ends = np.flatnonzero((letters == BREAK) | ((letters == RETURN) & (np.append(letters[1:], 0) != BREAK)))
    if _quotes_are_at_borders(letters, quotes, "\t"):
        inside = _inside(marks, quotes), _inside(ends, quotes)
        held = inside[0].any() or inside[1].any()
        outside = marks[~inside[0]], ends[~inside[1]]
        if not held or (_are_alike(*outside, len(data)) and not _are_alike(marks, ends, len(data))):
            return replace(source, data=data), True, 0
    parts, enclosing, doubtful = _enclose(data, marks, ends)
    return replace(source, data=b"".join(parts)) if enclosing else source, enclosing > 0, doubtful


def _are_alike(marks: Numbers, ends: Numbers, size: int) -> bool:
    """Return whether all rows have the separators of the first, as a program writes them."""
    ends = np.append(ends, size)
    widths = np.diff(np.searchsorted(marks, ends), prepend=0)
    # A line of at most a carriage return is blank, and no row.
    widths = widths[np.diff(ends, prepend=-1) - 1 > (widths == 0)]
    return not (widths != widths[:1]).any()


def _enclose(data: bytes, marks: Numbers, ends: Numbers) -> tuple[list[bytes], int, int]:
    """Put cells of TSV that begin with a quote which is a letter in quotes; also count those that are in quotes, and those in doubt."""
    widths = np.diff(np.searchsorted(marks, np.append(ends, len(data))), prepend=0)
    # Lines that are rows without quotes, since they have the separators of the first.
    first = next(iter(widths[np.diff(np.append(ends, len(data)), prepend=-1) > 1]), 0)
    rows, breaks = np.append(0, np.cumsum(widths == first)).tolist(), ends.tolist()
    parts, at, enclosing, doubtful, after = list[bytes](), 0, 0, 0, -1
    while found := CELLS.search(data, at):
        parts.append(data[at : found.start()])
        cell, at, is_cell = found[0], found.end(), found[1] is not None
        if is_cell and SEPARATED.search(cell):
            begin, last = bisect_left(breaks, found.start()), bisect_left(breaks, at)
            full, lines = rows[last + 1] - rows[begin], last + 1 - begin
            if after != begin and full > lines / 2 and full >= min(2, lines):
                cell, is_cell, doubtful = SEPARATED.split(cell, maxsplit=1)[0], False, doubtful + 1
                at = found.start() + len(cell)
            elif lines > 1:
                # What is behind a cell of several lines is no row.
                after = last
        enclosing += is_cell
        parts.append(cell if is_cell else b'"' + cell.replace(b'"', b'""') + b'"')
    return [*parts, data[at:]], enclosing, doubtful


def with_index(source: Source, separator: str, *, quoted: bool) -> Source:
    """Name a first column without a name that has no numbers, as an index of pandas; and give one to the names of rows that R writes, each in quotes, below names of columns without it."""
    data, sign = source.data.removeprefix(BOM_UTF8), separator.encode()
    nameless = next((begin for begin in (sign, b'""' + sign) if data.startswith(begin)), b"")
    if not (nameless or (quoted and data.startswith(b'"'))) or source.data.startswith(WIDE):
        return source
    some = replace(source, data=data if len(data) <= BEGINNING else data[: data.rfind(b"\n", 0, BEGINNING) + 1])
    rows, lines = list[Row](), some.data.splitlines()
    with suppress(InputError):
        found = _rows(some, separator, BadRecords(on_error="skip"), quoted=quoted, width=COLUMNS.value)
        rows = list(itertools.islice(found, 1 + LOOKED_AT))
    below = rows[1:]
    if not below or not (nameless or all(_is_called(row, lines, len(rows[0].cells)) for row in below)):
        return source
    names = [row.cells[0].strip() for row in below]
    called = "" if "" in names or all(map(OF_NUMBER.fullmatch, names)) else INDEX
    return replace(source, data=called.encode() + sign + data.removeprefix(nameless))


def _is_called(row: Row, lines: Sequence[bytes], width: int) -> bool:
    """Return whether a row has one cell more than the first, and begins with one in quotes."""
    return len(row.cells) == width + 1 and lines[row.line - 1].startswith(b'"')


def rows_of(
    source: Source,
    name: str,
    bad: BadRecords,
    *,
    before: int = 0,
    width: int = 0,
    separator: str = "",
    named: bool = True,
) -> Iterator[Row]:
    """Read the rows of CSV or TSV one by one, of which the first may have the names of columns; the separator of CSV is found, if none is given."""
    source, separator, quoted, _ = _opened(source, name, separator, named=named)
    return _rows(source, separator, bad, quoted=quoted, before=before, width=width)


def _opened(source: Source, name: str, separator: str, *, named: bool) -> tuple[Source, str, bool, int]:
    """Return a source as CSV has it, its separator, whether it has quotes, and how many of TSV are in doubt."""
    source, quoted, doubtful = with_quotes(source, name, separator)
    separator = separator or separator_of(source, name)
    return with_index(source, separator, quoted=quoted) if named else source, separator, quoted, doubtful


def _rows(
    source: Source, separator: str, bad: BadRecords, *, quoted: bool, before: int = 0, width: int = 0
) -> Iterator[Row]:
    """Read rows one by one."""
    lines = _Lines(text_of(check_lines(source, before=before)))
    place, some = 0, False
    for begin, end, cells in _parse_rows(lines, separator, quoted=quoted):
        line = before + begin + 1
        if isinstance(cells, csv.Error):
            error = _broken_row_error(lines[begin], cells, line)
            if not some:
                # The first row has the names of the columns.
                raise error
            bad.add(error)
        # Without text in its first cell it may be no row: its quotes decide.
        elif not (cells and cells[0].strip()) and not lines[begin].strip(WHITE + separator):
            place += some and separator in lines[begin]
            continue
        else:
            if not some:
                COLUMNS.check(len(cells), "The table is too wide.", line=line)
                width, some = max(width, len(cells)), True
            if any(cells[width:]):
                bad.add(too_wide_error(cells, width, source.path, line, before + end))
            else:
                yield Row(line, cells if len(cells) <= width else cells[:width], place)
        place += 1


def usual_width(source: Source, name: str) -> int:
    """Return how many cells most of the first rows of CSV or TSV have: the first row may lack some."""
    rows = rows_of(source, name, BadRecords(on_error="skip"), width=COLUMNS.value)
    widths = Counter(
        max((at for at, cell in enumerate(row.cells, start=1) if cell), default=0)
        for row in itertools.islice(rows, LOOKED_AT)
    )
    return max(widths, key=lambda width: (widths[width], width), default=0)


def _beginning_of(source: Source) -> Source | None:
    """Return the first lines of a long file, so that not all of it is decoded; None for any other."""
    end = source.data.rfind(b"\n", 0, BEGINNING) + 1
    if source.size <= BEGINNING or source.data.startswith(WIDE) or not end:
        return None
    return replace(source, data=source.data[:end], size=end)


def _read_first_of_many(source: Source, read: Callable[[Source], Iterator[Row]]) -> Row | None:
    """Read the first row of a long file without decoding all of it; None where its beginning does not hold two whole rows."""
    some = _beginning_of(source)
    if some is None:
        return None
    with suppress(InputError):
        rows = read(some)
        first = next(rows, None)
        return first if next(rows, None) else None
    return None


class _Lines:
    """The lines of a text with what ends them; all are split only when one is asked for that was not just read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.last, self.place = "", -1

    @cached_property
    def split(self) -> list[str]:
        """All lines."""
        return list(io.StringIO(self.text, newline=""))

    def __getitem__(self, number: int) -> str:
        return self.last if number == self.place else self.split[number]

    def after(self, number: int) -> Iterator[str]:
        """Return the lines from one on."""
        # Nothing is passed over on the way to the first of them, since broken rows ask again and again.
        rest = map(self.split.__getitem__, range(number, len(self.split))) if number else None
        lines = rest or io.StringIO(self.text, newline="")
        for self.place, self.last in enumerate(lines, start=number):
            yield self.last


def _parse_rows(lines: _Lines, separator: str, *, quoted: bool) -> Iterator[tuple[int, int, list[str] | csv.Error]]:
    """Return the first line of each row, from 0, the line after it, and its cells; or the error in its quotes.

    Reading goes on at the line after the first line of a broken row. No row from there on can extend past the place of the error,
    since each has balanced quotes: every line is read twice at most.
    """
    csv.field_size_limit(2**31 - 1)
    begin, broken = 0, True
    while broken:
        start, broken = begin, False
        reader = csv.reader(lines.after(start), delimiter=separator, strict=True, quoting=QUOTING[quoted])
        try:
            for cells in reader:
                end = start + reader.line_num
                yield begin, end, cells
                begin = end
        except csv.Error as error:
            broken = True
            yield begin, begin + 1, error
            begin += 1


def _broken_row_error(line: str, error: csv.Error, number: int) -> RecordError:
    open_to_the_end = "unexpected end" in str(error)
    return RecordError(
        "Unbalanced quotes in this row.",
        line=number,
        found=repr(line.rstrip("\r\n")[:SHOWN]),
        expected='a closing quote (")'
        if open_to_the_end
        else "a separator or the end of the line after a closing quote",
        hint='double the quotes inside a quoted cell: "the ""animal"""',
    )


def too_wide_error(
    row: Sequence[object], width: int, path: str, begin: int | None, end: int | None = None
) -> RecordError:
    """Return the error of a row with more cells than the first, which is on some lines if these are known.

    Example:
        >>> print(too_wide_error(["a", "b"], 1, "a.csv", 2))
        2: The row has 2 cells where the first has 1.
          found:    'a', 'b'
          expected: at most 1 cell
          try:      put a cell that holds a separator in double quotes
    """
    several = begin is not None and end is not None and end > begin
    over = f" on lines {begin} to {end}, of which the first opens a quote" if several else ""
    return RecordError(
        f"The row has {len(row)} cells where the first has {width}.",
        line=begin,
        found=f"{', '.join(map(repr, row))[:SHOWN]}{over}",
        expected=f"at most {width} cell{'s' if width != 1 else ''}",
        hint="close the quote"
        if several
        else QUOTES_NEEDED
        if path.lower().endswith(TABULAR)
        else f"{QUOTES_NEEDED}; {BAR_NEEDED}",
    )
