"""Several graphs made one: the edges that at least so many of them have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.golds import sources_of
from goldassay.core.intern import Names
from goldassay.graphs.model import Graph

NO_EDGES = np.zeros((0, 2), dtype=np.int64)


class Node(NamedTuple):
    """What makes a node of two graphs one: its text, and the how many-th node of this text it is, by id."""

    text: str
    place: int

    @property
    def id(self) -> str:
        """An id that is unique in a graph."""
        return f"{self.text}\0{self.place}" if self.place else self.text


def merged(graphs: Sequence[Graph], least: int) -> Graph:
    """Make one graph of the edges that at least so many graphs have.

    Two edges are one if the texts of their ends are the same, and their relations where any graph has several. So graphs
    of different formats, whose ids differ, have edges in common.

    Example:
        >>> golds = [Graph.from_edges([("cat", "pet"), ("dog", "pet")]), Graph.from_edges([("cat", "pet")])]
        >>> len(merged(golds, 1)), len(merged(golds, 2))
        (2, 1)
    """
    several = any(len(np.unique(graph.relations)) > 1 for graph in graphs)
    names = sorted({graph.relation_names[row] for graph in graphs for row in np.unique(graph.relations).tolist()})
    named = [_nodes(graph) for graph in graphs]
    nodes = sorted({node for some in named for node in some})
    number = {node: row for row, node in enumerate(nodes)}
    rows = [np.array([number[node] for node in some], dtype=np.int64) for some in named]
    kept = np.bincount(np.concatenate(rows), minlength=len(nodes)) >= least
    ways = len(names) if several else 1
    keys = [_keys(graph, ends, len(nodes), names if several else []) for graph, ends in zip(graphs, rows, strict=True)]
    distinct, votes = np.unique(np.concatenate(keys), return_counts=True)
    pairs, relations = np.divmod(distinct[votes >= least], max(ways, 1))
    place = np.cumsum(kept) - 1
    chosen = [node for node, is_kept in zip(nodes, kept.tolist(), strict=True) if is_kept]
    return Graph(
        ids=Names([node.id for node in chosen]),
        texts=Names([node.text for node in chosen]),
        edges=place[np.column_stack(np.divmod(pairs, max(len(nodes), 1)))] if len(pairs) else NO_EDGES,
        relations=relations,
        relation_names=tuple(names) if several else tuple(names[:1]) or ("is-a",),
        **sources_of(graphs),
    )


def _keys(graph: Graph, rows: NDArray[np.int64], nodes: int, names: list[str]) -> NDArray[np.int64]:
    """Give each edge of a graph a number that is the same in every graph, each once."""
    numbers = np.array([names.index(name) if name in names else 0 for name in graph.relation_names], dtype=np.int64)
    ends = rows[graph.edges]
    return np.unique((ends[:, 0] * nodes + ends[:, 1]) * max(len(names), 1) + numbers[graph.relations])


def _nodes(graph: Graph) -> list[Node]:
    seen: Counter[str] = Counter()
    nodes = [Node("", 0)] * len(graph.ids)
    texts = graph.texts.tolist()
    for row in np.argsort(graph.ids, kind="stable").tolist():
        nodes[row] = Node(texts[row], seen[texts[row]])
        seen[texts[row]] += 1
    return nodes
