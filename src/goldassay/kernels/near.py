"""Which texts are near which, kept: for many joins of edges over the same two vocabularies and the same gold edges.

A join that looks at vectors prunes what it can and forgets the rest. Where edges are drawn again and again over the same
texts, it is cheaper to decide once which texts are near which: a draw is then a look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.cosine import compute_squared_lengths, error_band, pair_cosines
from goldassay.kernels.ragged import places_of, ranges
from goldassay.kernels.search import MEMORY, tiles
from goldassay.kernels.types import FloatMatrix, Progress, Rows

Part = TypeVar("Part")
Made = TypeVar("Made")
SAMPLED = 4096
"""Pairs by which the number of near ones is estimated."""
PAIR_BYTES = 16
"""What a near pair takes while it is found."""
TILE = 512, 4096
"""Texts of either side that are compared at once: a product that stays in the cache of a processor."""
WORD = 64
"""Bits of a word."""
CHUNK = 2**19
"""Numbers, or pairs of edges, that a thread looks at at once."""


@dataclass(frozen=True, eq=False)
class Near:
    """The pairs of texts of two vocabularies whose cosine passes a threshold."""

    left: Rows  # rows of the vectors of one vocabulary, ascending, int64, shape (m,)
    right: Rows  # rows of the vectors of the other, ascending, int64, shape (n,)
    starts: Rows  # the texts near the text `i` of the left are `places[starts[i]:starts[i + 1]]`, int64, shape (m + 1,)
    places: NDArray[np.int32]  # places in `right`, ascending for each text of the left, int32, shape (pairs,)

    def with_more(self, more: Near, texts: Rows) -> Near:
        """Choose texts of this vocabulary and of another one that was compared with the same texts.

        ``more`` has the same ``right``; ``texts`` are rows, ascending, each from one of both.
        """
        left = np.concatenate([self.left, more.left])
        sizes = np.concatenate([np.diff(self.starts), np.diff(more.starts)])
        starts = np.concatenate([self.starts[:-1], len(self.places) + more.starts[:-1]])
        order = np.argsort(left)
        chosen = order[np.searchsorted(left, texts, sorter=order)]
        places = np.concatenate([self.places, more.places])[ranges(starts[chosen], sizes[chosen])]
        return Near(texts, self.right, np.concatenate([[0], np.cumsum(sizes[chosen])]), places)


def find_near_texts(
    vectors: FloatMatrix,
    left: Rows,
    right: Rows,
    *,
    threshold: float,
    inclusive: bool = False,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Near | None:
    """Decide for all pairs of texts whether they are near.

    The result is that of ``pair_cosines`` on every pair: products in float32 decide what lies beyond their proven
    error. Two texts that both vocabularies have are compared once.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        left: Rows of one vocabulary, ascending and distinct, int64, shape (m,).
        right: Rows of the other, likewise, int64, shape (n,).
        threshold: The value that the cosine must exceed.
        inclusive: Whether a cosine equal to the threshold is enough.
        memory: Bytes that may be used.
        progress: Called as ``progress(stage, done, total)``.

    Returns:
        The near pairs; None where there are more than the memory has room for, by a sample.
    """
    if not len(left) or not len(right):
        return Near(left, right, np.zeros(len(left) + 1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    # A sample takes longer than few texts do, all pairs of which may be near.
    if len(left) * len(right) * PAIR_BYTES > memory < _estimate_pairs(vectors, left, right, threshold) * PAIR_BYTES:
        return None
    # What both sides have comes first on both, in one order: there the lower triangle mirrors the upper one.
    both = np.intersect1d(left, right)
    rows, columns = (np.concatenate([both, np.setdiff1d(side, both)]) for side in (left, right))
    band = error_band(vectors.shape[1], compute_squared_lengths(vectors, np.union1d(left, right)))
    across = np.ascontiguousarray(vectors[columns].T)
    comparison = _Comparison(vectors, rows, columns, across, len(both), threshold, inclusive, band)
    cuts = pairwise((0, len(both), len(rows)))
    strips = [slice(start + one.start, start + one.stop) for start, end in cuts for one in tiles(end - start, TILE[0])]
    found = []
    for strip, pairs in zip(strips, _side_by_side(comparison.near, strips), strict=True):
        found.append(pairs)
        if progress is not None:
            progress("comparing texts", strip.stop, len(rows))
    return _sort_near(found, left, right, comparison)


@dataclass(frozen=True, eq=False)
class _Comparison:
    """Two vocabularies that are compared, those texts first that both have."""

    vectors: FloatMatrix  # unit rows, float32, shape (k, d)
    rows: Rows  # one vocabulary, shape (m,)
    columns: Rows  # the other, shape (n,)
    across: FloatMatrix  # vectors of `columns`, one a column, float32, shape (d, n)
    both: int  # how many texts both have
    threshold: float  # the value that the cosine must exceed
    inclusive: bool  # whether a cosine equal to it is enough
    band: float  # how far a float32 product may be from the exact cosine

    def near(self, strip: slice) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Find the near pairs of a strip of rows: places in ``rows`` and ``columns``, none of them below the diagonal."""
        mine = self.vectors[self.rows[strip]]
        mirrored = strip.start < self.both
        first = strip.start if mirrored else 0
        here, there = [], []
        for step in tiles(len(self.columns) - first, TILE[1]):
            block = self.across[:, first + step.start : first + step.stop]
            cosines = (mine @ block).ravel()
            close = np.flatnonzero(cosines >= self.threshold - self.band)
            row, column = np.divmod(close, block.shape[1])
            row, column = row + strip.start, column + first + step.start
            kept = self._decide(cosines[close], row, column)
            if mirrored:
                kept &= column >= row
            here.append(row[kept].astype(np.int32))
            there.append(column[kept].astype(np.int32))
        return np.concatenate(here), np.concatenate(there)

    def _decide(self, cosines: FloatMatrix, row: Rows, column: Rows) -> NDArray[np.bool_]:
        sure = cosines > self.threshold + self.band
        doubtful = np.flatnonzero(~sure)
        exact = pair_cosines(self.vectors, self.rows[row[doubtful]], self.columns[column[doubtful]])
        sure[doubtful] = exact >= self.threshold if self.inclusive else exact > self.threshold
        return sure


