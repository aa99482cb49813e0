"""The mean over concepts of how well their ancestors agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.measure import PRECISION_RECALL_F1, Measure
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.graphs.ancestors import AncestorMatching, TextPair, ancestor_matching
from goldassay.graphs.model import Graph
from goldassay.graphs.taxonomic import Concepts
from goldassay.kernels.ancestors import tallies


@dataclass(frozen=True, kw_only=True)
class AncestorF1(Measure[Graph, AncestorMatching]):
    """Precision, recall and F1 of the ancestors of each concept, averaged over concepts.

    A concept is a text. Precision is the mean over the concepts of the prediction that have ancestors, recall over those of
    gold, and F1 over those of either side: a concept without ancestors on one of them has F1 0. So every concept has the
    same weight, however deep it lies.

    Attributes:
        concepts: Which concepts count: ``all``, or those ``common`` to both sides, with their common ancestors alone.

    Example:
        >>> gold = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> pred = Graph.from_edges([("cat", "animal"), ("pet", "animal")])
        >>> AncestorF1().score(pred=pred, gold=gold)
        <Score ancestor_f1: precision 1.0000, recall 0.7500, f1 0.8333>
    """

    name: ClassVar[str] = "ancestor_f1"
    title: ClassVar[str] = "Mean F1 of ancestors"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"F = \frac{1}{|C|} \sum_{c \in C} \frac{2 |A'(c) \cap A(c)|}{|A'(c)| + |A(c)|},\quad "
        r"C = \{c \mid A'(c) \cup A(c) \ne \emptyset\}"
    )
    citation: ClassVar[str] = "mao2018taxorl"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType(dict(PRECISION_RECALL_F1))
    headline: ClassVar[str] = "f1"
    unit: ClassVar[str] = "concept"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "swap"
    defined_alone: ClassVar[bool] = False
    conventions: ClassVar[tuple[str, ...]] = (
        "f1 is the mean of F1 over concepts, not the F1 of the two means",
        "what papers on taxonomy induction call Ancestor-F1 counts pairs and divides once: closure",
        "cycles are condensed first: the members of a cycle are neither above nor below each other",
    )

    concepts: str = parameter(
        "all", help="which concepts count: all, or those common to both sides", choices=("all", "common")
    )

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> AncestorMatching:
        """Count the ancestors of each concept, and those that both sides have."""
        numbers = TextPair.of(pred, gold)
        among = None if self.concepts == "all" else numbers.common
        here, there = numbers.orders()
        options: dict[str, Any] = {"among": among, "memory": context.memory, "progress": context.progress}
        found = tallies(here, there, **options)
        return ancestor_matching(pred=pred, gold=gold, numbers=numbers, tallies=found)

    def parts(self, matching: AncestorMatching) -> tuple[Part, ...]:
        """List the concepts with ancestors: first those of gold, then those that only the prediction has."""
        gold, pred = matching.gold_items, matching.pred_items
        partner = matching.gold.counterpart
        met = partner >= 0
        sizes = np.where(met, matching.pred_tally.pairs[partner] if len(pred) else 0, 0)
        of_gold = {
            "overlap_pred": np.where(met, matching.gold_tally.met / np.maximum(sizes, 1), 0.0),
            "n_pred": met,
            "overlap_gold": matching.gold.credit,
            "n_gold": np.ones(len(gold)),
            "sum_f1": 2 * matching.gold_tally.met / (sizes + matching.gold_tally.pairs),
            "either": np.ones(len(gold)),
        }
        alone = np.flatnonzero(matching.pred.counterpart < 0)
        only = Concepts(pred.texts[alone], pred.graph)
        of_pred = {"n_pred": np.ones(len(only)), "either": np.ones(len(only))}
        return (
            Part(items=gold, others=pred, unit_keys=gold.texts.tolist, counts=of_gold),
            Part(items=only, others=gold, unit_keys=only.texts.tolist, counts=of_pred),
        )

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Take the means over concepts."""
        return {
            "precision": ratio("precision", counts["overlap_pred"], counts["n_pred"]),
            "recall": ratio("recall", counts["overlap_gold"], counts["n_gold"]),
            "f1": ratio("f1", counts["sum_f1"], counts["either"]),
        }
