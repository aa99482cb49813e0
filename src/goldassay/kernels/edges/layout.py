"""Preparation of two sides of edges for the search: checked, merged, and sorted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.cosine import compute_squared_lengths, error_band
from goldassay.kernels.rough import Rough
from goldassay.kernels.search import BLOCK, Side, Vectors, tiles
from goldassay.kernels.types import FloatMatrix, Rows

AXES = 2
"""Axes of a matrix."""

EDGES_WORTH_CELLS = 4096
"""Minimum edges on the smaller side for which a first search within cells saves time (measured on WordNet)."""

PAIRS_WORTH_ROUNDING = 2**24
"""Pairs of anchors from which a rough look saves time (measured on WordNet): 10,000 edges a side have 2**24.4."""


@dataclass(frozen=True)
class Edges:
    """The distinct edges of one side; ends with equal vectors are identified.

    Attributes:
        ends: Rows of source and target, shape (n, 2).
        key: Both ends in one number, ascending, shape (n,).
        first: The given edge that represents it: lowest source row, then target row, then index; shape (n,).
        rank: Its place by that same order, shape (n,); lower wins a tie.
        merged: Which distinct edge each given edge is, shape (given,).
    """

    ends: Rows
    key: Rows
    first: Rows
    rank: Rows
    merged: Rows

    def __len__(self) -> int:
        return len(self.key)


@dataclass(frozen=True)
class Layout:
    """Two sides of edges, ready for the search."""

    left: Edges  # distinct edges of one side
    right: Edges  # distinct edges of the other side
    left_side: Side  # `left` in the order of the search; its ids are places in `left`
    right_side: Side  # `right` in the order of the search; its ids are places in `right`
    anchor: int  # which end is compared first: 0 for the source, 1 for the target
    cells: int  # how many neighbourhoods the anchors fall into
    band: float  # how far a float32 similarity may be from the exact one
    rough: Rough | None  # the vectors with 8 bits a number, where that saves time

    def swap_sides(self) -> Layout:
        """Swap the sides."""
        return replace(self, left=self.right, right=self.left, left_side=self.right_side, right_side=self.left_side)


def lay_out(vectors: FloatMatrix, left: Rows, right: Rows, memory: int, *, roughly: bool = True) -> Layout:
    """Check two sides of edges, or of nodes, merge what is equal, and order the rest for the search.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        left: Rows of ``vectors``: source and target of each edge, int64, shape (m, 2); or the row of each node, shape (m,).
        right: The same for the other side, int64, shape (n, 2) or (n,).
        memory: Bytes that may be used.
        roughly: Whether most pairs are irrelevant, so that a rough look at many of them saves time.

    Returns:
        The layout.

    Raises:
        ValueError: If a shape or type is wrong, an edge points outside of ``vectors``, or a vector that an edge uses
            is not of length 1.
    """
    if left.ndim == right.ndim == 1:
        left, right = loops(left), loops(right)
    _check(vectors, left, right)
    used = _distinct(np.concatenate([left.ravel(), right.ravel()]))
    squared = compute_squared_lengths(vectors, used)
    same = same_rows(vectors, used, squared)
    left_edges, right_edges = _merge(same, left), _merge(same, right)
    # The end with fewer pairs of distinct rows is compared first: the product over it is the main cost of a search.
    pairs = [_pairs(left_edges, right_edges, end) for end in (0, 1)]
    anchor = int(np.argmin(pairs))
    anchors = _distinct(np.concatenate([left_edges.ends[:, anchor], right_edges.ends[:, anchor]]))
    cells = _cell_count(min(len(left), len(right)), len(anchors))
    band = error_band(vectors.shape[1], squared)
    rough = Rough.of(vectors, used, band) if roughly and pairs[anchor] >= PAIRS_WORTH_ROUNDING else None
    cell = _nearest_pivots(Vectors(vectors, rough, BLOCK), anchors, cells, memory)
    return Layout(
        left=left_edges,
        right=right_edges,
        left_side=_sort_side(left_edges, anchor, cell),
        right_side=_sort_side(right_edges, anchor, cell),
        anchor=anchor,
        cells=cells,
        band=band,
        rough=rough,
    )


def loops(rows: Rows) -> Rows:
    """Convert nodes to edges: a node is matched as an edge from itself to itself.

    ``rows`` has a row for each node, int64, shape (n,); the result is source and target of each edge, int64, shape (n, 2).
    """
    return np.column_stack((rows, rows))


def equal_edges(left: Edges, right: Edges) -> tuple[Rows, Rows]:
    """Pair the edges that are on both sides.

    Args:
        left: Distinct edges of one side.
        right: Distinct edges of the other side.

    Returns:
        The places of the common edges in ``left`` and in ``right``, each of shape (common,).
    """
    _, here, there = np.intersect1d(left.key, right.key, assume_unique=True, return_indices=True)
    return here, there


def unmerge(found: Rows, own: Edges, other: Edges) -> Rows:
    """Convert results for distinct edges to results for the given ones.

    ``found`` is the place in ``other`` for each of ``own``, or -1; so is the result for given edges, int64.
    """
    return np.append(other.first, -1)[found[own.merged]]


def _check(vectors: FloatMatrix, *sides: Rows) -> None:
    if vectors.ndim != AXES or vectors.dtype != np.float32:
        raise ValueError(f"vectors are {vectors.dtype} of shape {vectors.shape}; expected float32 of shape (k, d)")
    for edges in sides:
        if edges.shape[1:] != (2,) or edges.dtype != np.int64:
            raise ValueError(
                f"edges are {edges.dtype} of shape {edges.shape}; expected int64 of shape (n, 2), or (n,) on both sides"
            )
        if edges.min(initial=0) < 0 or edges.max(initial=-1) >= len(vectors):
            raise ValueError(f"an edge points outside of the {len(vectors)} rows of the vectors")


def _distinct(rows: Rows) -> Rows:
    return np.flatnonzero(np.bincount(rows))


def same_rows(vectors: FloatMatrix, used: Rows, squared: NDArray[np.float64]) -> Rows:
    """Map each used row to the first row with an equal vector: texts that differ only in case often share one.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        used: The rows to compare, ascending, int64, shape (n,).
        squared: Their squared lengths, float64, shape (n,).

    Returns:
        The first equal row of each row of ``vectors``; itself for one that is not used, int64, shape (k,).
    """
    same = np.arange(len(vectors))
    _, place, count = np.unique(squared, return_inverse=True, return_counts=True)
    first: dict[bytes, int] = {}
    for row in used[count[place] > 1].tolist():
        # Adding zero makes -0.0, which equals 0.0, the same bytes too.
        same[row] = first.setdefault((vectors[row] + np.float32(0.0)).tobytes(), row)
    return same


def _merge(same: Rows, edges: Rows) -> Edges:
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    ends = same[edges[order]]
    key, rank, place = np.unique(ends[:, 0] * len(same) + ends[:, 1], return_index=True, return_inverse=True)
    merged = np.empty(len(edges), dtype=np.int64)
    merged[order] = place
    return Edges(ends[rank], key, order[rank], rank, merged)


def _pairs(left: Edges, right: Edges, end: int) -> int:
    return len(_distinct(left.ends[:, end])) * len(_distinct(right.ends[:, end]))


def _cell_count(edges: int, anchors: int) -> int:
    return 1 if edges < EDGES_WORTH_CELLS else min(anchors, isqrt(edges) // 2)


def _nearest_pivots(vectors: Vectors, anchors: Rows, cells: int, memory: int) -> Rows:
    """Return the number of the nearest pivot of each anchor; the pivots are anchors picked at even steps."""
    cell = np.zeros(len(vectors.rows), dtype=np.int64)
    if cells > 1:
        pivots = anchors[np.linspace(0, len(anchors) - 1, cells).astype(np.int64)]
        workers, dimension = threads.workers(), vectors.rows.shape[1]
        step = min(-(-len(anchors) // workers), memory // workers // (16 * (cells + dimension)))
        parts = [anchors[part] for part in tiles(len(anchors), max(1, step))]
        # A product that is shared by threads has them wait for the next one, in the way of the search.
        with threads.pool() as pool:
            nearest = pool.map(lambda part: vectors.cosines(part, pivots).argmax(axis=1), parts)
            cell[anchors] = np.concatenate(list(nearest))
    return cell


def _sort_side(edges: Edges, column: int, cell: Rows) -> Side:
    anchor, other = edges.ends[:, column], edges.ends[:, 1 - column]
    order = np.lexsort((edges.rank, anchor, cell[anchor]))
    return Side(order, anchor[order], other[order], cell[anchor[order]])
