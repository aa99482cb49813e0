"""Shared by the measures of concepts: documents are paired by id, made comparable, and counted document by document."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.model import Concepts
from goldassay.core.average import Average
from goldassay.core.context import Progress, ignore_progress
from goldassay.core.counts import Counts, Division, FloatArray, precision_recall_f1
from goldassay.core.documents import DocumentPairs, spans_of
from goldassay.core.errors import InputError, UsageError
from goldassay.core.intern import StringArray, number_columns
from goldassay.core.matching import NO_MATCH, Evidence, Matching, Side, SideName
from goldassay.core.measure import PRECISION_RECALL_F1, Measure, Symmetry
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.kernels.edges.grouped import Groups, find_best_in_groups
from goldassay.kernels.keys import join_equal
from goldassay.kernels.ragged import run_heads


def pair_documents(*, pred: Concepts, gold: Concepts) -> DocumentPairs:
    """Pair the documents of both sides by id; an empty document that gold does not have states nothing and is left out."""
    pairs = DocumentPairs.by_id(pred=pred.ids.array, gold=gold.ids.array)
    if "error" in (pred.on_unpaired, gold.on_unpaired) and (pairs.missing or pairs.surplus):
        raise InputError(
            "Some documents have no counterpart.",
            path=pred.path,
            found="; ".join(pairs.unpaired),
            expected="the same ids on both sides",
            hint="--on-unpaired empty treats missing documents as empty",
        )
    return pairs.without_empty(np.diff(pred.starts))


def comparable(*, pred: Concepts, gold: Concepts, pairs: DocumentPairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return begin and end of the concepts that may match: those of one pair with equal assertions and values."""
    kinds, stated = number_columns(*map(_stated_values, (pred, gold)))
    sides = []
    for model, rows, kind in ((pred, pairs.pred, stated[0]), (gold, pairs.gold, stated[1])):
        group = pair_of(model, rows, pairs) * max(len(kinds), 1) + kind[model.words]
        begins = np.flatnonzero(run_heads(group))
        sides.append((group[begins], np.column_stack([begins, np.append(begins, len(group))[1:]])))
    (here, left), (there, right) = sides
    _, ours, theirs = np.intersect1d(here, there, assume_unique=True, return_indices=True)
    return left[ours], right[theirs]


def _stated_values(model: Concepts) -> Sequence[Hashable]:
    """Return the assertion and the value of each word."""
    if model.states_nothing:
        return [("", "")] * len(model.keys)
    return list(zip(model.assertions.tolist(), model.values.tolist(), strict=True))


def pair_of(concepts: Concepts, rows: NDArray[np.int64], pairs: DocumentPairs) -> NDArray[np.int64]:
    """Return the pair that each concept is in, int64, shape (concepts,)."""
    return pairs.of(rows, len(concepts.ids))[concepts.documents()]


OVER_DOCUMENTS = Average(empty="undefined")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConceptMatching(Matching[Concepts]):
    """The matching of concepts within pairs of documents."""

    pairs: DocumentPairs
    groups: Groups | None = None
    epsilon: float = math.nan
    memory: int = 0
    reported: tuple[Concepts, Concepts] | None = None
    left_out: int = 0

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Look up the best counterpart of some concepts, within their documents."""
        found = super().evidence(side, rows, progress=progress)
        concepts = self.pred_items if side == "pred" else self.gold_items
        details: dict[str, NDArray[Any]] = {
            "document": np.array(concepts.ids[concepts.documents()[rows]].tolist(), dtype=np.object_)
        }
        if self.groups is not None:
            groups = self.groups if side == "pred" else self.groups.swap_sides()
            found = self._nearest(groups, rows, found, progress)
            margin = (found.similarity - self.epsilon).astype(np.object_)
            margin[np.isnan(found.similarity)] = None
            details["margin"] = margin
        return replace(found, details=details)

    def item_pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pair of documents of each concept of the prediction and of gold."""
        pairs = self.pairs
        return pair_of(self.pred_items, pairs.pred, pairs), pair_of(self.gold_items, pairs.gold, pairs)

    def _nearest(self, groups: Groups, rows: NDArray[np.int64], equal: Evidence, progress: Progress) -> Evidence:
        """Look up the nearest concept of those that have no equal."""
        counterpart, similarity = equal.counterpart.copy(), equal.similarity.copy()
        open_ones = np.flatnonzero(counterpart == NO_MATCH)
        items, place = np.unique(rows[open_ones], return_inverse=True)
        best = find_best_in_groups(groups, items, memory=self.memory, progress=progress)
        counterpart[open_ones], similarity[open_ones] = best.counterpart[place], best.similarity[place]
        return Evidence(counterpart=counterpart, similarity=similarity)


