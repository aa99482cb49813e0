"""The instances of both sides over one hierarchy, and which label of an instance lies nearest to one of the other side."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.average import Average
from goldassay.core.context import Context, Progress, ignore_progress
from goldassay.core.counts import FloatArray, shares
from goldassay.core.errors import UsageError, name_file
from goldassay.core.intern import number_columns
from goldassay.core.matching import NO_MATCH, RIGHT, Amounts, Evidence, Matching, Side, SideName
from goldassay.core.measure import Measure, Symmetry
from goldassay.core.parts import Part
from goldassay.kernels.ragged import distinct, find_keys
from goldassay.labels.errors import ERRORS, kinds_of
from goldassay.labels.hierarchy import Closure, Hierarchy, Numbers
from goldassay.labels.model import Labels

OVER_INSTANCES = Average(empty="ignored", units="instances")


@dataclass(frozen=True, eq=False, kw_only=True)
class Pair:
    """Prediction and gold over the same instances and the same hierarchy."""

    names: tuple[str, ...]  # the instances of either side; those of gold first
    # gold's hierarchy, after whose labels come those that only the hierarchy of the prediction has, without edges
    hierarchy: Hierarchy
    pred: Labels  # the prediction
    gold: Labels  # the gold standard
    pred_instances: Numbers  # rows of `names` for each predicted label, int64
    pred_labels: Numbers  # rows of `hierarchy.names` for each predicted label, int64
    gold_instances: Numbers  # rows of `names` for each gold label, int64
    gold_labels: Numbers  # rows of `hierarchy.names` for each gold label, int64
    in_gold: NDArray[np.bool_]  # which instances gold has, shape (instances,)
    closure: Closure  # what lies above all these labels

    @classmethod
    def of(cls, *, pred: Labels, gold: Labels, flat: bool = False) -> Pair:
        """Number the instances and labels of both sides alike; only flat measures need no hierarchy."""
        if gold.hierarchy.is_flat and not flat:
            raise UsageError(
                "No hierarchy was given.",
                expected="a table (child, parent), OBO, OWL or RDF",
                hint="--hierarchy FILE (selfcheck: --option hierarchy=FILE); without a hierarchy: -m flat",
            )
        if pred.beyond_unit is not None:
            with name_file(pred.path):
                raise pred.beyond_unit
        hierarchy, moved = gold.hierarchy, np.arange(len(gold.hierarchy), dtype=np.int64)
        if gold.hierarchy.of_paths and pred.hierarchy.of_paths:
            # What lies above a path is part of its name, so that the prediction adds nothing that gold did not decide.
            hierarchy, moved = gold.hierarchy.merge(pred.hierarchy)
        elif pred.hierarchy is not gold.hierarchy:
            hierarchy, moved = gold.hierarchy.with_names(pred.hierarchy.names)
        rows, (_, own) = number_columns(gold.ids, pred.ids)
        place = own.astype(np.int64)
        pred_labels, gold_labels = moved[pred.labels], gold.labels.astype(np.int64)
        return cls(
            names=tuple(rows),
            hierarchy=hierarchy,
            pred=pred,
            gold=gold,
            pred_instances=place[pred.instances],
            pred_labels=pred_labels,
            gold_instances=gold.instances.astype(np.int64),
            gold_labels=gold_labels,
            in_gold=np.arange(len(rows)) < len(gold.ids),
            closure=hierarchy.closure(np.concatenate([pred_labels, gold_labels])),
        )

    def __len__(self) -> int:
        return len(self.names)

    def item(self, row: int) -> str:
        """Name one instance."""
        return self.names[row]

    def keys(self, instances: Numbers, labels: Numbers, *, given: bool = False) -> tuple[Numbers, Numbers]:
        """List what lies at or above each label, as one number for instance and node, or only the given labels."""
        if given:
            return np.arange(len(labels)), instances * len(self.hierarchy) + labels
        row, place = self.closure.spread(labels)
        return row, instances[row] * len(self.hierarchy) + self.closure.nodes[place]

    @cached_property
    def is_root(self) -> NDArray[np.bool_]:
        """Which labels are roots of gold's hierarchy, which one that it does not have is not, shape (labels,)."""
        return self.hierarchy.is_root & (np.arange(len(self.hierarchy)) < len(self.gold.hierarchy))

    def kept(self, keys: Numbers, *, root: str) -> Numbers:
        """Leave the roots out of some keys, if roots do not count."""
        if root != "exclude":
            return keys
        return keys[~self.is_root[keys % len(self.hierarchy)]]

    def counted(self, kept: NDArray[np.bool_], *, root: str = "include") -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Find which labels of the prediction, of those that a threshold keeps, and which of gold count."""
        left_out = self.is_root & (root == "exclude")
        return kept & ~left_out[self.pred_labels], ~left_out[self.gold_labels]

    def per_instance(self, keys: Numbers, weights: FloatArray | None = None) -> FloatArray:
        """Add up the keys of each instance, float64, shape (instances,)."""
        owner = keys // len(self.hierarchy)
        return np.bincount(owner, weights=weights, minlength=len(self)).astype(np.float64)

    def part(self, counts: dict[str, Any]) -> Part:
        """List the instances, each with what it adds to the sums."""
        return Part(items=self, others=self, unit_keys=self.unit_keys, counts=counts)

    def unit_keys(self) -> Sequence[str]:
        """Name what a resample draws: the instances."""
        return self.names


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of one side that are counted, each as one number for instance and node; below 0 for the artificial root of an instance."""

    keys: Numbers  # ascending
    hit: NDArray[np.bool_]  # whether the other side has each
    weight: FloatArray  # how much each counts

    @classmethod
    def both(cls, pred: Numbers, gold: Numbers, weights: Callable[[Numbers], FloatArray] | None = None) -> NodesOfSides:
        """Compare the nodes of two sides."""
        weigh = weights or (lambda keys: np.ones(len(keys)))
        return cls(pred, find_keys(pred, gold), weigh(pred)), cls(gold, find_keys(gold, pred), weigh(gold))

    def shared_among(self, rows: Numbers, keys: Numbers, size: int) -> Amounts:
        """Share each node between the labels at or below it: what of it is right, and what counts."""
        known = find_keys(keys, self.keys)
        rows, place = rows[known], np.searchsorted(self.keys, keys[known])
        each = self.weight[place] / np.bincount(place, minlength=len(self.keys))[place]
        right, counted = (
            np.bincount(rows, weights=column, minlength=size).astype(np.float64)
            for column in (each * self.hit[place], each)
        )
        return right, counted


