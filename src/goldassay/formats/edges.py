"""Edges from tables, node-link graphs and TExEval's taxonomies."""

from __future__ import annotations

from goldassay.formats.edge_list import EdgeList
from goldassay.formats.node_link import read_node_link
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import EDGES, Chooser
from goldassay.formats.rows import read_table
from goldassay.formats.source import Source
from goldassay.formats.taxo import read_taxo


def read_edge_list(source: Source, name: str, bad: BadRecords | None = None, choose: Chooser | None = None) -> EdgeList:
    r"""Read the edges of a table, a node-link graph or a TExEval taxonomy; ``source`` is the child, ``target`` the parent.

    Args:
        source: The file.
        name: Its format, one of :data:`~goldassay.formats.known.EDGE_LISTS`.
        bad: Receives the records that cannot be read; without it the first error is raised.
        choose: Chooses the columns of a table; by their names alone if None.

    Returns:
        The edges, in the order of the file, with duplicates.

    Raises:
        InputError: If the file is not a list of edges; a :class:`~goldassay.core.errors.RecordError` for one bad
            record.

    Example:
        >>> table = Source(path="a.csv", name="a.csv", data=b"parent,child\nanimal,cat", size=23)
        >>> read_edge_list(table, "csv").edges.rows(named=True)
        [{'source': 'cat', 'target': 'animal', 'row': 0, 'line': 2}]
    """
    bad = bad or BadRecords()
    if name == "node-link":
        return read_node_link(source, bad)
    if name == "taxo":
        return read_taxo(source, bad)
    table = read_table(source, name, choose or EDGES.chooser(source.path), bad).filled(bad)
    return EdgeList(edges=table.frame, warnings=table.warnings)
