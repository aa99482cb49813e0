"""Shared by the micro-averaged measures: items of all sentences, matched within each pair of sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from goldassay.core.context import Context, Progress, silent
from goldassay.core.matching import NONE_MET, Evidence, Matching, Side, SideName
from goldassay.core.measure import PrecisionRecallMeasure
from goldassay.unl.model import Document, Sentence
from goldassay.unl.pairing import partners

PRECISION_RECALL = (
    r"P = \frac{\sum_s |I'_s \cap I_s|}{\sum_s |I'_s|},\quad R = \frac{\sum_s |I'_s \cap I_s|}{\sum_s |I_s|}"
)


@dataclass(frozen=True)
class SentenceItems:
    """Items of sentences, one per row.

    Attributes:
        names: The name of each sentence.
        rows: Which sentence each item is in.
        items: The items.
        columns: The parts of an item: ``label``, ``position``, ``attribute``.
    """

    names: tuple[str, ...]
    rows: tuple[int, ...]
    items: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.items)

    def item(self, row: int) -> str:
        """Return the display name of one item: its sentence and its parts."""
        return f"S:{self.names[self.rows[row]]} {' '.join(self.items[row])}"


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
        items = self._items(side)
        return replace(found, details={"label": np.array([items.items[row][0] for row in rows.tolist()], dtype=object)})


@dataclass(frozen=True, kw_only=True)
class MicroMeasure(PrecisionRecallMeasure[Document, ItemMatching]):
    """Precision and recall over items of all sentences, each sentence compared only with its partner."""

    family: ClassVar[str] = "unl"
    unit: ClassVar[str] = "sentence"
    columns: ClassVar[tuple[str, ...]]
    sums_over_records: ClassVar[bool] = False
    formula: ClassVar[str] = PRECISION_RECALL
    citation: ClassVar[str] = "unlwiki2013fmeasure"
    conventions: ClassVar[tuple[str, ...]] = ("items are multisets, as in the F-measure of the wiki",)

    @abstractmethod
    def items(self, sentence: Sentence) -> list[tuple[str, ...]]:
        """List the items of one graph."""

    def match(self, *, pred: Document, gold: Document, context: Context) -> ItemMatching:
        """Find the items that are in both sentences of a pair."""
        del context
        partner = partners(pred, gold).tolist()
        here, there = self.laid_out(pred), self.laid_out(gold)
        return item_matching(
            pred=here,
            gold=there,
            pred_keys=((partner[row], item) for row, item in zip(here.rows, here.items, strict=True)),
            gold_keys=zip(there.rows, there.items, strict=True),
        )

    def unit_keys(self, items: SentenceItems) -> Sequence[str]:
        """Return the sentence of each item, since errors within a sentence are correlated."""
        return [items.names[row] for row in items.rows]

    def laid_out(self, document: Document) -> SentenceItems:
        """List the items of all sentences."""
        pairs = [(row, item) for row, sentence in enumerate(document.sentences) for item in self.items(sentence)]
        names = tuple(name or str(row + 1) for row, name in enumerate(document.ids))
        return SentenceItems(names, tuple(row for row, _ in pairs), tuple(item for _, item in pairs), self.columns)


def item_matching(
    *,
    pred: SentenceItems,
    gold: SentenceItems,
    pred_keys: Iterable[tuple[int, tuple[object, ...]]],
    gold_keys: Iterable[tuple[int, tuple[object, ...]]],
) -> ItemMatching:
    """Match items with equal keys: the row of the expected sentence, and the compared parts."""
    here, there = list(_numbered(pred_keys)), list(_numbered(gold_keys))
    return ItemMatching(pred=_side(here, there), gold=_side(there, here), pred_items=pred, gold_items=gold)


def _numbered(pairs: Iterable[tuple[int, tuple[object, ...]]]) -> Iterator[tuple[int, tuple[object, ...], int]]:
    """Number equal items of one sentence, so that the second one matches the second one of the other side."""
    seen: Counter[tuple[int, tuple[object, ...]]] = Counter()
    for pair in pairs:
        yield (*pair, seen[pair])
        seen[pair] += 1


def _side(here: list[tuple[int, tuple[object, ...], int]], there: list[tuple[int, tuple[object, ...], int]]) -> Side:
    rows = {key: row for row, key in enumerate(there)}
    counterpart = np.array([rows.get(key, NONE_MET) for key in here], dtype=np.int64)
    return Side.of_equals(counterpart)
