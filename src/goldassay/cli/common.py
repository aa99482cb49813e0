"""Flags and steps that the scoring commands share."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from goldassay.core.context import Encoder, Progress
    from goldassay.core.score import Score
    from goldassay.core.significance import Resampling
    from goldassay.report import Report
    from goldassay.report.gates import Gate


MEANING, OUTPUT, CONFIDENCE, GATES = "Meaning", "Output", "Confidence", "Gates"
Layout: TypeAlias = Literal["text", "json", "csv", "markdown", "latex"]
OnError: TypeAlias = Literal["stop", "skip"]

Preds = Annotated[list[str], typer.Argument(metavar="PRED...", help="Predictions to score.", show_default=False)]
Gold = Annotated[str, typer.Option("--gold", "-g", metavar="FILE", help="The gold standard.", show_default=False)]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="SPEC",
        help="A measure, for example 'fuzzy(threshold=0.5)'; repeatable. See: goldassay measures",
        show_default=False,
    ),
]
OnErrorOption = Annotated[OnError, typer.Option("--on-error", help="What a bad record does.")]
InputFormat = Annotated[
    str | None,
    typer.Option("--input-format", metavar="FORMAT", help="The format of all inputs, if not recognised rightly."),
]


@dataclass(frozen=True, kw_only=True)
class Vectors:
    """Where vectors shall come from, and what matching may take."""

    encoder: Annotated[
        str,
        typer.Option(
            "--encoder",
            metavar="ENCODER",
            help="minilm, hashing, sentence-transformers:NAME, or a .npz/.parquet file.",
            rich_help_panel=MEANING,
        ),
    ] = "minilm"
    model_path: Annotated[
        Path | None,
        typer.Option(
            "--model-path",
            metavar="PATH",
            help="Where the weights of the encoder lie.",
            show_default=False,
            rich_help_panel=MEANING,
        ),
    ] = None
    download: Annotated[
        bool,
        typer.Option("--download", help="Allow the weights to be fetched from the network.", rich_help_panel=MEANING),
    ] = False
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Neither read nor write the embedding cache.", rich_help_panel=MEANING),
    ] = False
    memory: Annotated[
        int,
        typer.Option(
            "--memory", metavar="MB", min=1, help="Megabytes that matching may take.", rich_help_panel=MEANING
        ),
    ] = 512

    def loaded_for(self, measures: Sequence[Any]) -> str | Encoder:
        """Load the encoder if any of the measures needs one."""
        from goldassay.encoders import get_encoder

        if not any(measure.needs_encoder for measure in measures):
            return self.encoder
        cache: Literal["default"] | None = None if self.no_cache else "default"
        return get_encoder(self.encoder, model_path=self.model_path, download=self.download, cache=cache)


@dataclass(frozen=True, kw_only=True)
class Output:
    """What a scoring command shall do with its report."""

    layout: Annotated[Layout, typer.Option("--format", help="How the report is written.", rich_help_panel=OUTPUT)] = (
        "text"
    )
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the report to a file, not to the screen.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None
    explain: Annotated[
        Path | None,
        typer.Option(
            "--explain",
            metavar="FILE",
            help="Write every item, its verdict and best counterpart (.tsv .csv .parquet .jsonl).",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write a page (.html) with scores, pictures and every item; it opens without a network.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None
    misses: Annotated[
        int,
        typer.Option(
            "--misses", metavar="N", min=0, help="Show the N nearest misses of each score.", rich_help_panel=OUTPUT
        ),
    ] = 0
    places: Annotated[
        int,
        typer.Option("--places", min=0, max=15, help="Decimal places where people read.", rich_help_panel=OUTPUT),
    ] = 4
    percent: Annotated[bool, typer.Option("--percent", help="Show percentages.", rich_help_panel=OUTPUT)] = False
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, notes or warnings.", rich_help_panel=OUTPUT)
    ] = False

    def check(self) -> None:
        """Refuse outputs that cannot be written, before any work is done."""
        from goldassay.report.explain import check_explain_path
        from goldassay.report.files import check_writable

        if self.explain:
            check_explain_path(self.explain)
        if self.output:
            check_writable(self.output)
        if self.report:
            from goldassay.report.html import check_page

            check_page(self.report)


@dataclass(frozen=True, kw_only=True)
class Confidence:
    """How sure the numbers shall be said to be."""

    ci: Annotated[
        bool,
        typer.Option(
            "--ci",
            help="Give every value its bootstrap interval, and test several predictions against one.",
            rich_help_panel=CONFIDENCE,
        ),
    ] = False
    level: Annotated[
        float, typer.Option("--level", metavar="SHARE", help="Level of the intervals.", rich_help_panel=CONFIDENCE)
    ] = 0.95
    resamples: Annotated[
        int, typer.Option("--resamples", metavar="N", help="How many resamples.", rich_help_panel=CONFIDENCE)
    ] = 10_000
    ci_method: Annotated[
        Literal["bca", "percentile"],
        typer.Option(
            "--ci-method", help="Corrected for bias and skew, or plain percentiles.", rich_help_panel=CONFIDENCE
        ),
    ] = "bca"
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="N", help="The same seed gives the same figures.", rich_help_panel=CONFIDENCE),
    ] = 0
    against: Annotated[
        Literal["first", "best"],
        typer.Option("--against", help="Which prediction the others are tested against.", rich_help_panel=CONFIDENCE),
    ] = "first"

    def resampling(self) -> Resampling:
        """Say how to draw.

        Raises:
            UsageError: If that cannot be.
        """
        from goldassay.core.significance import Resampling

        return Resampling(resamples=self.resamples, level=self.level, method=self.ci_method, seed=self.seed)


@dataclass(frozen=True, kw_only=True)
class Gates:
    """What the report must reach; else the exit code is 1."""

    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-under",
            metavar="BOUND",
            help="Exit with 1 below a bound, such as 'fuzzy.f1=0.8'; repeatable.",
            show_default=False,
            rich_help_panel=GATES,
        ),
    ] = None
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="REPORT",
            help="Exit with 1 where a value is worse than in this saved report (.json).",
            show_default=False,
            rich_help_panel=GATES,
        ),
    ] = None
    max_drop: Annotated[
        float,
        typer.Option("--max-drop", metavar="BY", min=0.0, help="How much worse it may be.", rich_help_panel=GATES),
    ] = 0.0

    def opened(self) -> Opened:
        """Read the bounds and the earlier report, before any work is done.

        Raises:
            UsageError: If a bound has no form of one.
            InputError: If the baseline is no report.
        """
        from goldassay.report.gates import Gate
        from goldassay.saved import load

        bounds = tuple(Gate.parse(text) for text in self.fail_under or ())
        return Opened(bounds, load(self.baseline) if self.baseline else None, self.max_drop)


class Opened(NamedTuple):
    """Gates that are ready to be asked.

    Attributes:
        bounds: What values must reach.
        baseline: The earlier report; None if there is none.
        max_drop: How much worse a value may be than in it.
    """

    bounds: tuple[Gate, ...]
    baseline: Report | None
    max_drop: float

    def ask(self, report: Report) -> None:
        """Say on standard error what was not met, and leave with 1 if anything was not."""
        from goldassay.report.gates import dropped, unmet

        failures = unmet(report, self.bounds)
        if self.baseline is not None:
            failures += dropped(report, self.baseline, most=self.max_drop)
        for failure in failures:
            typer.echo(f"goldassay: not met: {failure}", err=True)
        if failures:
            raise typer.Exit(1)


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What every scoring command can be told."""

    output: Output
    confidence: Confidence
    gates: Gates


