"""Continuous precision, recall and F1: edges are assigned one to one, and count by their similarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.graphs.assigned import AssignedMeasure, AssignmentMatching, ranked_texts
from goldassay.graphs.model import Graph
from goldassay.kernels.types import Rows


@dataclass(frozen=True, kw_only=True)
class Continuous(AssignedMeasure):
    """Edges are assigned one to one so that the sum of their similarities, the lower cosine of their ends, is highest.

    There is no threshold. If the matrix of similarities fits into memory, the assignment is optimal. Otherwise it
    is proven to be within ``gap`` of the optimum, and ``f1_upper`` is an upper bound of the optimum.

    Attributes:
        gap: How far the mean similarity may be below the optimum, if that cannot be found exactly.

    Example:
        >>> gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = Graph.from_edges([("leukemia", "cancer")])
        >>> Continuous().score(pred=pred, gold=gold, encoder="hashing")
        <Score continuous: precision 1.0000, recall 0.5000, f1 0.6667, f1_upper 0.6667>
    """

    name: ClassVar[str] = "continuous"
    unit: ClassVar[str] = "edge"
    title: ClassVar[str] = "Continuous F1"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|E'|} \max_{M} \sum_{((u', v'), (u, v)) \in M} \min(\cos(u, u'), \cos(v, v')),\quad "
        r"R = \frac{|E'|}{|E|} P,\quad M \subseteq E' \times E \text{ one to one}"
    )
    citation: ClassVar[str] = "lo2024ollm"
    conventions: ClassVar[tuple[str, ...]] = (
        "negative similarities are kept, as in OLLM's code: all edges of the smaller side are assigned",
        "OLLM's code refuses more than 20,000 edges per side; here the score is proven to be within the gap",
    )

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> AssignmentMatching[Graph]:
        """Assign the edges of both sides one to one."""
        # Of a part of a graph, such as a sample, few nodes have an edge.
        (here, pred_ends), (there, gold_ends) = (np.unique(side.edges, return_inverse=True) for side in (pred, gold))
        pred_ranks, gold_ranks, vectors = ranked_texts(pred=pred.texts[here], gold=gold.texts[there], context=context)
        rows = pred_ranks[pred_ends], gold_ranks[gold_ends]
        orders = _order(rows[0]), _order(rows[1])
        return self.assign(
            vectors,
            rows=(rows[0][orders[0]], rows[1][orders[1]]),
            items=(pred.take(orders[0]), gold.take(orders[1])),
            context=context,
        )


def _order(ends: Rows) -> Rows:
    """Return the order of edges by their texts, so that no sum depends on the order of the input."""
    return np.lexsort((ends[:, 1], ends[:, 0]))
