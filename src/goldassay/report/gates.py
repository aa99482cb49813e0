"""Gates: bounds that a report must reach for a build to pass."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from goldassay.core.errors import UsageError
from goldassay.core.measure import Measure, Score, check_bound
from goldassay.core.patterns import pattern_of
from goldassay.core.text import separating_digits
from goldassay.report.results import Results, Run

FORM = pattern_of(r"(?P<what>.+)=(?P<bound>[^=()\[\]]+)")
VALUE = pattern_of(r"(?:(?P<measure>.+)\.)?(?P<value>[A-Za-z_]\w*)")
# JSON keeps floats exactly, so that only rounding in the last bits is tolerated.
LAST_BITS = 1e-12


@dataclass(frozen=True, kw_only=True)
class Gate:
    """One bound on one value."""

    measure: str | None  # name or spec of the measure; None for every measure that has the value
    value: str | None  # the value; None for the headline
    bound: float  # the bound that it must reach, or must not exceed if lower is better

    @classmethod
    def parse(cls, text: str) -> Gate:
        """Read a gate: ``measure.value=bound``, ``value=bound`` or ``measure=bound``, which means its headline."""
        expected = "fuzzy.f1=0.8, f1=0.8 or 'fuzzy(threshold=0.5)=0.8'"
        form = FORM.fullmatch(text.strip())
        if form is None:
            raise UsageError("Invalid gate.", found=text, expected=expected)
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
        """Return the values of a score, or of a measure, that the gate matches."""
        # A single word is a value, or else the name of a measure, for its headline.
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
    """Reject gates that match nothing, or that nothing or everything reaches, before any work is done."""
    for gate in gates:
        about = [(measure, name) for measure in measures for name in gate.values_of(measure)]
        if not about:
            raise _matches_nothing(gate, [f"{one.name}.{name}" for one in measures for name in one.values])
        for measure, name in about:
            check_bound(measure, name, gate.bound, at_least=measure.higher_is_better)


def _matches_nothing(gate: Gate, known: Sequence[str]) -> UsageError:
    wanted = ".".join(part for part in (gate.measure, gate.value) if part)
    return UsageError("The gate does not match any value of this report.", found=wanted, expected=", ".join(known))


@dataclass(frozen=True, kw_only=True)
class Check:
    """One value of one prediction, and what it must be.

    Attributes:
        label: The prediction.
        measure: The measure as its spec.
        name: The name of the value.
        value: The value.
        note: What it must be, or was.
        matched: Whether it is.
        digits: How many digits of the value are shown.

    Example:
        >>> str(Check(label="a.ttl", measure="literal", name="f1", value=0.5, note="and must be at least 0.8", matched=False))
        'a.ttl: literal f1 is 0.5, and must be at least 0.8'
    """

    label: str
    measure: str
    name: str
    value: float
    note: str
    matched: bool
    digits: int = 6

    def __str__(self) -> str:
        return f"{self.label}: {self.measure} {self.name} is {self.value:.{self.digits}g}, {self.note}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Checks:
    """What a report is held against."""

    gates: Sequence[Gate] = ()
    baseline: Results | None = None
    max_drop: float = 0.0  # how much worse than in it a value may be

    def check_gates(self, report: Results) -> list[Check]:
        """Hold each value that a gate matches against its bound."""
        return [check for gate in self.gates for check in _check_gate(report, gate)]

    def check_baseline(self, report: Results) -> list[Check]:
        """Hold each value that the earlier report has, too, against the earlier one."""
        return [] if self.baseline is None else list(_check_baseline(report, self.baseline, self.max_drop))

    def failures(self, report: Results) -> list[str]:
        """Return what a report does not reach, one sentence each."""
        return [str(one) for one in (*self.check_gates(report), *self.check_baseline(report)) if not one.matched]


def _check_gate(report: Results, gate: Gate) -> list[Check]:
    about = [(run, score, name) for run in report for score in run.scores for name in gate.values_of(score)]
    if not about:
        raise _matches_nothing(gate, [f"{one.name}.{name}" for one in report.runs[0].scores for name in one.values])
    return [
        Check(
            label=run.label,
            measure=score.spec,
            name=name,
            value=score.values[name],
            note=f"and must be at {'least' if score.higher_is_better else 'most'} {gate.bound:.{digits}g}{_explain_unknown(score, name)}",
            matched=_reaches(score, name, gate.bound),
            digits=digits,
        )
        for run, score, name in about
        for digits in [separating_digits(score.values[name], gate.bound)]
    ]


def _check_baseline(report: Results, baseline: Results, most: float) -> Iterator[Check]:
    if differing := report.differing_gold(baseline):
        here, there = differing
        raise UsageError("The baseline is a report on another gold standard.", found=there, expected=here)
    compared = False
    for run in report:
        for score, before in _pair_scores(run, earlier(report, baseline, run)):
            for name in (one for one in score.values if one in before.values):
                compared = True
                now, was = score.values[name], before.values[name]
                worse = (was - now) * (1 if score.higher_is_better else -1)
                matched = worse <= most + LAST_BITS and score.merit(name) > -math.inf  # nan is not less than anything
                lost = f"worse by {worse:.6g}, more than the allowed {most:g}"
                lost = lost if worse > most else "an undefined value passes no check"
                note = f"was {was:.6g}" + ("" if matched else f": {lost}")
                yield Check(label=run.label, measure=score.spec, name=name, value=now, note=note, matched=matched)
    if not compared and report.measures.keys().isdisjoint(baseline.measures):
        raise UsageError(
            "The baseline has no value in common with this report.",
            found=", ".join(score.spec for score in baseline.scores) or "no score",
            expected=", ".join(score.spec for score in report.scores),
        )
    if not compared:
        raise UsageError(
            "The baseline has no prediction in common with this report: they have other names.",
            found=", ".join(run.label for run in baseline),
            expected=", ".join(run.label for run in report),
            hint="name predictions as there: NAME=FILE",
        )


def earlier(report: Results, baseline: Results, run: Run) -> Run | None:
    """Find a prediction in an earlier report: the one with the same path, or the only one of both reports."""
    if len(report) == len(baseline) == 1:
        return baseline.runs[0]
    return next((one for one in baseline if one.label == run.label), None)


def _pair_scores(run: Run, before: Run | None) -> Iterator[tuple[Score, Score]]:
    known = {} if before is None else {score.spec: score for score in before.scores}
    return ((score, known[score.spec]) for score in run.scores if score.spec in known)


def _explain_unknown(score: Score, name: str) -> str:
    """Return why a value fails that looks as if it passed."""
    value = score.values[name]
    return f"; it is undefined, given as {value:g}" if score.merit(name) == -math.inf < value else ""


def _reaches(score: Score, name: str, bound: float) -> bool:
    return score.merit(name) >= score.measure.merit(bound) - LAST_BITS
