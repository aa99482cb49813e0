"""``goldassay concepts``: score long-form answers by the concepts in them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from goldassay.cli import common
from goldassay.cli.flags import expanded
from goldassay.core.errors import UsageError

if TYPE_CHECKING:
    from goldassay.concepts import ConceptReading
    from goldassay.report import Report

Gold = Annotated[
    str | None, typer.Option("--gold", "-g", metavar="FILE", help="The gold standard.", show_default=False)
]
Dictionary = Annotated[
    str | None,
    typer.Option("--dictionary", metavar="ONTOLOGY", help="Find the names of its concepts in the texts."),
]
Spacy = Annotated[
    str | None, typer.Option("--spacy", metavar="PIPELINE", help="Find concepts with a spaCy pipeline, by name.")
]
Longest = Annotated[int, typer.Option("--longest", metavar="WORDS", min=1, help="How many words a chunk may have.")]
Fold = Annotated[bool, typer.Option("--fold", help="Compare given concepts without case and plural.")]
IdColumn = Annotated[str | None, typer.Option("--id-column", metavar="NAME", help="The column of ids.")]
TextColumn = Annotated[str | None, typer.Option("--text-column", metavar="NAME", help="The column of texts.")]
ConceptsColumn = Annotated[
    str | None, typer.Option("--concepts-column", metavar="NAME", help="The column of given concepts.")
]
Language = Annotated[str, typer.Option("--language", metavar="TAG", help="Preferred language of the dictionary.")]
OnUnpaired = Annotated[
    Literal["empty", "error"], typer.Option("--on-unpaired", help="What a document without a counterpart does.")
]
ExtractOnly = Annotated[
    bool, typer.Option("--extract-only", help="Write the concepts found in PRED, with offsets; score nothing.")
]
Show = Annotated[
    list[str] | None,
    typer.Option("--show", metavar="ID", help="Show a document with its concepts marked; repeatable."),
]
Also = Annotated[
    str | None, typer.Option("--also", metavar="NAMES", help="Show rouge, bleu (rouge-score, sacrebleu) beside.")
]


@expanded
def concepts(
    preds: common.Preds,
    gold: Gold = None,
    measure: common.Measures = None,
    dictionary: Dictionary = None,
    spacy: Spacy = None,
    longest: Longest = 5,
    fold: Fold = False,
    id_column: IdColumn = None,
    text_column: TextColumn = None,
    concepts_column: ConceptsColumn = None,
    language: Language = "en",
    on_unpaired: OnUnpaired = "empty",
    extract_only: ExtractOnly = False,
    show: Show = None,
    also: Also = None,
    input_format: common.InputFormat = None,
    on_error: common.OnErrorOption = "stop",
    *,
    vectors: common.Vectors,
    scoring: common.Scoring,
) -> None:
    """Score long-form answers by the concepts in them, against gold answers.

    Reads JSON Lines, CSV, TSV, Parquet (an id, a text or a list of concepts) and plain text, an answer a line, also
    gzipped. FILE#COLUMN takes one column of a file, so that one file may hold both sides.
    """
    from goldassay.concepts import ConceptReading

    reading = ConceptReading(
        id=id_column,
        text=text_column,
        concepts=concepts_column,
        dictionary=dictionary,
        spacy=spacy,
        longest=longest,
        fold=fold,
        language=language,
        on_unpaired=on_unpaired,
        input_format=input_format,
        on_error=on_error,
    )
    output = scoring.output
    if extract_only:
        extract(preds, reading, output.output)
        return
    if gold is None:
        raise UsageError("There is no gold standard to score against.", hint="--gold FILE, or --extract-only")
    if (show or also) and (output.layout != "text" or output.output):
        raise UsageError("--show and --also are shown on the screen, in the text layout alone.")
    common.score(
        "concepts",
        preds,
        gold,
        measures=measure,
        vectors=vectors,
        scoring=scoring,
        then=partial(show_besides, others=other_scores(also), documents=show or [], output=output),
        **dataclasses.asdict(reading),
    )


def extract(files: list[str], reading: ConceptReading, path: Path | None) -> None:
    """Write the concepts found in one file, to a file or as TSV to the screen."""
    from goldassay.concepts import read_concepts
    from goldassay.concepts.write import mention_frame, write_concepts
    from goldassay.report.explain import check_explain_path

    if len(files) != 1:
        raise UsageError("--extract-only takes one file.", found=f"{len(files)} files")
    if path:
        check_explain_path(path)
    found = read_concepts(files[0], reading)
    if path:
        write_concepts(found, path)
    else:
        typer.echo(mention_frame(found).write_csv(separator="\t"), nl=False)


def other_scores(also: str | None) -> list[str]:
    """List the scores of other packages that are asked for, and refuse those that cannot be had before any work."""
    from goldassay.concepts.overlap import check_names

    names = [name.strip() for name in (also or "").split(",") if name.strip()]
    check_names(names)
    return names


def overlap_lines(report: Report, names: list[str], output: common.Output) -> Iterator[str]:
    """Give the scores of other packages, a line each."""
    if not names:
        return
    from goldassay.concepts import Concepts
    from goldassay.concepts.overlap import overlap

    factor = 100 if output.percent else 1
    yield ""
    for run in report.runs:
        assert isinstance(run.pred, Concepts)  # noqa: S101 - what `goldassay concepts` reads
        assert isinstance(report.gold, Concepts)  # noqa: S101 - likewise
        for score in overlap(pred=run.pred, gold=report.gold, names=names):
            yield f"{run.label}: {score.name} {score.value * factor:.{output.places}f} ({score.said})"


def shown_lines(report: Report, documents: list[str]) -> Iterator[str]:
    """Give the lines of the documents that were asked for, as the first measure saw them."""
    from goldassay.concepts.matching import ConceptMatching
    from goldassay.concepts.show import document_lines

    for document in documents:
        for run in report.runs:
            matching = run.scores[0].matching
            assert isinstance(matching, ConceptMatching)  # noqa: S101 - what measures of this family make
            yield f"\n{run.label}: {run.scores[0].spec}, document {document}"
            yield from document_lines(matching, document)


def show_besides(report: Report, *, others: list[str], documents: list[str], output: common.Output) -> None:
    """Print what the command shows besides the report, in colour on a terminal."""
    from rich.console import Console

    console = Console(highlight=False)
    for line in (*overlap_lines(report, others, output), *shown_lines(report, documents)):
        console.print(common.coloured_edits(line), soft_wrap=True)
