"""The ledger of a search for counterparts: the best one known for each edge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import edge_similarities
from goldassay.kernels.edges.layout import Edges, Layout, equal_edges
from goldassay.kernels.search import FloatMatrix, Rows


@dataclass(frozen=True, eq=False)
class BestLedger:
    """The best counterpart known for each query.

    Attributes:
        vectors: Unit rows, float32, shape (k, d).
        query: The distinct query edges.
        target: The distinct target edges.
        best: Exact similarity of each query's best counterpart, -inf without one, float64, shape (queries,).
        counterpart: Place of each query's best counterpart in ``target``, -1 for none yet, shape (queries,).
        equal: Whether the best counterpart is an equal edge, which nothing can beat, shape (queries,).
        anchor: Which end is compared first: 0 for the source, 1 for the target.
        band: How far a float32 similarity may be from the exact one.
    """

    vectors: FloatMatrix
    query: Edges
    target: Edges
    best: NDArray[np.float64]
    counterpart: Rows
    equal: NDArray[np.bool_]
    anchor: int
    band: float

    @classmethod
    def blank(cls, vectors: FloatMatrix, layout: Layout) -> BestLedger:
        """Start with no counterpart known.

        Args:
            vectors: Unit rows, float32, shape (k, d).
            layout: The left side are the queries, the right side the targets.

        Returns:
            The empty ledger.
        """
        return cls(
            vectors=vectors,
            query=layout.left,
            target=layout.right,
            best=np.full(len(layout.left), -np.inf),
            counterpart=np.full(len(layout.left), -1, dtype=np.int64),
            equal=np.zeros(len(layout.left), dtype=np.bool_),
            anchor=layout.anchor,
            band=layout.band,
        )

    def floor(self, queries: Rows) -> FloatMatrix:
        """Return the floors for targets that may equal or beat the best counterpart; see ``Ledger``."""
        return np.where(self.equal[queries], np.inf, self.best[queries] - self.band).astype(np.float32)

    def learn(self, queries: Rows, targets: Rows, anchors: FloatMatrix, others: FloatMatrix) -> None:
        """Compare, in float64, every target that may be the best of these; see ``Ledger``."""
        capped = others > anchors + np.float32(2.0 * self.band)
        values = np.minimum(anchors, others, out=others)
        near_top = values.max(axis=0) - np.float32(2.0 * self.band)
        query, target = np.nonzero((values >= np.maximum(self.floor(queries), near_top)).T)
        matters = self._leads_its_ties(query, targets[target], capped[target, query])
        targets, queries = targets[target[matters]], queries[query[matters]]
        exact = edge_similarities(self.vectors, self.query.ends[queries], self.target.ends[targets])
        order = np.lexsort((self.target.rank[targets], -exact, queries))
        leads = order[np.diff(queries[order], prepend=-1) != 0]
        self._update(queries[leads], targets[leads], exact[leads])

    def _leads_its_ties(self, query: Rows, targets: Rows, capped: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which pairs do not merely repeat the pair before them.

        Where the anchors are certainly the less similar ends, they alone are the similarity: targets with one anchor tie,
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
        self.equal[queries] = True
