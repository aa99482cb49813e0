"""Median rank of the targets of gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from goldassay.alignments.rankings.mean_rank import MeanRank
from goldassay.alignments.rankings.measure import RankingMatching
from goldassay.core.counts import Counts, Division
from goldassay.core.parameters import Bounds
from goldassay.core.parts import Part

RANK = "rank_"


@dataclass(frozen=True, kw_only=True)
class MedianRank(MeanRank):
    """The median of the ranks of the references among the candidates of their sources; lower is better, and 1 is perfect.

    A reference that stands in no list has no rank: it is left out and counted. Between two middle ranks it is their mean.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("A", "1"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)])
        >>> MedianRank().score(pred=pred, gold=gold).median_rank
        1.5
    """

    name: ClassVar[str] = "median_rank"
    title: ClassVar[str] = "Median rank"
    formula: ClassVar[str] = r"\text{median}\,\{\text{rank}_s(t) \mid (s, t) \in R\}"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"median_rank": (0.0, np.inf)})
    perfect: ClassVar[Mapping[str, float]] = MappingProxyType({"median_rank": 1.0})
    headline: ClassVar[str] = "median_rank"
    conventions: ClassVar[tuple[str, ...]] = (
        "of equal scores each reference has its expected rank: ties=optimistic, pessimistic, order or name have whole ranks",
    )

    def parts(self, matching: RankingMatching) -> tuple[Part, ...]:
        """List the references, each with its rank."""
        shares = matching.shares
        ranks, place = np.unique(matching.gains / np.maximum(shares, 1), return_inverse=True)
        place = place.ravel()
        counts = {
            f"{RANK}{rank!r}": np.where(place == row, shares, 0) for row, rank in enumerate(ranks.tolist()) if rank
        }
        return tuple(replace(part, counts={self.counted: shares, **counts}) for part in super().parts(matching))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Take the middle of the ranks."""
        found = sorted((float(name.removeprefix(RANK)), many) for name, many in counts.items() if name.startswith(RANK))
        many = np.array([many for _, many in found] or [np.zeros_like(counts[self.counted])], dtype=np.float64)
        ranks, below = np.array([rank for rank, _ in found] or [0.0]), many.cumsum(axis=0)
        lower, upper = ranks[(below >= below[-1] / 2).argmax(axis=0)], ranks[(below > below[-1] / 2).argmax(axis=0)]
        some = np.greater(below[-1], 0)
        return {"median_rank": ratio("median_rank", (lower + upper) / 2 * some, some)}
