"""Ledgers of searches: the best counterpart known for each edge, which edges match one of the other side, and a bounded number of pairs."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Self

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import edge_similarities, pair_cosines
from goldassay.kernels.edges.layout import Edges, Layout, equal_edges
from goldassay.kernels.ragged import places_in_runs, run_heads
from goldassay.kernels.search import Side, tiles
from goldassay.kernels.types import FloatMatrix, Rows

WAITING = 2**18
"""Pairs that are decided in float64 together, at most, and those of one block."""


@dataclass(eq=False)
class Waiting:
    """Pairs that are to be decided in float64."""

    # queries, targets, and their float32 similarities, each of shape (pairs,)
    parts: list[tuple[Rows, Rows, FloatMatrix]] = field(default_factory=list)
    pairs: int = 0  # how many pairs that is
    lock: AbstractContextManager[bool] = field(default_factory=Lock)  # held by the thread that adds to it or decides it


@dataclass(frozen=True, eq=False)
class BestLedger:
    """The best counterpart known for each query.

    What float32 leaves open is put aside, and decided when there is much of it: by then most of it has been surpassed.
    """

    vectors: FloatMatrix  # unit rows, float32, shape (k, d)
    query: Edges  # the distinct query edges
    target: Edges  # the distinct target edges
    # highest float32 similarity that each query was shown, -inf without one, inf if its best counterpart is an equal
    # edge, which nothing can beat, float32, shape (queries,)
    highest: FloatMatrix
    # highest float32 similarity at which each target was shown, -inf where it was not, float32, shape (targets,)
    shown: FloatMatrix
    # exact similarity of each query's best counterpart, -inf without one, float64, shape (queries,)
    best: NDArray[np.float64]
    counterpart: Rows  # place of each query's best counterpart in `target`, -1 for none yet, shape (queries,)
    anchor: int  # which end is compared first: 0 for the source, 1 for the target
    band: float  # how far a float32 similarity may be from the exact one
    waiting: Waiting = field(default_factory=Waiting)  # what `settle` has to decide

    @classmethod
    def blank(cls, vectors: FloatMatrix, layout: Layout, shown: FloatMatrix | None = None) -> Self:
        """Start with no counterpart known: the left side of the layout are the queries, the right side the targets.

        ``shown`` of the ledger of the other direction is at most the band above the best similarity, and a float32 similarity that
        equals this is at most the band below it: as if it had been shown here.
        """
        return cls(
            vectors=vectors,
            query=layout.left,
            target=layout.right,
            highest=np.full(len(layout.left), -np.inf, dtype=np.float32) if shown is None else shown.copy(),
            shown=np.full(len(layout.right), -np.inf, dtype=np.float32),
            best=np.full(len(layout.left), -np.inf),
            counterpart=np.full(len(layout.left), -1, dtype=np.int64),
            anchor=layout.anchor,
            band=layout.band,
        )

    def floor(self, queries: Rows) -> FloatMatrix:
        """Return the floors for targets that may equal or beat the best counterpart; see ``Ledger``."""
        return self.highest[queries] - self._width

    @property
    def _width(self) -> np.float32:
        """How far two float32 similarities may be apart whose exact ones are equal."""
        return np.float32(2.0 * self.band)

    def learn(self, queries: Rows, targets: Rows, anchors: FloatMatrix, others: FloatMatrix) -> None:
        """Keep every target that may be the best of all; see ``Ledger``."""
        values = np.minimum(anchors, others)
        highest = np.maximum(values.max(axis=0), self.highest[queries])
        self.highest[queries] = highest
        # Another thread may write at the same time: what is lost makes a floor lower, and no result another.
        self.shown[targets] = np.maximum(values.max(axis=1), self.shown[targets])
        target, query = np.divmod(np.flatnonzero(values >= highest - self._width), len(queries))
        order = np.argsort(query, kind="stable")
        target, query = target[order], query[order]
        capped = others[target, query] > anchors[target, query] + self._width
        matters = self._leads_its_ties(query, targets[target], capped)
        target, query = target[matters], query[matters]
        with self.waiting.lock:
            self.waiting.parts.append((queries[query], targets[target], values[target, query]))
            self.waiting.pairs += len(query)
            if self.waiting.pairs > WAITING:
                self.settle()

    def settle(self) -> None:
        """Compare, in float64, all targets that may still be the best."""
        if not self.waiting.parts:
            return
        queries, targets, values = (np.concatenate(column) for column in zip(*self.waiting.parts, strict=True))
        self.waiting.parts, self.waiting.pairs = [], 0
        near = values >= self.highest[queries] - self._width
        queries, targets = queries[near], targets[near]
        exact = edge_similarities(self.vectors, self.query.ends[queries], self.target.ends[targets])
        order = np.lexsort((self.target.rank[targets], -exact, queries))
        leads = order[run_heads(queries[order])]
        self._update(queries[leads], targets[leads], exact[leads])

    def _leads_its_ties(self, query: Rows, targets: Rows, capped: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which pairs do not merely repeat the pair before them.

        Where the anchors are certainly the less similar ends, only they are the similarity: targets with one anchor tie,
        often by the thousand (all instances of one class), and the first of them has the lowest rank.
        """
        rows = self.target.ends[targets, self.anchor]
        repeats = np.zeros(len(query), dtype=np.bool_)
        repeats[1:] = capped[1:] & capped[:-1] & (np.diff(query) == 0) & (np.diff(rows) == 0)
        return ~repeats

    def _update(self, queries: Rows, targets: Rows, exact: NDArray[np.float64]) -> None:
        """Replace the best counterpart of each query by the target if that is better; queries are unique."""
        known = self.counterpart[queries]
        ahead = (known < 0) | (self.target.rank[targets] < self.target.rank[known])
        wins = (exact > self.best[queries]) | ((exact == self.best[queries]) & ahead)
        self.best[queries[wins]] = exact[wins]
        self.counterpart[queries[wins]] = targets[wins]

    def match_equals(self) -> None:
        """Match equal edges finally: nothing is more similar, and they win every tie."""
        queries, targets = equal_edges(self.query, self.target)
        self.best[queries] = 1.0
        self.counterpart[queries] = targets
        self.highest[queries] = np.inf


