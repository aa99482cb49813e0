"""Upper bounds of cosines from the leading axes of vectors: a third of the work of a product, with a proven error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import ROUNDING, UNIT_TOLERANCE, error_band
from goldassay.kernels.types import FloatMatrix, Rows

SAMPLED = 8192
"""Rows by which the axes are found, at most: any axes give bounds, these are chosen to give tight ones."""
REST = 0.2
"""Mean squared length that the leading axes may leave out (measured on WordNet)."""
LANES = 16
"""Columns of a product that a processor makes at once."""
CHUNK = 2048
"""Rows that are turned at once."""


@dataclass(frozen=True, eq=False)
class Leading:
    """Vectors, and how they are compared at first sight: by leading axes, or as they are.

    Attributes:
        vectors: Unit rows, float32, shape (k, d).
        coordinates: Coordinates on the leading axes, and the length of what these leave out, float32, shape
            (k, leading + 1); the vectors themselves where axes save no time. Rows that were not asked for hold anything.
        band: How far the float32 product of two vectors may be from their cosine.
        excess: By how much the cosine may exceed the float32 product of two rows of ``coordinates``.
    """

    vectors: FloatMatrix
    coordinates: FloatMatrix
    band: float
    excess: float

    @classmethod
    def of(cls, vectors: FloatMatrix, rows: Rows, squared: NDArray[np.float64], *, many: bool) -> Leading:
        """Find the leading axes of some rows, and their coordinates.

        Args:
            vectors: Unit rows, float32, shape (k, d).
            rows: The rows that will be compared, int64, shape (n,).
            squared: Their squared lengths, float64, shape (n,).
            many: Whether there are enough pairs for leading axes to save time.

        Example:
            >>> vectors = np.array([[1, 0], [0.8, 0.6]], dtype=np.float32)
            >>> sight = Leading.of(vectors, np.array([0, 1]), np.ones(2), many=True)
            >>> bool(sight.coordinates[0] @ sight.coordinates[1] + sight.excess >= 0.8)
            True
        """
        band = error_band(vectors.shape[1], squared)
        axes = leading_axes(vectors[rows[:: -(-len(rows) // SAMPLED)]]) if many and len(rows) else None
        if axes is None:
            return cls(vectors, vectors, band, band)
        turning, excess = errors(axes)
        return cls(vectors, _rotate(vectors, rows, squared, axes, turning), band, excess)


def leading_axes(sample: FloatMatrix) -> FloatMatrix | None:
    """Choose the axes that leave out little of a sample, as columns; None where they are more than half of all."""
    _, axes = np.linalg.eigh((sample.T @ sample).astype(np.float64))
    axes = np.ascontiguousarray(axes[:, ::-1], dtype=np.float32)
    kept = np.cumsum(((sample @ axes) ** 2).mean(axis=0, dtype=np.float64))
    enough = int(np.searchsorted(kept, kept[-1] - REST)) + 1
    # One column more is the length of the rest.
    columns = -(-(enough + 1) // LANES) * LANES - 1
    return np.ascontiguousarray(axes[:, :columns]) if 2 * columns < sample.shape[1] else None


def errors(axes: FloatMatrix) -> tuple[float, float]:
    """Bound the error of coordinates, and by how much a cosine exceeds a product; derived in docs/decisions/0072, "Leading axes"."""
    dimension, leading = axes.shape
    length, unit = 1.0 + UNIT_TOLERANCE, 2.0**-24
    exact = axes.astype(np.float64)
    skew = float(np.linalg.norm(exact.T @ exact - np.eye(leading)))
    rounding, last = (terms * unit / (1.0 - terms * unit) for terms in (dimension, leading + 1))
    turning = (rounding * leading**0.5 * (1.0 + skew) + skew) * length
    extra = 2.0 * turning * (length + turning) + turning**2
    return turning, extra + last * (length**2 + extra) + UNIT_TOLERANCE + 2.0 * ROUNDING


def _rotate(
    vectors: FloatMatrix, rows: Rows, squared: NDArray[np.float64], axes: FloatMatrix, turning: float
) -> FloatMatrix:
    """Compute the coordinates of some rows, and a bound on the length of the rest of each."""
    found = np.empty((len(vectors), axes.shape[1] + 1), dtype=np.float32)
    for start in range(0, len(rows), CHUNK):
        part = rows[start : start + CHUNK]
        chunk = vectors[part] @ axes
        known = np.maximum(np.sqrt(np.vecdot(chunk, chunk, dtype=np.float64)) - turning, 0.0)
        rest = np.sqrt(np.maximum(squared[start : start + CHUNK] - known**2, 0.0))
        found[part] = np.column_stack([chunk, rest.astype(np.float32)])
    return found
