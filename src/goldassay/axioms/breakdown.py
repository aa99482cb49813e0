"""Precision, recall and F1 of the axioms of each kind, each class or each property."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from goldassay.axioms.model import KINDS, PARTS, Axioms
from goldassay.core.breakdown import check_by, grouped
from goldassay.core.errors import UsageError
from goldassay.core.score import Score

if TYPE_CHECKING:
    import polars as pl

By: TypeAlias = Literal["kind", "class", "property"]


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
        >>> from goldassay.axioms import Axioms, Weighted
        >>> gold = Axioms.from_rows([("Product", "brandName", "Brand"), ("Shop", "sells", "Product")])
        >>> score = Weighted().score(pred=Axioms.from_rows([("Product", "hasBrand", "Brand")]), gold=gold)
        >>> breakdown(score, by="class").select("group", "precision", "recall").rows()
        [('Product', 0.5, 0.5), ('Shop', None, 0.0)]
    """
    check_by(by, get_args(By))
    matching = score.matching
    pred, gold = matching.pred_items, matching.gold_items
    if not isinstance(pred, Axioms) or not isinstance(gold, Axioms):
        raise UsageError(f"{score.spec} does not count axioms, and has no groups of them.")
    return grouped(matching, {"pred": _groups(pred, by), "gold": _groups(gold, by)})


def _groups(axioms: Axioms, by: By) -> pl.Series:
    import polars as pl

    if by == "kind":
        return pl.Series(KINDS, dtype=pl.String).gather(axioms.kinds.astype(np.int64))
    return pl.Series(axioms.keys.tolist(), dtype=pl.String).gather(axioms.rows[:, PARTS.index(by)])
