"""Precision, recall and F1 of the edges of each relation, or at each depth of the hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from goldassay.core.breakdown import check_by, grouped
from goldassay.core.errors import UsageError
from goldassay.core.score import Score
from goldassay.graphs.model import Graph
from goldassay.kernels.reach import Order

if TYPE_CHECKING:
    import polars as pl

By: TypeAlias = Literal["relation", "depth"]


def breakdown(score: Score, *, by: By) -> pl.DataFrame:
    """Split a score of edges by relation, or by depth.

    Every edge keeps the credit that it earned against the whole other side, and belongs to the group of its own relation,
    or of the depth of its child: the longest way from there up to a root, cycles condensed. So the counts of the groups
    add up to those of the score.

    Args:
        score: A score of `Literal`, `Fuzzy` or `Continuous`.
        by: What makes a group.

    Returns:
        One row a group: group, precision, recall, f1 (null where 0/0), hit_pred, n_pred, hit_gold, n_gold.

    Raises:
        UsageError: If the score is not one of edges, or ``by`` is none of the above.

    Example:
        >>> from goldassay.graphs import Literal
        >>> gold = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> score = Literal().score(pred=Graph.from_edges([("cat", "pet")]), gold=gold)
        >>> breakdown(score, by="depth").select("group", "precision", "recall").rows()
        [('1', 1.0, 0.0), ('2', None, 1.0)]
    """
    check_by(by, get_args(By))
    matching = score.matching
    pred, gold = matching.pred_items, matching.gold_items
    if not isinstance(pred, Graph) or not isinstance(gold, Graph):
        raise UsageError(f"{score.spec} does not count edges, and has no groups of them.")
    groups = _relations if by == "relation" else _depths
    return grouped(matching, {"pred": groups(pred), "gold": groups(gold)})


def _relations(graph: Graph) -> pl.Series:
    import polars as pl

    return pl.Series(list(graph.relation_names), dtype=pl.String).gather(graph.relations)


def _depths(graph: Graph) -> pl.Series:
    import polars as pl

    order = Order.of(graph.edges, len(graph.ids))
    depth = np.zeros(order.size, dtype=np.int64)
    for level, layer in enumerate(order.layers, start=1):
        depth[layer[:, 0]] = level
    return pl.Series(depth[order.group[graph.edges[:, 0]]]).cast(pl.String)
