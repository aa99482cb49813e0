"""The picture of the scores: each headline value on a scale, beside what chance gives and what people reach."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from goldassay.report.cells import short_labels

if TYPE_CHECKING:
    from goldassay.core.measure import Score
    from goldassay.report.results import Results

LEGEND = {
    "value": "score",
    "range": "interval",
    "chance": "chance: mean and one standard deviation to either side",
    "ceiling": "human ceiling",
}


def marks(report: Results) -> dict[str, Any]:
    """Lay the headline values of a report on scales from the worst to the best value.

    Values without a worst or a best, such as mean ranks, are left to the table, and so are all where neither chance nor a
    ceiling is known.

    Args:
        report: The report.

    Returns:
        ``rows``, each with its label, measure, value, the marks in percent of the scale, and a description; ``ends``, what
        the ends of all scales are, None where they differ; ``legend``, what the kinds of marks mean.
    """
    names = short_labels([run.label for run in report.runs])
    scored = [(name, score) for name, run in zip(names, report.runs, strict=True) for score in run.scores]
    drawn = [(name, score) for name, score in scored if all(map(math.isfinite, _ends(score)))]
    if report.systems or not any(_has_more(score) for _, score in drawn):
        return {"rows": [], "ends": None, "legend": []}
    rows = [
        {"label": name, "measure": score.spec, **_row(score)}
        for name, score in drawn
        if math.isfinite(score.values[score.headline])
    ]
    ends = {_ends(score) for _, score in drawn}
    kinds = {mark["kind"] for row in rows for mark in row["marks"]}
    return {
        "rows": rows,
        "ends": [f"{end:g}" for end in ends.pop()] if len(ends) == 1 else None,
        "legend": [(kind, told) for kind, told in LEGEND.items() if kind in kinds],
    }


def _has_more(score: Score) -> bool:
    return score.chance is not None or bool(score.golds and score.golds.ceiling)


def _ends(score: Score) -> tuple[float, float]:
    """Return the ends of a scale: the worst and the best value, but 0 where nothing lies below it."""
    least, most = score.measure.values[score.headline]
    return 0.0 if least < 0 and all(low >= 0 for _, low, _ in _marks(score)) else least, most


def _row(score: Score) -> dict[str, Any]:
    found = list(_marks(score))
    told = [_told(*mark) for mark in found]
    value = f"{score.headline} {score.values[score.headline]:.4f}"
    drawn = [{"kind": kind, **_place(score, low, high)} for kind, low, high in found]
    return {"value": value, "marks": drawn, "told": ", ".join([value, *told[:-1]])}


def _told(kind: str, low: float, high: float) -> str:
    return f"{kind} {low:.4f} to {high:.4f}" if high > low else f"{kind} {low:.4f}"


def _marks(score: Score) -> Iterator[tuple[str, float, float]]:
    """List what is drawn, the value last, so that it lies on top."""
    value = score.headline
    if score.chance is not None:
        expected, sd = score.chance.expected[value], score.chance.sd[value]
        if math.isfinite(expected):
            yield "chance", expected - sd, expected + sd
    if value in score.intervals:
        yield "range", score.intervals[value].low, score.intervals[value].high
    if score.golds and math.isfinite(score.golds.ceiling.get(value, math.nan)):
        yield "ceiling", score.golds.ceiling[value], score.golds.ceiling[value]
    yield "value", score.values[value], score.values[value]


def _place(score: Score, low: float, high: float) -> dict[str, str]:
    least, most = _ends(score)
    left, right = (100 * (min(max(end, least), most) - least) / (most - least) for end in (low, high))
    return {"left": f"{left:.2f}", "width": f"{right - left:.2f}"}
