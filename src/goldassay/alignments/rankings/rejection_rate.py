"""Rejection rate: the share of the sources without a counterpart that the prediction leaves without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.model import Alignment
from goldassay.alignments.overlap import AlignmentMeasure, check_unit
from goldassay.alignments.rankings.measure import one_value
from goldassay.alignments.sides import Sides
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray
from goldassay.core.curve import Cut, Step
from goldassay.core.matching import Matching, Side
from goldassay.core.measure import item_names
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part


@dataclass(frozen=True, eq=False)
class Nulls:
    """The sources that have no counterpart in gold.

    Attributes:
        names: Their names.
        cases: Their test cases.
    """

    names: tuple[str, ...]
    cases: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def item(self, row: int) -> str:
        """Return the display name of one source."""
        return f"{self.names[row]} has no counterpart"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NullMatching(Matching[Nulls]):
    """The sources without a counterpart, and what the prediction offers them.

    Attributes:
        offered: The highest score of what each source is given; nan where it is given nothing, and infinity where a verdict
            accepts it. float64, shape (sources,).
    """

    offered: FloatArray


@dataclass(frozen=True, kw_only=True)
class RejectionRate(AlignmentMeasure[NullMatching]):
    """A source without a counterpart earns 1 if the prediction has none for it either.

    Attributes:
        threshold: The minimum score of a prediction; None for no minimum.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("B", None), ("C", None)])
        >>> RejectionRate().score(pred=Alignment.from_rows([("A", "1"), ("B", "7")]), gold=gold).rejection_rate
        0.5
    """

    name: ClassVar[str] = "rejection_rate"
    title: ClassVar[str] = "Rejection rate"
    formula: ClassVar[str] = r"\text{RR} = \frac{|\{s \in N \mid \neg\exists t\colon (s, t) \in A\}|}{|N|}"
    citation: ClassVar[str] = "he2022machine"
    values: ClassVar[Mapping[str, Bounds]] = one_value("rejection_rate")
    headline: ClassVar[str] = "rejection_rate"
    unit: ClassVar[str] = "query"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    defined_alone: ClassVar[bool] = True
    conventions: ClassVar[tuple[str, ...]] = (
        "gold marks a source without a counterpart by sssom:NoTermFound, or by UnMatched as in Bio-ML",
        "in lists of candidates with verdicts (entity, score, true or false) the verdict is used, not the score",
    )

    threshold: float | None = parameter(None, help="the minimum score of a prediction; none for no minimum")

    @property
    def uses_scores(self) -> bool:
        """A threshold cuts them."""
        return self.threshold is not None

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> NullMatching:
        """Find the sources without a counterpart that the prediction gives one."""
        if self.threshold is not None:
            check_unit(pred)
        both = self.both(pred=pred, gold=gold, context=context)
        asked = both.numbering.source_keys(gold.nulls, gold=True)
        offered = _highest(asked, *_answers(both, pred))
        rejected = ~(offered >= (-np.inf if self.threshold is None else self.threshold))
        nothing = Nulls((), ())
        return NullMatching(
            pred=Side.of_hits(np.zeros(0, dtype=np.bool_)),
            gold=Side.of_hits(rejected),
            pred_items=nothing,
            gold_items=Nulls(
                tuple(gold.name(source) for source in gold.nulls.sources.tolist()),
                tuple(gold.case_names[case] for case in gold.nulls.cases.tolist()),
            ),
            offered=offered,
        )

    @property
    def cut(self) -> Cut | None:
        """The score that a prediction has to reach to count."""
        return Cut("threshold", -np.inf if self.threshold is None else self.threshold)

    def steps(self, matching: NullMatching) -> list[Step]:
        """Let every source be rejected until the threshold lets an answer count."""
        always = matching.offered == np.inf
        return [
            Step("rejected", (~always).astype(np.float64)),
            Step("rejected", -1.0, np.where(always, np.nan, matching.offered)),
            Step("nulls", np.ones(len(always))),
        ]

    def parts(self, matching: NullMatching) -> tuple[Part, ...]:
        """List the sources without a counterpart: each counts, and is rejected or not."""
        items, credit = matching.gold_items, matching.gold.credit
        counts = {"rejected": credit, "nulls": np.ones(len(credit))}
        return (Part(items=items, others=matching.pred_items, unit_keys=partial(item_names, items), counts=counts),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide those left without a counterpart by all that have none."""
        return {"rejection_rate": ratio("rejection_rate", counts["rejected"], counts["nulls"])}


def _answers(both: Sides, pred: Alignment) -> tuple[NDArray[np.int64], FloatArray]:
    """Number the sources that the prediction gives a counterpart, each with its score; infinity where a verdict accepts it."""
    pools = pred.candidates
    if pools is None:
        return both.numbering.source_keys(both.pred, gold=False), both.pred.scores
    told = pools.accepted >= 0
    kept = ~told | (pools.accepted == 1)
    scores = np.where(told, np.inf, np.nan_to_num(pools.scores))
    return both.numbering.source_keys(pools.queries, gold=False)[pools.query[kept]], scores[kept]


def _highest(asked: NDArray[np.int64], sources: NDArray[np.int64], scores: FloatArray) -> FloatArray:
    """Find the highest score of each source that is asked for, nan where it has none."""
    distinct, place = np.unique(asked, return_inverse=True)
    there = np.flatnonzero(np.isin(sources, distinct))
    best = np.full(len(distinct), np.nan)
    np.fmax.at(best, np.searchsorted(distinct, sources[there]), scores[there])
    return best[place.ravel()]
