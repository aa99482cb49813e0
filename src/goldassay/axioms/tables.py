"""Tables of axioms, in whatever they are written: columns of text, and where each record stands in the file."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from goldassay.axioms.markdown import Cells, markdown_cells
from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, first_row, read_columns
from goldassay.formats.records import BadRecords
from goldassay.formats.source import text_of
from goldassay.formats.tables import separator_of

if TYPE_CHECKING:
    from polars import DataFrame

AXIOM_COLUMNS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "class": frozenset({"class", "classidentifier", "classes", "subject", "domain"}),
        "property": frozenset({"property", "predicate", "relation", "relationship"}),
        "object": frozenset({"object", "range", "target", "filler"}),
        "kind": frozenset({"kind", "type", "propertytype", "axiomtype"}),
    }
)
"""What columns are called, letters alone, and what they are."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Some columns of a table.

    Attributes:
        frame: String columns by role, without nulls, one row a good record.
        locate: Says on which line a row stands, from 1; None where there are no lines.
        notes: What a person should know about how the table was understood.
    """

    frame: DataFrame
    locate: Callable[[int], int | None]
    notes: tuple[str, ...] = ()


def read_axiom_table(source: Source, name: str, bad: BadRecords, *, number: int | None = None) -> Columns:
    r"""Read the columns class, property, object and, where there is one, kind.

    Args:
        source: The file.
        name: Its format.
        bad: Receives the records that cannot be read.
        number: Which of the tables of a Markdown page, from 1; None for the only one.

    Returns:
        The columns.

    Raises:
        InputError: If the file is no such table; a :class:`~goldassay.core.errors.RecordError` for one bad record.

    Example:
        >>> source = Source(path="a.csv", name="a.csv", data=b"class,property,object\nBrand,name,xsd:string\n", size=44)
        >>> read_axiom_table(source, "csv", BadRecords()).frame.rows()
        [('Brand', 'name', 'xsd:string')]
    """
    return read_table(source, name, bad, AXIOM_COLUMNS, number=number)


def read_table(
    source: Source,
    name: str,
    bad: BadRecords,
    roles: Mapping[str, frozenset[str]],
    *,
    number: int | None = None,
    blank: frozenset[str] = frozenset(),
) -> Columns:
    """Read the columns of a table by their headers, or, where there is no header, by their order.

    Args:
        source: The file.
        name: Its format.
        bad: Receives the records that cannot be read.
        roles: The wanted columns and what each may be called; ``kind`` alone may be absent.
        number: Which of the tables of a Markdown page, from 1; None for the only one.
        blank: Columns whose cells may be empty in Markdown and JSON Lines.

    Returns:
        The columns.

    Raises:
        InputError: If the file is no such table; a :class:`~goldassay.core.errors.RecordError` for one bad record.
    """
    blank |= {"kind"}
    if name == "json-lines":
        return _of_cells(_json_cells(source, roles, bad), roles, source.path, bad, blank)
    if name == "markdown":
        cells = markdown_cells(source, set(roles) - {"kind"}, lambda cell: _role(cell, roles), number)
        return _of_cells(cells, roles, source.path, bad, blank)
    row = first_row(source, name)
    by_name = _places(row, roles)
    places = by_name or _places_by_order(row, roles, source.path)
    frame = read_columns(source, name, places, width=len(row), header=bool(by_name), bad=bad)

    def locate(number: int) -> int | None:
        return None if name == "parquet" else _find(source, name, places, frame.row(number, named=True))

    return Columns(frame=frame, locate=locate, notes=() if by_name else _note_on_order(row))


def _find(source: Source, name: str, places: Mapping[str, int], wanted: Mapping[str, str]) -> int | None:
    """Find the line of a record by its cells: only asked for when something is wrong with one."""
    rows = csv.reader(
        text_of(source).splitlines(keepends=True),
        delimiter=separator_of(source, name),
        quoting=csv.QUOTE_MINIMAL if name == "csv" else csv.QUOTE_NONE,
    )
    before = 0
    for row in rows:
        if len(row) > max(places.values()) and all(row[place].strip() == wanted[key] for key, place in places.items()):
            return before + 1
        before = rows.line_num
    return None


def _role(cell: str, roles: Mapping[str, frozenset[str]]) -> str | None:
    word = re.sub(r"[^a-z]", "", cell.lower())
    return next((role for role, known in roles.items() if word in known), None)


def _places(row: Sequence[str], roles: Mapping[str, frozenset[str]]) -> dict[str, int] | None:
    places: dict[str, int] = {}
    for place, cell in enumerate(row):
        role = _role(cell, roles)
        if role:
            places.setdefault(role, place)
    return {role: places[role] for role in roles if role in places} if set(roles) - {"kind"} <= set(places) else None


def _places_by_order(row: Sequence[str], roles: Mapping[str, frozenset[str]], path: str) -> dict[str, int]:
    needed = [role for role in roles if role != "kind"]
    if len(row) in (len(needed), len(roles)):
        return dict(zip(roles, range(len(row)), strict=False))
    raise InputError(
        f"The table has {len(row)} column{'s' if len(row) > 1 else ''}, and no header says which are {', '.join(needed)}.",
        path=path,
        line=1,
        found=repr(list(row))[:200],
        expected=f"the columns {', '.join(roles)}",
        hint=f"name the columns in the first row: {','.join(roles)}",
    )


def _note_on_order(row: Sequence[str]) -> tuple[str, ...]:
    return (f"no header was recognised: columns are read by their order, the first row as {' '.join(row)!r}",)


def _of_cells(
    cells: Iterator[Cells], roles: Mapping[str, Any], path: str, bad: BadRecords, blank: frozenset[str]
) -> Columns:
    """Lay records out in columns; a record without one of its cells is bad."""
    import polars as pl

    good: list[dict[str, str]] = []
    lines: list[int] = []
    for line, record in cells:
        empty = [role for role in roles if role not in blank and not record.get(role)]
        if empty:
            bad.add(_missing(empty[0], record, path, line))
            continue
        good.append(record)
        lines.append(line)
    named = [role for role in roles if role != "kind" or any("kind" in record for record in good)]
    frame = pl.DataFrame(
        {role: [record.get(role, "") for record in good] for role in named}, schema=dict.fromkeys(named, pl.String)
    )
    return Columns(frame=frame, locate=lines.__getitem__)


def _missing(role: str, record: Mapping[str, str], path: str, line: int) -> RecordError:
    return RecordError(
        f"The {role} is missing.", path=path, line=line, found=repr(dict(record))[:200], expected=f"text for {role!r}"
    )


def _json_cells(source: Source, roles: Mapping[str, frozenset[str]], bad: BadRecords) -> Iterator[Cells]:
    """Read one JSON object a line."""
    for line, text in enumerate(text_of(source).splitlines(), start=1):
        if not text.strip():
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            bad.add(RecordError("The line is no JSON.", path=source.path, line=line, found=str(error)))
            continue
        if not isinstance(record, dict):
            bad.add(
                RecordError(
                    "The line is no JSON object.",
                    path=source.path,
                    line=line,
                    found=text.strip()[:80],
                    expected='{"class": ..., "property": ..., "object": ...}',
                )
            )
            continue
        yield line, _texts(record, roles)


def _texts(record: Mapping[str, Any], roles: Mapping[str, frozenset[str]]) -> dict[str, str]:
    named = ((_role(key, roles), value) for key, value in record.items())
    return {role: str(value).strip() for role, value in named if role and isinstance(value, str | int | float)}
