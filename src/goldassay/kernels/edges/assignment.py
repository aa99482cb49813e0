"""The one-to-one assignment of edges with the highest sum of similarities, or one proven to be close to it.

Two edges are as similar as the less similar of their ends. Where the whole matrix of similarities fits into memory, scipy
solves the problem exactly. Beyond that, an auction over the best candidates finds an assignment, and its final prices
bound the sum of every assignment by the duality of linear programming. Derived in docs/decisions/0011, "The bound of the
assignment".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.assigned import assign_rows
from goldassay.kernels.cosine import CHUNK_BYTES, ROUNDING, cosines_of_distinct, edge_similarities
from goldassay.kernels.edges.auction import UNASSIGNED, Auction, find_prices
from goldassay.kernels.edges.candidates import find_candidates
from goldassay.kernels.edges.layout import Layout, lay_out
from goldassay.kernels.ragged import inverse
from goldassay.kernels.search import MEMORY, Counter, tiles
from goldassay.kernels.types import FloatMatrix, Progress, Rows

DENSE_BYTES = 32
"""Bytes for each cell of a dense problem: the cosines of both ends, the lower of them, and the copy of the solver."""

CANDIDATE_BYTES = 24
"""Bytes for each candidate while it is found and bid for."""

CANDIDATES = 32
"""Candidates of each item in the first round: enough for all but a few items (measured on WordNet)."""

WORTH_PRICES = 500
"""Edges on the smaller side from which on prices save time, ..."""
ALIKE = 20
"""... if the larger side has more of them by no more than this part: with more to choose from, few edges compete (both measured on WordNet)."""

WIDER = 2
"""Growth factor of the lists of items that the auction left without a counterpart."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """A one-to-one assignment, with an upper bound on any other."""

    counterpart: Rows  # the right item of each left item, -1 for none, int64, shape (m,)
    similarity: NDArray[np.float64]  # similarity to it, nan for none, float64, shape (m,)
    total: float  # sum of the similarities
    upper: float  # upper bound on the sum of any one-to-one assignment; equal to `total` if this one is the best

    def swap_sides(self, items: int) -> Assignment:
        """Return the same assignment with the sides swapped."""
        counterpart = inverse(self.counterpart, items)
        # What has no counterpart, -1, finds the last: nan.
        similarity = np.append(self.similarity, np.nan)[counterpart]
        return Assignment(counterpart, similarity, self.total, self.upper)


def least_memory(left: int, right: int) -> int:
    """Return the least number of bytes that an assignment needs.

    Args:
        left: How many items one side has.
        right: How many the other has.
    """
    return min(DENSE_BYTES * left * right, 2 * CANDIDATE_BYTES * min(left, right))


def assign(
    vectors: FloatMatrix,
    left: Rows,
    right: Rows,
    *,
    gap: float,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Assignment:
    """Assign edges one to one so that the sum of their similarities is highest.

    Every item of the smaller side gets a counterpart, even one of negative similarity.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        left: Rows of ``vectors``, source and target of each edge, int64, shape (m, 2).
        right: The same for the other side, int64, shape (n, 2).
        gap: How far the mean similarity over the smaller side may be below the optimum, if the matrix of all
            similarities does not fit into ``memory``; above 0, at most 1.
        memory: Bytes that may be used.
        progress: Called as ``progress(stage, done, total)``.

    Returns:
        The assignment. Its ``upper`` is proven; ``upper - total`` exceeds the gap only where the error of float32 products
        does, for gaps near 1e-4 and long vectors. Less memory takes more time.

    Raises:
        ValueError: If an array has the wrong shape or type, an edge points outside of ``vectors``, a vector in use is not
            of length 1, the gap is not in (0, 1], or ``memory`` is less than `least_memory`.
    """
    if not 0.0 < gap <= 1.0:
        raise ValueError(f"the gap is {gap}; expected a number above 0 and at most 1")
    if memory < least_memory(len(left), len(right)):
        raise ValueError(f"{memory} bytes are too few; expected {least_memory(len(left), len(right))}")
    if len(left) > len(right):
        return assign(vectors, right, left, gap=gap, memory=memory, progress=progress).swap_sides(len(left))
    # Each item wants a long list of candidates, so that a rough look would exclude few pairs.
    layout = lay_out(vectors, left, right, memory, roughly=False)
    if DENSE_BYTES * len(left) * len(right) <= memory:
        return _exact_sum(vectors, left, right, _dense(vectors, left, right), upper=None)
    return _assign_by_auction(vectors, left, right, layout=layout, gap=gap, memory=memory, progress=progress)


def _exact_sum(vectors: FloatMatrix, left: Rows, right: Rows, counterpart: Rows, *, upper: float | None) -> Assignment:
    """Compute the similarities of an assignment in float64, and add them without intermediate rounding."""
    similarity = np.full(len(left), np.nan)
    matched = np.flatnonzero(counterpart != UNASSIGNED)
    similarity[matched] = edge_similarities(vectors, left[matched], right[counterpart[matched]])
    total = math.fsum(similarity[matched])
    return Assignment(counterpart, similarity, total, total if upper is None else max(total, upper))


def _dense(vectors: FloatMatrix, left: Rows, right: Rows) -> Rows:
    """Solve an assignment exactly; the left side is not the larger one.

    Where every item is taken, a price for each changes the sums of all assignments by the same. With good ones the solver's paths
    are short (docs/decisions/0011, "The exact assignment").
    """
    similarity = _similarities(vectors, left, right)
    if len(left) < WORTH_PRICES or (len(right) - len(left)) * ALIKE > len(left):
        return assign_rows(similarity)[1]
    price = find_prices(similarity)
    cost = np.empty((len(right), len(right)))
    np.subtract(price, similarity, out=cost[: len(left)])
    # Items that remain are taken by bidders to whom all items are worth 0.
    cost[len(left) :] = price
    return assign_rows(cost, most=False)[1][: len(left)]


def _similarities(vectors: FloatMatrix, left: Rows, right: Rows) -> NDArray[np.float64]:
    """Spread the cosines of distinct ends over all pairs, strip by strip: what a strip needs stays in the cache."""
    loops = np.array_equal(left[:, 0], left[:, 1]) and np.array_equal(right[:, 0], right[:, 1])
    # A product shared by threads waits for all of them, and may differ in its last bits from one on another number of cores.
    with threads.pool() as pool:
        ends = list(
            pool.map(lambda end: cosines_of_distinct(vectors, left[:, end], right[:, end]), (0,) if loops else (0, 1))
        )
    lower = np.empty((len(left), len(right)))
    for strip in tiles(len(left), max(1, CHUNK_BYTES // (16 * max(1, len(right))))):
        spread = (cosines[here[strip]].take(there, axis=1) for cosines, here, there in ends)
        lower[strip] = reduce(np.minimum, spread)
    return lower


def _assign_by_auction(
    vectors: FloatMatrix, left: Rows, right: Rows, *, layout: Layout, gap: float, memory: int, progress: Progress | None
) -> Assignment:
    """Find candidates and run the auction; longer lists for items left without a counterpart, until the gap is closed."""
    auction = Auction.start(len(left), len(right), gap / 2.0)
    # A gain has the errors of a product (the band), and of a price and a difference rounded to float32.
    error = (layout.band + ROUNDING) * len(left)
    asking, most = np.arange(len(left)), CANDIDATES
    while True:
        room = max(2, memory // (CANDIDATE_BYTES * len(asking)))
        most = min(most, room, len(right))
        counter = Counter(progress, "finding candidates", len(asking))
        price = auction.price.astype(np.float32)
        found = find_candidates(vectors, layout, asking, price, most=most, memory=memory, answered=counter.add)
        auction.set_candidates(asking, found)
        auction.run(asking)
        counterpart = _complete(vectors, left, right, auction.holding, memory)
        upper = math.fsum(auction.price) + math.fsum(auction.highest_gains()) + error
        best = _exact_sum(vectors, left, right, counterpart, upper=upper)
        asking = np.flatnonzero(auction.holding == UNASSIGNED)
        if best.upper - best.total <= gap * len(left) or not len(asking):
            return best
        most *= WIDER


def _complete(vectors: FloatMatrix, left: Rows, right: Rows, holding: Rows, memory: int) -> Rows:
    """Assign the free items to the bidders without one: exactly where that fits into memory, otherwise part by part."""
    counterpart = holding.copy()
    open_ = np.flatnonzero(counterpart == UNASSIGNED)
    while len(open_):
        free = np.setdiff1d(np.arange(len(right)), counterpart)
        part = open_[: max(1, memory // (DENSE_BYTES * len(free)))]
        counterpart[part] = free[_dense(vectors, left[part], right[free])]
        open_ = open_[len(part) :]
    return counterpart
