"""Micro precision, recall and F1 of relations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.core.parameters import parameter
from karat.unl.items import relation_items
from karat.unl.micro import MicroMeasure
from karat.unl.model import Sentence


@dataclass(frozen=True, kw_only=True)
class Relations(MicroMeasure):
    """A relation is hit when the expected graph has one of the same label between the same two UWs.

    Attributes:
        labelled: Whether labels must agree.

    Example:
        >>> from karat.unl.read import document_of
        >>> gold, pred = document_of("[S:1] agt(a, b) [/S]"), document_of("[S:1] obj(a, b) [/S]")
        >>> Relations(labelled=False).score(pred=pred, gold=gold).f1
        1.0
    """

    name: ClassVar[str] = "unl_relations"
    title: ClassVar[str] = "Micro F1 of UNL relations"

    labelled: bool = parameter(True, help="whether relation labels must agree")

    def items(self, sentence: Sentence) -> list[tuple[str, ...]]:
        """List the relations of one graph."""
        listed = relation_items(sentence)
        return listed if self.labelled else [("relation", source, target) for _, source, target in listed]
