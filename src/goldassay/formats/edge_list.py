"""Edge lists: tables with two columns for the ends, and optionally a third for the relation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldassay.formats.records import BadRecords
from goldassay.formats.roles import EDGES, Chooser
from goldassay.formats.rows import read_table
from goldassay.formats.source import Source

if TYPE_CHECKING:
    from polars import DataFrame


@dataclass(frozen=True, kw_only=True)
class EdgeList:
    """Bare edges.

    Attributes:
        edges: String columns ``source`` and ``target``, and ``relation`` where the file has one; without nulls. A table also has
            ``row``, the row of the file, from 0.
        texts: Text of a node by its identifier, where the file gives one.
        nodes: Identifiers of the nodes that the file lists, with or without an edge; empty for a table.
        notes: Notes for the user on how the file was read.
        warnings: What changes what a number means.
    """

    edges: DataFrame
    texts: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def read_edge_table(
    source: Source, name: str, bad: BadRecords | None = None, choose: Chooser | None = None
) -> EdgeList:
    r"""Read the edges of a table; ``source`` is the child, ``target`` the parent.

    A header with well-known names (child and parent, source and target, head, relation and tail, hyponym and hypernym, ...) may
    put them in any order, and add others. Without one a table has two columns (child, parent) or three (subject, predicate, object).

    Args:
        source: The file.
        name: Its format, one of :data:`~goldassay.formats.rows.TABLES`.
        bad: Receives the records that cannot be read; without it the first error is raised.
        choose: Chooses the columns; by their names alone if None.

    Returns:
        The edges, in the order of the file, with duplicates.

    Raises:
        InputError: If the file is not a list of edges; a :class:`~goldassay.core.errors.RecordError` for one bad
            record.

    Example:
        >>> table = Source(path="a.csv", name="a.csv", data=b"parent,child\nanimal,cat", size=23)
        >>> read_edge_table(table, "csv").edges.rows(named=True)
        [{'source': 'cat', 'target': 'animal', 'row': 0}]
    """
    bad = bad or BadRecords()
    table = read_table(source, name, choose or EDGES.chooser(source.path), bad).filled(bad)
    return EdgeList(edges=table.frame, notes=table.notes, warnings=table.warnings)
