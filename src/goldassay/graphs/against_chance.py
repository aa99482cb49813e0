"""The threshold that two vocabularies need: how alike an encoder finds random pairs of their texts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, Encoder, Progress, silent
from goldassay.core.errors import InputError, UsageError
from goldassay.encoders import get_encoder
from goldassay.encoders.measure import WORDNET_THRESHOLD
from goldassay.graphs.model import Graph
from goldassay.graphs.texts import numbered_texts
from goldassay.kernels.cosine import pair_cosines

ALL_PAIRS = 1_000_000
"""Up to so many pairs all are looked at, and as many are drawn where there are more."""
STEP = 1000
"""Thresholds are written to three places."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ChanceThreshold:
    """The cosine that random pairs of two vocabularies exceed with a given probability.

    Attributes:
        cosines: Cosines of all pairs of different texts, or of a sample of them, ascending, float64, shape (pairs,).
    """

    alpha: float
    encoder: str
    texts: tuple[int, int]
    cosines: NDArray[np.float64] = field(repr=False)
    sampled: bool

    @property
    def threshold(self) -> float:
        """The lowest threshold, to three places, that no greater share of the pairs exceeds than ``alpha``."""
        beyond = math.floor(self.alpha * len(self.cosines))
        lowest = float(self.cosines[len(self.cosines) - 1 - beyond])
        return math.ceil(round(lowest * STEP, 9)) / STEP

    def share_above(self, threshold: float) -> float:
        """Return the share of the pairs that exceed a threshold."""
        return 1.0 - float(np.searchsorted(self.cosines, threshold, side="right")) / len(self.cosines)

    @property
    def spec(self) -> str:
        """The measure with the threshold, to paste behind ``-m``."""
        return f"fuzzy(threshold={self.threshold:g})"

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain values."""
        return {
            "alpha": self.alpha,
            "threshold": self.threshold,
            "share_above": self.share_above(self.threshold),
            "share_above_default": self.share_above(WORDNET_THRESHOLD),
            "encoder": self.encoder,
            "texts": {"pred": self.texts[0], "gold": self.texts[1]},
            "pairs": len(self.cosines),
            "sampled": self.sampled,
            "measure": self.spec,
        }


def threshold_against_chance(
    pred: Graph,
    gold: Graph,
    *,
    alpha: float = 0.01,
    encoder: str | Encoder = "minilm",
    progress: Progress = silent,
    seed: int = 0,
) -> ChanceThreshold:
    """Find the threshold that two different random texts, one a side, pass with a given probability.

    An edge meets a given edge by chance when both its ends do, so about with the square of that probability.

    Args:
        pred: The prediction.
        gold: The gold standard.
        alpha: The probability.
        encoder: An encoder or its name.
        progress: Called as texts are encoded.
        seed: Where the sample starts, if there are more than a million pairs.

    Raises:
        UsageError: If the probability lies not between 0 and 1.
        InputError: If a side has no text.
        EncoderError: If the encoder is not available.

    Example:
        >>> gold = Graph.from_edges([("cat", "animal"), ("dog", "animal")])
        >>> threshold_against_chance(gold, gold, alpha=0.5, encoder="hashing").share_above(0.99) < 0.5
        True
    """
    if not 0 < alpha < 1:
        raise UsageError("The probability is between 0 and 1.", found=f"{alpha:g}", hint="--against-chance 0.01")
    for side in (pred, gold):
        if not len(side.texts):
            raise InputError("There are no texts.", path=side.path, expected="a graph with nodes")
    context = Context(encoder=get_encoder(encoder), progress=progress)
    context.vectors(np.concatenate([pred.texts, gold.texts]))
    (vectors, here), (_, there) = (context.vectors(numbered_texts(side.texts)[0]) for side in (pred, gold))
    pairs = len(here) * len(there)
    sampled = pairs > ALL_PAIRS
    drawn = np.random.default_rng(seed).integers(0, pairs, ALL_PAIRS) if sampled else np.arange(pairs)
    left, right = here[drawn // len(there)], there[drawn % len(there)]
    # Equal texts meet because they are the same, not by chance; in a small shared vocabulary they would be many.
    different = left != right
    if not different.any():
        raise InputError("There is no pair of different texts.", path=gold.path, expected="two vocabularies")
    cosines = np.sort(pair_cosines(vectors, left[different], right[different]))
    used = context.encoder
    name = f"{used.name}@{used.fingerprint[:8]}" if used else ""
    return ChanceThreshold(alpha=alpha, encoder=name, texts=(len(here), len(there)), cosines=cosines, sampled=sampled)
