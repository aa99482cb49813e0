"""Mean average precision of the ranked lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from goldassay.alignments.rankings.measure import RankingMeasure, harmonic, one_value
from goldassay.alignments.rankings.ranks import Ranks
from goldassay.core.counts import FloatArray
from goldassay.core.parameters import Bounds


@dataclass(frozen=True, kw_only=True)
class MeanAveragePrecision(RankingMeasure):
    """A source earns the mean, over its references, of the precision of its list down to each of them.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("A", "1"), ("A", "2"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "9", "=", 0.5), ("A", "2", "=", 0.4)])
        >>> round(MeanAveragePrecision().score(pred=pred, gold=gold).map, 4)
        0.4167
    """

    name: ClassVar[str] = "map"
    title: ClassVar[str] = "Mean average precision"
    formula: ClassVar[str] = (
        r"\text{MAP} = \frac{1}{|S|} \sum_{s \in S} \frac{1}{|R_s|} \sum_{t \in R_s} "
        r"\frac{|\{t' \in R_s \mid \text{rank}_s(t') \le \text{rank}_s(t)\}|}{\text{rank}_s(t)}"
    )
    citation: ClassVar[str] = "manning2008introduction"
    values: ClassVar[Mapping[str, Bounds]] = one_value("map")
    headline: ClassVar[str] = "map"
    per: ClassVar[str] = "queries"

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the expected precision down to each reference.

        At place j of n tied candidates, r of them references, on average (j - 1)(r - 1)/(n - 1) of the others come
        before it; so the precision there is (R + 1 + (j - 1)(r - 1)/(n - 1)) / (m + j), and its mean over j has a sum of
        reciprocals in it.
        """
        slope = (ranks.true_tied - 1) / np.maximum(ranks.tied - 1, 1)
        level = ranks.true_above + 1 - slope * (ranks.above + 1)
        return np.minimum(level * harmonic(ranks) + slope, 1.0)

    def weights(self, ranks: Ranks) -> FloatArray:
        """Share the query among its references."""
        return 1.0 / ranks.relevant
