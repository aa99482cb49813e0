"""The null model of labels: every set of labels is held against another instance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from goldassay.core.null import Noise, Null, permutation
from goldassay.labels.model import Labels


def permuted_instances(pred: Labels, gold: Labels, rng: np.random.Generator, *, share: float = 1.0) -> Labels:
    """Assign the sets of labels of the prediction to its instances in a random order.

    Args:
        pred: The prediction.
        gold: Of no effect.
        rng: Where chance comes from.
        share: The share of the instances that take part.

    Example:
        >>> pred = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=[("cat", "pet"), ("dog", "pet")])
        >>> sorted(permuted_instances(pred, pred, np.random.default_rng(0)).ids.tolist())
        ['d1', 'd2']
    """
    del gold
    return replace(pred, ids=pred.ids[permutation(len(pred.ids), share, rng)])


NULLS: Mapping[str, Null[Labels]] = MappingProxyType(
    {
        "permute-instances": Null(
            title="the labels of the prediction permuted over its instances",
            answers="What do the labels that the same system gives to another instance earn?",
            citation="ojala2010permutation",
            draw=permuted_instances,
        )
    }
)
NOISES: Mapping[str, Noise[Labels]] = MappingProxyType(
    {"permute-instances": lambda labels, share, rng: permuted_instances(labels, labels, rng, share=share)}
)
