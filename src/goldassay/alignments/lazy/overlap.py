"""Overlap on an engine: correspondences of both sides are joined, and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from goldassay.alignments.lazy.read import LazyAlignment
from goldassay.alignments.overlap import OverlapMeasure, incomparable
from goldassay.alignments.relations import DISJOINT, GRADED, OTHER, UNJUDGED
from goldassay.alignments.statements import ENDS
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.lazy import Counted, Engine, Frame, sum_of
from goldassay.formats.tables import numbers_of, once, rows_in


@dataclass(frozen=True, eq=False, kw_only=True)
class LazySides:
    """Both sides as a measure compares them.

    Attributes:
        keys: The columns by which correspondences are the same.
        pred: The statements of the prediction that are compared.
        gold: The correspondences of gold, each once, with their ``score`` and ``times``.
        found: Those of the prediction that gold has too: keys, ``score``, ``times``, and ``gold_times``.
        repeated: Whether a correspondence may be stated twice in the prediction.
        whole: Whether all statements of the prediction are compared.
    """

    keys: tuple[str, ...]
    pred: Frame
    gold: Frame
    found: Frame
    repeated: bool
    whole: bool

    @property
    def items(self) -> Frame:
        """The correspondences of the prediction, each once."""
        return merged(self.pred, self.keys, repeated=self.repeated)


def merged(frame: Frame, keys: tuple[str, ...], *, repeated: bool = True) -> Frame:
    """Give each correspondence once, with its highest score and how often it was stated."""
    import narwhals.stable.v2 as nw

    if not repeated:
        return frame.select(*keys, "score", times=nw.lit(1))
    return once(frame, *keys, score=nw.col("score").max(), times=nw.len())


def check_unit(pred: LazyAlignment) -> None:
    """Reject scores outside of [0, 1] where scores are used."""
    if pred.beyond_unit is not None:
        raise pred.beyond_unit


def sides(
    pred: LazyAlignment,
    gold: LazyAlignment,
    *,
    unjudged: str,
    related: bool,
    disjoint: bool,
    engine: Engine,
    context: Context,
) -> LazySides:
    """Lay both sides out; computed once for all measures."""
    name = f"lazy sides, unjudged {unjudged}, related {related}, disjoint {disjoint}"

    def make() -> LazySides:
        import narwhals.stable.v2 as nw

        keys = (*ENDS, "relation") if related else ENDS
        here, there = _judged(pred, gold, unjudged)
        if not disjoint:
            here, there = (_claimed(frame, side) for frame, side in ((here, pred), (there, gold)))
        whole = here is pred.frame
        gold_items = engine.kept(merged(there, keys))
        # Only what gold has is gathered by its keys.
        met = here.join(gold_items.select(*keys, gold_times=nw.col("times")), on=list(keys), how="inner")
        found = once(met, *keys, score=nw.col("score").max(), times=nw.len(), gold_times=nw.col("gold_times").max())
        repeated = pred.rows > pred.size or (not related and len(pred.codes) > 1)
        return LazySides(
            keys=keys, pred=here, gold=gold_items, found=engine.kept(found), repeated=repeated, whole=whole
        )

    return context.once(name, (pred, gold), make)


def _judged(pred: LazyAlignment, gold: LazyAlignment, unjudged: str) -> tuple[Frame, Frame]:
    """Leave out what the prediction marks ``?``, and on both sides the pairs that gold marks."""
    import narwhals.stable.v2 as nw

    here, there = pred.frame, gold.frame
    marked = nw.col("relation") == UNJUDGED
    if unjudged != "keep" and UNJUDGED in pred.codes:
        here = here.filter(~marked)
    if unjudged == "count" or UNJUDGED not in gold.codes:
        return here, there
    neutral = once(there.filter(marked), *ENDS)
    return here.join(neutral, on=list(ENDS), how="anti"), there.join(neutral, on=list(ENDS), how="anti")


def _claimed(frame: Frame, side: LazyAlignment) -> Frame:
    import narwhals.stable.v2 as nw

    return frame.filter(nw.col("relation") != DISJOINT) if DISJOINT in side.codes else frame


def count_overlap(
    measure: OverlapMeasure, pred: LazyAlignment, gold: LazyAlignment, engine: Engine, context: Context
) -> Counted:
    """Count what both sides have."""
    import narwhals.stable.v2 as nw

    if measure.threshold is not None:
        check_unit(pred)
    related = measure.relation != "ignore"
    if related:
        _refuse_other(pred, gold, engine)
    both = sides(
        pred, gold, unjudged=measure.unjudged, related=related, disjoint=measure.relation == "exact", engine=engine, context=context
    )  # fmt: skip
    total = nw.col("times").sum() if measure.duplicates == "count" else nw.len()
    whole = both.whole and measure.threshold is None and (related or len(pred.codes) == 1)
    if whole:
        n_pred = pred.rows if measure.duplicates == "count" else pred.size
    else:
        n_pred = numbers_of(_reaching(both.items, measure), engine, n=total)["n"]
    n_gold = numbers_of(both.gold, engine, n=total)["n"]
    here, there = _credited(measure, both)
    counts = {"hit_pred": _total(here, engine), "hit_gold": _total(there, engine), "n_pred": n_pred, "n_gold": n_gold}
    return Counted(counts=Counts(counts), evidence=_evidence(measure, both, here, there))


def _reaching(items: Frame, measure: OverlapMeasure) -> Frame:
    """Keep what reaches the threshold, if there is one."""
    import narwhals.stable.v2 as nw

    return items if measure.threshold is None else items.filter(nw.col("score") >= measure.threshold)


def _credited(measure: OverlapMeasure, both: LazySides) -> tuple[Frame, Frame]:
    """Give the correspondences of both sides that earn something: their keys, and ``credit``."""
    import narwhals.stable.v2 as nw

    if measure.relation != "graded":
        met = _reaching(both.found, measure).select(*both.keys, credit=nw.lit(1.0))
        return met, met
    near = once(
        both.pred.join(once(both.gold, *ENDS), on=list(ENDS), how="inner"), *both.keys, score=nw.col("score").max()
    )
    there = both.gold.select(*ENDS, other=nw.col("relation"))
    pairs = _reaching(near, measure).join(there, on=list(ENDS), how="inner").with_columns(credit=_proximity())
    pairs = pairs.filter(nw.col("credit") > 0)
    best = nw.col("credit").max()
    return (
        once(pairs, *ENDS, "relation", credit=best),
        once(pairs, *ENDS, "other", credit=best).rename({"other": "relation"}),
    )


def _proximity() -> Any:
    """Give the proximity of the columns ``relation`` and ``other``."""
    import narwhals.stable.v2 as nw

    column = nw.lit(0.0)
    for one, other in np.argwhere(GRADED > 0).tolist():
        same = (nw.col("relation") == one) & (nw.col("other") == other)
        column = nw.when(same).then(nw.lit(float(GRADED[one, other]))).otherwise(column)
    return column


def _total(credited: Frame, engine: Engine) -> int | float:
    import narwhals.stable.v2 as nw

    rows = engine.rows(once(credited, "credit", times=nw.len()))
    return sum_of([row["credit"] for row in rows], [row["times"] for row in rows])


def _refuse_other(pred: LazyAlignment, gold: LazyAlignment, engine: Engine) -> None:
    import narwhals.stable.v2 as nw

    for name, side in (("prediction", pred), ("gold", gold)):
        if OTHER in side.codes:
            count = rows_in(merged(side.frame.filter(nw.col("relation") == OTHER), (*ENDS, "relation")), engine)
            raise incomparable(name, side, count)


def _evidence(measure: OverlapMeasure, both: LazySides, here: Frame, there: Frame) -> Frame:
    """List all correspondences of both sides with their verdicts, by the identifiers of their ends."""
    import narwhals.stable.v2 as nw

    halves = []
    for side, items, credited, word in (
        ("pred", _reaching(both.items, measure), here, "invented"),
        ("gold", both.gold, there, "missed"),
    ):
        credit = nw.col("credit").fill_null(0.0)
        verdict = nw.when(credit >= 1).then(nw.lit("hit")).otherwise(
            nw.when(credit > 0).then(nw.lit("partial")).otherwise(nw.lit(word))
        )  # fmt: skip
        joined = items.join(credited, on=list(both.keys), how="left")
        halves.append(joined.select(*ENDS, "score", side=nw.lit(side), verdict=verdict))
    return nw.concat(halves)
