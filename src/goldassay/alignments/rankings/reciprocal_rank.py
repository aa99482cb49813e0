"""Mean reciprocal rank of the targets of gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from goldassay.alignments.rankings.hits import ONTOALIGNER
from goldassay.alignments.rankings.measure import ReferenceMeasure, harmonic, one_value
from goldassay.alignments.rankings.ranks import Ranks
from goldassay.core.counts import FloatArray
from goldassay.core.parameters import Bounds


@dataclass(frozen=True, kw_only=True)
class Mrr(ReferenceMeasure):
    """A reference earns the reciprocal of the rank of its target among the candidates of its source.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("A", "1"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)])
        >>> Mrr().score(pred=pred, gold=gold).mrr
        0.75
    """

    name: ClassVar[str] = "mrr"
    title: ClassVar[str] = "Mean reciprocal rank"
    formula: ClassVar[str] = r"\text{MRR} = \frac{1}{|R|} \sum_{(s, t) \in R} \frac{1}{\text{rank}_s(t)}"
    citation: ClassVar[str] = "babaeigiglou2025ontoaligner"
    values: ClassVar[Mapping[str, Bounds]] = one_value("mrr")
    headline: ClassVar[str] = "mrr"
    conventions: ClassVar[tuple[str, ...]] = (
        ONTOALIGNER,
        "the reciprocal rank of information retrieval, by the first reference of each source: first=true",
    )

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the expected reciprocal rank."""
        return harmonic(ranks)
