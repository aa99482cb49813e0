"""Measures of documents as whole graphs: those that are equal, and the edits from one to the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from goldassay.core.parameters import Bounds, parameter
from goldassay.triples.edits import SmallGraph, edit_distance
from goldassay.triples.graphs import GraphMeasure


@dataclass(frozen=True, kw_only=True)
class GraphMatch(GraphMeasure):
    """The share of documents whose graph is that of gold.

    Attributes:
        nodes: ``names`` asks for the same triples; ``any`` for graphs of the same shape with the same relations, whatever
            the nodes are called.

    Example:
        >>> from goldassay.triples import Triples
        >>> gold = Triples.from_lists({"a": [("x", "r", "y")], "b": [("x", "r", "y")]})
        >>> pred = Triples.from_lists({"a": [("x", "r", "y")], "b": [("u", "r", "v")]})
        >>> GraphMatch().score(pred=pred, gold=gold).accuracy, GraphMatch(nodes="any").score(pred=pred, gold=gold).accuracy
        (0.5, 1.0)
    """

    name: ClassVar[str] = "graph_match"
    title: ClassVar[str] = "Graph match accuracy"
    formula: ClassVar[str] = r"\frac{|\{d \mid P_d = G_d\}|}{|D|}"
    citation: ClassVar[str] = "han2024pive"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"accuracy": (0.0, 1.0)})
    headline: ClassVar[str] = "accuracy"
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of PiVe compares relations and shape alone, and one of several parallel edges: nodes=any, or pive",
    )

    nodes: str = parameter("names", help="whether the names of nodes must be equal", choices=("names", "any"))

    def compared(self, here: SmallGraph, there: SmallGraph) -> tuple[float, float]:
        """Return 1 where the graphs are the same, and 1 where they may be."""
        if self.nodes == "names":
            same = float(_named(here) == _named(there))
            return same, same
        if len(here.names) != len(there.names) or len(here) != len(there):
            return 0.0, 0.0
        found = edit_distance(here, there, named=False, most=0)
        return float(found.most == 0), float(found.least == 0)


def _named(graph: SmallGraph) -> set[tuple[str, str, str]]:
    return {
        (graph.names[start], label, graph.names[end])
        for (start, end), labels in graph.edges.items()
        for label in labels
    }


@dataclass(frozen=True, kw_only=True)
class Ged(GraphMeasure):
    """The graph edit distance of each document, as a share of the nodes and edges of both graphs; the mean is given.

    An edit adds, removes or renames a node or an edge. 0 is the same graph, 1 has nothing in common with it.

    Example:
        >>> from goldassay.triples import Triples
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = Triples.from_lists({"d": [("Oslo", "capital of", "Sweden")]})
        >>> Ged().score(pred=pred, gold=gold).format()
        'ged: distance 0.1667'
    """

    name: ClassVar[str] = "ged"
    title: ClassVar[str] = "Graph edit distance"
    formula: ClassVar[str] = (
        r"\frac{1}{|D|} \sum_d \frac{\text{GED}(P_d, G_d)}{|V_{P_d}| + |E_{P_d}| + |V_{G_d}| + |E_{G_d}|}"
    )
    citation: ClassVar[str] = "saha2021explagraphs"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"distance": (0.0, 1.0)})
    headline: ClassVar[str] = "distance"
    higher_is_better: ClassVar[bool] = False
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of PiVe divides by the nodes and edges of gold and 30: pive",
        "a distance that takes more than 20,000 steps to find, or is of more than 100 nodes, may be an upper bound; both bounds are shown",
    )

    def compared(self, here: SmallGraph, there: SmallGraph) -> tuple[float, float]:
        """Return the distance as a share of both graphs, and the least that it can be."""
        size = len(here) + len(there)
        if not size:
            return 0.0, 0.0
        found = edit_distance(here, there)
        return found.most / size, found.least / size
