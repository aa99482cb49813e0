"""Exact and weighted precision, recall and F1 of axioms: partial credit for those that differ only in their property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.axioms.declared import DeclaredMeasure, read_alignment
from goldassay.axioms.match import AxiomMatching, Names, fuzzy, match_sides
from goldassay.axioms.model import PARTS, Axioms
from goldassay.core.context import Context
from goldassay.core.errors import UsageError
from goldassay.core.measure import PrecisionRecallMeasure
from goldassay.core.parameters import parameter
from goldassay.encoders.measure import MINILM, WORDNET_THRESHOLD, EncodedMeasure


@dataclass(frozen=True, kw_only=True)
class AxiomMeasure(DeclaredMeasure[AxiomMatching], PrecisionRecallMeasure[Axioms, AxiomMatching]):
    """A precision and recall measure whose items are axioms."""


@dataclass(frozen=True, kw_only=True)
class Weighted(EncodedMeasure[Axioms, AxiomMatching], AxiomMeasure):
    """An axiom earns 1 if all three parts agree with an axiom of the other side, and less if only the property differs.

    Attributes:
        partial: The credit when class and object agree, and the property differs.
        names: ``exact`` compares spellings, ``fuzzy`` compares the cosine of vectors.
        threshold: The cosine that names must exceed; 0.436 is calibrated for all-MiniLM-L6-v2.
        alignment: A table of axioms aligned by hand, which replaces the search.

    Example:
        >>> gold = Axioms.from_rows([("Product", "brandName", "Brand"), ("Product", "productName", "ProductName")])
        >>> pred = Axioms.from_rows([("Product", "hasBrand", "Brand")])
        >>> Weighted().score(pred=pred, gold=gold)
        <Score weighted(partial=0.5): precision 0.5000, recall 0.2500, f1 0.3333>
    """

    name: ClassVar[str] = "weighted"
    title: ClassVar[str] = "Weighted F1"
    unit: ClassVar[str] = "axiom"
    formula: ClassVar[str] = (
        r"P_w = \frac{1}{|P|} \sum_{p \in P} \max_{g \in G} \text{sim}(p, g),\quad "
        r"R_w = \frac{1}{|G|} \sum_{g \in G} \max_{p \in P} \text{sim}(g, p)"
    )
    citation: ClassVar[str] = "ginesalmagro_schemas"
    conventions: ClassVar[tuple[str, ...]] = (
        "the published tables compare names without case, and without the key in brackets: --fold-case --strip-key",
        "some published tables align a few axioms by hand: alignment=FILE, or --alignment FILE",
    )

    partial: float = parameter(
        0.5, help="the credit when class and object agree, and the property differs", always=True, bounds=(0.0, 1.0)
    )
    names: str = parameter("exact", help="how names are compared", choices=("exact", "fuzzy"))
    threshold: float = parameter(
        WORDNET_THRESHOLD, help="the cosine that fuzzy names must exceed", bounds=(-1.0, 1.0), encoder=MINILM
    )
    alignment: str | None = parameter(
        None, help="a table (pred, gold, score) of axioms aligned by hand", metavar="FILE"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alignment and (self.equivalences or self.names == "fuzzy"):
            raise UsageError(
                f"{self.name}: an alignment replaces the search, so equivalences and fuzzy names have no effect.",
                hint="use only one of them",
            )
        if self.names == "exact" and self.threshold != WORDNET_THRESHOLD:
            raise UsageError(
                f"{self.name}: the threshold has no effect while names are exact.",
                hint=f"names=fuzzy, threshold={self.threshold:g}",
            )

    @property
    def needs_encoder(self) -> bool:
        """Whether names are compared by meaning."""
        return self.names == "fuzzy"

    def numbers(self, *, pred: Axioms, gold: Axioms, context: Context) -> Names:
        """Number the names of both sides alike, and match them by meaning if requested."""
        names = super().numbers(pred=pred, gold=gold, context=context)
        return fuzzy(names, threshold=self.threshold, context=context) if self.needs_encoder else names

    def match(self, *, pred: Axioms, gold: Axioms, context: Context) -> AxiomMatching:
        """Find the best counterpart of every axiom, or read it from the alignment."""
        names = self.numbers(pred=pred, gold=gold, context=context)
        if self.alignment:
            sides = read_alignment(self.alignment, pred=pred, gold=gold)
        else:
            sides = match_sides(names=names, partial=self.partial, context=context)
        return AxiomMatching(pred=sides[0], gold=sides[1], pred_items=pred, gold_items=gold, names=names)


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
        sides = match_sides(names=names, partial=0.0, context=context)
        return AxiomMatching(pred=sides[0], gold=sides[1], pred_items=pred, gold_items=gold, names=names)
