"""Tables of axioms and of declared matches in any format: columns of text, and the line of each record."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.axioms.markdown import read_markdown
from goldassay.formats import Source
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import AXIOMS, Chooser, Roles, bare
from goldassay.formats.rows import read_table as read_rows
from goldassay.formats.tables import Table


def claims(name: str, columns: Sequence[str]) -> bool:
    """Claim Markdown pages, and tables with a class, a property and an object; subject and predicate are for graphs.

    Example:
        >>> claims("csv", ["class", "property", "object"]), claims("csv", ["subject", "predicate", "object"])
        (True, False)
    """
    return name == "markdown" or (AXIOMS.recognises(columns) and "subject" not in map(bare, columns))


def read_table(
    source: Source,
    name: str,
    bad: BadRecords,
    roles: Roles,
    choose: Chooser,
    *,
    number: int | None = None,
) -> Table:
    r"""Read the columns of a table by their headers, or, where there is no header, by their order.

    Args:
        source: The file.
        name: Its format.
        bad: Receives the records that cannot be read.
        roles: The wanted columns and the names of each.
        choose: Chooses the columns.
        number: The number of the table of a Markdown page, from 1; None if there is only one.

    Returns:
        The columns.

    Raises:
        InputError: If the file is not such a table; a :class:`~goldassay.core.errors.RecordError` for one bad record.

    Example:
        >>> source = Source(path="a.csv", name="a.csv", data=b"class,property,object\nBrand,name,xsd:string\n", size=44)
        >>> read_table(source, "csv", BadRecords(), AXIOMS, AXIOMS.chooser("a.csv")).frame.rows()
        [('Brand', 'name', 'xsd:string', 0, 2)]
    """
    if name == "markdown":
        return read_markdown(source, roles, choose, number, bad)
    return read_rows(source, name, choose, bad)
