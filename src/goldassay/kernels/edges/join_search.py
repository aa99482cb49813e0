"""The search of a join: which pairs of edges may match, found block by block, and decided many at a time.

A join asks of every edge only whether it matches another. So one floor holds for all pairs, no pair has to be ranked, and
cosines with an error of a few hundredths decide most of them. What a block shows is put aside as a short list of pairs:
deciding after each block would take many short steps, in which threads wait for Python's lock. For the same reason all
threads search the same queries, each among other targets: that takes half as many steps as half of the queries each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.edges.ledgers import JoinLedger
from goldassay.kernels.search import (
    BLOCK,
    ROUGH_BLOCK,
    Side,
    cell_slices,
    tile_shape,
    tiles,
)
from goldassay.kernels.types import FloatMatrix, Rows

TARGET_TILE = 4096
"""Target edges of a tile, at most: after each tile all its pairs are decided."""

SMALLEST_TILE = 1024
"""Target edges below which a tile is not worth a thread."""

PIECE = 512
"""Edges of each side that are compared at once within a cell: their products stay in the cache."""

PAIRS_OF_A_GROUP = 2**19
"""Pairs of the pieces that a thread searches before it records what it found."""

PAIRS_AT_ONCE = 2**16
"""Pairs put aside after which they are recorded before the tile is done: more take memory, and many queries are answered."""

PAIRS_PER_DECISION = 128
"""Pairs that are compared in float32 in the time of one decision in float64 (measured)."""


class Sight(Protocol):
    """A way to compare rows."""

    @property
    def band(self) -> float | np.float32:
        """How far a cosine may be from that of ``pair_cosines``."""
        ...

    def cosines(self, left: Rows, right: Rows) -> FloatMatrix:
        """Compare all pairs of two lists of rows, float32, shape (left, right)."""
        ...

    def left(self, rows: Rows) -> NDArray[Any]:
        """Gather rows as the left side of products."""
        ...

    def right(self, rows: Rows) -> NDArray[Any]:
        """Gather rows as the right side of products."""
        ...

    def product(self, left: NDArray[Any], right: NDArray[Any]) -> FloatMatrix:
        """Multiply all pairs of gathered rows, float32, shape (left, right): their cosines."""
        ...


@dataclass(frozen=True, eq=False)
class Products:
    """Rows that are compared through float32 products."""

    rows: FloatMatrix  # unit rows, float32, shape (k, d)
    band: float  # how far a product may be from the exact cosine

    def cosines(self, left: Rows, right: Rows) -> FloatMatrix:
        """Multiply all pairs of two lists of rows, float32, shape (left, right)."""
        return self.product(self.left(left), self.right(right))

    def left(self, rows: Rows) -> FloatMatrix:
        """Gather rows."""
        return self.rows[rows]

    right = left

    def product(self, left: FloatMatrix, right: FloatMatrix) -> FloatMatrix:
        """Multiply all pairs of gathered rows, float32, shape (left, right)."""
        return left @ right.T


class Pairs(NamedTuple):
    """Pairs of edges that look near."""

    queries: Rows  # places among the queries, shape (n,)
    targets: Rows  # places among the targets, shape (n,)
    values: FloatMatrix  # how similar they look, float32, shape (n,)

    def within(self, anchors: FloatMatrix, floor: np.float32) -> Pairs:
        """Pick the pairs whose anchors reach the floor as their other ends do; they are as similar as the lower of both."""
        values = np.minimum(self.values, anchors)
        close = np.flatnonzero(values >= floor)
        return Pairs(self.queries[close], self.targets[close], values[close])


class PreparedRows(NamedTuple):
    """The rows of one side, ready for products."""

    at: Rows  # place of the anchor of each edge among the distinct ones, shape (n,)
    anchors: NDArray[Any]  # the distinct anchors
    others: NDArray[Any]  # the other end of each edge

    @classmethod
    def of(cls, side: Side, gather: Callable[[Rows], NDArray[Any]]) -> PreparedRows:
        """Gather the rows of a side."""
        anchors, at = side.anchors()
        return cls(at, gather(anchors), gather(side.other))

    def cut(self, edges: slice) -> PreparedRows:
        """Pick the edges of a slice that is not empty."""
        first = self.at[edges.start]
        return PreparedRows(
            self.at[edges] - first, self.anchors[first : self.at[edges.stop - 1] + 1], self.others[edges]
        )


def join_search(
    sights: Sequence[Sight],
    query: Side,
    target: Side,
    ledger: JoinLedger,
    *,
    memory: int,
    answered: Callable[[int], None],
) -> None:
    """Decide which queries match a target, and record a pair for each that does.

    Args:
        sights: Ways to compare rows, the fastest first; the next is used where one leaves too many pairs in doubt.
        query: Query edges without a witness.
        target: The target edges that they are compared with.
        ledger: Receives the pairs that match.
        memory: Bytes that the tiles may use.
        answered: Called after each strip of queries with their number.
    """
    workers = threads.workers()
    queries, targets = tile_shape(memory // workers, ledger.vectors.shape[1], ROUGH_BLOCK)
    targets = min(targets, TARGET_TILE)
    step = max(even_step(len(target), targets, workers), min(targets, SMALLEST_TILE))
    with threads.pool() as pool:
        for lines in tiles(len(query), queries):
            strip = query.take(lines)

            def search(columns: slice, strip: Side = strip) -> None:
                _search_tile(sights, ledger.without_witness(strip), target.take(columns), ledger)

            list(pool.map(search, tiles(len(target), step)))
            answered(len(strip))


def even_step(length: int, most: int, workers: int) -> int:
    """Cut a range into tiles of at most ``most``, of which every thread has as many as the others."""
    turns = max(1, -(-length // (most * workers)))
    return -(-length // (turns * workers))


def _search_tile(sights: Sequence[Sight], query: Side, target: Side, ledger: JoinLedger) -> None:
    if not len(query):
        return
    sight, *finer = sights
    band = float(sight.band)
    floor = np.float32(ledger.threshold - band)
    asking = np.ones(len(query), dtype=np.bool_)
    step = ROUGH_BLOCK if finer else BLOCK
    for queries, targets, values in _find_near_pairs(sight, query, target, floor=floor, asking=asking, step=step):
        doubtful = ledger.learn(query.ids[queries], target.ids[targets], values, band)
        if finer and len(doubtful[0]) > len(query) * len(target) // PAIRS_PER_DECISION:
            _search_tile(finer, ledger.without_witness(query), target, ledger)
            return
        ledger.decide(*doubtful)
        asking &= ledger.query_witness[query.ids] < 0


def _find_near_pairs(
    sight: Sight, query: Side, target: Side, *, floor: np.float32, asking: NDArray[np.bool_], step: int
) -> Iterator[Pairs]:
    """List the pairs that are at least as similar as the floor.

    Queries that are no longer ``asking`` when the next pairs are asked for have no part in them.
    """
    query_anchors, query_at = query.anchors()
    target_anchors, target_at = target.anchors()
    anchors = sight.cosines(target_anchors, query_anchors)
    blocks = list(tiles(len(target), step))
    highest = np.empty((len(blocks), len(query_anchors)), dtype=np.float32)
    for block, line in zip(blocks, highest, strict=True):
        anchors[target_at[block.start] : target_at[block.stop - 1] + 1].max(axis=0, out=line)
    relevant = (highest >= floor)[:, query_at]
    found: list[tuple[Rows, FloatMatrix, Rows, slice]] = []
    for block, line in zip(blocks, relevant, strict=True):
        chosen = np.flatnonzero(line & asking)
        if len(chosen):
            values = sight.product(sight.left(query.other[chosen]), sight.right(target.other[block])).ravel()
            near = np.flatnonzero(values >= floor)
            found.append((near, values[near], chosen, block))
        if found and (block is blocks[-1] or sum(len(near) for near, *_ in found) > PAIRS_AT_ONCE):
            pairs = _list_pairs(found)
            yield pairs.within(anchors[target_at[pairs.targets], query_at[pairs.queries]], floor)
            found.clear()


def _list_pairs(found: Sequence[tuple[Rows, FloatMatrix, Rows, slice]]) -> Pairs:
    """List what blocks have shown: places in a product, row by row, the numbers there, its queries and its targets."""
    near, values, chosen, blocks = zip(*found, strict=True)
    counts = [len(places) for places in near]
    first = np.cumsum([0, *map(len, chosen[:-1])])
    row, column = np.divmod(np.concatenate(near), np.repeat([block.stop - block.start for block in blocks], counts))
    queries = np.concatenate(chosen)[row + np.repeat(first, counts)]
    return Pairs(queries, column + np.repeat([block.start for block in blocks], counts), np.concatenate(values))


def join_cells(sight: Sight, query: Side, target: Side, ledger: JoinLedger, *, cells: int) -> None:
    """Compare the edges whose anchors share a cell, and record the pairs that certainly match, on both sides.

    Args:
        sight: How to compare rows.
        query: The query edges.
        target: The target edges.
        ledger: Receives the pairs that certainly match; all others are left for later.
        cells: How many cells there are.
    """
    pieces = [
        (rows, columns)
        for asking, answering in cell_slices(query, target, cells)
        for rows in tiles(asking.stop, PIECE, asking.start)
        for columns in tiles(answering.stop, PIECE, answering.start)
    ]
    sizes = [(rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns in pieces]

    def search(group: slice) -> None:
        _search_pieces(sight, query, target, ledger, pieces[group])

    with threads.pool() as pool:
        list(pool.map(search, runs(sizes, PAIRS_OF_A_GROUP)))


def runs(sizes: Sequence[int], most: int) -> list[slice]:
    """Cut a list into runs of about ``most`` in all; what is larger begins a run."""
    run = np.cumsum(sizes, dtype=np.int64) // most
    return [slice(*cut) for cut in pairwise(np.flatnonzero(np.diff(run, prepend=-1, append=-1)).tolist())]


def _search_pieces(
    sight: Sight, query: Side, target: Side, ledger: JoinLedger, pieces: Sequence[tuple[slice, slice]]
) -> None:
    band = float(sight.band)
    floor = np.float32(ledger.threshold + band)
    top, left = (min(edges.start for edges in side) for side in zip(*pieces, strict=True))
    bottom, right = (max(edges.stop for edges in side) for side in zip(*pieces, strict=True))
    query, target = query.take(slice(top, bottom)), target.take(slice(left, right))
    asking, answering = PreparedRows.of(query, sight.left), PreparedRows.of(target, sight.right)
    found = []
    for rows, columns in pieces:
        row, column = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
        queries, targets, values = _compare_all(sight, asking.cut(row), answering.cut(column), floor)
        found.append((query.ids[row][queries], target.ids[column][targets], values))
    queries, targets, values = map(np.concatenate, zip(*found, strict=True))
    ledger.learn(queries, targets, values, band)


def _compare_all(sight: Sight, query: PreparedRows, target: PreparedRows, floor: np.float32) -> Pairs:
    """List the pairs that are at least as similar as the floor, of all pairs."""
    values = sight.product(query.others, target.others).ravel()
    near = np.flatnonzero(values >= floor)
    queries, targets = np.divmod(near, len(target.at))
    anchors = sight.product(query.anchors, target.anchors)
    return Pairs(queries, targets, values[near]).within(anchors[query.at[queries], target.at[targets]], floor)
