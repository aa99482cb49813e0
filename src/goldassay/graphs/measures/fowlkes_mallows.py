"""Cumulative Fowlkes-Mallows: whether both taxonomies put the same leaves together, cut at every depth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, shares
from goldassay.core.errors import UsageError, require
from goldassay.core.matching import Amounts, Matching, Named, Side, SideName
from goldassay.core.measure import Measure
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.graphs.measures.ancestors import TextPair
from goldassay.graphs.model import Graph
from goldassay.kernels.clusterings import cuts, pairs_together, pairs_together_in_both
from goldassay.kernels.components import parts
from goldassay.kernels.ragged import mark
from goldassay.kernels.reach import Order

SHOWN = 5


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LevelMatching(Matching[Named]):
    """The two taxonomies cut at every depth."""

    together: NDArray[np.float64]  # pairs of leaves that both sides put together, float64, shape (levels,)
    pred_only: NDArray[np.float64]
    gold_only: NDArray[np.float64]
    weights: NDArray[np.float64]
    facts: Mapping[str, int]

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return how many pairs both sides put together at each level, and how many only one."""
        del side
        columns = {"together": self.together, "pred_only": self.pred_only, "gold_only": self.gold_only}
        return {name: column[rows].astype(np.int64) for name, column in columns.items()}


