"""Exact concept F1: a concept counts if the other answer has the same, by text or by id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.matching import AssertedMeasure, ConceptMatching, equal_concepts
from goldassay.concepts.model import Concepts
from goldassay.concepts.pairing import paired
from goldassay.core.context import Context
from goldassay.core.errors import UsageError
from goldassay.core.matching import NONE_MET, Side
from goldassay.core.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class ConceptExact(AssertedMeasure):
    """A concept is hit if the other answer has a concept of the same id, or of the same text if there are no ids.

    Attributes:
        average: ``macro`` takes the mean of the values of the documents, ``micro`` divides their sums.
        assertions: Whether what a text says of a concept has to be equal: ``match``, ``ignore`` or ``report``.
        numbers: Whether numbers with units have to be of equal value: ``exact`` or ``ignore``.
        ids: ``preferred`` compares ids, and texts where there are no ids; ``required`` rejects concepts without an id.

    Example:
        >>> gold = Concepts.from_lists([("q1", [("heart attack", "C0027051"), ("smoking", "C0037369")])])
        >>> pred = Concepts.from_lists([("q1", [("myocardial infarction", "C0027051")])])
        >>> ConceptExact(ids="required").score(pred=pred, gold=gold).recall
        0.5
    """

    name: ClassVar[str] = "concept_exact"
    title: ClassVar[str] = "Exact concept F1"
    formula: ClassVar[str] = (
        r"P = \frac{|C(y) \cap C(\hat y)|}{|C(y)|},\quad R = \frac{|C(y) \cap C(\hat y)|}{|C(\hat y)|}"
    )
    citation: ClassVar[str] = "yim2023acibench"
    conventions: ClassVar[tuple[str, ...]] = (
        "ids=required corresponds to MEDCON if concepts have UMLS ids, without its choice of semantic groups",
        "the mean over documents; average=micro divides the sums of all documents",
    )

    ids: str = parameter(
        "preferred",
        help="whether concepts are compared by id: preferred = by id if any, else by text; required = only by id",
        choices=("preferred", "required"),
    )

    def match(self, *, pred: Concepts, gold: Concepts, context: Context) -> ConceptMatching:
        """Find the same concept in the other answer.

        Raises:
            UsageError: If ids are required and a concept has none.
        """
        del context
        if self.ids == "required":
            for side, model in (("prediction", pred), ("gold standard", gold)):
                _refuse_without_id(side, model)
        told = self.told(pred=pred, gold=gold)
        pred, gold = self.compared(pred), self.compared(gold)
        pairs = paired(pred=pred, gold=gold)
        equal = equal_concepts(pred=pred, gold=gold, pairs=pairs)
        return ConceptMatching(
            pred=_side(equal[0]), gold=_side(equal[1]), pred_items=pred, gold_items=gold, pairs=pairs, told=told
        )


def _side(equal: NDArray[np.int64]) -> Side:
    met = equal != NONE_MET
    return Side(credit=met.astype(np.float64), counterpart=equal, similarity=np.where(met, 1.0, np.nan))


def _refuse_without_id(side: str, model: Concepts) -> None:
    without = np.flatnonzero(model.concept_ids[model.words] == "")
    if len(without):
        raise UsageError(
            f"concept_exact(ids=required): {len(without):,} concepts of the {side} have no id.",
            found=model.item(int(without[0])),
            expected='texts with ids: {"text": "heart attack", "id": "C0027051"}',
            hint="find concepts by a dictionary, which gives them ids: --dictionary ONTOLOGY",
        )