def score(
    kind: str,
    preds: list[str],
    gold: str,
    *,
    measures: list[str] | None,
    scoring: Scoring,
    vectors: Vectors | None = None,
    then: Callable[[Report], None] | None = None,
    **reading: Any,
) -> Report:
    """Score predictions, show the report, ask the gates: what every scoring command does.

    Args:
        kind: The family.
        preds: The predictions.
        gold: The gold standard.
        measures: Specs of measures; the family's default if None.
        scoring: The flags of every scoring command.
        vectors: The flags of commands that compare meanings.
        then: Shows what the command shows besides.
        **reading: Options of the family's reader.

    Returns:
        The report.
    """
    from goldassay import evaluate
    from goldassay.families import family

    output, confidence = scoring.output, scoring.confidence
    output.check()
    gates, resampling = scoring.gates.opened(), confidence.resampling()
    chosen = family(kind)
    asked = [chosen.parse(spec) for spec in measures] if measures else list(chosen.default)
    vectors = vectors or Vectors(encoder="hashing")
    with caught_warnings(quiet=output.quiet), progress_bar(quiet=output.quiet) as progress:
        report = evaluate(
            preds,
            gold=gold,
            kind=kind,
            measures=asked,
            encoder=vectors.loaded_for(asked),
            progress=progress,
            memory=vectors.memory * 2**20,
            intervals=resampling if confidence.ci else False,
            against=confidence.against,
            **reading,
        )
        if output.explain:
            from goldassay.report.explain import write_explain

            write_explain(report, output.explain, progress=progress)
        if output.report:
            write_report_page(report, output, progress)
    show(report, output)
    if then:
        then(report)
    gates.ask(report)
    return report


