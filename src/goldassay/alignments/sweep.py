"""The score sweep: precision, recall and F1 at every threshold that the scores of a prediction allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.alignments.matching import AlignmentMatching
from goldassay.core.counts import FloatArray
from goldassay.core.curve import Curve
from goldassay.core.errors import UsageError
from goldassay.core.matching import NONE_MET
from goldassay.core.measure import Measure
from goldassay.core.score import Score

if TYPE_CHECKING:
    import polars as pl


def sweep(score: Score) -> Curve:
    """Give precision, recall and F1 as if only predictions from some score on had been made, for every score.

    Args:
        score: A score of `Overlap` or `Residual`.

    Returns:
        The curve, one point a distinct score, with its best threshold and the area under it.

    Raises:
        UsageError: If the score does not count correspondences.

    Example:
        >>> from goldassay.alignments import Alignment, Overlap
        >>> gold = Alignment.from_rows([("cat", "chat"), ("dog", "chien")])
        >>> pred = Alignment.from_rows([("cat", "chat", "=", 0.9), ("dog", "loup", "=", 0.4), ("dog", "chien", "=", 0.7)])
        >>> curve = sweep(Overlap().score(pred=pred, gold=gold))
        >>> curve.thresholds.tolist(), curve.best.threshold, curve.best.f1, curve.area
        ([0.9, 0.7, 0.4], 0.7, 1.0, 1.0)
    """
    matching = score.matching
    if not isinstance(matching, AlignmentMatching) or "hit_pred" not in score.counts:
        raise UsageError(f"{score.spec} does not count correspondences, and has no sweep.", hint="-m overlap")
    return curve_of(score.measure, matching)


def curve_of(measure: Measure[Any, Any], matching: AlignmentMatching) -> Curve:
    """Give the curve of a matching of correspondences.

    Args:
        measure: What counts and divides them.
        matching: What it matched.
    """
    credited, expected = measure.parts(matching)
    levels = _levels(matching.predicted.scores, credited.counts)
    thresholds = levels["score"].to_numpy()
    total = int(np.sum(expected.counts["n_gold"]))
    return Curve(
        thresholds=thresholds,
        hit_pred=levels["hit_pred"].cum_sum().to_numpy(),
        n_pred=levels["n_pred"].cum_sum().to_numpy(),
        hit_gold=_found_by(matching, thresholds),
        n_gold=np.full(len(levels), total, dtype=np.int64),
        unreached=(0, total),
        undefined=measure.undefined,
        divide=measure.divide,
        headline=measure.headline,
        inclusive=True,
    )


def _levels(scores: FloatArray, counts: Mapping[str, Any]) -> pl.DataFrame:
    """Sum what predictions count at every distinct score, the highest first."""
    import polars as pl

    table = pl.DataFrame({"score": scores, **counts}, schema_overrides=dict.fromkeys(counts, pl.Float64))
    return table.group_by("score").agg(pl.col(*counts).sum()).sort("score", descending=True)


def _found_by(matching: AlignmentMatching, thresholds: FloatArray) -> FloatArray:
    """Sum the credit of gold whose counterparts reach each threshold."""
    met = np.flatnonzero((matching.gold.counterpart != NONE_MET) & (matching.gold.credit > 0))
    reached = matching.predicted.scores[matching.gold.counterpart[met]]
    order = np.argsort(-reached, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(matching.gold.credit[met][order])])
    return np.asarray(sums[np.searchsorted(-reached[order], -thresholds, side="right")])
