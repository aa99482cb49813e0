"""Micro-averaged precision, recall and F1 of relations, universal words and attributes, matched within each pair of sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.intern import number_columns
from goldassay.core.matching import Matching, Side, SideName
from goldassay.core.measure import PrecisionRecallMeasure
from goldassay.core.parameters import parameter
from goldassay.kernels.keys import join_equal
from goldassay.kernels.types import Rows
from goldassay.unl.match import (
    Alignment,
    SentenceItems,
    align,
    edges,
    list_attributes,
    list_relations,
    list_uws,
    pair_keys,
    partners,
)
from goldassay.unl.model import Document

PRECISION_RECALL = (
    r"P = \frac{\sum_s |I'_s \cap I_s|}{\sum_s |I'_s|},\quad R = \frac{\sum_s |I'_s \cap I_s|}{\sum_s |I_s|}"
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ItemMatching(Matching[SentenceItems]):
    """Items and their verdicts; the evidence names the first part of each: relation label or position."""

    def details(self, side: SideName, rows: Rows) -> Mapping[str, NDArray[Any]]:
        """Return the first part of some items."""
        return {"label": np.array(self._items(side).column(0, rows), dtype=object)}


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
        return item_matching(pred=here, gold=there, keys=pair_keys(here, there, partners(pred, gold)))

    def unit_keys(self, items: SentenceItems) -> Sequence[str]:
        """Return the sentence of each item, since errors within a sentence are correlated."""
        return items.owners


def item_matching(*, pred: SentenceItems, gold: SentenceItems, keys: tuple[Rows, Rows]) -> ItemMatching:
    """Match items with equal keys, the first with the first, the second with the second."""
    here, there = join_equal(*keys)
    return ItemMatching(pred=Side.of_equals(here), gold=Side.of_equals(there), pred_items=pred, gold_items=gold)


@dataclass(frozen=True, kw_only=True)
class Relations(MicroMeasure):
    """A relation is hit if the expected graph has one with the same label between the same two UWs.

    Attributes:
        labelled: Whether labels must agree.
        best_mapping: Whether the two nodes of a relation must only be mapped to the expected ones, under the one-to-one
            mapping of each sentence's nodes with the most matching relations, instead of having the same UWs.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> gold, pred = document_of("[S:1] agt(a, b) [/S]"), document_of("[S:1] obj(a, b) [/S]")
        >>> Relations(labelled=False).score(pred=pred, gold=gold).f1
        1.0
    """

    name: ClassVar[str] = "unl_relations"
    title: ClassVar[str] = "Micro F1 of UNL relations"

    labelled: bool = parameter(True, help="whether relation labels must agree")
    best_mapping: bool = parameter(
        False, help="whether nodes are mapped one to one so that most relations match, regardless of UWs and ids"
    )

    def match(self, *, pred: Document, gold: Document, context: Context) -> ItemMatching:
        """Find the relations that are in both sentences of a pair."""
        if not self.best_mapping:
            return super().match(pred=pred, gold=gold, context=context)
        partner = partners(pred, gold).tolist()
        actual = [edges(sentence, labelled=self.labelled) for sentence in pred.sentences]
        expected = [edges(sentence, labelled=self.labelled) for sentence in gold.sentences]
        found = []
        for row, (here, other) in enumerate(zip(actual, partner, strict=True)):
            found.append(align(here, expected[other] if other >= 0 else []))
            context.progress("mapping nodes", row, len(pred))
        mapped = [
            (other, (label, one.nodes.get(source), one.nodes.get(target)))
            for other, here, one in zip(partner, actual, found, strict=True)
            for label, source, target in here
        ]
        wanted = [(row, edge) for row, there in enumerate(expected) for edge in there]
        _, rows = number_columns(mapped, wanted)
        keys = rows[0].astype(np.int64), rows[1].astype(np.int64)
        matching = item_matching(pred=self.items(pred), gold=self.items(gold), keys=keys)
        return replace(matching, note=_note(found))

    def items(self, document: Document) -> SentenceItems:
        """List the relations of all graphs."""
        listed = list_relations(document)
        if self.labelled:
            return listed
        alike = np.column_stack([np.zeros(len(listed), dtype=np.int64), listed.parts[:, 1:]])
        return replace(listed, parts=alike, words=(("relation",), *listed.words[1:]))


def _note(found: Sequence[Alignment]) -> str | None:
    unproven = [one for one in found if one.gap]
    if not unproven:
        return None
    more, known = sum(one.gap for one in unproven), sum(one.overlap for one in found)
    return (
        f"the node mapping of {len(unproven):,} of {len(found):,} sentences may not be optimal: {known:,} relations match, "
        f"at most {more:,} more can"
    )


@dataclass(frozen=True, kw_only=True)
class Uws(MicroMeasure):
    """A universal word is hit if the expected graph has it in the same position.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> gold, pred = document_of("[S:1] agt(a, b) [/S]"), document_of("[S:1] agt(a, c) [/S]")
        >>> Uws().score(pred=pred, gold=gold).f1
        0.5
    """

    name: ClassVar[str] = "unl_uws"
    title: ClassVar[str] = "Micro F1 of universal words"

    def items(self, document: Document) -> SentenceItems:
        """List the universal words of all graphs."""
        return list_uws(document)


@dataclass(frozen=True, kw_only=True)
class Attributes(MicroMeasure):
    """An attribute is hit if the expected graph has it on the same UW in the same position.

    Attributes:
        optional: Attributes that are not compared, without ``.@``.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> gold, pred = document_of("[S:1] agt(a.@past, b.@pl) [/S]"), document_of("[S:1] agt(a.@past, b.@def) [/S]")
        >>> Attributes().score(pred=pred, gold=gold)
        <Score unl_attributes: precision 1.0000, recall 0.5000, f1 0.6667>
    """

    name: ClassVar[str] = "unl_attributes"
    title: ClassVar[str] = "Micro F1 of UNL attributes"

    optional: tuple[str, ...] = parameter(("def", "indef"), help="attributes that are not compared")

    def items(self, document: Document) -> SentenceItems:
        """List the attributes of all graphs."""
        return list_attributes(document, self.optional)