NodesOfSides: TypeAlias = tuple[Nodes, Nodes]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LabelMatching(Matching[Labels]):
    """A matching of labels, and what each instance adds to the sums."""

    pair: Pair  # both sides over the same instances
    sums: dict[str, FloatArray]  # what each instance adds, by the name of the sum, float64, each of shape (instances,)
    looked_up: bool = False  # whether the sides have the counterparts
    # finds the nodes that are counted, where these are not the labels themselves
    nodes: Callable[[], NodesOfSides] | None = None
    given: bool = False  # whether what lies above a label counts only where it is given itself

    @classmethod
    def of(cls, pair: Pair, sides: tuple[Side, Side], **more: Any) -> Self:
        """Combine what matched with the labels of both sides; ``more`` are the other attributes."""
        return cls(pred=sides[0], gold=sides[1], pred_items=pair.pred, gold_items=pair.gold, pair=pair, **more)

    @property
    def stated(self) -> NDArray[np.bool_]:
        """Which labels of gold the prediction gives the same instance, with any score, shape (gold labels,)."""
        pair, size = self.pair, len(self.pair.hierarchy)
        return np.isin(pair.gold_instances * size + pair.gold_labels, pair.pred_instances * size + pair.pred_labels)

    def _kinds(self, side: SideName, rows: NDArray[np.int64]) -> list[str]:
        """Name for each of some labels where it lies from those of the other side."""
        names = list(ERRORS)
        return [names[kind] for kind in self._rows_of_errors(side, rows).tolist()]

    def _rows_of_errors(self, side: SideName, rows: Numbers) -> Numbers:
        pair = self.pair
        pred, gold = (pair.pred_instances, pair.pred_labels), (pair.gold_instances, pair.gold_labels)
        (owners, labels), there = (pred, gold) if side == "pred" else (gold, pred)
        if side == "gold":
            counted = self._counts("pred")
            there = pair.pred_instances[counted], pair.pred_labels[counted]
        return kinds_of((owners[rows], labels[rows]), there, pair.hierarchy, pair.closure, len(pair.gold.hierarchy))

    def errors_among(self, items: Any) -> list[str] | None:
        """Name the first kind of error of the labels of each instance: of those predicted, or else of those that are missed."""
        if items is not self.pair:
            return super().errors_among(items)
        names, none = [*ERRORS, RIGHT], len(ERRORS)
        found: NDArray[np.int64] = np.full(len(items), none)
        sides: tuple[tuple[SideName, Numbers], ...]
        sides = ("gold", self.pair.gold_instances), ("pred", self.pair.pred_instances)
        for side, owners in sides:
            wrong = self.failed(side)
            kinds = np.full(len(items), none)
            np.minimum.at(kinds, owners[wrong], self._rows_of_errors(side, wrong))
            found = np.where(kinds < none, kinds, found)
        return [names[kind] for kind in found.tolist()]

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Look up the label of the other side of the same instance that shares most of what lies above."""
        if self.looked_up:
            return super().evidence(side, rows, progress=progress)
        # Similarity is 2 |A & B| / (|A| + |B|), with A and B what lies at or above the two labels.
        pair = self.pair
        ours, theirs = (
            (pair.pred_instances, pair.pred_labels),
            (pair.gold_instances, pair.gold_labels),
        )[:: 1 if side == "pred" else -1]
        order = np.argsort(theirs[0], kind="stable")
        first = np.searchsorted(theirs[0][order], np.arange(len(pair) + 1))
        counterpart, similarity = np.full(len(rows), NO_MATCH, dtype=np.int64), np.full(len(rows), np.nan)
        closure = pair.closure
        above = [closure.nodes[closure.starts[label] : closure.starts[label + 1]] for label in ours[1][rows].tolist()]
        for at, owner in enumerate(ours[0][rows].tolist()):
            if not at % 4096:
                progress("looking up the nearest labels", at, len(rows))
            for row in order[first[owner] : first[owner + 1]].tolist():
                label = theirs[1][row]
                other = closure.nodes[closure.starts[label] : closure.starts[label + 1]]
                shared = len(np.intersect1d(above[at], other, assume_unique=True))
                value = 2 * shared / (len(above[at]) + len(other))
                if not value <= similarity[at]:
                    counterpart[at], similarity[at] = row, value
        return Evidence(counterpart=counterpart, similarity=similarity, details=self.details(side, rows))

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return how deep labels are."""
        labels = self.pair.pred_labels if side == "pred" else self.pair.gold_labels
        return {"depth": self.pair.hierarchy.levels[labels[rows]]}


