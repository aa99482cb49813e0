"""The null model of concepts: every answer is held against another question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from goldassay.concepts.model import Concepts
from goldassay.core.null import Null


def permuted_documents(pred: Concepts, gold: Concepts, rng: np.random.Generator) -> Concepts:
    """Give the answers of the prediction to its documents in a random order.

    Example:
        >>> pred = Concepts.from_lists([("d1", ["aspirin"]), ("d2", ["smoking"])])
        >>> sorted(permuted_documents(pred, pred, np.random.default_rng(0)).ids.tolist())
        ['d1', 'd2']
    """
    del gold
    return replace(pred, ids=pred.ids[rng.permutation(len(pred.ids))])


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
