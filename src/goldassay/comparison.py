"""Comparison of several predictions against one gold standard, with significance tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.measure import Score
from goldassay.core.significance import Resampling, holm, mcnemar
from goldassay.core.significance import compare as differences
from goldassay.core.timing import stage
from goldassay.core.units import Units, align_units
from goldassay.report import Report
from goldassay.report.results import Comparison

AGAINST = ("first", "best")


def compare(
    reports: Report | Sequence[Report],
    *,
    against: Literal["first", "best"] = "first",
    resampling: Resampling | None = None,
) -> Report:
    """Test the predictions of reports against one of them, value by value; nothing is scored again.

    Args:
        reports: Reports with intervals on the same gold standard, also loaded ones.
        against: Which prediction the others are tested against: the ``first``, or for each measure the ``best``.
        resampling: How to draw; as for the first score if None.

    Returns:
        One report with all predictions, and the comparisons.

    Raises:
        UsageError: If the gold standards or kinds differ, or if no score has units.

    Example:
        >>> import goldassay
        >>> gold = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(60)])
        >>> whole = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(50)])
        >>> half = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(20)])
        >>> report = goldassay.evaluate([whole, half], gold=gold, measures="literal", intervals=True)
        >>> recall = [found for found in compare(report).comparisons if found.value == "recall"][0]
        >>> round(recall.difference.difference, 2), recall.p_holm < 0.01
        (-0.5, True)
    """
    merged = _merge_reports([reports] if isinstance(reports, Report) else reports)
    check_against(against, len(merged))
    if not any(score.units for run in merged for score in run.scores):
        raise UsageError(
            "The reports have no units to resample.",
            hint="score with intervals (--ci, or intervals=True)",
        )
    specs = dict.fromkeys(score.spec for run in merged for score in run.scores)
    with stage("testing the differences"):
        found = tuple(row for spec in specs for row in _compare_measure(merged, spec, against, resampling))
    return replace(merged, comparisons=found)


def check_against(against: str, count: int, *, of: str = "prediction") -> None:
    """Check which prediction the others are tested against."""
    if against not in AGAINST:
        raise unknown_choice_error("value of against", against, AGAINST)
    if against != "first" and count < 2:  # noqa: PLR2004
        raise UsageError(f"--against has no effect with one {of}.", hint="name several")


def _merge_reports(reports: Sequence[Report]) -> Report:
    if not reports:
        raise UsageError("Nothing to compare: no report is given.")
    first = reports[0]
    for report in reports[1:]:
        if report.kind != first.kind:
            raise UsageError("Reports of different kinds cannot be compared.", found=f"{first.kind} and {report.kind}")
        here, there = (one.about_gold for one in (first, report))
        if here != there:
            raise UsageError("Reports on different gold standards cannot be compared.", found=f"{here} and {there}")
    return replace(first, runs=tuple(run for report in reports for run in report), comparisons=(), systems=())


def _compare_measure(report: Report, spec: str, against: str, resampling: Resampling | None) -> Iterator[Comparison]:
    scores = {
        row: score for row, run in enumerate(report) for score in run.scores if score.spec == spec and score.units
    }
    if len(scores) < 2:  # noqa: PLR2004 - one prediction has nothing to differ from
        return
    base = next(iter(scores)) if against == "first" else _best_system(scores)
    rest = [row for row in scores if row != base]
    units = {row: score.units for row, score in scores.items() if score.units is not None}
    how = resampling or scores[base].resampling or Resampling()
    divide = scores[base].measure.divide_counts
    tested = {row: differences(units[base], units[row], divide, how) for row in rest}
    for value in scores[base].values:
        rows = [row for row in rest if value in tested[row]]
        adjusted = holm([tested[row][value].p_randomisation for row in rows])
        for row, p_holm in zip(rows, adjusted, strict=True):
            sides = {"recall": ("gold",), scores[base].headline: ("gold", "pred")}.get(value, ())
            exact, mid = _mcnemar(units[base], units[row], sides)
            yield Comparison(
                run=row,
                against=base,
                measure=spec,
                value=value,
                difference=tested[row][value],
                p_holm=p_holm,
                p_mcnemar=exact,
                p_mcnemar_mid=mid,
            )


def _best_system(scores: dict[int, Score]) -> int:
    return max(scores, key=lambda row: scores[row].merit(scores[row].headline))


def _mcnemar(base: Units, other: Units, sides: Sequence[str]) -> tuple[float | None, float | None]:
    """Run McNemar's test on the errors of both, if items are simply right or wrong."""
    names = [f"{count}_{side}" for side in sides for count in ("n", "hit")]
    both = align_units(base, other)
    if not names or not both[0].counts.keys() >= {*names}:
        return None, None
    columns = [{name: np.asarray(one.counts[name]) for name in names} for one in both]
    if not np.isin(np.concatenate([column for one in columns for column in one.values()]), (0.0, 1.0)).all():
        return None, None
    first, second = (sum(one[f"n_{side}"] - one[f"hit_{side}"] for side in sides) for one in columns)
    only_first, only_second = int(np.sum(first < second)), int(np.sum(second < first))
    return mcnemar(only_first, only_second), mcnemar(only_first, only_second, method="midp")
