"""Several graphs made one: the edges that at least so many of them have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from goldassay.core.context import string_array
from goldassay.core.golds import sources_of
from goldassay.graphs.model import Graph


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

    Args:
        graphs: The graphs.
        least: How many of them must have an edge, or a node.

    Example:
        >>> golds = [Graph.from_edges([("cat", "pet"), ("dog", "pet")]), Graph.from_edges([("cat", "pet")])]
        >>> len(merged(golds, 1)), len(merged(golds, 2))
        (2, 1)
    """
    several = any(len(np.unique(graph.relations)) > 1 for graph in graphs)
    node_votes: Counter[Node] = Counter()
    edge_votes: Counter[tuple[Node, Node, str]] = Counter()
    names = {graph.relation_names[row] for graph in graphs for row in np.unique(graph.relations).tolist()}
    for graph in graphs:
        nodes = _nodes(graph)
        relations = [graph.relation_names[row] if several else "" for row in graph.relations.tolist()]
        ends = graph.edges.tolist()
        node_votes.update(set(nodes))
        edge_votes.update({(nodes[s], nodes[t], name) for (s, t), name in zip(ends, relations, strict=True)})
    nodes = sorted(node for node, votes in node_votes.items() if votes >= least)
    edges = sorted(edge for edge, votes in edge_votes.items() if votes >= least)
    place = {node: row for row, node in enumerate(nodes)}
    relation_names = tuple(sorted(names)) if several else (min(names, default="is-a"),)
    number = {name: row for row, name in enumerate(relation_names)} if several else {"": 0}
    return Graph(
        ids=string_array([node.id for node in nodes]),
        texts=string_array([node.text for node in nodes]),
        edges=np.array([(place[s], place[t]) for s, t, _ in edges], dtype=np.int64).reshape(-1, 2),
        relations=np.array([number[name] for _, _, name in edges], dtype=np.int64),
        relation_names=relation_names,
        **sources_of(graphs),
    )


def _nodes(graph: Graph) -> list[Node]:
    seen: Counter[str] = Counter()
    nodes = [Node("", 0)] * len(graph.ids)
    texts = graph.texts.tolist()
    for row in np.argsort(graph.ids, kind="stable").tolist():
        nodes[row] = Node(texts[row], seen[texts[row]])
        seen[texts[row]] += 1
    return nodes
