"""How many documents have exactly the right graph."""

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
