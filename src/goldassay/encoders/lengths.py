"""How long vectors were before they were brought to length 1: a few published scores let long vectors weigh more."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Encoder, Progress, StringArray, silent
from goldassay.core.errors import UsageError


def pooled_lengths(encoder: Encoder | None, texts: StringArray, *, progress: Progress = silent) -> NDArray[np.float32]:
    """Ask an encoder, or the one within a cache, how long the vectors of texts were before they were brought to 1.

    Args:
        encoder: The encoder.
        texts: Any texts, shape (n,).
        progress: Called as texts are done; lengths are not cached.

    Returns:
        Lengths, float32, shape (n,).

    Raises:
        UsageError: If the encoder does not know.
    """
    knows: Any = getattr(encoder, "encoder", encoder)
    if not hasattr(knows, "lengths"):
        raise UsageError(
            "The encoder does not tell how long its vectors were before they were brought to length 1.",
            found=getattr(encoder, "name", None),
            expected="minilm",
            hint="leave out pooled=true",
        )
    lengths: NDArray[np.float32] = knows.lengths(texts.tolist(), progress=progress)
    return lengths
