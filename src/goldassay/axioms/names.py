"""When names of the prediction and of gold match: equal spelling, declared equivalence, or similar meaning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.axioms.model import Axioms, Numbers
from goldassay.core import intern
from goldassay.core.context import Context, FloatMatrix
from goldassay.core.intern import string_array
from goldassay.core.matching import equal_counterparts
from goldassay.formats.labels import opened
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.keys import packed


@dataclass(frozen=True, eq=False, kw_only=True)
class Names:
    """The axioms of both sides as numbers, where equal numbers are equal names: rows of shape (axioms, 3), and terms of shape (names,)."""

    pred: Numbers
    gold: Numbers
    pred_terms: Numbers
    gold_terms: Numbers
    texts: Sequence[str]

    def agree(self, pred_rows: Numbers, gold_rows: Numbers, part: int) -> NDArray[np.bool_]:
        """Return whether pairs of axioms agree in one part."""
        return np.asarray(self.pred[pred_rows, part] == self.gold[gold_rows, part])


@dataclass(frozen=True, eq=False, kw_only=True)
class FuzzyNames(Names):
    """Names that also match if the cosine of their vectors is above a threshold; ``pred_vectors`` and ``gold_vectors`` are rows of ``vectors``."""

    vectors: FloatMatrix
    pred_vectors: Numbers
    gold_vectors: Numbers
    threshold: float

    def agree(self, pred_rows: Numbers, gold_rows: Numbers, part: int) -> NDArray[np.bool_]:
        """Return whether pairs of axioms agree in one part, by name or by cosine."""
        near = pair_cosines(self.vectors, self.pred_vectors[pred_rows, part], self.gold_vectors[gold_rows, part])
        return super().agree(pred_rows, gold_rows, part) | (near > self.threshold)


def numbered(*, pred: Axioms, gold: Axioms, equivalences: Iterable[tuple[str, str]] = ()) -> Names:
    """Number the names of both sides alike.

    Example:
        >>> a, b = Axioms.from_rows([("A", "p", "B")]), Axioms.from_rows([("A", "q", "B")])
        >>> names = numbered(pred=a, gold=b)
        >>> names.pred.tolist(), names.gold.tolist()
        ([[0, 3, 2]], [[0, 1, 2]])
    """
    texts, rows = intern.numbered(gold.keys, pred.keys)
    gold_terms, pred_terms = (row.astype(np.int64) for row in rows)
    if equivalences := list(equivalences):
        numbers = {text: number for number, text in enumerate(texts)}
        same = [(numbers[a], numbers[b]) for a, b in equivalences if a in numbers and b in numbers]
        merged = _merged(len(texts), same)
        pred_terms, gold_terms = merged[pred_terms], merged[gold_terms]
    return Names(
        pred=pred_terms[pred.rows],
        gold=gold_terms[gold.rows],
        pred_terms=pred_terms,
        gold_terms=gold_terms,
        texts=texts,
    )


def _merged(count: int, pairs: Sequence[tuple[int, int]]) -> Numbers:
    """Number names connected by equivalences alike: by the lowest of their numbers, which is one of gold."""
    group = np.arange(count)
    for a, b in pairs:
        low, high = sorted((group[a], group[b]))
        group[group == high] = low
    return group


def fuzzy(names: Names, *, threshold: float, context: Context) -> FuzzyNames:
    """Match names by meaning too."""
    used, places = np.unique(np.concatenate([names.pred, names.gold]), return_inverse=True)
    vectors, rows = context.vectors(string_array([opened(names.texts[number]) for number in used.tolist()]))
    both = rows[places.reshape(-1, 3)]
    cut = len(names.pred)
    return FuzzyNames(
        pred=names.pred,
        gold=names.gold,
        pred_terms=names.pred_terms,
        gold_terms=names.gold_terms,
        texts=names.texts,
        vectors=vectors,
        pred_vectors=both[:cut],
        gold_vectors=both[cut:],
        threshold=threshold,
    )


def first_alike(here: Numbers, there: Numbers, parts: Sequence[int]) -> Numbers:
    """Find for each axiom the first of the other side whose parts have equal names; -1 for none.

    The time grows with the number of axioms, not with the number of pairs.

    Example:
        >>> first_alike(np.array([[1, 2, 3], [1, 5, 4]]), np.array([[1, 9, 3]]), (0, 2)).tolist()
        [0, -1]
    """
    keys = packed(*np.concatenate([here, there])[:, list(parts)].T)
    return equal_counterparts(keys[: len(here)], keys[len(here) :])
