"""Measures against people as an HTML page: scatter of systems, ranking of measures, forest of differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from goldassay.core.text import visible
from goldassay.meta.evaluation import MetaReport
from goldassay.meta.layouts import notes_of, rows_of, tables_of
from goldassay.report.cells import TextTable

WIDTH, LINE, LEFT, SIZE = 640, 24, 220, 240
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse}td,th{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:left}
figure{margin:1rem 0}svg{max-width:100%;height:auto}text{font:12px system-ui,sans-serif;fill:#222}"""
RANKED = ("auc", "kendall_b", "spa")
"""The statistics that measures are ranked by: the first that there is."""


def page_of(report: MetaReport) -> str:
    """Write the page: one file that needs no network."""
    parts = ["<h1>Measures against people</h1>", *(f"<p>{_text(line)}</p>" for line in notes_of(report))]
    parts += ["<h2>Ranking</h2>", _ranking(report), "<h2>Systems</h2>"]
    parts += [_scatter(report, name) for name in report.matrices]
    if report.tests:
        parts += ["<h2>Differences between measures</h2>", _forest(report)]
    parts += [_table(table) for table in tables_of(report)]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Measures against people</title>'
        f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _ranking(report: MetaReport) -> str:
    """Draw one statistic of every measure, the best first, with chance and the ceiling of people."""
    rows = list(rows_of(report))
    name = next(one for one in RANKED if any(row["statistic"] == one for row in rows))
    rows = sorted(
        (row for row in rows if row["statistic"] == name), key=lambda row: -np.nan_to_num(row["value"], nan=-2.0)
    )
    lines = [
        (str(row["measure"]), row["value"], [("chance", row["chance"], "#888"), ("people", row["people"], "#0a7")])
        for row in rows
    ]
    return _dots(lines, f"{name}: dot; chance: grey line; people: green line", low=-1.0 if name == "kendall_b" else 0.0)


def _forest(report: MetaReport) -> str:
    lines = [
        (
            f"{one['first']} - {one['second']} ({one['level']}), p {one['p_holm']:.3f}",
            one["difference"],
            [("none", 0.0, "#888")],
        )
        for one in report.tests
    ]
    return _dots(lines, "Difference of Pearson's correlations with people", low=-1.0)


def _dots(
    lines: Sequence[tuple[str, float, Sequence[tuple[str, float | None, str]]]], title: str, *, low: float
) -> str:
    """Draw a dot for each line, and marks beside it, between a lowest value and 1."""

    def place(value: float) -> float:
        return LEFT + (WIDTH - LEFT - 20) * (min(max(value, low), 1.0) - low) / (1.0 - low)

    drawn = []
    for number, (name, value, marks) in enumerate(lines):
        y = LINE * (number + 1)
        drawn.append(f'<text x="0" y="{y + 4}">{_text(name)}</text>')
        drawn += [
            f'<line x1="{place(at):.1f}" x2="{place(at):.1f}" y1="{y - 9}" y2="{y + 9}" stroke="{colour}" stroke-width="2"/>'
            for _, at, colour in marks
            if at is not None and not np.isnan(at)
        ]
        if not np.isnan(value):
            drawn.append(
                f'<circle cx="{place(value):.1f}" cy="{y}" r="5" fill="#036"><title>{value:.4f}</title></circle>'
            )
    return _figure(drawn, title, WIDTH, LINE * (len(lines) + 1))


def _scatter(report: MetaReport, name: str) -> str:
    """Draw the mean rating and the mean score of every system."""
    human, scores = report.ratings.mean, report.matrices[name]
    whole = ~np.isnan(human) & ~np.isnan(scores)
    kept = [row for row in range(len(human)) if whole[row].any()]
    x, y = (np.array([side[row][whole[row]].mean() for row in kept]) for side in (human, scores))
    across, up = (_scaled(values, SIZE) for values in (x, y))
    drawn = [
        f'<circle cx="{a:.1f}" cy="{SIZE + 20 - b:.1f}" r="5" fill="#036"><title>{_text(report.ratings.systems[row])}</title></circle>'
        for a, b, row in zip(across, up, kept, strict=True)
    ]
    return _figure(
        drawn, f"{name}: mean rating across, mean score upwards, a dot for each system", SIZE + 40, SIZE + 40
    )


def _scaled(values: np.ndarray, size: int) -> Iterable[float]:
    spread = float(values.max() - values.min()) or 1.0
    return [20 + float(value - values.min()) / spread * (size - 20) for value in values]


def _figure(drawn: Sequence[str], title: str, width: int, height: int) -> str:
    return (
        f'<figure><svg role="img" aria-label="{_text(title)}" viewBox="0 0 {width} {height}" width="{width}">'
        f"{''.join(drawn)}</svg><figcaption>{_text(title)}</figcaption></figure>"
    )


def _table(table: TextTable) -> str:
    head = "".join(f"<th>{_text(name.replace('_', ' '))}</th>" for name in table.head)
    rows = "".join("<tr>" + "".join(f"<td>{_text(cell.text)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f"<h2>{_text(table.title)}</h2><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _text(text: str) -> str:
    return escape(visible(text))
