"""A report in a notebook: a small table, without scripts, in the colours of the notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.core.score import Score
    from karat.report.report import Report

NUMBER = "text-align:right;font-variant-numeric:tabular-nums"
TEXT = "text-align:left"


def notebook_table(report: Report) -> str:
    """Write the scores as a table of HTML.

    Args:
        report: The report.
    """
    names = list(dict.fromkeys(name for run in report.runs for score in run.scores for name in score.values))
    head = "".join(f'<th style="{TEXT}">{escape(name)}</th>' for name in ("prediction", "measure"))
    head += "".join(f'<th style="{NUMBER}">{escape(name)}</th>' for name in names)
    rows = "".join(_row(run.label, score, names) for run in report.runs for score in run.scores)
    warnings = dict.fromkeys(line for run in report.runs for line in run.warnings)
    told = "".join(f"<div>! {escape(line)}</div>" for line in warnings)
    caption = f"{report.kind}: {len(report.gold):,} {report.item}s of gold"
    return (
        f'<table><caption style="{TEXT}">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{told}"
    )


def _row(label: str, score: Score, names: list[str]) -> str:
    cells = "".join(
        f'<td style="{NUMBER}" title="{escape(str(score.signature))}">{_value(score, name)}</td>' for name in names
    )
    return f'<tr><td style="{TEXT}">{escape(label)}</td><td style="{TEXT}"><code>{escape(score.measure)}</code></td>{cells}</tr>'


def _value(score: Score, name: str) -> str:
    if name not in score.values:
        return ""
    interval = score.intervals.get(name)
    told = f" <small>[{interval.low:.4f}, {interval.high:.4f}]</small>" if interval else ""
    return f"{score.values[name]:.4f}{told}"
