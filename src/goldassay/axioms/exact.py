"""Exact precision, recall and F1: an axiom counts if the other side has the same class, property and object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.axioms.matching import AxiomMatching, meet
from goldassay.axioms.model import PARTS, Axioms
from goldassay.axioms.weighted import AxiomMeasure
from goldassay.core.context import Context


@dataclass(frozen=True, kw_only=True)
class Exact(AxiomMeasure):
    """An axiom is hit if the other side has an axiom with the same class, property and object.

    Example:
        >>> gold = Axioms.from_rows([("Product", "brandName", "Brand"), ("Product", "productName", "ProductName")])
        >>> pred = Axioms.from_rows([("Product", "brandName", "Brand")])
        >>> Exact().score(pred=pred, gold=gold)
        <Score exact: precision 1.0000, recall 0.5000, f1 0.6667>
    """

    name: ClassVar[str] = "exact"
    title: ClassVar[str] = "Exact F1"
    family: ClassVar[str] = "axioms"
    formula: ClassVar[str] = r"P = \frac{|P \cap G|}{|P|},\quad R = \frac{|P \cap G|}{|G|}"
    citation: ClassVar[str] = "ginesalmagro_schemas"
    conventions: ClassVar[tuple[str, ...]] = ("the kind of an axiom is not compared, as in the weighted measure",)

    @property
    def keys(self) -> tuple[str, ...]:
        """Class, property and object, unless names may be equivalent."""
        return () if self.equivalences else PARTS

    def match(self, *, pred: Axioms, gold: Axioms, context: Context) -> AxiomMatching:
        """Find the same axiom on the other side, and as evidence one that differs only in its property."""
        names = self.numbers(pred=pred, gold=gold, context=context)
        sides = meet(names=names, partial=0.0, context=context)
        return AxiomMatching(pred=sides[0], gold=sides[1], pred_items=pred, gold_items=gold, names=names)
