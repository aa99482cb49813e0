"""The nearest edge of the other side: an exact result over all pairs, without computing most of them.

Two edges are as similar as the less similar of their ends: ``min(cos(u, u'), cos(v, v'))``. The result is that of
``pair_cosines`` on every pair. Products in float32, and of many pairs rough ones before, only exclude irrelevant pairs;
pairs within their proven error of a decision are decided in float64. So the result depends neither on memory, nor on
order, nor on the BLAS library.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.edges.layout import Layout, lay_out, unmerge
from goldassay.kernels.edges.ledgers import BestLedger
from goldassay.kernels.search import MEMORY, Counter, search, search_within_cells
from goldassay.kernels.types import FloatMatrix, Progress, Rows

COUNTED = "finding counterparts"
"""The stage that progress reports."""


@dataclass(frozen=True, eq=False)
class Best:
    """The nearest item of the other side."""

    # the highest similarity of each query, in [-1, 1], NaN where nothing was found, float64, shape (m,)
    similarity: NDArray[np.float64]
    counterpart: Rows  # the item that has it, -1 where nothing was found, int64, shape (m,)


def find_best(
    vectors: FloatMatrix,
    query_edges: Rows,
    target_edges: Rows,
    *,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Best:
    """Find the most similar edge of the other side for each edge, or node for each node, and how similar it is.

    Among equally similar edges an edge with equal vectors wins, then the one with the lowest source row, target row
    and index, in this order.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        query_edges: Rows of ``vectors``: source and target of each edge, int64, shape (m, 2); or the row of each node, shape (m,).
        target_edges: What to choose from, int64, shape (n, 2) or (n,).
        memory: As for ``edge_join``.
        progress: As for ``edge_join``.

    Returns:
        The highest similarity of each query, and the edge that has it.

    Raises:
        ValueError: As for ``edge_join``.
    """
    layout = lay_out(vectors, query_edges, target_edges, memory)
    ledger = BestLedger.blank(vectors, layout)
    return _search_best(ledger, layout, memory, Counter(progress, COUNTED, len(layout.left)))


def find_best_of_both(
    vectors: FloatMatrix,
    left: Rows,
    right: Rows,
    *,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> tuple[Best, Best]:
    """Find the most similar edge of the other side for each edge of both sides, as ``best_counterparts`` does.

    Edges are laid out once, and what the first search has shown of an edge is where the second starts.

    Arguments and errors are those of `find_best`. The result has the counterparts of the left edges, and those of the right ones.
    """
    layout = lay_out(vectors, left, right, memory)
    counter = Counter(progress, COUNTED, len(layout.left) + len(layout.right))
    ledger = BestLedger.blank(vectors, layout)
    here = _search_best(ledger, layout, memory, counter)
    layout = layout.swap_sides()
    return here, _search_best(BestLedger.blank(vectors, layout, ledger.shown), layout, memory, counter)


def _search_best(ledger: BestLedger, layout: Layout, memory: int, counter: Counter) -> Best:
    """Search the counterparts of the left side."""
    query, target = layout.left_side, layout.right_side
    ledger.match_equals()
    if layout.cells > 1:
        search_within_cells(ledger.vectors, query, target, ledger, memory=memory, cells=layout.cells)
    counter.add(int(np.count_nonzero(np.isposinf(ledger.highest))))
    search(ledger.vectors, query, target, ledger, memory=memory, answered=counter.add, rough=layout.rough)
    ledger.settle()
    counterpart = unmerge(ledger.counterpart, layout.left, layout.right)
    return Best(np.where(counterpart < 0, np.nan, ledger.best[layout.left.merged]), counterpart)
