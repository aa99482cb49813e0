"""Precision, recall and F1 over nodes instead of edges, independent of their arrangement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.graphs.matching import MeaningMatching, ThresholdMeasure, encoded_nodes
from goldassay.graphs.model import Graph


@dataclass(frozen=True, eq=False)
class NodeItems:
    """The nodes of a graph as the items that are counted."""

    graph: Graph

    def __len__(self) -> int:
        return len(self.graph.texts)

    def item(self, row: int) -> str:
        """Return the display name of one node: its text."""
        return str(self.graph.texts[row])

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the ids of some nodes."""
        return {"id": self.graph.ids[rows].tolist()}


@dataclass(frozen=True, kw_only=True)
class Nodes(ThresholdMeasure):
    """A node is hit if its cosine to some node of the other side exceeds a threshold.

    Attributes:
        threshold: The cosine to exceed.
        inclusive: Whether a cosine equal to the threshold is a match.
        assignment: How many nodes a node may match: ``many`` or ``one``.

    Example:
        >>> gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = Graph.from_edges([("cancer", "leukemia")])
        >>> Nodes(threshold=0.9).score(pred=pred, gold=gold, encoder="hashing").precision
        1.0
    """

    name: ClassVar[str] = "nodes"
    unit: ClassVar[str] = "node"
    sums_over_records: ClassVar[bool] = False
    title: ClassVar[str] = "Fuzzy F1 over nodes"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"P = \frac{|\{u' \in V' \mid \exists u \in V,\ \cos(u, u') > t\}|}{|V'|},\quad "
        r"R = \frac{|\{u \in V \mid \exists u' \in V',\ \cos(u, u') > t\}|}{|V|}"
    )
    citation: ClassVar[str] = "dellschaft2006gold"
    conventions: ClassVar[tuple[str, ...]] = (
        "one node may match any number of nodes: assignment=one allows one match each",
        "lexical precision and recall compare texts exactly: threshold=1.0, inclusive=true",
    )

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> MeaningMatching[NodeItems]:
        """Decide for every node whether it matches any node of the other side."""
        pred_rows, gold_rows, vectors = encoded_nodes(pred=pred, gold=gold, context=context)
        return self.join((pred_rows, gold_rows), (NodeItems(pred), NodeItems(gold)), vectors, context)
