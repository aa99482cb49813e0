"""The ledger of a search for matching pairs: a bounded number for each query and each target."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import edge_similarities
from goldassay.kernels.types import FloatMatrix, Rows


@dataclass(frozen=True, eq=False)
class MeetingLedger:
    """Matching pairs of a query and a target.

    If any pair matches, at least one is recorded. All pairs of queries that are not marked in ``incomplete`` are
    recorded. The pairs depend on the order of the search, which therefore has to run in one thread.

    Attributes:
        vectors: Unit rows, float32, shape (k, d).
        query_ends: Rows of source and target of each query, int64, shape (queries, 2).
        target_ends: The same of each target, int64, shape (targets, 2).
        query_room: How many more pairs each query may get, int64, shape (queries,).
        target_room: How many more pairs each target may get, int64, shape (targets,).
        incomplete: Whether a query may match targets that are not recorded, shape (queries,).
        threshold: The value that a similarity must exceed.
        inclusive: Whether a similarity equal to the threshold is enough.
        band: How far a float32 similarity may be from the exact one.
        found: The pairs, query and target, each int64, shape (pairs, 2).
    """

    vectors: FloatMatrix
    query_ends: Rows
    target_ends: Rows
    query_room: Rows
    target_room: Rows
    incomplete: NDArray[np.bool_]
    threshold: float
    inclusive: bool
    band: float
    found: list[Rows] = field(default_factory=list)

    def floor(self, queries: Rows) -> FloatMatrix:
        """Return the floors for targets that may reach the threshold, until a query is full; see ``Ledger``."""
        return np.where(self.query_room[queries] > 0, self.threshold - self.band, np.inf).astype(np.float32)

    def learn(self, queries: Rows, targets: Rows, anchors: FloatMatrix, others: FloatMatrix) -> None:
        """Record matching pairs, the most similar first, as far as there is room; see ``Ledger``."""
        values = np.minimum(anchors, others, out=others)
        low = self.threshold - self.band
        near = np.flatnonzero(values.max(axis=0) >= low)
        queries, values = queries[near], values[:, near]
        free = self.target_room[targets] > 0
        self.incomplete[queries[(values[~free] >= low).any(axis=0)]] = True
        targets, values = targets[free], values[free]
        self._drop_misses(queries, targets, values)
        # No query has more room: one with more pairs than these loses some, or its room, and is marked as incomplete.
        most = min(len(targets), int(self.query_room[queries].max(initial=0)))
        top = np.argpartition(-values, most - 1, axis=0)[:most] if 0 < most < len(targets) else np.arange(most)[:, None]
        similarity = np.take_along_axis(values, np.broadcast_to(top, (most, len(queries))), axis=0)
        line, column = np.nonzero(similarity > -np.inf)
        self._record(
            queries[column], targets[np.broadcast_to(top, similarity.shape)[line, column]], similarity[line, column]
        )

    def _drop_misses(self, queries: Rows, targets: Rows, values: FloatMatrix) -> None:
        """Set pairs that do not match to -inf; those within the band of the threshold are decided in float64."""
        doubtful = (values >= self.threshold - self.band) & (values <= self.threshold + self.band)
        target, query = np.nonzero(doubtful)
        values[values < self.threshold - self.band] = -np.inf
        exact = edge_similarities(self.vectors, self.query_ends[queries[query]], self.target_ends[targets[target]])
        misses = exact < self.threshold if self.inclusive else exact <= self.threshold
        values[target[misses], query[misses]] = -np.inf

    def _record(self, queries: Rows, targets: Rows, similarity: FloatMatrix) -> None:
        """Record pairs as far as there is room; a query that then has none left, or lost a pair, may have further ones."""
        chosen = _first(queries, similarity, self.query_room)
        chosen = chosen[_first(targets[chosen], similarity[chosen], self.target_room)]
        dropped = np.ones(len(queries), dtype=np.bool_)
        dropped[chosen] = False
        self.incomplete[queries[dropped]] = True
        queries, targets = queries[chosen], targets[chosen]
        np.subtract.at(self.query_room, queries, 1)
        np.subtract.at(self.target_room, targets, 1)
        self.incomplete[queries[self.query_room[queries] <= 0]] = True
        self.found.append(np.column_stack((queries, targets)))


def _first(owner: Rows, similarity: FloatMatrix, room: Rows) -> Rows:
    """Choose the most similar entries of each owner, as many as it has room for."""
    order = np.lexsort((-similarity, owner))
    start = np.flatnonzero(np.diff(owner[order], prepend=-1))
    place = np.arange(len(order)) - np.repeat(start, np.diff(start, append=len(order)))
    return order[place < room[owner[order]]]
