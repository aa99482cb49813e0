"""Pairing of predicted and gold documents."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.model import Concepts
from goldassay.core.documents import DocumentPairs
from goldassay.core.errors import InputError
from goldassay.core.intern import numbered


def paired(*, pred: Concepts, gold: Concepts) -> DocumentPairs:
    """Pair the documents of both sides by id.

    Example:
        >>> pairs = paired(pred=Concepts.from_lists([("b", []), ("c", [])]), gold=Concepts.from_lists([("a", []), ("b", [])]))
        >>> pairs.ids.tolist(), pairs.pred.tolist(), pairs.gold.tolist(), pairs.surplus
        (['a', 'b', 'c'], [-1, 0, 1], [0, 1, -1], ['c'])
    """
    pairs = DocumentPairs.by_id(pred=pred.ids.array, gold=gold.ids.array)
    if "error" in (pred.on_unpaired, gold.on_unpaired) and (pairs.missing or pairs.surplus):
        raise InputError(
            "Some documents have no counterpart.",
            path=pred.path,
            found="; ".join(pairs.unpaired),
            expected="the same ids on both sides",
            hint="--on-unpaired empty treats missing documents as empty",
        )
    return pairs


def comparable(*, pred: Concepts, gold: Concepts, pairs: DocumentPairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return begin and end of the concepts that may match: those of one pair of which the same is said, of one value.

    Example:
        >>> from goldassay.concepts.model import Found, lay_out
        >>> model = lay_out([("a", "", [Found("x", "x"), Found("y", "y"), Found("x", "x", said="negated")])])
        >>> comparable(pred=model, gold=model, pairs=paired(pred=model, gold=model))[0].tolist()
        [[0, 2], [2, 3]]
    """
    kinds, stated = numbered(*map(_stated, (pred, gold)))
    sides = []
    for model, rows, kind in ((pred, pairs.pred, stated[0]), (gold, pairs.gold, stated[1])):
        group = pair_of(model, rows, pairs) * max(len(kinds), 1) + kind[model.words]
        begins = np.flatnonzero(np.diff(group, prepend=-1))
        sides.append((group[begins], np.column_stack([begins, np.append(begins, len(group))[1:]])))
    (here, left), (there, right) = sides
    _, ours, theirs = np.intersect1d(here, there, assume_unique=True, return_indices=True)
    return left[ours], right[theirs]


def _stated(model: Concepts) -> Sequence[Hashable]:
    """Give what is said of each word, and its value."""
    if model.states_nothing:
        return [("", "")] * len(model.keys)
    return list(zip(model.said.tolist(), model.values.tolist(), strict=True))


def pair_of(concepts: Concepts, rows: NDArray[np.int64], pairs: DocumentPairs) -> NDArray[np.int64]:
    """Return the pair that each concept is in, int64, shape (concepts,).

    Example:
        >>> both = Concepts.from_lists([("a", ["x"]), ("b", ["x", "y"])])
        >>> pairs = paired(pred=both, gold=both)
        >>> pair_of(both, pairs.pred, pairs).tolist()
        [0, 1, 1]
    """
    return pairs.of(rows, len(concepts.ids))[concepts.documents()]