@dataclass(frozen=True, kw_only=True)
class FowlkesMallows(Measure[Graph, LevelMatching]):
    """The agreement of both taxonomies on which leaves belong together, cut at every depth; upper levels weigh more.

    Cut at depth i, a node of depth i is a cluster with all leaves below it. B_i compares the pairs of leaves that lie in a
    common cluster on either side; the levels are averaged with the weights 1 / (i + 1). A leaf is what is a leaf on either
    side, and depth is the longest way from a root. It also gives TExEval's statistics: the shares of gold's nodes and edges
    that the prediction has, its other edges by those of gold, and, among the counts, the structure of both sides.

    Attributes:
        root: The root that both taxonomies are cut below; None for all roots, which are at depth 0, and by the convention of
            ``texeval`` for the only root of gold, if it has but one that the prediction has too.
        convention: ``symmetric``, or as the ``texeval`` tool counts.

    Example:
        >>> gold = Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("cow", "animal")])
        >>> pred = Graph.from_edges([("cat", "pet"), ("dog", "animal"), ("pet", "animal"), ("cow", "pet")])
        >>> round(FowlkesMallows().score(pred=pred, gold=gold).cumulative, 4)
        0.6667
    """

    name: ClassVar[str] = "fowlkes_mallows"
    title: ClassVar[str] = "Cumulative Fowlkes-Mallows"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"B = \frac{\sum_{i=0}^{k-1} \frac{1}{i+1} B_i}{\sum_{i=0}^{k-1} \frac{1}{i+1}},\quad "
        r"B_i = \frac{n_{11}^i}{\sqrt{(n_{11}^i + n_{10}^i)(n_{11}^i + n_{01}^i)}}"
    )
    citation: ClassVar[str] = "velardi2013ontolearn"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType(
        {
            "cumulative": (0.0, 1.0),
            "vertex_coverage": (0.0, 1.0),
            "edge_coverage": (0.0, 1.0),
            "novel_edges": (0.0, math.inf),
        }
    )
    headline: ClassVar[str] = "cumulative"
    unit: ClassVar[str] = "level"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    defined_one_sided: ClassVar[bool] = True
    conventions: ClassVar[tuple[str, ...]] = (
        (
            "TExEval 1.0 counts only the leaves of gold in gold, and those of either side in the prediction, cuts no deeper than "
            "gold, and gives a level without any pair 0: convention=texeval, root=..."
        ),
        "TExEval gives a plausible number for a root that a taxonomy does not have; here that is an error",
        "a pair in several common clusters counts once; cycles are condensed first",
        "a level where no two leaves are together on either side is left out",
    )

    root: str | None = parameter(None, help="the root that both taxonomies are cut below; all roots without it")
    convention: str = parameter(
        "symmetric", help="symmetric, or as the texeval tool counts", choices=("symmetric", "texeval")
    )

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a taxonomy scores against itself; TExEval gives a level without any pair 0."""
        return {} if self.convention == "texeval" else {**super().perfect, "novel_edges": 0.0}

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> LevelMatching:
        """Cut both taxonomies at every depth, and count the pairs of leaves that are together."""
        numbers = TextPair.of(pred, gold)
        require("scipy", extra="scipy", purpose="count pairs of nodes in clusters")
        root = self._root(numbers)
        exact = self.convention == "texeval"
        present = [mark(rows, len(numbers.texts)) for rows in (numbers.pred, numbers.gold)]
        leaves = [_leaves(order) & here for order, here in zip(numbers.orders(), present, strict=True)]
        either = leaves[0] | leaves[1]
        wanted = either, leaves[1] if exact else either
        cut = [
            _Taxonomy.of(edges, objects & here, root)
            for edges, objects, here in zip(numbers.edges, wanted, present, strict=True)
        ]
        depth = cut[1].depth if exact else max(cut[0].depth, cut[1].depth)
        both = np.intersect1d(cut[0].objects, cut[1].objects, assume_unique=True)
        together, pred_pairs, gold_pairs = (np.zeros(depth) for _ in range(3))
        clusters = (cuts(one.order, depth, one.objects, itself=not exact) for one in cut)
        for level, (here, there) in zip(reversed(range(depth)), zip(*clusters, strict=True), strict=True):
            context.progress("cutting taxonomies", depth - 1 - level, depth)
            pred_pairs[level] = pairs_together(cut[0].objects, here, memory=context.memory)
            gold_pairs[level] = pairs_together(cut[1].objects, there, memory=context.memory)
            together[level] = pairs_together_in_both(both, here, there, memory=context.memory)
        weights = 1.0 / np.arange(1, depth + 1)
        if not exact:
            weights[pred_pairs + gold_pairs == 0] = 0.0
        agreement = shares(together, np.sqrt(pred_pairs * gold_pairs))
        side = Side(credit=agreement, counterpart=np.arange(depth), similarity=agreement)
        items = Named([f"level {level}" for level in range(depth)])
        return LevelMatching(
            pred=side,
            gold=side,
            pred_items=items,
            gold_items=items,
            included=(weights > 0, weights > 0),
            together=together,
            pred_only=pred_pairs - together,
            gold_only=gold_pairs - together,
            weights=weights,
            facts=_facts(numbers),
        )

    def parts(self, matching: LevelMatching) -> tuple[Part, ...]:
        """List the levels, and the statistics of both taxonomies."""
        levels, whole = matching.gold_items, Named(("taxonomies",))
        counts = dict(zip(("weighted", "weights"), self.added(matching, "gold"), strict=True))
        facts = {name: [count] for name, count in matching.facts.items()}
        return (
            Part(items=levels, others=levels, unit_keys=lambda: levels.names, counts=counts),
            Part(items=whole, others=whole, unit_keys=lambda: whole.names, counts=facts),
        )

    def added(self, matching: LevelMatching, side: SideName) -> Amounts:
        """Return the agreement of each level by its weight, and its weight."""
        del side
        return matching.weights * matching.gold.credit, matching.weights

    def units(self, matching: LevelMatching) -> None:
        """Return no units: the levels depend on each other, so that they cannot be drawn separately."""
        del matching

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Average the levels, and divide what is common and what is novel by what gold has."""
        return {
            "cumulative": ratio("cumulative", counts["weighted"], counts["weights"]),
            "vertex_coverage": ratio("vertex_coverage", counts["common_vertices"], counts["gold_vertices"]),
            "edge_coverage": ratio("edge_coverage", counts["common_edges"], counts["gold_edges"]),
            "novel_edges": ratio("novel_edges", counts["pred_edges"] - counts["common_edges"], counts["gold_edges"]),
        }

    def _root(self, numbers: TextPair) -> int | None:
        """Find the root that both taxonomies are cut below; None for all roots."""
        texts: list[str] = numbers.texts.tolist()
        roots = _roots(numbers.edges[1], len(texts))
        shown = ", ".join(texts[row] for row in roots[:SHOWN].tolist()) or "none"
        exact = self.convention == "texeval"
        if self.root is None:
            only = int(roots[0]) if exact and len(roots) == 1 else None
            return only if only in numbers.pred else None
        sides = {"gold": numbers.gold, "the prediction": numbers.pred}
        for side, rows in sides.items():
            if len(rows) and self.root not in numbers.texts[rows].tolist():
                raise UsageError(
                    f"{self.name}: {side} has no node {self.root!r}.",
                    expected=f"a root of gold: {shown}",
                    hint="root=...",
                )
        if self.root not in texts:
            return None
        root = texts.index(self.root)
        if not exact and root in numbers.edges[1][:, 0] and root not in roots:
            raise UsageError(
                f"{self.name}: {self.root!r} is not a root of gold.", expected=f"a root: {shown}", hint="root=..."
            )
        return root


