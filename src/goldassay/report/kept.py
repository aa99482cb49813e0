"""What the page shows of a prediction, as JSON: written with ``--evidence``, and read back with the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.panel import (
    Arrow,
    Bars,
    Column,
    Diagram,
    DiagramPair,
    Diagrams,
    Histogram,
    Lines,
    Mark,
    Marked,
    Panel,
    Table,
    Texts,
    Tree,
    TreeSide,
)
from goldassay.report.view import Listed, View

Written: TypeAlias = Mapping[str, Any]
COLUMNS = ("side", "item", "verdict", "similarity", "counterpart")
SIDES = ("pred", "gold")
LAST_PLACE = 2**31 - 1


def written_view(view: View) -> dict[str, Any]:
    """Write what there is to show of a prediction.

    Args:
        view: The items and the panels.

    Returns:
        Values that JSON has, but for nan.
    """
    return {
        "items": {
            spec: {"columns": _plain(listed.columns), "groups": _plain(listed.groups)}
            for spec, listed in view.items.items()
        },
        "panels": [{"kind": _kind_of(panel), **_plain(panel)} for panel in view.panels],
    }


def _kind_of(panel: Panel) -> str:
    return type(panel).__name__.lower()


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return value


def read_view(written: Written, specs: Sequence[str]) -> View:
    """Read what there is to show of a prediction.

    Args:
        written: What `written_view` gave, from JSON.
        specs: The measures of the scores of the prediction.

    Raises:
        ValueError: If its parts do not fit each other.
        KeyError: If a part is missing.
        TypeError: If a part is of another type.
    """
    items = {spec: _listed(found) for spec, found in written["items"].items()}
    panels = [_panel(found) for found in written["panels"]]
    for spec in [*items, *(panel.measure for panel in panels if panel.measure is not None)]:
        _check(spec in specs, f"evidence of {spec!r}, which is no score of this prediction")
    return View(items=items, panels=panels)


def _check(holds: bool, found: str) -> None:
    if not holds:
        raise ValueError(found)


def _listed(written: Written) -> Listed:
    columns: dict[str, Column] = {name: list(column) for name, column in written["columns"].items()}
    groups: dict[str, Column] = {name: _texts(column) for name, column in written["groups"].items()}
    for name in COLUMNS:
        _check(name in columns, f"items without the column {name!r}")
    sizes = {len(column) for column in (*columns.values(), *groups.values())}
    _check(len(sizes) == 1, f"columns of items of {len(sizes)} different lengths")
    for name in ("item", "verdict"):
        columns[name] = _texts(columns[name])
    columns["side"] = _texts(columns["side"])
    of_pred = columns["side"].count("pred")
    order = ["pred"] * of_pred + ["gold"] * (len(columns["side"]) - of_pred)
    _check(columns["side"] == order, "items that are not first those of the prediction and then those of gold")
    columns["counterpart"] = [None if cell is None else _text(cell) for cell in columns["counterpart"]]
    columns["similarity"] = _floats(columns["similarity"]).tolist()
    for column in columns.values():
        _check(all(cell is None or isinstance(cell, str | int | float) for cell in column), "a cell that is no value")
    return Listed(columns=columns, groups=groups)


def _panel(written: Written) -> Panel:
    measure = written["measure"]
    shell = {
        "title": _text(written["title"]),
        "note": _text(written["note"]),
        "measure": None if measure is None else _text(measure),
    }
    return PANELS[written["kind"]](written, shell)


def _lines(written: Written, shell: dict[str, Any]) -> Lines:
    thresholds = _floats(written["thresholds"])
    series = {name: _floats(column) for name, column in written["series"].items()}
    _check(len(thresholds) > 0, "a curve without points")
    _check(all(len(column) == len(thresholds) for column in series.values()), "a curve of several lengths")
    stricter = bool(written["lower_is_stricter"])
    axis, cut = _text(written["axis"]), _cut(written["cut"])
    return Lines(**shell, axis=axis, thresholds=thresholds, series=series, cut=cut, lower_is_stricter=stricter)


def _histogram(written: Written, shell: dict[str, Any]) -> Histogram:
    values = {name: _floats(column) for name, column in written["values"].items()}
    _check(all(np.isfinite(column).all() for column in values.values()), "a histogram with values that are no numbers")
    return Histogram(**shell, axis=_text(written["axis"]), values=values, cut=_cut(written["cut"]))


def _bars(written: Written, shell: dict[str, Any]) -> Bars:
    categories = _texts(written["categories"])
    series = {name: _floats(column).tolist() for name, column in written["series"].items()}
    _check(all(len(column) == len(categories) for column in series.values()), "bars of several lengths")
    return Bars(**shell, axis=_text(written["axis"]), categories=categories, series=series)


def _table(written: Written, shell: dict[str, Any]) -> Table:
    columns = {name: list(column) for name, column in written["columns"].items()}
    _check(len({len(column) for column in columns.values()}) == 1, "a table of several lengths")
    for column in columns.values():
        _check(all(cell is None or isinstance(cell, str | int | float) for cell in column), "a cell that is no value")
    return Table(**shell, columns=columns, shares=tuple(_texts(written["shares"])), by=_text(written["by"]))


def _tree(written: Written, shell: dict[str, Any]) -> Tree:
    return Tree(**shell, gold=_tree_side(written["gold"]), pred=_tree_side(written["pred"]))


def _tree_side(written: Written) -> TreeSide:
    texts, verdicts = _texts(written["texts"]), _texts(written["verdicts"])
    edges = _rows(written["edges"], len(texts)).reshape(-1, 2)
    _check(len(edges) == len(verdicts), "a tree with more or fewer verdicts than edges")
    kept = written.get("places")  # reports of version 0.2 have none
    places = None if kept is None else _rows(kept, LAST_PLACE)
    _check(places is None or len(places) == len(texts), "a tree with more or fewer places than nodes")
    return TreeSide(texts=texts, edges=edges, verdicts=verdicts, places=places)


def _marked_texts(written: Written, shell: dict[str, Any]) -> Texts:
    return Texts(**shell, entries=[_marked(entry) for entry in written["entries"]])


def _marked(entry: Sequence[Any]) -> Marked:
    name, verdict, told, marks, gold = entry
    return Marked(
        _text(name),
        _text(verdict),
        _text(told),
        [_mark(mark) for mark in marks],
        gold and [_mark(mark) for mark in gold],
    )


def _mark(written: Sequence[Any]) -> Mark:
    text, verdict, told, item, counterpart = _texts(written)
    return Mark(text, verdict, told, item, counterpart)


def _diagrams(written: Written, shell: dict[str, Any]) -> Diagrams:
    return Diagrams(**shell, entries=[_pair(entry) for entry in written["entries"]])


def _pair(entry: Sequence[Any]) -> DiagramPair:
    name, verdict, told, gold, pred = entry
    return DiagramPair(_text(name), _text(verdict), _text(told), _diagram(gold), _diagram(pred))


def _diagram(written: Sequence[Any]) -> Diagram:
    nodes, arrows = written
    named = [(_text(text), _text(verdict)) for text, verdict in nodes]
    found = []
    for source, target, label, verdict in arrows:
        ends = _rows([source, target], len(named)).tolist()
        found.append(Arrow(ends[0], ends[1], _text(label), _text(verdict)))
    return Diagram(named, found)


def _text(value: Any) -> str:
    _check(isinstance(value, str), f"{value!r:.40} where a text belongs")
    return str(value)


def _texts(values: Iterable[Any]) -> list[str]:
    return [_text(value) for value in values]


def _floats(values: Any) -> NDArray[np.float64]:
    _check(isinstance(values, list) and not any(isinstance(one, str | list) for one in values), "what is no numbers")
    return np.array(values, dtype=np.float64)


def _cut(value: Any) -> float | None:
    return None if value is None else float(value)


def _rows(values: Any, size: int) -> NDArray[np.int64]:
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    _check(all(isinstance(one, int) and 0 <= one < size for one in flat), f"a row that is none of the {size}")
    return np.array(flat, dtype=np.int64)


PANELS: Mapping[str, Callable[[Written, dict[str, Any]], Panel]] = {
    "lines": _lines,
    "histogram": _histogram,
    "bars": _bars,
    "table": _table,
    "tree": _tree,
    "texts": _marked_texts,
    "diagrams": _diagrams,
}
