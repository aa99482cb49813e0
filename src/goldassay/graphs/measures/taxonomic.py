"""Taxonomic precision and recall: whether each common concept has the same ancestors and descendants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, f_measure, shares
from goldassay.core.intern import StringArray
from goldassay.core.matching import Amounts, Matching, Side, SideName
from goldassay.core.measure import Measure
from goldassay.core.parameters import Bounds
from goldassay.core.parts import Part
from goldassay.core.signature import Signature
from goldassay.graphs.model import Graph
from goldassay.graphs.texts import number_texts
from goldassay.kernels.ancestors import Kinship, kinship

SIDES = (("precision", "pred"), ("recall", "gold"))
VALUES = ("precision", "recall", "f1", "lexical_precision", "lexical_recall", "f_prime")


@dataclass(frozen=True, eq=False)
class Concepts:
    """The concepts of a graph, each text once."""

    texts: StringArray  # their texts in alphabetical order, shape (concepts,)
    graph: Graph  # the graph that they are nodes of

    def __len__(self) -> int:
        return len(self.texts)

    def item(self, row: int) -> str:
        """Return the display name of one concept: its text."""
        return str(self.texts[row])

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the ids of some concepts, of several nodes with one text that of the first."""
        ids = dict(zip(reversed(self.graph.words), reversed(self.graph.ids.tolist()), strict=True))
        return {"id": [ids[text] for text in self.texts[rows].tolist()]}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TaxonomicMatching(Matching[Concepts]):
    """The concepts of both sides, and how the common ones are related."""

    pred_common: NDArray[np.int64]  # rows of the common concepts among those of the prediction, int64, shape (common,)
    gold_common: NDArray[np.int64]
    kinship: Kinship

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return how many concepts each concept is related to on its own side, and how many of these on both."""
        common = self.pred_common if side == "pred" else self.gold_common
        details: dict[str, NDArray[Any]] = {}
        for name, counts in (("related", self._relate(side)), ("related_on_both", self.kinship.both)):
            column = np.full(len(self.pred.credit if side == "pred" else self.gold.credit), None, dtype=object)
            column[common] = counts
            details[name] = column[rows]
        return details

    def _relate(self, side: SideName) -> NDArray[np.int64]:
        return self.kinship.left if side == "pred" else self.kinship.right


@dataclass(frozen=True, kw_only=True)
class Taxonomic(Measure[Graph, TaxonomicMatching]):
    """The overlap of the ancestors and descendants of each common concept, averaged over common concepts.

    A concept is a text. Of its related concepts, only common ones count (the common semantic cotopy,
    without the concept itself). ``f_prime`` also includes lexical recall.

    Example:
        >>> gold = Graph.from_edges([("cat", "pet"), ("pet", "animal"), ("dog", "pet")])
        >>> pred = Graph.from_edges([("cat", "pet"), ("cat", "animal")])
        >>> Taxonomic().score(pred=pred, gold=gold).values["recall"]
        0.6666666666666666
    """

    name: ClassVar[str] = "taxonomic"
    title: ClassVar[str] = "Taxonomic F1"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"TP = \frac{1}{|C|} \sum_{c \in C} \frac{|csc(c, O', O) \cap csc(c, O, O')|}{|csc(c, O', O)|},\quad "
        r"csc(c, O', O) = \{x \in C' \cap C \mid x <' c \vee c <' x\},\quad LR = \frac{|C' \cap C|}{|C|},\quad "
        r"F' = \frac{2 \cdot LR \cdot TF}{LR + TF}"
    )
    citation: ClassVar[str] = "dellschaft2006gold"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType(dict.fromkeys(VALUES, (0.0, 1.0)))
    headline: ClassVar[str] = "f1"
    unit: ClassVar[str] = "concept"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "swap"
    conventions: ClassVar[tuple[str, ...]] = (
        "a common concept that is related to no other common one on the evaluated side is skipped there",
        "cycles are condensed first: the members of a cycle are neither above nor below each other",
        "precision, recall and f1 are TP, TR and TF of the paper",
    )

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> TaxonomicMatching:
        """Find the common concepts, and count how they are related."""
        texts, (here, there) = number_texts(pred.texts, gold.texts)
        mine, other = np.unique(here), np.unique(there)
        common, pred_common, gold_common = np.intersect1d(mine, other, assume_unique=True, return_indices=True)
        found = kinship(
            here[pred.edges], there[gold.edges], len(texts), common, memory=context.memory, progress=context.progress
        )
        return TaxonomicMatching(
            pred=_side(len(mine), pred_common, gold_common, found.both, found.left),
            gold=_side(len(other), gold_common, pred_common, found.both, found.right),
            pred_items=Concepts(texts[mine], pred),
            gold_items=Concepts(texts[other], gold),
            pred_common=pred_common,
            gold_common=gold_common,
            kinship=found,
        )

    def parts(self, matching: TaxonomicMatching) -> tuple[Part, ...]:
        """List the common concepts, placed as in gold, then the other concepts of each side."""
        kin, pred, gold = matching.kinship, matching.pred_items, matching.gold_items
        common = Concepts(gold.texts[matching.gold_common], gold.graph)
        only_pred = Concepts(np.delete(pred.texts, matching.pred_common), pred.graph)
        only_gold = Concepts(np.delete(gold.texts, matching.gold_common), gold.graph)
        counts = {
            "overlap_pred": shares(kin.both, kin.left),
            "judged_pred": kin.left > 0,
            "overlap_gold": shares(kin.both, kin.right),
            "judged_gold": kin.right > 0,
            "common": np.ones(len(common)),
            "n_pred": np.ones(len(common)),
            "n_gold": np.ones(len(common)),
        }
        return (
            Part(items=common, others=common, unit_keys=common.texts.tolist, counts=counts),
            Part(
                items=only_pred,
                others=gold,
                unit_keys=only_pred.texts.tolist,
                counts={"n_pred": np.ones(len(only_pred))},
            ),
            Part(
                items=only_gold,
                others=pred,
                unit_keys=only_gold.texts.tolist,
                counts={"n_gold": np.ones(len(only_gold))},
            ),
        )

    def added(self, matching: TaxonomicMatching, side: SideName) -> Amounts:
        """Return how much the relatives of each concept overlap, and whether it is common and has some."""
        kin, at_left = matching.kinship, side == "pred"
        related = kin.left if at_left else kin.right
        rows = matching.pred_common if at_left else matching.gold_common
        weight = np.zeros(len(matching.pred_items if at_left else matching.gold_items))
        credit = weight.copy()
        credit[rows], weight[rows] = shares(kin.both, related), related > 0
        return credit, weight

    def sign(self, *, pred: Graph, gold: Graph, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the number of common concepts: by definition nothing else is judged."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        return signature.with_field("common", str(counts["common"]))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Average the overlaps, and divide the common concepts by those of each side."""
        precision = ratio("precision", counts["overlap_pred"], counts["judged_pred"])
        recall = ratio("recall", counts["overlap_gold"], counts["judged_gold"])
        lexical = [ratio(f"lexical_{name}", counts["common"], counts[f"n_{side}"]) for name, side in SIDES]
        f1 = f_measure(precision, recall)
        return dict(zip(VALUES, (precision, recall, f1, *lexical, f_measure(lexical[1], f1)), strict=True))


def _side(
    items: int,
    common: NDArray[np.int64],
    there: NDArray[np.int64],
    both: NDArray[np.int64],
    own: NDArray[np.int64],
) -> Side:
    """Credit each common concept with its overlap; a concept without relations counts as matched."""
    return Side.of_pairs(items, common, there, np.where(own > 0, shares(both, own), 1.0))
