"""Gates: bounds that a report must reach for a build to pass."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from goldassay.core.errors import UsageError
from goldassay.core.measure import Measure, Score
from goldassay.report.results import Results, Run

FORM = re.compile(r"(?P<what>.+)=(?P<bound>[^=()\[\]]+)")
VALUE = re.compile(r"(?:(?P<measure>.+)\.)?(?P<value>[A-Za-z_]\w*)")
# JSON keeps floats exactly, so that only rounding in the last bits is tolerated.
LAST_BITS = 1e-12
PERCENT = 100


@dataclass(frozen=True, kw_only=True)
class Gate:
    """One bound on one value.

    Attributes:
        measure: Name or spec of the measure; None for every measure that has the value.
        value: The value; None for the headline.
        bound: The bound that it must reach, or must not exceed if lower is better.

    Example:
        >>> Gate.parse("fuzzy.f1=0.8")
        Gate(measure='fuzzy', value='f1', bound=0.8)
        >>> Gate.parse("fuzzy(threshold=0.5)=0.8").measure
        'fuzzy(threshold=0.5)'
    """

    measure: str | None
    value: str | None
    bound: float

    @classmethod
    def parse(cls, text: str) -> Gate:
        """Read a gate: ``measure.value=bound``, ``value=bound`` or ``measure=bound``, which means its headline.

        Raises:
            UsageError: If it has another form.
        """
        expected = "fuzzy.f1=0.8, f1=0.8 or 'fuzzy(threshold=0.5)=0.8'"
        form = FORM.fullmatch(text.strip())
        if form is None:
            raise UsageError("This is not a gate.", found=text, expected=expected)
        try:
            bound = float(form["bound"])
        except ValueError as error:
            raise UsageError("The bound of a gate must be a number.", found=form["bound"], expected=expected) from error
        if not math.isfinite(bound):  # nothing fails nan, or -inf
            raise UsageError("The bound of a gate must be a number.", found=form["bound"], expected=expected)
        named = VALUE.fullmatch(form["what"])
        return (
            cls(measure=named["measure"], value=named["value"], bound=bound)
            if named
            else cls(measure=form["what"], value=None, bound=bound)
        )

    def values_of(self, score: Score | Measure[Any, Any]) -> list[str]:
        """Return the values of a score, or of a measure, that the gate matches.

        A single word is a value, or else the name of a measure, for its headline.
        """
        spec = score.spec if isinstance(score, Score) else str(score)
        if self.measure in (spec, score.name):
            name = self.value or score.headline
            return [name] if name in score.values else []
        if self.measure is not None or self.value is None:
            return []
        if self.value in (score.name, spec):
            return [score.headline]
        return [self.value] if self.value in score.values else []


def check_gates(gates: Sequence[Gate], measures: Sequence[Measure[Any, Any]]) -> None:
    """Reject gates that match nothing, or that nothing can reach, before any work is done.

    Args:
        gates: The gates.
        measures: The measures that will be scored, or might be.

    Raises:
        UsageError: If a gate matches no value of these measures, or its bound lies beyond what the value can be.
    """
    for gate in gates:
        about = [(measure, name) for measure in measures for name in gate.values_of(measure)]
        if not about:
            raise _matches_nothing(gate, [f"{one.name}.{name}" for one in measures for name in one.values])
        for measure, name in about:
            low, high = measure.values[name]
            if not (gate.bound <= high if measure.higher_is_better else gate.bound >= low):
                raise UsageError(
                    f"{measure} {name} never reaches this bound.",
                    found=f"{gate.bound:g}",
                    expected=f"a number from {low:g} to {high:g}",
                    hint=f"a share is no percentage: {gate.bound / PERCENT:g}" if 1 == high < gate.bound else None,
                )


def _matches_nothing(gate: Gate, known: Sequence[str]) -> UsageError:
    wanted = ".".join(part for part in (gate.measure, gate.value) if part)
    return UsageError("A gate matches no value of this report.", found=wanted, expected=", ".join(known))


def unmet(report: Results, gates: Sequence[Gate]) -> list[str]:
    """Return which gates a report does not meet, one sentence each.

    Args:
        report: The report.
        gates: The gates.

    Raises:
        UsageError: If a gate matches no value of the report, since it would then never fail.
    """
    found = []
    for gate in gates:
        about = [(run, score, name) for run in report for score in run.scores for name in gate.values_of(score)]
        if not about:
            raise _matches_nothing(gate, [f"{one.name}.{name}" for one in report.runs[0].scores for name in one.values])
        found += [_fell_short(run, score, name, gate.bound) for run, score, name in about if _fails(score, name, gate)]
    return found


def dropped(report: Results, baseline: Results, *, most: float) -> Iterator[str]:
    """Return which values are worse than in an earlier report by more than allowed, one sentence each.

    Predictions are paired by path, or if both reports have a single one. Measures are paired by spec.

    Args:
        report: The report.
        baseline: The earlier one.
        most: The maximum decrease of a value.

    Raises:
        UsageError: If the earlier report is on another gold standard, or no value is in both.
    """
    here, there = report.about_gold, baseline.about_gold
    if here != there:
        raise UsageError("The baseline is a report on another gold standard.", found=there, expected=here)
    compared = False
    for run in report:
        for score, before in _paired(run, _earlier(report, baseline, run)):
            for name in score.values.keys() & before.values.keys():
                compared = True
                worse = before.values[name] - score.values[name]
                worse = worse if score.higher_is_better else -worse
                if not worse <= most + LAST_BITS:
                    yield (
                        f"{run.label}: {score.spec} {name} is {score.values[name]:.6g}, was {before.values[name]:.6g}: "
                        f"worse by {worse:.6g}, more than the allowed {most:g}"
                    )
    if not compared:
        raise UsageError(
            "The baseline has no value in common with this report.",
            found=", ".join(score.spec for run in baseline for score in run.scores) or "no score",
            expected=", ".join(score.spec for run in report for score in run.scores),
        )


def _earlier(report: Results, baseline: Results, run: Run) -> Run | None:
    if len(report) == len(baseline) == 1:
        return baseline.runs[0]
    return next((earlier for earlier in baseline if earlier.label == run.label), None)


def _paired(run: Run, earlier: Run | None) -> Iterator[tuple[Score, Score]]:
    before = {} if earlier is None else {score.spec: score for score in earlier.scores}
    return ((score, before[score.spec]) for score in run.scores if score.spec in before)


def _fails(score: Score, name: str, gate: Gate) -> bool:
    value = score.values[name]
    reached = value >= gate.bound - LAST_BITS if score.higher_is_better else value <= gate.bound + LAST_BITS
    return not reached


def _fell_short(run: Run, score: Score, name: str, bound: float) -> str:
    wanted = "at least" if score.higher_is_better else "at most"
    return f"{run.label}: {score.spec} {name} is {score.values[name]:.6g}, and must be {wanted} {bound:g}"
