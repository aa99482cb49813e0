"""Fuzzy precision, recall and F1: an edge counts when both its ends mean nearly what the ends of some edge mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.core.context import Context
from goldassay.core.curve import Cut
from goldassay.core.errors import UsageError
from goldassay.core.parameters import parameter
from goldassay.graphs.matching import Groups, MeaningMatching, ThresholdMeasure, encoded_edges
from goldassay.graphs.model import Graph
from goldassay.graphs.relations import CHOICES, HELP, same_relation, similar_relation


@dataclass(frozen=True, kw_only=True)
class Fuzzy(ThresholdMeasure):
    """An edge is hit when some edge of the other side has both its ends nearer than a threshold, by cosine.

    Many edges may meet one edge. Both sides are counted, so precision and recall have different numerators. With
    ``assignment=one`` every edge serves once: the hits are a largest one-to-one matching over the pairs that meet.

    Attributes:
        threshold: The cosine that both ends must pass.
        inclusive: Whether a cosine equal to the threshold passes.
        assignment: How many edges an edge may serve: ``many`` or ``one``.
        relation: Whether edges meet only if their relations do: ``ignore``, ``exact`` (the same name) or ``fuzzy`` (names
            whose cosine passes the threshold).

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
        "one edge may meet any number of edges, so that a hub can carry recall: assignment=one lets each serve once",
        "the definition has a strict >, OLLM's code has >=: inclusive=true",
        "the threshold 0.436 belongs to all-MiniLM-L6-v2; another encoder needs its own",
        "the notebook that many copied takes every triple, and IRIs as text: --edges all --text iri",
    )

    relation: str = parameter("ignore", help=HELP, choices=CHOICES)

    @property
    def sums_over_records(self) -> bool:  # type: ignore[override]
        """Whether parts add up: not where edges of two parts compete for one edge of gold."""
        return self.assignment == "many"

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> MeaningMatching[Graph]:
        """Decide for every edge whether any edge of the other side meets it."""
        groups = self._groups(pred=pred, gold=gold, context=context)
        pred_edges, gold_edges, vectors = encoded_edges(pred=pred, gold=gold, context=context)
        return self.join((pred_edges, gold_edges), (pred, gold), vectors, context, groups)

    def _groups(self, *, pred: Graph, gold: Graph, context: Context) -> Groups | None:
        if self.relation == "fuzzy":
            return similar_relation(pred, gold, threshold=self.threshold, inclusive=self.inclusive, context=context)
        return same_relation(pred, gold) if self.relation == "exact" else None

    @property
    def cut(self) -> Cut | None:
        """The cosine that both ends must pass; none where it also says which edges may meet at all."""
        return None if self.relation == "fuzzy" else super().cut

    def no_curve(self) -> UsageError:
        """Say why there is no curve."""
        if self.relation != "fuzzy":
            return super().no_curve()
        return UsageError(f"{self}: there is no curve while relations are fuzzy.", hint="relation=exact")
