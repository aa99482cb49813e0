"""The nearest items within many small groups: the concepts of an answer and those of its gold answer.

The result is that of ``pair_cosines`` on every pair of a group. Products in float32 only exclude irrelevant pairs;
pairs that are within their proven error of a decision are decided in float64. So the result depends neither on memory,
nor on order, nor on the BLAS library.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.cosine import compute_squared_lengths, error_band, pair_cosines
from goldassay.kernels.edges.best import Best
from goldassay.kernels.ragged import run_heads
from goldassay.kernels.search import MEMORY
from goldassay.kernels.types import FloatMatrix, Progress, Rows

REPORTED_EVERY = 1000
TOGETHER = 2**19
"""Bytes of groups that are multiplied at once: as many as stay in the cache of a processor."""
CANDIDATES = 2**18
"""Pairs that are decided in float64 at once."""

Cosines: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Groups:
    """Two sides, cut into groups; only items of one group are compared with each other."""

    vectors: FloatMatrix  # unit rows, float32, shape (k, d)
    left: Rows  # row of each item of the left side, int64, shape (m,)
    right: Rows  # row of each item of the right side, int64, shape (n,)
    left_ends: Rows  # begin and end of each group in `left`, int64, shape (groups, 2)
    right_ends: Rows  # begin and end of each group in `right`, int64, shape (groups, 2)

    def swap_sides(self) -> Groups:
        """Swap the sides."""
        return replace(self, left=self.right, right=self.left, left_ends=self.right_ends, right_ends=self.left_ends)

    def band(self) -> float:
        """Bound the distance of a float32 product of two rows from their exact cosine."""
        used = np.zeros(len(self.vectors), dtype=np.bool_)
        used[self.left] = used[self.right] = True
        return error_band(self.vectors.shape[1], compute_squared_lengths(self.vectors, np.flatnonzero(used)))


def join_groups(
    groups: Groups, *, threshold: float, memory: int = MEMORY, progress: Progress | None = None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Decide for every item whether an item of the other side in its group has a cosine of at least a threshold.

    Args:
        groups: The groups of items to compare.
        threshold: The minimum cosine.
        memory: Bytes that the products may use.
        progress: Called as ``progress(stage, done, total)``.

    Returns:
        The verdicts on the left and on the right side, bool, shapes (m,) and (n,).

    Raises:
        ValueError: If a row of ``vectors`` that is used is no unit vector.
    """
    band = groups.band()
    left = np.full(len(groups.left), -np.inf, dtype=np.float32)
    right = np.full(len(groups.right), -np.inf, dtype=np.float32)
    for here, there, cosines in _products(groups, memory, progress):
        left[here] = np.maximum(left[here], cosines.max(axis=2))
        right[there] = np.maximum(right[there], cosines.max(axis=1))
    return (
        _decide(groups, left, threshold, band, memory),
        _decide(groups.swap_sides(), right, threshold, band, memory),
    )


def find_best_in_groups(groups: Groups, items: Rows, *, memory: int = MEMORY, progress: Progress | None = None) -> Best:
    """Find the nearest item of the other side, within the group, for some items of the left side.

    Among equally near items the first one of the group wins.

    ``items`` are ascending, int64, shape (items,); all else is as for `join_groups`.
    """
    asked = _keep_items(groups, items)
    band = np.float32(2.0 * asked.band())
    tops = np.full(len(items), -np.inf, dtype=np.float32)
    for here, _, cosines in _products(asked, memory, progress):
        tops[here] = np.maximum(tops[here], cosines.max(axis=2))
    best = Best(np.full(len(items), np.nan), np.full(len(items), -1, dtype=np.int64))
    gathered: list[tuple[Rows, Rows]] = []
    waiting = 0
    for here, there, cosines in _products(asked, memory, None):
        group, item, other = np.nonzero(cosines >= (tops[here] - band)[:, :, None])
        gathered.append((here[group, item], there[group, other]))
        waiting += len(item)
        if waiting >= CANDIDATES:
            _settle(asked, gathered, best)
            gathered, waiting = [], 0
    _settle(asked, gathered, best)
    return best


