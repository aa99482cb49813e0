"""Charts of the page: drawn, and described in words and as a small table, for accessibility."""

from __future__ import annotations

from typing import Any

import numpy as np

from goldassay.core.panel import Bars, Histogram, Lines
from goldassay.report.charts import bars_chart, histogram_chart, histogram_edges, lines_chart, svg

POINTS = 11


def picture(panel: Lines | Histogram | Bars) -> dict[str, Any]:
    """Draw a panel, and describe the drawing.

    Args:
        panel: What to draw.
    """
    match panel:
        case Lines():
            drawn = svg(lines_chart(panel))
        case Histogram():
            drawn = svg(histogram_chart(panel))
        case Bars():
            drawn = svg(bars_chart(panel))
    head, rows = as_table(panel)
    return {"svg": drawn, "told": in_words(panel), "head": [(name, "number") for name in head], "rows": rows}


def in_words(panel: Lines | Histogram | Bars) -> str:
    """Describe a chart in words.

    Example:
        >>> import numpy as np
        >>> curve = Lines(title="P", axis="t", thresholds=np.array([0.0, 0.5]), series={"f1": [0.2, 0.6]}, cut=0.5)
        >>> in_words(curve)
        'f1 is highest, 0.6000, at 0.5; at the chosen 0.5 it is 0.6000.'
    """
    match panel:
        case Lines():
            return " ".join(_line_in_words(panel, name, np.asarray(values)) for name, values in panel.series.items())
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
    chosen = values[int(np.argmin(np.abs(panel.thresholds - panel.cut)))]
    return f"{told}; at the chosen {panel.cut:g} it is {chosen:.4f}."


def as_table(panel: Lines | Histogram | Bars) -> tuple[list[str], list[list[str]]]:
    """Return a picture as the head and the rows of a small table.

    Example:
        >>> as_table(Bars(title="Motifs", axis="count", categories=["chain"], series={"gold": [3], "pred": [2]}))
        (['', 'gold', 'pred'], [['chain', '3', '2']])
    """
    match panel:
        case Lines():
            rows = np.linspace(0, len(panel.thresholds) - 1, min(POINTS, len(panel.thresholds))).round().astype(int)
            columns = [panel.thresholds, *(np.asarray(values) for values in panel.series.values())]
            return [panel.axis, *panel.series], [[f"{column[row]:.4f}" for column in columns] for row in rows.tolist()]
        case Histogram():
            edges = histogram_edges(panel)
            counts = [np.histogram(values, bins=edges)[0].tolist() for values in panel.values.values()]
            ends = zip(edges[:-1].tolist(), edges[1:].tolist(), *counts, strict=True)
            told = [[f"{low:.3f} to {high:.3f}", *(f"{count:,}" for count in rest)] for low, high, *rest in ends]
            return [panel.axis, *panel.values], told
        case Bars():
            groups = zip(panel.categories, *panel.series.values(), strict=True)
            return ["", *panel.series], [[name, *(f"{value:g}" for value in rest)] for name, *rest in groups]