def _sort_near(
    found: list[tuple[NDArray[np.int32], NDArray[np.int32]]], left: Rows, right: Rows, comparison: _Comparison
) -> Near:
    """Mirror what was found above the diagonal, and put the pairs in the order of both vocabularies."""
    place_left = np.searchsorted(left, comparison.rows).astype(np.int32)
    place_right = np.searchsorted(right, comparison.columns).astype(np.int32)
    row, column = (np.concatenate([pairs[end] for pairs in found]) for end in (0, 1))
    found.clear()
    below = np.flatnonzero((row < column) & (column < comparison.both))
    here = np.concatenate([place_left[row], place_left[column[below]]])
    there = np.concatenate([place_right[column], place_right[row[below]]])
    starts = np.concatenate([[0], np.cumsum(np.bincount(here, minlength=len(left)))])
    # One number for each pair, row by row; in place, since there may be many millions.
    keys = here.astype(np.int64)
    keys *= len(right)
    keys += there
    keys.sort()
    keys -= np.repeat(np.arange(len(left)) * len(right), np.diff(starts))
    return Near(left, right, starts, keys.astype(np.int32))


def _estimate_pairs(vectors: FloatMatrix, left: Rows, right: Rows, threshold: float) -> float:
    rng = np.random.default_rng(0)
    pairs = pair_cosines(vectors, rng.choice(left, SAMPLED), rng.choice(right, SAMPLED))
    # One more than was seen, since none seen is not none.
    return (int((pairs >= threshold).sum()) + 1) / SAMPLED * len(left) * len(right)


