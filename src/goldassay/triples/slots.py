"""Subjects, predicates or objects alone: how many of the names that stand in a slot are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.core.context import Context
from goldassay.core.documents import DocumentPairs
from goldassay.core.parameters import parameter
from goldassay.triples.matching import DocumentMatching
from goldassay.triples.measure import DocumentMeasure
from goldassay.triples.model import SLOTS, Triples
from goldassay.triples.names import NameItems, names_met


@dataclass(frozen=True, kw_only=True)
class Slots(DocumentMeasure[DocumentMatching[NameItems]]):
    """The names in one slot of the triples of a document, each as often as it stands there, whatever stands beside it.

    Attributes:
        slot: Which slot.

    Example:
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "in", "Norway")]})
        >>> pred = Triples.from_lists({"d": [("Oslo", "capital of", "Sweden")]})
        >>> Slots(slot="subject").score(pred=pred, gold=gold).format()
        'slots(slot=subject): precision 1.0000, recall 0.5000, f1 0.6667'
    """

    name: ClassVar[str] = "slots"
    title: ClassVar[str] = "F1 of one slot"
    formula: ClassVar[str] = (
        r"h = \sum_d \sum_n \min(P_d^{slot}(n), G_d^{slot}(n)),\quad P = \frac{h}{|P|},\quad R = \frac{h}{|G|}"
    )
    citation: ClassVar[str] = "castroferreira2020"

    slot: str = parameter("predicate", help="which slot", choices=SLOTS, always=True)

    def meet(
        self, *, pred: Triples, gold: Triples, pairs: DocumentPairs, context: Context
    ) -> DocumentMatching[NameItems]:
        """Let equal names in the slot meet, one to one."""
        del context
        return names_met(pred=pred, gold=gold, pairs=pairs, slots=(SLOTS.index(self.slot),), often=True)
