"""The nearest texts of the other side above a threshold, all of them where several are equally near."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.cosine import error_band, pair_cosines, squared_lengths
from goldassay.kernels.edges.layout import PAIRS_WORTH_ROUNDING
from goldassay.kernels.rough import Rough
from goldassay.kernels.search import MEMORY, Counter, Vectors, tiles
from goldassay.kernels.types import FloatMatrix, Progress, Rows

STRIP, TILE = 512, 2048
"""Queries and targets that are compared at once: a product that stays in the cache of a processor."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest rows of the other side.

    Attributes:
        similarity: The largest cosine of each query, nan where it does not exceed the threshold, float64, shape (m,).
        starts: The nearest rows of query ``i`` are ``places[starts[i]:starts[i + 1]]``, int64, shape (m + 1,).
        places: Places among the targets, ascending for each query, int64, shape (pairs,).
    """

    similarity: NDArray[np.float64]
    starts: Rows
    places: Rows


def nearest_rows(
    vectors: FloatMatrix,
    queries: Rows,
    targets: Rows,
    *,
    threshold: float,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Nearest:
    """Find the most similar targets of each query, as ``pair_cosines`` on every pair says.

    Products in float32, or rough ones, exclude what lies beyond their proven error below the largest one. A query that is a
    target itself is not compared with the others.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        queries: Distinct rows of ``vectors``, int64, shape (m,). Rows with equal vectors are the same row.
        targets: The rows to choose from, likewise, int64, shape (n,).
        threshold: The value that the cosine must exceed.
        memory: Bytes that may be used.
        progress: Called as ``progress(stage, done, total)``.

    Example:
        >>> vectors = np.array([[1, 0], [0.6, 0.8], [0.6, -0.8], [0, 1]], dtype=np.float32)
        >>> found = nearest_rows(vectors, np.array([0, 3]), np.array([1, 2]), threshold=0.7)
        >>> found.similarity.round(6).tolist(), found.starts.tolist(), found.places.tolist()
        ([nan, 0.8], [0, 0, 1], [0])
        >>> nearest_rows(vectors, np.array([0]), np.array([1, 2]), threshold=0.5).places.tolist()
        [0, 1]
    """
    _, same, place = np.intersect1d(queries, targets, assume_unique=True, return_indices=True)
    asking = np.setdiff1d(np.arange(len(queries)), same)
    same, place = (some[: len(some) * (threshold < 1)] for some in (same, place))
    pairs = [(same, place, np.ones(len(same)))]
    if len(asking) and len(targets):
        used = np.union1d(queries, targets)
        band = error_band(vectors.shape[1], squared_lengths(vectors, used))
        rough = Rough.of(vectors, used, band) if len(asking) * len(targets) >= PAIRS_WORTH_ROUNDING else None
        both = Vectors(vectors, rough, 0)
        width = np.float32(2 * (band + float(both.band)))
        counter = Counter(progress, "finding nearest texts", len(asking))
        strips = [asking[strip] for strip in tiles(len(asking), min(STRIP, max(1, memory // (16 * TILE))))]
        with threads.pool() as pool:
            found = pool.map(lambda strip: _nearest(both, queries[strip], targets, threshold, width), strips)
            for strip, (query, place, cosine) in zip(strips, found, strict=True):
                pairs.append((strip[query], place, cosine))
                counter.add(len(strip))
    query, place, cosine = (np.concatenate(column) for column in zip(*pairs, strict=True))
    order = np.lexsort((place, query))
    similarity = np.full(len(queries), np.nan)
    similarity[query] = cosine
    return Nearest(similarity, np.searchsorted(query[order], np.arange(len(queries) + 1)), place[order])


def _nearest(
    both: Vectors, rows: Rows, targets: Rows, threshold: float, width: np.float32
) -> tuple[Rows, Rows, NDArray[np.float64]]:
    """Find the nearest targets of some queries: the number of each query, the place of the target, and the cosine."""
    # Nothing at or below the threshold is looked for.
    highest = np.full(len(rows), threshold, dtype=np.float32)
    kept: list[tuple[Rows, Rows, FloatMatrix]] = []
    for tile in tiles(len(targets), TILE):
        values = both.cosines(rows, targets[tile])
        top = values.max(axis=1)
        near = np.flatnonzero(top >= highest - width)
        np.maximum(highest, top, out=highest)
        query, place = np.nonzero(values[near] >= (highest[near] - width)[:, None])
        kept.append((near[query], place + tile.start, values[near[query], place]))
    query, place, value = (np.concatenate(column) for column in zip(*kept, strict=True))
    open_ = np.flatnonzero(value >= highest[query] - width)
    query, place = query[open_], place[open_]
    cosines = pair_cosines(both.rows, rows[query], targets[place])
    best = np.full(len(rows), threshold)
    np.maximum.at(best, query, cosines)
    wins = (cosines == best[query]) & (cosines > threshold)
    return query[wins], place[wins], cosines[wins]
