"""The null model of concepts: every answer is held against another question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from goldassay.concepts.model import Concepts, lay_out
from goldassay.core.null import Noise, chosen, permuted_answers


def opposite_concepts(concepts: Concepts, share: float, rng: np.random.Generator) -> Concepts:
    """Return documents that say the opposite of some concepts: what was stated is negated, and what was negated is stated.

    Example:
        >>> opposite_concepts(Concepts.from_lists([("d1", ["fever"])]), 1.0, np.random.default_rng(0)).item(0)
        'd1: fever (negated)'
    """
    turned = np.zeros(len(concepts), dtype=np.bool_)
    turned[chosen(len(concepts), share, rng)] = True
    documents = []
    for row, (name, text) in enumerate(zip(concepts.ids.tolist(), concepts.texts.tolist(), strict=True)):
        flags = turned[concepts.starts[row] : concepts.starts[row + 1]].tolist()
        found = zip(flags, concepts.found(row), strict=True)
        documents.append((name, text, [one._replace(said=_opposite(one.said)) if turn else one for turn, one in found]))
    laid = lay_out(documents)
    return replace(laid, on_unpaired=concepts.on_unpaired, choices=concepts.choices)


def _opposite(said: str) -> str:
    return ",".join(sorted(({*said.split(",")} ^ {"negated"}) - {""}))


NULLS, PERMUTED = permuted_answers(
    "permute-documents",
    title="the answers of the prediction permuted over its documents",
    answers="What does an answer of the same system to another question earn?",
    reordered=lambda concepts, order: replace(concepts, ids=concepts.ids[order]),
)
NOISES: Mapping[str, Noise[Concepts]] = MappingProxyType({**PERMUTED, "opposite-concepts": opposite_concepts})
