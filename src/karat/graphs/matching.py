"""The evidence of the fuzzy measures: the best counterpart of an edge, looked up when somebody asks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.core.context import Context, FloatMatrix, Progress, silent
from karat.core.matching import NONE_MET, Evidence, Matching, SideName
from karat.graphs.model import Graph
from karat.kernels.best import best_counterparts
from karat.kernels.cosine import pair_cosines


def encoded_edges(
    *, pred: Graph, gold: Graph, context: Context
) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatMatrix]:
    """Give the edges of both graphs as rows of one matrix of vectors.

    Args:
        pred: The prediction.
        gold: The gold standard.
        context: Where vectors come from.

    Returns:
        Edges of the prediction, int64, shape (edges, 2); edges of gold likewise; vectors, float32, one row a
        distinct text. Nodes of equal text have equal rows.
    """
    vectors, rows = context.vectors(np.concatenate([pred.texts, gold.texts]))
    return rows[: len(pred.texts)][pred.edges], rows[len(pred.texts) :][gold.edges], vectors


@dataclass(frozen=True, eq=False, kw_only=True)
class EdgeMatching(Matching):
    """A matching of edges by meaning, whose verdicts were decided without looking every counterpart up.

    Attributes:
        vectors: Unit rows, one a distinct text, float32, shape (texts, dimension).
        pred_edges: Edges of the prediction as rows of ``vectors``, int64, shape (edges, 2).
        gold_edges: Edges of gold as rows of ``vectors``, int64, shape (edges, 2).
        threshold: The cosine that both ends had to pass.
        memory: Bytes that a look-up may take for its tiles.
    """

    vectors: FloatMatrix
    pred_edges: NDArray[np.int64]
    gold_edges: NDArray[np.int64]
    threshold: float
    memory: int

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Look up the best counterpart of some edges: the one with the largest smaller cosine of the two ends."""
        pair = (self.pred_edges, self.gold_edges)
        here, there = pair if side == "pred" else pair[::-1]
        here = here[rows]
        best = best_counterparts(self.vectors, here, there, memory=self.memory, progress=progress)
        met = best.counterpart != NONE_MET
        child, parent = np.full((2, len(rows)), np.nan)
        counterparts = there[best.counterpart[met]]
        child[met] = pair_cosines(self.vectors, here[met, 0], counterparts[:, 0])
        parent[met] = pair_cosines(self.vectors, here[met, 1], counterparts[:, 1])
        details = {"child_cosine": child, "parent_cosine": parent, "margin": best.similarity - self.threshold}
        return Evidence(counterpart=best.counterpart, similarity=best.similarity, details=details)
