"""``goldassay plan``: how many labels, documents or runs are needed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import typer

from goldassay.cli import screen
from goldassay.cli.flags import expand_parameters, refuse_others
from goldassay.cli.screen import say
from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.parameters import parameter

if TYPE_CHECKING:
    from goldassay.core.measure import Score
    from goldassay.core.units import Units
    from goldassay.report.report import Report
    from goldassay.sampling.plans import RunTest, UnitTest

SavedReport = Annotated[
    str | None,
    typer.Argument(
        metavar="REPORT",
        help="A saved pilot: a report of goldassay estimate (--format json), for labels or a difference, or of predictions with gold (--ci --format json), for a difference.",
        show_default=False,
    ),
]
BAR, APART = 40, 0.03
STEPS = [2 ** (step / 2) for step in range(-4, 4)]
"""How the points of a curve lie around what is planned."""
SHARES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
WIDTHS = (0.05, 0.03, 0.02, 0.01)
OF_WIDTH = {"half_width", "level", "layout"}
OF_DIFFERENCE = {"report", "difference", "power", "level", "measure", "value", "simulate", "seed", "layout"}


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """What is wanted."""

    panel: ClassVar[str | None] = None

    half_width: float | None = parameter(
        None, metavar="W", help="Labels for an interval of this half width, such as 0.03."
    )
    expect: float | None = parameter(
        None, metavar="SHARE", bounds=(0.0, 1.0), help="Expected precision. Default: several are shown."
    )
    population: int | None = parameter(
        None, metavar="N", bounds=(1, math.inf), help="Size of the population. Default: infinite."
    )
    effect: float = parameter(
        1.0, metavar="D", bounds=(0.01, 1000.0), help="Design effect of a pilot, as goldassay estimate shows it."
    )
    difference: float | None = parameter(
        None, metavar="D", help="Difference between two predictions of REPORT to detect."
    )
    power: float = parameter(0.8, metavar="SHARE", bounds=(0.01, 0.999), help="Probability of detecting it.")
    level: float = parameter(0.95, metavar="SHARE", bounds=(0.5, 0.999), help="Confidence level.")
    measure: str | None = parameter(None, metavar="MEASURE", help="The measure of REPORT; the first if not given.")
    value: str | None = parameter(
        None, metavar="NAME", help="The value of the measure, such as recall; its headline if not given."
    )
    simulate: bool = parameter(False, help="Check the plan by drawing units of the pilot 2,000 times.")
    seed: int = parameter(0, metavar="N", help="Random seed of --simulate.")
    layout: Literal["text", "json"] = parameter("text", flag="--format", help="Format of the plan.")


@expand_parameters
def plan(report: SavedReport = None, *, wanted: PlanOptions) -> None:
    """Plan how many labels an interval needs, or how many documents, labels or runs a difference needs.

    goldassay plan --half-width 0.03; or goldassay plan pilot.json --difference 0.02, with the units of a saved report.
    """
    from goldassay.saved import load

    if wanted.difference is not None:
        if report is None:
            raise UsageError(
                "--difference needs a pilot: a saved report.", hint="goldassay plan REPORT --difference 0.02"
            )
        refuse_others("--difference", OF_DIFFERENCE)
        loaded = load(report)
        found = (runs_plan if loaded.systems else units_plan)(loaded, wanted, wanted.difference)
    elif report is not None:
        refuse_others("labels for an interval, which the pilot plans", {"report", "measure", *OF_WIDTH})
        found = labels_plan(*pilots_of(load(report), wanted.measure), wanted)
    else:
        hint = "goldassay plan REPORT --difference 0.02"
        refuse_others("labels for an interval", {"expect", "population", "effect", *OF_WIDTH}, hint=hint)
        shares = SHARES if wanted.expect is None else (wanted.expect,)
        pilots = [Pilot({"precision": share}, share, wanted.population, wanted.effect) for share in shares]
        notes = [] if wanted.population else ["of a very large population; --population N needs fewer"]
        found = labels_plan(pilots, notes, wanted)
    if wanted.layout == "json":
        say(json.dumps(found, indent=2))
    else:
        screen.print_lines(lines_of(found))


class Pilot(NamedTuple):
    """What is known before labels are planned: how it is shown, a share, how many items there are, and the design effect."""

    shown: dict[str, Any]
    share: float
    population: int | None
    effect: float


def pilots_of(loaded: Report, measure: str | None) -> tuple[list[Pilot], list[str]]:
    """Take precision and design effect of each prediction of an estimate."""
    from goldassay.core.labelled import Labelled
    from goldassay.sampling.plans import effect_of, likely_share

    found, notes = [], dict[str, None]()
    for run in loaded.runs:
        score = _score_of(run, measure)
        if not isinstance(score.measure, Labelled):
            raise UsageError(
                "Nothing to plan.", found=f"a report of {score.spec}, without labels",
                expected="--difference, or a report of goldassay estimate", hint="goldassay plan REPORT --difference 0.02",
            )  # fmt: skip
        value, units, labels = score.values["precision"], _units_of(score), int(score.signature.fields["labels"])
        effect = effect_of(units, score.measure.divide_counts, labels)
        shown = {"prediction": run.pred.path, "precision": value, "labels": labels, "design effect": round(effect, 4)}
        found.append(Pilot(shown, likely_share(value, labels), len(run.pred), effect))
        if units.name != "item":
            notes[f"{labels / len(units):.3g} labels a {units.name}"] = None
    return found, list(notes)


def labels_plan(pilots: Sequence[Pilot], notes: Sequence[str], wanted: PlanOptions) -> dict[str, Any]:
    """Plan labels for half widths; for one width also a curve around it."""
    from goldassay.sampling.plans import LEAST_WIDTH, labels_for

    def needed(width: float, pilot: Pilot) -> int:
        return labels_for(width, pilot.share, wanted.level, population=pilot.population, effect=pilot.effect)

    half = wanted.half_width
    if half is not None and half < LEAST_WIDTH:
        raise UsageError("The half width is too small.", found=f"{half:g}", expected=f"at least {LEAST_WIDTH:g}")
    widths = WIDTHS if half is None else (half,)
    rows = [one.shown | {f"+-{100 * width:g} points": needed(width, one) for width in widths} for one in pilots]
    around = () if half is None else (half * step for step in STEPS if half * step < 0.5)  # noqa: PLR2004 - none is wider
    points = [(width, needed(width, pilots[0])) for width in around]
    title = f"labels for the interval of a precision (Wilson, level {wanted.level:g})"
    return _described(title, rows, ("half width", "labels", points), notes)


def units_plan(loaded: Report, wanted: PlanOptions, difference: float) -> dict[str, Any]:
    """Plan units for a difference of the two first predictions of a pilot."""
    from goldassay.core.labelled import Labelled
    from goldassay.sampling.plans import UnitTest, fewest_units, plan_difference

    if len(loaded.runs) < 2:  # noqa: PLR2004 - a difference is of two
        raise UsageError(
            "--difference needs a report of two predictions.",
            found="one prediction",
            expected="a report of two or more",
        )
    first, second = (_score_of(run, wanted.measure) for run in loaded.runs[:2])
    value = _value_of(first.measure, wanted.value, difference)
    planned = plan_difference(_units_of(first), _units_of(second), first.measure.divide_counts, value)
    labelled = isinstance(first.measure, Labelled)
    unit = "label" if planned.unit == "item" else planned.unit
    # Labels are tested by t; units of gold by randomisation, which few of them cannot make significant.
    fewest, pool = (2, loaded.gold.facts.get("pool")) if labelled else (fewest_units(wanted.level), None)
    test = UnitTest(
        deviation=planned.deviation,
        level=wanted.level,
        step=0.0 if labelled else planned.step,
        fewest=fewest,
        population=pool if unit == "label" else None,
    )
    pilot = {"pilot": len(planned.parts), "pilot's difference": round(planned.difference, 6)}
    start = f"{unit}s that show a difference of {difference:g} in {value} of {first.spec}"
    found = _power_plan(start, unit, test, wanted, difference, pilot)
    if unit == "label":
        found["notes"].append(
            f"of the {pool:,} items of the pool"
            if pool
            else "of very many items: the more of all are labelled, the fewer are needed"
        )
    return _simulated(found, planned.parts, test, wanted, difference) if wanted.simulate else found


def _simulated(
    found: dict[str, Any], parts: Any, test: UnitTest, wanted: PlanOptions, difference: float
) -> dict[str, Any]:
    """Add how often the planned units show the difference when they are drawn from the pilot."""
    from goldassay.sampling.plans import simulate_power

    row = found["table"][0]
    row["simulated power"] = simulate_power(parts, row["needed"], difference, test, seed=wanted.seed)
    if abs(row["simulated power"] - row["power"]) > APART:
        found["notes"].append(
            "the units are skewed or few, so that the plan is not reliable: simulated power differs by more than 3 points"
        )
    return found


def runs_plan(loaded: Report, wanted: PlanOptions, difference: float) -> dict[str, Any]:
    """Plan repeated runs of two systems, from how much those of the pilot vary."""
    from goldassay.sampling.plans import RunTest

    refuse_others("repeated runs", OF_DIFFERENCE - {"simulate", "seed"})
    scores = [_score_of(system, wanted.measure) for system in loaded.systems]
    value = _value_of(scores[0].measure, wanted.value, difference)
    spreads = [score.values[value].sd for score in scores]
    known = [spread for spread in spreads if spread is not None and not math.isnan(spread)]
    if not any(known):
        found = "runs that do not vary" if known else "one run of each system"
        raise UsageError("Nothing can be planned from the runs of the pilot.", found=found, hint="--runs NAME=PATTERN")
    deviation = math.sqrt(sum(spread**2 for spread in known) / len(known))
    of_units, units = _variance_of_units(loaded, wanted.measure, value)
    test = RunTest(deviation=deviation, level=wanted.level, of_units=of_units or 0.0, units=units)
    start = f"runs of each system that show a difference of {difference:g} in {value} of {scores[0].spec}"
    planned = _power_plan(start, "run", test, wanted, difference, {})
    planned["notes"].append("of other runs on the same units")
    if of_units is None:
        planned["notes"].append(
            "the pilot has no units of two systems: what other units would change is not allowed for, and the test is less likely to see it"
        )
    return planned


def _variance_of_units(loaded: Report, measure: str | None, value: str) -> tuple[float | None, int]:
    """Return how much the difference of the two first systems varies with other units, as their test does; and how many there are."""
    from goldassay.core.replication import part, replicates, variance_of_units

    if len(loaded.systems) < 2:  # noqa: PLR2004 - a difference is of two
        return None, 0
    scores = [_score_of(run, measure) for run in loaded.runs]
    drawn = replicates(
        [score.units for score in scores],
        [score.values for score in scores],
        scores[0].measure.divide_drawn,
        _score_of(loaded.systems[0], measure).resampling,
    )
    first, second = (part(drawn[value], system.rows) for system in loaded.systems[:2])
    return variance_of_units(first, second), first.units


def _value_of(measure: Any, asked: str | None, difference: float) -> str:
    """Return the value that is planned, if there is one that can differ so much."""
    value: str = asked or measure.headline
    if value not in measure.values:
        raise unknown_choice_error(f"value of {measure}", value, measure.values)
    low, high = measure.values[value]
    if difference > high - low:
        raise UsageError(
            f"No two values of {value} differ so much.",
            found=f"{difference:g}",
            expected=f"a difference of at most {high - low:g}",
        )
    return value


def _power_plan(
    start: str, unit: str, test: UnitTest | RunTest, wanted: PlanOptions, difference: float, pilot: dict[str, Any]
) -> dict[str, Any]:
    """Plan how many units are needed, with the power of more and of fewer."""
    from goldassay.sampling.plans import MOST, needed_for

    needed = needed_for(test, difference, wanted.power)
    most = test.population or MOST
    sizes = sorted({needed, *(min(max(test.fewest, round(needed * step)), most) for step in STEPS)})
    powers = {size: test.power(size, difference) for size in sizes}
    row = {"unit": unit, "needed": needed, "power": round(powers[needed], 4), **pilot}
    row[f"sd of {'an' if unit[0] in 'aeiou' else 'a'} {unit}"] = round(test.deviation, 6)
    return _described(f"{start}, level {wanted.level:g}", [row], (f"{unit}s", "power", powers.items()), ())


def _described(
    title: str, rows: list[dict[str, Any]], curve: tuple[str, str, Iterable[Any]], notes: Sequence[str]
) -> dict[str, Any]:
    x, y, points = curve
    drawn = {"x": x, "y": y, "points": [{"x": one, "y": other} for one, other in points]}
    return {"title": title, "table": rows, "curve": drawn, "notes": list(notes)}


def _score_of(run: Any, measure: str | None) -> Any:
    return run[measure] if measure else run.scores[0]


def _units_of(score: Score) -> Units:
    if score.units is None:
        raise UsageError("The pilot has no units.", found=score.spec, hint="score it again with --ci --format json")
    return score.units


def lines_of(found: dict[str, Any]) -> Iterator[str]:
    """Write a plan as a table and a curve."""
    from rich.console import Console

    from goldassay.report.cells import Cell, TextTable
    from goldassay.report.render import table_text

    console = Console()
    width = console.width if console.is_terminal else None
    yield from (found["title"], "")
    rows = [[Cell(text=_number(cell)) for cell in row.values()] for row in found["table"]]
    yield table_text(TextTable("", list(found["table"][0]), rows, 1), "text", width)
    curve = found["curve"]
    if curve["points"]:
        yield from ("", f"{curve['x']:>12}  {curve['y']}")
        most = max(point["y"] for point in curve["points"])
        for point in curve["points"]:
            yield f"{_number(point['x']):>12}  {'#' * max(1, round(BAR * point['y'] / most))} {_number(point['y'])}"
    yield from (f"note: {note}" for note in found["notes"])


def _number(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
