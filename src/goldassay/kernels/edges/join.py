"""Which edges match an edge of the other side: an exact result over all pairs, without computing most of them.

Two edges are as similar as the less similar of their ends: ``min(cos(u, u'), cos(v, v'))``. The result is that of
``pair_cosines`` on every pair. Products in float32, and of many pairs rough ones before, decide what lies beyond their
proven error; pairs within it are decided in float64. So the result depends neither on memory, nor on order, nor on the
libraries that multiply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.edges.join_search import Products, Sight, join_cells, join_search
from goldassay.kernels.edges.layout import Layout, lay_out, unmerge
from goldassay.kernels.edges.ledgers import JoinLedger
from goldassay.kernels.search import MEMORY, Counter, Side
from goldassay.kernels.types import FloatMatrix, Progress, Rows


@dataclass(frozen=True, eq=False)
class Join:
    """Which items of each side match an item of the other."""

    hit_pred: NDArray[np.bool_]  # whether each predicted item matches a gold item, shape (m,)
    hit_gold: NDArray[np.bool_]  # whether each gold item matches a predicted item, shape (n,)
    witness_pred: Rows  # a gold item that each predicted item matches, -1 for none, int64, shape (m,)
    witness_gold: Rows  # a predicted item that each gold item matches, -1 for none, int64, shape (n,)


def edge_join(
    vectors: FloatMatrix,
    pred_edges: Rows,
    gold_edges: Rows,
    *,
    threshold: float,
    inclusive: bool = False,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Join:
    """Find which edges of each side match an edge of the other: both ends more similar than a threshold; likewise nodes.

    Which of several edges becomes the witness is unspecified; everything else depends only on the edges.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        pred_edges: Rows of ``vectors``: source and target of each edge, int64, shape (m, 2); or the row of each node, shape (m,).
        gold_edges: The same for the other side, int64, shape (n, 2) or (n,).
        threshold: The value that both cosines must exceed.
        inclusive: Whether a cosine equal to the threshold is enough.
        memory: Bytes that the tiles may use; the vectors, a quarter as much of many edges, and a few numbers per edge are extra.
        progress: Called as ``progress(stage, done, total)`` after each tile; counts distinct edges.

    Returns:
        Whether each edge matches another, with a witness.

    Raises:
        ValueError: If an array has the wrong shape or type, an edge points outside of ``vectors``, a vector in use
            is not of length 1, or the threshold is not a number.
    """
    if np.isnan(threshold):
        raise ValueError("the threshold is not a number")
    layout = lay_out(vectors, pred_edges, gold_edges, memory)
    ledger = JoinLedger.blank(vectors, layout, float(threshold), inclusive=inclusive)
    if threshold < 1.0 or (inclusive and threshold == 1.0):
        _settle(ledger, layout, memory, Counter(progress, "matching", len(layout.left) + len(layout.right)))
    witness_pred = unmerge(ledger.query_witness, layout.left, layout.right)
    witness_gold = unmerge(ledger.target_witness, layout.right, layout.left)
    return Join(witness_pred >= 0, witness_gold >= 0, witness_pred, witness_gold)


def _settle(ledger: JoinLedger, layout: Layout, memory: int, counter: Counter) -> None:
    """Decide for every edge of both sides whether it matches another: most of them match one in their own cell."""
    left, right = layout.left_side, layout.right_side
    products = Products(ledger.vectors, layout.band)
    sights: list[Sight] = [products] if layout.rough is None else [layout.rough, products]
    ledger.match_equals()
    if layout.cells > 1:
        join_cells(sights[0], left, right, ledger, cells=layout.cells)
    _settle_queries(ledger, left, right, sights=sights, memory=memory, counter=counter)
    # A left edge without a witness has been compared with all right edges: it cannot be a witness of any edge.
    matched = ledger.with_witness(left)
    _settle_queries(ledger.swap_sides(), right, matched, sights=sights, memory=memory, counter=counter)


def _settle_queries(
    ledger: JoinLedger, query: Side, target: Side, *, sights: Sequence[Sight], memory: int, counter: Counter
) -> None:
    """Decide for every query whether it matches a target."""
    asking = ledger.without_witness(query)
    counter.add(len(query) - len(asking))
    join_search(sights, asking, target, ledger, memory=memory, answered=counter.add)
