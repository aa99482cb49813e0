"""What the measures of triples have in common: items match within documents, which are counted one by one and together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np

from goldassay.core.average import Average
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, precision_recall_f1
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NO_MATCH
from goldassay.core.measure import PRECISION_RECALL_F1, Measure
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.triples.match import DocumentMatching, pair_documents
from goldassay.triples.model import Numbers, TripleSet

DocumentMatchingType = TypeVar("DocumentMatchingType", bound=DocumentMatching[Any])
OVER_DOCUMENTS = Average(empty="right")


@dataclass(frozen=True, eq=False, kw_only=True)
class InDocuments:
    """Items, each with its pair of documents: what scores are grouped by."""

    items: Any
    pairs: DocumentPairs
    places: Numbers  # the pair of each item
    gold: TripleSet
    predicates: Numbers | None = None  # the number of the predicate of each item

    @classmethod
    def of(
        cls, items: Any, places: Numbers, matching: DocumentMatching[Any], predicates: Numbers | None = None
    ) -> InDocuments:
        """Combine items with the documents of their matching."""
        there = getattr(matching.gold_items, "triples", matching.gold_items)
        return cls(items=items, pairs=matching.pairs, places=places, gold=there, predicates=predicates)

    def __len__(self) -> int:
        return len(self.items)

    def item(self, row: int) -> str:
        """Name one item for a person."""
        name: str = self.items.item(row)
        return name

    def names(self) -> list[str]:
        """Name the document of each item."""
        return _documents(self.pairs, self.places)

    def of_gold(self, values: Sequence[str], nothing: str) -> list[str]:
        """Return each item what belongs to its gold document."""
        documents = self.pairs.gold[self.places].tolist()
        return [nothing if document == NO_MATCH else values[document] for document in documents]


@dataclass(frozen=True, kw_only=True)
class DocumentMeasure(Measure[TripleSet, DocumentMatchingType]):
    """Precision, recall and F1 of items that match within documents: of all documents together, or the mean over them.

    Where gold has several references of a document, the one that the prediction is scored best by (F1) stands for it.
    """

    family: ClassVar[str] = "triples"
    values: ClassVar[Mapping[str, Bounds]] = PRECISION_RECALL_F1
    headline: ClassVar[str] = "f1"
    unit: ClassVar[str] = "document"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "swap"

    average: str = parameter(
        "micro",
        help="over documents: micro = ratio of their sums, macro = mean of their values",
        choices=("micro", "macro"),
    )

    @property
    def averaged(self) -> bool:
        """Whether its values are means over documents."""
        return self.average == "macro"

    @property
    def weighs_gold(self) -> bool:
        """Every gold item is counted for itself: what matches is equal."""
        return True

    @abstractmethod
    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> DocumentMatchingType:
        """Find which items match, where gold has one set of triples a document."""

    def match(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> DocumentMatchingType:
        """Find which items match, and with several references by which of them a document is scored best."""
        pairs = pair_documents(pred=pred, gold=gold)

        def f1(one: TripleSet) -> FloatArray:
            sums = self.per_document(self.match_documents(pred=pred, gold=one, pairs=pairs, context=context))
            return np.asarray(sums["sum_f1"])

        return self.match_documents(pred=pred, gold=keep_best_references(gold, pairs, f1), pairs=pairs, context=context)

    def parts(self, matching: DocumentMatchingType) -> tuple[Part, ...]:
        """List the items of both sides, each with its credit; or the pairs of documents, each with its values."""
        pairs = matching.pairs
        if self.average == "macro":
            here = InDocuments.of(pairs, np.arange(len(pairs)), matching)
            return (Part(items=here, others=here, unit_keys=here.names, counts=self.per_document(matching)),)
        pred = InDocuments.of(matching.pred_items, matching.pred_pairs, matching, matching.predicates("pred"))
        gold = InDocuments.of(matching.gold_items, matching.gold_pairs, matching, matching.predicates("gold"))
        weights = self.weights(matching.pred_items), self.weights(matching.gold_items)
        if matching.gold_weights is not None:
            weights = weights[0], weights[1] * matching.gold_weights
        sides = (
            ("pred", matching.pred.credit * weights[0], weights[0], pred, gold),
            ("gold", matching.gold.credit * weights[1], weights[1], gold, pred),
        )
        return tuple(
            Part(
                items=items,
                others=others,
                unit_keys=items.names,
                counts={f"hit_{name}": credit, f"n_{name}": sizes},
            )
            for name, credit, sizes, items, others in sides
        )

    def weights(self, items: Any) -> FloatArray:
        """Return how much each item counts, float64, shape (items,)."""
        return np.ones(len(items))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums of hits by the items, or the sums of values by the documents."""
        return (precision_recall_f1 if self.average == "micro" else OVER_DOCUMENTS.means)(counts, ratio)

    def per_document(self, matching: DocumentMatchingType) -> dict[str, FloatArray]:
        """Count every pair of documents."""
        size = len(matching.pairs)
        weights = self.weights(matching.pred_items), self.weights(matching.gold_items) * gold_weights(matching)

        def added(places: Numbers, column: FloatArray) -> FloatArray:
            return np.bincount(places, weights=column, minlength=size).astype(np.float64)

        sums: dict[str, FloatArray] = {
            "hit_pred": added(matching.pred_pairs, matching.pred.credit * weights[0]),
            "hit_gold": added(matching.gold_pairs, matching.gold.credit * weights[1]),
            "n_pred": added(matching.pred_pairs, weights[0]),
            "n_gold": added(matching.gold_pairs, weights[1]),
        }
        return OVER_DOCUMENTS.sum_columns(sums, undefined=self.undefined)

    def values_of_each(self, sums: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what each document adds: its values, besides its hits, if their mean is wanted."""
        return sums if self.average == "micro" else OVER_DOCUMENTS.sum_columns(sums, undefined=self.undefined)


def gold_weights(matching: DocumentMatching[Any]) -> FloatArray:
    """Return how much each item of gold counts: the share of several gold standards that have it, or 1."""
    return np.ones(len(matching.gold_items)) if matching.gold_weights is None else matching.gold_weights


def list_predicted(matching: DocumentMatching[Any], counts: Mapping[str, Any]) -> Part:
    """List the items of the prediction, drawn with their documents."""
    return Part(
        items=matching.pred_items,
        others=matching.gold_items,
        unit_keys=partial(_documents, matching.pairs, matching.pred_pairs),
        counts=counts,
    )


def _documents(pairs: DocumentPairs, places: Numbers) -> list[str]:
    names: list[str] = pairs.ids[places].tolist()
    return names


def keep_best_references(
    gold: TripleSet, pairs: DocumentPairs, score: Callable[[TripleSet], FloatArray], *, largest: bool = True
) -> TripleSet:
    """Keep of each gold document the reference that it is scored best by; of equally good ones the one with most triples."""
    # With the smallest, a document where nothing is right would cost less recall.
    if len(gold.owners) == len(gold.ids):
        return gold
    counts = gold.references
    firsts = np.searchsorted(gold.owners, np.arange(len(gold.ids)))
    place = pairs.of(pairs.gold, len(gold.ids))
    chosen = firsts.copy()
    best = np.full(len(gold.ids), -np.inf)
    sizes = np.bincount(gold.sets, minlength=len(gold.owners)) * largest
    for turn in range(int(counts.max())):
        tried = firsts + np.minimum(turn, counts - 1)
        found = score(gold.only(tried))[place]
        better = (found > best) | (found == best) & (sizes[tried] > sizes[chosen])
        chosen[better], best[better] = tried[better], found[better]
    return gold.only(chosen)