@dataclass(frozen=True, eq=False)
class _Taxonomy:
    """What is cut of one taxonomy."""

    order: Order
    objects: NDArray[np.int64]

    @classmethod
    def of(cls, edges: NDArray[np.int64], objects: NDArray[np.bool_], root: int | None) -> _Taxonomy:
        """Keep what lies at or below a root; everything if it is None."""
        size = len(objects)
        if root is not None:
            inside = Order.of(edges, size).above(np.array([root]), 1)[:, 0] > 0
            inside[root] = True
            edges, objects = edges[inside[edges].all(axis=1)], objects & inside
        return cls(Order.of(edges, size), np.flatnonzero(objects))

    @property
    def depth(self) -> int:
        """Edges of its longest way: at how many depths it has a cluster."""
        return len(self.order.layers)


def _leaves(order: Order) -> NDArray[np.bool_]:
    """Mark the nodes that no other node is below, but those of their own cycle."""
    return np.asarray(~mark(order.edges[:, 1], order.size)[order.group])


def _roots(edges: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """List the nodes that have something below them, and nothing above but their own cycle."""
    order = Order.of(edges, size)
    lower, upper = (mark(order.edges[:, end], order.size) for end in (0, 1))
    return np.flatnonzero((upper & ~lower)[order.group])


def _facts(numbers: TextPair) -> dict[str, int]:
    """Count what TExEval reports of both sides."""
    size = len(numbers.texts)
    keys = [edges[:, 0] * size + edges[:, 1] for edges in numbers.edges]
    sides = zip(("pred", "gold"), (numbers.pred, numbers.gold), numbers.edges, numbers.loops, strict=True)
    return {
        "common_vertices": int(numbers.common.sum()),
        "common_edges": int(np.isin(keys[0], keys[1]).sum()) + len(np.intersect1d(*numbers.loops)),
        **{
            f"{name}_{what}": count
            for name, vertices, edges, loops in sides
            for what, count in _structure(vertices, edges, loops, size).items()
        },
    }


def _structure(
    vertices: NDArray[np.int64], edges: NDArray[np.int64], loops: NDArray[np.int64], size: int
) -> dict[str, int]:
    """Count the nodes of one taxonomy by their position, and its edges, components and cycles."""
    order = Order.of(edges, size)
    # A loop makes its node an inner one, as TExEval and networkx count.
    child, parent = (mark(np.concatenate([edges[:, end], loops]), size)[vertices] for end in (0, 1))
    return {
        "vertices": len(vertices),
        "edges": len(edges) + len(loops),
        "components": len(np.unique(parts(edges, size)[vertices])),
        "cyclic_components": int((np.bincount(order.group, minlength=1) > 1).sum()),
        "self_loops": len(loops),
        "roots": int((parent & ~child).sum()),
        "intermediate_nodes": int((parent & child).sum()),
        "leaves": int((child & ~parent).sum()),
        "isolated": int((~child & ~parent).sum()),
        "depth": int(order.depths.max(initial=0)),
    }
