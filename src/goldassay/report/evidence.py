"""The evidence of a prediction, looked up once, and the panels that all families share, put together for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from goldassay.core.context import Progress, ignore_progress
from goldassay.core.groups import ByError, Grouping
from goldassay.core.matching import RIGHT
from goldassay.core.panel import Column, Histogram, Lines, Panel, ScoreEvidence, build_breakdown_tables, curve_panels
from goldassay.report.results import Listed, Results, Run, View

FEW = 3


def view_of(report: Results, run: Run, *, progress: Progress = ignore_progress) -> View:
    """Look up every item of a prediction, and make its panels; nothing is looked up that the prediction brings."""
    if run.view is not None:
        return run.view
    scores = collect_evidence(run, progress=progress)
    own = panels_of(report, scores, run)
    groupings = {
        name: grouping if isinstance(grouping, ByError) else _group_once(grouping)
        for name, grouping in report.groupings.items()
    }
    groups = [table for score in run.scores for table in build_breakdown_tables(score, groupings)]
    histograms = [found for one in scores if (found := similarity_histogram(one))]
    named = {
        one.score.spec: [table.by for table in groups if table.measure == one.score.spec and table.by] for one in scores
    }
    items = {
        one.score.spec: Listed(columns=one.table, groups=dict(_name_groups(one, named[one.score.spec], groupings)))
        for one in scores
    }
    return View(items=items, panels=[*own, *groups, *histograms])


def _group_once(grouping: Grouping) -> Grouping:
    """Group the same items once: for the table of the groups, and for the list of the items."""
    known: list[tuple[Any, Any, Any]] = []

    def remembering(items: Any, others: Any) -> Any:
        for here, there, labels in known:
            if here is items and there is others:
                return labels
        known.append((items, others, grouping(items, others)))
        return known[-1][2]

    return remembering


def _name_groups(
    one: ScoreEvidence, names: Sequence[str], groupings: Mapping[str, Grouping]
) -> Iterator[tuple[str, Column]]:
    """Name the group of each item, for the groupings whose groups are of items."""
    matching = one.matching
    sides = ((matching.pred_items, matching.gold_items), (matching.gold_items, matching.pred_items))
    for by in names:
        if by in one.table:
            absent = RIGHT if isinstance(groupings.get(by), ByError) else ""
            yield by, [absent if cell is None else str(cell) for cell in one.table[by]]
        elif by in groupings:
            labels = [column for items, others in sides if (column := groupings[by](items, others)) is not None]
            found = ["" if cell is None else str(cell) for column in labels for cell in column]
            if len(found) == len(one.table["side"]):
                yield by, found


def is_cut_by_similarity(panel: Lines, listed: Listed) -> bool:
    """Return whether items are hits exactly where they are similar enough, so that a point of a curve selects items."""
    if panel.cut is None:
        return False
    similarity = np.array(listed.columns["similarity"], dtype=np.float64)
    hit = np.array([verdict == "hit" for verdict in listed.columns["verdict"]], dtype=bool)
    apart = ~np.isnan(similarity) & (similarity != panel.cut)
    return bool(apart.any() and ((similarity > panel.cut) == hit)[apart].all() and not hit[np.isnan(similarity)].any())


def collect_evidence(run: Run, *, progress: Progress = ignore_progress) -> list[ScoreEvidence]:
    """Look up every item of every score of a prediction; a loaded report has none."""
    kept = (score for score in run.scores if score.matching.kept)
    return [ScoreEvidence(score=score, table=score.matching.columns(progress=progress)) for score in kept]


def panels_of(report: Results, scores: Sequence[ScoreEvidence], run: Run) -> list[Panel]:
    """List what there is to show of the scores of a prediction: their curves, and what the family adds."""
    return [*curve_panels(scores), *report.panels(scores, pred=run.pred, gold=report.gold)]


def similarity_histogram(one: ScoreEvidence) -> Histogram | None:
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
