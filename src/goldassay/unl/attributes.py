"""Micro precision, recall and F1 of attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.core.parameters import parameter
from goldassay.unl.items import SentenceItems, all_attributes
from goldassay.unl.micro import MicroMeasure
from goldassay.unl.model import Document


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
        return all_attributes(document, self.optional)
