"""A hierarchy cut at some depth: which clusters a node lies in, and how many pairs of nodes have a cluster in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.ragged import mark, places_of, ranges, run_heads
from goldassay.kernels.reach import Order
from goldassay.kernels.search import MEMORY
from goldassay.kernels.types import Rows

ENTRY = 24
"""Bytes that an entry of a product takes."""
SHARE = 32
"""A cluster that so large a part of the sets has (one in 32) is set apart: its sets overlap, and need no product."""
NO_SET = -1


@dataclass(frozen=True, eq=False)
class Clusters:
    """Sets of clusters that nodes lie in; they may overlap.

    Attributes:
        own: The set of each node, a row of ``starts``, -1 for none, int64, shape (nodes,).
        starts: The clusters of the set ``i`` are ``members[starts[i]:starts[i + 1]]``, int64, shape (sets + 1,).
        members: Clusters, int64, shape (memberships,).
    """

    own: Rows
    starts: Rows
    members: Rows


def cuts(order: Order, levels: int, nodes: Rows, *, itself: bool) -> Iterator[Clusters]:
    """Cut a hierarchy at some depths, the deepest first, as `cut_hierarchy` does.

    Where no node has two parents, each of the nodes that are asked for goes up one step a depth.
    """
    if not order.is_forest:
        yield from (cut_hierarchy(order, order.depths, level, itself=itself) for level in reversed(range(levels)))
        return
    parent, every = np.arange(order.size), np.arange(order.size + 1)
    parent[order.edges[:, 0]] = order.edges[:, 1]
    own = order.group[nodes]
    above = own
    # A hierarchy that is deeper than the cuts is climbed from its own depth: a step a depth.
    for level in reversed(range(max(levels, len(order.layers)))):
        above = np.where(order.depths[above] > level, parent[above], above)
        if level >= levels:
            continue
        inside = (order.depths[above] == level) & (itself | (above != own))
        found = np.full(len(order.group), NO_SET, dtype=np.int64)
        found[nodes] = np.where(inside, above, NO_SET)
        yield Clusters(found, every, every[:-1])


def cut_hierarchy(order: Order, depths: Rows, level: int, *, itself: bool) -> Clusters:
    """Cut a hierarchy at a depth: each node of this depth is a cluster of all nodes below it.

    Sets are passed down layer by layer: a node lies in the clusters of its parents. Equal sets are one, so that a set is only
    built where the parents of a node lie in different ones; high up there are few.

    ``depths`` is int64, of shape (size,).
    """
    top = np.flatnonzero(depths == level)
    found = places_of(top, order.size)
    joined: list[frozenset[int]] = []
    numbers: dict[frozenset[int], int] = {}
    known: dict[tuple[int, ...], int] = {}

    def join(parts: tuple[int, ...]) -> int:
        members = frozenset[int]().union(*(joined[one - len(top)] if one >= len(top) else (one,) for one in parts))
        number = numbers.setdefault(members, len(top) + len(joined))
        if number == len(top) + len(joined):
            joined.append(members)
        return number

    for layer in order.layers[level:]:
        start = np.flatnonzero(run_heads(layer[:, 0]))
        sets = found[layer[:, 1]]
        most = np.maximum.reduceat(sets, start)
        least = np.minimum.reduceat(np.where(sets == NO_SET, np.iinfo(np.int64).max, sets), start)
        ends = np.append(start[1:], len(layer))
        for row in np.flatnonzero((most != NO_SET) & (least < most)).tolist():
            parts = tuple(sorted({*sets[start[row] : ends[row]].tolist()} - {NO_SET}))
            if parts not in known:
                known[parts] = join(parts)
            most[row] = known[parts]
        found[layer[start, 0]] = most
    if not itself:
        found[top] = NO_SET
    sizes = np.concatenate([np.ones(len(top), dtype=np.int64), [len(some) for some in joined]]).astype(np.int64)
    members = np.concatenate([np.arange(len(top)), *(np.array(sorted(some)) for some in joined)]).astype(np.int64)
    return Clusters(found[order.group], np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), members)


def pairs_together(left: Rows, clusters: Clusters, *, memory: int = MEMORY) -> int:
    """Count the pairs of some nodes that have a cluster in common; a pair that has several counts once."""
    own = clusters.own[left]
    sets, weights = np.unique(own[own != NO_SET], return_counts=True)
    sizes = np.diff(clusters.starts)[sets]
    return _count_weighted(clusters.members[ranges(clusters.starts[sets], sizes)], sizes, weights, memory)


def pairs_together_in_both(nodes: Rows, left: Clusters, right: Clusters, *, memory: int = MEMORY) -> int:
    """Count the pairs of some nodes that have a cluster in common on either side.

    That is, a pair of clusters, one a side: two sets A x B have one in common just if both their factors have.
    """
    some = nodes[(left.own[nodes] != NO_SET) & (right.own[nodes] != NO_SET)]
    if len(some) == 1:
        # Pairing its clusters of one side with all of the other could be costly, and it is in no pair.
        return 0
    count = len(right.starts)
    both, weights = np.unique(left.own[some] * count + right.own[some], return_counts=True)
    mine, other = np.divmod(both, count)
    widths = np.diff(left.starts)[mine], np.diff(right.starts)[other]
    sizes = widths[0] * widths[1]
    # Each member of the left set with the whole right set.
    first = left.members[ranges(left.starts[mine], widths[0])]
    times = np.repeat(widths[1], widths[0])
    second = right.members[ranges(np.repeat(right.starts[other], widths[0]), times)]
    size = int(right.members.max(initial=0)) + 1
    return _count_weighted(np.repeat(first, times) * size + second, sizes, weights, memory)


def _count_weighted(members: Rows, sizes: Rows, weights: NDArray[np.int64], memory: int) -> int:
    """Count the pairs of nodes in distinct sets that overlap, ``weights`` nodes a set.

    As long as a cluster is in many sets, these overlap without a look, and only the others are compared with them; what is left then is compared with itself.
    """
    from scipy.sparse import csr_array

    if not len(sizes):
        return 0
    if len(members) == len(sizes):
        return int((weights * (weights - 1) // 2).sum())
    _, column = np.unique(members, return_inverse=True)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    shape = (len(sizes), int(column.max()) + 1)
    left = csr_array((np.ones(len(column), dtype=np.int32), column, starts), shape=shape)
    total, single = 0, int(weights.sum())
    while left.shape[0]:
        having = np.bincount(left.indices, minlength=shape[1])
        top = int(having.argmax())
        if SHARE * having[top] < left.shape[0]:
            total += _meeting(left, left, (weights, weights), memory)
            break
        inside = mark(np.repeat(np.arange(left.shape[0]), np.diff(left.indptr))[left.indices == top], left.shape[0])
        total += int(weights[inside].sum()) ** 2
        total += 2 * _meeting(left[~inside], left[inside], (weights[~inside], weights[inside]), memory)
        left, weights = left[~inside], weights[~inside]
    return (total - single) // 2


def _meeting(left: Any, right: Any, weights: tuple[NDArray[np.int64], NDArray[np.int64]], memory: int) -> int:
    """Add up the products of the weights of the rows of two tables that have a column in common, block by block."""
    if not left.shape[0]:
        return 0
    turned = right.T.tocsr()
    # What a row of the product has at most: the sets that are in its clusters.
    bound = np.cumsum(left @ np.diff(turned.indptr))
    block = np.searchsorted(bound, np.arange(0, bound[-1], max(1, memory // ENTRY)))
    cuts = np.unique([0, *block.tolist(), left.shape[0]])
    total = 0
    for start, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        shared = left[start:end] @ turned
        shared.data = np.ones(len(shared.data), dtype=np.int64)
        total += int((shared @ weights[1] * weights[0][start:end]).sum())
    return total
