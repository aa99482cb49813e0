"""The graph score: nodes are compared by their meaning together with that of their neighbours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.core.errors import require
from goldassay.core.parameters import parameter
from goldassay.encoders.measure import pooled_lengths
from goldassay.graphs.assigned import AssignedMeasure, AssignmentMatching, ranked_texts
from goldassay.graphs.model import Graph
from goldassay.graphs.nodes import NodeItems
from goldassay.graphs.texts import numbered_texts
from goldassay.kernels.edges.layout import loops
from goldassay.kernels.smoothing import smoothed
from goldassay.kernels.types import Rows


@dataclass(frozen=True, kw_only=True)
class GraphF1(AssignedMeasure):
    """Nodes are assigned one to one by the cosine of their vectors, smoothed over the graph first.

    A hop adds to each node the vectors of its neighbours, weighted by degrees: D^-1/2 (A + I) D^-1/2, the simplified
    graph convolution. It compares nodes with their positions in the hierarchy.

    Attributes:
        gap: How far the mean similarity may be below the optimum, if that cannot be found exactly.
        hops: The number of smoothing steps.
        direction: ``forward`` from parent to child, ``reverse`` from child to parent, ``undirected`` both ways.
        pooled: Whether vectors are smoothed before normalisation.

    Example:
        >>> gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> GraphF1().score(pred=pred, gold=gold, encoder="hashing")
        <Score graph(hops=2): precision 1.0000, recall 1.0000, f1 1.0000, f1_upper 1.0000>
    """

    name: ClassVar[str] = "graph"
    unit: ClassVar[str] = "node"
    title: ClassVar[str] = "Graph F1"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|V'|} \max_{M} \sum_{(u', u) \in M} \cos(h_{u'}, h_u),\quad R = \frac{|V'|}{|V|} P,\quad "
        r"H = (D^{-1/2} (A + I) D^{-1/2})^K X"
    )
    citation: ClassVar[str] = "lo2024ollm"
    conventions: ClassVar[tuple[str, ...]] = (
        "OLLM's tests use hops=2 and direction=forward, with in-degrees that include a self-loop",
        "OLLM's code smooths vectors before normalisation: pooled=true, which changes the score by about 0.001",
        "a self-loop in the data is the loop that every node gets, not a second one",
    )

    gap: float = parameter(
        1e-2, help="maximum distance from the optimum, if memory does not allow the exact score", bounds=(1e-4, 1.0)
    )
    hops: int = parameter(2, help="number of smoothing steps along edges", always=True, bounds=(0, 100))
    direction: str = parameter(
        "forward", help="direction of smoothing along edges", choices=("forward", "reverse", "undirected")
    )

    pooled: bool = parameter(False, help="smooth vectors before normalisation (OLLM's code; only minilm)")

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> AssignmentMatching[NodeItems]:
        """Smooth the vectors of both graphs, and assign their nodes one to one."""
        require("scipy", extra="scipy", purpose="smooth vectors over a graph")
        pred, gold = _by_text(pred), _by_text(gold)
        pred_texts, gold_texts, vectors = ranked_texts(pred=pred.texts, gold=gold.texts, context=context)
        if self.pooled:
            texts, _ = numbered_texts(pred.texts, gold.texts)
            vectors = vectors * pooled_lengths(context.encoder, texts, progress=context.progress)[:, None]
        sides = [
            smoothed(vectors[texts], _messages(graph, self.direction), self.hops)
            for graph, texts in ((pred, pred_texts), (gold, gold_texts))
        ]
        rows = loops(np.arange(len(sides[0]))), loops(np.arange(len(sides[1]))) + len(sides[0])
        items = NodeItems(pred), NodeItems(gold)
        return self.assign(np.concatenate(sides), rows=rows, items=items, context=context)


def _by_text(graph: Graph) -> Graph:
    """Put the nodes in the order of their texts, so that no sum depends on the order of the input."""
    order = np.argsort(graph.ids, kind="stable")
    order = order[np.argsort(graph.texts[order], kind="stable")]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return replace(graph, ids=graph.ids.take(order), texts=graph.texts.take(order), edges=place[graph.edges])


def _messages(graph: Graph, direction: str) -> Rows:
    """List senders and receivers: an edge runs from child to parent."""
    up, down = graph.edges, graph.edges[:, ::-1]
    chosen = {"forward": (down,), "reverse": (up,), "undirected": (up, down)}[direction]
    return np.unique(np.concatenate(chosen), axis=0)
