"""``goldassay taxonomy --sweep``: the curve over all thresholds, instead of one point on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

from goldassay.cli import screen
from goldassay.cli.groups import Output, Vectors
from goldassay.cli.screen import say
from goldassay.core.family import Family, Job
from goldassay.core.libraries import pl
from goldassay.core.text import json_text, to_one_line

if TYPE_CHECKING:
    from goldassay.core.curve import Curve, Point
    from goldassay.core.sweep import Sweep

SIDES = {"pred": "the prediction", "gold": "gold"}
SHOWN = tuple(step / 10 for step in range(11))
"""The thresholds shown in the text layout, in addition to the cut; other layouts have all."""


def sweep(family: Family[Any], job: Job, asked: dict[str, Any], *, vectors: Vectors, output: Output) -> None:
    """Sweep the thresholds of the measures for each prediction, and show the curves."""
    from goldassay.evaluation import sweep as run

    _check_layout(output.layout)
    with (
        screen.steps(verbose=output.verbose),
        screen.caught_warnings(quiet=output.quiet, reported=False),
        screen.progress_bar(quiet=output.quiet) as progress,
    ):
        found = run(
            job.systems or job.preds,
            gold=job.gold,
            kind=family.kind,
            encoder=vectors.load_for(asked["measures"] or family.measures.default),
            progress=progress,
            memory=vectors.memory * 2**20,
            **asked,
        )
    screen.warn_of_unread(family, job)
    _write("\n".join(LAYOUTS[output.layout](found, output)), output)


def _check_layout(layout: str) -> None:
    from goldassay.core.errors import UsageError

    if layout not in LAYOUTS:
        raise UsageError(f"--sweep does not support --format {layout}.", expected=", ".join(LAYOUTS))


def _write(text: str, output: Output) -> None:
    if output.output is None:
        say(text)
        return
    from goldassay.report.files import write_whole

    write_whole(output.output, lambda stream: stream.write(f"{text}\n".encode()))
    screen.say_written(output)


def _text(sweeps: Sequence[Sweep], output: Output) -> Iterator[str]:
    from goldassay.core.sweep import MARGIN

    for found in sweeps:
        curve, best, name = found.curve, found.curve.best, found.curve.headline
        yield f"{to_one_line(found.prediction)}   {found.measure}" + (
            f"   {len(found.runs)} runs" if found.runs else ""
        )
        if counts := _describe_left_out(found):
            yield f"  left out  {counts}"
        if curve.area is not None:
            yield f"  area under precision over recall  {output.style.value(curve.area)}"
        if best:
            side = "up" if curve.cut.lower_is_stricter else "down"
            yield f"  best {name.upper():<28} {output.style.value(best.values[name])} from threshold {_written(curve, best)} {side}"
        if found.near:
            low, high = (output.style.value(end) for end in found.near[name])
            yield f"  {name.upper()} within {MARGIN:g} of the cut".ljust(36) + f"{low} to {high}"
        yield ""
        yield from (f"  {line}" for line in _table(found, output))
        yield f"\n  {to_one_line(str(found.signature))}\n"


def _written(curve: Curve, point: Point) -> str:
    """Write the threshold of a point with four places, rounded to where its values hold, or with as many as that needs."""
    number = Decimal(point.threshold)
    rounding = ROUND_CEILING if curve.cut.lower_is_stricter else ROUND_FLOOR
    for places in range(4, 17):
        written = number.quantize(Decimal(1).scaleb(-places), rounding)
        if repr(curve.at(float(written)).values) == repr(point.values):  # none may be a number
            return f"{written:f}"
    return repr(point.threshold)


def _describe_left_out(found: Sweep) -> str:
    """Return how many items of which side gold cannot judge."""
    return ", ".join(
        f"{count:,} {reason.replace('_', ' ')} of {SIDES[side]}"
        for side, reasons in found.left_out.items()
        for reason, count in reasons.items()
    )


def _table(found: Sweep, output: Output) -> Iterator[str]:
    names = ("threshold", *found.curve.values)
    width = 18 if found.runs[1:] else 9
    yield "  ".join([f"{names[0]:>9}", *(f"{name:>{width}}" for name in names[1:])])
    for threshold in _shown_thresholds(found):
        cells = "  ".join(f"{text:>{max(width, len(name))}}" for name, text in _cells(found, threshold, output).items())
        yield f"{threshold:>9.3f}  {cells}" + ("  <- cut" if threshold == found.threshold else "")


def _cells(found: Sweep, threshold: float, output: Output) -> dict[str, str]:
    """Write the values at a threshold, those of repeated runs with their standard deviation."""
    sd = found.sd([threshold])
    return {
        name: output.style.value(value) + (f" \u00b1 {output.style.value(sd[name][0])}" if sd else "")
        for name, value in found.curve.at(threshold).values.items()
    }


def _shown_thresholds(found: Sweep) -> list[float]:
    thresholds = found.curve.thresholds
    # Cosines, shares and most scores lie in [-1, 1]; of other scores some are shown as they are.
    usual = not len(thresholds) or max(abs(thresholds.min()), abs(thresholds.max())) <= 1
    shown = SHOWN if usual else found.curve.thin(len(SHOWN)).thresholds.tolist()
    return sorted({*shown, *(() if found.threshold is None else (found.threshold,))})


def _markdown_lines(sweeps: Sequence[Sweep], output: Output) -> Iterator[str]:
    from goldassay.report.cells import Cell, TextTable
    from goldassay.report.render import code, table_text

    names = list(dict.fromkeys(name for found in sweeps for name in found.curve.values))
    of = "system" if any(found.runs for found in sweeps) else "prediction"
    rows = []
    for found in sweeps:
        for threshold in _shown_thresholds(found):
            cells = _cells(found, threshold, output)
            texts = (found.prediction, found.measure, f"{threshold:.3f}", *(cells.get(name, "") for name in names))
            rows.append([Cell(text=text) for text in texts])
    yield table_text(TextTable("", [of, "measure", "threshold", *names], rows, 2), "markdown")
    yield ""
    yield from (f"- {code(to_one_line(str(found.signature)))}" for found in sweeps)


def _json(sweeps: Sequence[Sweep], output: Output) -> Iterator[str]:
    del output
    yield json_text({"schema": "goldassay.sweep/1", "sweeps": [found.to_dict() for found in sweeps]})


def _csv(sweeps: Sequence[Sweep], output: Output) -> Iterator[str]:
    from goldassay.report.files import csv_of

    frames = []
    for found in sweeps:
        sd = {f"{name}_sd": column for name, column in found.sd(found.curve.thresholds).items()}
        named = {"system" if found.runs else "prediction": found.prediction, "measure": found.measure}
        columns = (pl.lit(one).alias(name) for name, one in named.items())
        frames.append(pl.DataFrame(found.curve.table() | sd).select(*columns, pl.all()))
    yield csv_of(pl.concat(frames, how="diagonal"), formulas=output.formulas).rstrip("\n")


LAYOUTS = {"text": _text, "markdown": _markdown_lines, "json": _json, "csv": _csv}
