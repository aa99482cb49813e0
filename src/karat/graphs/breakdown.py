"""Precision, recall and F1 of the edges of each relation, or at each depth of the hierarchy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from karat.core.counts import Division, f_measure
from karat.core.errors import UsageError, unknown_choice
from karat.core.score import Score
from karat.graphs.model import Graph
from karat.kernels.reach import Order

if TYPE_CHECKING:
    import polars as pl

By: TypeAlias = Literal["relation", "depth"]
SCHEMA = ("group", "precision", "recall", "f1", "hit_pred", "n_pred", "hit_gold", "n_gold")


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
        >>> from karat.graphs import Literal
        >>> gold = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> score = Literal().score(pred=Graph.from_edges([("cat", "pet")]), gold=gold)
        >>> breakdown(score, by="depth").select("group", "precision", "recall").rows()
        [('1', 1.0, 0.0), ('2', None, 1.0)]
    """
    import polars as pl

    if by not in get_args(By):
        raise unknown_choice("by", by, get_args(By))
    matching = score.matching
    if not isinstance(matching.pred_items, Graph) or not isinstance(matching.gold_items, Graph):
        raise UsageError(f"{score.measure} does not count edges, and has no groups of them.")
    groups: dict[str, list[float]] = {}
    sides = ((matching.pred_items, matching.pred.credit), (matching.gold_items, matching.gold.credit))
    for place, (graph, credit) in enumerate(sides):
        names, numbers = _by_relation(graph) if by == "relation" else _by_depth(graph)
        hits = np.bincount(numbers, weights=credit, minlength=len(names))
        for number, count in enumerate(np.bincount(numbers, minlength=len(names)).tolist()):
            if count:
                groups.setdefault(names[number], [0.0] * 4)[2 * place : 2 * place + 2] = hits[number], count
    keys = sorted(groups, key=lambda name: (int(name) if by == "depth" else 0, name))
    rows = [(key, *_values(*groups[key]), *groups[key]) for key in keys]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row").with_columns(
        pl.col("precision", "recall", "f1").fill_nan(None), pl.col("n_pred", "n_gold").cast(pl.Int64)
    )


def _by_relation(graph: Graph) -> tuple[Sequence[str], NDArray[np.int64]]:
    return graph.relation_names, graph.relations


def _by_depth(graph: Graph) -> tuple[Sequence[str], NDArray[np.int64]]:
    order = Order.of(graph.edges, len(graph.ids))
    depth = np.zeros(order.size, dtype=np.int64)
    for level, layer in enumerate(order.layers, start=1):
        depth[layer[:, 0]] = level
    numbers = depth[order.group[graph.edges[:, 0]]]
    return [str(number) for number in range(int(numbers.max(initial=0)) + 1)], numbers


def _values(hit_pred: float, n_pred: float, hit_gold: float, n_gold: float) -> tuple[float, float, float]:
    ratio = Division(undefined=math.nan)
    precision, recall = ratio("precision", hit_pred, n_pred), ratio("recall", hit_gold, n_gold)
    return precision, recall, f_measure(precision, recall)
