"""Report: the results of an evaluation, and their output in every layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Generic, Self

from goldassay.core.context import Progress, ignore_progress
from goldassay.core.errors import check_type, path_of, unknown_choice_error
from goldassay.core.measure import Score, refuse_percentages
from goldassay.core.text import NumberFormat, json_text
from goldassay.report.files import FIGURES, SUFFIXES, csv_of
from goldassay.report.render import to_latex, to_markdown, to_text
from goldassay.report.results import Results

if TYPE_CHECKING:
    # Python has defaults of type variables from 3.13 on; type checkers know them.
    from typing_extensions import TypeVar

    from goldassay.report.plot import Page, Plot

    Found = TypeVar("Found", default=Any)
else:
    from typing import TypeVar

    Found = TypeVar("Found")
"""What is found under the name of a measure: the score of one prediction, or those of several by their names."""


def to_csv(report: Results, style: NumberFormat, *, formulas: bool = False) -> str:
    """Write a report as CSV, unrounded."""
    del style
    return csv_of(report.to_frame(wide=True), formulas=formulas).rstrip("\n")


def to_json(report: Report, style: NumberFormat) -> str:
    """Write a report as JSON, unrounded; what is not a number is null."""
    del style
    return json_text(report.to_dict(), indent=2)


def to_github(report: Results, style: NumberFormat) -> str:
    """Write a report as Markdown for a pull request."""
    from goldassay.report.github import comment_of

    return comment_of(report, style)


def to_html(report: Results, style: NumberFormat) -> str:
    """Write a report as an HTML page that needs no network."""
    from goldassay.report.html import page_of

    return page_of(report, style)


LAYOUTS: dict[str, Callable[..., str]] = {
    "text": to_text,
    "json": to_json,
    "csv": to_csv,
    "markdown": to_markdown,
    "latex": to_latex,
    "github": to_github,
    "html": to_html,
}


class Scores(dict[str, Score]):
    """The scores of several predictions by one measure, by the names of the predictions; a notebook shows them as a table."""

    report: Report

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Report(Results, Generic[Found]):
    """The results of an evaluation, which can be written, drawn and saved.

    Example:
        >>> import goldassay
        >>> gold = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal")])
        >>> pred = goldassay.Graph.from_edges([("cat", "animal")])
        >>> report = goldassay.evaluate(pred, gold=gold, measures="literal")
        >>> report["literal"].recall
        0.5
    """

    def __getitem__(self, name: str) -> Found:
        """Find the score of a measure, by its name or its spec.

        Returns:
            The `Score` of one prediction; of several predictions a dictionary of their scores, by their names.

        Raises:
            UsageError: If there is no such score, or several predictions have the same name.
        """
        names = self._names()
        scores = [run[name] for run in self.runs]
        found: Any = scores[0]
        if names != [""]:
            found = Scores(zip(names, scores, strict=True))
            found.report = replace(
                self, runs=tuple(replace(run, scores=(score,)) for run, score in zip(self.runs, scores, strict=True))
            )
        return found  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return self.format()

    def _repr_html_(self) -> str:
        from goldassay.report.plot import notebook_table

        return notebook_table(self)

    def page(self, *, height: int = 800) -> Page:
        """Show the whole page in a cell of a notebook.

        Args:
            height: The height of its frame in pixels.

        Raises:
            MissingDependencyError: If Jinja is not installed.
        """
        from goldassay.report.plot import Page

        return Page(self.format("html"), height)

    @property
    def plot(self) -> Plot:
        """Figures of the report: ``report.plot.values()``, ``.similarities()`` and ``.curve()`` are charts of Altair."""
        from goldassay.report.plot import Plot

        return Plot(self)

    def with_evidence(self, *, progress: Progress = ignore_progress) -> Self:
        """Return the same report with every item looked up, which is then saved with it.

        Args:
            progress: Called while counterparts are looked up.

        Example:
            >>> import goldassay, tempfile, pathlib
            >>> gold = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal")])
            >>> file = pathlib.Path(tempfile.mkdtemp(), "report.json")
            >>> goldassay.evaluate(gold, gold=gold, measures="literal").with_evidence().save(file)
            >>> "cat -> animal" in goldassay.load(file).format("html")
            True
        """
        from goldassay.report.evidence import view_of

        runs = (replace(run, view=view_of(self, run, progress=progress)) for run in self.runs)
        return replace(self, runs=tuple(runs))

    def format(self, layout: str = "text", *, places: int = 4, percent: bool = False, formulas: bool = False) -> str:
        """Write the report.

        Args:
            layout: ``text``, ``markdown``, ``github``, ``latex``, ``csv``, ``json`` or ``html``; CSV and JSON are unrounded.
            places: Decimal places.
            percent: Whether values are multiplied by 100.
            formulas: Whether texts that a spreadsheet would read as formulas are written to CSV unchanged, and not after an apostrophe.

        Raises:
            UsageError: If there is no such layout, or a measure that is no share is to be in percent.
        """
        check_type(layout, str, "the name of a layout")
        if layout not in LAYOUTS:
            raise unknown_choice_error("layout", layout, LAYOUTS)
        if percent:
            refuse_percentages(score.measure for score in self.scores)
        more = {"formulas": True} if formulas and layout == "csv" else {}
        return LAYOUTS[layout](self, NumberFormat(places, percent), **more)

    def to_dict(self) -> dict[str, Any]:
        """Return the report in the versioned shape that ``--format json`` writes; what is not a number is None."""
        from goldassay.core.shape import write_shape
        from goldassay.report.shape import SavedReport

        return write_shape(self, SavedReport)

    def evidence(self) -> Any:
        """List every item of every score with its verdict.

        Returns:
            A ``polars.DataFrame``, a row an item, measure and prediction; of scores that an engine counted a lazy frame of that
            engine, a ``DuckDBPyRelation`` or a ``DataFrame`` of Spark.
        """
        from goldassay.report.explain import evidence_frame, lazy_evidence

        return evidence_frame(self) if self.engine is None else lazy_evidence(self).to_native()

    def save(self, path: str | PathLike[str], layout: str | None = None) -> None:
        """Write the report to a file, atomically.

        Args:
            path: The file. Without a layout its suffix names one: ``.json``, which `goldassay.load` reads, ``.csv``,
                ``.html``, ``.md``, ``.tex``, ``.txt``, ``.parquet``, or ``.svg`` and ``.png`` for a figure of 16:9.
            layout: A layout of `format`.

        Raises:
            OutputError: If the suffix names no layout, or the file cannot be written.
        """
        from goldassay.report.files import ending_of, write_whole

        path = path_of(path)
        suffix = PurePath(path).suffix.lower()
        if layout is None and suffix == ".parquet":
            write_whole(path, self.to_frame().write_parquet)
            return
        if layout is None and suffix in FIGURES:
            from goldassay.report.figure import write_figure

            write_figure(self, path)
            return
        known = (*SUFFIXES, ".parquet", *FIGURES)
        chosen = layout or SUFFIXES[ending_of(path, known, "The suffix is not a report format.")]
        write_whole(path, lambda stream: stream.write(self.format(chosen).encode()))
