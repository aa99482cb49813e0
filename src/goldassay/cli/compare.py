"""``goldassay compare``: several predictions side by side, and whether they differ by more than chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from goldassay.cli import screen
from goldassay.cli.flags import expand_parameters, given_flags, names_in, refuse_others
from goldassay.cli.groups import MEASURE, Confidence, Gates, Output, Scoring, Vectors
from goldassay.cli.runs import files_of, split_name
from goldassay.cli.score import score
from goldassay.core.errors import UsageError
from goldassay.core.family import Job, SideOptions
from goldassay.core.model import restate
from goldassay.core.parameters import parameter
from goldassay.formats.options import OnError
from goldassay.inputs import File, are_documents

if TYPE_CHECKING:
    from goldassay.report import Report
    from goldassay.report.results import Run

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="The gold standard, then its predictions; or only saved reports.",
        show_default=False,
    ),
]


OF_TESTS = ("resamples", "seed")
"""How differences are tested, for which saved reports have all that is needed."""


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions:
    """How the files are read and scored."""

    panel: ClassVar[str | None] = None

    kind: str = parameter("taxonomy", metavar="KIND", help="The family: taxonomy, axioms, alignment, ...")
    measure: list[str] | None = parameter(None, **MEASURE)
    input_format: str | None = parameter(None, metavar="FORMAT", help="Override format detection.")
    gold_format: str | None = parameter(None, metavar="FORMAT", help="The format of gold only.")
    pred_format: str | None = parameter(None, metavar="FORMAT", help="The format of predictions only.")
    on_error: OnError = parameter("stop", help="Whether to stop at a bad record, or to skip and count it.")


@expand_parameters
def compare(files: Files, *, asked: ComparisonOptions, vectors: Vectors, scoring: Scoring) -> None:
    """Compare predictions with intervals and paired tests: GOLD PRED PRED..., or saved reports (--format json --ci).

    A family's own command does the same with all its options: goldassay taxonomy PRED PRED --gold GOLD --ci.
    """
    from goldassay.families import family, measure_of
    from goldassay.saved import is_report

    paths = [split_name(file)[1] for file in files]
    scoring.output.check([*paths, str(vectors.encoder)])
    saved = [path for path in paths if is_report(path)]
    if len(saved) == len(files):
        compare_saved(files, scoring)
        return
    if saved:
        raise UsageError(
            "Saved reports can only be compared with saved reports.",
            found=f"{saved[0]} and {next(path for path in paths if path not in saved)}, which is not a saved report",
            hint="save the others first: goldassay ... --ci --format json -o report.json",
        )
    chosen, gold = family(asked.kind), File(files[0])
    usual = chosen.reading.options()
    is_one = partial(are_documents, chosen, gold=[gold], options=SideOptions(usual, usual))
    preds = files_of(files[1:], folders=chosen.reading.folders, is_one=is_one)
    if not preds:
        raise UsageError("Nothing to compare.", found=gold, expected="GOLD PRED PRED...")
    reading: dict[str, Any] = {"on_error": asked.on_error, **_format(asked.input_format)}
    reading |= {"gold_options": _format(asked.gold_format), "pred_options": _format(asked.pred_format)}
    scoring = replace(scoring, confidence=replace(scoring.confidence, ci=True))
    measures = [measure_of(chosen, spec) for spec in asked.measure] if asked.measure else None
    job = Job(
        preds, gold, SideOptions(None, None), scoring.output.output, scoring.output.places, scoring.output.percent
    )
    score(chosen, job, {"measures": measures, **reading}, scoring=scoring, vectors=vectors)


def _format(name: str | None) -> dict[str, str]:
    return {"input_format": name} if name else {}


def compare_saved(files: list[str], scoring: Scoring) -> None:
    """Compare saved reports; nothing is scored again."""
    import goldassay
    from goldassay.core.timing import stage

    # The intervals of scores are those that were saved, with their units and level; those of differences have one method.
    of_scoring = {
        "explain",
        "misses",
        "hubs",
        "chance",
        "null",
        "draws",
        "no_selfcheck",
        "ci_method",
        "ci_unit",
        "level",
    }
    used = {"files", *names_in(Output, Confidence, Gates)} - of_scoring
    refuse_others("saved reports", used, hint="goldassay compare GOLD PRED PRED...")
    checks, confidence = scoring.gates.opened(), scoring.confidence
    with screen.steps(verbose=scoring.output.verbose), screen.caught_warnings(quiet=scoring.output.quiet):
        with stage("reading"):
            loaded = name_runs([(name, path, goldassay.load(path)) for name, path in map(split_name, files)])
        if scoring.output.evidence and any(run.view is None for one in loaded for run in one):
            raise UsageError(
                "A saved report contains no evidence.",
                hint="save it with evidence: goldassay ... --format json --evidence",
            )
        scoring.output.check_percent(score.measure for one in loaded for score in one.scores)
        report = screen.write_files(replace(_compare_reports(loaded, confidence), checks=checks), scoring.output)
        screen.show(report, scoring.output)
    screen.say_written(scoring.output)
    screen.exit_if_failed(report)


def name_runs(reports: Sequence[tuple[str | None, str, Report]]) -> list[Report]:
    """Name predictions by their reports: where the report has a name, or where several reports have a prediction of the same name."""
    times = Counter(run.label for *_, report in reports for run in report)
    stems = Counter(Path(path).stem for _, path, _ in reports)
    named = []
    for name, path, report in reports:
        stem = Path(path).stem
        usual = stem if stems[stem] == 1 else path
        # Systems have names of their own, and their runs are not shown one by one.
        runs = [
            _rename(run, name or usual, single=len(report) == 1)
            if not report.systems and (name or times[run.label] > 1)
            else run
            for run in report
        ]
        named.append(replace(report, runs=tuple(runs)))
    return named


def _rename(run: Run, name: str, *, single: bool) -> Run:
    pred: Any = run.pred
    return replace(run, pred=restate(pred, path=name if single else f"{name}: {run.label}"))


def _compare_reports(loaded: list[Report], confidence: Confidence) -> Report:
    """Test the predictions against one of them as they were scored; a single report of which nothing else is asked is shown as it is."""
    from goldassay import compare
    from goldassay.core.significance import Resampling

    [first, *others] = loaded
    tested = sum(map(len, loaded)) > 1 and any(score.units for score in first.scores)
    if not others and (first.systems or not tested):
        shown = {"files", *names_in(Output, Gates)}
        refuse_others("one saved report where nothing is tested", shown, hint="name several reports that --ci made")
        return first
    if not others and first.comparisons and not given_flags(("ci", "against", *OF_TESTS)):
        return first
    saved = next((score.resampling for report in loaded for score in report.scores if score.resampling), None)
    asked = {name: getattr(confidence, name) for name in OF_TESTS if given_flags([name])}
    return compare(loaded, against=confidence.against or (), resampling=replace(saved or Resampling(), **asked))
