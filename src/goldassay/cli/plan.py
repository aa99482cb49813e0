"""``goldassay plan``: how many labels, documents or runs are needed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import typer

from goldassay.cli import screen
from goldassay.cli.flags import expand_parameters
from goldassay.core.errors import UsageError
from goldassay.core.parameters import parameter

if TYPE_CHECKING:
    from goldassay.report.report import Report

Pilot = Annotated[
    str | None,
    typer.Argument(
        metavar="REPORT", help="A saved pilot report (--ci --format json), for units or runs.", show_default=False
    ),
]
BAR, POINTS, APART = 40, 8, 0.03
SHARES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
WIDTHS = (0.05, 0.03, 0.02, 0.01)


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """What is wanted."""

    panel: ClassVar[str | None] = None

    half_width: float | None = parameter(
        None, metavar="W", help="Labels for an interval of this half width, such as 0.03."
    )
    expect: float | None = parameter(
        None, metavar="SHARE", bounds=(0.0, 1.0), help="The precision that is expected; several are shown if not given."
    )
    population: int | None = parameter(
        None, metavar="N", bounds=(1, math.inf), help="Items that are drawn from; infinitely many if not given."
    )
    effect: float = parameter(
        1.0, metavar="D", bounds=(0.01, 1000.0), help="The design effect of a pilot, which goldassay estimate shows."
    )
    difference: float | None = parameter(
        None, metavar="D", help="The difference between two predictions of REPORT that is to be seen."
    )
    power: float = parameter(0.8, metavar="SHARE", bounds=(0.01, 0.999), help="How likely it is to be seen.")
    level: float = parameter(0.95, metavar="SHARE", bounds=(0.5, 0.999), help="Confidence level.")
    measure: str | None = parameter(None, metavar="MEASURE", help="The measure of REPORT; the first if not given.")
    value: str | None = parameter(
        None, metavar="NAME", help="The value of the measure, such as recall; its headline if not given."
    )
    simulate: bool = parameter(False, help="Check the plan by drawing units of the pilot 2,000 times.")
    seed: int = parameter(0, metavar="N", help="Random seed of --simulate.")
    layout: Literal["text", "json"] = parameter("text", flag="--format", help="Format of the plan.")


@expand_parameters
def plan(report: Pilot = None, *, wanted: PlanOptions) -> None:
    """Plan how many labels an interval needs, or how many documents or runs a difference needs.

    goldassay plan --half-width 0.03; or goldassay plan pilot.json --difference 0.02, with the units of a saved report.
    """
    if report is None:
        if wanted.difference is not None:
            raise UsageError(
                "--difference needs a pilot: a saved report.", hint="goldassay plan REPORT --difference 0.02"
            )
        found = labels_plan(wanted)
    else:
        if wanted.difference is None:
            raise UsageError(
                "Nothing to plan.", expected="--difference", hint="goldassay plan REPORT --difference 0.02"
            )
        found = units_plan(report, wanted, wanted.difference)
    if wanted.layout == "json":
        typer.echo(json.dumps(found, indent=2))
    else:
        screen.print_lines(lines_of(found))


def labels_plan(wanted: PlanOptions) -> dict[str, Any]:
    """Plan labels for half widths, at some precisions."""
    from goldassay.sampling.plans import labels_for

    widths = (wanted.half_width,) if wanted.half_width is not None else WIDTHS
    shares = (wanted.expect,) if wanted.expect is not None else SHARES

    def needed(width: float, share: float) -> int:
        return labels_for(width, share, wanted.level, population=wanted.population, effect=wanted.effect)

    table = [
        {"precision": share, **{f"+-{100 * width:g} points": needed(width, share) for width in widths}}
        for share in shares
    ]
    curve = []
    if wanted.half_width is not None:
        spread = [wanted.half_width * 2 ** (step / 2) for step in range(-2, POINTS - 2)]
        share = wanted.expect if wanted.expect is not None else 0.5
        curve = [{"x": width, "y": needed(width, share)} for width in spread if 0 < width < 0.5]  # noqa: PLR2004
    return {
        "title": f"labels for the interval of a precision (Wilson, level {wanted.level:g})",
        "table": table,
        "curve": {"x": "half width", "y": "labels", "points": curve},
        "notes": [] if wanted.population else ["of a very large population; --population N needs fewer"],
    }


def units_plan(path: str, wanted: PlanOptions, difference: float) -> dict[str, Any]:
    """Plan units, and runs where the pilot has repeated runs, for a difference of its two first predictions."""
    from goldassay.sampling.plans import influences, plan_difference, simulate_power
    from goldassay.saved import load

    loaded = load(path)
    if loaded.systems:
        return runs_plan(loaded, wanted, difference)
    if len(loaded.runs) < 2:  # noqa: PLR2004 - a difference is of two
        raise UsageError(
            "--difference needs a report of two predictions.", found=f"{path}: one", expected="a report of two or more"
        )
    first, second = (run[wanted.measure] if wanted.measure else run.scores[0] for run in loaded.runs[:2])
    value = wanted.value or first.headline
    if first.units is None or second.units is None:
        raise UsageError(
            "The pilot has no units.", found=f"{path}: {first.spec}", hint="score it again with --ci --format json"
        )
    divide = first.measure.divide_counts
    planned = plan_difference(
        first.units, second.units, divide, value, difference=difference, power=wanted.power, level=wanted.level
    )
    found: dict[str, Any] = {
        "title": f"{planned.unit}s that show a difference of {difference:g} in {value} of {first.spec}, level {wanted.level:g}",
        "table": [
            {
                **_needed(planned.unit, planned.units, difference, planned.deviation, wanted.level),
                "pilot": planned.pilot,
                "pilot's difference": round(planned.difference, 6),
                "sd of one unit": round(planned.deviation, 6),
            }
        ],
        "curve": _curve(f"{planned.unit}s", planned.units, difference, planned.deviation, wanted.level),
        "notes": [],
    }
    if wanted.simulate:
        _, parts = influences(first.units, second.units, divide, value)
        seen = simulate_power(parts, planned.units, difference, level=wanted.level, seed=wanted.seed)
        found["table"][0]["simulated power"] = seen
        if abs(seen - found["table"][0]["power"]) > APART:
            found["notes"].append(
                "the units are skewed or few, so that the plan is not reliable: simulated power differs by more than 3 points"
            )
    return found


def runs_plan(loaded: Report, wanted: PlanOptions, difference: float) -> dict[str, Any]:
    """Plan repeated runs of two systems, from how much those of the pilot vary."""
    from goldassay.sampling.plans import units_for

    scores = [system[wanted.measure] if wanted.measure else system.scores[0] for system in loaded.systems]
    value = wanted.value or scores[0].measure.headline
    spreads = [score.values[value].sd for score in scores]
    known = [spread for spread in spreads if spread is not None and not math.isnan(spread)]
    if not known:
        raise UsageError(
            "The pilot has only one run of each system.", expected="two runs or more", hint="--runs NAME=PATTERN"
        )
    # Runs of two systems are not paired: the variances add up.
    deviation = math.sqrt(2 * sum(spread**2 for spread in known) / len(known))
    if deviation == 0:
        raise UsageError("The runs of the pilot do not vary; nothing can be planned from them.")
    needed = units_for(difference, deviation, wanted.power, wanted.level)
    return {
        "title": f"runs of each system that show a difference of {difference:g} in {value} of {scores[0].spec}, level {wanted.level:g}",
        "table": [{**_needed("run", needed, difference, deviation, wanted.level), "sd of a run": known[0]}],
        "curve": _curve("runs", needed, difference, deviation, wanted.level),
        "notes": ["of other runs on the same units"],
    }


def _needed(unit: str, needed: int, difference: float, deviation: float, level: float) -> dict[str, Any]:
    """Describe how many units are needed, and with which power."""
    from goldassay.sampling.plans import power_at

    return {"unit": unit, "needed": needed, "power": round(power_at(needed, difference, deviation, level), 4)}


def _curve(units: str, needed: int, difference: float, deviation: float, level: float) -> dict[str, Any]:
    """Compute the power of more and of fewer units than are needed."""
    from goldassay.sampling.plans import power_at

    sizes = sorted({max(2, round(needed * 2 ** (step / 2))) for step in range(-4, 4)})
    points = [{"x": size, "y": power_at(size, difference, deviation, level)} for size in sizes]
    return {"x": units, "y": "power", "points": points}


def lines_of(found: dict[str, Any]) -> Iterator[Any]:
    """Write a plan as a table and a curve."""
    yield found["title"]
    yield ""
    yield from _table(found["table"])
    curve = found["curve"]
    if curve["points"]:
        yield ""
        yield f"{curve['x']:>12}  {curve['y']}"
        most = max(point["y"] for point in curve["points"])
        for point in curve["points"]:
            yield f"{_number(point['x']):>12}  {'#' * max(1, round(BAR * point['y'] / most))} {_number(point['y'])}"
    yield from (f"note: {note}" for note in found["notes"])


def _table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    cells = [list(rows[0]), *([_number(cell) for cell in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "   ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))


def _number(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
