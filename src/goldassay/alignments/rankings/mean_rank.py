"""Mean and median rank of the targets of gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.model import Alignment
from goldassay.alignments.rankings.measure import RankingMatching, ReferenceMeasure
from goldassay.alignments.rankings.ranks import Ranks
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray
from goldassay.core.parameters import Bounds
from goldassay.core.parts import Part
from goldassay.core.signature import Signature


@dataclass(frozen=True, kw_only=True)
class MeanRank(ReferenceMeasure):
    """The mean of the ranks of the references among the candidates of their sources; lower is better, and 1 is perfect.

    A reference that stands in no list has no rank: it is left out of the mean and counted.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)])
        >>> MeanRank().score(pred=pred, gold=gold).mean_rank
        1.5
    """

    name: ClassVar[str] = "mean_rank"
    title: ClassVar[str] = "Mean rank"
    formula: ClassVar[str] = r"\text{MR} = \frac{1}{|R|} \sum_{(s, t) \in R} \text{rank}_s(t)"
    citation: ClassVar[str] = "berrendorf2020ambiguity"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"mean_rank": (0.0, np.inf)})
    perfect: ClassVar[Mapping[str, float]] = MappingProxyType({"mean_rank": 1.0})
    defined_alone: ClassVar[bool] = False
    headline: ClassVar[str] = "mean_rank"
    higher_is_better: ClassVar[bool] = False
    conventions: ClassVar[tuple[str, ...]] = (
        "the adjusted mean rank index (AMRI) of the source is this, adjusted for chance: --chance random-order",
        "realistic, optimistic and pessimistic ranks of the source: ties=expected, optimistic or pessimistic",
    )

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the expected rank."""
        return np.asarray(ranks.above + (ranks.tied + 1) / 2)

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> RankingMatching:
        """Find where each reference stands; what it earns as an item is the reciprocal of its rank."""
        found = super().match(pred=pred, gold=gold, context=context)
        rank = found.gold.credit
        credit = np.divide(1.0, rank, out=np.zeros(len(rank)), where=rank > 0)
        return replace(found, gold=replace(found.gold, credit=credit))

    def shares(self, ranks: Ranks, gold: Alignment) -> NDArray[np.int64]:
        """Count every reference that has a rank."""
        return np.where(ranks.found, super().shares(ranks, gold), 0)

    def sign(self, *, pred: Alignment, gold: Alignment, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the number of references that have a rank: what the prediction lists decides it."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        return signature.with_field("ranked", str(counts[self.counted]))

    def remark(self, matching: RankingMatching, values: Mapping[str, Any]) -> str | None:
        """Return that nothing is ranked, and how many references have no rank."""
        found, told = matching.ranks.found, super().remark(matching, values)
        without = len(found) - int(found.sum())
        if not without:
            return told
        left = (
            f"{without:,} of {len(found):,} references stand in no list: they have no rank and are left out of the mean"
        )
        return f"{told}; {left}" if told else left


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
