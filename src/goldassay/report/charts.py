"""Charts as figures of Altair, from the descriptions that the page reads, too. Imported only where a chart is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import altair as alt
import vl_convert

from goldassay.report.forest import draw_forest as forest

if TYPE_CHECKING:
    from goldassay.report.results import Results

# Colours that are safe for colour-blind readers (Okabe and Ito); the style sheet of the page uses these names.
INK, SOFT, LINE = "#000000", "#666666", "#dddddd"
# A notebook may be dark: a chart has a background of its own.
PAPER = "#ffffff"
GREEN, VERMILION, BLUE, ORANGE = "#009e73", "#d55e00", "#0072b2", "#e69f00"
VERDICTS: Mapping[str, str] = {"hit": GREEN, "missed": VERMILION, "invented": BLUE, "partial": ORANGE}
SERIES = (BLUE, VERMILION, INK, GREEN, ORANGE, SOFT)
DASHES = ([1, 0], [6, 3], [1, 0], [2, 2], [8, 3, 2, 3], [4, 4])
WIDTH, HEIGHT = 380, 220
ENDS, WIDE = ("low", "high"), ("chance", "range")
"""The ends of marks, and the marks that have a width."""


def lines_chart(chart: Mapping[str, Any]) -> alt.LayerChart:
    """Draw values over a threshold, and the chosen threshold."""
    thresholds, cut, after = chart["thresholds"].tolist(), chart["cut"], chart["after"]
    # A value holds up to its threshold, or from it on: also where the chosen one lies outside of them.
    end = -1 if after else 0
    beyond = [cut] if cut is not None and (cut > thresholds[-1] if after else cut < thresholds[0]) else []
    rows = [
        {"threshold": at, "value": value, "name": name}
        for name, values in chart["series"].items()
        for at, value in zip(
            [*thresholds, *beyond], [*values.tolist(), *(values.tolist()[end] for _ in beyond)], strict=True
        )
        if math.isfinite(value)
    ]
    names = list(chart["series"])
    # A few measures can exceed 1.
    top = max([1.0, *(row["value"] for row in rows)])
    lines = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=2, interpolate="step-after" if after else "step-before")
        .encode(
            x=alt.X("threshold:Q", title=chart["axis"], scale=alt.Scale(nice=False, zero=False)),
            y=alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, top])),
            color=_colours("name", names, SERIES),
            strokeDash=alt.StrokeDash("name:N", sort=names, scale=alt.Scale(domain=names, range=_cycle(DASHES, names))),
        )
    )
    marks = _cut_marks(cut)
    drawn: alt.LayerChart = _configure(alt.layer(lines, *marks).properties(width=WIDTH, height=HEIGHT))
    return drawn


def histogram_chart(chart: Mapping[str, Any]) -> alt.VConcatChart:
    """Draw distributions of values, one row per verdict, so that they can be distinguished without colour."""
    edges, charts = chart["edges"], []
    for place, (verdict, counts) in enumerate(chart["counts"].items()):
        ticks, last = _count_ticks(max(counts)), place == len(chart["counts"]) - 1
        rows = [{"from": low, "to": high, "items": n} for low, high, n in zip(edges, edges[1:], counts, strict=False)]
        x = alt.X(
            "from:Q",
            bin="binned",
            title=chart["axis"] if last else None,
            scale=alt.Scale(domain=[edges[0], edges[-1]], nice=False),
            axis=alt.Axis(labels=last, ticks=last, grid=False),
        )
        y = alt.Y(
            "items:Q",
            title=verdict,
            scale=alt.Scale(domain=[0, ticks[-1]], nice=False),
            axis=alt.Axis(values=ticks, format="~s"),
        )
        bars = alt.Chart(alt.InlineData(values=rows)).mark_bar(color=VERDICTS.get(verdict, SOFT), binSpacing=1)
        layered = alt.layer(bars.encode(x=x, x2="to:Q", y=y), *_cut_marks(chart["cut"], named=not place))
        charts.append(layered.properties(width=WIDTH, height=max(56, 190 // len(chart["counts"]))))
    drawn: alt.VConcatChart = _configure(alt.vconcat(*charts, spacing=10))
    return drawn


def values_chart(report: Results) -> alt.VConcatChart:
    """Draw the forest plot of every measure."""
    # A point is a headline value, a line its interval, a band what chance gives, the mean and one standard deviation to
    # either side. A tick is the human ceiling: what several gold standards score among themselves. A small circle is a
    # single run.
    charts = []
    for spec in report.measures:
        entries, scale = forest(report, spec)
        rows = [
            {
                "prediction": entry.label,
                **{
                    f"{kind}_{end}": at
                    for kind, *ends in entry.marks()
                    if kind != "run"
                    for end, at in zip(ENDS, ends, strict=True)
                },
            }
            for entry in entries
        ]
        runs = [{"prediction": entry.label, "run_low": value} for entry in entries for value in entry.runs]
        base, of_runs = (
            alt.Chart(alt.InlineData(values=values)).encode(y=alt.Y("prediction:N", sort=None, title=None))
            for values in (rows, runs)
        )
        marks = {
            "chance": base.mark_bar(color=LINE, size=16, clip=True),
            "ceiling": base.mark_tick(color=SOFT, thickness=2, size=22),
            "range": base.mark_rule(color=INK, clip=True),
            "run": of_runs.mark_point(size=20, color=SOFT, opacity=1),
            "published": base.mark_point(size=60, color=INK, opacity=1),
            "value": base.mark_point(filled=True, size=60, color=INK, opacity=1),
        }
        x = alt.Scale(domain=[scale.low, scale.high], nice=False)
        headline = report.runs[0][spec].headline
        layers = [
            mark.encode(
                x=alt.X(f"{kind}_low:Q", title=headline, scale=x), **({"x2": f"{kind}_high:Q"} if kind in WIDE else {})
            )
            for kind, mark in marks.items()
            if kind == "value" or any(f"{kind}_low" in row for row in (*rows, *runs))
        ]
        charts.append(alt.layer(*layers).properties(width=WIDTH, title=spec))
    drawn: alt.VConcatChart = _configure(alt.vconcat(*charts))
    return drawn


def static(chart: Any) -> Any:
    """Show charts in a notebook as pictures, without a script from the network."""

    def picture(*_: Any, **__: Any) -> dict[str, str]:
        return {"image/svg+xml": svg(chart)}

    # A chart takes each attribute that is set for one of its own properties.
    object.__setattr__(chart, "_repr_mimebundle_", picture)
    return chart


def svg(chart: Any) -> str:
    """Render a chart as SVG, without a browser."""
    version = alt.SCHEMA_VERSION.rpartition(".")[0]
    return vl_convert.vegalite_to_svg(chart.to_json(), vl_version=version)


def _count_ticks(most: int) -> list[int]:
    """Choose whole round numbers for an axis of counts."""
    if most <= 1:
        return [0, 1]
    size = 10 ** math.floor(math.log10(most / 2))
    step = next(times * size for times in (1, 2, 5, 10) if 2 * times * size >= most)
    return [0, step, 2 * step]


def _cut_marks(cut: float | None, *, named: bool = True) -> Iterable[Any]:
    if cut is None:
        return
    chosen = alt.Chart(alt.InlineData(values=[{"cut": cut, "label": f"chosen {cut:g}"}]))
    yield chosen.mark_rule(color=SOFT, strokeDash=[2, 2]).encode(x="cut:Q")
    if named:
        yield chosen.mark_text(align="left", dx=4, y=7, color=SOFT).encode(x="cut:Q", text="label:N")


def _colours(field: str, names: list[str], colours: tuple[str, ...]) -> alt.Color:
    scale = alt.Scale(domain=names, range=_cycle(colours, names))
    return alt.Color(f"{field}:N", sort=names, scale=scale, legend=alt.Legend(title=None, orient="top"))


def _cycle(choices: tuple[Any, ...], names: list[str]) -> list[Any]:
    return [choices[place % len(choices)] for place in range(len(names))]


def _configure(chart: Any) -> Any:
    axis: dict[str, Any] = {
        "labelFlush": False,
        "labelColor": SOFT,
        "titleColor": SOFT,
        "gridColor": LINE,
        "domainColor": SOFT,
        "tickColor": SOFT,
    }
    return (
        chart.configure(background=PAPER, font="sans-serif")
        .configure_view(stroke=None)
        .configure_axis(**axis, titleFontWeight="normal", labelFontSize=11, titleFontSize=11)
        .configure_legend(labelColor=INK, labelFontSize=12, symbolStrokeWidth=2, symbolSize=220)
        .configure_header(labelColor=INK)
    )
