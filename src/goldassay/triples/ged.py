"""How many edits make the graph of a document into that of gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from goldassay.core.parameters import Bounds
from goldassay.triples.edits import SmallGraph, edit_distance
from goldassay.triples.graphs import GraphMeasure


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
