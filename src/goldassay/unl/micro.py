"""Shared by the micro-averaged measures: items of all sentences, matched within each pair of sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from goldassay.core.context import Context, Progress, silent
from goldassay.core.intern import numbered
from goldassay.core.matching import NONE_MET, Evidence, Matching, Side, SideName
from goldassay.core.measure import PrecisionRecallMeasure
from goldassay.kernels.keys import met, packed
from goldassay.kernels.search import Rows
from goldassay.unl.items import SentenceItems
from goldassay.unl.model import Document
from goldassay.unl.pairing import partners

PRECISION_RECALL = (
    r"P = \frac{\sum_s |I'_s \cap I_s|}{\sum_s |I'_s|},\quad R = \frac{\sum_s |I'_s \cap I_s|}{\sum_s |I_s|}"
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ItemMatching(Matching[SentenceItems]):
    """Items and their verdicts; the evidence names the first part of each: relation label or position.

    Attributes:
        unsure: How a better matching might differ, in one sentence; None if this one is proven to be the best.
    """

    unsure: str | None = None

    def evidence(
        self, side: SideName, rows: np.ndarray[tuple[int, ...], np.dtype[np.int64]], *, progress: Progress = silent
    ) -> Evidence:
        """Look up the counterpart of some items."""
        found = super().evidence(side, rows, progress=progress)
        return replace(found, details={"label": np.array(self._items(side).column(0, rows), dtype=object)})


@dataclass(frozen=True, kw_only=True)
class MicroMeasure(PrecisionRecallMeasure[Document, ItemMatching]):
    """Precision and recall over items of all sentences, each sentence compared only with its partner."""

    family: ClassVar[str] = "unl"
    unit: ClassVar[str] = "sentence"
    sums_over_records: ClassVar[bool] = False
    formula: ClassVar[str] = PRECISION_RECALL
    citation: ClassVar[str] = "unlwiki2013fmeasure"
    conventions: ClassVar[tuple[str, ...]] = ("items are multisets, as in the F-measure of the wiki",)

    @abstractmethod
    def items(self, document: Document) -> SentenceItems:
        """List the items of all sentences."""

    def match(self, *, pred: Document, gold: Document, context: Context) -> ItemMatching:
        """Find the items that are in both sentences of a pair."""
        del context
        here, there = self.items(pred), self.items(gold)
        return item_matching(pred=here, gold=there, keys=paired_keys(here, there, partners(pred, gold)))

    def unit_keys(self, items: SentenceItems) -> Sequence[str]:
        """Return the sentence of each item, since errors within a sentence are correlated."""
        return items.owners


def item_matching(*, pred: SentenceItems, gold: SentenceItems, keys: tuple[Rows, Rows]) -> ItemMatching:
    """Match items with equal keys, the first with the first, the second with the second."""
    here, there = met(*keys)
    return ItemMatching(pred=Side.of_equals(here), gold=Side.of_equals(there), pred_items=pred, gold_items=gold)


def paired_keys(pred: SentenceItems, gold: SentenceItems, partner: Rows) -> tuple[Rows, Rows]:
    """Number the items of both sides: those of paired sentences are equal where their words are."""
    # A sentence that has no partner has a number that no expected one has.
    pairs = np.where(partner == NONE_MET, len(gold.names) + np.arange(len(partner)), partner)
    columns = [np.concatenate([pairs[pred.rows], gold.rows])]
    for place, words in enumerate(zip(pred.words, gold.words, strict=True)):
        _, (here, there) = numbered(*words)
        columns.append(np.concatenate([here[pred.parts[:, place]], there[gold.parts[:, place]]]))
    keys = packed(*columns)
    return keys[: len(pred)], keys[len(pred) :]