ROWS_AT_ONCE = 2048
"""Pairs whose vectors are gathered at once: shorter steps have threads wait for each other."""


@dataclass(frozen=True, eq=False)
class JoinLedger:
    """Which edges are known to match an edge of the other side."""

    vectors: FloatMatrix  # unit rows, float32, shape (k, d)
    query: Edges  # the distinct query edges
    target: Edges  # the distinct target edges
    query_witness: Rows  # place in `target` of an edge that each query matches, -1 for none yet, shape (queries,)
    target_witness: Rows  # place in `query` of an edge that each target matches, -1 for none yet, shape (targets,)
    threshold: float  # the value that a similarity must exceed
    inclusive: bool  # whether a similarity equal to the threshold is enough
    band: float  # how far a product in float32 may be from the exact cosine

    @classmethod
    def blank(cls, vectors: FloatMatrix, layout: Layout, threshold: float, *, inclusive: bool) -> JoinLedger:
        """Start with no known pair: the left side of the layout are the queries, the right side the targets."""
        return cls(
            vectors=vectors,
            query=layout.left,
            target=layout.right,
            query_witness=np.full(len(layout.left), -1, dtype=np.int64),
            target_witness=np.full(len(layout.right), -1, dtype=np.int64),
            threshold=threshold,
            inclusive=inclusive,
            band=layout.band,
        )

    def swap_sides(self) -> JoinLedger:
        """Swap the sides; both views write to the same arrays."""
        return replace(
            self,
            query=self.target,
            target=self.query,
            query_witness=self.target_witness,
            target_witness=self.query_witness,
        )

    def learn(self, queries: Rows, targets: Rows, values: FloatMatrix, band: float) -> tuple[Rows, Rows]:
        """Record the pairs that certainly match, on both sides, and return those in doubt whose query has no witness yet.

        Pairs are places in ``query`` and ``target``; ``values`` are within ``band`` of their similarities, float32, shape (n,), and no pair is
        below the threshold by more than that.
        """
        sure = values > self.threshold + band
        self._record_matches(queries[sure], targets[sure])
        doubtful = np.flatnonzero(~sure & (self.query_witness[queries] < 0))
        return queries[doubtful], targets[doubtful]

    def decide(self, queries: Rows, targets: Rows) -> None:
        """Decide pairs by exact cosines, and record those that match: both ends do."""
        for end in (0, 1):
            matches = self._exceeds(self.query.ends[queries, end], self.target.ends[targets, end])
            queries, targets = queries[matches], targets[matches]
        self._record_matches(queries, targets)

    def with_witness(self, queries: Side) -> Side:
        """Pick the queries that have a witness."""
        return queries.take(self.query_witness[queries.ids] >= 0)

    def without_witness(self, queries: Side) -> Side:
        """Pick the queries that have none yet."""
        return queries.take(self.query_witness[queries.ids] < 0)

    def match_equals(self) -> None:
        """Record that equal edges match each other: their similarity is 1."""
        queries, targets = equal_edges(self.query, self.target)
        self._record_matches(queries, targets)

    def _exceeds(self, left: Rows, right: Rows) -> NDArray[np.bool_]:
        """Return which cosines exceed the threshold: products in float32 decide those beyond their band."""
        values = np.empty(len(left), dtype=np.float32)
        for part in tiles(len(left), ROWS_AT_ONCE):
            np.vecdot(self.vectors[left[part]], self.vectors[right[part]], out=values[part])
        threshold = np.float32(self.threshold)
        exceeds = values > threshold
        close = np.flatnonzero(np.abs(values - threshold) <= self.band)
        exact = pair_cosines(self.vectors, left[close], right[close])
        exceeds[close] = exact >= self.threshold if self.inclusive else exact > self.threshold
        return exceeds

    def _record_matches(self, queries: Rows, targets: Rows) -> None:
        self.query_witness[queries] = targets
        self.target_witness[targets] = queries


