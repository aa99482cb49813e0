"""The report as one HTML page that needs no network: values, charts, and every item."""

from __future__ import annotations

import base64
import hashlib
import math
import platform
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.core.context import Progress, silent
from goldassay.core.errors import OutputError, require
from goldassay.core.model import Model
from goldassay.core.panel import Bars, Column, Evidenced, Histogram, Lines, Panel, Table, breakdown_tables
from goldassay.core.timing import Stopwatch
from goldassay.core.version import __version__
from goldassay.report.cells import MARK, Cell, legend, score_rows, short_labels, value_names
from goldassay.report.columns import Columns, embedded_json, title_of
from goldassay.report.drawings import drawing_data
from goldassay.report.evidence import evidenced, panels_of, similarity_histogram
from goldassay.report.files import check_writable, write_whole
from goldassay.report.marks import marks
from goldassay.report.plot import require_charts
from goldassay.report.results import Results, Run

PAGE = Path(__file__).with_name("page")
ENDINGS = (".html", ".htm")
ROWS = 200_000
"""Maximum number of items per score on the page; hits and far misses are omitted first, with a note."""
GROUPS = 1000
ORDER = {"missed": 0, "invented": 1, "partial": 2, "hit": 4}
OTHER_VERDICT = 3


def check_page(path: str | PathLike[str]) -> None:
    """Reject a page that can never be written, before any work is done.

    Raises:
        OutputError: If the path does not have the suffix of a page, or cannot be written.
        MissingDependencyError: If a package that pages need is not installed.
    """
    if Path(path).suffix.lower() not in ENDINGS:
        raise OutputError(
            "The report must be an HTML file.",
            path=path,
            found=Path(path).suffix or "no suffix",
            expected=" or ".join(ENDINGS),
        )
    check_writable(path)
    _require_packages()


def write_page(
    report: Results, path: str | PathLike[str], *, places: int = 4, percent: bool = False, progress: Progress = silent
) -> None:
    """Write the report page, atomically.

    Args:
        report: The report.
        path: The file to write; ends in ``.html``.
        places: Decimal places.
        percent: Whether values are multiplied by 100.
        progress: Called while counterparts are looked up.

    Raises:
        OutputError: If the path does not have the suffix of a page, or cannot be written.
        MissingDependencyError: If a package that pages need is not installed.
    """
    check_page(path)
    page = page_of(report, places=places, percent=percent, progress=progress)
    write_whole(path, lambda stream: stream.write(page.encode()))


