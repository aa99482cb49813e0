"""Noise: how a graph is made worse, step by step, to see whether a measure tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import Names
from goldassay.core.null import Noise, chosen
from goldassay.graphs.model import Graph
from goldassay.graphs.nulls import rewired


def dropped(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Leave a share of the edges out.

    Example:
        >>> graph = Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("oak", "tree")])
        >>> len(dropped(graph, 0.5, np.random.default_rng(0)))
        2
    """
    return graph.take(np.sort(chosen(len(graph), 1 - share, rng)))


def added(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Add random edges between the texts of the graph, as many as a share of its edges; where there is room for them.

    Example:
        >>> graph = Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("oak", "tree")])
        >>> len(added(graph, 0.5, np.random.default_rng(0)))
        6
    """
    nodes = len(graph.ids)
    known = graph.edges[:, 0] * nodes + graph.edges[:, 1]
    wanted = round(share * len(graph))
    drawn = rng.integers(0, nodes, (8 * wanted + 8, 2)) if nodes else np.zeros((0, 2), dtype=np.int64)
    fresh = drawn[(drawn[:, 0] != drawn[:, 1]) & ~np.isin(drawn[:, 0] * nodes + drawn[:, 1], known)]
    edges = np.unique(fresh, axis=0)
    edges = edges[rng.permutation(len(edges))[:wanted]]
    relations = np.full(len(edges), graph.relations[0] if len(graph) else 0, dtype=np.int64)
    return replace(
        graph,
        edges=np.concatenate([graph.edges, edges]),
        relations=np.concatenate([graph.relations, relations]),
        input_rows=None,
    )


def renamed(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Call a share of the nodes by words that mean nothing.

    Example:
        >>> graph = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
        >>> set(renamed(graph, 1.0, np.random.default_rng(0)).texts.tolist()) & {"cat", "dog", "pet"}
        set()
    """
    texts = graph.texts.tolist()
    for row in chosen(len(texts), share, rng).tolist():
        texts[row] = "".join(rng.choice(LETTERS, WORD).tolist())
    return replace(graph, texts=Names(texts))


def moved_up(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Hang a share of the nodes under a parent of their parent, where that has one.

    Example:
        >>> graph = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> moved_up(graph, 1.0, np.random.default_rng(0)).item(0)
        'cat -> animal'
    """
    parent = _one_target(graph.edges, len(graph.ids), rng)
    return _moved(graph, parent[graph.edges[:, 1]], share, rng)


def moved_down(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Hang a share of the nodes under another child of their parent, where there is one.

    Example:
        >>> graph = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
        >>> moved_down(graph, 0.5, np.random.default_rng(0)).item(0) in ("cat -> dog", "cat -> pet")
        True
    """
    child = _one_target(graph.edges[:, ::-1], len(graph.ids), rng)
    sibling = child[graph.edges[:, 1]]
    return _moved(graph, np.where(sibling == graph.edges[:, 0], NOWHERE, sibling), share, rng)


NOWHERE = -1
WORD = 9
LETTERS = np.array(list("bcdfghjklmnpqrstvwxz"))


def _one_target(edges: NDArray[np.int64], nodes: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose one target of each node at random, -1 where it has none."""
    target = np.full(nodes, NOWHERE, dtype=np.int64)
    order = rng.permutation(len(edges))
    target[edges[order, 0]] = edges[order, 1]
    return target


def _moved(graph: Graph, target: NDArray[np.int64], share: float, rng: np.random.Generator) -> Graph:
    """Give a share of the edges another target, where there is one; edges that become equal are merged."""
    edges = graph.edges.copy()
    moving = chosen(len(graph), share, rng)
    moving = moving[(target[moving] != NOWHERE) & (target[moving] != edges[moving, 0])]
    edges[moving, 1] = target[moving]
    _, first = np.unique(np.column_stack([edges, graph.relations]), axis=0, return_index=True)
    return replace(graph, edges=edges).take(np.sort(first))


NOISES: Mapping[str, Noise[Graph]] = MappingProxyType(
    {
        "drop": dropped,
        "add": added,
        "rewire": lambda graph, share, rng: rewired(graph, graph, rng, share=share),
        "rename": renamed,
        "move up": moved_up,
        "move down": moved_down,
    }
)
