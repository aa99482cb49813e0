"""Micro precision, recall and F1 of universal words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.unl.items import SentenceItems, all_uws
from goldassay.unl.micro import MicroMeasure
from goldassay.unl.model import Document


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
        return all_uws(document)
