"""What the page shows of a prediction, as JSON: written with ``--evidence``, and read back with the report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import msgspec
import numpy as np

from goldassay.core.panel import Bars, Cell, Column, Diagrams, Histogram, Lines, Panel, Table, Texts, Tree
from goldassay.report.view import Listed, View

Written: TypeAlias = Mapping[str, Any]
PANELS: Mapping[str, type[Panel]] = {
    one.__name__.lower(): one for one in (Lines, Histogram, Bars, Table, Tree, Texts, Diagrams)
}
"""The classes of panels by what they are called in reports."""
COLUMNS = ("side", "item", "verdict", "similarity", "counterpart")


def written_view(view: View) -> dict[str, Any]:
    """Write what there is to show of a prediction."""
    plain = partial(msgspec.to_builtins, enc_hook=lambda value: value.tolist())
    return {
        "items": plain(view.items),
        "panels": [{"kind": type(panel).__name__.lower(), **plain(panel)} for panel in view.panels],
    }


def read_view(written: Written, specs: Sequence[str]) -> View:
    """Read what there is to show of a prediction."""
    items = msgspec.convert(written["items"], dict[str, _Items])
    panels = [_read_panel(dict(found)) for found in written["panels"]]
    for spec in [*items, *(panel.measure for panel in panels if panel.measure is not None)]:
        _require(spec in specs, f"evidence of {spec!r}, which is no score of this prediction")
    return View(items={spec: found.listed() for spec, found in items.items()}, panels=panels)


class _Items(msgspec.Struct):
    """The items of one score as they are written."""

    columns: dict[str, list[Cell]]
    groups: dict[str, list[str]]

    def listed(self) -> Listed:
        columns: dict[str, Column] = dict(self.columns)
        for name in COLUMNS:
            _require(name in columns, f"items without the column {name!r}")
        sizes = {len(column) for column in (*columns.values(), *self.groups.values())}
        _require(len(sizes) == 1, f"columns of items of {len(sizes)} different lengths")
        of_pred = columns["side"].count("pred")
        order = ["pred"] * of_pred + ["gold"] * (len(columns["side"]) - of_pred)
        _require(columns["side"] == order, "items that are not first those of the prediction and then those of gold")
        for name in ("item", "verdict"):
            msgspec.convert(columns[name], list[str])
        msgspec.convert(columns["counterpart"], list[str | None])
        similarity = msgspec.convert(columns["similarity"], list[float | None])
        columns["similarity"] = [math.nan if one is None else one for one in similarity]
        return Listed(columns=columns, groups=dict(self.groups))


def _read_panel(written: dict[str, Any]) -> Panel:
    kind = PANELS[written.pop("kind")]
    return msgspec.convert(written, kind, dec_hook=_array_of)


def _array_of(kind: Any, value: Any) -> Any:
    """Make an array of a list of numbers; null stands for nan."""
    _require(
        isinstance(value, list) and not any(isinstance(one, str) for one in value), "what is not a list of numbers"
    )
    (dtype,) = kind.__args__[1].__args__
    found = np.array(value, dtype=np.float64)
    _require(dtype is np.float64 or bool((found % 1 == 0).all()), "numbers that are not whole")
    return found.astype(dtype)


def _require(holds: bool, found: str) -> None:
    if not holds:
        raise ValueError(found)
