"""Types of what kernels take and give."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatMatrix: TypeAlias = NDArray[np.float32]
Rows: TypeAlias = NDArray[np.int64]
Progress: TypeAlias = Callable[[str, int, int], None]
