"""Groupings of graph scores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.groups import Grouping, group_of_items
from goldassay.graphs.components import component_names
from goldassay.graphs.model import Graph
from goldassay.graphs.nodes import NodeItems
from goldassay.graphs.taxonomic import Concepts
from goldassay.graphs.texts import numbered_texts

if TYPE_CHECKING:
    import polars as pl

KNOWN = ("neither text known", "one text known", "both texts known")
"""How many ends of an edge have a text that occurs on the other side."""


def relations(graph: Graph) -> pl.Series:
    """Name the relation of each edge."""
    import polars as pl

    return pl.Series(list(graph.relation_names), dtype=pl.String).gather(graph.relations)


def depths(items: Graph | NodeItems | Concepts) -> pl.Series:
    """Count the longest way from each node, or the child of each edge, up to a root, cycles condensed.

    A concept is all nodes of its text, and stands as deep as the deepest of them.
    """
    import polars as pl

    graph = _graph(items)
    order = graph.order
    return pl.Series(-_least(items, -order.depths[order.group])).cast(pl.String)


def branches(items: Graph | NodeItems | Concepts) -> list[str]:
    """Return the branch of each node, or the child of each edge: the ancestor below the root, cycles condensed.

    Where there are several roots, each of them is a branch. Of several branches a node, or a concept, is in the
    alphabetically first.

    Example:
        >>> branches(Graph.from_edges([("tree", "plant"), ("plant", "thing"), ("cat", "animal"), ("animal", "thing")]))
        ['plant', 'plant', 'animal', 'animal']
        >>> branches(Graph.from_edges([("tree", "plant"), ("cat", "animal"), ("kitten", "cat")]))
        ['plant', 'animal', 'animal']
    """
    graph = _graph(items)
    order = graph.order
    texts, places = graph.alphabet
    branch = np.full(order.size, len(texts), dtype=np.int64)
    np.minimum.at(branch, order.group, places)
    own = branch.copy()
    edges = order.edges
    roots = np.setdiff1d(edges[:, 1], edges[:, 0])
    root = int(roots[0]) if len(roots) == 1 else None
    for layer in order.layers:
        lower, start = np.unique(layer[:, 0], return_index=True)
        above = np.where(layer[:, 1] == root, own[layer[:, 0]], branch[layer[:, 1]])
        branch[lower] = np.minimum.reduceat(above, start)
    return list(map(texts.__getitem__, _least(items, branch[order.group]).tolist()))


def components(items: Graph | NodeItems) -> list[str]:
    """Name the weakly connected component of each node or edge by the alphabetically first of its roots."""
    names = component_names(_graph(items))
    return list(map(names.__getitem__, _nodes(items).tolist()))


def _graph(items: Graph | NodeItems | Concepts) -> Graph:
    return items if isinstance(items, Graph) else items.graph


def _nodes(items: Graph | NodeItems) -> NDArray[np.int64]:
    return items.edges[:, 0] if isinstance(items, Graph) else np.arange(len(items))


def _least(items: Graph | NodeItems | Concepts, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the node of each item, of a concept the least of those of its nodes."""
    if not isinstance(items, Concepts):
        return numbers[_nodes(items)]
    texts, (nodes, concepts) = numbered_texts(items.graph.texts, items.texts)
    least = np.full(len(texts), np.iinfo(np.int64).max)
    np.minimum.at(least, nodes, numbers)
    return least[concepts]


def lexical(items: Any, others: Any) -> list[str] | None:
    """Return whether the text of each item occurs on the other side, or for how many of its ends.

    Example:
        >>> here, there = Graph.from_edges([("cat", "pet"), ("cat", "dog")]), Graph.from_edges([("cat", "pet")])
        >>> lexical(here, there)
        ['both texts known', 'one text known']
    """
    here, there = _words(items), _words(others)
    if here is None or there is None:
        return None
    known = np.fromiter(map(set(there).__contains__, here), dtype=np.bool_, count=len(here))
    if isinstance(items, Graph):
        return list(map(KNOWN.__getitem__, known[items.edges].sum(axis=1).tolist()))
    return ["text known" if one else "text unknown" for one in known.tolist()]


def _words(items: Any) -> list[str] | None:
    match items:
        case Graph():
            return items.words
        case NodeItems():
            return items.graph.words
        case Concepts():
            words: list[str] = items.texts.tolist()
            return words
    return None


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        "relation": group_of_items((Graph,), relations),
        "depth": group_of_items((Graph, NodeItems, Concepts), depths),
        "branch": group_of_items((Graph, NodeItems, Concepts), branches),
        "component": group_of_items((Graph, NodeItems), components),
        "lexical": lexical,
    }
)
