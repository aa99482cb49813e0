"""Measures against people as an HTML page: scatter of systems, ranking of measures, forest of differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, TypeAlias

import numpy as np

from goldassay.core.text import visible
from goldassay.meta.evaluation import MetaReport
from goldassay.meta.layouts import notes_of, places_of_chance, rows_of, tables_of
from goldassay.report.cells import TextTable
from goldassay.report.forest import p_text
from goldassay.report.html import PAGE

SIZE = 240
LABELS = {"value": "value", "chance": "chance", "ceiling": "people"}
STYLE = """svg{max-width:100%;height:auto}circle{fill:var(--invented)}rect{fill:none;stroke:var(--line)}
.scatters{display:flex;flex-wrap:wrap;gap:1rem 2rem}.scatters figure{width:280px}"""
Line: TypeAlias = tuple[str, float, Mapping[str, float | None], str]
"""A name, a value, other values by their kind, and what is written next to them."""
RANKED = ("auc", "kendall_b", "spa")
"""The statistics that measures are ranked by: the first that there is."""


def page_of(report: MetaReport) -> str:
    """Write the page: one file that needs no network."""
    notes = "".join(f'<p class="note">{_text(line)}</p>' for line in notes_of(report))
    parts = [_section("Ranking", _ranking(report))]
    parts += [
        _section(
            "Systems", f'<div class="scatters">{"".join(_scatter(report, name) for name in report.matrices)}</div>'
        )
    ]
    if report.tests:
        parts += [_section("Differences between measures", _forest(report))]
    parts += [_section(table.title, _table(table)) for table in tables_of(report)]
    style = PAGE.joinpath("page.css").read_text(encoding="utf-8") + STYLE
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Measures against people</title><style>{style}</style></head><body>"
        f'<header><p class="kicker">goldassay meta</p><h1>Measures against people</h1>{notes}</header>'
        f"<main>{''.join(parts)}</main></body></html>\n"
    )


def _section(title: str, body: str) -> str:
    return f'<section><div class="title"><h2>{_text(title)}</h2></div>{body}</section>'


def _ranking(report: MetaReport) -> str:
    """Draw one statistic of every measure, the best first, with chance and the ceiling of people."""
    rows = list(rows_of(report))
    name = next(one for one in RANKED if any(row["statistic"] == one for row in rows))
    rows = sorted(
        (row for row in rows if row["statistic"] == name), key=lambda row: -np.nan_to_num(row["value"], nan=-2.0)
    )
    measures = {one.measure: one for one in report.measures}

    def chance(row: dict[str, Any]) -> float | None:
        if row["chance"] is None:
            return None
        held = places_of_chance(measures[row["measure"]], row["level"], row["statistic"])
        return float(round(row["chance"], held))

    lines: list[Line] = [
        (str(row["measure"]), row["value"], {"chance": chance(row), "ceiling": row["people"]}, "") for row in rows
    ]
    return _lines(lines, name, low=-1.0 if name == "kendall_b" else 0.0)


def _forest(report: MetaReport) -> str:
    lines: list[Line] = [
        (
            f"{one['first']} - {one['second']} ({one['level']})",
            one["difference"],
            {},
            "" if np.isnan(one["p_holm"]) else p_text(one["p_holm"]),
        )
        for one in report.tests
    ]
    return _lines(lines, "difference", low=-1.0)


def _lines(lines: Sequence[Line], title: str, *, low: float) -> str:
    """Draw a row for each line as the forest plot of a report has them: marks and a dot between a lowest value and 1."""
    ticks = (low, (low + 1.0) / 2, 1.0)

    def mark(kind: str, value: float) -> str:
        place = 100 * (min(max(value, low), 1.0) - low) / (1.0 - low)
        return f'<i class="{kind}" style="left:{place:.2f}%;width:0"></i>'

    rows = []
    for name, value, others, more in lines:
        known = [(kind, at) for kind, at in (*others.items(), ("value", value)) if at is not None and not np.isnan(at)]
        drawn = "".join(mark("tick-line", tick) for tick in ticks) + "".join(mark(kind, at) for kind, at in known)
        text = (
            ", ".join(f"{LABELS[kind]} {at:{'g' if kind == 'chance' else '.4f'}}" for kind, at in known) or "undefined"
        )
        shown = "" if np.isnan(value) else f"{value:.4f}"
        rows.append(
            f'<div class="forest-row"><span class="who">{_text(name)}</span><span class="scale" role="img" tabindex="0" '
            f'aria-label="{_text(text)}">{drawn}</span><span class="score"><b>{shown}</b> <span class="soft">{more}</span></span></div>'
        )
    ends = "".join(f'<b style="left:{100 * (tick - low) / (1 - low):.2f}%">{tick:g}</b>' for tick in ticks)
    kinds = {kind: None for _, _, others, _ in lines for kind in others}
    legend = "".join(
        f'<span><span class="scale" aria-hidden="true"><i class="{kind}"></i></span>{LABELS[kind]}</span> '
        for kind in (*kinds, "value")
    )
    return (
        f'<figure class="forest"><div class="forest-row forest-head" aria-hidden="true"><span></span><span></span><span>{_text(title)}</span></div>'
        f'{"".join(rows)}<div class="forest-row ends" aria-hidden="true"><span></span><span class="ticks">{ends}</span><span></span></div>'
        f'<p class="note legend">{legend}</p></figure>'
    )


def _scatter(report: MetaReport, name: str) -> str:
    """Draw the mean rating and the mean score of every system."""
    human, scores = report.ratings.mean, report.matrices[name]
    whole = ~np.isnan(human) & ~np.isnan(scores)
    kept = [row for row in range(len(human)) if whole[row].any()]
    x, y = (np.array([side[row][whole[row]].mean() for row in kept]) for side in (human, scores))
    across, up = map(_scale, (x, y))
    drawn = [
        f'<circle cx="{a:.1f}" cy="{SIZE + 40 - b:.1f}" r="5"><title>{_text(report.ratings.systems[row])}</title></circle>'
        for a, b, row in zip(across, up, kept, strict=True)
    ]
    return _figure(
        drawn, f"{name}: mean rating across, mean score upwards, a dot for each system", SIZE + 40, SIZE + 40
    )


def _scale(values: np.ndarray) -> Iterable[float]:
    spread = float(values.max() - values.min()) or 1.0
    return [20 + float(value - values.min()) / spread * SIZE for value in values]


def _figure(drawn: Sequence[str], title: str, width: int, height: int) -> str:
    return (
        f'<figure><svg role="img" aria-label="{_text(title)}" viewBox="0 0 {width} {height}" width="{width}">'
        f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}"/>'
        f'{"".join(drawn)}</svg><figcaption class="note">{_text(title)}</figcaption></figure>'
    )


def _table(table: TextTable) -> str:
    lines = "".join(_row("td", [cell.text for cell in row], table.names) for row in table.rows)
    top = _row("th", [name.replace("_", " ") for name in table.head], table.names)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{_text(table.title)}"><table class="numbers">'
        f"<thead>{top}</thead><tbody>{lines}</tbody></table></div>"
    )


def _row(tag: str, cells: Sequence[str], names: int) -> str:
    kinds = ["" if place < names else ' class="number"' for place in range(len(cells))]
    return (
        "<tr>"
        + "".join(f"<{tag}{kind}>{_text(text)}</{tag}>" for kind, text in zip(kinds, cells, strict=True))
        + "</tr>"
    )


def _text(text: str) -> str:
    return escape(visible(text))