def _decide(groups: Groups, tops: NDArray[np.float32], threshold: float, band: float, memory: int) -> NDArray[np.bool_]:
    """Convert the highest float32 products to verdicts, recomputing those in doubt."""
    matched: NDArray[np.bool_] = tops > threshold + band
    doubtful = np.flatnonzero(~matched & (tops >= threshold - band))
    if len(doubtful):
        matched[doubtful] = find_best_in_groups(groups, doubtful, memory=memory).similarity >= threshold
    return matched


def _keep_items(groups: Groups, items: Rows) -> Groups:
    """Keep some items of the left side, and the groups that these are in."""
    ends = np.searchsorted(items, groups.left_ends)
    kept = ends[:, 1] > ends[:, 0]
    return replace(groups, left=groups.left[items], left_ends=ends[kept], right_ends=groups.right_ends[kept])


def _products(groups: Groups, memory: int, progress: Progress | None) -> Iterator[tuple[Rows, Rows, Cosines]]:
    """Return the float32 products of all groups: small ones of one shape at once, a large one tile by tile.

    Yields:
        The items of the left side, shape (b, m), those of the right side, shape (b, n), and their products, shape (b, m, n), whose
        memory is used again for the next ones.
    """
    # A tile holds its rows of both sides and their products: side² products and 2 * side * dimension numbers.
    dimension = groups.vectors.shape[1]
    side = max(1, int(np.sqrt(dimension**2 + memory / 4.0)) - dimension)
    ends = np.hstack([groups.left_ends, groups.right_ends])
    shapes, which, counts = np.unique(np.diff(ends)[:, ::2], axis=0, return_inverse=True, return_counts=True)
    alike = np.argsort(which.ravel(), kind="stable")
    done = 0
    # Memory that is given back and asked for again takes longer than what is written there.
    gathered = _Room(), _Room()
    multiplied = _Room()
    with threads.limit_threads():
        for (m, n), last, count in zip(shapes.tolist(), np.cumsum(counts).tolist(), counts.tolist(), strict=True):
            together = max(1, min(memory, TOGETHER) // (4 * ((m + n) * dimension + m * n) + 1))
            for some in _parts(alike[last - count : last], together):
                if progress is not None and done % REPORTED_EVERY < len(some):
                    progress("matching", done, len(ends))
                done += len(some)
                for here in _steps(m, side):
                    for there in _steps(n, side):
                        left, right = ends[some, 0][:, None] + here, ends[some, 2][:, None] + there
                        shape = *left.shape, right.shape[1]
                        rows = gathered[0].of(groups.vectors, groups.left[left])
                        others = gathered[1].of(groups.vectors, groups.right[right])
                        yield left, right, np.matmul(rows, others.transpose(0, 2, 1), out=multiplied.reshape(shape))
    if progress is not None:
        progress("matching", len(ends), len(ends))


class _Room:
    """Memory for arrays of changing shapes, one at a time."""

    def __init__(self) -> None:
        self.numbers = np.empty(0, dtype=np.float32)

    def reshape(self, shape: tuple[int, ...]) -> Cosines:
        size = math.prod(shape)
        if size > len(self.numbers):
            self.numbers = np.empty(size, dtype=np.float32)
        return self.numbers[:size].reshape(shape)

    def of(self, vectors: FloatMatrix, rows: Rows) -> Cosines:
        # Rows that are checked would be gathered into a copy first.
        return np.take(vectors, rows, axis=0, out=self.reshape((*rows.shape, vectors.shape[1])), mode="clip")


def _parts(rows: Rows, size: int) -> Iterator[Rows]:
    return (rows[first : first + size] for first in range(0, len(rows), size))


def _steps(size: int, step: int) -> Iterator[Rows]:
    return _parts(np.arange(size), step)


def _settle(groups: Groups, gathered: list[tuple[Rows, Rows]], best: Best) -> None:
    """Decide between candidates in float64; the winners are recorded in ``best``."""
    if not gathered:
        return
    item, other = (np.concatenate(column) for column in zip(*gathered, strict=True))
    exact = pair_cosines(groups.vectors, groups.left[item], groups.right[other])
    order = np.lexsort((other, -exact, item))
    first = order[run_heads(item[order])]
    wins = ~(exact[first] <= best.similarity[item[first]])
    first = first[wins]
    best.similarity[item[first]] = exact[first]
    best.counterpart[item[first]] = other[first]
