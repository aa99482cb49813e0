"""Precision, recall and F1 over nodes instead of edges: are the right things there, however they are arranged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from karat.core.context import Context, FloatMatrix, Progress, silent
from karat.core.matching import Evidence, Matching, Side, SideName
from karat.core.parameters import parameter
from karat.encoders.measure import EncodedMeasure
from karat.graphs.fuzzy import WORDNET_THRESHOLD
from karat.graphs.model import Graph
from karat.kernels.best import best_nodes
from karat.kernels.edge_join import node_join


@dataclass(frozen=True, eq=False)
class NodeItems:
    """The nodes of a graph as the items that are counted.

    Attributes:
        graph: The graph.
    """

    graph: Graph

    def __len__(self) -> int:
        return len(self.graph.texts)

    def item(self, row: int) -> str:
        """Name one node for a person: its text."""
        return str(self.graph.texts[row])


@dataclass(frozen=True, kw_only=True)
class Nodes(EncodedMeasure[Graph]):
    """A node is hit when some node of the other side is nearer than a threshold, by cosine.

    Attributes:
        threshold: The cosine that must be passed.
        inclusive: Whether a cosine equal to the threshold passes.

    Example:
        >>> gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = Graph.from_edges([("cancer", "leukemia")])
        >>> Nodes(threshold=0.9).score(pred=pred, gold=gold, encoder="hashing").precision
        1.0
    """

    name: ClassVar[str] = "nodes"
    title: ClassVar[str] = "Fuzzy F1 over nodes"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"P = \frac{|\{u' \in V' \mid \exists u \in V,\ \cos(u, u') > t\}|}{|V'|},\quad "
        r"R = \frac{|\{u \in V \mid \exists u' \in V',\ \cos(u, u') > t\}|}{|V|}"
    )
    citation: ClassVar[str] = "dellschaft2006gold"
    conventions: ClassVar[tuple[str, ...]] = (
        "lexical precision and recall compare texts exactly: threshold=1.0, inclusive=true",
    )

    threshold: float = parameter(
        WORDNET_THRESHOLD, help="the cosine that must be passed", always=True, bounds=(-1.0, 1.0)
    )
    inclusive: bool = parameter(False, help="whether a cosine equal to the threshold passes")

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> Matching:
        """Decide for every node whether any node of the other side meets it."""
        vectors, rows = context.vectors(np.concatenate([pred.texts, gold.texts]))
        pred_rows, gold_rows = rows[: len(pred.texts)], rows[len(pred.texts) :]
        join = node_join(
            vectors,
            pred_rows,
            gold_rows,
            threshold=self.threshold,
            inclusive=self.inclusive,
            memory=context.memory,
            progress=context.progress,
        )
        return NodeMatching(
            pred=Side.of_hits(join.hit_pred),
            gold=Side.of_hits(join.hit_gold),
            pred_items=NodeItems(pred),
            gold_items=NodeItems(gold),
            vectors=vectors,
            pred_rows=pred_rows,
            gold_rows=gold_rows,
            threshold=self.threshold,
            memory=context.memory,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class NodeMatching(Matching):
    """A matching of nodes by meaning, whose verdicts were decided without looking every counterpart up.

    Attributes:
        vectors: Unit rows, one a distinct text, float32, shape (texts, dimension).
        pred_rows: Row of ``vectors`` of each node of the prediction, int64, shape (nodes,).
        gold_rows: Row of ``vectors`` of each node of gold, int64, shape (nodes,).
        threshold: The cosine that had to be passed.
        memory: Bytes that a look-up may take for its tiles.
    """

    vectors: FloatMatrix
    pred_rows: NDArray[np.int64]
    gold_rows: NDArray[np.int64]
    threshold: float
    memory: int

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Look up the nearest node of the other side for some nodes."""
        pair = (self.pred_rows, self.gold_rows)
        here, there = pair if side == "pred" else pair[::-1]
        best = best_nodes(self.vectors, here[rows], there, memory=self.memory, progress=progress)
        margin = best.similarity - self.threshold
        return Evidence(counterpart=best.counterpart, similarity=best.similarity, details={"margin": margin})
