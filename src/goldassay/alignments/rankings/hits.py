"""Hit@k: how many targets of gold are among the first k candidates of their source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from goldassay.alignments.rankings.measure import ReferenceMeasure, in_first, one_value
from goldassay.alignments.rankings.ranks import Ranks
from goldassay.core.counts import FloatArray
from goldassay.core.parameters import Bounds, parameter

ONTOALIGNER = "OntoAligner's stable sort and raw list of references: ties=order, duplicates=count"


@dataclass(frozen=True, kw_only=True)
class HitAtK(ReferenceMeasure):
    """A reference earns 1 if its target is among the k best-scored candidates of its source.

    Attributes:
        k: How many candidates count; with 0 or less nothing is found.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("A", "1"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)])
        >>> HitAtK(k=1).score(pred=pred, gold=gold).hit, HitAtK(k=2).score(pred=pred, gold=gold).hit
        (0.5, 1.0)
    """

    name: ClassVar[str] = "hit_at_k"
    title: ClassVar[str] = "Hit@k"
    formula: ClassVar[str] = r"\text{Hit@}k = \frac{1}{|R|} \sum_{(s, t) \in R} \mathbf{1}[\text{rank}_s(t) \le k]"
    citation: ClassVar[str] = "babaeigiglou2025ontoaligner"
    values: ClassVar[Mapping[str, Bounds]] = one_value("hit")
    headline: ClassVar[str] = "hit"
    conventions: ClassVar[tuple[str, ...]] = (
        ONTOALIGNER,
        "success@k of information retrieval, by the first reference of each source: first=true",
    )

    k: int = parameter(1, help="how many candidates count", always=True, bounds=(-(2**53), 2**53))

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the probability of being among the first k."""
        return in_first(ranks, self.k)
