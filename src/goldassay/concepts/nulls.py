"""The null model of concepts: every answer is held against another question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from goldassay.concepts.model import Concepts
from goldassay.core.null import Noise, Null, permutation


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
    {"permute-documents": lambda concepts, share, rng: permuted_documents(concepts, concepts, rng, share=share)}
)
