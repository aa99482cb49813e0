"""Layouts of a report: text for a terminal, Markdown for a page, CSV and JSON for a program."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from goldassay.core.model import Model
from goldassay.core.text import one_line, visible
from goldassay.report.cells import MARK, Cell, GroupTable, group_tables, legend, score_rows, value_names
from goldassay.report.latex import to_latex
from goldassay.report.results import Results

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

PLAIN_WIDTH = 200
MARKDOWN = re.compile(r"([\\`*<>\[\]|])")
"""Markdown syntax; underscores within words are no syntax."""


def to_text(report: Results, places: int, percent: bool) -> str:
    """Write a report as plain text."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=PLAIN_WIDTH, color_system=None, legacy_windows=False)
    for part in text_parts(report, places=places, percent=percent):
        console.print(part, soft_wrap=isinstance(part, str), highlight=False, markup=False)
    written: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in written.removesuffix("\n").split("\n"))


def text_parts(report: Results, *, places: int, percent: bool, notes: bool = True) -> Iterator[RenderableType]:
    """Return the parts of a report in the order in which a terminal shows them."""
    yield _sources_table(report)
    yield ""
    yield _scores_table(report, places=places, percent=percent)
    yield ""
    explained = legend(report)
    if explained:
        yield explained
        yield ""
    for table in group_tables(report, places=places, percent=percent):
        yield visible(table.title)
        yield _group_table(table)
        yield ""
    yield from signature_lines(report)
    yield from note_lines(report, notes=notes)


def signature_lines(report: Results) -> Iterator[str]:
    """Give the signature of every score."""
    yield from map(visible, report.signatures)


def note_lines(report: Results, *, notes: bool = True) -> Iterator[str]:
    """Give what the reader and the measures want a person to know, each line once; warnings are never left out."""
    lines = dict.fromkeys(
        [f"! {warning}" for warning in report.warnings]
        + [f"note: {note}" for system in report.systems for note in system.notes if notes]
        + [f"note: {_source(model)}: {note}" for model in _models(report) for note in model.notes if notes]
    )
    if lines:
        yield ""
        yield from map(visible, lines)


def to_markdown(report: Results, places: int, percent: bool) -> str:
    """Write a report as a Markdown table, the signatures below it."""
    names = value_names(report)
    rows = [["system" if report.systems else "prediction", "measure", *names], ["---", "---", *("---:" for _ in names)]]
    rows += [
        [_escape_cell(row.label), _code(row.spec), *(_markdown_cell(cell) for cell in row.cells)]
        for row in score_rows(report, places=places, percent=percent)
    ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    signatures = "\n".join(f"- {_code(line)}" for line in signature_lines(report))
    explained = legend(report)
    note = f"\n\n{_escape_cell(explained)}" if explained else ""
    groups = "".join(
        f"\n\n{_escape_cell(one.title)}\n\n{_markdown_groups(one)}"
        for one in group_tables(report, places=places, percent=percent)
    )
    return f"{table}{note}{groups}\n\n{signatures}"


def _markdown_groups(grouped: GroupTable) -> str:
    rule = ["---", *("---:" for _ in grouped.head[1:])]
    return "\n".join(f"| {' | '.join(map(_escape_cell, row))} |" for row in [grouped.head, rule, *grouped.rows])


def _markdown_cell(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    return text + (rf"\{MARK}" if cell.differs else "")


def to_csv(report: Results, places: int, percent: bool) -> str:
    """Write a report as CSV, unrounded."""
    del places, percent
    written: str = report.to_frame(wide=True).write_csv()
    return written.rstrip("\n")


def to_json(report: Results, places: int, percent: bool) -> str:
    """Write a report as JSON, unrounded; what is not a number is null."""
    del places, percent
    return json.dumps(_without_nan(report.to_dict()), indent=2, ensure_ascii=False, allow_nan=False)


def to_html(report: Results, places: int, percent: bool) -> str:
    """Write a report as an HTML page that needs no network."""
    from goldassay.report.html import page_of

    return page_of(report, places=places, percent=percent)


LAYOUTS: dict[str, Callable[[Results, int, bool], str]] = {
    "text": to_text,
    "json": to_json,
    "csv": to_csv,
    "markdown": to_markdown,
    "latex": to_latex,
    "html": to_html,
}


def _sources_table(report: Results) -> Table:
    table = _plain_table()
    table.add_column("", style="bold", no_wrap=True)
    table.add_column("file", overflow="fold")
    table.add_column(f"{report.item}s", justify="right", no_wrap=True)
    table.add_column("how it was read", overflow="fold")
    for role, model in zip(_roles(report), _models(report), strict=True):
        table.add_row(role, _cell(_source(model)), f"{len(model):,}", _cell(_reading(model)))
    for one in report.failures:
        table.add_row("pred", _cell(one.label), "", "not scored, see below")
    return table


def _scores_table(report: Results, *, places: int, percent: bool) -> Table:
    table = _plain_table()
    table.add_column("system" if report.systems else "prediction", overflow="fold")
    table.add_column("measure", no_wrap=True)
    for name in [*value_names(report), "pred met", "gold met"]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in score_rows(report, places=places, percent=percent):
        table.add_row(_cell(row.label), _cell(row.spec), *map(_text_cell, row.cells), *row.met)
    return table


def _group_table(grouped: GroupTable) -> Table:
    table = _plain_table()
    table.add_column(grouped.head[0], overflow="fold")
    for name in grouped.head[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in grouped.rows:
        table.add_row(*map(_cell, row))
    return table


def _text_cell(cell: Cell) -> RenderableType:
    from rich.text import Text

    return Text(cell.text + (MARK if cell.differs else ""), style="bold" if cell.best else "")


def _plain_table() -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")


def _cell(text: str) -> RenderableType:
    from rich.text import Text

    return Text(one_line(text))


def _models(report: Results) -> list[Model]:
    return [*report.references, *(run.pred for run in report.runs)]


def _roles(report: Results) -> list[str]:
    return ["gold"] * len(report.references) + ["pred"] * len(report.runs)


def _source(model: Model) -> str:
    return model.path or "(in memory)"


def _reading(model: Model) -> str:
    chosen = ", ".join(f"{name}: {choice}" for name, choice in model.choices.items())
    left_out = ", ".join(f"{reason.replace('_', ' ')} ({count:,})" for reason, count in model.left_out.items() if count)
    return f"{model.format}, {chosen}" + (f"; left out: {left_out}" if left_out else "")


def _escape_cell(text: str) -> str:
    """Escape a text for one line of a Markdown table."""
    return MARKDOWN.sub(r"\\\1", one_line(text))


def _code(text: str) -> str:
    """Write a text as code, between more backticks than it contains."""
    line = one_line(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    blank = " " if "`" in line else ""
    return f"{fence}{blank}{line.replace('|', chr(92) + '|')}{blank}{fence}"


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(element) for key, element in value.items()}
    if isinstance(value, list):
        return [_without_nan(element) for element in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