@dataclass(frozen=True, kw_only=True)
class ConceptMeasure(Measure[Concepts, ConceptMatching]):
    """Precision, recall and F1 over concepts: the mean over documents, or of all documents together."""

    family: ClassVar[str] = "concepts"
    headline: ClassVar[str] = "f1"
    unit: ClassVar[str] = "document"

    average: str = parameter(
        "macro",
        help="over documents: macro = mean of their values, micro = division of their sums",
        choices=("macro", "micro"),
    )

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F1."""
        return PRECISION_RECALL_F1

    @property
    def symmetry(self) -> Symmetry:
        """Swapping the sides swaps precision and recall."""
        return "swap"

    @property
    def averaged(self) -> bool:
        """Whether its values are means over documents."""
        return self.average == "macro"

    @property
    def weighs_gold(self) -> bool:
        """Recall counts each concept of gold."""
        return True

    def compared(self, model: Concepts) -> Concepts:
        """Return a model as it is compared, without assertions and values."""
        return model.without(assertions=True, values=True)

    def reported(self, *, pred: Concepts, gold: Concepts) -> tuple[Concepts, Concepts] | None:
        """Return both sides with their assertions, if differences are to be reported."""
        del pred, gold
        return None

    def parts(self, matching: ConceptMatching) -> tuple[Part, ...]:
        """List the pairs of documents: each adds its hits and concepts, and its values."""
        pairs = matching.pairs
        return (Part(items=pairs, others=pairs, unit_keys=pairs.ids.tolist, counts=self.per_document(matching)),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums of values by the documents, or the sums of hits by the concepts."""
        if self.average == "micro":
            return precision_recall_f1({**counts, "hit_gold": self.recall_values(counts)}, ratio)
        return OVER_DOCUMENTS.means(counts, ratio)

    def recall_values(self, counts: Mapping[str, Any]) -> Any:
        """Return which hits recall counts: those of gold."""
        return counts["hit_gold"]

    def per_document(self, matching: ConceptMatching) -> dict[str, FloatArray]:
        """Count every pair of documents."""
        pred = spans_of(matching.pred_items.starts, matching.pairs.pred)
        gold = spans_of(matching.gold_items.starts, matching.pairs.gold)
        sums = {
            "hit_pred": _sums(matching.pred.credit, pred),
            "hit_gold": _sums(matching.gold.credit, gold),
            "n_pred": (pred[:, 1] - pred[:, 0]).astype(np.float64),
            "n_gold": (gold[:, 1] - gold[:, 0]).astype(np.float64),
        }
        if (weights := matching.gold_weights) is not None:
            sums |= {"hit_gold": _sums(matching.gold.credit * weights, gold), "n_gold": _sums(weights, gold)}
        return self.values_of_each(sums)

    def values_of_each(self, sums: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Return what each document adds: its hits, and its values."""
        added = OVER_DOCUMENTS.sum_columns({**sums, "hit_gold": self.recall_values(sums)}, undefined=self.undefined)
        return {**added, **sums}


@dataclass(frozen=True, kw_only=True)
class AssertedMeasure(ConceptMeasure):
    """A measure that compares assertions, and numbers by their values."""

    assertions: str = parameter(
        "match",
        help="assertions (negated, ...): match = must be equal, ignore, report = ignored, but differences are counted",
        choices=("match", "ignore", "report"),
    )
    numbers: str = parameter(
        "exact",
        help="numbers with units: exact = by value, ignore = as any other concept",
        choices=("exact", "ignore"),
    )

    def compared(self, model: Concepts) -> Concepts:
        """Return a model as it is compared, without what is ignored."""
        return model.without(assertions=self.assertions != "match", values=self.numbers == "ignore")

    def reported(self, *, pred: Concepts, gold: Concepts) -> tuple[Concepts, Concepts] | None:
        """Return both sides with their assertions, if differences are to be reported."""
        return (pred, gold) if self.assertions == "report" else None

    def note(self, matching: ConceptMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many hits differ in their assertions, if that is to be reported."""
        del values
        if matching.reported is None:
            return None
        theirs, ours = map(_assertions, matching.reported)
        rows = np.flatnonzero(matching.pred.credit > 0)
        others = matching.evidence("pred", rows).counterpart
        documents = matching.pred_items.documents()[rows].tolist(), matching.gold_items.documents()[others].tolist()
        keys = (
            matching.pred_items.keys[matching.pred_items.words[rows]],
            matching.gold_items.keys[matching.gold_items.words[others]],
        )
        here = zip(matching.pred_items.ids[documents[0]].tolist(), keys[0].tolist(), strict=True)
        there = zip(matching.gold_items.ids[documents[1]].tolist(), keys[1].tolist(), strict=True)
        differ = sum(theirs[one] != ours[other] for one, other in zip(here, there, strict=True))
        return (
            f"{differ:,} of {len(rows):,} predicted concepts that match differ in their assertions" if differ else None
        )


def equal_sides(
    *, pred: Concepts, gold: Concepts, reported: tuple[Concepts, Concepts] | None = None
) -> ConceptMatching:
    """Match each concept with the equal one in the other document of its pair."""
    pairs = pair_documents(pred=pred, gold=gold)
    equal = equal_concepts(pred=pred, gold=gold, pairs=pairs)
    return ConceptMatching(
        pred=Side.of_equals(equal[0]),
        gold=Side.of_equals(equal[1]),
        pred_items=pred,
        gold_items=gold,
        pairs=pairs,
        reported=reported,
    )


def refuse_without(what: str, column: StringArray, side: str, model: Concepts, *, owner: str) -> None:
    """Refuse concepts without an id, or without a semantic type."""
    without = np.flatnonzero(column[model.words] == "")
    if len(without):
        raise UsageError(
            f"{owner}: {len(without):,} concepts of the {side} have no {what}.",
            found=model.item(int(without[0])),
            expected=f'texts with {what}s: {{"text": "asthma", "id": "C0004096", "type": "T047"}}',
            hint="groups=all needs no types"
            if what == "type"
            else "a dictionary gives the concepts that it finds in texts ids: --dictionary FILE",
        )


def equal_concepts(
    *, pred: Concepts, gold: Concepts, pairs: DocumentPairs, names: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each concept the one of the same key, assertion and value in the other document of its pair."""
    if names is not None and pred.only_named and gold.only_named:
        here, there, count = names[: len(pred.names)], names[len(pred.names) :], int(names.max(initial=0)) + 1
    else:
        known, places = number_columns(_identities(pred), _identities(gold))
        here, there = (place.astype(np.int64) for place in places)
        count = len(known)
    # A pair has each concept once a side.
    return join_equal(
        pair_of(pred, pairs.pred, pairs) * count + here[pred.words],
        pair_of(gold, pairs.gold, pairs) * count + there[gold.words],
    )


def _assertions(model: Concepts) -> dict[tuple[str, str], frozenset[str]]:
    """Gather the assertions of each key of each document."""
    found: dict[tuple[str, str], set[str]] = {}
    for row, name in enumerate(model.ids.tolist()):
        for one in model.found(row):
            found.setdefault((name, one.key), set()).add(one.assertion)
    return {place: frozenset(some) for place, some in found.items()}


def _identities(model: Concepts) -> list[str | tuple[str, str, str]]:
    """Return what identifies each concept: its key, with its assertion and value if it has any."""
    keys: list[str | tuple[str, str, str]] = [*model.keys]
    if model.states_nothing:
        return keys
    stated = zip(model.keys.tolist(), model.assertions.tolist(), model.values.tolist(), strict=True)
    return [(key, assertion, value) if assertion or value else key for key, assertion, value in stated]


def _sums(credit: FloatArray, spans: NDArray[np.int64]) -> FloatArray:
    total = np.zeros(len(credit) + 1)
    credit.cumsum(out=total[1:])
    difference: FloatArray = total[spans[:, 1]] - total[spans[:, 0]]
    return difference
