"""Tables of text that fit a width: names are shortened and columns are wrapped, but no number is cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

MARK = "*"
"""What stands behind a value that differs from the one that it was tested against."""
BETWEEN = 3
"""Blanks between two columns."""
SHORTEST = 12
"""A name is not shortened to less."""
PIPED, LONG = 80, 40
"""Without a terminal, names longer than `LONG` are shortened where a table is wider than `PIPED`; a row stays one line."""
CUT = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One value as it is displayed.

    Attributes:
        text: The value, and its interval in brackets; empty if the score has no such value.
        best: Whether no other prediction is better; false if none is worse.
    """

    text: str = ""
    best: bool = False
    differs: bool = False


class TextTable(NamedTuple):
    """A table as text.

    Attributes:
        names: How many columns on the left name a row; they are repeated where columns are wrapped.
    """

    title: str
    head: list[str]
    rows: list[list[Cell]]
    names: int

    @property
    def widths(self) -> list[int]:
        """The width of each column."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.head)
        return [max(map(_width, [head, *map(shown, cells)])) for head, cells in zip(self.head, columns, strict=True)]

    @property
    def width(self) -> int:
        """The width of the table."""
        return sum(self.widths) + BETWEEN * (len(self.head) - 1)


def shown(cell: Cell) -> str:
    """Return the text of a cell with its mark, which stands behind the value."""
    if not cell.differs:
        return cell.text
    value, line, interval = cell.text.partition("\n")
    return f"{value}{MARK}{line}{interval}"


def fitted(table: TextTable, width: int | None) -> Iterator[TextTable]:
    """Make a table fit: shorten the names of rows, set intervals below values, or do both; if that is too wide, wrap columns.

    Example:
        >>> row = [Cell(text="a.ttl"), Cell(text="0.5000 [0.4000, 0.6000]"), Cell(text="0.2500 [0.1000, 0.4000]")]
        >>> table = TextTable("", ["prediction", "precision", "recall"], [row], 1)
        >>> [len(part.head) for part in fitted(table, 100)], [part.width for part in fitted(table, 50)]
        ([3], [48])
        >>> [part.head for part in fitted(table, 30)]
        [['prediction', 'precision'], ['prediction', 'recall']]
    """
    if width is None or table.width <= width:
        yield table
        return
    lower = _with_intervals_below(table)
    tried = (_with_short_names(table, width), lower, _with_short_names(lower, width))
    fits = next((one for one in tried if one.width <= width), None)
    if fits:
        yield fits
        return
    lower = _with_short_names(lower, lower.width - max(lower.widths[0] - width // 3, 0))
    for columns in _wrapped(lower, width):
        yield lower._replace(
            head=[lower.head[column] for column in columns],
            rows=[[row[column] for column in columns] for row in lower.rows],
        )


def piped(table: TextTable) -> TextTable:
    """Shorten names that are long, so that a table fits a file of 80 columns where numbers allow; each row stays one line."""
    shorter = _with_short_names(table, PIPED, least=LONG // 2).rows
    kept = [row if len(row[0].text) <= LONG else other for row, other in zip(table.rows, shorter, strict=True)]
    return table._replace(rows=kept)


def _with_intervals_below(table: TextTable) -> TextTable:
    rows = [[replace(cell, text=cell.text.replace(" [", "\n[")) for cell in row] for row in table.rows]
    return table._replace(rows=rows)


def _with_short_names(table: TextTable, width: int, least: int = SHORTEST) -> TextTable:
    """Shorten the names of rows, so that the table is as wide as it may be, if that is possible."""
    if not table.names or not table.rows:
        return table
    most = max(table.widths[0] - max(table.width - width, 0), least)
    names = shortened([row[0].text for row in table.rows], most)
    rows = [[replace(row[0], text=name), *row[1:]] for name, row in zip(names, table.rows, strict=True)]
    return table._replace(rows=rows)


def shortened(names: Sequence[str], most: int) -> list[str]:
    """Shorten names, but not so far that two of them become the same.

    Example:
        >>> shortened(["runs/2026-11-20/system-a.ttl", "b.ttl"], 16)
        ['…/system-a.ttl', 'b.ttl']
        >>> shortened(["a-very-long-name-of-a-run.ttl", "b-very-long-name-of-a-run.ttl"], 14)
        ['a-very…run.ttl', 'b-very…run.ttl']
    """
    for cut in (_tail, _middle):
        short = [name if len(name) <= most else cut(name, most) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    return list(names)


def _tail(name: str, most: int) -> str:
    """Keep the end of a path, from the beginning of a folder or a file on."""
    parts = name.split("/")
    for first in range(1, len(parts)):
        if len(kept := f"{CUT}/{'/'.join(parts[first:])}") <= most:
            return kept
    return _middle(name, most)


def _middle(name: str, most: int) -> str:
    return f"{name[: most // 2 - 1]}{CUT}{name[-(most - most // 2) :]}"


def _wrapped(table: TextTable, width: int) -> Iterator[list[int]]:
    """Divide the columns among tables; each has those that name a row, and one other at least."""
    widths, names = table.widths, list(range(table.names))
    taken, now = sum(widths[: table.names]) + BETWEEN * max(table.names - 1, 0), list(names)
    total = taken
    for column in range(table.names, len(widths)):
        needed = widths[column] + (BETWEEN if now else 0)
        if total + needed > width and len(now) > len(names):
            yield now
            total, now = taken, list(names)
        now.append(column)
        total += needed
    yield now


def _width(text: str) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, text.split("\n")))
