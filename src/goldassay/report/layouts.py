"""The layouts of a report, by their names."""

from __future__ import annotations

import json
from collections.abc import Callable

from goldassay.core.shape import written
from goldassay.report.files import csv_of
from goldassay.report.github import to_github
from goldassay.report.render import to_latex, to_markdown, to_text
from goldassay.report.results import Results
from goldassay.report.shape import SavedReport


def to_csv(report: Results, places: int, percent: bool, *, formulas: bool = False) -> str:
    """Write a report as CSV, unrounded."""
    del places, percent
    return csv_of(report.to_frame(wide=True), formulas=formulas).rstrip("\n")


def to_json(report: Results, places: int, percent: bool) -> str:
    """Write a report as JSON, unrounded; what is not a number is null."""
    del places, percent
    return json.dumps(written(report, SavedReport), indent=2, ensure_ascii=False, allow_nan=False)


def to_html(report: Results, places: int, percent: bool) -> str:
    """Write a report as an HTML page that needs no network."""
    from goldassay.report.html import page_of

    return page_of(report, places=places, percent=percent)


LAYOUTS: dict[str, Callable[..., str]] = {
    "text": to_text,
    "json": to_json,
    "csv": to_csv,
    "markdown": to_markdown,
    "latex": to_latex,
    "github": to_github,
    "html": to_html,
}
