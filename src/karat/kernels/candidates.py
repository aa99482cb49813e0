"""The nearest edges of the other side, several for each edge: what an assignment is chosen from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from karat.kernels.layout import Edges, Layout
from karat.kernels.search import FloatMatrix, Rows, Side, search, search_within_cells


@dataclass(frozen=True, eq=False)
class Candidates:
    """The nearest targets of each query: a ledger of ``search`` that keeps several.

    Attributes:
        target: The targets, in no order, -1 where there are fewer, int64, shape (queries, most).
        similarity: Their similarity within the error band, -inf where there are fewer, float32, shape (queries, most).
        interest: Similarity below which nothing can be among the nearest, float32, shape (queries,).
    """

    target: Rows
    similarity: FloatMatrix
    interest: FloatMatrix

    @classmethod
    def blank(cls, interest: FloatMatrix, most: int) -> Candidates:
        """Start without candidates.

        Args:
            interest: Similarity below which nothing can be among the nearest, float32, shape (queries,).
            most: How many candidates each query keeps.

        Returns:
            The ledger.
        """
        return cls(
            target=np.full((len(interest), most), -1, dtype=np.int64),
            similarity=np.full((len(interest), most), -np.inf, dtype=np.float32),
            interest=interest,
        )

    def farthest(self, queries: Rows) -> FloatMatrix:
        """Bound the similarity of everything that is not kept.

        Args:
            queries: Which queries, shape (q,).

        Returns:
            The highest similarity that a target which is no candidate may have, float32, shape (q,).
        """
        return np.maximum(self.similarity[queries].min(axis=1), self.interest[queries])

    def floor(self, queries: Rows) -> FloatMatrix:
        """Ask for what is nearer than the farthest candidate; see ``Ledger``."""
        return np.nextafter(self.farthest(queries), np.float32(np.inf))

    def learn(self, queries: Rows, targets: Rows, anchors: FloatMatrix, others: FloatMatrix) -> None:
        """Keep the nearest of the known and the new targets; see ``Ledger``."""
        values = np.minimum(anchors, others, out=others).T
        nearer = np.flatnonzero(values.max(axis=1) >= self.floor(queries))
        queries, values = queries[nearer], values[nearer]
        similarity = np.concatenate([self.similarity[queries], values], axis=1)
        target = np.concatenate([self.target[queries], np.broadcast_to(targets, values.shape)], axis=1)
        most = self.target.shape[1]
        keep = np.argpartition(-similarity, most - 1, axis=1)[:, :most]
        self.similarity[queries] = np.take_along_axis(similarity, keep, axis=1)
        self.target[queries] = np.take_along_axis(target, keep, axis=1)


def find_candidates(
    vectors: FloatMatrix, layout: Layout, queries: Rows, most: int, *, memory: int, answered: Callable[[int], None]
) -> Candidates:
    """Find the nearest edges of the right side for some edges of the left one.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        layout: Both sides.
        queries: Given edges of the left side that ask, int64, shape (q,).
        most: How many candidates each of them keeps.
        memory: Bytes that the tiles may take; the candidates come on top.
        answered: Called with the number of queries that are done.

    Returns:
        The candidates, given edges of the right side, one row a query.
    """
    asking = _numbered(_given(layout.left, layout.left_side), queries)
    answering = _given(layout.right, layout.right_side)
    interest = np.full(len(queries), -np.inf, dtype=np.float32)
    if layout.cells > 1:
        nearby = Candidates.blank(interest, most)
        search_within_cells(vectors, asking, answering, nearby, memory=memory, cells=layout.cells)
        # A pair comes in two tiles, and two products of float32 may differ by twice the band.
        interest = nearby.similarity.min(axis=1) - np.float32(2.0 * layout.band)
    found = Candidates.blank(interest, most)
    search(vectors, asking, answering, found, memory=memory, answered=answered)
    return found


def _given(edges: Edges, side: Side) -> Side:
    """Undo the merging of equal edges: each of them has a counterpart of its own."""
    place = np.empty(len(edges), dtype=np.int64)
    place[side.ids] = np.arange(len(edges))
    at = place[edges.merged]
    order = np.argsort(at, kind="stable")
    at = at[order]
    return Side(order, side.anchor[at], side.other[at], side.cell[at])


def _numbered(side: Side, chosen: Rows) -> Side:
    """Pick some edges, and call each by its place among them."""
    numbers = np.full(len(side), -1, dtype=np.int64)
    numbers[chosen] = np.arange(len(chosen))
    side = side.take(numbers[side.ids] >= 0)
    return Side(numbers[side.ids], side.anchor, side.other, side.cell)
