"""Flags that only the command of triples has: predicates of a prediction next to those of gold that mean the same."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.context import Context, Encoder
from goldassay.core.errors import SuspectInputWarning, UsageError
from goldassay.core.family import Extra, Job
from goldassay.core.intern import string_array
from goldassay.core.model import warnings_of
from goldassay.formats.delimited import tsv_row
from goldassay.formats.synonyms import HEADER
from goldassay.report.files import write_whole
from goldassay.triples.model import PREDICATE, TripleSet
from goldassay.triples.read import read_triples_of_documents
from goldassay.triples.reading import normaliser

WORDS = normaliser(["underscores", "camel", "case"])


class Proposal(NamedTuple):
    """A predicate of a prediction that gold does not use."""

    predicate: str  # of gold; empty if none is near enough
    synonym: str
    similarity: float  # to the nearest predicate of gold; nan if there is none


def proposals(pred: TripleSet, gold: TripleSet, encoder: Encoder, *, threshold: float) -> list[Proposal]:
    """Assign every predicate that only the prediction uses to the nearest one of gold."""
    theirs = _predicates(gold)
    ours = sorted(set(_predicates(pred)) - set(theirs))
    if not theirs:
        return [Proposal("", name, float("nan")) for name in ours]
    vectors, rows = Context(encoder=encoder).vectors(string_array([WORDS(name) for name in [*ours, *theirs]]))
    cosines = vectors[rows[: len(ours)]].astype(np.float64) @ vectors[rows[len(ours) :]].T.astype(np.float64)
    found = []
    for name, row in zip(ours, cosines, strict=True):
        best = int(np.argmax(row))
        found.append(Proposal(theirs[best] if row[best] > threshold else "", name, float(row[best])))
    return sorted(found, key=lambda one: (not one.predicate, -one.similarity, one.synonym))


def _predicates(triples: TripleSet) -> list[str]:
    return sorted(set(triples.keys[np.unique(triples.rows[:, PREDICATE])].tolist()) - {""})


def _table(job: Job, value: str) -> Iterator[str]:
    """Return the table as tab-separated values, which ``--synonyms`` reads."""
    if len(job.preds) != 1 or not job.gold or isinstance(job.gold, list) or job.encoder is None:
        raise UsageError(
            "--propose-synonyms supports one prediction and one gold standard only.",
            hint="goldassay triples PRED --gold GOLD --propose-synonyms 0.436 -o synonyms.tsv",
        )
    pred = read_triples_of_documents(job.preds[0], job.reading.pred)
    gold = read_triples_of_documents(job.gold, job.reading.gold)
    for line in warnings_of(pred, gold):
        warnings.warn(line, SuspectInputWarning, stacklevel=2)
    rows = proposals(pred, gold, job.encoder(), threshold=_threshold(value))
    lines = ["\t".join(HEADER), *(tsv_row([one.predicate, one.synonym, f"{one.similarity:.4f}"]) for one in rows)]
    if job.output is None:
        yield from lines
        return
    write_whole(job.output, lambda stream: stream.write("".join(f"{line}\n" for line in lines).encode()))
    made = sum(bool(one.predicate) for one in rows)
    yield f"{job.output}: {made} of {len(rows)} predicates assigned; correct it, then use --synonyms {job.output}"


def _threshold(value: str) -> float:
    try:
        found = float(value)
    except ValueError:
        found = float("nan")
    if not -1 <= found <= 1:
        raise UsageError(
            "--propose-synonyms takes a cosine.", found=value, expected="a number from -1 to 1; 0.436 for minilm"
        )
    return found


def _check(value: Any) -> None:
    _threshold(value)


ENCODER = ("encoder", "model_path", "download", "no_cache")
EXTRAS = (
    Extra(
        name="propose_synonyms",
        help="Write a table of predicted predicates and the nearest of gold above this cosine; score nothing.",
        metavar="COSINE",
        check=_check,
        instead=_table,
        uses=("gold", "output", *ENCODER),
        ignores=("unit", "ids", "weight_column"),
    ),
)
