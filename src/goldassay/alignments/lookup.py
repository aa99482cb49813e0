"""Columns of numbers, by what they number."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Keys: TypeAlias = NDArray[np.int64]
"""Numbers by which rows are compared, int64."""
Rows: TypeAlias = NDArray[np.int32]
"""Rows of a column, int32."""
