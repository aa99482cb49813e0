"""The nearest texts of the other side above a threshold, all of them where several are equally near."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges.best_ledger import BestLedger
from goldassay.kernels.edges.layout import lay_out, loops
from goldassay.kernels.search import MEMORY, Counter, search, search_within_cells
from goldassay.kernels.types import FloatMatrix, Progress, Rows


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest rows of the other side.

    Attributes:
        similarity: The largest cosine of each query, nan where it does not exceed the threshold, float64, shape (m,).
        starts: The nearest rows of query ``i`` are ``places[starts[i]:starts[i + 1]]``, int64, shape (m + 1,).
        places: Places among the targets, ascending for each query, int64, shape (pairs,).
    """

    similarity: NDArray[np.float64]
    starts: Rows
    places: Rows


def nearest_rows(
    vectors: FloatMatrix,
    queries: Rows,
    targets: Rows,
    *,
    threshold: float,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Nearest:
    """Find the most similar targets of each query, as ``pair_cosines`` on every pair says.

    The search is that of ``best_counterparts``: float32 products exclude what lies beyond their proven error. A query
    that has an equal vector among the targets is not compared with the others.

    Args:
        vectors: Unit rows, float32, shape (k, d).
        queries: Rows of ``vectors``, of different values, int64, shape (m,).
        targets: The rows to choose from, likewise, int64, shape (n,).
        threshold: The value that the cosine must exceed.
        memory: As for ``edge_join``.
        progress: As for ``edge_join``.

    Example:
        >>> vectors = np.array([[1, 0], [0.6, 0.8], [0.6, -0.8], [0, 1]], dtype=np.float32)
        >>> found = nearest_rows(vectors, np.array([0, 3]), np.array([1, 2]), threshold=0.7)
        >>> found.similarity.round(6).tolist(), found.starts.tolist(), found.places.tolist()
        ([nan, 0.8], [0, 0, 1], [0])
        >>> nearest_rows(vectors, np.array([0]), np.array([1, 2]), threshold=0.5).places.tolist()
        [0, 1]
    """
    layout = lay_out(vectors, loops(queries), loops(targets), memory)
    ledger = NearestLedger.blank(vectors, layout)
    ledger.highest[:] = threshold  # What is no better is as if it had been surpassed.
    ledger.match_equals()
    if layout.cells > 1:
        search_within_cells(vectors, layout.left_side, layout.right_side, ledger, memory=memory, cells=layout.cells)
    counter = Counter(progress, "finding nearest texts", len(layout.left))
    counter.add(int(np.count_nonzero(np.isposinf(ledger.highest))))
    search(
        vectors, layout.left_side, layout.right_side, ledger, memory=memory, answered=counter.add, rough=layout.rough
    )
    ledger.settle()
    query, target = ledger.winners(threshold)
    best = np.where(ledger.best > threshold, ledger.best, np.nan)
    pairs = np.unique(layout.left.first[query] * len(targets) + layout.right.first[target])
    query, places = np.divmod(pairs, max(len(targets), 1))
    return Nearest(best[layout.left.merged], np.searchsorted(query, np.arange(len(queries) + 1)), places)


@dataclass(frozen=True, eq=False)
class NearestLedger(BestLedger):
    """The ledger of a search for all best counterparts.

    Attributes:
        ties: Queries, targets and exact cosines that were the best when they were compared.
    """

    ties: list[tuple[Rows, Rows, NDArray[np.float64]]] = field(default_factory=list)

    def settle(self) -> None:
        """Compare, in float64, all targets that may still be the best, and keep those that are."""
        if not self.waiting.parts:
            return
        queries, targets, values = (np.concatenate(column) for column in zip(*self.waiting.parts, strict=True))
        self.waiting.parts, self.waiting.pairs = [], 0
        near = values >= self.highest[queries] - self._width
        queries, targets = queries[near], targets[near]
        exact = pair_cosines(self.vectors, self.query.ends[queries, 0], self.target.ends[targets, 0])
        np.maximum.at(self.best, queries, exact)
        kept = exact == self.best[queries]
        self.ties.append((queries[kept], targets[kept], exact[kept]))

    def winners(self, threshold: float) -> tuple[Rows, Rows]:
        """List the pairs of a query and a best target, equal ones among them."""
        equal = np.flatnonzero(self.counterpart >= 0)
        found = [(equal, self.counterpart[equal], self.best[equal]), *self.ties]
        query, target, cosine = (np.concatenate(column) for column in zip(*found, strict=True))
        wins = (cosine == self.best[query]) & (cosine > threshold)
        return query[wins], target[wins]
