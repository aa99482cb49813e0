"""Ranks on an engine: how many candidates stand above each reference, and how many references have the same rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.lazy.overlap import LazySides, check_unit, sides
from goldassay.alignments.lazy.read import LazyAlignment
from goldassay.alignments.rankings.measure import ReferenceMeasure
from goldassay.alignments.rankings.ranks import Ranks
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.lazy import Counted, Engine, Frame, sum_of
from goldassay.formats.tables import how_many, once

PLACES = ("above", "tied", "true_above", "true_tied")
TIES = ("expected", "optimistic", "pessimistic")


@dataclass(frozen=True, eq=False)
class Times:
    """How often references of one kind were stated, for `ReferenceMeasure.shares`.

    Attributes:
        times: How often each was, int64.
    """

    times: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.times)


def count_ranking(
    measure: ReferenceMeasure, pred: LazyAlignment, gold: LazyAlignment, engine: Engine, context: Context
) -> Counted:
    """Count the references of each rank, and let the measure say what one of them gains."""
    _refuse(measure)
    check_unit(pred)
    both = sides(
        pred, gold, unjudged=measure.unjudged, related=measure.typed, disjoint=measure.typed, engine=engine, context=context
    )  # fmt: skip
    placed = context.once(
        f"lazy ranks, typed {measure.typed}, unjudged {measure.unjudged}", (pred, gold), lambda: _placed(both, engine)
    )
    rows = context.once(
        f"lazy counts of ranks, typed {measure.typed}, unjudged {measure.unjudged}",
        (placed,),
        lambda: engine.rows(_alike(both, placed)),
    )
    columns = {
        name: np.array([int(row[name]) for row in rows], dtype=np.int64) for name in (*PLACES, "times", "references")
    }
    ranks = _ranks(columns)
    settled = measure.settled(ranks)
    shares = measure.shares(ranks, cast("Any", Times(columns["times"])))
    gains = np.where(ranks.found, measure.gain(settled), 0.0) * measure.weights(settled) * shares
    many = columns["references"].tolist()
    counts = {"gain": sum_of(gains.tolist(), many), measure.counted: sum_of(shares.tolist(), many)}
    return Counted(counts=Counts(counts), evidence=_evidence(both, placed))


def _refuse(measure: ReferenceMeasure) -> None:
    if measure.ties not in TIES:
        raise UsageError(
            f"{measure}: rows of an engine are in no order, so that it cannot break ties.",
            found=f"ties={measure.ties}",
            expected=", ".join(TIES),
            hint="leave out --engine",
        )
    if measure.first:
        raise UsageError(
            f"{measure}: the first reference of each source is found on one machine alone.", hint="leave out --engine"
        )


def _placed(both: LazySides, engine: Engine) -> Frame:
    """Count the candidates above every reference that was found, and those tied with it."""
    import narwhals.stable.v2 as nw

    goals = once(both.found.select("source", goal=nw.col("score")), "source", "goal")
    rivals = both.pred.join(goals, on="source", how="inner").filter(nw.col("score") >= nw.col("goal"))
    if both.repeated:
        # A candidate that is stated twice is one, at the highest of its scores.
        rivals = once(rivals, *both.keys, "goal", score=nw.col("score").max())
    score, goal = nw.col("score"), nw.col("goal")
    placed = once(rivals, "source", "goal", above=how_many(score > goal), tied=how_many(score == goal))
    true = both.found.select("source", score=nw.col("score"))
    true = once(
        true.join(goals, on="source", how="inner").filter(score >= goal),
        "source", "goal", true_above=how_many(score > goal), true_tied=how_many(score == goal),
    )  # fmt: skip
    places = placed.join(true, on=["source", "goal"], how="inner").rename({"goal": "score"})
    return engine.kept(both.found.join(places, on=["source", "score"], how="inner"))


def _alike(both: LazySides, placed: Frame) -> Frame:
    """Count the references that have the same place, and were stated as often; what was not found has none tied with it."""
    import narwhals.stable.v2 as nw

    found = once(placed.select(*PLACES, times=nw.col("gold_times")), *PLACES, "times", references=nw.len())
    lost = both.gold.join(placed.select(*both.keys), on=list(both.keys), how="anti")
    nowhere = {name: nw.lit(0) for name in PLACES}
    lost = once(lost, "times", references=nw.len()).select("times", "references", **nowhere)
    columns = [nw.col(name).cast(nw.Int64) for name in (*PLACES, "times", "references")]
    return nw.concat([found.select(columns), lost.select(columns)])


def _ranks(columns: dict[str, NDArray[np.int64]]) -> Ranks:
    """Lay out ranks, one for all references that have the same; of those that were not found nothing is tied."""
    found = columns["tied"] > 0
    nothing = np.zeros(len(found), dtype=np.int64)
    return Ranks(
        found=found,
        above=columns["above"],
        tied=np.maximum(columns["tied"], 1),
        order=nothing,
        true_above=columns["true_above"],
        true_tied=np.maximum(columns["true_tied"], 1),
        true_order=nothing,
        queries=nothing,
        items=cast("Any", ()),
        row=nothing,
        lists=nothing,
    )


def _evidence(both: LazySides, placed: Frame) -> Frame:
    """List the references with their expected ranks; of what was not found there is none."""
    import narwhals.stable.v2 as nw

    ranks = placed.select(*both.keys, rank=nw.col("above") + (nw.col("tied") + 1) / 2)
    verdict = nw.when(nw.col("rank").is_null()).then(nw.lit("missed")).otherwise(nw.lit("ranked"))
    joined = both.gold.join(ranks, on=list(both.keys), how="left")
    return joined.select("source", "target", "rank", side=nw.lit("gold"), verdict=verdict)