def sides_of(pair: Pair, *, kept: NDArray[np.bool_], root: str, given: bool = False) -> tuple[Side, Side]:
    """Credit each label with the share of what lies at or above it that the other side has for the instance, once it is asked for."""
    made = cache(partial(_sides_of, pair, kept, root, given))
    return Side.later(lambda: vars(made()[0])), Side.later(lambda: vars(made()[1]))


def _sides_of(pair: Pair, kept: NDArray[np.bool_], root: str, given: bool) -> tuple[Side, Side]:
    pred_row, pred_keys = pair.keys(pair.pred_instances, pair.pred_labels, given=given)
    gold_row, gold_keys = pair.keys(pair.gold_instances, pair.gold_labels, given=given)
    alive = kept[pred_row]
    is_root = pair.is_root & (root == "exclude")
    sides = []
    for row, keys, others, size in (
        (pred_row, pred_keys, distinct(gold_keys), len(pair.pred)),
        (gold_row, gold_keys, distinct(pred_keys[alive]), len(pair.gold)),
    ):
        counted = ~is_root[keys % len(pair.hierarchy)]
        hits = np.bincount(row[counted], weights=find_keys(keys[counted], others), minlength=size)
        total = np.bincount(row[counted], minlength=size)
        sides.append(shares(hits, total))
    sides[0] = np.where(kept, sides[0], 0.0)
    pred, gold = (Side.of_credit(credit, np.full(len(credit), NO_MATCH, dtype=np.int64)) for credit in sides)
    return pred, gold


