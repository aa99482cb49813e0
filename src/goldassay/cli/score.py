"""Scoring, output and gates, for every scoring command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal

import typer

from goldassay.cli import screen
from goldassay.cli.groups import Confidence, Scoring, Vectors
from goldassay.core.errors import UsageError
from goldassay.core.family import Family, Job

if TYPE_CHECKING:
    from goldassay.core.significance import Resampling
    from goldassay.report import Report
    from goldassay.report.results import Benchmark


def score(
    family: Family[Any],
    job: Job,
    asked: dict[str, Any],
    *,
    vectors: Vectors,
    scoring: Scoring,
    below: Callable[[Report], Iterable[Any]] | None = None,
    benchmark: Benchmark | None = None,
    added: Iterable[Callable[[Report], Report]] = (),
) -> None:
    """Score predictions as `goldassay.evaluate` is asked to, show the report and what is below it, and check the gates."""
    from goldassay import evaluate

    output, confidence = scoring.output, scoring.confidence
    measures = asked["measures"] or (*family.measures.default, *family.measures.other)
    checks = scoring.gates.opened(measures)
    output.check_percent(measures)
    intervals = _intervals(job, confidence)
    with screen.steps(verbose=output.verbose):
        with screen.caught_warnings(quiet=output.quiet), screen.progress_bar(quiet=output.quiet) as progress:
            report = evaluate(
                job.systems or job.preds,
                gold=job.gold,
                kind=family.kind,
                encoder=vectors.load_for(measures),
                progress=progress,
                memory=vectors.memory * 2**20,
                intervals=intervals,
                against=confidence.against or (),
                chance=confidence.drawing(family.trust.nulls),
                selfcheck=not confidence.no_selfcheck,
                unreadable="stop" if job.systems else "keep",
                evidence=bool(output.report or output.explain or output.evidence),
                **asked,
            )
            if not report.failures and asked.get("engine") != "spark-tasks":
                screen.warn_of_unread(family, job)
            report = reduce(lambda made, add: add(made), added, replace(report, task=benchmark, checks=checks))
            report = screen.write_files(report, output, progress=progress, others=family.views.evidence)
        screen.show(report, output)
    screen.say_written(output)
    if below:
        screen.print_lines(below(report))
    screen.exit_if_failed(report)
    if report.failures:
        raise typer.Exit(2)


def _intervals(job: Job, confidence: Confidence) -> Resampling | Literal[False]:
    """Return how intervals are drawn, and refuse flags that have no effect on them."""
    intervals = confidence.resampling() if job.systems else confidence.intervals()
    if job.systems and confidence.ci_method != Confidence.ci_method:
        raise UsageError(
            "--ci-method has no effect on intervals of repeated runs.",
            hint="leave out --ci-method",
        )
    return intervals
