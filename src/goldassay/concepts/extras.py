"""Flags of this family: concepts found in a file, documents with concepts marked, and additional scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from goldassay.concepts.overlap import check_names, overlap
from goldassay.concepts.read import read_concepts
from goldassay.concepts.show import document_lines, mention_frame, write_concepts
from goldassay.core.errors import UsageError
from goldassay.core.family import Extra, Job

if TYPE_CHECKING:
    from goldassay.report import Report


def extract_concepts(job: Job, _: bool) -> Iterator[str]:
    """Write the concepts found in one file, to a file or as TSV to the screen."""
    if len(job.preds) != 1:
        raise UsageError("--extract-only supports one file only.", found=f"{len(job.preds)} files")
    if job.output:
        from goldassay.report.explain import check_explain_path

        check_explain_path(job.output)
    found = read_concepts(job.preds[0], job.reading.pred)
    if job.output:
        write_concepts(found, job.output)
    else:
        yield mention_frame(found).write_csv(separator="\t").removesuffix("\n")


def show_documents(job: Job, report: Report, documents: list[str]) -> Iterator[str]:
    """Return the lines of the requested documents, as matched by the first measure."""
    del job
    for document in documents:
        for run in report.runs:
            yield f"\n{run.label}: {run.scores[0].spec}, document {document}"
            matching: Any = run.scores[0].matching
            yield from document_lines(matching, document)


def names_of(also: str) -> list[str]:
    """List the scores that ``--also`` names."""
    return [name.strip() for name in also.split(",") if name.strip()]


def score_with_others(job: Job, report: Report, also: str) -> Iterator[str]:
    """Return the scores of other packages, one line each."""
    factor = 100 if job.percent else 1
    yield ""
    for run in report.runs:
        pred: Any = run.pred
        gold: Any = report.gold
        for score in overlap(pred=pred, gold=gold, names=names_of(also)):
            yield f"{run.label}: {score.name} {score.value * factor:.{job.places}f} ({score.version})"


EXTRAS = (
    Extra(
        name="extract_only",
        help="Write the concepts found in PRED, with offsets; score nothing.",
        instead=extract_concepts,
        uses=("output", "pred_texts"),
    ),
    Extra(
        name="also",
        help="Also show rouge, bleu, chrf, bertscore, of other packages.",
        metavar="NAMES",
        check=lambda also: check_names(names_of(also)),
        below=score_with_others,
    ),
    Extra(
        name="show",
        help="Show a document with its concepts marked; repeatable.",
        metavar="ID",
        repeat=True,
        below=show_documents,
    ),
)
