"""Edges from tables, node-link graphs and TExEval's taxonomies."""

from __future__ import annotations

from goldassay.formats.edge_list import EdgeList
from goldassay.formats.node_link import read_node_link
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import EDGES, Chooser
from goldassay.formats.rows import lines_of, read_table
from goldassay.formats.source import Source

CELLS = ("number", "hyponym", "hypernym")


def read_edge_list(source: Source, name: str, bad: BadRecords | None = None, choose: Chooser | None = None) -> EdgeList:
    r"""Read the edges of a table, a node-link graph or a TExEval taxonomy; ``source`` is the child, ``target`` the parent.

    Raises:
        InputError: If the file is not a list of edges; a :class:`~goldassay.core.errors.RecordError` for one bad
            record.

    Example:
        >>> table = Source(path="a.csv", name="a.csv", data=b"parent,child\nanimal,cat", size=23)
        >>> read_edge_list(table, "csv").edges.rows(named=True)
        [{'source': 'cat', 'target': 'animal', 'row': 0}]
    """
    bad = bad or BadRecords()
    if name == "node-link":
        return read_node_link(source, bad)
    if name == "taxo":
        return read_taxo(source, bad)
    table = read_table(source, name, choose or EDGES.chooser(source.path), bad).filled(bad)
    return EdgeList(edges=table.frame, warnings=table.warnings)


def read_taxo(source: Source, bad: BadRecords | None = None) -> EdgeList:
    r"""Read lines of number, hyponym and hypernym, separated by tabs.

    Source:
        SemEval-2016 Task 13, https://alt.qcri.org/semeval2016/task13/

    Example:
        >>> read_taxo(Source(path="a.taxo", name="a.taxo", data=b"0\tcat\tpet\n", size=10)).edges.rows()
        [('cat', 'pet', 0)]
    """
    import polars as pl

    bad = bad or BadRecords()
    edges = []
    blank = 0
    for number, line in lines_of(source, bad):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) == len(CELLS) and all(cells):
            edges.append((cells[1], cells[2], number - 1 - blank))
        elif not line.strip():
            blank += 1
        else:
            bad.add_line(
                line,
                path=source.path,
                number=number,
                message="The line is not an edge.",
                expected=", ".join(CELLS) + ", separated by tabs",
            )
    schema = {"source": pl.String, "target": pl.String, "row": pl.Int64}
    return EdgeList(edges=pl.DataFrame(edges, schema=schema, orient="row"))
