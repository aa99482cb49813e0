r"""Markdown tables, as gold standards are published in: one page, several tables, a bold property for an object property."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from goldassay.axioms.spelling import SUBCLASS_WORDS
from goldassay.core.errors import InputError
from goldassay.formats.source import Source, text_of

RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
BORDER = re.compile(r"(?<!\\)\|")
BOLD = re.compile(r"(\*\*|__)(.+?)\1")
FORMULA = re.compile(r"\$[^$]*\$")

Cells: TypeAlias = tuple[int, dict[str, str]]
"""The line of a record, and its texts by role."""


@dataclass
class MarkdownTable:
    """One table of a page.

    Attributes:
        heading: The last heading before it.
        line: 1-based line of its header.
        header: The cells of its header.
        rows: Line and cells of each row.
    """

    heading: str
    line: int
    header: list[str]
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


def markdown_tables(source: Source) -> list[MarkdownTable]:
    r"""Find the tables of a Markdown page.

    Example:
        >>> page = b"# Gold\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        >>> [table] = markdown_tables(Source(path="a.md", name="a.md", data=page, size=len(page)))
        >>> table.heading, table.header, table.rows
        ('Gold', ['a', 'b'], [(5, ['1', '2'])])
    """
    lines = text_of(source).splitlines()
    tables: list[MarkdownTable] = []
    heading, inside = "", False
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            heading = line.strip("# \t")
        if inside and "|" in line:
            tables[-1].rows.append((number, _cells(line)))
        elif "|" in line and number < len(lines) and "|" in lines[number] and RULE.fullmatch(lines[number]):
            tables.append(MarkdownTable(heading, number, _cells(line)))
            inside = True
        else:
            inside = False
    for table in tables:
        del table.rows[0]
    return tables


def markdown_cells(
    source: Source, needed: set[str], role: Callable[[str], str | None], number: int | None
) -> Iterator[Cells]:
    """Read the rows of one table of a page.

    Args:
        source: The page.
        needed: The columns that make a table the wanted one.
        role: Says what a column is by its header.
        number: Which of the wanted tables, from 1; None for the only one.

    Yields:
        Line and texts of each row. Without a column for the kind, a bold property is an object property.

    Raises:
        InputError: If there is no such table, or several and none is chosen.
    """
    table = _chosen(source, needed, role, number)
    roles = [role(FORMULA.sub("", cell)) for cell in table.header]
    for line, row in table.rows:
        cells = {name: cell for name, cell in zip(roles, row, strict=False) if name}
        if "property" in roles and "kind" not in roles:
            cells["kind"] = _kind(cells.get("property", ""))
        yield line, {name: _plain(cell) for name, cell in cells.items()}


def _chosen(source: Source, needed: set[str], role: Callable[[str], str | None], number: int | None) -> MarkdownTable:
    tables = [
        table for table in markdown_tables(source) if needed <= {role(FORMULA.sub("", cell)) for cell in table.header}
    ]
    listed = "; ".join(f"#{place} line {table.line} ({table.heading})" for place, table in enumerate(tables, start=1))
    if not tables:
        raise InputError(
            "The page holds no such table.",
            path=source.path,
            expected=f"a table with the columns {', '.join(sorted(needed))}",
        )
    if number is None and len(tables) > 1:
        raise InputError(
            f"The page holds {len(tables)} such tables.",
            path=source.path,
            found=listed,
            hint=f"say which, for example {source.path}#1",
        )
    if number is not None and not 0 < number <= len(tables):
        raise InputError(f"The page has no such table #{number}.", path=source.path, found=listed)
    return tables[(number or 1) - 1]


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in BORDER.split(line.strip().removeprefix("|").removesuffix("|"))]


def _kind(cell: str) -> str:
    if _plain(cell).lower() in SUBCLASS_WORDS:
        return "subclass"
    return "object" if BOLD.fullmatch(cell) else "datatype"


def _plain(cell: str) -> str:
    text = BOLD.sub(r"\2", cell).replace("`", "").strip()
    return re.sub(r"\\([_*])", r"\1", text)
