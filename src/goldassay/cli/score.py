"""Scoring, output and gates, for every scoring command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import typer

from goldassay.cli import screen
from goldassay.cli.groups import Confidence, Scoring, Vectors
from goldassay.core.errors import UsageError
from goldassay.core.family import Family, Job
from goldassay.core.golds import Rule
from goldassay.core.measure import Measure

if TYPE_CHECKING:
    from goldassay.core.significance import Resampling
    from goldassay.report import Report
    from goldassay.report.benchmark import Benchmark


def score(
    family: Family[Any],
    job: Job,
    *,
    measures: Sequence[Measure[Any, Any]] | None,
    vectors: Vectors,
    scoring: Scoring,
    reading: dict[str, Any],
    by: Sequence[str] | None = None,
    golds: Rule | None = None,
    partial: dict[str, Any] | None = None,
    below: Callable[[Report], Iterable[Any]] | None = None,
    benchmark: Benchmark | None = None,
) -> None:
    """Score predictions, show the report, and check the gates.

    Args:
        family: The family.
        job: The predictions and the gold standard.
        measures: The measures; the family's default if None.
        vectors: The flags of commands that compare meanings.
        scoring: The flags of every scoring command.
        reading: Options of the family's reader.
        by: The groupings of the scores.
        golds: How several golds give one score.
        partial: What gold can judge, as `goldassay.evaluate` has it.
        below: Returns what is printed below the report.
        benchmark: The named task that is scored; None for none.
    """
    from goldassay import evaluate
    from goldassay.core.timing import stage

    output, confidence = scoring.output, scoring.confidence
    checks = scoring.gates.opened(measures or (*family.default, *family.several))
    intervals = _intervals(job, confidence)
    with screen.steps(verbose=output.verbose):
        with screen.caught_warnings(quiet=output.quiet), screen.progress_bar(quiet=output.quiet) as progress:
            report = evaluate(
                job.systems or job.preds,
                gold=job.gold,
                kind=family.kind,
                measures=measures,
                encoder=vectors.loaded_for(measures or (*family.default, *family.several)),
                progress=progress,
                memory=vectors.memory * 2**20,
                intervals=intervals,
                against=confidence.against,
                chance=confidence.drawing(family.nulls),
                by=by or (),
                golds=golds,
                unreadable="stop" if job.systems else "keep",
                evidence=bool(output.report or output.explain or output.evidence),
                **(partial or {}),
                **reading,
            )
            if not report.failures and (partial or {}).get("engine") != "spark-tasks":
                screen.warn_of_unread(family, job)
            report = replace(report, task=benchmark, checks=checks)
            if output.explain:
                from goldassay.report.explain import write_explain

                with stage("rendering", str(output.explain)):
                    write_explain(
                        report, output.explain, formulas=output.formulas, progress=progress, others=family.evidence
                    )
            if output.evidence:
                report = report.with_evidence(progress=progress)
            if output.report:
                screen.write_report_page(report, output, progress)
        screen.show(report, output)
    screen.say_written(output)
    if below:
        screen.print_lines(below(report))
    screen.exit_if_unmet(report)
    if report.failures:
        raise typer.Exit(2)


def _intervals(job: Job, confidence: Confidence) -> Resampling | Literal[False]:
    """Return how intervals are drawn, and refuse flags that have no effect on them."""
    intervals = confidence.resampling() if job.systems else confidence.intervals()
    if job.systems and confidence.ci_method != Confidence.ci_method:
        raise UsageError(
            "Intervals of repeated runs have one method only, so --ci-method has no effect.",
            hint="leave out --ci-method",
        )
    return intervals
