"""Charts of the page: the data that they are drawn from, a description in words, and a small table."""

from __future__ import annotations

from typing import Any

import numpy as np

from goldassay.core.panel import Bars, Histogram, Lines
from goldassay.report.columns import Columns

POINTS = 11
BINS = 40


def chart_of(panel: Lines | Histogram | Bars) -> dict[str, Any]:
    """Describe a chart: what the script of the page, figures of Altair and the table beside a chart are made from."""
    about = {"kind": type(panel).__name__.lower(), "title": panel.title, "axis": panel.axis}
    match panel:
        case Lines():
            curve = {"thresholds": panel.thresholds, "series": panel.series}
            return {**about, **curve, "cut": panel.cut, "after": panel.lower_is_stricter}
        case Histogram():
            edges = histogram_edges(panel)
            counts = {word: np.histogram(values, bins=edges)[0].tolist() for word, values in panel.values.items()}
            return {**about, "edges": edges.tolist(), "counts": counts, "cut": panel.cut}
        case Bars():
            bars = {name: [_finite(value) for value in values] for name, values in panel.series.items()}
            return {**about, "categories": list(panel.categories), "series": bars}


def packed(chart: dict[str, Any], columns: Columns, *, linked: bool) -> dict[str, Any]:
    """Pack the points of curves for the page; ``linked`` says whether a point chooses items."""
    if chart["kind"] != "lines":
        return chart
    # Curves that are alike are kept once.
    series = [(name, columns.numbers(values)) for name, values in chart["series"].items()]
    return {**chart, "series": series, "thresholds": columns.numbers(chart["thresholds"]), "linked": linked}


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def in_words(panel: Lines | Histogram | Bars) -> str:
    """Describe a chart in words.

    Example:
        >>> import numpy as np
        >>> curve = Lines(title="P", axis="t", thresholds=np.array([0.0, 0.5]), series={"f1": np.array([0.2, 0.6])}, cut=0.5)
        >>> in_words(curve)
        'f1 is highest, 0.6000, at 0.5; at the chosen 0.5 it is 0.6000.'
    """
    match panel:
        case Lines():
            return " ".join(_line_in_words(panel, name, values) for name, values in panel.series.items())
        case Histogram():
            return "; ".join(
                f"{verdict}: {len(values):,}" + (f", half of them above {np.median(values):.4f}" if len(values) else "")
                for verdict, values in panel.values.items()
            )
        case Bars():
            return f"{panel.axis} of {len(panel.categories):,} groups: {', '.join(panel.series)}."


def _line_in_words(panel: Lines, name: str, values: Any) -> str:
    if not np.isfinite(values).any():
        return f"{name} is undefined everywhere."
    best = int(np.nanargmax(values))
    told = f"{name} is highest, {values[best]:.4f}, at {panel.thresholds[best]:.4g}"
    if panel.cut is None:
        return f"{told}."
    return f"{told}; at the chosen {panel.cut:g} it is {values[_point_of(panel, panel.cut)]:.4f}."


def _point_of(panel: Lines, threshold: float) -> int:
    """Find the point whose values hold at a threshold."""
    if panel.lower_is_stricter:
        found = int(np.searchsorted(panel.thresholds, threshold, side="left")) - 1
    else:
        found = int(np.searchsorted(panel.thresholds, threshold, side="left"))
    return min(max(found, 0), len(panel.thresholds) - 1)


def as_table(panel: Lines | Histogram | Bars) -> tuple[list[str], list[list[str]]]:
    """Return a picture as the head and the rows of a small table.

    Example:
        >>> as_table(Bars(title="Motifs", axis="count", categories=["chain"], series={"gold": np.array([3.0]), "pred": np.array([2.0])}))
        (['', 'gold', 'pred'], [['chain', '3', '2']])
    """
    match panel:
        case Lines():
            points = np.linspace(0, len(panel.thresholds) - 1, min(POINTS, len(panel.thresholds))).round().astype(int)
            columns = [panel.thresholds, *panel.series.values()]
            return [panel.axis, *panel.series], [
                [f"{column[row]:.4f}" for column in columns] for row in points.tolist()
            ]
        case Histogram():
            edges, counts = (chart_of(panel)[name] for name in ("edges", "counts"))
            bins = zip(edges, edges[1:], *counts.values(), strict=False)
            rows = [[f"{low:.3f} to {high:.3f}", *(f"{count:,}" for count in rest)] for low, high, *rest in bins]
            return [panel.axis, *counts], rows
        case Bars():
            groups = zip(panel.categories, *panel.series.values(), strict=True)
            return ["", *panel.series], [[name, *(f"{value:g}" for value in rest)] for name, *rest in groups]


def histogram_edges(panel: Histogram) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Choose the edges of the bins, one of them at the cut, so that no bar has values of both of its sides."""
    values = np.concatenate([*panel.values.values(), [0.0, 1.0] if panel.cut is None else [panel.cut]])
    low, high = float(values.min()), max(float(values.max()), 1.0)
    if panel.cut is None or not low < panel.cut < high:
        return np.linspace(low, high, BINS + 1)
    below = max(1, round(BINS * (panel.cut - low) / (high - low)))
    return np.concatenate(
        [np.linspace(low, panel.cut, below + 1), np.linspace(panel.cut, high, max(2, BINS - below + 1))[1:]]
    )