def sum_by_size(values: FloatArray, owners: Any, size: int) -> FloatArray:
    """Add numbers up by owner, in the order of their size, so that no order of the rows moves a sum."""
    order = np.lexsort((values, owners))
    return np.bincount(owners[order], weights=values[order], minlength=size).astype(np.float64)


def note_unanswered(pair: Pair, n_pred: FloatArray, *, root: str = "include") -> str | None:
    """Return how many instances with labels in gold have no prediction; None if all have one."""
    _, keys = pair.keys(pair.gold_instances, pair.gold_labels, given=True)
    count = int(((pair.per_instance(pair.kept(keys, root=root)) > 0) & (n_pred == 0)).sum())
    if not count:
        return None
    has, are = ("has", "is") if count == 1 else ("have", "are")
    total = int(pair.in_gold.sum())
    return f"{count:,} of the {total:,} instances of gold {has} no prediction that counts, and {are} missed"


@dataclass(frozen=True, kw_only=True)
class LabelMeasure(Measure[Labels, LabelMatching]):
    """A measure whose counts are those of instances."""

    family: ClassVar[str] = "labels"
    unit: ClassVar[str] = "instance"
    # A threshold cuts only the prediction.
    symmetry: ClassVar[Symmetry] = "none"

    def parts(self, matching: LabelMatching) -> tuple[Part, ...]:
        """List the instances."""
        return (matching.pair.part(matching.sums),)

    def added(self, matching: LabelMatching, side: SideName) -> Amounts:
        """Return what each label adds: a node above several labels that count is shared between them."""
        if matching.nodes is None:
            return matching.plain_amounts(side)
        pair, at = matching.pair, int(side == "gold")
        instances, labels = ((pair.pred_instances, pair.pred_labels), (pair.gold_instances, pair.gold_labels))[at]
        rows, keys = pair.keys(instances, labels, given=matching.given)
        # Above all of them is the artificial root.
        rows, keys = np.concatenate([rows, np.arange(len(labels))]), np.concatenate([keys, -1 - instances])
        counts = matching.included[at][rows] if matching.included else np.ones(len(rows), dtype=np.bool_)
        return matching.nodes()[at].shared_among(rows[counts], keys[counts], len(labels))


@dataclass(frozen=True, kw_only=True)
class WeighingMeasure(LabelMeasure):
    """A measure whose recall can weigh what gold has."""

    @property
    def weighs_gold(self) -> bool:
        """Recall is a sum over what gold has."""
        return True

    @abstractmethod
    def compare(self, pair: Pair, *, votes: NDArray[np.bool_], context: Context) -> LabelMatching:
        """Compare the labels of each instance."""

    def match(self, *, pred: Labels, gold: Labels, context: Context) -> LabelMatching:
        """Compare the labels of each instance with those of one gold."""
        one = np.ones((1, len(gold)), dtype=np.bool_)
        return self.compare(Pair.of(pred=pred, gold=gold), votes=one, context=context)

    def weigh(self, matching: LabelMatching, gold_standards: Sequence[LabelMatching]) -> LabelMatching:
        """Weigh what gold has by the share of gold standards that have it."""
        votes = np.array([one.stated for one in gold_standards])
        found = self.compare(matching.pair, votes=votes, context=Context())
        return replace(found, gold_weights=votes.mean(axis=0))
