"""Panels drawn by the script of the page: the data of each."""

from __future__ import annotations

from typing import Any

from goldassay.core.panel import Diagram, Diagrams, Panel, Texts, Tree, TreeSide
from goldassay.report.columns import Columns


def drawing_data(panel: Panel, columns: Columns) -> dict[str, Any]:
    """Return what the script needs to draw a panel."""
    match panel:
        case Tree():
            gold, pred = (_tree_side(side, columns) for side in (panel.gold, panel.pred))
            places = [side.places for side in (panel.gold, panel.pred) if side.places is not None]
            size = max((int(column.max(initial=-1)) + 1 for column in places), default=0) if len(places) > 1 else 0
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
