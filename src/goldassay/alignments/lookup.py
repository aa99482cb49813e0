"""Fast look-up of texts and numbers among distinct values."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import TextColumn, places_among
from goldassay.core.matching import equal_counterparts

Keys: TypeAlias = NDArray[np.int64]
"""Numbers by which rows are compared, int64."""
Rows: TypeAlias = NDArray[np.int32]
"""Rows of a column, int32."""


def places(of: TextColumn, among: TextColumn) -> Rows:
    """Find texts among distinct others.

    Args:
        of: Texts.
        among: Distinct texts.

    Returns:
        The row of each in ``among``, -1 for none, int32.
    """
    return places_among(of, among)


def rows_of(keys: Keys, among: Keys) -> Keys:
    """Find keys among distinct others.

    Args:
        keys: Keys, int64.
        among: Distinct keys, int64.

    Returns:
        The row of each in ``among``, -1 for none, int64.

    Example:
        >>> rows_of(np.array([3, 9]), np.array([1, 3])).tolist()
        [1, -1]
    """
    return equal_counterparts(keys, among)
