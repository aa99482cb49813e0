"""The forest plot that the page opens with: the headline value of every system, its interval, and what chance and people give."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from goldassay.core.chance import NEAR_CHANCE
from goldassay.core.significance import Interval
from goldassay.core.text import USUAL, NumberFormat, list_first
from goldassay.report.cells import short_labels
from goldassay.report.results import interval_of, value_of

if TYPE_CHECKING:
    from goldassay.core.measure import Measure
    from goldassay.report.results import HeadlineTest, Results, Run, Ties

LEGEND = {
    "value": "score",
    "range": "interval",
    "run": "a single run",
    "chance": "chance: mean and one standard deviation to either side",
    "ceiling": "human ceiling",
    "published": "published by others",
}
OF_OTHERS = -1
NAMES = {
    "value": "score",
    "range": "interval",
    "run": "runs",
    "chance": "chance",
    "ceiling": "human ceiling",
    "published": "score",
}
TICKS = 5
WHOLE_SCALE = 1 / 3
"""Marks that fill less of the scale than this are drawn on a part of it."""
TINY = 0.001
SAME = 1e-12
"""How near two values are that differ by rounding only."""
FEW_SD = 2
"""What is not further from chance than these standard deviations is not called better than chance."""
MIDDLE = 50
"""What lies right of this percent of the scale is labelled on its left."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One row of a forest plot."""

    label: str
    run: int  # row of its prediction in the report; `OF_OTHERS` for a system that others published
    value: float
    interval: Interval | None = None
    chance: tuple[float, float] | None = None
    ceiling: float | None = None
    against: HeadlineTest | None = None
    doubted: bool = False
    ties: str = ""  # letters that it shares with those from which it does not differ
    runs: tuple[float, ...] = ()  # the value of each of its repeated runs; empty for a single prediction

    def marks(self) -> Iterator[tuple[str, float, float]]:
        """List what is drawn, each with its ends, the value last, so that it lies on top."""
        if self.chance is not None and math.isfinite(self.chance[0]):
            yield "chance", self.chance[0] - self.chance[1], self.chance[0] + self.chance[1]
        if self.interval is not None and math.isfinite(self.interval.low) and math.isfinite(self.interval.high):
            yield "range", self.interval.low, self.interval.high
        yield from (("run", value, value) for value in self.runs if math.isfinite(value))
        if self.ceiling is not None and math.isfinite(self.ceiling):
            yield "ceiling", self.ceiling, self.ceiling
        if math.isfinite(self.value):
            yield "published" if self.run == OF_OTHERS else "value", self.value, self.value


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The scale of a forest plot."""

    low: float
    high: float
    ticks: Sequence[float]
    part: bool  # whether the measure has smaller or larger values than its ends

    def place(self, low: float, high: float) -> dict[str, str]:
        """Return the left end and the width of a mark in percent of the scale."""
        left, right = (
            100 * (min(max(end, self.low), self.high) - self.low) / (self.high - self.low) for end in (low, high)
        )
        return {"left": f"{left:.2f}", "width": f"{right - left:.2f}"}


def forests(report: Results, style: NumberFormat = USUAL) -> list[dict[str, Any]]:
    """Build a forest plot for each measure."""
    written = InWords(style.places, style.percent)
    return [
        _forest(measure, *draw_forest(report, spec), written, level=_level(report, spec), ties=report.ties_of(spec))
        for spec, measure in report.measures.items()
    ]


def labels_of(report: Results) -> list[str]:
    """Name the predictions; a single one is named by its file."""
    labels = [run.label for run in report.runs]
    return short_labels(labels) if len(labels) > 1 else [PurePath(label).name for label in labels]


def sort_by_headline(report: Results, spec: str) -> list[Entry]:
    """List the systems of a report by their headline value of one measure, undefined values last."""
    return _sort(list(_entries(report, spec)), report.measures[spec])


def _sort(entries: Sequence[Entry], measure: Measure[Any, Any]) -> list[Entry]:
    return sorted(entries, key=lambda entry: measure.merit(entry.value), reverse=True)


def _list_published(report: Results, spec: str) -> list[Entry]:
    """List the systems that others published, if they did publish the headline value of a measure."""
    score = next(score for score in report.scores if score.spec == spec)
    published = report.task.published_values(score) if report.task else ()
    return [
        Entry(label=one.system, run=OF_OTHERS, value=values[score.headline])
        for one, values in published
        if score.headline in values
    ]


def _entries(report: Results, spec: str) -> Iterator[Entry]:
    labels = [one.name for one in report.systems] or labels_of(report)
    several = report.against_several and not report.systems
    tests = {} if several else {one.row: one for one in report.headline_tests(spec, labels)}
    for place, row in enumerate(report.rows):
        for score in row.scores:
            if score.spec != spec:
                continue
            name, combined = score.headline, None if report.systems else report.runs[place][spec].combined
            yield Entry(
                label=labels[place],
                run=row.runs[0],
                value=value_of(score, name) if score.merit(name) > -math.inf else math.nan,
                interval=interval_of(score, name),
                chance=(score.chance.expected[name], score.chance.sd[name]) if score.chance else None,
                ceiling=combined.ceiling.get(name) if combined else None,
                against=tests.get(place),
                doubted=all(_is_doubted(report.runs[run], spec) for run in row.runs),
                ties=report.tie_letters(place, spec),
                runs=tuple(report.runs[run][spec].values[name] for run in row.runs) if report.systems else (),
            )


def _is_doubted(run: Run, spec: str) -> bool:
    return any(line.startswith(f"{spec}: ") and any(near in line for near in NEAR_CHANCE) for line in run.warnings)


def _level(report: Results, spec: str) -> float:
    drawn = (score.resampling for score in report.scores if score.spec == spec)
    return next((one.level for one in drawn if one is not None), 0.95)


def draw_forest(report: Results, spec: str) -> tuple[list[Entry], Scale]:
    """Return the rows of the forest plot of a measure, with what others published, the best first, and its scale."""
    entries = [*sort_by_headline(report, spec), *_list_published(report, spec)]
    measure = report.measures[spec]
    shown = _sort(entries, measure)
    return shown, _scale(measure, [mark for entry in shown for mark in entry.marks()], several=len(shown) > 1)


class InWords(NumberFormat):
    """How values are written in a sentence."""

    def __call__(self, value: float) -> str:
        """Write a value."""
        return "undefined" if math.isnan(value) else self.value(value)

    def difference(self, value: float) -> str:
        """Write the size of a difference that is not zero."""
        text = self(abs(value))
        return text if float(text) else f"less than {10.0**-self.places:.{self.places}f}"

    def span(self, found: Interval) -> str:
        """Write both ends of an interval."""
        return f"{self(found.low)} to {self(found.high)}"

    def signed(self, value: float) -> str:
        """Write a difference with its sign."""
        return f"{value * self.factor:+.{self.places}f}".replace("-", "\N{MINUS SIGN}")


def _forest(
    measure: Measure[Any, Any],
    shown: Sequence[Entry],
    scale: Scale,
    written: InWords,
    *,
    level: float,
    ties: Ties | None,
) -> dict[str, Any]:
    entries, published = ([one for one in shown if (one.run == OF_OTHERS) is others] for others in (False, True))
    kinds = {kind for entry in shown for kind, _, _ in entry.marks()}
    tested = any(entry.against for entry in entries)
    return {
        "measure": str(measure),
        "name": measure.headline,
        "direction": "" if measure.higher_is_better else "lower is better",
        "sentence": sentence(entries, measure, written, level=level, published=published, ties=ties),
        "rows": [_row(entry, scale, written) for entry in shown],
        "tested": tested,
        "base": next((entry.against.label for entry in entries if entry.against), ""),
        "ticks": [
            {"text": f"{tick * written.factor:g}", "left": scale.place(tick, tick)["left"]} for tick in scale.ticks
        ],
        "part": scale.part,
        "legend": [
            (kind, f"{level:.0%} interval" if kind == "range" else text)
            for kind, text in LEGEND.items()
            if kind in kinds
        ],
    }


def _row(entry: Entry, scale: Scale, written: InWords) -> dict[str, Any]:
    found = list(entry.marks())
    texts = [
        f"{NAMES[kind]} "
        + ", ".join(written(low) + (f" to {written(high)}" if high > low else "") for _, low, high in alike)
        for kind, alike in groupby(found, itemgetter(0))
    ]
    against = entry.against
    left = scale.place(entry.value, entry.value)["left"] if math.isfinite(entry.value) else "0.00"
    return {
        "label": entry.label,
        "run": None if entry.run == OF_OTHERS else entry.run,
        "value": written.stated(entry.value) if entry.run == OF_OTHERS else written(entry.value),
        "interval": f"[{written(entry.interval.low)}, {written(entry.interval.high)}]" if entry.interval else "",
        "marks": [{"kind": kind, **scale.place(low, high)} for kind, low, high in found],
        "text": ", ".join(texts) or "undefined",
        "lines": [entry.label, *(texts[::-1] or ["undefined"])],
        "tip": f"left:{left}%" if float(left) <= MIDDLE else f"right:{100 - float(left):.2f}%",
        "difference": written.signed(against.difference) if against else "",
        "p": p_text(against.p) if against and against.p is not None else "",
        "differs": bool(against and against.differs),
        "ties": entry.ties,
    }


def p_text(p: float) -> str:
    """Write a p value, with spaces that do not break."""
    return (
        f"p\N{NO-BREAK SPACE}<\N{NO-BREAK SPACE}{TINY}"
        if p < TINY
        else f"p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{p:.3f}"
    )


def sentence(
    entries: Sequence[Entry],
    measure: Measure[Any, Any],
    written: InWords,
    *,
    level: float,
    published: Sequence[Entry] = (),
    ties: Ties | None = None,
) -> str:
    """Return which system is best and by how much, and which differences were tested; chance first where it decides."""
    name = measure.headline
    known = [entry for entry in entries if math.isfinite(entry.value)]
    undefined = [entry.label for entry in entries if not math.isfinite(entry.value)]
    if not known:
        return f"{name} is undefined."
    best = known[0]
    chance = _describe_chance(best, measure, written)
    texts = [f"{chance}{_describe_rank(known, name, written, level=level, ties=ties)}."]
    texts += [_references(best, written, chance=not chance)]
    if undefined:
        texts.append(f"{name} of {list_first(undefined)} is undefined.")
    if published and measure.merit(published[0].value) > measure.merit(best.value):
        texts.append(f"Published and better: {published[0].label} with {written.stated(published[0].value)}.")
    return " ".join(filter(None, texts))


def _describe_rank(known: Sequence[Entry], name: str, written: InWords, *, level: float, ties: Ties | None) -> str:
    best, *rest = known
    reached = f"{name} {written(best.value)}"
    if best.interval:
        reached += f" ({level:.0%} interval {written.span(best.interval)})"
    if not rest:
        return f"{best.label} reaches {reached}"
    equal = [one.label for one in known if math.isclose(one.value, best.value, rel_tol=SAME)]
    if len(equal) > 1:
        return f"{' and '.join(equal) if not equal[2:] else list_first(equal)} are level at {reached}"
    second = rest[0]
    ahead = written.difference(best.value - second.value)
    return f"{best.label} is best with {reached}, {ahead} better than {second.label}{_describe_test(best, second, written, ties)}"


def _describe_chance(best: Entry, measure: Measure[Any, Any], written: InWords) -> str:
    """Return the beginning of the sentence if the best is not better than chance; else nothing."""
    mean, sd = best.chance or (math.nan, math.nan)
    if not math.isfinite(mean):
        return "Little better than chance: " if best.doubted else ""
    drawn = f" ({written(mean)} \u00b1 {written(sd)})" if math.isfinite(sd) else f" ({written(mean)})"
    beyond = measure.merit(best.value) - measure.merit(mean)
    near = FEW_SD * sd if math.isfinite(sd) else 0.0
    if beyond < -near:
        return f"Worse than chance{drawn}: "
    if beyond <= near:
        return f"No better than chance{drawn}: "
    return f"Little better than chance{drawn}: " if best.doubted else ""


def _describe_test(best: Entry, second: Entry, written: InWords, ties: Ties | None) -> str:
    """Return what a test of the best system found, or that its lead was not tested; nothing without tests."""
    if ties is not None:
        return f", {_describe_difference(ties.leads, ties.p_holm)}"
    pairs = ((best.against, second.label), (second.against, best.label))
    direct = next((one for one, label in pairs if one and one.label == label), None)
    if direct is not None:
        return f", {_describe_difference(direct.differs, direct.p)}"
    if best.against is None:
        return " (not tested)" if second.against else ""
    ahead = written.difference(best.against.difference)
    return f" (not tested), and {ahead} better than {best.against.label}, {_describe_difference(best.against.differs, best.against.p)}"


def _describe_difference(differs: bool, p: float | None) -> str:
    if p is None or math.isnan(p):
        return "not tested"
    return f"{'a significant difference' if differs else 'which may be chance'} ({p_text(p)})"


def _references(entry: Entry, written: InWords, *, chance: bool) -> str:
    texts = []
    if chance and entry.chance is not None and math.isfinite(entry.chance[0]):
        texts.append(f"chance gives {written(entry.chance[0])}")
    if entry.ceiling is not None and math.isfinite(entry.ceiling):
        texts.append(f"people reach {written(entry.ceiling)}")
    text = " and ".join(texts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _scale(measure: Measure[Any, Any], marks: Sequence[tuple[str, float, float]], *, several: bool) -> Scale:
    """Choose the scale: from the worst to the best value, or the part of it that has marks if several systems lie close."""
    ends = [end for _, low, high in marks for end in (low, high)] or [0.0, 1.0]
    low, high = min(ends), max(ends)
    least, most = measure.values[measure.headline]
    if least < 0 <= low:
        least = 0.0
    if math.isfinite(least) and math.isfinite(most):
        low, high = max(low, least), min(high, most)
        if not several or high - low >= WHOLE_SCALE * (most - least):
            return Scale(low=least, high=most, ticks=ticks(least, most), part=False)
    room = 0.15 * (high - low) or 0.05 * abs(high) or 0.05
    found = ticks(low - room, high + room)
    step = found[1] - found[0]
    low, high = max(found[0] - step, least), min(found[-1] + step, most)
    return Scale(low=low, high=high, ticks=ticks(low, high), part=True)


def ticks(low: float, high: float) -> list[float]:
    """Choose round values between two ends."""
    rough = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((size * power for size in (1, 2, 5) if size * power >= rough * (1 - 1e-9)), 10 * power)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 12) for place in range(first, last + 1)]
