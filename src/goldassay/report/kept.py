"""What the page shows of a prediction, as JSON: written with ``--evidence``, and read back with the report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta

from goldassay.core.panel import Bars, Cell, Column, Diagrams, Histogram, Lines, Panel, Table, Texts, Tree
from goldassay.core.shape import Shape
from goldassay.report.results import Listed, View

Written: TypeAlias = Mapping[str, Any]
PANELS: Mapping[str, type[Panel]] = {
    one.__name__.lower(): one for one in (Lines, Histogram, Bars, Table, Tree, Texts, Diagrams)
}
"""The classes of panels by what they are called in reports."""
Kind: TypeAlias = Literal[tuple(PANELS)]  # type: ignore[valid-type]
COLUMNS = ("side", "item", "verdict", "similarity", "counterpart")


class SavedItems(Shape, frozen=True):
    """The items of a score: first those of the prediction, then those of gold; and the group of each by grouping."""

    columns: Annotated[dict[str, list[Any]], Meta(description="Texts, numbers, true, false, or null for nothing.")]
    groups: dict[str, list[Any]]


class SavedPanel(Shape, frozen=True):
    """Something to look at. The other fields of each kind are those of its class in goldassay.core.panel."""

    kind: Kind
    title: str
    note: str
    measure: str | None


def written_view(view: View) -> dict[str, Any]:
    """Write what there is to show of a prediction."""
    return {
        "items": _plain(view.items),
        "panels": [{"kind": type(panel).__name__.lower(), **_plain(panel)} for panel in view.panels],
    }


def _plain(value: Any) -> Any:
    """Write a value as JSON has it: arrays as lists, and null for what is not a number."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=lambda array: array.tolist()))


def read_view(written: Written, specs: Sequence[str]) -> View:
    """Read what there is to show of a prediction."""
    items = {spec: _listed(found) for spec, found in msgspec.convert(written["items"], dict[str, SavedItems]).items()}
    panels = [_read_panel(dict(found)) for found in written["panels"]]
    for spec in [*items, *(panel.measure for panel in panels if panel.measure is not None)]:
        _require(spec in specs, f"evidence of {spec!r}, which is no score of this prediction")
    return View(items=items, panels=panels)


def _listed(saved: SavedItems) -> Listed:
    columns: dict[str, Column] = dict(msgspec.convert(saved.columns, dict[str, list[Cell]]))
    for name in COLUMNS:
        _require(name in columns, f"items without the column {name!r}")
    groups = msgspec.convert(saved.groups, dict[str, list[str]])
    sizes = {len(column) for column in (*columns.values(), *groups.values())}
    _require(len(sizes) == 1, f"columns of items of {len(sizes)} different lengths")
    of_pred = columns["side"].count("pred")
    order = ["pred"] * of_pred + ["gold"] * (len(columns["side"]) - of_pred)
    _require(columns["side"] == order, "items that are not first those of the prediction and then those of gold")
    for name in ("item", "verdict"):
        msgspec.convert(columns[name], list[str])
    msgspec.convert(columns["counterpart"], list[str | None])
    similarity = msgspec.convert(columns["similarity"], list[float | None])
    columns["similarity"] = [math.nan if one is None else one for one in similarity]
    return Listed(columns=columns, groups=groups)


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
