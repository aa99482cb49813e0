"""The evidence of a report, looked up once, and the panels that all families share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldassay.core.context import Progress, silent
from goldassay.core.panel import Evidenced, Histogram, Panel, curve_panels
from goldassay.report.results import Results, Run

FEW = 3


def evidenced(run: Run, *, progress: Progress = silent) -> list[Evidenced]:
    """Look up every item of every score of a prediction; a loaded report has none."""
    kept = (score for score in run.scores if score.matching.kept)
    return [Evidenced(score=score, table=score.matching.columns(progress=progress)) for score in kept]


def panels_of(report: Results, scores: Sequence[Evidenced], run: Run) -> list[Panel]:
    """List what there is to show of the scores of a prediction: their curves, and what the family adds."""
    return [*curve_panels(scores), *report.panels(scores, pred=run.pred, gold=report.gold)]


def similarity_histogram(one: Evidenced) -> Histogram | None:
    """Sort the similarities of items to their best counterparts by verdict."""
    similarities = np.array(one.table["similarity"], dtype=np.float64)
    verdicts = np.array(one.table["verdict"], dtype=object)
    known = ~np.isnan(similarities)
    if len(np.unique(similarities[known])) < FEW:
        return None
    words: Sequence[str] = list(dict.fromkeys(["hit", *verdicts[known].tolist()]))
    return Histogram(
        title="Similarity to the best counterpart",
        note="Number of items of both sides, by verdict.",
        measure=one.score.spec,
        axis="similarity to the best counterpart",
        values={word: similarities[known & (verdicts == word)] for word in words},
        cut=getattr(one.matching, "threshold", None),
    )
