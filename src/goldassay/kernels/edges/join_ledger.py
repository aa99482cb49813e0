"""The ledger of a join: which edges are known to match an edge of the other side."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from goldassay.kernels.cosine import edge_similarities
from goldassay.kernels.edges.layout import Edges, Layout, equal_edges
from goldassay.kernels.search import FloatMatrix, Rows


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
        band: How far a float32 similarity may be from the exact one.
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

    def floor(self, queries: Rows) -> FloatMatrix:
        """Return the floors for targets that may reach the threshold, until one has; see ``Ledger``."""
        return np.where(self.query_witness[queries] < 0, self.threshold - self.band, np.inf).astype(np.float32)

    def learn(self, queries: Rows, targets: Rows, anchors: FloatMatrix, others: FloatMatrix) -> None:
        """Record pairs that certainly match, on both sides, and decide doubtful queries in float64; see ``Ledger``."""
        values = np.minimum(anchors, others, out=others)
        close = np.flatnonzero(values >= self.threshold - self.band)
        target, query = np.divmod(close, len(queries))
        sure = values.ravel()[close] > self.threshold + self.band
        query, target = queries[query], targets[target]
        self._meet(query[sure], target[sure])
        doubtful = np.flatnonzero(~sure & (self.query_witness[query] < 0))
        if len(doubtful):
            self._decide(query[doubtful], target[doubtful])

    def _decide(self, queries: Rows, targets: Rows) -> None:
        exact = edge_similarities(self.vectors, self.query.ends[queries], self.target.ends[targets])
        meets = exact >= self.threshold if self.inclusive else exact > self.threshold
        self._meet(queries[meets], targets[meets])

    def match_equals(self) -> None:
        """Record that equal edges match each other: their similarity is 1."""
        queries, targets = equal_edges(self.query, self.target)
        self._meet(queries, targets)

    def _meet(self, queries: Rows, targets: Rows) -> None:
        self.query_witness[queries] = targets
        self.target_witness[targets] = queries
