"""What measures that compare meanings have in common: they need an encoder, and say which one they used."""

from __future__ import annotations

from dataclasses import dataclass

from goldassay.core.context import Context, Encoder
from goldassay.core.measure import MatchingType, Measure, ModelType, PrecisionRecallMeasure
from goldassay.core.score import Score
from goldassay.encoders import get_encoder

MINILM = "all-MiniLM-L6-v2"
WORDNET_THRESHOLD = 0.436
"""The mean cosine of WordNet synonyms under all-MiniLM-L6-v2: the cut that the source derives, for this encoder."""


@dataclass(frozen=True, kw_only=True)
class MeaningMeasure(Measure[ModelType, MatchingType]):
    """A measure whose items meet by the cosine of their vectors."""

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return True

    def score(self, *, pred: ModelType, gold: ModelType, encoder: str | Encoder = "minilm") -> Score:
        """Score a prediction against a gold standard.

        Args:
            pred: The prediction.
            gold: The gold standard.
            encoder: An encoder or its word; loaded only if it is needed.

        Returns:
            The score. Warns with `UndefinedWarning` when a value was 0/0.

        Raises:
            EncoderError: If the encoder is needed and cannot be had.
        """
        context = Context(encoder=get_encoder(encoder) if self.needs_encoder else None)
        return self.evaluate(pred=pred, gold=gold, context=context)


@dataclass(frozen=True, kw_only=True)
class EncodedMeasure(MeaningMeasure[ModelType, MatchingType], PrecisionRecallMeasure[ModelType, MatchingType]):
    """A precision and recall measure whose items meet by the cosine of their vectors."""
