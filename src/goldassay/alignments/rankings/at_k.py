"""Precision and recall at k: how much of the first k candidates is right, and how much of gold they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from goldassay.alignments.rankings.measure import RankingMeasure, in_first, one_value
from goldassay.alignments.rankings.ranks import Ranks
from goldassay.core.counts import FloatArray
from goldassay.core.parameters import Bounds, parameter


@dataclass(frozen=True, kw_only=True)
class _AtK(RankingMeasure):
    """A measure of the first k candidates, averaged over sources.

    Attributes:
        k: How many candidates count.
    """

    citation: ClassVar[str] = "manning2008introduction"
    per: ClassVar[str] = "queries"

    k: int = parameter(1, help="how many candidates count", always=True, bounds=(1, 2**53))

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the probability of being among the first k."""
        return in_first(ranks, self.k)


@dataclass(frozen=True, kw_only=True)
class PrecisionAtK(_AtK):
    """A source earns the share of its k best-scored candidates that are references; of fewer candidates, too, k is the divisor.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("A", "1"), ("A", "2"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "2", "=", 0.8), ("B", "9", "=", 0.5)])
        >>> PrecisionAtK(k=2).score(pred=pred, gold=gold).precision
        0.5
    """

    name: ClassVar[str] = "precision_at_k"
    title: ClassVar[str] = "Precision@k"
    formula: ClassVar[str] = (
        r"\text{P@}k = \frac{1}{|S|} \sum_{s \in S} \frac{|\{t \in R_s \mid \text{rank}_s(t) \le k\}|}{k}"
    )
    values: ClassVar[Mapping[str, Bounds]] = one_value("precision")
    headline: ClassVar[str] = "precision"

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a model scores against itself: with k above 1 a source may have fewer references."""
        return {"precision": 1.0} if self.k == 1 else {}

    def weights(self, ranks: Ranks) -> FloatArray:
        """Divide by k."""
        return np.full(len(ranks.found), 1.0 / self.k)


@dataclass(frozen=True, kw_only=True)
class RecallAtK(_AtK):
    """A source earns the share of its references that are among its k best-scored candidates.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("A", "1"), ("A", "2"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "2", "=", 0.8), ("B", "9", "=", 0.5)])
        >>> RecallAtK(k=1).score(pred=pred, gold=gold).recall
        0.25
    """

    name: ClassVar[str] = "recall_at_k"
    title: ClassVar[str] = "Recall@k"
    formula: ClassVar[str] = (
        r"\text{R@}k = \frac{1}{|S|} \sum_{s \in S} \frac{|\{t \in R_s \mid \text{rank}_s(t) \le k\}|}{|R_s|}"
    )
    values: ClassVar[Mapping[str, Bounds]] = one_value("recall")
    headline: ClassVar[str] = "recall"

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a model scores against itself: a source may have more than k references."""
        return {}

    def weights(self, ranks: Ranks) -> FloatArray:
        """Share the query among its references."""
        return 1.0 / ranks.relevant
