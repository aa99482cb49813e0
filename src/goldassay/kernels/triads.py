"""The connected patterns of three nodes of a directed graph, counted without enumerating most triples."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.ragged import places_of
from goldassay.kernels.types import Rows

TRIADS = (
    "021D", "021U", "021C", "111D", "111U", "030T", "030C", "201", "120D", "120U", "120C", "210", "300",
)  # fmt: skip
"""The 13 connected triads, named as Holland and Leinhardt do: mutual, asymmetric and null pairs, then a direction."""

AHEAD, BACK, MUTUAL = 1, 2, 3
"""How two nodes are linked: from the first to the second, the other way, or both ways."""


def count_triads_by(edges: Rows, groups: Rows, size: int) -> NDArray[np.int64]:
    """Count the connected triads of each group of nodes; no edge may lead from one group to another.

    Open triads follow from the neighbours of each node, less what is closed; triangles are found from their node of the
    lowest degree, so that a hub costs nothing (Batagelj and Mrvar count all 16 types in a like manner, Social Networks
    23, 2001). Loops and repeated edges do not count.

    Args:
        edges: Source and target of each edge, int64, shape (m, 2).
        groups: The group of each node, int64, shape (nodes,).
        size: How many groups there are.

    Returns:
        Counts in the order of ``TRIADS``, int64, shape (size, 13). With m links there are less than 2m² triads, which int64
        holds for 2**31 links.
    """
    nodes = len(groups)
    rank, first, second, link = _pairs(edges, nodes)
    owner = np.empty(nodes, dtype=np.int64)
    owner[rank] = groups
    counts = np.zeros((len(TRIADS), size), dtype=np.int64)
    for name, found in _open_triads(first, second, link, nodes).items():
        np.add.at(counts[TRIADS.index(name)], owner, found)
    for kinds, found in _triangles(first, second, link, nodes):
        np.add.at(counts[TRIADS.index(name_of_closed(*kinds))], owner, found)
        for name in _wedges(*kinds):
            np.subtract.at(counts[TRIADS.index(name)], owner, found)
    return np.ascontiguousarray(counts.T)


def _pairs(edges: Rows, nodes: int) -> tuple[Rows, Rows, Rows, NDArray[np.int64]]:
    """Rank the nodes by degree, and give each linked pair of nodes once, the node of the lower degree first, and how it is linked."""
    edges = edges[edges[:, 0] != edges[:, 1]]
    low, high = edges.min(axis=1), edges.max(axis=1)
    key, at = np.unique(low * nodes + high, return_inverse=True)
    link = np.zeros(len(key), dtype=np.int64)
    np.bitwise_or.at(link, at, np.where(edges[:, 0] == low, AHEAD, BACK))
    low, high = np.divmod(key, nodes)
    degree = np.bincount(np.concatenate([low, high]), minlength=nodes)
    rank = places_of(np.argsort(degree, kind="stable"), nodes)
    turned = rank[low] > rank[high]
    flipped = np.array([0, BACK, AHEAD, MUTUAL])[link]
    first, second = np.where(turned, high, low), np.where(turned, low, high)
    return rank, rank[first], rank[second], np.where(turned, flipped, link)


def _open_triads(first: Rows, second: Rows, link: Rows, nodes: int) -> dict[str, NDArray[np.int64]]:
    """Count the pairs of neighbours of each node by how these are linked to it, whether or not to each other."""
    out, in_, both = (
        np.bincount(np.concatenate([first[link == here], second[link == there]]), minlength=nodes)
        for here, there in ((AHEAD, BACK), (BACK, AHEAD), (MUTUAL, MUTUAL))
    )
    return {
        "021D": out * (out - 1) // 2,
        "021U": in_ * (in_ - 1) // 2,
        "021C": out * in_,
        "111D": both * in_,
        "111U": both * out,
        "201": both * (both - 1) // 2,
    }


def _triangles(first: Rows, second: Rows, link: Rows, nodes: int) -> Any:
    """Count the triangles of each lowest node by the links of their lowest to their middle, their middle to their highest, and the outer two."""
    from scipy.sparse import csr_array

    shape = (nodes, nodes)
    links = {
        kind: csr_array((np.ones(int(chosen.sum()), dtype=np.int64), (first[chosen], second[chosen])), shape=shape)
        for kind in (AHEAD, BACK, MUTUAL)
        for chosen in [link == kind]
    }
    for lower, upper in product(links, repeat=2):
        paths = links[lower] @ links[upper]
        for outer, across in links.items():
            found = paths.multiply(across)
            if found.nnz:
                yield (lower, upper, outer), np.asarray(found.sum(axis=1)).ravel()


def name_of_closed(lower: int, upper: int, outer: int) -> str:
    """Return the name of a triangle by the links of its nodes 1 to 2, 2 to 3, and 1 to 3."""
    arcs = {
        arc
        for (low, high), link in (((1, 2), lower), ((2, 3), upper), ((1, 3), outer))
        for arc, there in (((low, high), AHEAD), ((high, low), BACK))
        if link & there
    }
    mutual = [{low, high} for low, high in arcs if (high, low) in arcs and low < high]
    sends = sorted(sum(source == node for source, _ in arcs) for node in (1, 2, 3))
    if len(mutual) == 0:
        return "030C" if sends == [1, 1, 1] else "030T"
    if len(mutual) > 1:
        return "210" if len(mutual) == 2 else "300"  # noqa: PLR2004 - two of three pairs
    (third,) = {1, 2, 3} - mutual[0]
    sent = sum(source == third for source, _ in arcs)
    return ("120U", "120C", "120D")[sent]


def _wedges(lower: int, upper: int, outer: int) -> list[str]:
    """Return the names of the open triads that a triangle holds, one at each of its nodes."""
    turn = {AHEAD: BACK, BACK: AHEAD, MUTUAL: MUTUAL}
    return [open_name(lower, outer), open_name(turn[lower], upper), open_name(turn[upper], turn[outer])]


def open_name(one: int, other: int) -> str:
    """Return the name of an open triad by the links of its middle node to the two others."""
    names = {
        (AHEAD, AHEAD): "021D",
        (BACK, BACK): "021U",
        (AHEAD, BACK): "021C",
        (BACK, MUTUAL): "111D",
        (AHEAD, MUTUAL): "111U",
        (MUTUAL, MUTUAL): "201",
    }
    return names[(min(one, other), max(one, other))]
