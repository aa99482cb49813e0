"""Columns of numbers, by what they number, and the best row of each number."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Keys: TypeAlias = NDArray[np.int64]
"""Numbers by which rows are compared, int64."""
Rows: TypeAlias = NDArray[np.int32]
"""Rows of a column, int32."""


def best_rows(scores: NDArray[np.float64], *keys: NDArray[Any]) -> Keys:
    """Find the row of the highest score, and of these the first, of each combination of keys; in the order of rows.

    Example:
        >>> best_rows(np.array([0.1, 0.9, 0.5]), np.array([7, 7, 8])).tolist()
        [1, 2]
    """
    order = np.lexsort((-scores, *keys))
    columns = np.column_stack(keys)[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (columns[1:] != columns[:-1]).any(axis=1)
    return np.sort(order[first])
