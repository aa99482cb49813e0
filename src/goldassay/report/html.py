"""The report as one HTML page that needs no network: values, charts, and every item."""

from __future__ import annotations

import base64
import hashlib
import math
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Progress, ignore_progress
from goldassay.core.errors import require
from goldassay.core.matching import AMOUNTS, Cells
from goldassay.core.model import Model
from goldassay.core.panel import Bars, Column, Histogram, Lines, Panel, Table
from goldassay.core.text import USUAL, NumberFormat, count_of, list_counts, to_one_line
from goldassay.core.timing import Stopwatch
from goldassay.core.version import __version__
from goldassay.report.cells import (
    MARK,
    MATCHED,
    SUMMED,
    Cell,
    TextTable,
    difference_tables,
    group_tables,
    legend,
    other_tables,
    published_rows,
    score_rows,
    show_change,
    show_matched,
    value_names,
)
from goldassay.report.evidence import is_cut_by_similarity, view_of
from goldassay.report.files import check_writable, ending_of, write_whole
from goldassay.report.forest import forests, labels_of, sort_by_headline
from goldassay.report.help import HELP, describe_groups, describe_measure
from goldassay.report.pictures import (
    MOST_GROUPS,
    Columns,
    as_table,
    chart_of,
    describe_chart,
    drawing_data,
    embed_json,
    pack_curves,
    title_of,
)
from goldassay.report.results import KindOfError, Listed, Results, Run

PAGE = Path(__file__).with_name("page")
ENDINGS = (".html", ".htm")
ROWS = 200_000
"""Maximum number of items per score on the page; hits and far misses are omitted first, with a note."""
GROUPS = 1000
FEW_NAMES = 2
"""More gold standards are counted, and not named, where a sentence is made of them."""
ORDER = {"missed": 0, "invented": 1, "partial": 2, "hit": 4}
OTHER_VERDICT = 3
PARTS = {
    "map": ("map", "Map"),
    "tree": ("trees", "Trees"),
    "texts": ("texts", "Texts"),
    "diagrams": ("graphs", "Graphs"),
}
"""The drawings of families in the order of the page: the anchor of each kind, and its word in the contents."""


class Ratio(NamedTuple):
    """How many items of a group were matched, and how many there are."""

    hit: float
    items: float


def check_page(path: str | PathLike[str]) -> None:
    """Reject a page that can never be written, before any work is done."""
    ending_of(path, ENDINGS, "The report must be an HTML file.")
    check_writable(path)
    _require_packages()


def write_page(
    report: Results, path: str | PathLike[str], style: NumberFormat = USUAL, progress: Progress = ignore_progress
) -> None:
    """Write the report page, atomically."""
    check_page(path)
    page = _encode(report, style, progress)
    write_whole(path, lambda stream: stream.write(page))


def page_of(report: Results, style: NumberFormat = USUAL, progress: Progress = ignore_progress) -> str:
    """Make the report page."""
    return _encode(report, style, progress).decode()


@cache
def _template() -> Any:
    """Compile the template of the page."""
    jinja2 = _require_packages()
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined, finalize=_printable
    )
    return environment.from_string(PAGE.joinpath("page.html.jinja").read_text(encoding="utf-8"))


