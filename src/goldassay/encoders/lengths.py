"""The length of vectors before normalisation: a few published scores weight vectors by it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Encoder, Progress, silent
from goldassay.core.errors import UsageError
from goldassay.core.intern import StringArray


def pooled_lengths(encoder: Encoder | None, texts: StringArray, *, progress: Progress = silent) -> NDArray[np.float32]:
    """Return the lengths of the vectors of texts before normalisation, from an encoder or the one within a cache."""
    knows: Any = getattr(encoder, "encoder", encoder)
    if not hasattr(knows, "lengths"):
        raise UsageError(
            "The encoder does not provide the lengths of its vectors before normalisation.",
            found=getattr(encoder, "name", None),
            expected="minilm",
            hint="remove pooled=true",
        )
    lengths: NDArray[np.float32] = knows.lengths(texts.tolist(), progress=progress)
    return lengths
