"""A report in a notebook: its page in a frame, and Altair charts, which the user can change and save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

from goldassay.core.errors import UsageError, require
from goldassay.core.panel import Lines, Panel, ScoreEvidence
from goldassay.core.text import USUAL, count_of, to_one_line
from goldassay.report.cells import Cell, TextTable, legend, score_tables, show_cell
from goldassay.report.evidence import collect_evidence, panels_of, similarity_histogram
from goldassay.report.forest import forests
from goldassay.report.pictures import chart_of
from goldassay.report.results import Results

if TYPE_CHECKING:
    import altair as alt

    from goldassay.report.results import Results

NUMBER = "text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"
TEXT = "text-align:left"
WIDE, HIGH, EDGE = 140, 14, 5
"""The size of a mark in pixels: how wide its scale is, how high, and what is left free at either end."""
NO_MARK = "<td></td>"


def notebook_table(report: Results) -> str:
    """Write the scores as tables of HTML, each measure of several predictions with its forest plot."""
    plots = {plot["measure"]: plot for plot in forests(report)}
    tables = "".join(_table(one, plots.get(one.title, {})) for one in score_tables(report, USUAL))
    lines = [
        f"{report.kind}: {count_of(len(report.gold), report.item)} of gold",
        *legend(report),
        *report.warnings,
    ]
    lines += [note for system in report.systems for note in system.notes]
    notes = "".join(f"<div>{_text(line)}</div>" for line in lines)
    signatures = "".join(f"<div><code>{_text(line)}</code></div>" for line in report.signatures)
    return f"{tables}{notes}<details><summary>Signatures</summary>{signatures}</details>"


@dataclass(frozen=True)
class Page:
    """A page that a notebook shows in a frame of its own."""

    html: str
    height: int

    def _repr_html_(self) -> str:
        source = escape(self.html)
        return (
            f'<iframe srcdoc="{source}" style="width:100%;height:{self.height}px;border:0" title="goldassay"></iframe>'
        )


def _table(table: TextTable, plot: Mapping[str, Any]) -> str:
    styles = [TEXT if place < table.names else NUMBER for place in range(len(table.head))]
    # Both have the best first. What could not be read, and what others published, comes last and has no mark.
    own = [row for row in plot.get("rows", ()) if row["run"] is not None]
    marks = [*map(_mark, own), *[NO_MARK if own else ""] * (len(table.rows) - len(own))]
    head = "".join(f'<th style="{style}">{escape(name)}</th>' for style, name in zip(styles, table.head, strict=True))
    rows = ""
    for row, mark in zip(table.rows, marks, strict=True):
        written = [*map(_cell, row[: table.names]), *map(_number, row[table.names :])]
        cells = "".join(f'<td style="{style}">{cell}</td>' for style, cell in zip(styles, written, strict=True))
        rows += f"<tr>{cells}{mark}</tr>"
    title = f"<div><code>{_text(table.title)}</code> {_text(plot.get('sentence', ''))}</div>" if table.title else ""
    scale = f'<th style="{TEXT}">{escape(plot["name"])}</th>' if own else ""
    return f"{title}<table><thead><tr>{head}{scale}</tr></thead><tbody>{rows}</tbody></table>"


def _mark(row: Mapping[str, Any]) -> str:
    """Draw one row of a forest plot: chance as a band, the interval as a line, the ceiling as a tick, the value as a dot."""
    drawn = ""
    for mark in row["marks"]:
        left, width = (float(mark[name]) / 100 * WIDE for name in ("left", "width"))
        left += EDGE
        middle = HIGH / 2
        drawn += {
            "chance": f'<rect x="{left:.1f}" y="1" width="{max(width, 1):.1f}" height="{HIGH - 2}" opacity="0.2"/>',
            "range": f'<rect x="{left:.1f}" y="{middle - 1}" width="{width:.1f}" height="2"/>',
            "run": f'<circle cx="{left:.1f}" cy="{middle}" r="2" fill="none" stroke="currentColor"/>',
            "ceiling": f'<rect x="{left:.1f}" y="1" width="1.5" height="{HIGH - 2}"/>',
            "value": f'<circle cx="{left:.1f}" cy="{middle}" r="4"/>',
        }[mark["kind"]]
    label = _text(row["text"])
    size = f'width="{WIDE + 2 * EDGE}" height="{HIGH}"'
    return (
        f'<td><svg {size} fill="currentColor" role="img" aria-label="{label}"><title>{label}</title>{drawn}</svg></td>'
    )


def _text(text: str) -> str:
    return escape(to_one_line(text))


def _cell(cell: Cell) -> str:
    text = _text(show_cell(cell))
    return f"<b>{text}</b>" if cell.best else text


def _number(cell: Cell) -> str:
    """Write a value with its interval below it, so that a table is as narrow as it can be."""
    value, space, interval = cell.text.partition(" [")
    return _cell(replace(cell, text=value)) + (f"<br><small>[{_text(interval)}</small>" if space else "")


def require_charts() -> None:
    """Raise an error if a package for charts is missing."""
    for module in ("altair", "vl_convert"):
        require(module, extra="plot", purpose="draw charts")


@dataclass(frozen=True, eq=False)
class Plot:
    """The figures of a report. Each is a chart of Altair: ``report.plot.values().save("values.svg")``."""

    report: Results

    def values(self) -> alt.VConcatChart:
        """Draw the headline value of every prediction, with its interval where there is one: a part for each measure."""
        require_charts()
        from goldassay.report.charts import static, values_chart

        chart: alt.VConcatChart = static(values_chart(self.report))
        return chart

    def similarities(self, measure: str | None = None, *, run: int = 0) -> alt.VConcatChart:
        """Draw the similarities of hits and misses to their best counterparts."""
        require_charts()
        from goldassay.report.charts import histogram_chart, static

        for one in self._scores(measure, run):
            found = similarity_histogram(one)
            if found is not None:
                chart: alt.VConcatChart = static(histogram_chart(chart_of(found)))
                return chart
        raise UsageError("No score has graded similarities, so there is no distribution to draw.")

    def curve(self, measure: str | None = None, *, run: int = 0) -> alt.LayerChart:
        """Draw precision, recall and F1 over every threshold, and the chosen one."""
        require_charts()
        from goldassay.report.charts import lines_chart, static

        for panel in self.panels(measure, run=run):
            if isinstance(panel, Lines):
                chart: alt.LayerChart = static(lines_chart(chart_of(panel)))
                return chart
        raise UsageError("No score has a threshold, so there is no curve to draw.")

    def panels(self, measure: str | None = None, *, run: int = 0) -> list[Panel]:
        """List the panels of the family, as data for your own figures."""
        return panels_of(self.report, self._scores(measure, run), self.report.runs[run])

    def _scores(self, measure: str | None, run: int) -> Sequence[ScoreEvidence]:
        chosen = self.report.runs[run]
        found = None if measure is None else chosen[measure]
        return [one for one in collect_evidence(chosen) if found is None or one.score is found]
