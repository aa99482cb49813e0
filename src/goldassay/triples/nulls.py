"""The null model of triples: every document gets the answer to another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from goldassay.core.null import Noise, Null, permutation
from goldassay.triples.model import Triples


def permuted_documents(pred: Triples, gold: Triples, rng: np.random.Generator, *, share: float = 1.0) -> Triples:
    """Return the answers of the prediction to its documents in a random order; each text stays with its document.

    Args:
        pred: The prediction.
        gold: Not used.
        rng: The source of random numbers.
        share: The share of the documents that take part.

    Example:
        >>> pred = Triples.from_lists({"d1": [("cat", "eats", "fish")], "d2": [("dog", "eats", "meat")]})
        >>> sorted(permuted_documents(pred, pred, np.random.default_rng(0)).ids.tolist())
        ['d1', 'd2']
    """
    del gold
    order = permutation(len(pred.ids), share, rng)
    return replace(pred, ids=pred.ids[order], texts=pred.texts[order])


NULLS: Mapping[str, Null[Triples]] = MappingProxyType(
    {
        "permute-documents": Null(
            title="the answers of the prediction permuted over its documents",
            answers="What does an answer of the same system to another document earn?",
            citation="ojala2010permutation",
            draw=permuted_documents,
        )
    }
)
NOISES: Mapping[str, Noise[Triples]] = MappingProxyType(
    {"permute-documents": lambda triples, share, rng: permuted_documents(triples, triples, rng, share=share)}
)
