"""The ledger of a join: which edges are known to match an edge of the other side."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges.layout import Edges, Layout, equal_edges
from goldassay.kernels.search import FloatMatrix, Rows, Side


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
    """

    vectors: FloatMatrix
    query: Edges
    target: Edges
    query_witness: Rows
    target_witness: Rows
    threshold: float
    inclusive: bool

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
        """Decide pairs in float64, and record those that meet: both ends do."""
        for end in (0, 1):
            exact = pair_cosines(self.vectors, self.query.ends[queries, end], self.target.ends[targets, end])
            meets = exact >= self.threshold if self.inclusive else exact > self.threshold
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

    def _meet(self, queries: Rows, targets: Rows) -> None:
        self.query_witness[queries] = targets
        self.target_witness[targets] = queries
