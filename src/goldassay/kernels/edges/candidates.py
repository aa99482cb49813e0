"""The most valuable edges of the other side for each edge: the candidates of an assignment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from goldassay.kernels.edges.layout import Layout
from goldassay.kernels.ragged import places_of
from goldassay.kernels.search import Side, search, search_within_cells
from goldassay.kernels.types import FloatMatrix, Rows


@dataclass(frozen=True, eq=False)
class Candidates:
    """The targets that are worth most to each query, and a bound on all others."""

    target: Rows  # the targets, in no order, -1 where there are fewer, int64, shape (queries, most)
    # their similarity within the error band, -inf where there are fewer, float32, shape (queries, most)
    similarity: FloatMatrix
    unlisted: FloatMatrix  # bound on what any other target was worth when they were found, float32, shape (queries,)


@dataclass(frozen=True, eq=False)
class CandidateLedger:
    """A ledger of ``search`` that keeps several targets: those of the highest similarity less price."""

    target: Rows  # the targets, -1 where there are fewer, int64, shape (queries, most)
    worth: FloatMatrix  # their similarity less their price, -inf where there are fewer, float32, shape (queries, most)
    price: FloatMatrix  # price of each target, 0 or more, float32, shape (targets,)
    least: FloatMatrix  # worth at or below which nothing is listed, float32, shape (queries,)

    @classmethod
    def blank(cls, least: FloatMatrix, price: FloatMatrix, most: int) -> CandidateLedger:
        """Start without targets.

        ``least`` is the worth at or below which nothing is listed, float32, shape (queries,).
        """
        shape = (len(least), most)
        return cls(np.full(shape, -1), np.full(shape, -np.inf, dtype=np.float32), price, least)

    def unlisted(self, queries: Rows) -> FloatMatrix:
        """Bound the worth of every target that is not listed."""
        return np.asarray(np.maximum(self.worth[queries].min(axis=1), self.least[queries]))

    def floor(self, queries: Rows) -> FloatMatrix:
        """Return the floors for targets that may be worth more than the least listed one at price 0; see ``Ledger``."""
        return np.asarray(np.nextafter(self.unlisted(queries), np.float32(np.inf)))

    def learn(self, queries: Rows, targets: Rows, anchors: FloatMatrix, others: FloatMatrix) -> None:
        """Keep the most valuable of the listed and the new targets; see ``Ledger``."""
        values = np.minimum(anchors, others, out=others)
        values -= self.price[targets, None]
        better = np.flatnonzero(values.max(axis=0) >= self.floor(queries))
        queries, values = queries[better], values[:, better].T
        worth = np.concatenate([self.worth[queries], values], axis=1)
        target = np.concatenate([self.target[queries], np.broadcast_to(targets, values.shape)], axis=1)
        most = self.target.shape[1]
        keep = np.argpartition(-worth, most - 1, axis=1)[:, :most]
        self.worth[queries] = np.take_along_axis(worth, keep, axis=1)
        self.target[queries] = np.take_along_axis(target, keep, axis=1)


def find_candidates(
    vectors: FloatMatrix,
    layout: Layout,
    queries: Rows,
    price: FloatMatrix,
    *,
    most: int,
    memory: int,
    answered: Callable[[int], None],
) -> Candidates:
    """Find the edges of the right side that are worth most, similarity less price, to some edges of the left one.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        layout: Both sides.
        queries: Given edges of the left side that are queries, int64, shape (q,).
        price: Price of each given edge of the right side, 0 or more, float32, shape (n,).
        most: How many candidates each of them keeps.
        memory: Bytes that the tiles may use; the candidates are extra.
        answered: Called with the number of queries that are done.

    Returns:
        The candidates, given edges of the right side, one row per query.
    """
    asking = renumber_side(expand_side(layout.left.merged, layout.left_side), queries)
    answering = expand_side(layout.right.merged, layout.right_side)
    least = np.full(len(queries), -np.inf, dtype=np.float32)
    if layout.cells > 1:
        nearby = CandidateLedger.blank(least, price, most)
        search_within_cells(vectors, asking, answering, nearby, memory=memory, cells=layout.cells)
        # Each pair is computed again below. Two float32 products of one pair differ by at most twice the band, so what
        # was found nearby is listed again; the bound on the rest holds for any value of ``least``.
        least = nearby.worth.min(axis=1) - np.float32(2.0 * layout.band)
    found = CandidateLedger.blank(least, price, most)
    search(vectors, asking, answering, found, memory=memory, answered=answered)
    similarity = found.worth + np.where(found.target < 0, np.float32(0.0), price[found.target])
    return Candidates(found.target, similarity, found.unlisted(np.arange(len(queries))))


def expand_side(merged: Rows, side: Side) -> Side:
    """Undo the merging of equal edges: each of them has a counterpart of its own.

    ``merged`` is the distinct edge of each given edge, int64, shape (given,).
    """
    at = places_of(side.ids, len(side))[merged]
    order = np.argsort(at, kind="stable")
    at = at[order]
    return Side(order, side.anchor[at], side.other[at], side.cell[at])


def renumber_side(side: Side, chosen: Rows) -> Side:
    """Keep the edges with the ids ``chosen``; the new id of each is its place in ``chosen``."""
    numbers = places_of(chosen, len(side))
    side = side.take(numbers[side.ids] >= 0)
    return Side(numbers[side.ids], side.anchor, side.other, side.cell)
