"""Rejection rate: how many of the sources without a counterpart are left without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.model import Alignment
from goldassay.alignments.overlap import AlignmentMeasure
from goldassay.alignments.rankings.measure import one_value
from goldassay.alignments.sides import Sides
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.matching import Matching, Side
from goldassay.core.measure import item_names
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part


@dataclass(frozen=True, eq=False)
class Nulls:
    """The sources that gold says have no counterpart.

    Attributes:
        names: What they are called.
        cases: Their test cases.
    """

    names: tuple[str, ...]
    cases: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def item(self, row: int) -> str:
        """Name one source for a person."""
        return f"{self.names[row]} has no counterpart"


@dataclass(frozen=True, kw_only=True)
class RejectionRate(AlignmentMeasure[Matching[Nulls]]):
    """A source without a counterpart earns 1 when the prediction has none for it either.

    Attributes:
        threshold: The score that a prediction has to reach to count; None for none.

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
        "gold says that a source has no counterpart by sssom:NoTermFound, or by UnMatched as Bio-ML does",
        "in lists of candidates with verdicts (entity, score, true or false) the verdict decides, not the score",
    )

    threshold: float | None = parameter(None, help="the score that a prediction has to reach to count")

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> Matching[Nulls]:
        """Find the sources without a counterpart that the prediction gives one."""
        both = self.both(pred=pred, gold=gold, context=context)
        asked = both.numbering.source_keys(gold.nulls, gold=True)
        rejected = ~np.isin(asked, self._answered(both, pred))
        nothing = Nulls((), ())
        return Matching(
            pred=Side.of_hits(np.zeros(0, dtype=np.bool_)),
            gold=Side.of_hits(rejected),
            pred_items=nothing,
            gold_items=Nulls(
                tuple(gold.name(source) for source in gold.nulls.sources.tolist()),
                tuple(gold.case_names[case] for case in gold.nulls.cases.tolist()),
            ),
        )

    def _answered(self, both: Sides, pred: Alignment) -> NDArray[np.int64]:
        """Number the sources that the prediction gives a counterpart."""
        least = -np.inf if self.threshold is None else self.threshold
        if pred.candidates is None:
            return both.numbering.source_keys(both.pred.take(both.pred.scores >= least), gold=False)
        pools = pred.candidates
        accepted = np.where(pools.accepted >= 0, pools.accepted == 1, np.nan_to_num(pools.scores) >= least)
        sources = both.numbering.source_keys(pools.queries, gold=False)
        return sources[pools.query[accepted]]

    def parts(self, matching: Matching[Nulls]) -> tuple[Part, ...]:
        """Lay out the sources without a counterpart: each counts, and is rejected or not."""
        items, credit = matching.gold_items, matching.gold.credit
        counts = {"rejected": credit, "nulls": np.ones(len(credit))}
        return (Part(items=items, others=matching.pred_items, unit_keys=partial(item_names, items), counts=counts),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide those left without a counterpart by all that have none."""
        return {"rejection_rate": ratio("rejection_rate", counts["rejected"], counts["nulls"])}
