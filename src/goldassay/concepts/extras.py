"""Flags of this family: concepts found in a file, documents with concepts marked, and additional scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from goldassay.concepts.model import Concepts
from goldassay.concepts.read import read_concepts
from goldassay.concepts.show import document_lines, mention_frame, write_concepts
from goldassay.core.documents import DocumentPairs
from goldassay.core.errors import UsageError
from goldassay.core.family import Extra, Job
from goldassay.core.matching import NO_MATCH
from goldassay.report.files import separated
from goldassay.report.others import also

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
        yield separated(mention_frame(found), "\t").removesuffix("\n")


def show_documents(job: Job, report: Report, documents: list[str]) -> Iterator[str]:
    """Return the lines of the requested documents, as matched by the first measure."""
    del job
    for document in documents:
        for run in report.runs:
            yield f"\n{run.label}: {run.scores[0].spec}, document {document}"
            matching: Any = run.scores[0].matching
            yield from document_lines(matching, document)


def texts_of(pred: Concepts, gold: Concepts) -> tuple[list[str], list[Sequence[str]]]:
    """Return the texts of paired documents; a document without a counterpart is compared with an empty text."""
    for model in (pred, gold):
        if len(model.ids) and not any(model.texts.tolist()):
            raise UsageError(
                "Scores of other packages need texts, and there are none.",
                found=f"only concepts in {model.path or 'a model in memory'}",
                expected="a column of texts on both sides",
            )
    pairs = DocumentPairs.by_id(pred=pred.ids.array, gold=gold.ids.array)
    hypotheses, references = (
        ["" if row == NO_MATCH else str(model.texts[row]) for row in rows.tolist()]
        for model, rows in ((pred, pairs.pred), (gold, pairs.gold))
    )
    return hypotheses, [[one] for one in references]


EXTRAS = (
    Extra(
        name="extract_only",
        help="Write the concepts found in PRED, with offsets; score nothing.",
        instead=extract_concepts,
        uses=("output", "pred_texts"),
    ),
    also(("rouge", "bleu", "chrf", "ter", "bertscore"), texts_of),
    Extra(
        name="show",
        help="Show a document with its concepts marked; repeatable.",
        metavar="ID",
        repeat=True,
        below=show_documents,
    ),
)