def write_report_page(report: Report, output: Output, progress: Progress | None = None) -> None:
    """Write the report as a page."""
    from goldassay.core.context import silent
    from goldassay.report.html import write_page

    assert output.report is not None  # noqa: S101 - asked for, else nobody calls this
    write_page(report, output.report, places=output.places, percent=output.percent, progress=progress or silent)


def show(report: Report, output: Output) -> None:
    """Print the report, or write it to its file."""
    if output.output:
        report.save(output.output, output.layout)
    elif output.layout != "text":
        typer.echo(report.format(output.layout, places=output.places, percent=output.percent))
    else:
        show_text(report, output)


def show_text(report: Report, output: Output) -> None:
    """Print the report for a person."""
    from rich.console import Console

    from goldassay.report.render import PLAIN_WIDTH, text_parts

    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    for part in text_parts(report, places=output.places, percent=output.percent, notes=not output.quiet):
        console.print(part, markup=False, soft_wrap=isinstance(part, str))
    for run in report.runs:
        for score_ in run.scores:
            for line in miss_lines(score_, output.misses):
                console.print(coloured_edits(line), soft_wrap=True)


def coloured_edits(line: str) -> Text:
    """Colour edits, which a terminal shows: ``[-gone-]`` red, ``{+new+}`` green."""
    from rich.text import Text

    text = Text(line)
    text.highlight_regex(r"\[-.*?-\]", "red")
    text.highlight_regex(r"\{\+.*?\+\}", "green")
    return text


def miss_lines(score: Score, most: int) -> Iterator[str]:
    """Give the nearest misses of a score, explained, under a heading."""
    misses = score.matching.missed(most) if most else []
    if misses:
        count = int((score.matching.gold.credit < 1).sum())
        yield f"\n{score.spec} missed {count:,}, the nearest first"
        yield from (str(miss) for miss in misses)


@contextmanager
def caught_warnings(*, quiet: bool) -> Iterator[None]:
    """Print warnings as a person reads them; what the report says anyway is not said twice."""
    from goldassay.core.errors import SuspectInputWarning, UndefinedWarning

    def print_warning(message: Warning | str, *_: object, **__: object) -> None:
        if not quiet:
            sys.stderr.write(f"goldassay: warning: {message}\n")

    with warnings.catch_warnings():
        for said_in_report in (SuspectInputWarning, UndefinedWarning):
            warnings.simplefilter("ignore", said_in_report)
        warnings.showwarning = print_warning
        yield


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress]:
    """Show progress on standard error, if a person is looking."""
    from goldassay.core.context import silent

    if quiet or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield report
