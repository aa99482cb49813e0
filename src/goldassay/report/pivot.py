"""The main value of each measure as a matrix: of each prediction, or of each prediction in each group."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.libraries import pl
from goldassay.core.text import USUAL, NumberFormat, to_one_line
from goldassay.report.cells import Cell, TextTable, is_best, row_labels
from goldassay.report.files import csv_of
from goldassay.report.render import table_text
from goldassay.report.results import Results, value_of

PIVOTED = ("text", "markdown", "latex", "csv")


def pivot_tables(report: Results, style: NumberFormat) -> Iterator[TextTable]:
    """Build predictions and measures; then, of each measure, predictions and groups."""
    for title, what, values, merits in _matrices(report):
        columns = list(dict.fromkeys(name for row in values.values() for name in row))
        rows = []
        for label, row in values.items():
            cells = [Cell(text=to_one_line(label))]
            for name in columns:
                rivals = [merits[name](one[name]) for one in values.values() if name in one]
                text = style.value(row[name]) if name in row else ""
                cells.append(Cell(text=text, best=name in row and is_best(merits[name](row[name]), rivals)))
            rows.append(cells)
        yield TextTable(title, [what, *map(to_one_line, columns)], rows, 1, of_names=True)


def _matrices(report: Results) -> Iterator[tuple[str, str, dict[str, dict[str, float]], Mapping[str, Any]]]:
    """List matrices: title, what rows are, values by row and column, and how values of a column are sorted."""
    what, labels, scored = report.row_word, row_labels(report), report.rows
    if len(set(labels)) < len(labels):
        raise UsageError(f"Two {what}s have the same name.", hint="give each a name: NAME=FILE")
    specs = {score.spec: score for one in scored for score in one.scores}
    names = {score.headline for score in specs.values()}
    columns = {spec: spec if len(names) == 1 else f"{spec} {score.headline}" for spec, score in specs.items()}
    values = {
        label: {columns[score.spec]: value_of(score, score.headline) for score in one.scores}
        for label, one in zip(labels, scored, strict=True)
    }
    merits = {columns[spec]: score.measure.merit for spec, score in specs.items()}
    yield names.pop() if len(names) == 1 else "", what, values, merits
    for by in dict.fromkeys(found.by for score in specs.values() for found in score.breakdowns):
        for spec, score in specs.items():
            groups = {
                label: {
                    group["group"]: group["values"][score.headline]
                    for own in one.scores
                    if own.spec == spec
                    for found in own.breakdowns
                    if found.by == by
                    for group in found.rows()
                }
                for label, one in zip(labels, scored, strict=True)
            }
            sort = {name: score.measure.merit for row in groups.values() for name in row}
            if not sort:
                raise UsageError(
                    f"{spec} has no groups by {by}, and a matrix would be empty.", hint="leave it out of -m"
                )
            yield f"{spec} {score.headline} by {by}", what, groups, sort


def pivot(report: Results, layout: str = "text", style: NumberFormat = USUAL, width: int | None = None) -> str:
    """Write the matrices; CSV is unrounded, and has one."""
    if layout not in PIVOTED:
        raise unknown_choice_error("layout of a matrix", layout, PIVOTED)
    if layout != "csv":
        tables = pivot_tables(report, style)
        return "\n\n".join(table_text(table, layout, width) for table in tables)
    first, *others = _matrices(report)
    _, what, values, _ = others[0] if len(others) == 1 else first
    if len(others) > 1:
        raise UsageError("CSV has one matrix.", found=f"{len(others)} of groups", hint="one measure and one --by")
    columns = dict.fromkeys(name for row in values.values() for name in row)
    rows = [
        {what: label} | {name: None if math.isnan(row.get(name, math.nan)) else row[name] for name in columns}
        for label, row in values.items()
    ]
    return csv_of(pl.DataFrame(rows, infer_schema_length=None)).rstrip("\n")