def _encode(report: Results, style: NumberFormat, progress: Progress) -> bytes:
    jinja2 = _require_packages()
    page = _Page(report, progress, style)
    script, css = (PAGE.joinpath(name).read_text(encoding="utf-8") for name in ("page.js", "page.css"))
    asis = jinja2.filters.Markup
    plots = forests(report, style)
    made: str = _template().render(
        **describe_heading(report),
        help=HELP,
        forests=plots,
        blocks=[
            *(_block(report, plot["measure"], style) for plot in plots),
            *map(_tested, difference_tables(report, style)),
            *_groups_of_systems(report, style),
            *_others(report, style),
        ],
        notes=list(_number_notes(report)),
        errors=list(_errors(report, page, style)),
        warnings=report.warnings,
        signatures=report.signatures,
        predictions=labels_of(report),
        measures=[plot["measure"] for plot in plots],
        first_measure=page.first_measure,
        charts=page.charts,
        tables=page.tables,
        parts=page.parts(),
        items=any(table and table["total"] for row in page.items for table in row),
        models=[
            *(_reading("Gold standard", gold) for gold in report.gold_models),
            *(_reading("Prediction", run.pred) for run in report.runs),
        ],
        versions=_versions(report),
        timings=[(stage, f"{seconds:.2f} s") for stage, seconds in {**report.timings, **page.watch.seconds}.items()],
        data=asis(embed_json(page.data())),
        style=asis(css),
        script=asis(script),
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    # Characters that UTF-8 cannot encode, such as a lone surrogate in a file name, become question marks.
    return made.encode(errors="replace")


def _printable(value: Any) -> Any:
    """Escape control characters, which no page may have; what is markup already has none."""
    return to_one_line(value) if type(value) is str else value


def _require_packages() -> Any:
    return require("jinja2", extra="report", purpose="make the report page")


class _Page:
    """The parts of a page with evidence, collected prediction by prediction."""

    def __init__(self, report: Results, progress: Progress, style: NumberFormat = USUAL) -> None:
        self.style = style
        self.columns = Columns()
        self.watch = Stopwatch()
        self.items: list[list[dict[str, Any] | None]] = []
        self.charts: list[dict[str, Any]] = []
        self.tables: list[dict[str, Any]] = []
        self.drawings: list[dict[str, Any]] = []
        self.panels: list[dict[str, Any]] = []
        self.opening = find_opening(report)
        for row, run in enumerate(report.runs):
            self._add(report, row, run, progress)

    @property
    def first_measure(self) -> int:
        """The measure that is shown first: the one that opens the page, or else one with a chart, if there is one."""
        if self.opening is not None:
            return self.opening
        return next((one["measure"] for one in self.charts if one["measure"] is not None), 0)

    def data(self) -> dict[str, Any]:
        """The data of the script of the page."""
        return {
            "items": self.items,
            "panels": self.panels,
            "arrays": self.columns.arrays,
            "texts": self.columns.words,
        }

    def parts(self) -> list[dict[str, Any]]:
        """The drawings, by their kind."""
        found = []
        for kind, (place, word) in PARTS.items():
            drawings = [one for one in self.drawings if one["kind"] == kind]
            if drawings:
                title = "Map of the hierarchy" if kind == "map" else drawings[0]["title"]
                found.append({"id": place, "word": word, "kind": kind, "title": title, "drawings": drawings})
        return found

    def _add(self, report: Results, row: int, run: Run, progress: Progress) -> None:
        with self.watch.stage("nearest counterparts"):
            view = view_of(report, run, progress=progress)
        listed = {spec: _items(one, self.columns) for spec, one in view.items.items()}
        self.items.append([listed.get(score.spec) for score in run.scores])
        measures = [score.spec for score in run.scores]
        for panel in view.panels:
            place = None if panel.measure is None else measures.index(panel.measure)
            shell = {"run": row, "measure": place, "title": panel.title, "note": panel.note}
            self._place(panel, shell, view.items.get(panel.measure or ""))

    def _place(self, panel: Panel, shell: dict[str, Any], listed: Listed | None) -> None:
        match panel:
            case Table():
                self.tables.append({**shell, **_table(panel, listed, self.style)})
                return
            case Lines() | Histogram() | Bars():
                linked = listed is not None and isinstance(panel, Lines) and is_cut_by_similarity(panel, listed)
                drawn = pack_curves(chart_of(panel), self.columns, linked=linked)
                head, rows = as_table(panel)
                described = {"text": describe_chart(panel), "head": [(name, "number") for name in head], "rows": rows}
                self.charts.append({**shell, **described, "kind": drawn["kind"], "number": len(self.panels)})
            case _:
                drawn = drawing_data(panel, self.columns)
                kinds = ["map", "tree"] if drawn["kind"] == "tree" else [drawn["kind"]]
                self.drawings += [{**shell, "kind": kind, "number": len(self.panels)} for kind in kinds]
        self.panels.append(drawn)


def find_opening(report: Results) -> int | None:
    """Find the measure that a page and a figure open with, if another one disagrees with it about a prediction."""
    place = next((place for place, score in enumerate(report.runs[0].scores) if score.measure.opens), None)
    if place is None:
        return None
    merits = [[score.merit(score.headline) for score in run.scores] for run in report.runs]
    return place if any(not math.isclose(one, row[place]) for row in merits for one in row) else None


def _items(listed: Listed, columns: Columns) -> dict[str, Any]:
    """Sort the items of a score: missed, invented, partial and hit ones, the nearest first in each."""
    table = listed.columns
    ranks = np.array([ORDER.get(verdict, OTHER_VERDICT) for verdict in table["verdict"]], dtype=np.int64)
    similarity = np.array(table["similarity"], dtype=np.float64)
    order = np.lexsort((np.nan_to_num(-similarity, nan=np.inf), ranks))[:ROWS]
    rows = order.tolist()
    names = ["verdict", "side", "item", "counterpart", *(["error"] if "error" in table else []), "similarity"]
    names += [name for name in table if name not in names]
    kept = {name: _pick(table[name], order) for name in names}
    described = [columns.any(name, column) for name, column in kept.items() if _says_something(name, column)]
    of_pred = sum(side == "pred" for side in table["side"])
    return {
        "columns": described,
        "rows": len(rows),
        "total": len(ranks),
        # The row of each item in its side, where the rows of the prediction come first.
        "places": columns.rows(np.where(order < of_pred, order, order - of_pred)),
        "groups": {
            by: columns.groups(list(map(labels.__getitem__, rows)))
            for by, labels in listed.groups.items()
            if len(set(labels)) <= MOST_GROUPS
        },
    }


def _pick(column: Cells, rows: NDArray[np.int64]) -> Cells:
    return column[rows] if isinstance(column, np.ndarray) else list(map(column.__getitem__, rows.tolist()))


def _says_something(name: str, column: Cells) -> bool:
    if name in {"verdict", "side", "item", "counterpart"}:
        return True
    if name in AMOUNTS:
        # Else the verdict says it.
        return not np.isin(column, (0, 1)).all()
    if isinstance(column, np.ndarray):
        return not np.isnan(column).all()
    return any(value is not None and value == value and value != "" for value in column)  # noqa: PLR0124 - nan


def _table(panel: Table, listed: Listed | None, style: NumberFormat = USUAL) -> dict[str, Any]:
    columns = dict(_merge_counts(panel.columns))
    numeric = {
        name: name in MATCHED.values() or all(isinstance(cell, int | float | None) for cell in cells)
        for name, cells in columns.items()
    }
    rows = list(zip(*columns.values(), strict=True))
    note = f"{panel.note} The first {GROUPS:,} of {len(rows):,}.".strip() if len(rows) > GROUPS else panel.note
    chosen = listed.groups.get(panel.by) if listed else None
    return {
        "note": note,
        "about": describe_groups(panel.by),
        "by": panel.by if chosen is not None and len(set(chosen)) <= MOST_GROUPS else "",
        "head": [(title_of(name), "number" if number else "text") for name, number in numeric.items()],
        "rows": [
            [
                _table_cell(cell, style, number=number, share=name in panel.shares)
                for (name, number), cell in zip(numeric.items(), row, strict=True)
            ]
            for row in rows[:GROUPS]
        ],
    }


def _merge_counts(columns: Mapping[str, Column]) -> Iterator[tuple[str, Column]]:
    """Write hits and items of a side as one column, 3 / 27, and leave out what else is summed."""
    for name, column in columns.items():
        side = name.partition("_")[2]
        if name.startswith(SUMMED):
            continue
        if name.startswith("hit_") and f"n_{side}" in columns and side in MATCHED:
            yield MATCHED[side], [Ratio(hit, n) for hit, n in zip(column, columns[f"n_{side}"], strict=True)]
        elif not (name.startswith("n_") and f"hit_{side}" in columns and side in MATCHED):
            yield name, column


def _table_cell(cell: Any, style: NumberFormat, *, number: bool, share: bool) -> dict[str, Any]:
    if isinstance(cell, Ratio):
        return {"text": show_matched(cell.hit, cell.items), "number": True, "raw": cell.hit, "share": None}
    if not number:
        return {"text": cell, "number": False, "share": None}
    if cell is None or not math.isfinite(cell):
        return {"text": "-", "number": True, "raw": "nan", "share": 0 if share else None}
    text = style.value(cell) if share else style.count(cell)
    return {"text": text, "number": True, "raw": cell, "share": f"{100 * min(cell, 1):.1f}" if share else None}


def describe_heading(report: Results) -> dict[str, str]:
    """Return a title and a sentence: what was scored against what."""
    names = [Path(one.path).name if one.path else "the gold standard" for one in report.gold_models]
    gold = f"{len(names)} gold standards" if len(names) > FEW_NAMES else " and ".join(names)
    named = [Path(run.label).name for run in report.runs]
    scored = [row.name if report.systems else Path(row.name).name for row in report.rows]
    labelled = any(one.format == "labels" for one in report.gold_models)
    title = f"{count_of(len(scored), report.row_word) if len(scored) > 1 else scored[0]} {'by the labels of' if labelled else 'against'} {gold}"
    predicted, references = (
        [len(one) for one in side] for side in ([run.pred for run in report.runs], report.gold_models)
    )
    counted = "a prediction" if len(named) == 1 else f"{len(named)} predictions"
    how = "estimated from labels of" if labelled else "scored against"
    summary = f"{counted} of {_sizes(predicted, report.item)}, {how} {_sizes(references, report.item)} of {gold}."
    return {
        "kind": report.kind,
        "version": __version__,
        "title": title,
        "summary": summary[0].upper() + summary[1:],
    }


def _sizes(sizes: Sequence[int], item: str) -> str:
    """Write the sizes of several models."""
    least, most = min(sizes, default=0), max(sizes, default=0)
    text = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{text} {item}" if most == 1 else f"{text} {item}s"


def _block(report: Results, spec: str, style: NumberFormat) -> dict[str, Any]:
    """Build the values of one measure, with its own columns only, the best system first."""
    names = value_names(report, [spec])
    entries = sort_by_headline(report, spec)
    found = [row for row in score_rows(report, style, specs=[spec]) if row.spec == spec]
    of_run = dict(zip(sorted(entry.run for entry in entries), found, strict=True))
    rows = [replace(of_run[entry.run], label=entry.label) for entry in entries]
    rows += published_rows(report, style, specs=[spec])
    used = [place for place in range(len(names)) if any(row.cells[place].text for row in rows)]
    matched = not report.systems and all(all(row.matched) for row in rows if row.signature)
    head = [(report.row_word, "text"), *((names[place], "number") for place in used)]
    measure = report.measures[spec]
    return {
        "measure": spec,
        "title": measure.title,
        "about": describe_measure(measure),
        "head": head + ([(title, "number") for title in MATCHED.values()] if matched else []),
        "rows": [
            {
                "prediction": row.label,
                "cells": [_value(row.cells[place]) for place in used],
                "matched": list(row.matched) if matched else [],
            }
            for row in rows
        ],
    }


def _number_notes(report: Results) -> Iterator[str]:
    score = next((one for run in report.runs for one in run.scores if one.intervals and one.resampling), None)
    if score and score.resampling and not report.systems:
        drawn = str(score.resampling) in str(score.signature)
        of = f" of {score.resampling.resamples:,} resamples" if drawn else ""
        yield f"In brackets the {score.resampling.level:.0%} interval{of}."
    if len(report.rows) > 1:
        yield "The best values of each measure are bold."
    yield from (f"{line}." for line in legend(report))
    yield from (f"{note}." for system in report.systems for note in system.notes)
    yield from (f"{line}." for line in (report.task.lines() if report.task else ()))


def _block_of(table: TextTable, title: str, about: str, *, texts: int = 0, names: int = 1) -> dict[str, Any]:
    """Build a table other than of scores: the first columns name a row, the next are texts, the others numbers."""
    kinds = [(name, "text" if place < texts else "number") for place, name in enumerate(table.head[names:])]
    return {
        "measure": table.title,
        "title": title,
        "about": about,
        "head": [(table.head[0], "text"), *kinds],
        "rows": [
            {
                "prediction": " against ".join(cell.text for cell in row[:names]),
                "cells": list(map(_value, row[names:])),
                "matched": [],
            }
            for row in table.rows
        ],
    }


def _tested(table: TextTable) -> dict[str, Any]:
    """Build the differences of the headline of one measure."""
    return _block_of(table, "Differences", HELP["differences"], names=2)


def _others(report: Results, style: NumberFormat) -> Iterator[dict[str, Any]]:
    """Build the scores of other packages."""
    for table in other_tables(report, style):
        yield _block_of(table, "Other packages", "", texts=2)


def _groups_of_systems(report: Results, style: NumberFormat) -> Iterator[dict[str, Any]]:
    """Build the groups of systems; those of single predictions are among their panels."""
    for table in group_tables(report, style) if report.systems else ():
        yield _block_of(table, f"By {table.head[0]}", describe_groups(table.head[0]))


def _errors(report: Results, page: _Page, style: NumberFormat) -> Iterator[dict[str, Any]]:
    """Build how many errors of each kind every prediction makes, as bars that list the items of a kind."""
    rows = [row.runs for row in report.rows]
    labels = [one.name for one in report.systems] or labels_of(report)
    for place, spec in enumerate(report.measures):
        kinds = report.errors_of(spec)
        base = next(iter(report.bases_of(spec)), 0)
        most = max((one.counts.max() for one in kinds), default=0)
        if not most:
            continue
        yield {
            "measure": place,
            "name": spec,
            "labels": labels,
            "base": labels[base] if len(labels) > 1 else "",
            "rows": [
                {
                    "kind": one.kind,
                    "side": one.side,
                    "cells": [
                        {
                            "text": style.count(number),
                            "change": _change(number - one.counts[base], style) if row != base else "",
                            "share": f"{100 * number / most:.1f}",
                            "run": _example(report, page, rows[row], place, one) if number else None,
                        }
                        for row, number in enumerate(one.counts.tolist())
                    ],
                }
                for one in kinds
            ],
        }


def _example(report: Results, page: _Page, rows: Sequence[int], place: int, kind: KindOfError) -> int | None:
    """Find the run with most errors of one kind, if its items are on the page."""

    def errors(row: int) -> int:
        return report.runs[row].scores[place].matching.error_counts.get(kind.side, {}).get(kind.kind, 0)

    known = [row for row in rows if place < len(page.items[row]) and page.items[row][place]]
    return max(known, key=errors, default=None)


def _change(change: float, style: NumberFormat) -> str:
    return show_change(change, style).replace("-", "\N{MINUS SIGN}")


def _value(cell: Cell) -> dict[str, Any]:
    value, _, interval = cell.text.partition(" ")
    return {"value": value, "interval": interval, "best": cell.best, "mark": MARK if cell.differs else ""}


def _reading(role: str, model: Model) -> dict[str, Any]:
    return {"role": role, "source": model.path or "(in memory)", "facts": list(_reading_facts(model))}


def _reading_facts(model: Model) -> Iterator[tuple[str, str]]:
    yield "read as", model.format
    yield "items", f"{len(model):,}"
    yield from ((name, str(choice)) for name, choice in model.choices.items())
    yield "left out", list_counts(model.left_out) or "nothing"
    if seen := list_counts(model.facts):
        yield "seen", seen
    yield from (("note", note) for note in model.notes)


def _versions(report: Results) -> list[tuple[str, str]]:
    encoders = {score.signature.fields.get("encoder") for score in report.scores} - {None}
    known = [("goldassay", __version__), ("Python", platform.python_version()), ("NumPy", np.__version__)]
    return [*known, *(("encoder", str(name)) for name in sorted(map(str, encoders)))]
