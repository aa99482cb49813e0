"""``karat alignment``: score ontology alignments."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from karat.cli import common
from karat.core.errors import UsageError

if TYPE_CHECKING:
    from karat.report import Report

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
SourceColumn = Annotated[str | None, typer.Option("--source-column", metavar="NAME", help="The column of sources.")]
TargetColumn = Annotated[str | None, typer.Option("--target-column", metavar="NAME", help="The column of targets.")]
RelationColumn = Annotated[
    str | None, typer.Option("--relation-column", metavar="NAME", help="The column of relations; none for no column.")
]
ScoreColumn = Annotated[
    str | None, typer.Option("--score-column", metavar="NAME", help="The column of scores; none for no column.")
]
Relations = Annotated[
    list[str] | None,
    typer.Option("--relations", metavar="RELATION", help="Keep this relation alone, on both sides; repeatable."),
]
Scores = Annotated[Literal["unit", "any"], typer.Option("--scores", help="Whether scores must lie in [0, 1].")]
Metadata = Annotated[
    str | None,
    typer.Option("--metadata", metavar="FILE", help="The prefixes of SSSOM tables; none keeps CURIEs as they stand."),
]
SourceOntology = Annotated[
    str | None, typer.Option("--source-ontology", metavar="FILE", help="Labels and kinds of the sources.")
]
TargetOntology = Annotated[
    str | None, typer.Option("--target-ontology", metavar="FILE", help="Labels and kinds of the targets.")
]
Language = Annotated[str, typer.Option("--language", metavar="TAG", help="Preferred language of labels.")]
Ignore = Annotated[
    str | None, typer.Option("--ignore", metavar="FILE", help="An alignment whose pairs count on neither side.")
]
Baseline = Annotated[
    str | None, typer.Option("--baseline", metavar="FILE", help="The alignment that residual leaves out.")
]
Sweep = Annotated[
    Path | None,
    typer.Option("--sweep", metavar="FILE", help="Write P, R and F at every score (.tsv .csv .parquet .jsonl)."),
]
By = Annotated[
    Literal["case", "relation", "type", "namespace"] | None,
    typer.Option("--by", help="Also split precision, recall and F1 (text layout)."),
]
SEVERAL_CASES = ["overlap", "macro_overlap"]


def alignment(
    preds: Preds = None,
    gold: Gold = None,
    cases: Cases = None,
    measure: common.Measures = None,
    source_column: SourceColumn = None,
    target_column: TargetColumn = None,
    relation_column: RelationColumn = None,
    score_column: ScoreColumn = None,
    relations: Relations = None,
    scores: Scores = "unit",
    metadata: Metadata = None,
    source_ontology: SourceOntology = None,
    target_ontology: TargetOntology = None,
    language: Language = "en",
    ignore: Ignore = None,
    baseline: Baseline = None,
    sweep: Sweep = None,
    by: By = None,
    input_format: common.InputFormat = None,
    memory: common.Memory = 512,
    explain: common.ExplainPath = None,
    misses: common.Misses = 0,
    layout: common.LayoutOption = "text",
    output: common.OutputPath = None,
    places: common.Places = 4,
    percent: common.Percent = False,
    on_error: common.OnErrorOption = "stop",
    quiet: common.Quiet = False,
) -> None:
    """Score ontology alignments against a reference alignment.

    Reads OAEI RDF/XML, SSSOM (TSV, JSON), CSV, TSV, Parquet and JSON Lines with columns of any name, candidate lists as
    Bio-ML has them, and folders of test cases; also gzipped.
    """
    if by and (layout != "text" or output):
        raise UsageError(
            "--by is shown on the screen, in the text layout alone.", hint="karat.alignments.breakdown(score, by=...)"
        )
    reading = {
        "source_column": source_column,
        "target_column": target_column,
        "relation_column": relation_column,
        "score_column": score_column,
        "relations": tuple(relations) if relations else None,
        "scores": scores,
        "metadata": metadata,
        "source_ontology": source_ontology,
        "target_ontology": target_ontology,
        "language": language,
        "input_format": input_format,
        "on_error": on_error,
    }
    if sweep:
        check_sweep_path(sweep)
    systems, reference = inputs(preds, gold, cases, reading)
    several = bool(cases) or Path(str(gold)).is_dir()
    asked = measure or (SEVERAL_CASES if several else None)
    report = common.score(
        "alignment",
        systems,
        reference,
        measures=with_files(asked, ignore=ignore, baseline=baseline),
        encoder=common.EncoderChoice(spec="minilm", model_path=None, download=False, cached=False),
        memory=memory,
        output=common.Output(
            layout=layout, path=output, explain=explain, misses=misses, places=places, percent=percent, quiet=quiet
        ),
        **reading,
    )
    if sweep:
        write_sweeps(report, sweep, shown=layout == "text" and not output)
    if by:
        show_breakdown(report, by, places)


def inputs(
    preds: list[str] | None, gold: str | None, cases: str | None, reading: dict[str, Any]
) -> tuple[list[Any], Any]:
    """Find what is to be scored: files or folders, or what `--cases` names."""
    if cases:
        if preds or gold:
            raise UsageError("--cases names predictions and gold itself.", hint="leave out PRED and --gold")
        from karat.alignments import AlignmentReading
        from karat.alignments.cases import manifest_of, systems_of

        return systems_of(cases) if Path(cases).is_dir() else manifest_of(cases, AlignmentReading(**reading))
    if not preds or not gold:
        raise UsageError(
            "There is no prediction to score." if gold else "There is no gold standard to score against.",
            expected="karat alignment PRED... --gold FILE, or karat alignment --cases DIR",
        )
    return preds, gold


def with_files(specs: list[str] | None, **files: str | None) -> list[str] | None:
    """Write files into the measures that can use them."""
    given = {name: file for name, file in files.items() if file}
    if not given:
        return specs
    from karat.alignments import FAMILY

    measures = [FAMILY.parse(spec) for spec in specs] if specs else list(FAMILY.default)
    if "baseline" in given and not any(hasattr(measure, "baseline") for measure in measures):
        raise UsageError("No measure that is asked for uses a baseline.", hint="-m residual")
    return [str(_with(measure, given)) for measure in measures]


def _with(measure: Any, files: dict[str, str]) -> Any:
    known = {field.name for field in dataclasses.fields(measure)}
    return dataclasses.replace(measure, **{name: file for name, file in files.items() if name in known})


def check_sweep_path(path: Path) -> None:
    """Refuse a path that the sweep cannot be written to, before any work is done."""
    from karat.report.explain import check_explain_path
    from karat.report.files import check_writable

    check_explain_path(path)
    check_writable(path)


def write_sweeps(report: Report, path: Path, *, shown: bool) -> None:
    """Write the curves of all scores that count correspondences, and say where each is best."""
    import polars as pl

    from karat.alignments import sweep
    from karat.report.explain import WRITERS
    from karat.report.files import write_whole

    frames = []
    for run in report.runs:
        for score in run.scores:
            if "hit_pred" not in score.counts:
                continue
            curve = sweep(score)
            frames.append(
                pl.DataFrame(
                    curve.table(), schema=dict.fromkeys(("threshold", "precision", "recall", "f1"), pl.Float64)
                ).with_columns(measure=pl.lit(score.measure), prediction=pl.lit(run.label))
            )
            if shown and curve.best:
                best = curve.best
                typer.echo(
                    f"\n{run.label}: {score.measure} is best at scores from {best.threshold:g} on: "
                    f"precision {best.precision:.4f}, recall {best.recall:.4f}, f1 {best.f1:.4f} "
                    f"(area {curve.area:.4f}, {len(curve):,} thresholds)"
                )
    if not frames:
        raise UsageError(
            "No measure that is asked for counts correspondences, so there is no sweep.", hint="-m overlap"
        )
    table = pl.concat(frames)
    write_whole(path, lambda stream: WRITERS[path.suffix.lower()](table, stream))


def show_breakdown(report: Report, by: Literal["case", "relation", "type", "namespace"], places: int) -> None:
    """Print the scores of correspondences once more, group by group."""
    from karat.alignments import breakdown

    for run in report.runs:
        for score in run.scores:
            if score.name not in {"overlap", "residual"}:
                continue
            typer.echo(f"\n{run.label}: {score.measure} by {by}")
            for row in breakdown(score, by=by).iter_rows(named=True):
                cells = [row[name] for name in ("precision", "recall", "f1")]
                shown = "  ".join("-" * (places + 2) if cell is None else f"{cell:.{places}f}" for cell in cells)
                met = f"{row['hit_pred']:g}/{row['n_pred']:,} pred, {row['hit_gold']:g}/{row['n_gold']:,} gold"
                typer.echo(f"  {shown}  {row['group']}  ({met})")
