"""The evidence of a report, looked up once, and what every family has to show of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldassay.core.context import Progress, silent
from goldassay.core.panel import Evidenced, Histogram, Panel, curve_panels
from goldassay.report.results import Results, Run

FEW = 3


def evidenced(run: Run, *, progress: Progress = silent) -> list[Evidenced]:
    """Look up every item of every score of a prediction; a report that was read back knows of none.

    Args:
        run: The prediction and its scores.
        progress: Called while counterparts are looked up.
    """
    kept = (score for score in run.scores if score.matching.kept)
    return [Evidenced(score=score, table=score.matching.table(progress=progress)) for score in kept]


def panels_of(report: Results, scores: Sequence[Evidenced], run: Run) -> list[Panel]:
    """List what there is to show of the scores of a prediction: their curves, and what the family adds.

    Args:
        report: The report.
        scores: The scores, each with its evidence.
        run: The prediction.
    """
    return [*curve_panels(scores), *report.panels(scores, pred=run.pred, gold=report.gold)]


def similarity_histogram(one: Evidenced) -> Histogram | None:
    """Sort the similarities of items to their best counterparts by verdict.

    Args:
        one: A score and its evidence.

    Returns:
        The histogram; None if the similarities hardly differ, as those of measures that compare exactly.
    """
    similarities = np.array(one.table["similarity"], dtype=np.float64)
    verdicts = np.array(one.table["verdict"], dtype=object)
    known = ~np.isnan(similarities)
    if len(np.unique(similarities[known])) < FEW:
        return None
    words: Sequence[str] = list(dict.fromkeys(["hit", *verdicts[known].tolist()]))
    return Histogram(
        title="How near the best counterparts are",
        note="Items of both sides by their similarity to the best counterpart.",
        measure=one.score.spec,
        axis="similarity to the best counterpart",
        values={word: similarities[known & (verdicts == word)] for word in words},
        cut=getattr(one.matching, "threshold", None),
    )
