"""Shared by measures that compare meanings: they need an encoder, and name it in the signature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, Encoder, FloatMatrix, Progress, ignore_progress
from goldassay.core.errors import UsageError
from goldassay.core.intern import StringArray
from goldassay.core.measure import MatchingType, Measure, ModelType, PrecisionRecallMeasure, Score
from goldassay.kernels.cosine import pair_cosines

if TYPE_CHECKING:
    from goldassay.core.curve import Curve

MINILM = "all-MiniLM-L6-v2"
WORDNET_THRESHOLD = 0.436
"""The mean cosine of WordNet synonyms under all-MiniLM-L6-v2: the threshold derived in the source, for this encoder."""
FEWEST_TEXTS = 20
"""From how many texts a side on random pairs of them say something."""
RANDOM_PAIRS = 4096
LENIENT = 1 / 3
BY_CHANCE = "goldassay calibrate PRED --gold GOLD --against-chance 0.01"
"""How a stricter threshold is found."""


def compute_pooled_lengths(
    encoder: Encoder | None, texts: StringArray, *, progress: Progress = ignore_progress
) -> NDArray[np.float32]:
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


def lenient_threshold(
    vectors: FloatMatrix, here: NDArray[np.int64], there: NDArray[np.int64], *, threshold: float, inclusive: bool
) -> str | None:
    """Return that a threshold accepts more than a third of random pairs of texts; None if it does not.

    The share is that of 4,096 pairs, drawn with a fixed seed: a standard error of 0.007 at a third.
    """
    left, right = (np.flatnonzero(np.bincount(rows.ravel(), minlength=1)) for rows in (here, there))
    if min(len(left), len(right)) < FEWEST_TEXTS:
        return None
    rng = np.random.default_rng(0)
    cosines = pair_cosines(vectors, rng.choice(left, RANDOM_PAIRS), rng.choice(right, RANDOM_PAIRS))
    share = float((cosines >= threshold if inclusive else cosines > threshold).mean())
    return f"the threshold accepts {share:.0%} of random pairs of these texts" if share > LENIENT else None


@dataclass(frozen=True, kw_only=True)
class MeaningMeasure(Measure[ModelType, MatchingType]):
    """A measure whose items match by the cosine of their vectors."""

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return True

    def score(
        self, *, pred: Any, gold: Any, encoder: str | Encoder | Callable[[list[str]], Any] = "minilm", **reading: Any
    ) -> Score:
        """Score a prediction against a gold standard."""
        return self.evaluate(**self.models(pred, gold, reading), context=self._context(encoder))

    def curve(
        self,
        *,
        pred: ModelType,
        gold: ModelType,
        context: Context | None = None,
        encoder: str | Encoder = "minilm",
    ) -> Curve:
        """Return the values at every threshold, in one pass; see `Measure.curve`."""
        return super().curve(pred=pred, gold=gold, context=context or self._context(encoder))

    def _context(self, encoder: str | Encoder | Callable[[list[str]], Any]) -> Context:
        if not self.needs_encoder:
            return Context()
        from goldassay.encoders import get_encoder

        return Context(encoder=get_encoder(encoder))


@dataclass(frozen=True, kw_only=True)
class EncodedMeasure(MeaningMeasure[ModelType, MatchingType], PrecisionRecallMeasure[ModelType, MatchingType]):
    """A precision and recall measure whose items match by the cosine of their vectors."""
