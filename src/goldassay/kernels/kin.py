"""How the two nodes of some pairs are related in a graph: by a way up, by a step over one node, by a parent in common."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.forests import Spans
from goldassay.kernels.ragged import distinct, find_keys, ranges, starts_of
from goldassay.kernels.reach import BITS, WORD, Order
from goldassay.kernels.types import Rows

AT_ONCE = 2**22
"""Pairs of neighbours that are looked at together."""
WORDS = 16
"""Words of bits that each node has while ways up are followed."""


class Neighbours(NamedTuple):
    """The neighbours of each node in one direction: those of node ``n`` are ``nodes[starts[n]:starts[n + 1]]``, ascending, int64."""

    starts: Rows
    nodes: Rows

    @classmethod
    def of(cls, edges: Rows, size: int) -> Neighbours:
        """List the nodes at the second end of the edges of each node, each once."""
        keys = distinct(edges[:, 0] * size + edges[:, 1])
        return cls(starts_of(np.bincount(keys // max(size, 1), minlength=size)), keys % max(size, 1))

    def sizes(self, nodes: Rows) -> Rows:
        """Count the neighbours of some nodes."""
        return self.starts[nodes + 1] - self.starts[nodes]

    @property
    def keys(self) -> Rows:
        """``node * nodes + neighbour`` of every edge, ascending."""
        size = len(self.starts) - 1
        return np.repeat(np.arange(size), np.diff(self.starts)) * size + self.nodes


def have_common(left: Neighbours, right: Neighbours, pairs: Rows) -> NDArray[np.bool_]:
    """Return for which pairs a neighbour of the first node (in ``left``) is one of the second (in ``right``).

    Of each pair, the shorter list is gone through, and each of its nodes looked up among the edges of the other side. A list has no
    more nodes than there are edges ``m``, and no more than ``m / k`` nodes have lists of ``k`` or more: so ``p`` pairs, each once, take
    at most ``p * sqrt(m)`` lookups up to a constant, and of trees ``p``.

    Args:
        left: The neighbours of first nodes.
        right: The neighbours of second nodes, over the same nodes.
        pairs: int64, shape (pairs, 2).

    Returns:
        Shape (pairs,).
    """
    found = np.zeros(len(pairs), dtype=np.bool_)
    counts = left.sizes(pairs[:, 0]), right.sizes(pairs[:, 1])
    shorter = counts[0] <= counts[1]
    for mine, other, ends, chosen in ((left, right, (0, 1), shorter), (right, left, (1, 0), ~shorter)):
        rows = np.flatnonzero(chosen)
        known, size = other.keys, len(other.starts) - 1
        total = np.cumsum(mine.sizes(pairs[rows, ends[0]]))
        for some in np.split(rows, np.searchsorted(total, np.arange(AT_ONCE, total[-1] if len(total) else 0, AT_ONCE))):
            here, there = pairs[some, ends[0]], pairs[some, ends[1]]
            sizes = mine.sizes(here)
            middle = mine.nodes[ranges(mine.starts[here], sizes)]
            owner = np.repeat(np.arange(len(some)), sizes)
            found[some[owner[find_keys(there[owner] * size + middle, known)]]] = True
    return found


def lead_up(edges: Rows, size: int, pairs: Rows) -> NDArray[np.bool_]:
    """Return for which pairs of nodes a way along the edges leads from the first to the second.

    In a forest by when a walk enters and leaves each node; else by bits that go up the layers, some of the distinct second nodes at a
    time. Members of one cycle lead to each other, as each of them does to itself.

    Args:
        edges: From lower to upper nodes, int64, shape (edges, 2).
        size: How many nodes there are.
        pairs: int64, shape (pairs, 2).

    Returns:
        Shape (pairs,).
    """
    order = Order.of(edges, size)
    low, high = order.group[pairs].T
    in_cycle = np.bincount(order.group, minlength=order.size) > 1
    found: NDArray[np.bool_] = (low == high) & in_cycle[low]
    if spans := Spans.of(order):
        return np.asarray(found | ((low != high) & spans.above(pairs)))
    # What is above has a shorter way to the top.
    asked = np.flatnonzero(order.depths[low] > order.depths[high])
    uppers, place = np.unique(high[asked], return_inverse=True)
    by_place = np.argsort(place, kind="stable")
    members = np.zeros(order.size, dtype=np.int64)
    members[order.group] = np.arange(size)
    for first in range(0, len(uppers), WORDS * WORD):
        some = uppers[first : first + WORDS * WORD]
        rows = by_place[slice(*np.searchsorted(place[by_place], [first, first + len(some)]))]
        bits = order.above(members[some], WORDS)
        bit = place[rows] - first
        found[asked[rows]] = (bits[pairs[asked[rows], 0], bit // WORD] & BITS[bit % WORD]) != 0
    return found
