"""What the page draws: the data of charts and drawings in packed columns, a description in words, and a small table."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import Cells
from goldassay.core.panel import Bars, Column, Diagram, Diagrams, Histogram, Lines, Panel, Texts, Tree, TreeSide

NOTHING = -1
MOST_GROUPS = 256
POINTS = 11
BINS = 40


class Columns:
    """The texts and columns of a page."""

    def __init__(self) -> None:
        self._words: defaultdict[str | None, int] = defaultdict(count().__next__, {None: NOTHING})
        self._packed: dict[tuple[str, bytes], int] = {}

    @property
    def words(self) -> list[str]:
        """The distinct texts, in the order in which they first occurred."""
        return [word for word in self._words if word is not None]

    @property
    def arrays(self) -> list[dict[str, str]]:
        """The distinct columns as base64 of little-endian int32 (``text``), float32 (``number``) or bytes (``group``)."""
        return [{"type": kind, "bytes": base64.b64encode(packed).decode()} for kind, packed in self._packed]

    def texts(self, column: Sequence[str | None]) -> int:
        """Keep a column of texts, and return the number of its array; None is -1 in it."""
        numbers = map(self._words.__getitem__, column)
        return self._keep("text", np.fromiter(numbers, dtype="<i4", count=len(column)))

    def numbers(self, column: Column | NDArray[np.float64]) -> int:
        """Keep a column of numbers, and return the number of its array; None is nan in it."""
        return self._keep("number", np.array(column, dtype="<f4"))

    def rows(self, column: NDArray[np.int64]) -> int:
        """Keep whole numbers that are row indices, and return the number of their array."""
        return self._keep("text", column.astype("<i4"))

    def groups(self, column: Column) -> dict[str, Any]:
        """Keep the group of each item as a byte: the names of the groups, and the number of the array."""
        places: defaultdict[Any, int] = defaultdict(count().__next__)
        numbers = np.fromiter(map(places.__getitem__, column), dtype=np.int64, count=len(column))
        if len(places) > MOST_GROUPS:
            raise ValueError(f"at most {MOST_GROUPS} groups can be kept, found {len(places)}")
        return {"names": list(places), "array": self._keep("group", numbers.astype("u1"))}

    def any(self, name: str, column: Cells) -> dict[str, Any]:
        """Keep a column of any type, and describe it."""
        described = {"name": name, "title": title_of(name)}
        if isinstance(column, np.ndarray):
            return {**described, "type": "number", "array": self.numbers(column), "whole": False}
        kinds = {*map(type, column)} - {type(None)}
        if kinds and kinds <= {int, float}:
            return {**described, "type": "number", "array": self.numbers(column), "whole": kinds == {int}}
        text = column if kinds <= {str} else [None if value is None else _word(value) for value in column]
        return {**described, "type": "text", "array": self.texts(text)}

    def _keep(self, kind: str, array: NDArray[Any]) -> int:
        return self._packed.setdefault((kind, array.tobytes()), len(self._packed))


def title_of(name: str) -> str:
    """Format the name of a column for display."""
    return {"counterpart": "best counterpart"}.get(name, name.replace("_", " "))


def embed_json(data: Any) -> str:
    """Write JSON that is safe in a script element: it cannot end the element or begin a comment."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _word(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return str(value)


def drawing_data(panel: Panel, columns: Columns) -> dict[str, Any]:
    """Return what the script needs to draw a panel."""
    match panel:
        case Tree():
            gold, pred = (_tree_side(side, columns) for side in (panel.gold, panel.pred))
            places = [side.places for side in (panel.gold, panel.pred) if side.places is not None]
            size = max(int(column.max(initial=-1)) + 1 for column in places) if len(places) > 1 else 0
            return {"kind": "tree", "gold": gold, "pred": pred, "size": size}
        case Texts():
            return {"kind": "texts", "entries": [entry._asdict() for entry in panel.entries]}
        case Diagrams():
            entries = [
                {**entry._asdict(), "gold": _diagram(entry.gold), "pred": _diagram(entry.pred)}
                for entry in panel.entries
            ]
            return {"kind": "diagrams", "entries": entries}
        case _:
            raise TypeError(f"the page does not know how to draw a {type(panel).__name__}")


def _tree_side(side: TreeSide, columns: Columns) -> dict[str, int | None]:
    return {
        "texts": columns.texts(side.texts),
        "edges": columns.rows(side.edges.ravel()),
        "verdicts": columns.texts(side.verdicts),
        "places": None if side.places is None else columns.rows(side.places),
    }


def _diagram(graph: Diagram) -> dict[str, Any]:
    return {"nodes": list(graph.nodes), "arrows": list(graph.arrows)}


def chart_of(panel: Lines | Histogram | Bars) -> dict[str, Any]:
    """Describe a chart: what the script of the page, figures of Altair and the table next to a chart are made from."""
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


def pack_curves(chart: dict[str, Any], columns: Columns, *, linked: bool) -> dict[str, Any]:
    """Pack the points of curves for the page; ``linked`` says whether a point chooses items."""
    if chart["kind"] != "lines":
        return chart
    # Curves that are alike are kept once.
    series = [(name, columns.numbers(values)) for name, values in chart["series"].items()]
    return {**chart, "series": series, "thresholds": columns.numbers(chart["thresholds"]), "linked": linked}


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def describe_chart(panel: Lines | Histogram | Bars) -> str:
    """Describe a chart in words."""
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
    text = f"{name} is highest, {values[best]:.4f}, at {panel.thresholds[best]:.4g}"
    if panel.cut is None:
        return f"{text}."
    return f"{text}; at the chosen {panel.cut:g} it is {values[_point_of(panel, panel.cut)]:.4f}."


def _point_of(panel: Lines, threshold: float) -> int:
    """Find the point whose values hold at a threshold."""
    if panel.lower_is_stricter:
        found = int(np.searchsorted(panel.thresholds, threshold, side="right")) - 1
    else:
        found = int(np.searchsorted(panel.thresholds, threshold, side="left"))
    return min(max(found, 0), len(panel.thresholds) - 1)


def as_table(panel: Lines | Histogram | Bars) -> tuple[list[str], list[list[str]]]:
    """Return a picture as the head and the rows of a small table."""
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
