"""The nearest texts of the other side above a threshold, all of them where several are equally near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.cosine import pair_cosines, row_chunks
from goldassay.kernels.search import MEMORY, Counter, Vectors, tiles
from goldassay.kernels.types import FloatMatrix, Progress, Rows

STRIP, TILE = 1024, 2048
"""Queries and targets that are compared at once: a product that stays in the cache of a processor."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest rows of the other side."""

    # the largest cosine of each query, nan where it does not exceed the threshold, float64, shape (m,)
    similarity: NDArray[np.float64]
    starts: Rows  # the nearest rows of query `i` are `places[starts[i]:starts[i + 1]]`, int64, shape (m + 1,)
    places: Rows  # places among the targets, ascending for each query, int64, shape (pairs,)


def nearest_rows(
    vectors: Vectors,
    queries: Rows,
    targets: Rows,
    *,
    threshold: float,
    band: float,
    reached: NDArray[np.float64] | None = None,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Nearest:
    """Find the most similar targets of each query, as ``pair_cosines`` on every pair says.

    Rough cosines, and then products in float32, exclude what lies beyond their proven error below the largest one. A
    query that is a target itself is not compared with the others.

    Args:
        vectors: The vectors, and how they are compared at first sight.
        queries: Distinct rows of the vectors, int64, shape (m,). Rows with equal vectors are the same row.
        targets: The rows to choose from, likewise, int64, shape (n,).
        threshold: The value that the cosine must exceed.
        band: How far the float32 product of two vectors may be from their cosine.
        reached: A cosine that each query has with a target, or infinity: where another target is more similar, the query
            gets no answer, and its search ends early. Float64, shape (m,).
        memory: Bytes that may be used.
        progress: Called as ``progress(stage, done, total)``.
    """
    _, same, place = np.intersect1d(queries, targets, assume_unique=True, return_indices=True)
    asking = np.setdiff1d(np.arange(len(queries)), same)
    same, place = (some[: len(some) * (threshold < 1)] for some in (same, place))
    pairs = [(same, place, np.ones(len(same)))]
    highest = np.full(len(queries), np.inf) if reached is None else reached
    if len(targets):
        search = _Search(vectors, targets, threshold, band)
        counter = Counter(progress, "finding nearest texts", len(asking))
        strips = [asking[strip] for strip in tiles(len(asking), min(STRIP, max(1, memory // (16 * TILE))))]
        with threads.pool() as pool:
            found = pool.map(lambda strip: search.nearest(queries[strip], highest[strip]), strips)
            for strip, (query, place, cosine) in zip(strips, found, strict=True):
                pairs.append((strip[query], place, cosine))
                counter.add(len(strip))
    query, place, cosine = (np.concatenate(column) for column in zip(*pairs, strict=True))
    order = np.lexsort((place, query))
    similarity = np.full(len(queries), np.nan)
    similarity[query] = cosine
    return Nearest(similarity, np.searchsorted(query[order], np.arange(len(queries) + 1)), place[order])


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for the nearest of some targets."""

    vectors: Vectors  # the vectors, and how they are compared at first sight
    targets: Rows  # the rows to choose from, int64, shape (n,)
    threshold: float  # the value that a cosine must exceed
    band: float  # how far the float32 product of two vectors may be from their cosine

    def nearest(self, rows: Rows, reached: NDArray[np.float64]) -> tuple[Rows, Rows, NDArray[np.float64]]:
        """Find the nearest targets of some queries: the number of each query, the place of the target, and the cosine."""
        query, place = self._promising(rows, reached)
        values = self._products(rows[query], place)
        # The largest cosine belongs to a product that is below the largest one by no more than two errors.
        near = values >= self._largest(len(rows), query, values)[query] - 2 * self.band
        query, place = query[near], place[near]
        cosines = pair_cosines(self.vectors.rows, rows[query], self.targets[place])
        largest = self._largest(len(rows), query, cosines)[query]
        wins = (cosines == largest) & (cosines > self.threshold) & (cosines <= reached[query])
        return query[wins], place[wins], cosines[wins]

    def _promising(self, rows: Rows, reached: NDArray[np.float64]) -> tuple[Rows, Rows]:
        """Exclude targets that are roughly below what a query has elsewhere, and queries that have more than is of interest."""
        # The band of rough cosines is that of cosines, too; that of products is only of these.
        band, width = np.float32(self.band), np.float32(self.band + max(self.band, float(self.vectors.band)))
        # A float32 product is below the cosine that it stands for by at most the band.
        least = np.where(reached < np.inf, np.maximum(reached, self.threshold), self.threshold).astype(np.float32)
        most = reached.astype(np.float32) + band
        alive, kept = np.arange(len(rows)), []
        for tile in tiles(len(self.targets), TILE):
            rough = self.vectors.cosines(rows[alive], self.targets[tile])
            # The most promising target of each query shows what the others must reach.
            first = rough.argmax(axis=1)
            asking = np.flatnonzero(rough[np.arange(len(alive)), first] >= least[alive] - width)
            shown = self._products(rows[alive[asking]], first[asking] + tile.start)
            least[alive[asking]] = np.maximum(least[alive[asking]], shown)
            query, place = np.divmod(np.flatnonzero(rough >= (least[alive] - width)[:, None]), rough.shape[1])
            kept.append((alive[query], place + tile.start, rough[query, place]))
            alive = alive[least[alive] <= most[alive]]
            if not len(alive):
                break
        query, place, values = (np.concatenate(column) for column in zip(*kept, strict=True))
        open_ = (values >= least[query] - width) & (least <= most)[query]
        return query[open_], place[open_]

    def _products(self, rows: Rows, places: Rows) -> FloatMatrix:
        """Multiply pairs of a row and a target, float32, shape (n,)."""
        vectors, targets = self.vectors.rows, self.targets[places]
        found = np.empty(len(rows), dtype=np.float32)
        for part in row_chunks(len(rows), vectors.shape[1]):
            np.vecdot(vectors[rows[part]], vectors[targets[part]], out=found[part])
        return found

    def _largest(self, size: int, query: Rows, values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Find the largest value of each query, or the threshold, shape (size,)."""
        largest = np.full(size, self.threshold)
        np.maximum.at(largest, query, values)
        return largest
