"""Edge lists: two columns of ends, perhaps a third for the relation, out of a table or of node-link JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldassay.core.errors import InputError
from goldassay.formats.records import BadRecords
from goldassay.formats.source import Source
from goldassay.formats.tables import first_row, read_columns

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
"""What columns are called, letters alone, and what they are."""

TWO, THREE = 2, 3


@dataclass(frozen=True, kw_only=True)
class EdgeList:
    """Bare edges.

    Attributes:
        edges: String columns ``source`` and ``target``, and ``relation`` where the file has one; without nulls.
        texts: Text of a node by its identifier, where the file gives one.
        nodes: Identifiers of the nodes that the file lists, with or without an edge; empty for a table.
        notes: What a person should know about how the file was understood.
    """

    edges: DataFrame
    texts: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_edge_list(source: Source, name: str, bad: BadRecords | None = None) -> EdgeList:
    r"""Read the edges of a table or of a node-link graph; ``source`` is the child, ``target`` the parent.

    A table has two columns (child, parent) or three (subject, predicate, object). A header with well-known names (child and
    parent, source and target, head, relation and tail, hyponym and hypernym, ...) may put them in any order, and add others.

    Args:
        source: The file.
        name: Its format, one of :data:`~goldassay.formats.names.EDGE_LISTS`.
        bad: Receives the records that cannot be read; without it the first one is raised.

    Returns:
        The edges, in the order of the file, duplicates and all.

    Raises:
        InputError: If the file is no list of edges; a :class:`~goldassay.core.errors.RecordError` for one bad record.

    Example:
        >>> table = Source(path="a.csv", name="a.csv", data=b"parent,child\nanimal,cat", size=23)
        >>> read_edge_list(table, "csv").edges.rows(named=True)
        [{'source': 'cat', 'target': 'animal'}]
    """
    if name == "node-link":
        from goldassay.formats.node_link import read_node_link

        return read_node_link(source, bad)
    row = first_row(source, name)
    by_name = _places_by_name(row)
    header = bool(by_name) or name == "parquet"
    places = by_name or _places_by_order(row, source.path)
    edges = read_columns(source, name, places, width=len(row), header=header, bad=bad)
    return EdgeList(edges=edges, notes=() if by_name else _note_on_order(row, places))


def _places_by_name(row: Sequence[str]) -> dict[str, int] | None:
    words = [re.sub(r"[^a-z]", "", cell.lower()) for cell in row]
    places = {}
    for role, known in ROLES.items():
        found = [place for place, word in enumerate(words) if word in known]
        if found:
            places[role] = found[0]
    return places if {"source", "target"} <= set(places) else None


def _places_by_order(row: Sequence[str], path: str) -> dict[str, int]:
    if len(row) == TWO:
        return {"source": 0, "target": 1}
    if len(row) == THREE:
        return {"source": 0, "relation": 1, "target": 2}
    raise InputError(
        f"The table has {len(row)} column{'s' if len(row) > 1 else ''}, and no header says which are the edges.",
        path=path,
        line=1,
        found=repr(list(row))[:200],
        expected="two columns (child, parent) or three (subject, predicate, object)",
        hint="name the columns in the first row: child,parent",
    )


def _note_on_order(row: Sequence[str], places: Mapping[str, int]) -> tuple[str, ...]:
    order = " -> ".join(repr(row[places[role]]) for role in ("source", "target"))
    return (f"no header was recognised: columns are read by their order, the first row as {order}",)
