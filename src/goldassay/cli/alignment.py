"""``goldassay alignment``: score ontology alignments."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from goldassay.cli import common
from goldassay.cli.flags import expanded
from goldassay.core.errors import UsageError

if TYPE_CHECKING:
    from goldassay.report import Report

Preds = Annotated[
    list[str] | None,
    typer.Argument(metavar="PRED...", help="Predictions to score; a folder holds test cases.", show_default=False),
]
Gold = Annotated[
    str | None, typer.Option("--gold", "-g", metavar="FILE", help="The gold standard.", show_default=False)
]
Cases = Annotated[
    str | None,
    typer.Option(
        "--cases",
        metavar="DIR|TABLE",
        help="A folder of systems with a folder 'reference', or a table of case, pred and gold.",
    ),
]
Ignore = Annotated[
    str | None, typer.Option("--ignore", metavar="FILE", help="An alignment whose pairs count on neither side.")
]
Sweep = Annotated[
    Path | None,
    typer.Option("--sweep", metavar="FILE", help="Write P, R and F at every score (.tsv .csv .parquet .jsonl)."),
]
GroupBy: TypeAlias = Literal["case", "relation", "type", "namespace"]
By = Annotated[GroupBy | None, typer.Option("--by", help="Also split precision, recall and F1 (text layout).")]
READING = "Reading"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Columns:
    """How a file is understood as an alignment."""

    source_column: Annotated[
        str | None,
        typer.Option("--source-column", metavar="NAME", help="The column of sources.", rich_help_panel=READING),
    ] = None
    target_column: Annotated[
        str | None,
        typer.Option("--target-column", metavar="NAME", help="The column of targets.", rich_help_panel=READING),
    ] = None
    relation_column: Annotated[
        str | None,
        typer.Option(
            "--relation-column", metavar="NAME", help="The column of relations, or none.", rich_help_panel=READING
        ),
    ] = None
    score_column: Annotated[
        str | None,
        typer.Option("--score-column", metavar="NAME", help="The column of scores, or none.", rich_help_panel=READING),
    ] = None
    relations: Annotated[
        list[str] | None,
        typer.Option(
            "--relations", metavar="RELATION", help="Keep this relation alone; repeatable.", rich_help_panel=READING
        ),
    ] = None
    scores: Annotated[
        Literal["unit", "any"],
        typer.Option("--scores", help="Whether scores must lie in [0, 1].", rich_help_panel=READING),
    ] = "unit"
    metadata: Annotated[
        str | None,
        typer.Option(
            "--metadata",
            metavar="FILE",
            help="The prefixes of SSSOM tables; none keeps CURIEs as they stand.",
            rich_help_panel=READING,
        ),
    ] = None
    input_format: Annotated[
        str | None,
        typer.Option(
            "--input-format", metavar="FORMAT", help="The format, if not recognised rightly.", rich_help_panel=READING
        ),
    ] = None
    on_error: Annotated[
        common.OnError, typer.Option("--on-error", help="What a bad record does.", rich_help_panel=READING)
    ] = "stop"

    def options(self) -> dict[str, Any]:
        """Give the options of the reader."""
        return {**vars(self), "relations": tuple(self.relations) if self.relations else None}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ontologies:
    """What is known of the entities."""

    source_ontology: Annotated[
        str | None,
        typer.Option(
            "--source-ontology", metavar="FILE", help="Labels and kinds of the sources.", rich_help_panel=READING
        ),
    ] = None
    target_ontology: Annotated[
        str | None,
        typer.Option(
            "--target-ontology", metavar="FILE", help="Labels and kinds of the targets.", rich_help_panel=READING
        ),
    ] = None
    language: Annotated[
        str, typer.Option("--language", metavar="TAG", help="Preferred language of labels.", rich_help_panel=READING)
    ] = "en"


SEVERAL_CASES = ["overlap", "macro_overlap"]


@expanded
def alignment(
    preds: Preds = None,
    gold: Gold = None,
    cases: Cases = None,
    measure: common.Measures = None,
    ignore: Ignore = None,
    sweep: Sweep = None,
    by: By = None,
    *,
    columns: Columns,
    ontologies: Ontologies,
    scoring: common.Scoring,
) -> None:
    """Score ontology alignments against a reference alignment.

    Reads OAEI RDF/XML, SSSOM (TSV, JSON), CSV, TSV, Parquet and JSON Lines with columns of any name, candidate lists as
    Bio-ML has them, and folders of test cases; also gzipped.
    """
    output = scoring.output
    shown = output.layout == "text" and not output.output
    if sweep:
        from goldassay.report.explain import check_explain_path

        check_explain_path(sweep)
    reading = {**columns.options(), **vars(ontologies)}
    systems, reference = inputs(preds, gold, cases, reading)
    several = bool(cases) or Path(str(gold)).is_dir()
    asked = measure or (SEVERAL_CASES if several else None)
    common.score(
        "alignment",
        systems,
        reference,
        measures=with_ignored(asked, ignore),
        scoring=scoring,
        then=partial(write_sweeps, path=sweep, shown=shown) if sweep else None,
        by=by or (),
        **reading,
    )


def inputs(
    preds: list[str] | None, gold: str | None, cases: str | None, reading: dict[str, Any]
) -> tuple[list[Any], Any]:
    """Find what is to be scored: files or folders, or what `--cases` names."""
    if cases:
        if preds or gold:
            raise UsageError("--cases names predictions and gold itself.", hint="leave out PRED and --gold")
        from goldassay.alignments import AlignmentReading
        from goldassay.alignments.cases import manifest_of, systems_of

        return systems_of(cases) if Path(cases).is_dir() else manifest_of(cases, AlignmentReading(**reading))
    if not preds or not gold:
        raise UsageError(
            "There is no prediction to score." if gold else "There is no gold standard to score against.",
            expected="goldassay alignment PRED... --gold FILE, or goldassay alignment --cases DIR",
        )
    return preds, gold


def with_ignored(specs: list[str] | None, ignore: str | None) -> list[str] | None:
    """Write the file of pairs to ignore into the measures."""
    if not ignore:
        return specs
    from goldassay.alignments import FAMILY

    measures: list[Any] = [FAMILY.parse(spec) for spec in specs or map(str, FAMILY.default)]
    return [str(dataclasses.replace(measure, ignore=ignore)) for measure in measures]


def write_sweeps(report: Report, path: Path, *, shown: bool) -> None:
    """Write the curves of all scores that count correspondences, and say where each is best."""
    import polars as pl

    from goldassay.alignments import sweep
    from goldassay.report.explain import WRITERS
    from goldassay.report.files import write_whole

    frames = []
    for run in report.runs:
        for score in run.scores:
            if "hit_pred" not in score.counts:
                continue
            curve = sweep(score)
            frames.append(
                pl.DataFrame(curve.table(), schema=dict.fromkeys(curve.table(), pl.Float64)).with_columns(
                    measure=pl.lit(score.spec), prediction=pl.lit(run.label)
                )
            )
            if shown and curve.best:
                best = curve.best
                typer.echo(
                    f"\n{run.label}: {score.spec} is best at scores from {best.threshold:g} on: "
                    f"precision {best.precision:.4f}, recall {best.recall:.4f}, {curve.headline} {best.values[curve.headline]:.4f} "
                    f"(area {curve.area:.4f}, {len(curve):,} thresholds)"
                )
    if not frames:
        raise UsageError(
            "No measure that is asked for counts correspondences, so there is no sweep.", hint="-m overlap"
        )
    table = pl.concat(frames, how="diagonal")
    write_whole(path, lambda stream: WRITERS[path.suffix.lower()](table, stream))
