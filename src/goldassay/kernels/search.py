"""The search that the edge kernels share: which pairs of edges may be relevant, tile by tile.

Two edges are as similar as the less similar of their ends. So one end, the *anchor*, is compared first, in one matrix
product over the distinct anchors of a tile; the other end is compared only if an anchor is close enough to be relevant
to an edge that is not decided yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.rough import Rough
from goldassay.kernels.types import FloatMatrix, Progress, Rows

MEMORY = 512 * 2**20
"""Default number of bytes for the tiles of a search."""

BLOCK = 128
"""Target edges whose other ends are compared at once: enough to outweigh gathering queries, few enough to be alike."""

ROUGH_BLOCK = 256
"""The same where they are compared roughly: a shorter look at a block has threads wait for each other more."""

CELL_BLOCK = 1024
"""The same within cells: most of these pairs are relevant, and a cell has few queries."""

QUERY_TILE = 16384
"""Query edges of a tile, at most: each block of targets is gathered once for a tile; larger tiles gain nothing."""

SMALLEST_STRIP = 1024
"""Query edges below which a strip is not worth a thread."""


@dataclass
class Counter:
    """Adds up the progress, and reports it."""

    progress: Progress | None  # called as `progress(stage, done, total)`; None for no reports
    stage: str  # what is being done
    total: int  # how much there is to do
    done: int = 0  # how much is done

    def add(self, number: int) -> None:
        """Add to the amount done, and report it."""
        self.done += number
        if self.progress is not None:
            self.progress(self.stage, self.done, self.total)


@dataclass(frozen=True, eq=False)
class Vectors:
    """Vectors, and how they are compared at first sight."""

    rows: FloatMatrix  # unit rows, float32, shape (k, d)
    rough: Rough | None  # the same with 8 bits a number, where that saves time
    block: int  # target edges whose other ends are compared at once

    @property
    def band(self) -> np.float32:
        """How far ``cosines`` may be from ``products``."""
        return np.float32(0.0) if self.rough is None else self.rough.band

    def cosines(self, left: Rows, right: Rows) -> FloatMatrix:
        """Compare all pairs of two lists of rows at first sight, float32, shape (left, right)."""
        return self.products(left, right) if self.rough is None else self.rough.cosines(left, right)

    def products(self, left: Rows, right: Rows) -> FloatMatrix:
        """Multiply all pairs of two lists of rows, float32, shape (left, right)."""
        return products(self.rows, left, right)


def products(vectors: FloatMatrix, left: Rows, right: Rows) -> FloatMatrix:
    """Multiply all pairs of two lists of rows, float32, shape (left, right)."""
    return vectors[left] @ vectors[right].T


class Ledger(Protocol):
    """The state of the search for the query edges."""

    def floor(self, queries: Rows) -> FloatMatrix:
        """Return the float32 similarity below which a pair is irrelevant to each query; infinity once it is answered."""
        ...

    def learn(self, queries: Rows, targets: Rows, anchors: FloatMatrix, others: FloatMatrix) -> None:
        """Record how similar queries and targets are.

        ``anchors`` and ``others`` are cosines of every target and every query, within the error band, float32, shape (t, q); the ledger may
        overwrite ``others``.
        """
        ...


@dataclass(frozen=True)
class Side:
    """Distinct edges of one side, in an order that keeps edges with similar anchors together.

    Attributes:
        ids: The id of each edge in the ledger, shape (n,).
        anchor: Row of the end that is compared first, shape (n,); equal anchors are neighbours, by rank of the edges.
        other: Row of the other end, shape (n,).
        cell: Number of the neighbourhood of the anchor, ascending, shape (n,).
    """

    ids: Rows
    anchor: Rows
    other: Rows
    cell: Rows

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, choice: slice | Rows | NDArray[np.bool_]) -> Side:
        """Pick some of the edges, in the order that they have."""
        return Side(self.ids[choice], self.anchor[choice], self.other[choice], self.cell[choice])

    def anchors(self) -> tuple[Rows, Rows]:
        """List the distinct anchors, and return the place of the anchor of each edge in that list."""
        fresh = np.diff(self.anchor, prepend=-1) != 0
        return self.anchor[fresh], np.cumsum(fresh) - 1


def search(
    vectors: FloatMatrix,
    query: Side,
    target: Side,
    ledger: Ledger,
    *,
    memory: int,
    answered: Callable[[int], None],
    parallel: bool = True,
    rough: Rough | None = None,
) -> None:
    """Pass every pair of a query and a target that may be relevant to the ledger.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        query: The query edges.
        target: The target edges.
        ledger: Receives the results, and returns what is still relevant.
        memory: Bytes that the tiles may use.
        answered: Called after each tile with the number of its queries, without those already decided.
        parallel: Whether several strips of queries may be passed to the ledger at the same time.
        rough: What excludes pairs before float32 products are made.
    """
    query = query.take(ledger.floor(query.ids) < np.inf)
    block = BLOCK if rough is None else ROUGH_BLOCK
    _search_strips(Vectors(vectors, rough, block), [(query, target)], ledger, memory, answered, parallel=parallel)


def search_within_cells(
    vectors: FloatMatrix,
    query: Side,
    target: Side,
    ledger: Ledger,
    *,
    memory: int,
    cells: int,
    parallel: bool = True,
) -> None:
    """Pass the pairs whose anchors share a cell to the ledger: few pairs, which decide most edges.

    Arguments are those of `search`.
    """
    within = pair_cells(query.take(ledger.floor(query.ids) < np.inf), target, cells)
    # Most of these pairs are near: a rough look would exclude few.
    _search_strips(Vectors(vectors, None, CELL_BLOCK), within, ledger, memory, lambda _: None, parallel=parallel)


def pair_cells(query: Side, target: Side, cells: int) -> list[tuple[Side, Side]]:
    """Pair the queries of each cell with its targets: few pairs, which decide most edges."""
    return [(query.take(asking), target.take(answering)) for asking, answering in cell_slices(query, target, cells)]


def cell_slices(query: Side, target: Side, cells: int) -> Iterator[tuple[slice, slice]]:
    """Find the queries and the targets of each cell."""
    cuts = [np.searchsorted(side.cell, np.arange(cells + 1)).tolist() for side in (query, target)]
    return zip(*([slice(*cut) for cut in pairwise(of_side)] for of_side in cuts), strict=True)


def _search_strips(
    vectors: Vectors,
    tasks: Sequence[tuple[Side, Side]],
    ledger: Ledger,
    memory: int,
    answered: Callable[[int], None],
    *,
    parallel: bool,
) -> None:
    """Cut the queries of each task into strips, and search these side by side, or one after the other.

    One thread per strip. Each query is in one strip; of two witnesses for one target, either is valid.
    """
    workers = threads.workers()
    queries, targets = tile_shape(memory // workers, vectors.rows.shape[1], vectors.block)
    edges = sum(len(query) for query, _ in tasks)
    # As many strips for every thread: none has to search a last one while the others wait.
    each = max(1, -(-edges // (queries * workers)))
    step = max(-(-edges // (each * workers)), min(queries, SMALLEST_STRIP))
    strips = [(query.take(lines), target) for query, target in tasks for lines in tiles(len(query), step)]

    def work(strip: tuple[Side, Side]) -> int:
        query, target = strip
        _search_strip(vectors, query, target, ledger, targets)
        return len(query)

    if not parallel:
        for strip in strips:
            answered(work(strip))
        return
    with threads.pool() as pool:
        for number in pool.map(work, strips):
            answered(number)


def _search_strip(vectors: Vectors, query: Side, target: Side, ledger: Ledger, step: int) -> None:
    for columns in tiles(len(target), step):
        query = query.take(ledger.floor(query.ids) < np.inf)
        if len(query) == 0:
            return
        _search_tile(vectors, query, target.take(columns), ledger)


def _search_tile(vectors: Vectors, query: Side, target: Side, ledger: Ledger) -> None:
    query_anchors, query_at = query.anchors()
    target_anchors, target_at = target.anchors()
    anchor_values = vectors.cosines(target_anchors, query_anchors)
    floors = ledger.floor(query.ids) - vectors.band
    for block in tiles(len(target), vectors.block):
        at = target_at[block]
        lines = anchor_values[at[0] : at[-1] + 1]
        chosen = np.flatnonzero(lines.max(axis=0)[query_at] >= floors)
        if not len(chosen):
            continue
        rows = np.arange(block.start, block.stop)
        anchors = lines.take(query_at[chosen], axis=1)[at - at[0]]
        others = vectors.cosines(target.other[block], query.other[chosen])
        if vectors.rough is not None:
            near = np.minimum(anchors, others) >= floors[chosen]
            rows, chosen = rows[near.any(axis=1)], chosen[near.any(axis=0)]
            if not len(chosen):
                continue
            anchors = vectors.products(target.anchor[rows], query.anchor[chosen])
            others = vectors.products(target.other[rows], query.other[chosen])
        ledger.learn(query.ids[chosen], target.ids[rows], anchors, others)
        floors[chosen] = ledger.floor(query.ids[chosen]) - vectors.band


def tile_shape(memory: int, dimension: int, block: int) -> tuple[int, int]:
    """Share out memory: half for the product of the anchors, the rest for gathered vectors and for blocks.

    Args:
        memory: Bytes that the tiles may use.
        dimension: Length of a vector.
        block: Target edges whose other ends are compared at once.

    Returns:
        The most query edges and the most target edges that a tile may hold, each at least 1.
    """
    queries = min(QUERY_TILE, memory // (32 * (dimension + block)))
    targets = min(memory // (8 * max(1, queries)), memory // (32 * (dimension + 1)))
    return max(1, queries), max(1, targets)


def tiles(stop: int, step: int, start: int = 0) -> Iterator[slice]:
    """Cut a range into slices of at most ``step``."""
    return (slice(first, min(first + step, stop)) for first in range(start, stop, step))
