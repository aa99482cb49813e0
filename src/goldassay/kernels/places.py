"""A map of vectors: one order that is cut into halves again and again, so that every part holds vectors that are alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.ragged import places_of
from goldassay.kernels.search import tiles
from goldassay.kernels.types import FloatMatrix, Rows

AXES = 16
"""Principal components that the vectors are projected on."""
SAMPLE = 5_000
"""Vectors that the components are made from, at most: picked at even steps."""
UNCUT = 3
"""Parts of at most so many vectors are not cut."""
TILE = 16_384
"""Vectors that are projected at once."""


def places(vectors: FloatMatrix, rows: Rows) -> Rows:
    """Order vectors so that each half, each half of it, and so on, has similar vectors.

    The vectors are projected on their first principal components. The part of the order from ``low`` to ``high`` is cut at
    ``(low + high) // 2``, along the component in which its vectors differ most: those with the smaller coordinates come first.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        rows: The rows of the vectors, each once, int64, shape (n,).

    Returns:
        The place of each row, a number from 0 to n - 1, int64, shape (n,).
    """
    order = np.arange(len(rows))
    with threads.limit_threads():
        points = _project(vectors, rows)
    cuts = np.array([0, len(rows)]) if len(rows) else np.array([0])
    # One table for all steps: new memory for each takes as long as the arithmetic.
    apart = np.empty(points.shape, dtype=np.float64)
    while np.diff(cuts).max(initial=0) > UNCUT:
        sizes = np.diff(cuts)
        part = np.repeat(np.arange(len(sizes)), sizes)
        means = np.add.reduceat(points, cuts[:-1]) / sizes[:, None]
        np.subtract(points, np.take(means, part, axis=0, out=apart), out=apart)
        spread = np.add.reduceat(np.square(apart, out=apart), cuts[:-1])
        along = np.argmax(spread, axis=1)
        turned = _sort_within(part, points[np.arange(len(points)), along[part]])
        order, points = order[turned], points[turned]
        cuts = np.sort(np.concatenate([cuts, (cuts[:-1] + cuts[1:]) // 2]))
    return places_of(order, len(rows))


def _sort_within(part: Rows, numbers: NDArray[np.float32]) -> Rows:
    """Sort numbers within their parts, equal ones in their order: ``np.lexsort((numbers, part))``, by one key of whole numbers."""
    # The bits of a float are in its order, but for those of negative ones; -0 becomes 0.
    bits = (numbers + np.float32(0)).view(np.int32)
    places = np.where(bits < 0, bits ^ np.iinfo(np.int32).max, bits)
    return np.argsort((part << 32) + places, kind="stable")


def _project(vectors: FloatMatrix, rows: Rows) -> FloatMatrix:
    """Project rows on their first principal components, each turned so that its largest number is positive."""
    chosen = rows[np.linspace(0, len(rows) - 1, min(len(rows), SAMPLE)).astype(np.int64)]
    sample = vectors[chosen].astype(np.float64)
    mean = sample.mean(axis=0) if len(sample) else np.zeros(vectors.shape[1])
    sample -= mean
    components = np.linalg.eigh(sample.T @ sample)[1][:, : -AXES - 1 : -1]
    signs = np.sign(components[np.abs(components).argmax(axis=0), np.arange(components.shape[1])])
    axes = (components * signs).astype(np.float32)
    points: NDArray[np.float32] = np.empty((len(rows), axes.shape[1]), dtype=np.float32)
    centre, room = mean.astype(np.float32), np.empty((min(TILE, len(rows)), vectors.shape[1]), dtype=np.float32)
    for part in tiles(len(rows), TILE):
        some = np.take(vectors, rows[part], axis=0, out=room[: part.stop - part.start], mode="clip")
        np.matmul(np.subtract(some, centre, out=some), axes, out=points[part])
    return points
