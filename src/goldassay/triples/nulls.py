"""The null model of triples: every document gets the answer to another one."""

from __future__ import annotations

from dataclasses import replace

from goldassay.core.null import permuted_answers
from goldassay.triples.conformance import Conformance

NULLS, NOISES = permuted_answers(
    "permute-documents",
    title="the answers of the prediction permuted over its documents",
    answers="What does an answer of the same system to another document earn?",
    # Each text stays with its document.
    reordered=lambda triples, order: replace(triples, ids=triples.ids[order], texts=triples.texts[order]),
    # An ontology allows a triple in every document.
    fits=lambda measure: not isinstance(measure, Conformance),
)
