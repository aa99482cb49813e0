"""Comparison of several predictions against one gold standard, with significance tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import PurePath
from typing import Any

import numpy as np

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.groups import Breakdown
from goldassay.core.model import restate
from goldassay.core.significance import Difference, Resampling, holm, mcnemar
from goldassay.core.significance import compare as differences
from goldassay.core.text import show_object
from goldassay.core.timing import stage
from goldassay.core.units import Units, align_units
from goldassay.repeated import add_systems, keep_groups
from goldassay.report import Report
from goldassay.report.results import Comparison, Ties

AGAINST = ("first", "best", "all")


def compare(
    reports: Report | Sequence[Report],
    *,
    against: str | Sequence[str] = "first",
    resampling: Resampling | None = None,
) -> Report:
    """Test the predictions of reports against each other, value by value; nothing is scored again.

    All pairs are tested for groups of ties.

    Args:
        reports: Reports with intervals on the same gold standard, also loaded ones, and those of repeated runs.
        against: Which predictions the others are tested against, one or several: the ``first``, for each measure the ``best``,
            ``all``, or the names of predictions.
        resampling: How to draw; as for the first score if None.

    Returns:
        One report with all predictions, and the comparisons.

    Raises:
        UsageError: If the gold standards or kinds differ, if no score has units, if no prediction has such a name, or if two reports
            have a system of the same name.

    Example:
        >>> import goldassay
        >>> gold = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(60)])
        >>> whole = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(50)])
        >>> half = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(20)])
        >>> report = goldassay.evaluate([whole, half], gold=gold, measures="literal", intervals=True)
        >>> recall = [found for found in compare(report).comparisons if found.value == "recall"][0]
        >>> round(recall.difference.difference, 2), recall.p_holm < 0.01
        (-0.5, True)
        >>> compare(report).ties[0].letters
        ('a', 'b')
    """
    several = [reports] if isinstance(reports, Report) else reports
    merged = _merge_reports(several)
    if any(report.systems for report in several):
        return _compare_systems(several, merged, against, resampling)
    merged = _number_equal_names(merged)
    labels = [run.label for run in merged]
    check_against(against, labels)
    if not any(score.units for score in merged.scores):
        raise UsageError(
            "No score of these reports has units, so there is nothing to resample.",
            hint="score with intervals (--ci, or intervals=True)",
        )
    with stage("testing the differences"):
        tested = [_Tested(merged, spec, resampling) for spec in merged.measures]
        comparisons = tuple(row for one in tested for row in one.comparisons(asked_of(against), labels))
        ties = tuple(found for one in tested if (found := one.ties()))
    return replace(merged, comparisons=comparisons, ties=ties)


def asked_of(against: str | Sequence[str]) -> tuple[str, ...]:
    """List what the others are tested against: if nothing is asked, the first."""
    return (against,) if isinstance(against, str) else tuple(against) or ("first",)


def check_against(against: str | Sequence[str], names: Sequence[str], *, of: str = "prediction") -> None:
    """Check which predictions the others are tested against."""
    for one in asked_of(against):
        if of == "system" and (one == "all" or len(asked_of(against)) > 1):
            raise UsageError(
                "Systems of several runs are tested against one system.",
                found=one,
                hint="--against first, best or a name",
            )
        if one not in AGAINST:
            row_of(one, names, of=of)
        if one != "first" and len(names) < 2:  # noqa: PLR2004
            raise UsageError(f"--against has no effect with one {of}.", hint="name several")


def base_of(against: str | Sequence[str], systems: Sequence[str]) -> str | int:
    """Find the one system that others are tested against: a word, or its place."""
    [base] = asked_of(against)
    return base if base in AGAINST else row_of(base, systems, of="system")


def row_of(name: str, names: Sequence[str], *, of: str = "prediction") -> int:
    """Find a prediction by its name, or by the end of its path."""
    ends = PurePath(name).parts
    found = [row for row, one in enumerate(names) if one == name] or [
        row for row, one in enumerate(names) if PurePath(one).parts[-len(ends) :] == ends
    ]
    if not found:
        raise unknown_choice_error("value of against", name, [*AGAINST, *names])
    if len(found) > 1:
        raise UsageError(
            f"Several {of}s have the same name.", found=name, expected=", ".join(names[row] for row in found)
        )
    return found[0]


def _merge_reports(reports: Sequence[Report]) -> Report:
    if not isinstance(reports, list | tuple) or not reports or not all(isinstance(one, Report) for one in reports):
        expected = "a list of what goldassay.evaluate or goldassay.load returns"
        raise UsageError("There is no report to compare.", found=show_object(reports), expected=expected)
    first = reports[0]
    for report in reports[1:]:
        if report.kind != first.kind:
            raise UsageError("Reports of different kinds cannot be compared.", found=f"{first.kind} and {report.kind}")
    known = [report for report in reports if report.knows_gold][:1]
    for base, report in product([first, *known], reports):
        if differing := base.differing_gold(report):
            here, there = differing
            raise UsageError("Reports on different gold standards cannot be compared.", found=f"{here} and {there}")
    levels = {
        score.resampling.level for report in reports for score in report.scores if score.units and score.resampling
    }
    if len(levels) > 1:
        found = " and ".join(f"{level:g}" for level in sorted(levels))
        raise UsageError(
            "The intervals of these reports have different levels.", found=found, hint="score all with one --level"
        )
    return replace(first, runs=tuple(run for report in reports for run in report), comparisons=(), systems=())


def _number_equal_names(merged: Report) -> Report:
    """Number predictions of the same name: tables, tests and columns call them by it."""
    times, seen, runs = Counter(run.label for run in merged), Counter[str](), []
    for run in merged:
        seen[run.label] += 1
        numbered = f"{run.label} ({seen[run.label]})"
        pred: Any = run.pred
        runs.append(replace(run, pred=restate(pred, path=numbered)) if times[run.label] > 1 else run)
    return replace(merged, runs=tuple(runs))


def _compare_systems(
    reports: Sequence[Report], merged: Report, against: str | Sequence[str], resampling: Resampling | None
) -> Report:
    """Test the systems of reports against each other; a run of a report without systems is one by itself."""
    named: dict[str, tuple[int, ...]] = {}
    groups: dict[str, dict[str, tuple[Breakdown, ...]]] = {}
    start = 0
    for report in reports:
        systems = [(one.name, one.rows, one.scores) for one in report.systems]
        runs = [(run.label, (row,), run.scores) for row, run in enumerate(report)]
        for name, rows, scores in systems or runs:
            if name in named:
                raise UsageError(
                    "Two reports have a system of the same name.", found=name, hint="name the runs differently"
                )
            named[name] = tuple(start + row for row in rows)
            groups[name] = {score.spec: score.breakdowns for score in scores}
        start += len(report)
    if len({tuple(score.spec for score in run.scores) for run in merged}) > 1:
        raise UsageError("Systems can only be compared by the same measures.", hint="score all runs with the same -m")
    check_against(against, list(named), of="system")
    how = resampling or next((one.resampling for one in merged.scores if one.resampling), Resampling())
    return keep_groups(add_systems(merged, named, against=base_of(against, list(named)), resampling=how), groups)


class _Tested:
    """The tests of one measure between the predictions of a report; each pair is tested once."""

    def __init__(self, report: Report, spec: str, resampling: Resampling | None) -> None:
        self.spec, self.rows = spec, len(report)
        self.scores = {
            row: score for row, run in enumerate(report) for score in run.scores if score.spec == spec and score.units
        }
        self.units = {row: score.units for row, score in self.scores.items() if score.units is not None}
        self.how = resampling or next((one.resampling for one in self.scores.values()), None) or Resampling()
        self.found: dict[tuple[int, int], dict[str, Difference]] = {}

    def pair(self, base: int, row: int) -> dict[str, Difference]:
        """Test one prediction against another."""
        if (base, row) not in self.found:
            divide = self.scores[base].measure.divide_drawn
            self.found[base, row] = differences(self.units[base], self.units[row], divide, self.how)
        return self.found[base, row]

    def comparisons(self, against: Sequence[str], labels: Sequence[str]) -> Iterator[Comparison]:
        """Test each prediction against those that are asked for, with Holm's correction over these tests."""
        # Without two scores that can be compared, words such as first name none.
        pairs = list(self._pairs(against, labels)) if len(self.scores) > 1 else []
        for value in next(iter(self.scores.values())).values if pairs else ():
            asked = [(base, row) for base, row in pairs if value in self.pair(base, row)]
            adjusted = holm([self.pair(*one)[value].p_randomisation for one in asked])
            for (base, row), p_holm in zip(asked, adjusted, strict=True):
                sides = {"recall": ("gold",), self.scores[base].headline: ("gold", "pred")}.get(value, ())
                exact, mid = _mcnemar(self.units[base], self.units[row], sides)
                yield Comparison(
                    run=row,
                    against=base,
                    measure=self.spec,
                    value=value,
                    difference=self.pair(base, row)[value],
                    p_holm=p_holm,
                    p_mcnemar=exact,
                    p_mcnemar_mid=mid,
                    resampling=self.how,
                )

    def _pairs(self, against: Sequence[str], labels: Sequence[str]) -> Iterable[tuple[int, int]]:
        """List the pairs that are asked for, each once."""
        words = {"first": list(self.scores)[:1], "best": self._ranked()[:1], "all": list(self.scores)}
        bases = dict.fromkeys(row for one in against for row in words.get(one) or [row_of(one, labels)])
        pairs: dict[frozenset[int], tuple[int, int]] = {}
        for base in (one for one in bases if one in self.scores):
            for row in self.scores:
                if row != base:
                    pairs.setdefault(frozenset((base, row)), (base, row))
        return pairs.values()

    def ties(self) -> Ties | None:
        """Test all pairs, unless there are too many for the number of resamples: the least p is one by resamples plus 1."""
        known = (row for row in self._ranked() if self.scores[row].headline not in self.scores[row].undefined)
        ranked = [row for row in known if self.scores[row].merit(self.scores[row].headline) > -math.inf]
        pairs = list(combinations(ranked, 2))
        if not pairs or not self.how.separates(len(pairs)):
            return None
        name = self.scores[ranked[0]].headline
        tested = {frozenset(pair): self.pair(*(pair if pair in self.found else pair[::-1])).get(name) for pair in pairs}
        p = {pair: one.p_randomisation for pair, one in tested.items() if one}
        return Ties.of(self.spec, ranked, p, rows=self.rows, level=self.how.level) if len(p) == len(pairs) else None

    def _ranked(self) -> list[int]:
        return sorted(self.scores, key=lambda row: self.scores[row].merit(self.scores[row].headline), reverse=True)


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
