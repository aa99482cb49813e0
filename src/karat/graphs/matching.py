"""Matching by meaning: what edges and nodes have in common when vectors decide which of them meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.core.context import Context, FloatMatrix, Progress, silent
from karat.core.matching import NONE_MET, Evidence, Items, Matching, Side, SideName
from karat.core.parameters import parameter
from karat.encoders.measure import WORDNET_THRESHOLD, EncodedMeasure
from karat.graphs.model import Graph
from karat.kernels.best import best_counterparts, best_nodes
from karat.kernels.cosine import pair_cosines
from karat.kernels.edge_join import edge_join, node_join


@dataclass(frozen=True, kw_only=True)
class ThresholdMeasure(EncodedMeasure[Graph]):
    """A measure whose items meet when every end of them is nearer than a threshold, by cosine.

    Attributes:
        threshold: The cosine that every end must pass.
        inclusive: Whether a cosine equal to the threshold passes.
    """

    threshold: float = parameter(
        WORDNET_THRESHOLD, help="the cosine that must be passed", always=True, bounds=(-1.0, 1.0)
    )
    inclusive: bool = parameter(False, help="whether a cosine equal to the threshold passes (OLLM's code)")

    def join(
        self,
        rows: tuple[NDArray[np.int64], NDArray[np.int64]],
        items: tuple[Items, Items],
        vectors: FloatMatrix,
        context: Context,
    ) -> MeaningMatching:
        """Decide for every item whether any item of the other side meets it.

        Args:
            rows: Items of the prediction and of gold as rows of ``vectors``: shape (edges, 2) for edges, (nodes,)
                for nodes, int64.
            items: What these rows are about.
            vectors: Unit rows, float32, shape (texts, dimension).
            context: How much memory may be taken, and who hears of progress.
        """
        join = edge_join if rows[0].ndim > 1 else node_join
        found = join(
            vectors,
            *rows,
            threshold=self.threshold,
            inclusive=self.inclusive,
            memory=context.memory,
            progress=context.progress,
        )
        return MeaningMatching(
            pred=Side.of_hits(found.hit_pred),
            gold=Side.of_hits(found.hit_gold),
            pred_items=items[0],
            gold_items=items[1],
            vectors=vectors,
            pred_rows=rows[0],
            gold_rows=rows[1],
            threshold=self.threshold,
            memory=context.memory,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class MeaningMatching(Matching):
    """A matching whose verdicts were decided without looking every best counterpart up.

    Attributes:
        vectors: Unit rows, one a distinct text, float32, shape (texts, dimension).
        pred_rows: Items of the prediction as rows of ``vectors``, int64, shape (edges, 2) or (nodes,).
        gold_rows: Items of gold likewise.
        threshold: The cosine that every end had to pass.
        memory: Bytes that a look-up may take for its tiles.
    """

    vectors: FloatMatrix
    pred_rows: NDArray[np.int64]
    gold_rows: NDArray[np.int64]
    threshold: float
    memory: int

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Look up the best counterpart of some items: the one whose farther end is nearest."""
        pair = (self.pred_rows, self.gold_rows)
        here, there = pair if side == "pred" else pair[::-1]
        here = here[rows]
        find = best_counterparts if here.ndim > 1 else best_nodes
        best = find(self.vectors, here, there, memory=self.memory, progress=progress)
        ends = self._end_cosines(here, there, best.counterpart) if here.ndim > 1 else {}
        details = {**ends, "margin": best.similarity - self.threshold}
        return Evidence(counterpart=best.counterpart, similarity=best.similarity, details=details)

    def _end_cosines(
        self, here: NDArray[np.int64], there: NDArray[np.int64], counterpart: NDArray[np.int64]
    ) -> dict[str, NDArray[np.float64]]:
        cosines = np.full((2, len(here)), np.nan)
        met = counterpart != NONE_MET
        for end in (0, 1):
            cosines[end, met] = pair_cosines(self.vectors, here[met, end], there[counterpart[met], end])
        return {"child_cosine": cosines[0], "parent_cosine": cosines[1]}


def encoded_nodes(
    *, pred: Graph, gold: Graph, context: Context
) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatMatrix]:
    """Give the nodes of both graphs as rows of one matrix of vectors.

    Args:
        pred: The prediction.
        gold: The gold standard.
        context: Where vectors come from.

    Returns:
        Row of each node of the prediction, int64, shape (nodes,); of each node of gold likewise; vectors, float32, one
        row a distinct text. Nodes of equal text have equal rows.
    """
    vectors, rows = context.vectors(np.concatenate([pred.texts, gold.texts]))
    return rows[: len(pred.texts)], rows[len(pred.texts) :], vectors


def encoded_edges(
    *, pred: Graph, gold: Graph, context: Context
) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatMatrix]:
    """Give the edges of both graphs as rows of one matrix of vectors, int64, shape (edges, 2); see `encoded_nodes`."""
    pred_nodes, gold_nodes, vectors = encoded_nodes(pred=pred, gold=gold, context=context)
    return pred_nodes[pred.edges], gold_nodes[gold.edges], vectors