@dataclass(frozen=True, eq=False)
class MeetingLedger:
    """Matching pairs of a query and a target.

    If any pair matches, at least one is recorded. All pairs of queries that are not marked in ``incomplete`` are
    recorded. The pairs depend on the order of the search, which therefore has to run in one thread.
    """

    vectors: FloatMatrix  # unit rows, float32, shape (k, d)
    query_ends: Rows  # rows of source and target of each query, int64, shape (queries, 2)
    target_ends: Rows  # the same of each target, int64, shape (targets, 2)
    query_room: Rows  # how many more pairs each query may get, int64, shape (queries,)
    target_room: Rows  # how many more pairs each target may get, int64, shape (targets,)
    incomplete: NDArray[np.bool_]  # whether a query may match targets that are not recorded, shape (queries,)
    threshold: float  # the value that a similarity must exceed
    inclusive: bool  # whether a similarity equal to the threshold is enough
    band: float  # how far a float32 similarity may be from the exact one
    found: list[Rows] = field(default_factory=list)  # the pairs, query and target, each int64, shape (pairs, 2)

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
        chosen = _choose_first(queries, similarity, self.query_room)
        chosen = chosen[_choose_first(targets[chosen], similarity[chosen], self.target_room)]
        dropped = np.ones(len(queries), dtype=np.bool_)
        dropped[chosen] = False
        self.incomplete[queries[dropped]] = True
        queries, targets = queries[chosen], targets[chosen]
        np.subtract.at(self.query_room, queries, 1)
        np.subtract.at(self.target_room, targets, 1)
        self.incomplete[queries[self.query_room[queries] <= 0]] = True
        self.found.append(np.column_stack((queries, targets)))


def _choose_first(owner: Rows, similarity: FloatMatrix, room: Rows) -> Rows:
    """Choose the most similar entries of each owner, as many as it has room for."""
    order = np.lexsort((-similarity, owner))
    return order[places_in_runs(owner[order]) < room[owner[order]]]
