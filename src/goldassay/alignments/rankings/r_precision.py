"""R-precision of the ranked lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from goldassay.alignments.rankings.measure import RankingMeasure, in_first, one_value
from goldassay.alignments.rankings.ranks import Ranks
from goldassay.core.counts import FloatArray
from goldassay.core.parameters import Bounds


@dataclass(frozen=True, kw_only=True)
class RPrecision(RankingMeasure):
    """A source with n references earns the share of them that is among its n best-scored candidates.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("A", "1"), ("A", "2")])
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "9", "=", 0.5), ("A", "2", "=", 0.4)])
        >>> RPrecision().score(pred=pred, gold=gold).r_precision
        0.5
    """

    name: ClassVar[str] = "r_precision"
    title: ClassVar[str] = "R-precision"
    formula: ClassVar[str] = (
        r"\text{RP} = \frac{1}{|S|} \sum_{s \in S} \frac{|\{t \in R_s \mid \text{rank}_s(t) \le |R_s|\}|}{|R_s|}"
    )
    citation: ClassVar[str] = "manning2008introduction"
    values: ClassVar[Mapping[str, Bounds]] = one_value("r_precision")
    headline: ClassVar[str] = "r_precision"
    per: ClassVar[str] = "queries"

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the probability of being among the first n, where n is the number of references."""
        return in_first(ranks, ranks.relevant)

    def weights(self, ranks: Ranks) -> FloatArray:
        """Share the query among its references."""
        return 1.0 / ranks.relevant
