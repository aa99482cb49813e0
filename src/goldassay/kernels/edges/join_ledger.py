"""The ledger of a join: which edges are known to match an edge of the other side."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges.layout import Edges, Layout, equal_edges
from goldassay.kernels.search import Side, tiles
from goldassay.kernels.types import FloatMatrix, Rows

ROWS_AT_ONCE = 2048
"""Pairs whose vectors are gathered at once: shorter steps have threads wait for each other."""


@dataclass(frozen=True, eq=False)
class JoinLedger:
    """Which edges are known to match an edge of the other side.

    Attributes:
        vectors: Unit rows, float32, shape (k, d).
        query: The distinct query edges.
        target: The distinct target edges.
        query_witness: Place in ``target`` of an edge that each query matches, -1 for none yet, shape (queries,).
        target_witness: Place in ``query`` of an edge that each target matches, -1 for none yet, shape (targets,).
        threshold: The value that a similarity must exceed.
        inclusive: Whether a similarity equal to the threshold is enough.
        band: How far a product in float32 may be from the exact cosine.
    """

    vectors: FloatMatrix
    query: Edges
    target: Edges
    query_witness: Rows
    target_witness: Rows
    threshold: float
    inclusive: bool
    band: float

    @classmethod
    def blank(cls, vectors: FloatMatrix, layout: Layout, threshold: float, *, inclusive: bool) -> JoinLedger:
        """Start with no known pair.

        Args:
            vectors: Unit rows, float32, shape (k, d).
            layout: The left side are the queries, the right side the targets.
            threshold: The value that a similarity must exceed.
            inclusive: Whether a similarity equal to the threshold is enough.

        Returns:
            The empty ledger.
        """
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

    def turned(self) -> JoinLedger:
        """Swap the sides; both views write to the same arrays."""
        return replace(
            self,
            query=self.target,
            target=self.query,
            query_witness=self.target_witness,
            target_witness=self.query_witness,
        )

    def learn(self, queries: Rows, targets: Rows, values: FloatMatrix, band: float) -> tuple[Rows, Rows]:
        """Record the pairs that certainly meet, on both sides.

        Args:
            queries: Place in ``query`` of one edge of each pair, shape (n,).
            targets: Place in ``target`` of the other, shape (n,).
            values: How similar they are, within ``band``; no pair is below the threshold by more than that. Float32, shape (n,).
            band: How far a value may be from the exact similarity.

        Returns:
            The pairs in doubt whose query has no witness yet, as places in ``query`` and ``target``.
        """
        sure = values > self.threshold + band
        self._meet(queries[sure], targets[sure])
        doubtful = np.flatnonzero(~sure & (self.query_witness[queries] < 0))
        return queries[doubtful], targets[doubtful]

    def decide(self, queries: Rows, targets: Rows) -> None:
        """Decide pairs by exact cosines, and record those that meet: both ends do."""
        for end in (0, 1):
            meets = self._exceeds(self.query.ends[queries, end], self.target.ends[targets, end])
            queries, targets = queries[meets], targets[meets]
        self._meet(queries, targets)

    def with_witness(self, queries: Side) -> Side:
        """Pick the queries that have a witness."""
        return queries.take(self.query_witness[queries.ids] >= 0)

    def without_witness(self, queries: Side) -> Side:
        """Pick the queries that have none yet."""
        return queries.take(self.query_witness[queries.ids] < 0)

    def match_equals(self) -> None:
        """Record that equal edges match each other: their similarity is 1."""
        queries, targets = equal_edges(self.query, self.target)
        self._meet(queries, targets)

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

    def _meet(self, queries: Rows, targets: Rows) -> None:
        self.query_witness[queries] = targets
        self.target_witness[targets] = queries
