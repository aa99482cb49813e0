"""Edge lists: tables with two columns for the ends, and optionally a third for the relation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldassay.formats.records import BadRecords
from goldassay.formats.rows import Choice, by_order, no_columns, places_of, read_table
from goldassay.formats.source import Source

if TYPE_CHECKING:
    from polars import DataFrame

CHILD = ("child", "source", "subject", "hyponym", "head", "from", "narrower", "sub", "subclass", "subtype", "start")
PARENT = ("parent", "target", "object", "hypernym", "tail", "to", "broader", "super", "superclass", "supertype", "end")
RELATION = ("predicate", "relation", "relationship", "relationtype", "property", "rel", "edge", "type")
ROLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        role: frozenset([*names, *(f"{name}id" for name in names)])
        for role, names in (("source", CHILD), ("target", PARENT), ("relation", RELATION))
    }
)
"""Known column names, reduced to letters, and their roles."""

TWO, THREE = 2, 3


@dataclass(frozen=True, kw_only=True)
class EdgeList:
    """Bare edges.

    Attributes:
        edges: String columns ``source`` and ``target``, and ``relation`` where the file has one; without nulls. A table also has
            ``row``, the row of the file, from 0.
        texts: Text of a node by its identifier, where the file gives one.
        nodes: Identifiers of the nodes that the file lists, with or without an edge; empty for a table.
        notes: Notes for the user on how the file was read.
    """

    edges: DataFrame
    texts: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_edge_table(source: Source, name: str, bad: BadRecords | None = None) -> EdgeList:
    r"""Read the edges of a table; ``source`` is the child, ``target`` the parent.

    A table has two columns (child, parent) or three (subject, predicate, object). A header with well-known names (child and
    parent, source and target, head, relation and tail, hyponym and hypernym, ...) may put them in any order, and add others.

    Args:
        source: The file.
        name: Its format, one of :data:`~goldassay.formats.rows.TABLES`.
        bad: Receives the records that cannot be read; without it the first error is raised.

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
    table = read_table(source, name, lambda row: edge_choice(row, source.path), bad).filled(bad)
    return EdgeList(edges=table.numbered, notes=table.notes)


def edge_choice(row: Sequence[str], path: str) -> Choice:
    """Find the columns of edges by their names, or by their order.

    Args:
        row: The names of the columns, or the first row.
        path: The file.

    Raises:
        InputError: If there are neither two nor three columns, and none is named.
    """
    places = places_of(row, ROLES)
    if {"source", "target"} <= set(places):
        return Choice(places)
    in_order = {TWO: ("source", "target"), THREE: ("source", "relation", "target")}.get(len(row))
    if in_order is None:
        raise no_columns(
            row,
            "two columns (child, parent) or three (subject, predicate, object)",
            path,
            hint="name the columns: child,parent",
        )
    return by_order(row, {role: place for place, role in enumerate(in_order)})
