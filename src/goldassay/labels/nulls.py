"""The null model of labels: every set of labels is held against another instance."""

from __future__ import annotations

from dataclasses import replace

from goldassay.core.null import permuted_answers

NULLS, NOISES = permuted_answers(
    "permute-instances",
    title="the labels of the prediction permuted over its instances",
    answers="What do the labels that the same system gives to another instance earn?",
    reordered=lambda labels, order: replace(labels, ids=labels.ids[order]),
)
