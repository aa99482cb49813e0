"""Output of commands: reports, warnings and progress."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import typer

from goldassay.cli.flags import unread
from goldassay.core.context import Progress, ignore_progress
from goldassay.core.text import to_one_line, visible

if TYPE_CHECKING:
    from rich.text import Text

    from goldassay.cli.groups import Output
    from goldassay.core.family import Family, Job
    from goldassay.core.measure import Score
    from goldassay.report import Report
    from goldassay.report.explain import EvidenceWriter

MILLION = 1_000_000
WITH_WARNINGS = ("text", "json", "github")
"""The layouts that contain the warnings; with others, and where a file is written, they go to standard error."""


def say(*lines: object, err: bool = False) -> None:
    """Print lines with escapes for what moves the cursor or hides; texts that others wrote are printed in no other way."""
    for line in map(visible, map(str, lines)):
        if err:
            # What cannot be written here is not taken for a full standard output.
            sys.stderr.write(f"{line}\n")
        else:
            typer.echo(line)


def exit_if_failed(report: Report) -> None:
    """Print on standard error what the report does not reach, and exit with code 1 if there is any such thing."""
    failures = report.checks.failures(report) if report.checks else []
    for failure in failures:
        say(f"goldassay: check failed: {to_one_line(failure)}", err=True)
    if failures:
        raise typer.Exit(1)


def write_files(
    report: Report,
    output: Output,
    *,
    progress: Progress = ignore_progress,
    others: Mapping[str, EvidenceWriter] = MappingProxyType({}),
) -> Report:
    """Write the evidence, the page and the figure that were asked for; return the report, with every item if it is to keep them."""
    from goldassay.core.timing import stage

    if output.explain:
        from goldassay.report.explain import write_explain

        with stage("rendering", str(output.explain)):
            write_explain(report, output.explain, formulas=output.formulas, progress=progress, others=others)
    if output.evidence:
        report = report.with_evidence(progress=progress)
    if output.report:
        from goldassay.report.html import write_page

        with stage("rendering", str(output.report)):
            write_page(report, output.report, output.style, progress=progress)
    if output.figure:
        from goldassay.report.figure import write_figure

        with stage("rendering", str(output.figure)):
            write_figure(report, output.figure, output.style)
    return report


def show(report: Report, output: Output) -> None:
    """Print the report, or write it to its file."""
    from goldassay.core.timing import stage

    with stage("rendering", str(output.output or output.layout)):
        _show(report, output)
    if output.output or output.pivot or output.layout not in WITH_WARNINGS:
        for line in report.warnings:
            _warn(line)


def _show(report: Report, output: Output) -> None:
    from goldassay.report.files import write_whole
    from goldassay.report.render import fence

    if output.layout == "text" and not output.output and not output.pivot:
        show_text(report, output)
        return
    lines = list(detail_lines(report, output))
    if lines and output.layout == "markdown":
        lines = ["", *fence(lines[1:])]
    if output.pivot:
        shown = _pivot(report, output)
    else:
        shown = report.format(output.layout, places=output.places, percent=output.percent, formulas=output.formulas)
    written = "\n".join([shown, *lines])
    if output.output:
        write_whole(output.output, lambda stream: stream.write(f"{written}\n".encode()))
    else:
        say(written)


def _pivot(report: Report, output: Output) -> str:
    """Write the matrices of a report, as wide as the terminal if they go there."""
    from rich.console import Console

    from goldassay.report.pivot import pivot

    console = Console()
    width = console.width if console.is_terminal and not output.output else None
    return pivot(report, output.layout, output.style, width=width)


def show_text(report: Report, output: Output) -> None:
    """Print the report as text."""
    from rich.console import Console

    from goldassay.report.render import plain_width, text_parts

    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = plain_width(report, output.style)
    width = console.width if console.is_terminal else None
    for part in text_parts(report, output.style, notes=not output.quiet, width=width):
        console.print(part, markup=False, soft_wrap=isinstance(part, str))
    print_lines(detail_lines(report, output))


def detail_lines(report: Report, output: Output) -> Iterator[str]:
    """Return the misses and the hubs that were asked for, an empty line before each list."""
    of = {id(run): f"{run.label}: " if len(report.runs) > 1 else "" for run in report.runs}
    for lines, most in ((miss_lines, output.misses), (hub_lines, output.hubs)):
        for run in report.runs:
            for score in run.scores:
                yield from map(to_one_line, lines(score, most, of[id(run)]))


def say_written(output: Output) -> None:
    """Print to standard error which files were written."""
    if not output.quiet:
        say_wrote(*output.written.values())


def say_wrote(*paths: Any) -> None:
    """Print to standard error which of some files were written."""
    for path in filter(None, paths):
        say(f"wrote {to_one_line(str(path))}", err=True)


def print_lines(lines: Iterable[Any]) -> None:
    """Print lines of text, or objects that rich can print, in colour on a terminal."""
    from rich.console import Console

    from goldassay.report.render import PLAIN_WIDTH

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    for line in lines:
        if not isinstance(line, str):
            console.print(line, markup=False)
        elif console.is_terminal:
            console.print(colour_edits(visible(line)), soft_wrap=True)
        else:
            say(line)


def colour_edits(line: str) -> Text:
    """Colour edits, which a terminal shows: ``[-gone-]`` red, ``{+new+}`` green."""
    from rich.text import Text

    text = Text(line)
    text.highlight_regex(r"\[-.*?-\]", "red")
    text.highlight_regex(r"\{\+.*?\+\}", "green")
    return text


def miss_lines(score: Score, most: int, of: str = "") -> Iterator[str]:
    """Return the nearest misses of a score, explained, under a heading; one line if there are none."""
    if not most:
        return
    misses = score.matching.missed(most)
    count = len(score.matching.failed("gold"))
    yield from ("", f"{of}{score.spec} missed " + (f"{count:,}, the nearest first" if misses else "nothing of gold"))
    yield from (line for miss in misses for line in miss.lines())


def hub_lines(score: Score, most: int, of: str = "") -> Iterator[str]:
    """Return the predicted items that match the most gold items, under a heading; one line if there are none."""
    from goldassay.chance import hubs

    if not most:
        return
    found = hubs(score.matching, most=most)
    yield from (
        "",
        f"{of}{score.spec}: "
        + ("predicted items that match the most gold items" if found else "no predicted item is a best counterpart"),
    )
    yield from map(str, found)


def _warn(message: object) -> None:
    say(f"goldassay: warning: {to_one_line(str(message))}", err=True)


def warn_of_unread(family: Family[Any], job: Job) -> None:
    """Warn of options of the reader that have no effect on these files."""
    made = job.reading.gold is not None  # a command for all families has no options that some files do not have
    for flag in unread(family.reading.options, job.reading) if made else ():
        _warn(f"{flag} has no effect: these files are read without it")


@contextmanager
def caught_warnings(*, quiet: bool, reported: bool = True) -> Iterator[None]:
    """Print warnings as text; those that a report shows are not repeated, if there is one."""
    # Quiet runs do not show the warnings of other packages; those of goldassay say what a number means.
    from goldassay.core.errors import GoldassayWarning, SuspectInputWarning, UndefinedWarning

    def print_warning(message: Warning | str, category: type[Warning] = Warning, *_: object, **__: object) -> None:
        if not quiet or issubclass(category, GoldassayWarning):
            _warn(message)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        warnings.simplefilter("ignore" if reported else "always", SuspectInputWarning)
        warnings.showwarning = print_warning
        yield


@contextmanager
def steps(*, verbose: bool) -> Iterator[None]:
    """Log each step and its duration to standard error if requested, then the total of each step."""
    from goldassay.core.timing import Stopwatch, time_block

    if not verbose:
        yield
        return

    def log(name: str, about: str, seconds: float) -> None:
        say(f"{seconds:9.2f} s  {name}{f' {about}' if about else ''}", err=True)

    def log_text(text: str) -> None:
        say(f"{'':11}  {text}", err=True)

    with time_block(Stopwatch(on_stage=log, on_detail=log_text)) as watch:
        yield
    each = ", ".join(f"{name} {seconds:.2f}" for name, seconds in watch.seconds.items())
    say(f"{sum(watch.seconds.values()):9.2f} s  in all: {each}", err=True)


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress]:
    """Show progress on standard error, if it is a terminal."""
    from goldassay.core.context import ignore_progress

    if quiet or not sys.stderr.isatty():
        yield ignore_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many a second are done."""

        def render(self, task: Task) -> Text:
            rate = task.finished_speed or task.speed
            return Text(pace(rate) if rate else "")

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        Rate(),
    )
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(shorten_middle(visible(stage)), total=total or None)
            # Without a total the bar only moves.
            bar.update(tasks[stage], completed=done, total=total or None)

        yield report


def pace(rate: float) -> str:
    """Write how many a second are done."""
    return f"{rate:,.0f}/s" if rate < MILLION else f"{rate / MILLION:,.1f}M/s"


def shorten_middle(stage: str, width: int = 40) -> str:
    """Shorten the name of a stage in its middle, so that rate and time fit next to it; its end differs between files."""
    return stage if len(stage) <= width else f"{stage[:8]}…{stage[10 - width :]}"
