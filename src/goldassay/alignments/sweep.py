"""The score sweep: precision, recall and F1 at every threshold that the scores of a prediction allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.matching import AlignmentMatching
from goldassay.alignments.rankings.measure import RankingMatching
from goldassay.core.counts import FloatArray
from goldassay.core.curve import Curve
from goldassay.core.errors import UsageError
from goldassay.core.matching import NONE_MET
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
    if (
        not isinstance(matching, AlignmentMatching)
        or isinstance(matching, RankingMatching)
        or "hit_pred" not in score.counts
    ):
        raise UsageError(f"{score.spec} does not count correspondences, and has no sweep.", hint="-m overlap")
    weighed = getattr(score.measure, "duplicates", "merge") == "count"
    predicted, reference = matching.predicted, matching.reference
    levels = _levels(predicted.scores, matching.pred.credit, predicted.times if weighed else None)
    thresholds = levels["score"].to_numpy()
    total = int(reference.times.sum()) if weighed else len(reference)
    return Curve(
        thresholds=thresholds,
        hit_pred=levels["credit"].cum_sum().to_numpy(),
        n_pred=levels["times"].cum_sum().to_numpy(),
        hit_gold=_found_by(matching, thresholds),
        n_gold=np.full(len(levels), total, dtype=np.int64),
    )


def _levels(scores: FloatArray, credit: FloatArray, times: NDArray[np.int32] | None) -> pl.DataFrame:
    """Sum credit and number of predictions at every distinct score, the highest first."""
    import polars as pl

    table = pl.DataFrame({"score": scores, "credit": credit})
    number = pl.len() if times is None else pl.col("times").sum()
    table = table if times is None else table.with_columns(times=times)
    levels = table.group_by("score").agg(pl.col("credit").sum(), number.cast(pl.Int64).alias("times"))
    return levels.sort("score", descending=True)


def _found_by(matching: AlignmentMatching, thresholds: FloatArray) -> FloatArray:
    """Sum the credit of gold whose counterparts reach each threshold."""
    met = np.flatnonzero((matching.gold.counterpart != NONE_MET) & (matching.gold.credit > 0))
    reached = matching.predicted.scores[matching.gold.counterpart[met]]
    order = np.argsort(-reached, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(matching.gold.credit[met][order])])
    return np.asarray(sums[np.searchsorted(-reached[order], -thresholds, side="right")])
