"""Precision, recall and F1 over all pairs of a concept and an ancestor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.errors import UsageError
from goldassay.core.parameters import parameter
from goldassay.core.parts import Part
from goldassay.encoders.measure import MINILM, WORDNET_THRESHOLD, EncodedMeasure, lenient_threshold
from goldassay.graphs.ancestors import AncestorMatching, TextPair, ancestor_matching
from goldassay.graphs.model import Graph
from goldassay.kernels.ancestors import Links, Tally, reduction, tallies, tally


@dataclass(frozen=True, kw_only=True)
class Closure(EncodedMeasure[Graph, AncestorMatching]):
    """A pair of a concept and an ancestor, direct or not, is hit if the other side has it too.

    A concept is a text. An edge that skips a level, or a level that is missing, costs little, while a wrong edge far up
    costs all pairs over it.

    Attributes:
        by: Whether concepts are the same by their ``text``, or by ``meaning``: if their cosine exceeds the threshold.
        threshold: The cosine to exceed; used only for meaning.
        inclusive: Whether a cosine equal to the threshold is a match.
        pairs: Which pairs are looked up: those of the ``closure``; those ``asserted`` as edges, in the closure of the other
            side; or those of the transitive reduction (``reduced``), in the reduction of the other side.
        concepts: Which concepts count: ``all``; those ``common`` to both sides; or the common ones, related by edges
            between them alone (``cut``).

    Example:
        >>> gold = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> pred = Graph.from_edges([("cat", "animal")])
        >>> Closure().score(pred=pred, gold=gold)
        <Score closure: precision 1.0000, recall 0.3333, f1 0.5000>
    """

    name: ClassVar[str] = "closure"
    unit: ClassVar[str] = "concept"
    title: ClassVar[str] = "F1 over ancestor pairs"
    family: ClassVar[str] = "taxonomy"
    sums_over_records: ClassVar[bool] = False
    formula: ClassVar[str] = (
        r"P = \frac{|E'^+ \cap E^+|}{|E'^+|},\quad R = \frac{|E'^+ \cap E^+|}{|E^+|},\quad "
        r"E^+ = \{(u, v) \mid u \ne v,\ u \to \dots \to v \text{ in } E\}"
    )
    citation: ClassVar[str] = "mao2018taxorl"
    conventions: ClassVar[tuple[str, ...]] = (
        "papers on taxonomy induction call it Ancestor-F1; ancestor_f1 is the mean over concepts",
        "cycles are condensed first: the members of a cycle are neither above nor below each other",
        "by meaning, a pair is hit if some pair of the other side is near at both ends, as in fuzzy",
    )

    by: str = parameter("text", help="how concepts are the same: text or meaning", choices=("text", "meaning"))
    threshold: float = parameter(
        WORDNET_THRESHOLD, help="the cosine to exceed, by meaning", bounds=(-1.0, 1.0), encoder=MINILM
    )
    inclusive: bool = parameter(False, help="whether a cosine equal to the threshold is a match")
    pairs: str = parameter(
        "closure",
        help="which pairs are looked up: closure, asserted (edges, in the closure of the other side) or reduced",
        choices=("closure", "asserted", "reduced"),
    )
    concepts: str = parameter(
        "all",
        help="which concepts count: all, common to both sides, or common and related by edges between them alone (cut)",
        choices=("all", "common", "cut"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by == "meaning" and (self.pairs == "reduced" or self.concepts != "all"):
            raise UsageError(f"{self.name}: reduced pairs and common concepts are found by text.", hint="by=text")
        if self.by == "text" and (self.threshold != WORDNET_THRESHOLD or self.inclusive):
            raise UsageError(
                f"{self.name}: the threshold has no effect on texts.",
                hint=f"by=meaning, threshold={self.threshold:g}",
            )

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return self.by == "meaning"

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> AncestorMatching:
        """Count the ancestors of each concept, and those that the other side has too."""
        numbers = TextPair.of(pred, gold)
        among = None if self.concepts == "all" else numbers.common
        if self.concepts == "cut":
            first, second = (edges[numbers.common[edges].all(axis=1)] for edges in numbers.edges)
            numbers = replace(numbers, edges=(first, second))
        links, told = self._links(numbers, context) if self.needs_encoder else (None, None)
        if self.pairs == "reduced":
            counted = _reduced(numbers, among, context)
        else:
            counted = self._tallies(numbers, links, among, context)
        return ancestor_matching(pred=pred, gold=gold, numbers=numbers, tallies=counted, told=told)

    def parts(self, matching: AncestorMatching) -> tuple[Part, ...]:
        """List the concepts of both sides: each adds its ancestors, and those that the other side has."""
        sides = (
            ("pred", matching.pred_tally, matching.pred_items, matching.gold_items),
            ("gold", matching.gold_tally, matching.gold_items, matching.pred_items),
        )
        return tuple(
            Part(
                items=items,
                others=others,
                unit_keys=items.texts.tolist,
                counts={f"hit_{name}": counted.met, f"n_{name}": counted.pairs},
            )
            for name, counted, items, others in sides
        )

    def remark(self, matching: AncestorMatching, values: Mapping[str, Any]) -> str | None:
        """Return where the threshold hardly tells texts apart."""
        del values
        return matching.told

    def _tallies(
        self, numbers: TextPair, links: Links | None, among: NDArray[np.bool_] | None, context: Context
    ) -> tuple[Tally, Tally]:
        here, there = numbers.orders()
        asked = numbers.edges if self.pairs == "asserted" else None
        if links is None:
            return tallies(here, there, asked=asked, among=among, memory=context.memory, progress=context.progress)
        back = links.turned(len(numbers.texts))
        first, second = (
            tally(*orders, standing, asked=pairs, memory=context.memory, progress=context.progress)
            for orders, standing, pairs in zip(
                ((here, there), (there, here)), (links, back), asked or (None, None), strict=True
            )
        )
        return first, second

    def _links(self, numbers: TextPair, context: Context) -> tuple[Links, str | None]:
        here, there, vectors, rows = numbers.near(self.threshold, context, inclusive=self.inclusive, owner=str(self))
        links = Links.of(numbers.pred[here], numbers.gold[there], len(numbers.texts))
        lenient = lenient_threshold(
            vectors, rows[numbers.pred], rows[numbers.gold], threshold=self.threshold, inclusive=self.inclusive
        )
        return links, f"{lenient}: goldassay calibrate --against-chance" if lenient else None


def _reduced(numbers: TextPair, among: NDArray[np.bool_] | None, context: Context) -> tuple[Tally, Tally]:
    """Count the edges of both reductions, and those that both have."""
    size = len(numbers.texts)
    kept = []
    for order, edges in zip(numbers.orders(), numbers.edges, strict=True):
        found = reduction(order, edges, memory=context.memory)
        kept.append(found if among is None else found[among[found].all(axis=1)])
    keys = [edges[:, 0] * size + edges[:, 1] for edges in kept]
    first, second = (
        Tally(
            np.bincount(edges[:, 0], minlength=size),
            np.bincount(edges[np.isin(mine, other), 0], minlength=size),
        )
        for edges, mine, other in ((kept[0], keys[0], keys[1]), (kept[1], keys[1], keys[0]))
    )
    return first, second
