"""Charts as figures of Altair, from the values that panels hold. Imported only where a chart is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
import vl_convert

from goldassay.core.panel import Histogram, Lines
from goldassay.report.pictures import histogram_edges

if TYPE_CHECKING:
    from goldassay.core.measure import Score
    from goldassay.report.results import Results

# Colours that are safe for colour-blind readers (Okabe and Ito); the style sheet of the page uses these names.
INK, SOFT, LINE = "#000000", "#666666", "#dddddd"
GREEN, VERMILION, BLUE, ORANGE = "#009e73", "#d55e00", "#0072b2", "#e69f00"
VERDICTS: Mapping[str, str] = {"hit": GREEN, "missed": VERMILION, "invented": BLUE, "partial": ORANGE}
SERIES = (BLUE, VERMILION, INK, GREEN, ORANGE, SOFT)
DASHES = ([1, 0], [6, 3], [1, 0], [2, 2], [8, 3, 2, 3], [4, 4])
WIDTH, HEIGHT = 380, 220
UPRIGHT = 40
"""Maximum number of letters in the labels below the bars of a chart."""


def lines_chart(panel: Lines) -> alt.LayerChart:
    """Draw values over a threshold, and the chosen threshold."""
    rows = [
        {"threshold": at, "value": value, "name": name}
        for name, values in panel.series.items()
        for at, value in zip(panel.thresholds.tolist(), _numbers(values), strict=True)
        if value is not None
    ]
    names = list(panel.series)
    # A few measures can exceed 1.
    top = max([1.0, *(row["value"] for row in rows)])
    lines = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=2, clip=True, interpolate="step-after" if panel.lower_is_stricter else "step-before")
        .encode(
            x=alt.X("threshold:Q", title=panel.axis, scale=alt.Scale(nice=False, zero=False)),
            y=alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, top])),
            color=_colours("name", names, SERIES),
            strokeDash=alt.StrokeDash(
                "name:N", sort=names, scale=alt.Scale(domain=names, range=_cycled(DASHES, names))
            ),
        )
    )
    drawn: alt.LayerChart = _configured(alt.layer(lines, *_cut_marks(panel.cut)).properties(width=WIDTH, height=HEIGHT))
    return drawn


def histogram_chart(panel: Histogram) -> alt.VConcatChart:
    """Draw distributions of values, one row per verdict, so that they can be distinguished without colour."""
    edges = histogram_edges(panel)
    charts: list[alt.LayerChart | alt.FacetChart] = []
    for verdict, values in panel.values.items():
        counts, _ = np.histogram(values, bins=edges)
        most = max(int(counts.max()), 1)
        rows = [
            {"from": low, "to": high, "items": count}
            for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
        ]
        last = verdict == list(panel.values)[-1]
        bars = (
            alt.Chart(alt.InlineData(values=rows))
            .mark_bar(color=VERDICTS.get(verdict, SOFT), binSpacing=1)
            .encode(
                x=alt.X(
                    "from:Q",
                    bin="binned",
                    title=panel.axis if last else None,
                    scale=alt.Scale(domain=[edges[0], edges[-1]], nice=False),
                    axis=alt.Axis(labels=last, ticks=last, grid=False),
                ),
                x2="to:Q",
                y=alt.Y(
                    "items:Q",
                    title=verdict,
                    scale=alt.Scale(domain=[0, most], nice=False),
                    axis=alt.Axis(values=sorted({0, most // 2, most}), format="~s"),
                ),
            )
        )
        height = max(56, 190 // len(panel.values))
        layered = alt.layer(bars, *_cut_marks(panel.cut, named=not charts))
        charts.append(layered.properties(width=WIDTH, height=height))
    drawn: alt.VConcatChart = _configured(alt.vconcat(*charts, spacing=10))
    return drawn


def values_chart(report: Results) -> alt.FacetChart:
    """Draw the headline value of every prediction, one row a measure.

    A line is its interval, a band what chance gives, the mean and one standard deviation to either side. A tick is the
    human ceiling: what several golds score among themselves.
    """
    rows = [
        {
            "measure": score.spec,
            "prediction": run.label,
            "value": _finite(score.values[score.headline]),
            **_interval(score.intervals.get(score.headline)),
            **_chance_band(score),
            **_ceiling_mark(score),
        }
        for run in report.runs
        for score in run.scores
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=alt.Y("prediction:N", sort=None, title=None))
    points = base.mark_point(filled=True, size=60, color=INK, opacity=1).encode(
        x=alt.X("value:Q", title="headline value", scale=alt.Scale(domain=[0, 1]))
    )
    whiskers = base.mark_rule(color=INK).encode(x="low:Q", x2="high:Q")
    band = base.mark_bar(color=LINE, size=16).encode(x="chance_low:Q", x2="chance_high:Q")
    ceiling = base.mark_tick(color=SOFT, thickness=2, size=22).encode(x="ceiling:Q", tooltip="ceiling:Q")
    beside = [mark for name, mark in (("chance_low", band), ("ceiling", ceiling)) if any(name in row for row in rows)]
    layered = alt.layer(*beside, whiskers, points).properties(width=WIDTH)
    drawn: alt.FacetChart = _configured(layered.facet(row=alt.Row("measure:N", sort=None, title=None)))
    return drawn


def _ceiling_mark(score: Score) -> dict[str, float | None]:
    if score.golds is None or not score.golds.ceiling:
        return {}
    return {"ceiling": _finite(score.golds.ceiling[score.headline])}


def _chance_band(score: Score) -> dict[str, float | None]:
    if score.chance is None:
        return {}
    expected, sd = score.chance.expected[score.headline], score.chance.sd[score.headline]
    return {"chance_low": _finite(expected - sd), "chance_high": _finite(expected + sd)}


def static(chart: Any) -> Any:
    """Let a notebook show a chart as a picture, without a script from the network."""

    def picture(*_: Any, **__: Any) -> dict[str, str]:
        return {"image/svg+xml": svg(chart)}

    # A chart takes each attribute that is set for one of its own properties.
    object.__setattr__(chart, "_repr_mimebundle_", picture)
    return chart


def svg(chart: Any) -> str:
    """Render a chart as SVG, without a browser."""
    version = alt.SCHEMA_VERSION.rpartition(".")[0]
    return vl_convert.vegalite_to_svg(chart.to_json(), vl_version=version)


def _cut_marks(cut: float | None, *, named: bool = True) -> Iterable[Any]:
    if cut is None:
        return
    chosen = alt.Chart(alt.InlineData(values=[{"cut": cut, "label": f"chosen {cut:g}"}]))
    yield chosen.mark_rule(color=SOFT, strokeDash=[2, 2]).encode(x="cut:Q")
    if named:
        yield chosen.mark_text(align="left", dx=4, y=7, color=SOFT).encode(x="cut:Q", text="label:N")


def _colours(field: str, names: list[str], colours: tuple[str, ...]) -> alt.Color:
    scale = alt.Scale(domain=names, range=_cycled(colours, names))
    return alt.Color(f"{field}:N", sort=names, scale=scale, legend=alt.Legend(title=None, orient="top"))


def _cycled(choices: tuple[Any, ...], names: list[str]) -> list[Any]:
    return [choices[place % len(choices)] for place in range(len(names))]


def _configured(chart: Any) -> Any:
    axis = {"labelColor": SOFT, "titleColor": SOFT, "gridColor": LINE, "domainColor": SOFT, "tickColor": SOFT}
    return (
        chart.configure(background="transparent", font="sans-serif")
        .configure_view(stroke=None)
        .configure_axis(**axis, titleFontWeight="normal", labelFontSize=11, titleFontSize=11)
        .configure_legend(labelColor=INK, labelFontSize=12, symbolStrokeWidth=2, symbolSize=220)
        .configure_header(labelColor=INK)
    )


def _numbers(values: Any) -> list[float | None]:
    return [_finite(value) for value in np.asarray(values, dtype=np.float64).tolist()]


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _interval(interval: Any) -> dict[str, float | None]:
    return {} if interval is None else {"low": _finite(interval.low), "high": _finite(interval.high)}
