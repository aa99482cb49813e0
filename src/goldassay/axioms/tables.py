"""Tables of axioms and of declared matches in any format: columns of text, and the line of each record."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from goldassay.axioms.markdown import read_markdown
from goldassay.formats import Source
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import Choice, Table, by_order, no_columns, places_of
from goldassay.formats.rows import read_table as read_rows

AXIOM_COLUMNS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "class": frozenset({"class", "classidentifier", "classes", "subject", "domain"}),
        "property": frozenset({"property", "predicate", "relation", "relationship"}),
        "object": frozenset({"object", "range", "target", "filler"}),
        "kind": frozenset({"kind", "type", "propertytype", "axiomtype"}),
    }
)
"""Known column names, reduced to letters, and their roles."""
KIND = "kind"
"""The only optional column."""


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim Markdown pages, and tables with a class, a property and an object; subject and predicate are for graphs.

    Example:
        >>> claims("csv", ["class", "property", "object"]), claims("csv", ["subject", "predicate", "object"])
        (True, False)
    """
    named = places_of(columns, AXIOM_COLUMNS).keys() >= {"class", "property", "object"}
    return name == "markdown" or (named and "subject" not in {column.strip().lower() for column in columns})


def read_table(
    source: Source,
    name: str,
    bad: BadRecords,
    roles: Mapping[str, Collection[str]],
    *,
    number: int | None = None,
    blank: Collection[str] = (),
) -> Table:
    r"""Read the columns of a table by their headers, or, where there is no header, by their order.

    Args:
        source: The file.
        name: Its format.
        bad: Receives the records that cannot be read.
        roles: The wanted columns and the names of each; only ``kind`` may be absent.
        number: The number of the table of a Markdown page, from 1; None if there is only one.
        blank: Columns whose cells may be empty.

    Returns:
        The columns.

    Raises:
        InputError: If the file is not such a table; a :class:`~goldassay.core.errors.RecordError` for one bad record.

    Example:
        >>> source = Source(path="a.csv", name="a.csv", data=b"class,property,object\nBrand,name,xsd:string\n", size=44)
        >>> read_table(source, "csv", BadRecords(), AXIOM_COLUMNS).frame.rows()
        [('Brand', 'name', 'xsd:string')]
    """
    needed = [role for role in roles if role != KIND]
    if name == "markdown":
        table = read_markdown(source, roles, needed, number, bad)
    else:
        table = read_rows(source, name, lambda row: table_choice(row, roles, source.path), bad)
    return table.filled(bad, blank=blank)


def table_choice(row: Sequence[str], roles: Mapping[str, Collection[str]], path: str) -> Choice:
    """Find columns by their names, or by their order.

    Args:
        row: The names of the columns, or the first row.
        roles: The wanted columns and the names of each; only ``kind`` may be absent.
        path: The file.

    Raises:
        InputError: If they cannot be told.
    """
    needed = [role for role in roles if role != KIND]
    places = places_of(row, roles)
    if set(needed) <= set(places):
        return Choice(places)
    if len(row) not in (len(needed), len(roles)):
        raise no_columns(row, ",".join(roles), path)
    return by_order(row, dict(zip(roles, range(len(row)), strict=False)))
