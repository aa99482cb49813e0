"""Precision, recall and F1 of the axioms of each kind, each class or each property."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from karat.axioms.model import KINDS, PARTS, Axioms
from karat.core.counts import Division, f_measure
from karat.core.errors import UsageError, unknown_choice
from karat.core.score import Score

if TYPE_CHECKING:
    import polars as pl

By: TypeAlias = Literal["kind", "class", "property"]
SCHEMA = ("group", "precision", "recall", "f1", "hit_pred", "n_pred", "hit_gold", "n_gold")


def breakdown(score: Score, *, by: By) -> pl.DataFrame:
    """Split a score of axioms by kind, class or property.

    Every axiom keeps the credit that it earned against the whole other side; an axiom belongs to the group of its own
    kind, class or property. So the counts of the groups add up to those of the score.

    Args:
        score: A score of `Weighted` or `Exact`.
        by: What makes a group.

    Returns:
        One row a group, by name: group, precision, recall, f1 (null where 0/0), hit_pred, n_pred, hit_gold, n_gold.

    Raises:
        UsageError: If the score is not one of axioms, or ``by`` is none of the above.

    Example:
        >>> from karat.axioms import Axioms, Weighted
        >>> gold = Axioms.from_rows([("Product", "brandName", "Brand"), ("Shop", "sells", "Product")])
        >>> score = Weighted().score(pred=Axioms.from_rows([("Product", "hasBrand", "Brand")]), gold=gold)
        >>> breakdown(score, by="class").select("group", "precision", "recall").rows()
        [('Product', 0.5, 0.5), ('Shop', None, 0.0)]
    """
    import polars as pl

    if by not in get_args(By):
        raise unknown_choice("by", by, get_args(By))
    matching = score.matching
    if not isinstance(matching.pred_items, Axioms) or not isinstance(matching.gold_items, Axioms):
        raise UsageError(f"{score.measure} does not count axioms, and has no groups of them.")
    groups: dict[str, list[float]] = {}
    sides = ((matching.pred_items, matching.pred.credit), (matching.gold_items, matching.gold.credit))
    for place, (axioms, credit) in enumerate(sides):
        for key, hit, count in _sums(axioms, credit, by):
            groups.setdefault(key, [0.0] * 4)[2 * place : 2 * place + 2] = hit, count
    rows = [(key, *_values(*groups[key]), *groups[key]) for key in sorted(groups)]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row").with_columns(
        pl.col("precision", "recall", "f1").fill_nan(None), pl.col("n_pred", "n_gold").cast(pl.Int64)
    )


def _sums(axioms: Axioms, credit: NDArray[np.float64], by: By) -> Iterator[tuple[str, float, int]]:
    if by == "kind":
        keys, numbers = list(KINDS), axioms.kinds.astype(np.int64)
    else:
        used, numbers = np.unique(axioms.rows[:, PARTS.index(by)], return_inverse=True)
        keys = axioms.keys[used].tolist()
    hits = np.bincount(numbers, weights=credit, minlength=len(keys))
    counts = np.bincount(numbers, minlength=len(keys))
    return ((keys[place], float(hits[place]), int(counts[place])) for place in np.flatnonzero(counts))


def _values(hit_pred: float, n_pred: float, hit_gold: float, n_gold: float) -> tuple[float, float, float]:
    ratio = Division(undefined=math.nan)
    precision, recall = ratio("precision", hit_pred, n_pred), ratio("recall", hit_gold, n_gold)
    return precision, recall, f_measure(precision, recall)
