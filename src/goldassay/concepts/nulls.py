"""The null model of concepts: every answer is held against another question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from goldassay.concepts.model import Concepts, lay_out
from goldassay.core.null import Noise, Null, chosen, permutation


def permuted_documents(pred: Concepts, gold: Concepts, rng: np.random.Generator, *, share: float = 1.0) -> Concepts:
    """Return the answers of the prediction to its documents in a random order.

    Args:
        pred: The prediction.
        gold: Of no effect.
        rng: Where chance comes from.
        share: The share of the documents that take part.

    Example:
        >>> pred = Concepts.from_lists([("d1", ["aspirin"]), ("d2", ["smoking"])])
        >>> sorted(permuted_documents(pred, pred, np.random.default_rng(0)).ids.tolist())
        ['d1', 'd2']
    """
    del gold
    return replace(pred, ids=pred.ids[permutation(len(pred.ids), share, rng)])


def opposite_concepts(concepts: Concepts, share: float, rng: np.random.Generator) -> Concepts:
    """Return documents that say the opposite of some concepts: what was stated is negated, and what was negated is stated.

    Args:
        concepts: The documents.
        share: The share of the concepts that are turned.
        rng: Where chance comes from.

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


NULLS: Mapping[str, Null[Concepts]] = MappingProxyType(
    {
        "permute-documents": Null(
            title="the answers of the prediction permuted over its documents",
            answers="What does an answer of the same system to another question earn?",
            citation="ojala2010permutation",
            draw=permuted_documents,
        )
    }
)
NOISES: Mapping[str, Noise[Concepts]] = MappingProxyType(
    {
        "permute-documents": lambda concepts, share, rng: permuted_documents(concepts, concepts, rng, share=share),
        "opposite-concepts": opposite_concepts,
    }
)
