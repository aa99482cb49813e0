"""Flags and steps that the scoring commands share."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.text import Text

    from karat.core.context import Encoder, Progress
    from karat.core.score import Score
    from karat.report import Report


Layout: TypeAlias = Literal["text", "json", "csv", "markdown"]
OnError: TypeAlias = Literal["stop", "skip"]

Preds = Annotated[list[str], typer.Argument(metavar="PRED...", help="Predictions to score.", show_default=False)]
Gold = Annotated[str, typer.Option("--gold", "-g", metavar="FILE", help="The gold standard.", show_default=False)]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="SPEC",
        help="A measure, for example 'fuzzy(threshold=0.5)'; repeatable. See: karat measures",
        show_default=False,
    ),
]
ExplainPath = Annotated[
    Path | None,
    typer.Option(
        "--explain",
        metavar="FILE",
        help="Write every item, its verdict and best counterpart (.tsv .csv .parquet .jsonl).",
        show_default=False,
    ),
]
Misses = Annotated[int, typer.Option("--misses", metavar="N", min=0, help="Show the N nearest misses of each score.")]
LayoutOption = Annotated[Layout, typer.Option("--format", help="How the report is written.")]
OutputPath = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the report to a file, not to the screen.", show_default=False
    ),
]
Places = Annotated[int, typer.Option("--places", min=0, max=15, help="Decimal places of text and Markdown.")]
Percent = Annotated[bool, typer.Option("--percent", help="Show percentages.")]
EncoderOption = Annotated[
    str,
    typer.Option(
        "--encoder", metavar="ENCODER", help="minilm, hashing, sentence-transformers:NAME, or a .npz/.parquet file."
    ),
]
ModelPath = Annotated[
    Path | None,
    typer.Option("--model-path", metavar="PATH", help="Where the weights of the encoder lie.", show_default=False),
]
Download = Annotated[bool, typer.Option("--download", help="Allow the weights to be fetched from the network.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the embedding cache.")]
Memory = Annotated[int, typer.Option("--memory", metavar="MB", min=1, help="Megabytes that matching may take.")]
OnErrorOption = Annotated[OnError, typer.Option("--on-error", help="What a bad record does.")]
InputFormat = Annotated[
    str | None,
    typer.Option("--input-format", metavar="FORMAT", help="The format of all inputs, if not recognised rightly."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, notes or warnings.")]


@dataclass(frozen=True, kw_only=True)
class Output:
    """What a scoring command shall do with its report."""

    layout: Layout
    path: Path | None
    explain: Path | None
    misses: int
    places: int
    percent: bool
    quiet: bool

    def check(self) -> None:
        """Refuse outputs that cannot be written, before any work is done."""
        from karat.report.explain import check_explain_path
        from karat.report.files import check_writable

        if self.explain:
            check_explain_path(self.explain)
        for path in (self.path, self.explain):
            if path:
                check_writable(path)


@dataclass(frozen=True, kw_only=True)
class EncoderChoice:
    """Where vectors shall come from."""

    spec: str
    model_path: Path | None
    download: bool
    cached: bool

    def needed_by(self, measures: Sequence[Any]) -> str | Encoder:
        """Load the encoder if any of the measures needs one."""
        from karat.encoders import get_encoder

        if not any(measure.needs_encoder for measure in measures):
            return self.spec
        cache: Literal["default"] | None = "default" if self.cached else None
        return get_encoder(self.spec, model_path=self.model_path, download=self.download, cache=cache)


def score(
    kind: str,
    preds: list[str],
    gold: str,
    *,
    measures: list[str] | None,
    encoder: EncoderChoice,
    memory: int,
    output: Output,
    **reading: Any,
) -> Report:
    """Score predictions, show the report and give it back: what every scoring command does."""
    from karat import evaluate
    from karat.families import family

    output.check()
    chosen = family(kind)
    asked = [chosen.parse(spec) for spec in measures] if measures else list(chosen.default)
    with caught_warnings(quiet=output.quiet), progress_bar(quiet=output.quiet) as progress:
        report = evaluate(
            preds,
            gold=gold,
            kind=kind,
            measures=asked,
            encoder=encoder.needed_by(asked),
            progress=progress,
            memory=memory * 2**20,
            **reading,
        )
        if output.explain:
            from karat.report.explain import write_explain

            write_explain(report, output.explain, progress=progress)
    show(report, output)
    return report


def show(report: Report, output: Output) -> None:
    """Print the report, or write it to its file."""
    if output.path:
        report.save(output.path, output.layout)
    elif output.layout != "text":
        typer.echo(report.format(output.layout, places=output.places, percent=output.percent))
    else:
        show_text(report, output)


def show_text(report: Report, output: Output) -> None:
    """Print the report for a person."""
    from rich.console import Console

    from karat.report.render import PLAIN_WIDTH, text_parts

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
        yield f"\n{score.measure} missed {count:,}, the nearest first"
        yield from (str(miss) for miss in misses)


@contextmanager
def caught_warnings(*, quiet: bool) -> Iterator[None]:
    """Print warnings as a person reads them; what the report says anyway is not said twice."""
    from karat.core.errors import SuspectInputWarning, UndefinedWarning

    def print_warning(message: Warning | str, *_: object, **__: object) -> None:
        if not quiet:
            sys.stderr.write(f"karat: warning: {message}\n")

    with warnings.catch_warnings():
        for said_in_report in (SuspectInputWarning, UndefinedWarning):
            warnings.simplefilter("ignore", said_in_report)
        warnings.showwarning = print_warning
        yield


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress]:
    """Show progress on standard error, if a person is looking."""
    from karat.core.context import silent

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
