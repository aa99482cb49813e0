"""Lists of names in the cells of tables: in brackets, as JSON or Python writes them, and between marks where the column says so."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from goldassay.core.libraries import pl
from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular
from goldassay.formats.column_names import bare
from goldassay.formats.literals import parse_if_literal
from goldassay.formats.rows import name_cell
from goldassay.formats.tables import Table

BREAK = pattern_of(r"<br\s{0,9}/?>", re.IGNORECASE)
BEGINS = ("[", "<", "('", '("', "{'", '{"')
"""What a cell has that is a list, in any column."""
SEVERAL = (";", "|")
"""What is between names in a column whose name is a plural."""
COMMAS = 2
"""One of so many cells has a comma where they may be lists."""
QUOTED = pattern_of(r"""'([^'\\]*)'|"([^"\\]*)\"""")
OF_QUOTED = pattern_of(rf"""[\[({{]\s*(?:{QUOTED.pattern})(?:\s*,?\s*(?:{QUOTED.pattern}))*\s*,?\s*[\])}}]""")
"""A list, a tuple or a set of Python, or an array of NumPy, which has no commas."""
ITEM = pattern_of(r"(?:[-*•]|\d{1,3}[.)])[ \t]+(?=\S)")
"""What is before each item of a list in a cell of Markdown."""
BETWEEN = pattern_of("|".join(map(re.escape, SEVERAL)))
OF_FILES = [mark.encode() for mark in (*BEGINS, *SEVERAL)]
"""What a file has in which there is a list in a cell."""
IN_JSON = tuple(mark.replace(b'"', rb"\"") for mark in OF_FILES)
"""The same in JSON, where quotes in a text are escaped."""


def may_hold_lists(data: bytes, *, is_json: bool = False) -> bool:
    """Return whether a file has a mark of lists at all: to look at each cell takes longer."""
    # One byte is found in a tenth of the time of two.
    return any(mark[:1] in data and mark in data for mark in (IN_JSON if is_json else OF_FILES))


def is_plural(name: str) -> bool:
    """Return whether the name of a column is a plural."""
    return singular(bare(name)) != bare(name)


def names_in_cell(cell: str, *, plural: bool) -> list[str] | None:
    """List the names in a cell; None if it is no list. A list of numbers is a name: what marks a list in a text are quotes."""
    text = cell.strip()
    if text[:1] in "[({" and OF_QUOTED.fullmatch(text):
        return [one or other for one, other in QUOTED.findall(text)]
    if text.startswith("[") and text.endswith("]"):
        found = parse_if_literal(text)
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return list(found)
    parts = BREAK.split(text) if "<" in text else [text]
    if plural:
        parts = [name for part in parts for name in BETWEEN.split(part)]
    names = [name for name in map(str.strip, parts) if name]
    if len(parts) > 1 and all(map(ITEM.match, names)):
        names = [ITEM.sub("", name) for name in names]
    return names if len(parts) > 1 else None


def write_lists(table: Table, roles: Collection[str]) -> tuple[Table, Collection[str]]:
    """Write the lists in columns of texts as JSON, and names next to them as `name_cell` does; return also which columns these are."""
    columns = {}
    for role in roles:
        column = table.frame[role] if role in table.frame.columns else None
        if column is None or column.dtype != pl.String:
            continue
        plural = is_plural(table.called.get(role, role))
        marks = (*BEGINS, *SEVERAL) if plural else BEGINS
        if column.str.contains_any(list(marks)).any():
            columns[role] = _write(column.unique().to_list(), plural=plural)
    columns = {role: (written, some) for role, (written, some) in columns.items() if some}
    if not columns:
        return table, ()
    frame = table.frame.with_columns(
        pl.col(role).replace_strict(written, default=pl.col(role)).alias(role) for role, (written, _) in columns.items()
    )
    return replace(table, frame=frame), columns.keys()


def warn_of_commas(table: Table, roles: Collection[str]) -> Table:
    """Warn of columns that are called by a plural and have commas in most cells: they may be between names."""
    found = []
    for role in roles:
        name = table.called.get(role, role)
        column = table.frame[role] if is_plural(name) and role in table.frame.columns else None
        if column is None or column.dtype != pl.String:
            continue
        some, every = int(column.str.contains(", ", literal=True).sum()), column.count()
        if some and COMMAS * some >= every:
            found.append(
                f"{some:,} of {every:,} cells of {name!r} have commas, and each is one name; if they are lists, write ';' between names"
            )
    return replace(table, warnings=(*table.warnings, *found)) if found else table


def _write(cells: Collection[str | None], *, plural: bool) -> tuple[Mapping[str, str], bool]:
    """Write each cell, and say whether one is a list."""
    lists = {cell: names_in_cell(cell, plural=plural) for cell in cells if cell is not None}
    written = {
        cell: name_cell(cell) if names is None else json.dumps(names, ensure_ascii=False)
        for cell, names in lists.items()
    }
    return written, any(names is not None for names in lists.values())
