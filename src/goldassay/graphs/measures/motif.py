"""The distribution of 3-node motifs, which depends on structure only; and the connected components that hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, choose
from goldassay.core.errors import require
from goldassay.core.matching import NO_MATCH, Matching, Side, SideName
from goldassay.core.measure import Measure, item_names
from goldassay.core.parameters import Bounds
from goldassay.core.parts import Part, both_parts
from goldassay.graphs.model import Graph
from goldassay.kernels.components import parts
from goldassay.kernels.ragged import mark
from goldassay.kernels.triads import TRIADS, count_triads_by


def components_of(graph: Graph) -> NDArray[np.int64]:
    """Number the component of each node, int64, shape (nodes,)."""
    return parts(graph.edges, len(graph.ids))


def component_names(graph: Graph) -> list[str]:
    """Return the name of the component of each node: the alphabetically first of its roots; where it has none, of its nodes."""
    component = components_of(graph)
    texts, places = graph.alphabet
    below = mark(graph.edges[:, 0], len(places))
    # Roots come before other nodes.
    order = places + len(texts) * below
    first = np.full(component.max(initial=-1) + 1, 2 * len(texts))
    np.minimum.at(first, component, order)
    names = [texts[place % len(texts)] for place in first.tolist()]
    return list(map(names.__getitem__, component.tolist()))


@dataclass(frozen=True, eq=False)
class Motifs:
    """The connected 3-node motifs of a graph as the items that are compared: its histogram."""

    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(TRIADS)

    def item(self, row: int) -> str:
        """Return the name of one motif, for example ``021D``."""
        return TRIADS[row]

    @property
    def frequencies(self) -> FloatArray:
        """Share of each motif, float64, shape (13,); all 0 if there is none."""
        return np.asarray(Division()("frequency", self.counts, np.full(len(self), self.counts.sum())))


@dataclass(frozen=True, eq=False)
class Components:
    """The weakly connected components of a graph that hold motifs. The nodes of a motif hang together, so it is in one."""

    graph: Graph
    rows: NDArray[np.int64]
    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def names(self) -> list[str]:
        """Their names."""
        names = component_names(self.graph)
        return [names[row] for row in self.rows.tolist()]

    def item(self, row: int) -> str:
        """Return the display name of one component: its first root."""
        return self.names[row]

    @property
    def motifs(self) -> Motifs:
        """The motifs of all components together."""
        return Motifs(self.counts.sum(axis=0))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MotifMatching(Matching[Motifs]):
    """Both histograms, side by side."""

    pred_components: Components
    gold_components: Components

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return how often each motif occurs in the graph, and its share."""
        items = self._items(side)
        return {"count": items.counts[rows], "frequency": items.frequencies[rows]}


@dataclass(frozen=True, kw_only=True)
class Motif(Measure[Graph, MotifMatching]):
    """The total variation distance between the frequencies of the 13 connected 3-node motifs; lower is better.

    Example:
        >>> gold = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
        >>> pred = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> Motif().score(pred=pred, gold=gold)
        <Score motif: distance 1.0000>
    """

    name: ClassVar[str] = "motif"
    title: ClassVar[str] = "Motif distance"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = r"d = \frac{1}{2} \sum_{i=1}^{13} |f'_i - f_i| = 1 - \sum_{i=1}^{13} \min(f'_i, f_i)"
    citation: ClassVar[str] = "lo2024ollm"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"distance": (0.0, 1.0)})
    headline: ClassVar[str] = "distance"
    unit: ClassVar[str] = "component"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "same"
    higher_is_better: ClassVar[bool] = False
    conventions: ClassVar[tuple[str, ...]] = (
        "a motif is an induced, connected subgraph of three nodes; loops and the texts of nodes do not count",
        "a graph without any motif is at distance 1 from one that has some; two such graphs are 0/0",
    )

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> MotifMatching:
        """Count the motifs of both graphs."""
        del context
        components = _components(pred), _components(gold)
        here, there = (found.motifs for found in components)
        return MotifMatching(
            pred=_side(here, there),
            gold=_side(there, here),
            pred_items=here,
            gold_items=there,
            pred_components=components[0],
            gold_components=components[1],
        )

    def parts(self, matching: MotifMatching) -> tuple[Part, ...]:
        """List the components of both graphs: each adds how often it has each motif."""
        items = matching.pred_components, matching.gold_components
        counts = [
            {f"{side}_{name}": one.counts[:, row] for row, name in enumerate(TRIADS)}
            for side, one in zip(("pred", "gold"), items, strict=True)
        ]
        return both_parts(items, [partial(item_names, one) for one in items], counts)

    def units(self, matching: MotifMatching) -> None:
        """Return no units: the edges of one graph depend on each other, so that they cannot be drawn separately."""
        del matching

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Compare the shares of each motif."""
        totals = {side: sum(counts[f"{side}_{name}"] for name in TRIADS) for side in ("pred", "gold")}
        # Whole numbers, of any size: what shares of equal graphs differ by is 0, and not what a division rounds.
        both, some = totals["pred"] * totals["gold"], totals["pred"] + totals["gold"]
        apart_by = (
            counts[f"pred_{name}"] * totals["gold"] - counts[f"gold_{name}"] * totals["pred"] for name in TRIADS
        )
        beyond = sum(choose(more > 0, more, 0) for more in apart_by)
        apart = ratio("distance", some, some) * np.where(both > 0, Division(1.0)("share", beyond, both), 1.0)
        return {"distance": float(apart) if np.ndim(apart) == 0 else apart}


def _components(graph: Graph) -> Components:
    require("scipy", extra="scipy", purpose="count motifs")
    rows, component = np.unique(components_of(graph), return_index=True, return_inverse=True)[1:]
    # The names of motifs follow OLLM, which draws edges from parent to child.
    counts = count_triads_by(graph.edges[:, ::-1], component, len(rows))
    some = counts.any(axis=1)
    return Components(graph, rows[some], counts[some])


def _side(here: Motifs, there: Motifs) -> Side:
    """Credit each motif with the common part of its shares; a motif that does not occur counts as matched."""
    mine, other = here.frequencies, there.frequencies
    credit = np.divide(np.minimum(mine, other), mine, out=np.ones_like(mine), where=mine > 0)
    counterpart = np.where(there.counts > 0, np.arange(len(here)), NO_MATCH)
    return Side.of_credit(credit, counterpart)
