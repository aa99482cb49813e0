"""A picture for a slide, 16:9: what was found, and the forest plots of the measures. SVG needs no other package, PNG needs vl-convert."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from os import PathLike
from pathlib import Path
from textwrap import wrap
from typing import Any

from goldassay.core.errors import require
from goldassay.core.text import USUAL, NumberFormat, to_one_line
from goldassay.core.version import __version__
from goldassay.report.cells import MARK, TIES, legend, shorten_names
from goldassay.report.files import FIGURES, check_writable, ending_of, write_whole
from goldassay.report.forest import forests
from goldassay.report.html import describe_heading, find_opening
from goldassay.report.results import Results

WIDTH, HEIGHT, EDGE = 1600, 900, 60
MOST_PLOTS, MOST_ROWS, ONE_COLUMN = 4, 12, 2
"""How many measures and how many rows of each a slide shows, and up to how many measures are below each other."""
INK, SOFT, LINE, BAND, POINT, PAPER = "#24221e", "#645f56", "#e4dfd4", "#d8d1c2", "#005a91", "#ffffff"
LETTER = 0.56
"""The mean width of a letter of a sans-serif font, as a share of its size; it is not measured, so that room is left."""


def check_figure(path: str | PathLike[str]) -> None:
    """Reject a figure that can never be written, before any work is done."""
    suffix = ending_of(path, FIGURES, "A figure is SVG or PNG.")
    check_writable(path)
    if suffix == ".png":
        _require_converter()


def _require_converter() -> Any:
    return require("vl_convert", extra="plot", purpose="write PNG; SVG needs no package")


def write_figure(report: Results, path: str | PathLike[str], style: NumberFormat = USUAL) -> None:
    """Write the figure of a report, atomically."""
    check_figure(path)
    drawn = draw_figure(report, style)
    made = drawn.encode() if Path(path).suffix.lower() == ".svg" else _require_converter().svg_to_png(drawn, scale=1.0)
    write_whole(path, lambda stream: stream.write(made))


def draw_figure(report: Results, style: NumberFormat = USUAL) -> str:
    """Draw the figure of a report as SVG."""
    plots = forests(report, style)
    plots.insert(0, plots.pop(find_opening(report) or 0))
    shown, heading = plots[:MOST_PLOTS], describe_heading(report)
    found = [plot["sentence"] if len(plots) == 1 else f"{plot['measure']}: {plot['sentence']}" for plot in shown]
    parts = [_text(EDGE, 84, _cut(heading["title"], 42, WIDTH - 2 * EDGE), size=42, weight=600)]
    top = 136
    for line in _lines(found[0], 26, WIDTH - 2 * EDGE)[:3]:
        parts.append(_text(EDGE, top, line, size=26))
        top += 36
    notes = _notes(report, plots)
    bottom = HEIGHT - 74 - 26 * len(notes)
    columns = 1 if len(shown) <= ONE_COLUMN else 2
    rows = -(-len(shown) // columns)
    wide, high = (WIDTH - 2 * EDGE - 60 * (columns - 1)) / columns, (bottom - top - 30 * rows) / rows
    for place, plot in enumerate(shown):
        left, upper = EDGE + place % columns * (wide + 60), top + 30 + place // columns * (high + 30)
        parts += _plot(plot, left, upper, wide, high)
    parts += _legend({kind: text for plot in shown for kind, text in plot["legend"]}, bottom + 44)
    parts += [_text(EDGE, bottom + 78 + 26 * place, note, size=18, fill=SOFT) for place, note in enumerate(notes)]
    parts.append(_text(WIDTH - EDGE, HEIGHT - 22, f"goldassay {__version__}", size=18, fill=SOFT, anchor="end"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f"font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\"><title>{_escape(heading['title'])}</title>"
        f"<desc>{_escape(' '.join(found))}</desc>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>{"".join(parts)}</svg>'
    )


def _notes(report: Results, plots: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what marks mean that a plot has, and what the slide has no room for."""
    meant = [
        line
        for line in legend(report)
        if (line.startswith(TIES) and any(row["ties"] for plot in plots for row in plot["rows"]))
        or (line.startswith(MARK) and any(plot["tested"] for plot in plots))
    ]
    hidden = len(plots) - MOST_PLOTS
    more = [f"and {hidden} more measure{'s' * (hidden > 1)}"] if hidden > 0 else []
    return [_cut(line, 18, WIDTH - 2 * EDGE - 200) for line in (*meant, *more)]


