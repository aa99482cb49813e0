"""The ledger of a search for counterparts: the best one known for each edge."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import edge_similarities
from goldassay.kernels.edges.layout import Edges, Layout, equal_edges
from goldassay.kernels.types import FloatMatrix, Rows

WAITING = 2**18
"""Pairs that are decided in float64 together, at most, and those of one block."""


@dataclass(eq=False)
class Waiting:
    """Pairs that are to be decided in float64.

    Attributes:
        parts: Queries, targets, and their float32 similarities, each of shape (pairs,).
        pairs: How many pairs that is.
        lock: Held by the thread that adds to it or decides it.
    """

    parts: list[tuple[Rows, Rows, FloatMatrix]] = field(default_factory=list)
    pairs: int = 0
    lock: AbstractContextManager[bool] = field(default_factory=Lock)


@dataclass(frozen=True, eq=False)
class BestLedger:
    """The best counterpart known for each query.

    What float32 leaves open is put aside, and decided when there is much of it: by then most of it has been surpassed.

    Attributes:
        vectors: Unit rows, float32, shape (k, d).
        query: The distinct query edges.
        target: The distinct target edges.
        highest: Highest float32 similarity that each query was shown, -inf without one, inf if its best counterpart is an
            equal edge, which nothing can beat, float32, shape (queries,).
        shown: Highest float32 similarity at which each target was shown, -inf where it was not, float32, shape (targets,).
        best: Exact similarity of each query's best counterpart, -inf without one, float64, shape (queries,).
        counterpart: Place of each query's best counterpart in ``target``, -1 for none yet, shape (queries,).
        anchor: Which end is compared first: 0 for the source, 1 for the target.
        band: How far a float32 similarity may be from the exact one.
        waiting: What `settle` has to decide.
    """

    vectors: FloatMatrix
    query: Edges
    target: Edges
    highest: FloatMatrix
    shown: FloatMatrix
    best: NDArray[np.float64]
    counterpart: Rows
    anchor: int
    band: float
    waiting: Waiting = field(default_factory=Waiting)

    @classmethod
    def blank(cls, vectors: FloatMatrix, layout: Layout, shown: FloatMatrix | None = None) -> BestLedger:
        """Start with no counterpart known.

        Args:
            vectors: Unit rows, float32, shape (k, d).
            layout: The left side are the queries, the right side the targets.
            shown: ``shown`` of the ledger of the other direction, float32, shape (queries,); None for nothing. It is at
                most the band above the best similarity, and a float32 similarity that equals this is at most the band below it: as if it
                had been shown here.

        Returns:
            The empty ledger.
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
        leads = order[np.diff(queries[order], prepend=-1) != 0]
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
