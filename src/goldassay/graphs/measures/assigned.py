"""One-to-one assignments by similarity: of edges (continuous), and of nodes with their neighbours (graph)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from goldassay.core.context import Context, FloatMatrix
from goldassay.core.counts import Counts, Division
from goldassay.core.errors import GoldassayWarning, UsageError, require
from goldassay.core.intern import Names, StringArray
from goldassay.core.matching import NO_MATCH, ItemsT_co, Matching, Side
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.core.signature import Signature
from goldassay.core.units import Units
from goldassay.encoders.measure import EncodedMeasure, compute_pooled_lengths
from goldassay.graphs.match import add_slack, highest
from goldassay.graphs.model import Graph, NodeItems
from goldassay.graphs.texts import number_texts
from goldassay.kernels.edges.assignment import Assignment, assign, least_memory
from goldassay.kernels.edges.layout import loops
from goldassay.kernels.ragged import places_of
from goldassay.kernels.smoothing import smooth
from goldassay.kernels.types import Rows


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AssignmentMatching(Matching[ItemsT_co]):
    """A one-to-one matching, and how far it may be from the best one."""

    # upper bound on how much higher the sum of similarities of another one-to-one matching can be; 0 for the best
    slack: float


@dataclass(frozen=True, kw_only=True)
class AssignedMeasure(EncodedMeasure[Graph, AssignmentMatching[Any]]):
    """A measure that assigns items one to one, and adds up their similarities."""

    sums_over_records: ClassVar[bool] = False
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType(
        dict.fromkeys(("precision", "recall", "f1", "f1_upper"), (-1.0, 1.0))
    )

    gap: float = parameter(
        1e-3, help="maximum distance from the optimum, if memory does not allow the exact score", bounds=(1e-4, 1.0)
    )

    def assign(
        self, vectors: FloatMatrix, *, rows: tuple[Rows, Rows], items: tuple[ItemsT_co, ItemsT_co], context: Context
    ) -> AssignmentMatching[ItemsT_co]:
        """Assign the items of both sides one to one."""
        least = least_memory(len(rows[0]), len(rows[1]))
        if context.memory < least:
            raise UsageError(
                f"{self.name}: the memory limit is too small.",
                found=f"{context.memory / 2**20:.3g} MB",
                expected=f"at least {math.ceil(least / 2**20)} MB",
                hint=f"--memory {math.ceil(least / 2**20)}",
            )
        found = _assign_in_order(rows, vectors, self.gap, context)
        slack = found.upper - found.total
        if slack > self.gap * min(map(len, rows)):
            warnings.warn(
                f"{self}: the requested gap could not be reached; f1_upper is the upper bound of the score",
                GoldassayWarning,
                stacklevel=2,
            )
        back = found.swap_sides(len(rows[1]))
        return AssignmentMatching(
            pred=_side(found), gold=_side(back), pred_items=items[0], gold_items=items[1], slack=slack
        )

    def parts(self, matching: AssignmentMatching[Any]) -> tuple[Part, ...]:
        """List the items of both sides, and the possible excess of the best assignment, which belongs to no item."""
        return add_slack(super().parts(matching), matching.slack)

    def units(self, matching: AssignmentMatching[Any]) -> Units | None:
        """Split the counts over items; None where the assignment is not proven to be the best."""
        return None if matching.slack else super().units(matching)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sum by the items of each side, and do the same with the highest sum there may be."""
        values = super().divide(counts, ratio)
        return {**values, "f1_upper": super().divide(highest(counts), ratio)["f1"]}

    def sign(self, *, pred: Graph, gold: Graph, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the distance of the assignment from the best."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        mean = counts["slack"] / max(1, min(counts["n_pred"], counts["n_gold"]))
        return Signature(
            signature.measure, {"assignment": f"within {mean:.1e}" if mean else "exact", **signature.fields}
        )


def _assign_in_order(rows: tuple[Rows, Rows], vectors: FloatMatrix, gap: float, context: Context) -> Assignment:
    """Assign from the smaller side, or for equal sizes the first by its rows: swapping the sides changes nothing."""
    pred, gold = rows
    options: dict[str, Any] = {"gap": gap, "memory": context.memory, "progress": context.progress}
    if (len(gold), gold.tobytes()) < (len(pred), pred.tobytes()):
        return assign(vectors, gold, pred, **options).swap_sides(len(pred))
    return assign(vectors, pred, gold, **options)


def _side(found: Assignment) -> Side:
    matched = found.counterpart != NO_MATCH
    return Side(
        credit=np.where(matched, found.similarity, 0.0), counterpart=found.counterpart, similarity=found.similarity
    )


def rank_texts(
    *, pred: Names | StringArray, gold: Names | StringArray, context: Context
) -> tuple[Rows, Rows, FloatMatrix]:
    """Return the texts of both sides as rows of one matrix of vectors that is in their order."""
    texts, (here, there) = number_texts(pred, gold)
    vectors, rows = context.vectors(texts)
    return here, there, vectors[rows]


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
        pred_ranks, gold_ranks, vectors = rank_texts(pred=pred.texts[here], gold=gold.texts[there], context=context)
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
        pred, gold = _sort_by_text(pred), _sort_by_text(gold)
        pred_texts, gold_texts, vectors = rank_texts(pred=pred.texts, gold=gold.texts, context=context)
        if self.pooled:
            texts, _ = number_texts(pred.texts, gold.texts)
            vectors = vectors * compute_pooled_lengths(context.encoder, texts, progress=context.progress)[:, None]
        sides = [
            smooth(vectors[texts], _messages(graph, self.direction), self.hops)
            for graph, texts in ((pred, pred_texts), (gold, gold_texts))
        ]
        rows = loops(np.arange(len(sides[0]))), loops(np.arange(len(sides[1]))) + len(sides[0])
        items = NodeItems(pred), NodeItems(gold)
        return self.assign(np.concatenate(sides), rows=rows, items=items, context=context)


def _sort_by_text(graph: Graph) -> Graph:
    """Put the nodes in the order of their texts, so that no sum depends on the order of the input."""
    order = np.argsort(graph.ids, kind="stable")
    order = order[np.argsort(graph.texts[order], kind="stable")]
    place = places_of(order, len(order))
    return replace(graph, ids=graph.ids.take(order), texts=graph.texts.take(order), edges=place[graph.edges])


def _messages(graph: Graph, direction: str) -> Rows:
    """List senders and receivers: an edge runs from child to parent."""
    up, down = graph.edges, graph.edges[:, ::-1]
    chosen = {"forward": (down,), "reverse": (up,), "undirected": (up, down)}[direction]
    return np.unique(np.concatenate(chosen), axis=0)
