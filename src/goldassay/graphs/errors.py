"""The kinds of errors of edges: how the two texts of an edge are related on the other side."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import numbered
from goldassay.kernels.kin import Neighbours, have_common, lead_up
from goldassay.kernels.ragged import among

if TYPE_CHECKING:
    from goldassay.graphs.model import Graph

ERRORS: Mapping[str, str] = MappingProxyType({
    "self-loop": "child and parent have the same text",
    "child and parent unknown": "the other side has neither text",
    "child unknown": "the other side has no such child",
    "parent unknown": "the other side has no such parent",
    "same texts": "the other side has the edge, but with another relation, or it is matched already",
    "reversed": "the other side has the edge the other way round",
    "skips a level": "the other side has one node between child and parent",
    "right by closure": "the other side has several nodes between child and parent",
    "reversed by closure": "the other side has the parent below the child, with nodes between them",
    "sibling instead of parent": "child and parent have a parent in common on the other side",
    "wrong parent": "the other side has both texts, but relates them in none of these ways",
})  # fmt: skip


def name_errors(here: Graph, there: Graph, rows: NDArray[np.int64]) -> list[str]:
    """Name for each of some edges how the other side relates its texts: the first of `ERRORS` that holds.

    Example:
        >>> from goldassay.graphs import Graph
        >>> gold = Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal")])
        >>> pred = Graph.from_edges([("pet", "cat"), ("cat", "animal"), ("cat", "dog"), ("cat", "thing")])
        >>> name_errors(pred, gold, np.arange(4))
        ['reversed', 'skips a level', 'sibling instead of parent', 'parent unknown']
    """
    texts, (mine, theirs) = numbered(here.texts, there.texts)
    size = len(texts)
    edges, pairs = theirs[there.edges].astype(np.int64), mine[here.edges[rows]].astype(np.int64)
    child, parent = pairs.T
    known = np.isin(np.arange(size), theirs)
    loops = edges[:, 0] == edges[:, 1]
    up, down = (Neighbours.of(ends, size) for ends in (edges[~loops], edges[~loops, ::-1]))
    stated = np.sort(edges[:, 0] * size + edges[:, 1])
    asked = np.flatnonzero(known[pairs].all(axis=1))
    ways = np.zeros((3, len(rows)), dtype=np.bool_)
    ways[0, asked] = lead_up(edges[~loops], size, pairs[asked])
    ways[1, asked] = lead_up(edges[~loops], size, pairs[asked, ::-1])
    ways[2, asked] = have_common(up, up, pairs[asked])
    two = np.zeros(len(rows), dtype=np.bool_)
    two[ways[0]] = have_common(up, down, pairs[ways[0]])
    holds = [
        child == parent,
        ~known[child] & ~known[parent],
        ~known[child],
        ~known[parent],
        among(child * size + parent, stated),
        among(parent * size + child, stated),
        two,
        ways[0],
        ways[1],
        ways[2],
        np.ones(len(rows), dtype=np.bool_),
    ]
    first = np.argmax(np.array(holds), axis=0)
    return [list(ERRORS)[kind] for kind in first.tolist()]
