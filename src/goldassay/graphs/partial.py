"""What partial gold standards of graphs are about: edges by the texts of their ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.core.partial import Restriction
from goldassay.graphs.model import Graph


def _texts(graph: Graph, end: int) -> list[str]:
    texts: list[str] = graph.texts[graph.edges[:, end]].tolist()
    return texts


def _pairs(graph: Graph) -> list[tuple[str, ...]]:
    return list(zip(_texts(graph, 0), _texts(graph, 1), strict=True))


def _taken(graph: Graph, mask: NDArray[np.bool_]) -> Graph:
    """Keep some edges, and the nodes that have one of them or never had any: nobody speaks of the others."""
    nodes = np.ones(len(graph.ids), dtype=np.bool_)
    nodes[graph.edges[~mask]] = False
    nodes[graph.edges[mask]] = True
    return _of_nodes(graph.take(np.flatnonzero(mask)), nodes)


def _of_nodes(graph: Graph, nodes: NDArray[np.bool_]) -> Graph:
    place = np.cumsum(nodes) - 1
    return replace(
        graph,
        ids=graph.ids.take(np.flatnonzero(nodes)),
        texts=graph.texts.take(np.flatnonzero(nodes)),
        edges=place[graph.edges],
    )


def _within(graph: Graph, scope: frozenset[str]) -> Graph:
    """Keep the nodes that lie in a scope, and the edges between them."""
    inside = np.array([text in scope for text in graph.texts.tolist()], dtype=np.bool_)
    return _of_nodes(graph.take(np.flatnonzero(inside[graph.edges].all(axis=1))), inside)


def _branch(graph: Graph, name: str) -> frozenset[str]:
    """Give the texts of the nodes from which edges lead to a text."""
    children: dict[str, list[str]] = {}
    for child, parent in _pairs(graph):
        children.setdefault(parent, []).append(child)
    found, open_ = set(), [name] if name in graph.texts.tolist() else []
    while open_:
        node = open_.pop()
        if node not in found:
            found.add(node)
            open_ += children.get(node, ())
    return frozenset(found)


RESTRICTION: Restriction[Graph] = Restriction(
    keys=lambda graph: ["\t".join(pair) for pair in _pairs(graph)],
    take=_taken,
    names=lambda graph: graph.texts.tolist(),
    branch=_branch,
    within=_within,
    ends={"source": lambda graph: _texts(graph, 0), "target": lambda graph: _texts(graph, 1)},
)
