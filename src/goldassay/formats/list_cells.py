"""Lists of names in the cells of tables: in brackets, as JSON or Python writes them, and between marks where the column says so."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace

from goldassay.core.libraries import pl
from goldassay.core.text import singular
from goldassay.formats.column_names import bare
from goldassay.formats.literals import names_in_cell
from goldassay.formats.rows import OBJECTS, name_cell
from goldassay.formats.source import Source
from goldassay.formats.tables import Table

COMMAS = 2
"""One of so many cells has a comma where they may be lists."""
BEGINS = ("[", "<", "('", '("', "{'", '{"')
"""What a cell has that is a list, in any column."""
SEVERAL = (*BEGINS, ";", "|", "\n")
"""The same in a column whose name is a plural."""
OF_FILES = [mark.replace("\n", '"').encode() for mark in SEVERAL]
"""What a file has in which there is a list in a cell: one with a line break is in quotes."""
IN_JSON = [json.dumps(mark)[1:-1].encode() for mark in SEVERAL]


def may_hold_lists(source: Source, name: str) -> bool:
    """Return whether a file has a mark of lists at all: to look at each cell takes longer."""
    data, marks = source.data, IN_JSON if name in OBJECTS else OF_FILES
    # One byte is found in a tenth of the time of two.
    return name == "parquet" or any(mark[:1] in data and mark in data for mark in marks)


def is_plural(name: str) -> bool:
    """Return whether the name of a column is a plural."""
    return singular(bare(name)) != bare(name)


def write_lists(table: Table, roles: Collection[str]) -> tuple[Table, Collection[str]]:
    """Write the lists in columns of texts as JSON, and names next to them as `name_cell` does; return also which columns these are."""
    columns = {}
    for role in roles:
        column = table.frame[role] if role in table.frame.columns else None
        if column is None or column.dtype != pl.String:
            continue
        plural = is_plural(table.called.get(role, role))
        if column.str.contains_any(list(SEVERAL if plural else BEGINS)).any():
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