def _plot(plot: Mapping[str, Any], left: float, top: float, wide: float, high: float) -> Iterator[str]:
    """Draw one forest plot: a title, a row for each system, and the scale."""
    direction = f", {plot['direction']}" if plot["direction"] else ""
    about = f"{plot['name']}{direction}" + (", part of the scale" if plot["part"] else "")
    yield _text(left, top + 24, _cut(plot["measure"], 24, wide - 16 * len(about)), size=24, weight=600)
    yield _text(left + wide, top + 24, about, size=20, fill=SOFT, anchor="end")
    rows, left_out = plot["rows"][:MOST_ROWS], len(plot["rows"]) - MOST_ROWS
    step = min((high - 90) / max(len(rows), 1), 96.0)
    size = max(min(26.0, step * 0.5), 12.0)
    values = [
        " ".join(filter(None, (row["value"] + MARK * row["differs"], row["interval"], row["ties"]))) for row in rows
    ]
    room = max((_wide(text, size) for text in values), default=0) + 20
    labels = shorten_names([to_one_line(row["label"]) for row in rows], max(int(wide * 0.3 / (size * LETTER)), 12))
    named = max((_wide(label, size) for label in labels), default=0) + 40
    leads = len({row["value"] for row in rows[:2]}) > 1
    start, scale, first = left + named, wide - named - room, top + 48
    end = first + step * len(rows)
    for tick in plot["ticks"]:
        at = start + scale * float(tick["left"]) / 100
        yield f'<path d="M{at:.1f} {first:.1f}V{end:.1f}" stroke="{LINE}" stroke-width="2"/>'
        yield _text(at, end + 26, tick["text"], size=18, fill=SOFT, anchor="middle")
    for place, (row, label, value) in enumerate(zip(rows, labels, values, strict=True)):
        middle = first + step * (place + 0.5)
        yield _text(left, middle + size * 0.35, label, size=size, weight=600 if leads and not place else 400)
        for mark in row["marks"]:
            at, width = (scale * float(mark[key]) / 100 for key in ("left", "width"))
            yield _mark(mark["kind"], start + at, width, middle, min(step * 0.5, 24.0))
        yield _text(left + wide, middle + size * 0.35, value, size=size, anchor="end")
    if left_out > 0:
        yield _text(left, end + 26, f"and {left_out} more", size=18, fill=SOFT)


def _mark(kind: str, at: float, width: float, middle: float, high: float) -> str:
    """Draw one mark: the same shapes as on the page."""
    if kind == "chance":
        return f'<rect x="{at:.1f}" y="{middle - high / 2:.1f}" width="{max(width, 3):.1f}" height="{high:.1f}" fill="{BAND}"/>'
    if kind == "range":
        return f'<path d="M{at:.1f} {middle:.1f}h{width:.1f}" stroke="{INK}" stroke-width="4"/>'
    if kind == "ceiling":
        return f'<path d="M{at:.1f} {middle - high / 2:.1f}v{high:.1f}" stroke="{SOFT}" stroke-width="4"/>'
    if kind == "run":
        return f'<circle cx="{at:.1f}" cy="{middle:.1f}" r="5" fill="none" stroke="{SOFT}" stroke-width="2"/>'
    fill, stroke = (PAPER, INK) if kind == "published" else (POINT, PAPER)
    return f'<circle cx="{at:.1f}" cy="{middle:.1f}" r="9" fill="{fill}" stroke="{stroke}" stroke-width="2"/>'


def _legend(kinds: Mapping[str, str], middle: float) -> Iterator[str]:
    left = float(EDGE)
    for kind, text in kinds.items():
        wide = 30.0 if kind in {"range", "chance"} else 0.0
        yield _mark(kind, left + (0 if wide else 15), wide, middle, 20)
        yield _text(left + 42, middle + 6, text, size=18, fill=SOFT)
        left += 42 + _wide(text, 18) + 36


def _wide(text: str, size: float) -> float:
    """Estimate how wide a text is."""
    from rich.cells import cell_len

    return cell_len(text) * size * LETTER


def _lines(text: str, size: float, room: float) -> list[str]:
    return wrap(to_one_line(text), int(room / (size * LETTER)), break_on_hyphens=False)


def _cut(text: str, size: float, room: float) -> str:
    return shorten_names([to_one_line(text)], max(int(room / (size * LETTER)), 12))[0]


def _text(
    left: float, base: float, text: str, *, size: float, fill: str = INK, weight: int = 400, anchor: str = "start"
) -> str:
    return (
        f'<text x="{left:.1f}" y="{base:.1f}" font-size="{size:g}" fill="{fill}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{_escape(text)}</text>'
    )


def _escape(text: str) -> str:
    """Escape a text for XML, which has no characters that UTF-8 cannot encode."""
    return escape(to_one_line(text).encode(errors="replace").decode())
