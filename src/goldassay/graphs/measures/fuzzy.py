"""Edges and nodes that are near in meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.core.context import Context
from goldassay.core.curve import Cut
from goldassay.core.errors import UsageError
from goldassay.core.parameters import parameter
from goldassay.graphs.match import MeaningMatching, ThresholdMeasure, encode_edges, encode_nodes
from goldassay.graphs.measures.literal import CHOICES, HELP, relation_groups
from goldassay.graphs.model import Graph, NodeItems


@dataclass(frozen=True, kw_only=True)
class Fuzzy(ThresholdMeasure):
    """An edge is hit if for some edge of the other side the cosines of both ends exceed a threshold.

    Many edges may match one edge. Both sides are counted, so precision and recall have different numerators. With
    ``assignment=one`` every edge is used once: the hits are a largest one-to-one matching over the matching pairs.

    Attributes:
        threshold: The cosine that both ends must exceed.
        inclusive: Whether a cosine equal to the threshold is a match.
        assignment: How many edges an edge may match: ``many`` or ``one``.
        relation: Whether edges match only if their relations do: ``ignore``, ``exact`` (the same name) or ``fuzzy``
            (names whose cosine exceeds the threshold).

    Example:
        >>> gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = Graph.from_edges([("leukemias", "cancers"), ("traffic jam", "delay")])
        >>> Fuzzy(threshold=0.5).score(pred=pred, gold=gold, encoder="hashing")
        <Score fuzzy(threshold=0.5): precision 0.5000, recall 0.5000, f1 0.5000>
    """

    name: ClassVar[str] = "fuzzy"
    unit: ClassVar[str] = "edge"
    title: ClassVar[str] = "Fuzzy F1"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"P = \frac{|\{(u', v') \in E' \mid \exists (u, v) \in E,\ \cos(u, u') > t \wedge \cos(v, v') > t\}|}{|E'|},"
        r"\quad "
        r"R = \frac{|\{(u, v) \in E \mid \exists (u', v') \in E',\ \cos(u, u') > t \wedge \cos(v, v') > t\}|}{|E|}"
    )
    citation: ClassVar[str] = "lo2024ollm"
    conventions: ClassVar[tuple[str, ...]] = (
        "one edge may match any number of edges, and a hub may dominate recall: assignment=one allows one match each",
        "the definition has a strict >, OLLM's code has >=: inclusive=true",
        "the threshold 0.436 is calibrated for all-MiniLM-L6-v2; other encoders need their own",
        "the widely copied notebook uses every triple as an edge, and IRIs as text: --edges all --text iri",
    )

    relation: str = parameter("ignore", help=HELP, choices=CHOICES)

    @property
    def sums_over_records(self) -> bool:  # type: ignore[override]
        """Whether parts add up: not if edges of two parts compete for one edge of gold."""
        return self.assignment == "many"

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> MeaningMatching[Graph]:
        """Decide for every edge whether it matches any edge of the other side."""
        groups = relation_groups(
            pred, gold, self.relation, threshold=self.threshold, inclusive=self.inclusive, context=context
        )
        pred_edges, gold_edges, vectors = encode_edges(pred=pred, gold=gold, context=context)
        return self.join((pred_edges, gold_edges), (pred, gold), vectors, context, groups)

    @property
    def cut(self) -> Cut | None:
        """The cosine that both ends must pass; none where it also says which edges may match at all."""
        return None if self.relation == "fuzzy" else super().cut

    def no_curve(self) -> UsageError:
        """Return why there is no curve."""
        if self.relation != "fuzzy":
            return super().no_curve()
        return UsageError(f"{self}: curves are not supported with fuzzy relations.", hint="relation=exact")


@dataclass(frozen=True, kw_only=True)
class Nodes(ThresholdMeasure):
    """A node is hit if its cosine to some node of the other side exceeds a threshold.

    Attributes:
        threshold: The minimum cosine (exclusive).
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
        pred_rows, gold_rows, vectors = encode_nodes(pred=pred, gold=gold, context=context)
        return self.join((pred_rows, gold_rows), (NodeItems(pred), NodeItems(gold)), vectors, context)
