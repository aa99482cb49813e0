"""What the measures of triples have in common: items match within documents, which are counted one by one and together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.average import Average
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, precision_recall_f1
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NO_MATCH, Amounts, Side, SideName
from goldassay.core.measure import PRECISION_RECALL_F1, Measure, added_counts
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part, both_parts
from goldassay.triples.match import DocumentMatching, JudgedMatching, JudgedTriples, pair_documents, pairs_of
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
class ReferencedMeasure(Measure[TripleSet, DocumentMatchingType]):
    """A measure of documents of which gold may have several references: the one that a document is scored best by counts."""

    family: ClassVar[str] = "triples"
    unit: ClassVar[str] = "document"
    largest: ClassVar[bool] = True  # whether of equally good references the one with most triples counts, or the first

    @abstractmethod
    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> DocumentMatchingType:
        """Find which items match, where gold has one set of triples a document."""

    @abstractmethod
    def worth(self, matching: DocumentMatchingType) -> FloatArray:
        """Return how well each pair of documents is scored, float64, shape (pairs,)."""

    def match(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> DocumentMatchingType:
        """Find which items match, and with several references by which of them a document is scored best."""
        pairs = pair_documents(pred=pred, gold=gold)

        def worth(one: TripleSet) -> FloatArray:
            return self.worth(self.match_documents(pred=pred, gold=one, pairs=pairs, context=context))

        best = keep_best_references(gold, pairs, worth, largest=self.largest)
        return self.match_documents(pred=pred, gold=best, pairs=pairs, context=context)


@dataclass(frozen=True, kw_only=True)
class DocumentMeasure(ReferencedMeasure[DocumentMatchingType]):
    """Precision, recall and F1 of items that match within documents: of all documents together, or the mean over them."""

    # Where gold has several references of a document, the one that the prediction is scored best by (F1) stands for it.
    values: ClassVar[Mapping[str, Bounds]] = PRECISION_RECALL_F1
    headline: ClassVar[str] = "f1"
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

    def worth(self, matching: DocumentMatchingType) -> FloatArray:
        """Return the F1 of each pair of documents."""
        return np.asarray(self.per_document(matching)["sum_f1"])

    def parts(self, matching: DocumentMatchingType) -> tuple[Part, ...]:
        """List the items of both sides, each with its credit; or the pairs of documents, each with its values."""
        pairs = matching.pairs
        if self.average == "macro":
            here = InDocuments.of(pairs, np.arange(len(pairs)), matching)
            return (Part(items=here, others=here, unit_keys=here.names, counts=self.per_document(matching)),)
        pred = InDocuments.of(matching.pred_items, matching.pred_pairs, matching, matching.predicates("pred"))
        gold = InDocuments.of(matching.gold_items, matching.gold_pairs, matching, matching.predicates("gold"))
        return both_parts((pred, gold), (pred.names, gold.names), added_counts(partial(self.added, matching)))

    def added(self, matching: DocumentMatchingType, side: SideName) -> Amounts:
        """Return the credit of each item of a side by its weight, and its weight."""
        weights = self.weights(matching.pred_items if side == "pred" else matching.gold_items)
        credit, weight = matching.plain_amounts(side)
        return credit * weights, weight * weights

    def weights(self, items: Any) -> FloatArray:
        """Return how much each item counts, float64, shape (items,)."""
        return np.ones(len(items))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums of hits by the items, or the sums of values by the documents."""
        return (precision_recall_f1 if self.average == "micro" else OVER_DOCUMENTS.means)(counts, ratio)

    def per_document(self, matching: DocumentMatchingType) -> dict[str, FloatArray]:
        """Count every pair of documents."""
        size = len(matching.pairs)
        columns = zip(
            (matching.pred_pairs, matching.gold_pairs), added_counts(partial(self.added, matching)), strict=True
        )
        sums = {
            name: np.bincount(places, weights=column, minlength=size).astype(np.float64)
            for places, counts in columns
            for name, column in counts.items()
        }
        return OVER_DOCUMENTS.sum_columns(sums, undefined=self.undefined)

    def values_of_each(self, sums: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what each document adds: its values, besides its hits, if their mean is wanted."""
        return sums if self.average == "micro" else OVER_DOCUMENTS.sum_columns(sums, undefined=self.undefined)


@dataclass(frozen=True, kw_only=True)
class JudgedMeasure(Measure[TripleSet, JudgedMatching]):
    """A measure that judges each predicted triple by itself."""

    family: ClassVar[str] = "triples"
    unit: ClassVar[str] = "document"
    defined_one_sided: ClassVar[bool] = True
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    checks: ClassVar[tuple[str, ...]]  # what is checked of a triple
    wrong: ClassVar[str]  # how the kind of error begins where that does not hold

    @abstractmethod
    def judge(self, pred: TripleSet, gold: TripleSet) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
        """Return the verdicts on the triples of both sides, and which predicted ones are right."""

    @abstractmethod
    def columns(self, matching: JudgedMatching) -> Mapping[str, Any]:
        """Return what each predicted triple adds to the sums."""

    def match(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> JudgedMatching:
        """Judge every predicted triple."""
        del context
        pairs = pair_documents(pred=pred, gold=gold)
        *verdicts, right = self.judge(pred, gold)
        here, there = (
            JudgedTriples(triples=side, verdicts=found, checks=self.checks, wrong=self.wrong)
            for side, found in zip((pred, gold), verdicts, strict=True)
        )
        sides = Side.of_hits(right), Side.of_hits(np.ones(len(gold), dtype=np.bool_))
        places = pairs_of(pred, gold, pairs)
        # A triple of which nothing is known, such as one without a text, is neither right nor wrong.
        known = (verdicts[0] != NO_MATCH).any(axis=1), np.ones(len(gold), dtype=np.bool_)
        return JudgedMatching.of(sides, items=(here, there), places=places, pairs=pairs, included=known)

    def parts(self, matching: JudgedMatching) -> tuple[Part, ...]:
        """List the triples of the prediction, drawn with their documents."""
        documents = partial(_documents, matching.pairs, matching.pred_pairs)
        items, others, counts = matching.pred_items, matching.gold_items, self.columns(matching)
        return (Part(items=items, others=others, unit_keys=documents, counts=counts),)


def _documents(pairs: DocumentPairs, places: Numbers) -> list[str]:
    names: list[str] = pairs.ids[places].tolist()
    return names


def keep_best_references(
    gold: TripleSet, pairs: DocumentPairs, score: Callable[[TripleSet], FloatArray], *, largest: bool
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