def page_of(report: Results, *, places: int = 4, percent: bool = False, progress: Progress = silent) -> str:
    """Make the report page.

    Args:
        report: The report.
        places: Decimal places.
        percent: Whether values are multiplied by 100.
        progress: Called while counterparts are looked up.

    Raises:
        MissingDependencyError: If a package that pages need is not installed.
    """
    jinja2 = _require_packages()
    page = _Page(report, progress)
    script, style = (PAGE.joinpath(name).read_text(encoding="utf-8") for name in ("page.js", "page.css"))
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(PAGE.joinpath("page.html.jinja").read_text(encoding="utf-8"))
    asis = jinja2.filters.Markup
    for picture in page.pictures:
        picture["svg"] = asis(picture["svg"])
    made: str = template.render(
        **_heading(report),
        numbers=_numbers(report, places=places, percent=percent),
        marks=marks(report),
        warnings=report.warnings,
        signatures=report.signatures,
        predictions=short_labels([run.label for run in report.runs]),
        measures=_measures(report),
        first_measure=next((one["measure"] for one in page.pictures if one["measure"] is not None), 0),
        choices=len(report.runs) > 1 or len(_measures(report)) > 1,
        pictures=page.pictures,
        tables=page.tables,
        drawings=page.drawings,
        items=any(table and table["total"] for row in page.items for table in row),
        models=[
            *(_reading("Gold standard", gold) for gold in report.references),
            *(_reading("Prediction", run.pred) for run in report.runs),
        ],
        versions=_versions(report),
        timings=[(stage, f"{seconds:.2f} s") for stage, seconds in {**report.timings, **page.watch.seconds}.items()],
        data=asis(embedded_json(page.data())),
        style=asis(style),
        script=asis(script),
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    # Characters that UTF-8 cannot encode, such as a lone surrogate in a file name, become question marks.
    return made.encode(errors="replace").decode()


def _require_packages() -> Any:
    require_charts()
    return require("jinja2", extra="report", purpose="make the report page")


class _Page:
    """The parts of a page with evidence, collected prediction by prediction."""

    def __init__(self, report: Results, progress: Progress) -> None:
        self.columns = Columns()
        self.watch = Stopwatch()
        self.items: list[list[dict[str, Any] | None]] = []
        self.pictures: list[dict[str, Any]] = []
        self.tables: list[dict[str, Any]] = []
        self.drawings: list[dict[str, Any]] = []
        self.panels: list[dict[str, Any]] = []
        for row, run in enumerate(report.runs):
            self._add(report, row, run, progress)

    def data(self) -> dict[str, Any]:
        """The data of the script of the page."""
        return {
            "items": self.items,
            "panels": self.panels,
            "arrays": self.columns.arrays,
            "texts": self.columns.words,
        }

    def _add(self, report: Results, row: int, run: Run, progress: Progress) -> None:
        with self.watch.stage("looking up best counterparts"):
            scores = evidenced(run, progress=progress)
        kept = {one.score.spec: _items(one, self.columns) for one in scores}
        self.items.append([kept.get(score.spec) for score in run.scores])
        own = panels_of(report, scores, run)
        histograms = [found for one in scores if (found := similarity_histogram(one))]
        measures = [score.spec for score in run.scores]
        groups = [table for score in run.scores for table in breakdown_tables(score, report.groupings)]
        for panel in [*own, *groups, *histograms]:
            place = None if panel.measure is None else measures.index(panel.measure)
            shell = {"run": row, "measure": place, "title": panel.title, "note": panel.note}
            self._place(panel, shell)

    def _place(self, panel: Panel, shell: dict[str, Any]) -> None:
        match panel:
            case Lines() | Histogram() | Bars():
                from goldassay.report.pictures import picture

                self.pictures.append({**shell, **picture(panel)})
            case Table():
                self.tables.append({**shell, **_table(panel)})
            case _:
                drawn = drawing_data(panel, self.columns)
                self.drawings.append({**shell, "kind": drawn["kind"], "number": len(self.panels)})
                self.panels.append(drawn)


def _items(one: Evidenced, columns: Columns) -> dict[str, Any]:
    """Sort the items of a score: missed, invented, partial and hit ones, the nearest first in each."""
    ranks = np.array([ORDER.get(verdict, OTHER_VERDICT) for verdict in one.table["verdict"]], dtype=np.int64)
    similarity = np.array(one.table["similarity"], dtype=np.float64)
    order = np.lexsort((np.nan_to_num(-similarity, nan=np.inf), ranks))[:ROWS].tolist()
    names = ["verdict", "side", "item", "counterpart", "similarity"]
    names += [name for name in one.table if name not in names]
    kept = {name: [one.table[name][row] for row in order] for name in names}
    described = [columns.any(name, column) for name, column in kept.items() if _says_something(name, column)]
    return {"columns": described, "rows": len(order), "total": len(ranks)}


def _says_something(name: str, column: Column) -> bool:
    if name in {"verdict", "side", "item", "counterpart"}:
        return True
    return any(value is not None and value == value and value != "" for value in column)  # noqa: PLR0124 - nan


def _table(panel: Table) -> dict[str, Any]:
    numeric = {
        name: all(isinstance(cell, int | float | None) for cell in cells) for name, cells in panel.columns.items()
    }
    rows = list(zip(*panel.columns.values(), strict=True))
    note = f"{panel.note} The first {GROUPS:,} of {len(rows):,}.".strip() if len(rows) > GROUPS else panel.note
    return {
        "note": note,
        "head": [(title_of(name), "number" if number else "text") for name, number in numeric.items()],
        "rows": [
            [
                _table_cell(cell, number=numeric[name], share=name in panel.shares)
                for name, cell in zip(panel.columns, row, strict=True)
            ]
            for row in rows[:GROUPS]
        ],
    }


def _table_cell(cell: Any, *, number: bool, share: bool) -> dict[str, Any]:
    if not number:
        return {"text": cell, "number": False, "share": None}
    if cell is None or not math.isfinite(cell):
        return {"text": "", "number": True, "raw": "nan", "share": 0 if share else None}
    text = f"{cell:.4f}" if share else f"{cell:,g}"
    return {"text": text, "number": True, "raw": cell, "share": f"{100 * min(cell, 1):.1f}" if share else None}


def _heading(report: Results) -> dict[str, str]:
    gold = " and ".join(Path(one.path).name if one.path else "the gold standard" for one in report.references)
    items = " and ".join(f"{len(one):,}" for one in report.references)
    runs = report.runs
    named = Path(runs[0].label).name if len(runs) == 1 else f"{len(runs)} predictions"
    sizes = " and ".join(f"{len(run.pred):,}" for run in runs)
    return {
        "kind": report.kind,
        "version": __version__,
        "title": f"{named} against {gold}",
        "summary": f"{sizes} predicted {report.item}s scored against {items} of the gold standard.",
    }


def _measures(report: Results) -> list[str]:
    return list(dict.fromkeys(score.spec for run in report.runs for score in run.scores))


def _numbers(report: Results, *, places: int, percent: bool) -> dict[str, Any]:
    met = not report.systems and any("hit_pred" in score.counts for run in report.runs for score in run.scores)
    rows = [
        {
            "prediction": row.label,
            "measure": row.spec,
            "cells": [_value(cell) for cell in row.cells],
            "met": list(row.met) if met else [],
        }
        for row in score_rows(report, places=places, percent=percent)
    ]
    head = [
        ("system" if report.systems else "prediction", "text"),
        ("measure", "text"),
        *((name, "number") for name in value_names(report)),
    ]
    head += [("pred met", "number"), ("gold met", "number")] if met else []
    return {"head": head, "rows": rows, "told": list(_numbers_told(report))}


def _numbers_told(report: Results) -> Iterator[str]:
    resampling = next((score.resampling for run in report.runs for score in run.scores if score.intervals), None)
    if resampling and not report.systems:
        yield f"In brackets the {resampling.level:.0%} interval of {resampling.resamples:,} resamples."
    if len(report.runs) > 1:
        yield "The best values of each measure are bold."
    if marked := legend(report):
        yield f"{marked}."
    yield from (f"{note}." for system in report.systems for note in system.notes)


def _value(cell: Cell) -> dict[str, Any]:
    value, _, interval = cell.text.partition(" ")
    return {"value": value, "interval": interval, "best": cell.best, "mark": MARK if cell.differs else ""}


def _reading(role: str, model: Model) -> dict[str, Any]:
    return {"role": role, "source": model.path or "(in memory)", "facts": list(_reading_facts(model))}


def _reading_facts(model: Model) -> Iterator[tuple[str, str]]:
    yield "read as", model.format
    yield "items", f"{len(model):,}"
    yield from ((name, str(choice)) for name, choice in model.choices.items())
    yield "left out", _listed(model.left_out) or "nothing"
    if seen := _listed(model.facts):
        yield "seen", seen
    yield from (("note", note) for note in model.notes)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} ({count:,})" for name, count in counts.items() if count)


def _versions(report: Results) -> list[tuple[str, str]]:
    encoders = {score.signature.fields.get("encoder") for run in report.runs for score in run.scores} - {None}
    known = [("goldassay", __version__), ("Python", platform.python_version()), ("NumPy", np.__version__)]
    return [*known, *(("encoder", str(name)) for name in sorted(map(str, encoders)))]
