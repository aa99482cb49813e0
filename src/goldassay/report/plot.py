"""Figures of a report for notebooks and papers: Altair charts, which the user can change and save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldassay.core.errors import UsageError, require
from goldassay.core.panel import Evidenced, Lines, Panel
from goldassay.report.evidence import evidenced, panels_of, similarity_histogram
from goldassay.report.pictures import chart_of

if TYPE_CHECKING:
    import altair as alt

    from goldassay.report.results import Results


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

    def _scores(self, measure: str | None, run: int) -> Sequence[Evidenced]:
        chosen = self.report.runs[run]
        found = None if measure is None else chosen[measure]
        return [one for one in evidenced(chosen) if found is None or one.score is found]
