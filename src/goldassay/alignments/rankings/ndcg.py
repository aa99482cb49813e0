"""Normalised discounted cumulative gain of the ranked lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from goldassay.alignments.rankings.measure import RankingMeasure, one_value
from goldassay.alignments.rankings.ranks import Ranks
from goldassay.core.counts import FloatArray
from goldassay.core.parameters import Bounds, parameter


@dataclass(frozen=True, kw_only=True)
class Ndcg(RankingMeasure):
    """A source earns 1 / log2(1 + rank) for each of its references, divided by the most that it could earn.

    Attributes:
        k: How many candidates count; None for all.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("A", "1")])
        >>> pred = Alignment.from_rows([("A", "9", "=", 0.5), ("A", "1", "=", 0.4)])
        >>> round(Ndcg().score(pred=pred, gold=gold).ndcg, 4)
        0.6309
    """

    name: ClassVar[str] = "ndcg"
    title: ClassVar[str] = "Normalised discounted cumulative gain"
    formula: ClassVar[str] = (
        r"\text{nDCG} = \frac{1}{|S|} \sum_{s \in S} \frac{\sum_{t \in R_s} 1 / \log_2(1 + \text{rank}_s(t))}"
        r"{\sum_{i = 1}^{|R_s|} 1 / \log_2(1 + i)}"
    )
    citation: ClassVar[str] = "jarvelin2002cumulated"
    values: ClassVar[Mapping[str, Bounds]] = one_value("ndcg")
    headline: ClassVar[str] = "ndcg"
    per: ClassVar[str] = "queries"

    k: int | None = parameter(None, help="how many candidates count; none for all", bounds=(-(2**53), 2**53))

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the expected discount of each reference, with nothing beyond k."""
        sums = self._sums(ranks)
        last, first = self._within(ranks.above + ranks.tied), self._within(ranks.above)
        spread = (sums[last] - sums[first]) / np.maximum(ranks.tied, 1)
        single = np.where(last > first, 1.0 / np.log2(ranks.above + 2), 0.0)
        return np.where(ranks.tied <= 1, single, spread)

    def weights(self, ranks: Ranks) -> FloatArray:
        """Divide by the best that the query could earn."""
        best = self._sums(ranks)[self._within(ranks.relevant)]
        return np.divide(1.0, best, out=np.zeros(len(best)), where=best > 0)

    def _sums(self, ranks: Ranks) -> FloatArray:
        deepest = max(int((ranks.above + ranks.tied).max(initial=0)), int(ranks.relevant.max(initial=0)))
        return np.concatenate([[0.0], np.cumsum(1.0 / np.log2(np.arange(2, deepest + 2)))])

    def _within(
        self, places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        return places if self.k is None else np.clip(places, 0, max(self.k, 0))
