"""The largest one-to-one matching over the matching pairs: every edge is used once.

Two edges match if the similarities of both their ends exceed a threshold. There may be hundreds of millions of such
pairs. Some of them are found, a maximum flow gives the largest matching over these, and its minimum cut shows between
which edges an unknown pair could make it larger: only these are searched again. When that search finds nothing,
the cut proves that no matching over all pairs is larger (König). Derived in docs/kernels.md, "One to one".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.edges.candidates import expand_side
from goldassay.kernels.edges.layout import EDGES_WORTH_CELLS, Edges, Layout, lay_out
from goldassay.kernels.edges.ledgers import MeetingLedger
from goldassay.kernels.ragged import inverse, mark, places_of, turns_of
from goldassay.kernels.search import MEMORY, Counter, Side, search, search_within_cells
from goldassay.kernels.types import FloatMatrix, Progress, Rows

Bools: TypeAlias = NDArray[np.bool_]
Groups: TypeAlias = Sequence[tuple[Rows, Rows]]

UNMATCHED = -1

PAIRS = 8
"""Pairs of each edge that one search records: fewer mean more searches, more mean larger flows (measured on WordNet)."""

PAIR_BYTES = 128
"""Bytes for each known pair, the network and its flow included."""


@dataclass(frozen=True, eq=False)
class OneToOne:
    """A one-to-one matching over the matching pairs, with an upper bound on the size of any other.

    Which of several largest matchings is found is unspecified; ``size`` and ``upper`` of a largest one depend only on
    the edges.
    """

    counterpart: Rows  # the right item of each left item, -1 for none, int64, shape (m,)
    size: int  # how many items of each side are matched
    upper: int  # upper bound on the size of any matching; equal to `size` if this one is the largest

    def swap_sides(self, items: int) -> OneToOne:
        """Return the same matching with the sides swapped."""
        return OneToOne(inverse(self.counterpart, items), self.size, self.upper)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """One side of the flow network: edges that match the same edges are one node."""

    of: Rows  # node of each given edge, int64, shape (given,)
    capacity: Rows  # how many given edges each node represents, int64, shape (nodes,)
    ends: Rows  # rows of source and target of each node, int64, shape (nodes, 2)
    sides: tuple[Side, ...]  # the nodes of each group, in the order of the search

    def __len__(self) -> int:
        return len(self.capacity)


def match_one_to_one(
    vectors: FloatMatrix,
    left: Rows,
    right: Rows,
    *,
    threshold: float,
    inclusive: bool = False,
    groups: Groups | None = None,
    also: tuple[Rows, Rows] | None = None,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> OneToOne:
    """Find a largest one-to-one matching over the matching pairs: edges with both ends more similar than a threshold, or nodes.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        left: Rows of ``vectors``: source and target of each edge, int64, shape (m, 2); or the row of each node, shape (m,).
        right: The same for the other side, int64, shape (n, 2) or (n,).
        threshold: The value that both cosines must exceed.
        inclusive: Whether a cosine equal to the threshold is enough.
        groups: Indices of left and of right edges that may match each other, int64; an edge may be in several groups.
            None if all edges may match.
        also: Indices of a left and a right edge that match regardless of their vectors, int64, shape (pairs,) each.
        memory: Bytes that the tiles may use, and bytes that the known pairs may take.
        progress: Called as ``progress(stage, done, total)``.

    Returns:
        The matching. It is a largest one unless the pairs that are needed to prove it do not fit into ``memory``.

    Raises:
        ValueError: If an array has the wrong shape or type, an edge points outside of ``vectors``, a vector in use
            is not of length 1, or the threshold is not a number.
    """
    if np.isnan(threshold):
        raise ValueError("the threshold is not a number")
    layout = lay_out(vectors, left, right, memory)
    groups = [(np.arange(len(left)), np.arange(len(right)))] if groups is None else groups
    also = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)) if also is None else also
    finder = _Finder(
        vectors=vectors,
        layout=layout,
        left=_nodes(layout.left, layout.left_side, [here for here, _ in groups], also[0]),
        right=_nodes(layout.right, layout.right_side, [there for _, there in groups], also[1]),
        threshold=float(threshold),
        inclusive=inclusive,
        memory=memory,
    )
    flow, upper = _largest(finder, also, progress)
    return OneToOne(_deal(finder.left, finder.right, flow), int(flow[:, 2].sum()), upper)


def _nodes(edges: Edges, side: Side, groups: Sequence[Rows], apart: Rows) -> _Nodes:
    """Merge equal edges that are in the same groups; edges in ``apart`` stay by themselves."""
    kind = np.zeros(len(edges.merged), dtype=np.int64)
    kind[apart] = np.arange(1, len(apart) + 1)
    kinds = len(apart) + 1
    for rows in groups:
        different, place = np.unique(kind[rows], return_inverse=True)
        kind[rows] = kinds + place
        kinds += len(different)
    _, first, of, capacity = np.unique(
        edges.merged * kinds + kind, return_index=True, return_inverse=True, return_counts=True
    )
    distinct = edges.merged[first]
    everything = expand_side(distinct, side)
    place = places_of(everything.ids, len(first))
    sides = tuple(everything.take(np.unique(place[of[rows]])) for rows in groups)
    return _Nodes(of, capacity, edges.ends[distinct], sides)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Finder:
    """Searches matching pairs of nodes."""

    vectors: FloatMatrix
    layout: Layout
    left: _Nodes
    right: _Nodes
    threshold: float
    inclusive: bool
    memory: int

    def find(self, asking: Bools, answering: Bools, most: int, answered: Callable[[int], None]) -> tuple[Rows, Bools]:
        """Record some matching pairs of nodes, at least one if there is one.

        Also return which left nodes may have further pairs, bool, shape (left nodes,).
        """
        ledger = MeetingLedger(
            vectors=self.vectors,
            query_ends=self.left.ends,
            target_ends=self.right.ends,
            query_room=most * self.left.capacity,
            target_room=most * self.right.capacity,
            incomplete=np.zeros(len(self.left), dtype=np.bool_),
            threshold=self.threshold,
            inclusive=self.inclusive,
            band=self.layout.band,
        )
        options: dict[str, Any] = {"memory": self.memory, "parallel": False}
        with threads.limit_threads():
            for left, right in zip(self.left.sides, self.right.sides, strict=True):
                here, there = left.take(asking[left.ids]), right.take(answering[right.ids])
                if self.layout.cells > 1 and min(len(here), len(there)) >= EDGES_WORTH_CELLS:
                    search_within_cells(self.vectors, here, there, ledger, cells=self.layout.cells, **options)
                search(self.vectors, here, there, ledger, answered=answered, rough=self.layout.rough, **options)
        return np.concatenate([np.empty((0, 2), dtype=np.int64), *ledger.found]), ledger.incomplete


def _largest(finder: _Finder, also: tuple[Rows, Rows], progress: Progress | None) -> tuple[Rows, int]:
    """Add pairs until the largest matching over the known ones is the largest of all, or the memory is used up.

    Returns:
        Left node, right node and how many edges of the two are matched with each other, int64, shape (pairs, 3), and an
        upper bound on the size of any matching.
    """
    left, right = finder.left, finder.right
    limit = finder.memory // PAIR_BYTES
    most = int(np.clip(limit // max(1, len(left.of)), 1, PAIRS))
    counter = Counter(progress, "matching one to one", sum(len(side) for side in left.sides))
    everything = np.ones(len(left), dtype=np.bool_), np.ones(len(right), dtype=np.bool_)
    pairs, open_ = finder.find(*everything, most, counter.add)
    pairs = np.concatenate([np.column_stack((left.of[also[0]], right.of[also[1]])), pairs])
    matches = open_.copy()
    matches[pairs[:, 0]] = True
    highest = min(int(left.capacity[matches].sum()), int(right.capacity.sum()))
    while True:
        pairs = np.unique(pairs, axis=0)
        flow, reached_left, reached_right = _maximum_flow(pairs, left.capacity, right.capacity)
        size = int(flow[:, 2].sum())
        if size == highest:
            return flow, size
        found, more = finder.find(reached_left & open_, ~reached_right, most, lambda _: None)
        more[found[:, 0]] = True
        upper = min(highest, size + int(left.capacity[more].sum()))
        if upper == size or len(pairs) + len(found) > limit:
            return flow, upper
        pairs = np.concatenate([pairs, found])


def _maximum_flow(pairs: Rows, left: Rows, right: Rows) -> tuple[Rows, Bools, Bools]:
    """Find a largest matching over known pairs, and what an edge without a counterpart reaches along alternating paths.

    Args:
        pairs: Left and right node of each pair, distinct, int64, shape (pairs, 2).
        left: Capacity of each left node, int64, shape (m,).
        right: Capacity of each right node, int64, shape (n,).

    Returns:
        Left node, right node and flow of each pair in use, int64, shape (used, 3); which left nodes and which right nodes
        are on the source's side of the minimum cut, shapes (m,) and (n,).
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    source, sink = len(left) + len(right), len(left) + len(right) + 1
    start = np.concatenate([np.full(len(left), source), pairs[:, 0], len(left) + np.arange(len(right))])
    end = np.concatenate([np.arange(len(left)), len(left) + pairs[:, 1], np.full(len(right), sink)])
    # No pair is ever saturated, so that the minimum cut runs only through edges, and covers every known pair.
    between = left[pairs[:, 0]] + 1
    capacity = np.concatenate([left, between, right]).astype(np.int32)
    network = csr_matrix((capacity, (start, end)), shape=(sink + 1, sink + 1))
    flow = maximum_flow(network, source, sink).flow
    residual = network - flow
    residual.eliminate_zeros()
    reached = mark(breadth_first_order(residual, source, return_predecessors=False), sink + 1)
    used = flow.tocoo()
    chosen = (used.data > 0) & (used.row < len(left))
    amounts = np.column_stack((used.row[chosen], used.col[chosen] - len(left), used.data[chosen])).astype(np.int64)
    return amounts, reached[: len(left)], reached[len(left) : source]


def _deal(left: _Nodes, right: _Nodes, flow: Rows) -> Rows:
    """Turn the flow between nodes into a counterpart of each given left edge."""
    here, there = np.repeat(flow[:, 0], flow[:, 2]), np.repeat(flow[:, 1], flow[:, 2])
    counterpart = np.full(len(left.of), UNMATCHED, dtype=np.int64)
    counterpart[_members(left, here)] = _members(right, there)
    return counterpart


def _members(nodes: _Nodes, chosen: Rows) -> Rows:
    """Choose a given edge of each node in ``chosen``, a different one each time a node is repeated."""
    start = np.cumsum(nodes.capacity) - nodes.capacity
    return np.asarray(np.argsort(nodes.of, kind="stable")[start[chosen] + turns_of(chosen)])
