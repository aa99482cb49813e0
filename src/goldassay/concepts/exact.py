"""Exact concept F1: a concept counts if the other answer has the same, by text or by id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from goldassay.concepts.matching import AssertedMeasure, ConceptMatching, equal_sides, refuse_without
from goldassay.concepts.model import Concepts
from goldassay.core.context import Context
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
        "medcon compares ids alone, of some semantic groups",
        "the mean over documents; average=micro divides the sums of all documents",
    )

    ids: str = parameter(
        "preferred",
        help="whether concepts are compared by id: preferred = by id if any, else by text; required = only by id",
        choices=("preferred", "required"),
    )

    @property
    def keys(self) -> tuple[str, ...]:
        """The document and the concept as it is compared, unless only ids are."""
        return ("id", "concept") if self.ids == "preferred" else ()

    def match(self, *, pred: Concepts, gold: Concepts, context: Context) -> ConceptMatching:
        """Find the same concept in the other answer.

        Raises:
            UsageError: If ids are required and a concept has none.
        """
        del context
        if self.ids == "required":
            for side, model in (("prediction", pred), ("gold standard", gold)):
                refuse_without("id", model.concept_ids, side, model, owner=str(self))
        matching = equal_sides(pred=self.compared(pred), gold=self.compared(gold))
        return replace(matching, told=self.told(pred=pred, gold=gold))
