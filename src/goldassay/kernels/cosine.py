"""The cosine of two rows: the basis of every decision of the kernels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

CHUNK_BYTES = 2**20
"""Bytes for one step of a row-wise loop: small enough for the cache of one core, and for memory that is used again
(measured: eight times as many take four times as long)."""

ROUNDING = 2.0**-22
"""Tolerance for rounding a threshold, a price or a bound below 4 to float32: two roundings, 2**-23 each at most."""

UNIT_TOLERANCE = 1e-4
"""How far the squared length of a unit row may be from 1; float32 rounding stays below a hundredth of it."""


def pair_cosines(
    vectors: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Compute the cosine of each pair of rows, in float64, pair by pair.

    A cosine depends only on its two rows: neither on the other pairs, nor on their order, nor on which of the two
    rows comes first. Two equal rows have cosine 1 exactly.

    Args:
        vectors: Rows of any length but 0, float32, shape (k, d).
        left: Rows of ``vectors``, shape (n,).
        right: Rows of ``vectors``, shape (n,).

    Returns:
        Cosines in [-1, 1], float64, shape (n,).
    """
    cosines = np.ones(len(left), dtype=np.float64)
    apart = np.flatnonzero(left != right)
    for chunk_of in row_chunks(len(apart), vectors.shape[1]):
        part = apart[chunk_of]
        a = vectors[left[part]].astype(np.float64)
        b = vectors[right[part]].astype(np.float64)
        # One dot product per row: the order of a sum over many rows would depend on the shape of the batch.
        lengths = np.sqrt(np.vecdot(a, a)) * np.sqrt(np.vecdot(b, b))
        chunk = np.clip(np.vecdot(a, b) / lengths, -1.0, 1.0)
        alike = np.flatnonzero(chunk > 1.0 - UNIT_TOLERANCE)
        chunk[alike[(a[alike] == b[alike]).all(axis=1)]] = 1.0
        cosines[part] = chunk
    return cosines


def edge_similarities(
    vectors: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Compute the similarity of each pair of edges, the lower of the cosines of their ends, in float64, pair by pair.

    ``left`` and ``right`` have a source and a target each, int64, shape (n, 2); all else is as for `pair_cosines`.
    """
    sources = pair_cosines(vectors, left[:, 0], right[:, 0])
    return np.minimum(sources, pair_cosines(vectors, left[:, 1], right[:, 1]))


def cosines_of_distinct(
    vectors: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Compute the cosines of the distinct rows of two lists, in float64, and the place of each given row among them."""
    here, here_at = np.unique(left, return_inverse=True)
    there, there_at = np.unique(right, return_inverse=True)
    return _directions(vectors[here]) @ _directions(vectors[there]).T, here_at, there_at


def _directions(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Scale rows to length 1 in float64, since float32 rounds it."""
    exact = rows.astype(np.float64)
    return np.asarray(exact / np.linalg.norm(exact, axis=1, keepdims=True))


def compute_squared_lengths(vectors: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute the squared Euclidean length of rows, and reject rows that are not unit vectors.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        rows: Rows of ``vectors``, shape (n,).

    Returns:
        Squared lengths, float64, shape (n,); equal rows have equal lengths.

    Raises:
        ValueError: If a row is not of length 1, or holds what is not a number.
    """
    lengths = np.empty(len(rows), dtype=np.float64)
    for part in row_chunks(len(rows), vectors.shape[1]):
        chunk = vectors[rows[part]].astype(np.float64)
        lengths[part] = np.vecdot(chunk, chunk)
    wrong = np.flatnonzero(~(np.abs(lengths - 1.0) <= UNIT_TOLERANCE))
    if len(wrong):
        row = rows[wrong[0]]
        raise ValueError(f"row {row} of the vectors has squared length {lengths[wrong[0]]}; expected a unit vector")
    return lengths


def error_band(dimension: int, squared: NDArray[np.float64]) -> float:
    """Bound the distance between a float32 dot product of two rows and their ``pair_cosines``.

    A sum of d float32 products, in any order, is wrong by at most d * u / (1 - d * u) times the product of the two
    lengths, u = 2**-24 (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 3.1). To this are
    added the distance of the squared lengths from 1, since the cosine divides by them, and ``ROUNDING``. Derived in
    docs/kernels.md, "The band".

    Args:
        dimension: Length of a row.
        squared: Squared lengths of the rows, shape (n,).

    Returns:
        The bound.
    """
    slack = float(np.abs(squared - 1.0).max(initial=0.0))
    rounding = dimension * 2.0**-24
    return (rounding / (1.0 - rounding) + ROUNDING) * (1.0 + slack) + slack


def row_chunks(rows: int, dimension: int) -> Iterator[slice]:
    """Cut rows of a float64 matrix into slices of a megabyte."""
    step = max(1, CHUNK_BYTES // (16 * max(1, dimension)))
    return (slice(start, start + step) for start in range(0, rows, step))
