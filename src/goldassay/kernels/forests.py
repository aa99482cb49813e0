"""Hierarchies in which no node has two parents: relations are counted without a list of them, in time proportional to nodes times their logarithm."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.reach import Order
from goldassay.kernels.types import Rows

MANY = 64
"""Relations a node from which on they are counted: fewer are listed in less time."""
Half: TypeAlias = "tuple[int, Rows, Rows]"


class Spans(NamedTuple):
    """When a walk down a hierarchy, which looks at all that is below a node before it goes on, enters and leaves each node.

    The members of a cycle have the same times. A node is above another one just if it is entered before the other one is, and left
    after that.
    """

    begin: Rows  # when a node is entered, int64, shape (nodes,)
    end: Rows  # when it is left

    @classmethod
    def of(cls, order: Order) -> Spans | None:
        """Walk down a hierarchy; None if a node has two parents.

        Each time knows which one is next. In each round it learns from the one that it points to how far that is from the end.
        """
        if not order.is_forest:
            return None
        size = order.size + 1
        # One more node is above all that has nothing above it.
        parent = np.full(order.size, order.size)
        parent[order.edges[:, 0]] = order.edges[:, 1]
        children = np.argsort(parent, kind="stable")
        above, is_first = parent[children], np.diff(parent[children], prepend=-1) != 0
        following = np.concatenate([np.arange(size) + size, size + parent, [2 * size - 1]])
        following[above[is_first]] = children[is_first]
        following[size + children[:-1][~is_first[1:]]] = children[1:][~is_first[1:]]
        left = np.ones(2 * size, dtype=np.int64)
        left[-1] = 0
        for _ in range((2 * size).bit_length()):
            left += left[following]
            following = following[following]
        time = 2 * size - 1 - left
        return cls(time[order.group], time[size + order.group])

    def above(self, pairs: Rows) -> NDArray[np.bool_]:
        """Return of which pairs the second node is above the first."""
        low, high = pairs.T
        return np.asarray((self.begin[high] < self.begin[low]) & (self.begin[low] < self.end[high]))

    def halves(self, nodes: Rows, *, below: bool) -> tuple[Half, Half]:
        """Write "x is above c", or below it, as a difference: x counts once for each bound of c that a number of x is less than."""
        begin, end = self.begin[nodes], self.end[nodes]
        return ((1, begin, end), (-1, begin, begin + 1)) if below else ((1, begin, begin), (-1, end, begin + 1))


def deep_spans(orders: Sequence[Order], most: int) -> list[Spans] | None:
    """Walk down hierarchies; None if some node has two parents, or the pairs of a node and one above it are few enough to be listed."""
    found = [span for order in orders if (span := Spans.of(order)) is not None]
    every = np.arange(len(orders[0].group))
    most = min(most, MANY * len(every))
    deep = len(found) == len(orders) and any(int(count_related([span], every, [False]).sum()) > most for span in found)
    return found if deep else None


def count_related(spans: Sequence[Spans], nodes: Rows, below: Sequence[bool]) -> Rows:
    """Count for each of some nodes those of them that are above it in one or two hierarchies, or below it.

    ``below`` chooses for each hierarchy whether those below a node are counted; the counts are int64, shape (k,).
    """
    halves = [span.halves(nodes, below=down) for span, down in zip(spans, below, strict=True)]
    total = np.zeros(len(nodes), dtype=np.int64)
    for some in product(*halves):
        signs, numbers, bounds = zip(*some, strict=True)
        total += np.prod(signs) * _count_less(numbers, bounds)
    return total


def _count_less(numbers: Sequence[Rows], bounds: Sequence[Rows]) -> Rows:
    """Count for each pair of bounds the points of which both numbers are less than them; or the numbers less than each bound.

    The points are put in the order of their first numbers, so that those to look at are the first ones. Their second numbers are
    looked at bit by bit from the highest: points are sorted by the bit, those before each place in the order keep to be a range, and of
    a bound that has the bit all without it are less.
    """
    order = np.argsort(numbers[0], kind="stable")
    last = np.searchsorted(numbers[0][order], bounds[0])
    if len(numbers) == 1:
        return last
    second, start, found = numbers[1][order], np.zeros_like(last), np.zeros(len(last), dtype=np.int64)
    highest = max(int(second.max(initial=0)), int(bounds[1].max(initial=0)))
    for shift in reversed(range(highest.bit_length())):
        bit, has = ((some >> shift) & 1 == 1 for some in (second, bounds[1]))
        without = np.concatenate([[0], np.cumsum(~bit)])
        first, end = without[start], without[last]
        found += np.where(has, end - first, 0)
        start, last = np.where(has, without[-1] + start - first, first), np.where(has, without[-1] + last - end, end)
        second = np.concatenate([second[~bit], second[bit]])
    return found
