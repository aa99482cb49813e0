"""The search of a join: which pairs of edges may meet, found block by block, and decided many at a time.

A join asks of every edge only whether it meets another. So one floor holds for all pairs, no pair has to be ranked, and
cosines with an error of a few hundredths decide most of them. What a block shows is put aside as a short list of pairs:
deciding after each block would take many short steps, in which threads wait for Python's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads
from goldassay.kernels.edges.join_ledger import JoinLedger
from goldassay.kernels.search import BLOCK, ROUGH_BLOCK, FloatMatrix, Rows, Side, in_strips, products, tile_shape, tiles

Places: TypeAlias = NDArray[np.int32]

TARGET_TILE = 4096
"""Target edges of a tile, at most: after each tile all its pairs are decided."""

PAIRS_AT_ONCE = 2**16
"""Pairs put aside after which they are recorded before the tile is done: more take memory, and many queries are answered."""

PAIRS_PER_DECISION = 128
"""Pairs that are compared in float32 in the time of one decision in float64 (measured)."""


class Sight(Protocol):
    """A way to compare rows."""

    @property
    def band(self) -> float | np.float32:
        """How far ``cosines`` may be from those of ``pair_cosines``."""
        ...

    def cosines(self, left: Rows, right: Rows) -> FloatMatrix:
        """Compare all pairs of two lists of rows, float32, shape (left, right)."""
        ...


@dataclass(frozen=True, eq=False)
class Products:
    """Rows that are compared through float32 products.

    Attributes:
        rows: Unit rows, float32, shape (k, d).
        band: How far a product may be from the exact cosine.
    """

    rows: FloatMatrix
    band: float

    def cosines(self, left: Rows, right: Rows) -> FloatMatrix:
        """Multiply all pairs of two lists of rows, float32, shape (left, right)."""
        return products(self.rows, left, right)


def join_search(
    sights: Sequence[Sight],
    tasks: Sequence[tuple[Side, Side]],
    ledger: JoinLedger,
    *,
    memory: int,
    answered: Callable[[int], None],
    certain: bool = False,
) -> None:
    """Decide which queries meet a target of the same task, and record a pair for each that does.

    Args:
        sights: Ways to compare rows, the fastest first; the next is used where one leaves too many pairs in doubt.
        tasks: Query edges without a witness, and the target edges that they are compared with.
        ledger: Receives the pairs that meet.
        memory: Bytes that the tiles may use.
        answered: Called after each strip of queries with their number.
        certain: Whether to record what the first sight is certain of, on both sides, and to leave the rest for later.
    """

    def search_strip(query: Side, target: Side, step: int) -> None:
        for columns in tiles(len(target), min(step, TARGET_TILE)):
            asking = query if certain else ledger.without_witness(query)
            _search_tile(sights, asking, target.take(columns), ledger, certain=certain)

    shape = tile_shape(memory // threads.workers(), ledger.vectors.shape[1], ROUGH_BLOCK)
    in_strips(search_strip, tasks, shape, answered)


def _search_tile(sights: Sequence[Sight], query: Side, target: Side, ledger: JoinLedger, *, certain: bool) -> None:
    if not len(query):
        return
    sight, *finer = sights
    band = float(sight.band)
    floor = np.float32(ledger.threshold + band if certain else ledger.threshold - band)
    asking = np.ones(len(query), dtype=np.bool_)
    step = ROUGH_BLOCK if finer else BLOCK
    for queries, targets, values in _near_pairs(sight, query, target, floor=floor, asking=asking, step=step):
        doubtful = ledger.learn(query.ids[queries], target.ids[targets], values, band)
        if not certain:
            if finer and len(doubtful[0]) > len(query) * len(target) // PAIRS_PER_DECISION:
                _search_tile(finer, ledger.without_witness(query), target, ledger, certain=False)
                return
            ledger.decide(*doubtful)
        asking &= ledger.query_witness[query.ids] < 0


def _near_pairs(
    sight: Sight, query: Side, target: Side, *, floor: np.float32, asking: NDArray[np.bool_], step: int
) -> Iterator[tuple[Places, Places, FloatMatrix]]:
    """List pairs that are at least as similar as the floor: places in both sides and similarity, all of shape (n,).

    Queries that are no longer ``asking`` when the next pairs are asked for have no part in them.
    """
    query_anchors, query_at = query.anchors()
    target_anchors, target_at = target.anchors()
    anchors = sight.cosines(target_anchors, query_anchors)
    found: list[tuple[Places, Places, FloatMatrix]] = []
    blocks = list(tiles(len(target), step))
    for block in blocks:
        lines = anchors[target_at[block.start] : target_at[block.stop - 1] + 1]
        chosen = np.flatnonzero((lines.max(axis=0) >= floor)[query_at] & asking).astype(np.int32)
        if len(chosen):
            others = sight.cosines(target.other[block], query.other[chosen]).ravel()
            near = np.flatnonzero(others >= floor).astype(np.int32)
            row, column = np.divmod(near, len(chosen))
            found.append((chosen[column], row + block.start, others[near]))
        if found and (block is blocks[-1] or sum(len(some) for some, _, _ in found) > PAIRS_AT_ONCE):
            queries, targets, values = map(np.concatenate, zip(*found, strict=True))
            values = np.minimum(values, anchors[target_at[targets], query_at[queries]])
            close = np.flatnonzero(values >= floor)
            yield queries[close], targets[close], values[close]
            found.clear()
