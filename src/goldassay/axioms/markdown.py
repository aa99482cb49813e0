r"""Markdown tables, as used for published gold standards: several tables per page, bold object properties."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath

from goldassay.axioms.spelling import SUBCLASS_WORDS
from goldassay.core.errors import GoldassayError, InputError, RecordError
from goldassay.core.patterns import pattern_of
from goldassay.formats.choose_columns import Chooser, Roles
from goldassay.formats.edge_tables import spread_lists
from goldassay.formats.list_cells import may_hold_lists
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import read_table
from goldassay.formats.source import Source, text_of
from goldassay.formats.tables import Table

RULE = pattern_of(r":?-+:?")
BORDER = pattern_of(r"(?<!\\)\|")
# Bold text contains no mark of its own kind, so that a text of 100,000 stars takes linear time.
BOLD = pattern_of(r"\*\*((?:[^*]|\*(?!\*))+)\*\*|__((?:[^_]|_(?!_))+)__")
FORMULA = pattern_of(r"\$[^$]*\$")
SHOWN = 120


@dataclass
class MarkdownTable:
    """One table of a page: the last heading before it, the line of its header, and line and cells of each row."""

    heading: str
    line: int
    header: list[str]
    rows: list[tuple[int, list[str]]] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The cells of the header without the formulas after names."""
        return [FORMULA.sub("", cell) for cell in self.header]


def find_tables(source: Source) -> list[MarkdownTable]:
    """Find the tables of a Markdown page."""
    lines = re.split(r"\r\n|\n|\r", text_of(source))
    tables: list[MarkdownTable] = []
    heading, inside = "", False
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            heading = line.strip("# \t")
        if inside and "|" in line:
            tables[-1].rows.append((number, _cells(line)))
        elif "|" in line and number < len(lines) and _is_rule(lines[number]):
            tables.append(MarkdownTable(heading, number, _cells(line)))
            inside = True
        else:
            inside = False
    for table in tables:
        del table.rows[0]
    return tables


def read_markdown(source: Source, roles: Roles, choose: Chooser, number: int | None, bad: BadRecords) -> Table:
    """Read one table of a page. Without a column for the kind, a bold property is an object property."""
    table = _choose_table(source, roles, choose, number)
    choice = choose(table.names, always=True)
    places = choice.places
    rows = []
    for place, (line, row) in enumerate(table.rows):
        if len(row) <= len(table.header):
            rows.append((line, row + [""] * (len(table.header) - len(row)), place))
        else:
            bad.add(
                RecordError(
                    f"The row has {len(row)} cells where the header has {len(table.header)}.",
                    line=line,
                    found=" | ".join(row)[:SHOWN],
                    expected=f"at most {len(table.header)} cells",
                    hint=r"write a bar inside a cell as \|",
                )
            )
    columns = {role: [_strip_markup(row[place]) for _, row, _ in rows] for role, place in places.items()}
    if "property" in places and "kind" not in places:
        columns["kind"] = [_kind(row[places["property"]]) for _, row, _ in rows]
    return Table.of(
        source.path,
        columns,
        rows=[place for *_, place in rows],
        line_of={place: line for line, _, place in rows}.__getitem__,
        warnings=choice.warnings,
        called=choice.called,
    )


def _choose_table(source: Source, roles: Roles, choose: Chooser, number: int | None) -> MarkdownTable:
    def fits(table: MarkdownTable) -> bool:
        try:
            return choose(table.names, always=True).named
        except GoldassayError:
            return False

    tables = [table for table in find_tables(source) if fits(table)]
    listed = "; ".join(f"#{place} line {table.line} ({table.heading})" for place, table in enumerate(tables, start=1))
    if not tables:
        raise InputError(
            "The page contains no such table.",
            found=_headers(find_tables(source)),
            expected=f"a table with the columns {', '.join(group[0] for group in roles.needed)}",
            hint="a table is a line of names, a line such as |---|---|, and rows",
        )
    if number is None and len(tables) > 1:
        raise InputError(
            f"The page contains {len(tables)} such tables.",
            found=listed,
            expected="one table, or the number of one",
            hint=f"choose one, for example {source.path}#1",
        )
    if number is not None and not 0 < number <= len(tables):
        raise InputError(
            f"The page has no such table #{number}.",
            found=listed,
            expected=f"a number from 1 to {len(tables)}",
            hint=f"for example {source.path}#1",
        )
    return tables[(number or 1) - 1]


def _is_rule(line: str) -> bool:
    """Return whether a line separates the header from the rows of a table."""
    return "|" in line and all(RULE.fullmatch(cell) for cell in _cells(line))


def _headers(tables: Sequence[MarkdownTable]) -> str:
    return "; ".join(f"line {table.line}: {' | '.join(table.header)}" for table in tables)[:SHOWN] or "no table"


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in BORDER.split(line.strip().removeprefix("|").removesuffix("|"))]


def _kind(cell: str) -> str:
    if _strip_markup(cell).lower() in SUBCLASS_WORDS:
        return "subclass"
    return "object" if BOLD.fullmatch(cell) else "datatype"


def _strip_markup(cell: str) -> str:
    text = BOLD.sub(lambda bold: bold[1] or bold[2], cell).replace("`", "").strip()
    return re.sub(r"\\([_*])", r"\1", text)


def read_columns(
    source: Source, name: str, bad: BadRecords, roles: Roles, *, choose: Chooser, number: int | None
) -> Table:
    """Read the columns of a table in any format; of a page with several tables, that of a number."""
    if name == "markdown":
        return read_markdown(source, roles, choose, number, bad)
    table = read_table(source, name, choose, bad, lists=("object",), names=("object",))
    return spread_lists(table, ["object"], bad, may_list=may_hold_lists(source, name))


PAGE = pattern_of(r"(.+\.(?:md|markdown)(?:\.gz)?)#(\d+)", re.IGNORECASE)


def split_page(path: str | PathLike[str]) -> tuple[str | PathLike[str], int | None]:
    """Split ``page.md#2`` into the page and the number of the table."""
    page = PAGE.fullmatch(fspath(path))
    return (page[1], int(page[2])) if page else (path, None)