@dataclass(frozen=True, eq=False)
class NearEdges:
    """The edges of one side, laid out for many joins with edges over the other vocabulary.

    An edge ``(u, v)`` matches some of these edges if ``reached[u] & near_target[v]`` has a bit: if a target near ``v`` is the
    target of an edge whose source is near ``u``.
    """

    near: Near  # the near pairs: texts of the edges to come on its left, those of these edges on its right
    edges: Rows  # places of the ends of these edges in `near.right`, int64, shape (n, 2)
    targets: Rows  # place of each text of the right among the distinct targets, -1 for none, int64, shape (texts,)
    # of each text of the left, the targets of the edges whose source is near, as bits, uint64, shape (texts, words)
    reached: NDArray[np.uint64]
    # of each text of the left, the targets that are near, as bits, uint64, shape (texts, words)
    near_target: NDArray[np.uint64]
    by_source: Rows  # these edges in the order of their sources, int64, shape (n,)
    firsts: Rows  # where the edges of each source start in `by_source`, int64, shape (texts + 1,)

    @classmethod
    def of(cls, near: Near, gold_edges: Rows, *, memory: int = MEMORY) -> NearEdges | None:
        """Sort the edges of one side.

        ``gold_edges`` are rows of the vectors, all in ``near.right``, int64, shape (n, 2). None where the bits take more than the memory.
        """
        edges = np.searchsorted(near.right, gold_edges)
        distinct = np.unique(edges[:, 1])
        if 2 * len(near.left) * _words(len(distinct)) * 8 > memory:
            return None
        targets = places_of(distinct, len(near.right))
        by_source = np.argsort(edges[:, 0], kind="stable")
        firsts = np.searchsorted(edges[by_source, 0], np.arange(len(near.right) + 1))
        shape = len(near.left), _words(len(distinct))
        bits = np.zeros(shape, dtype=np.uint64), np.zeros(shape, dtype=np.uint64)
        found = cls(near, edges, targets, *bits, by_source, firsts)
        found._set_bits()
        return found

    def _set_bits(self) -> None:
        """Write the bits, a strip of texts after the other."""
        near, words = self.near, self.reached.shape[1]
        for strip in tiles(len(near.left), max(1, 8 * CHUNK // (WORD * max(words, 1)))):
            text, pair = _spread(near.starts[strip], near.starts[1:][strip])
            place = near.places[pair]
            table = np.zeros((len(near.starts[strip]), words * WORD), dtype=np.bool_)
            is_target = self.targets[place] >= 0
            table[text[is_target], self.targets[place[is_target]]] = True
            self.near_target[strip] = np.packbits(table, axis=1).view(np.uint64)
            pair, edge = _spread(self.firsts[place], self.firsts[place + 1])
            table = np.zeros_like(table)
            table[text[pair], self.targets[self.edges[self.by_source[edge], 1]]] = True
            self.reached[strip] = np.packbits(table, axis=1).view(np.uint64)

    def join(self, pred_edges: Rows) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Find which edges of each side match an edge of the other: both ends near.

        ``pred_edges`` are rows of the vectors, all in ``near.left``, int64, shape (m, 2).
        """
        pred = np.searchsorted(self.near.left, pred_edges)
        hit_pred, hit_gold = np.zeros(len(pred), dtype=np.bool_), np.zeros(len(self.edges), dtype=np.bool_)

        def look(rows: Rows) -> None:
            hit_pred[rows] = (self.reached[pred[rows, 0]] & self.near_target[pred[rows, 1]]).any(axis=1)

        def serve(rows: Rows) -> None:
            hit_gold[self._serve(pred[rows])] = True

        every = np.arange(len(pred))
        step = max(1, CHUNK // max(1, self.reached.shape[1]))
        list(_side_by_side(look, [every[strip] for strip in tiles(len(pred), step)]))
        hits = np.flatnonzero(hit_pred)
        # Only an edge that matches one can serve one: the others need no list of what is near.
        work = np.cumsum((self.near.starts[1:] - self.near.starts[:-1])[pred[hits, 0]])
        cuts = np.searchsorted(work, np.arange(CHUNK, work[-1] if len(work) else 0, CHUNK))
        list(_side_by_side(serve, np.split(hits, cuts)))
        return hit_pred, hit_gold

    def _serve(self, pred: Rows) -> Rows:
        """List the edges of this side that some edges match."""
        near = self.near
        edge, pair = _spread(near.starts[pred[:, 0]], near.starts[pred[:, 0] + 1])
        place = near.places[pair]
        pair, at = _spread(self.firsts[place], self.firsts[place + 1])
        edge, matched = edge[pair], self.by_source[at]
        target = self.targets[self.edges[matched, 1]]
        ends, end = np.unique(pred[:, 1], return_inverse=True)
        bits = np.unpackbits(self.near_target[ends].view(np.uint8), axis=1).view(np.bool_)
        return np.asarray(matched[bits[end[edge], target]])


def _side_by_side(work: Callable[[Part], Made], parts: Sequence[Part]) -> Iterator[Made]:
    """Do the work on every part, on as many threads as there are cores, and give what it makes in order."""
    if len(parts) < 2:  # noqa: PLR2004 - one thread is no help
        yield from map(work, parts)
        return
    with threads.pool() as pool:
        yield from pool.map(work, parts)


def _words(bits: int) -> int:
    return -(-bits // WORD)


def _spread(starts: Rows, ends: Rows) -> tuple[Rows, Rows]:
    """Write ranges out one after the other: the number of the range, and the place in it."""
    return np.repeat(np.arange(len(starts)), ends - starts), ranges(starts, ends - starts)
