"""Which texts are near which, kept: for many joins of edges over the same two vocabularies.

A join that looks at vectors prunes what it can and forgets the rest. Where edges are drawn again and again over the same
texts, it is cheaper to decide once which texts are near which, and to join edges by that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import error_band, pair_cosines, squared_lengths
from goldassay.kernels.ragged import ranges
from goldassay.kernels.search import MEMORY, FloatMatrix, Progress, Rows

SAMPLED = 4096
"""Pairs by which the number of near ones is estimated."""
PAIR_BYTES = 16
"""What a near pair takes while it is found."""
CHUNK = 2**21
"""Pairs of edges that are looked at at once."""


@dataclass(frozen=True, eq=False)
class Near:
    """The pairs of texts of two vocabularies whose cosine passes a threshold.

    Attributes:
        left: Rows of the vectors of one vocabulary, ascending, int64, shape (m,).
        right: Rows of the vectors of the other, ascending, int64, shape (n,).
        starts: The texts near the text ``i`` of the left are ``places[starts[i]:starts[i + 1]]``, int64, shape (m + 1,).
        places: Places in ``right``, int32, shape (pairs,).
    """

    left: Rows
    right: Rows
    starts: Rows
    places: NDArray[np.int32]


def near_texts(
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
    error.

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

    Example:
        >>> vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
        >>> near = near_texts(vectors, np.array([0, 2]), np.array([0, 1]), threshold=0.7)
        >>> near.starts.tolist(), near.places.tolist()
        ([0, 2, 2], [0, 1])
    """
    if not len(left) or not len(right):
        return Near(left, right, np.zeros(len(left) + 1, dtype=np.int64), np.zeros(0, dtype=np.int32))
    if _estimated_pairs(vectors, left, right, threshold) * PAIR_BYTES > memory:
        return None
    band = error_band(vectors.shape[1], squared_lengths(vectors, np.union1d(left, right)))
    other = np.ascontiguousarray(vectors[right].T)
    step = max(1, memory // (16 * len(right)))
    counts, places = [], []
    for start in range(0, len(left), step):
        if progress is not None:
            progress("comparing texts", start, len(left))
        rows = left[start : start + step]
        cosines = vectors[rows] @ other
        here, there = np.nonzero(cosines >= threshold - band)
        sure = cosines[here, there] > threshold + band
        doubtful = np.flatnonzero(~sure)
        exact = pair_cosines(vectors, rows[here[doubtful]], right[there[doubtful]])
        sure[doubtful] = exact >= threshold if inclusive else exact > threshold
        counts.append(np.bincount(here[sure], minlength=len(rows)))
        places.append(there[sure].astype(np.int32))
    starts = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)
    return Near(left, right, starts, np.concatenate(places))


def _estimated_pairs(vectors: FloatMatrix, left: Rows, right: Rows, threshold: float) -> float:
    rng = np.random.default_rng(0)
    pairs = pair_cosines(vectors, rng.choice(left, SAMPLED), rng.choice(right, SAMPLED))
    # One more than was seen, since none seen is not none.
    return (int((pairs >= threshold).sum()) + 1) / SAMPLED * len(left) * len(right)


def near_join(
    near: Near, pred_edges: Rows, gold_edges: Rows, *, memory: int = MEMORY
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Find which edges of each side meet an edge of the other: both ends near.

    Args:
        near: The near pairs of their texts.
        pred_edges: Source and target of each edge as rows of the vectors, all in ``near.left``, int64, shape (m, 2).
        gold_edges: The same for the other side, all in ``near.right``, int64, shape (n, 2).
        memory: Bytes that may be used.

    Returns:
        The verdict on each edge of both sides, bool, shapes (m,) and (n,).

    Example:
        >>> vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
        >>> near = near_texts(vectors, np.array([0, 2]), np.array([1, 2]), threshold=0.7)
        >>> [side.tolist() for side in near_join(near, np.array([[0, 2], [2, 0]]), np.array([[1, 2]]))]
        [[True, False], [True]]
    """
    hit_pred, hit_gold = np.zeros(len(pred_edges), dtype=np.bool_), np.zeros(len(gold_edges), dtype=np.bool_)
    if not len(pred_edges) or not len(gold_edges):
        return hit_pred, hit_gold
    pred, gold = np.searchsorted(near.left, pred_edges), np.searchsorted(near.right, gold_edges)
    anchor, pairs = _anchor(near, pred, gold)
    by_anchor = np.argsort(gold[:, anchor], kind="stable")
    firsts = np.searchsorted(gold[by_anchor, anchor], np.arange(len(near.right) + 1))
    order = np.argsort(pred[:, 1 - anchor], kind="stable")
    other = pred[order, 1 - anchor]
    block = max(1, memory // (8 * len(near.right)))
    first = 0
    while first < len(order):
        # So many edges at once as have not too many other ends, and not too many pairs; one at the least.
        distinct = np.cumsum(np.diff(other[first:], prepend=-1) != 0)
        many = np.cumsum(pairs[order[first:]])
        fits = int(np.searchsorted(distinct, block, side="right")), int(np.searchsorted(many, CHUNK, side="right"))
        taken = max(1, min(fits))
        rows = order[first : first + taken]
        ends = np.unique(other[first : first + taken])
        table = np.zeros((len(ends), len(near.right)), dtype=np.bool_)
        mine, there = _spread(near.starts[ends], near.starts[ends + 1])
        table[mine, near.places[there]] = True
        edge, text = _spread(near.starts[pred[rows, anchor]], near.starts[pred[rows, anchor] + 1])
        texts = near.places[text]
        pair, place = _spread(firsts[texts], firsts[texts + 1])
        edge, met = edge[pair], by_anchor[place]
        both = table[np.searchsorted(ends, pred[rows, 1 - anchor])[edge], gold[met, 1 - anchor]]
        hit_pred[rows[edge[both]]] = True
        hit_gold[met[both]] = True
        first += taken
    return hit_pred, hit_gold


def _anchor(near: Near, pred: Rows, gold: Rows) -> tuple[int, Rows]:
    """Choose the end by which fewer pairs of edges have to be looked at, and count these for each edge."""
    found = []
    for end in (0, 1):
        edges = np.bincount(gold[:, end], minlength=len(near.right))
        sums = np.concatenate([[0], np.cumsum(edges[near.places])])
        by_text = sums[near.starts[1:]] - sums[near.starts[:-1]]
        found.append(by_text[pred[:, end]])
    anchor = int(found[1].sum() < found[0].sum())
    return anchor, found[anchor]


def _spread(starts: Rows, ends: Rows) -> tuple[Rows, Rows]:
    """Write ranges out one after the other: the number of the range, and the place in it."""
    return np.repeat(np.arange(len(starts)), ends - starts), ranges(starts, ends - starts)
