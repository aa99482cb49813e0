"""Micro precision, recall and F1 of relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.core.intern import numbered
from goldassay.core.parameters import parameter
from goldassay.unl.items import SentenceItems, all_relations
from goldassay.unl.mapping import Alignment, align, edges
from goldassay.unl.micro import ItemMatching, MicroMeasure, item_matching
from goldassay.unl.model import Document
from goldassay.unl.pairing import partners


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
        _, rows = numbered(mapped, wanted)
        keys = rows[0].astype(np.int64), rows[1].astype(np.int64)
        matching = item_matching(pred=self.items(pred), gold=self.items(gold), keys=keys)
        return replace(matching, unsure=_unsure(found))

    def remark(self, matching: ItemMatching, values: Mapping[str, Any]) -> str | None:
        """Return the remark for mappings that are not proven optimal, with the possible difference."""
        del values
        return matching.unsure

    def items(self, document: Document) -> SentenceItems:
        """List the relations of all graphs."""
        listed = all_relations(document)
        if self.labelled:
            return listed
        alike = np.column_stack([np.zeros(len(listed), dtype=np.int64), listed.parts[:, 1:]])
        return replace(listed, parts=alike, words=(("relation",), *listed.words[1:]))


def _unsure(found: Sequence[Alignment]) -> str | None:
    unsure = [one for one in found if one.gap]
    if not unsure:
        return None
    more, known = sum(one.gap for one in unsure), sum(one.overlap for one in found)
    return (
        f"the node mapping of {len(unsure):,} of {len(found):,} sentences may not be optimal: {known:,} relations match, "
        f"at most {more:,} more can"
    )
