"""Labels without a hierarchy: precision, recall and F1, and how many instances have exactly the labels of gold."""

from __future__ import annotations

import types
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from goldassay.core.average import Average
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, precision_recall_f1
from goldassay.core.matching import RIGHT, Side, SideName
from goldassay.core.measure import PRECISION_RECALL_F1
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.kernels.ragged import distinct, find_keys
from goldassay.labels.hierarchy import Numbers
from goldassay.labels.match import LabelMatching, LabelMeasure, Pair, note_unanswered
from goldassay.labels.model import Labels

OVER_LABELS = Average(empty="ignored", units="labels")


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledPairs:
    """Rows that are counted: instances with labels, or only labels."""

    labels: Sequence[str]  # the label of each row
    units: Sequence[str]  # what a resample draws, of each row
    # instance and label of each row as one number, int64, shape (rows,); None where rows are only labels
    pairs: Numbers | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def item(self, row: int) -> str:
        """Name one row."""
        return f"{self.units[row]}: {self.labels[row]}"

    def unit_keys(self) -> Sequence[str]:
        """Return the unit of each row."""
        return self.units


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FlatMatching(LabelMatching):
    """A matching of labels, and the rows that are counted."""

    part: Part

    def errors_among(self, items: Any) -> list[str] | None:
        """Name the kind of error of each row: that of the predicted label, or else of the one that is missed."""
        if not isinstance(items, LabelledPairs) or items.pairs is None:
            return super().errors_among(items)
        pair, size, kinds = self.pair, len(self.pair.hierarchy), dict[int, str | None]()
        sides: Sequence[tuple[SideName, Numbers]] = (
            ("gold", pair.gold_instances * size + pair.gold_labels),
            ("pred", pair.pred_instances * size + pair.pred_labels),
        )
        for side, keys in sides:
            rows = np.flatnonzero(find_keys(keys, items.pairs))
            kinds |= zip(keys[rows].tolist(), self.errors(side, rows) or (), strict=True)
        return [kinds[key] or RIGHT for key in items.pairs.tolist()]


@dataclass(frozen=True, kw_only=True)
class FlatMeasure(LabelMeasure):
    """A measure that compares labels as they are, without what lies above them."""

    threshold: float = parameter(0.5, help="the lowest score that counts; labels without a score have 1", always=True)

    def match(self, *, pred: Labels, gold: Labels, context: Context) -> LabelMatching:
        """Compare the labels of each instance."""
        del context
        pair = Pair.of(pred=pred, gold=gold, flat=True)
        size, kept = len(pair.hierarchy), pair.pred.scores >= self.threshold
        ours = pair.pred_instances * size + pair.pred_labels
        theirs = pair.gold_instances * size + pair.gold_labels
        counted, wanted = distinct(ours[kept]), distinct(theirs)
        left, right = find_keys(ours, wanted) & kept, find_keys(theirs, counted)
        return FlatMatching.of(
            pair,
            (Side.of_hits(left), Side.of_hits(right)),
            sums={},
            part=self._part(pair, counted, wanted),
            note=note_unanswered(pair, pair.per_instance(counted)),
            included=pair.counted(kept),
        )

    def parts(self, matching: LabelMatching) -> tuple[Part, ...]:
        """List the rows that are counted."""
        assert isinstance(matching, FlatMatching)  # noqa: S101 - its own matching
        return (matching.part,)

    @abstractmethod
    def _part(self, pair: Pair, ours: Numbers, theirs: Numbers) -> Part:
        """Build the rows that are counted, given instance and label of either side as one number."""


@dataclass(frozen=True, kw_only=True)
class Flat(FlatMeasure):
    """Precision, recall and F1 of labels as they are: no label stands for what lies above it.

    Attributes:
        threshold: The lowest score of a predicted label that counts. A label without a score has 1.
        average: Whether labels of all instances are counted together, or values are means over labels, each with a precision, a
            recall and an F1 of its own. A label that neither side has is not in the mean.

    Example:
        >>> from goldassay.labels import Labels
        >>> gold = Labels.from_rows([("d1", "cat"), ("d2", "dog"), ("d3", "cat")])
        >>> pred = Labels.from_rows([("d1", "cat"), ("d2", "cat"), ("d3", "cat")])
        >>> Flat().score(pred=pred, gold=gold).f1, Flat(average="macro").score(pred=pred, gold=gold).f1
        (0.6666666666666666, 0.4)
    """

    name: ClassVar[str] = "flat"
    title: ClassVar[str] = "F1 of labels without a hierarchy"
    formula: ClassVar[str] = (
        r"P = \frac{\sum_i |P_i \cap G_i|}{\sum_i |P_i|},\quad R = \frac{\sum_i |P_i \cap G_i|}{\sum_i |G_i|}"
    )
    citation: ClassVar[str] = "pedregosa2011scikit"
    values: ClassVar[Mapping[str, Bounds]] = PRECISION_RECALL_F1
    headline: ClassVar[str] = "f1"
    conventions: ClassVar[tuple[str, ...]] = (
        "scikit-learn's f1_score(average='micro') and f1_score(average='macro', zero_division=0): flat and flat(average=macro)",
        "the classes of classification_report are --by label",
    )

    average: str = parameter(
        "micro",
        help="count the labels of all instances together, or take means over labels",
        choices=("micro", "macro"),
    )

    @property
    def unit(self) -> str:  # type: ignore[override]
        """Instances are drawn, or labels where these are what is averaged."""
        return "instance" if self.average == "micro" else "label"

    def _part(self, pair: Pair, ours: Numbers, theirs: Numbers) -> Part:
        keys = distinct(np.concatenate([ours, theirs]))
        here, there = find_keys(keys, ours).astype(np.float64), find_keys(keys, theirs).astype(np.float64)
        sums = {"hit_pred": here * there, "hit_gold": here * there, "n_pred": here, "n_gold": there}
        size, names = len(pair.hierarchy), pair.hierarchy.names
        label = keys % size
        if self.average == "micro":
            owners = [pair.names[row] for row in (keys // size).tolist()]
            rows = LabelledPairs(labels=names[label].tolist(), units=owners, pairs=keys)
        else:
            sums = {
                name: np.bincount(label, weights=column, minlength=size).astype(np.float64)
                for name, column in sums.items()
            }
            listed = names.tolist()
            rows = LabelledPairs(labels=listed, units=listed)
            sums |= OVER_LABELS.sum_columns(sums, undefined=self.undefined)
        return Part(items=rows, others=rows, unit_keys=rows.unit_keys, counts=sums)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums over all labels, or take the means over labels."""
        return precision_recall_f1(counts, ratio) if self.average == "micro" else OVER_LABELS.means(counts, ratio)


@dataclass(frozen=True, kw_only=True)
class ExactMatch(FlatMeasure):
    """The share of instances with exactly the labels of gold: accuracy, if each instance has one label.

    An instance that only one side has is not matched, and one that gold does not have counts only if a label of it does.

    Example:
        >>> from goldassay.labels import Labels
        >>> gold = Labels.from_rows([("d1", "cat"), ("d2", "dog"), ("d2", "pet")])
        >>> ExactMatch().score(pred=Labels.from_rows([("d1", "cat"), ("d2", "dog")]), gold=gold).accuracy
        0.5
    """

    name: ClassVar[str] = "exact_match"
    title: ClassVar[str] = "Exact match of the labels of an instance"
    formula: ClassVar[str] = r"A = \frac{|\{i \mid P_i = G_i\}|}{n}"
    citation: ClassVar[str] = "pedregosa2011scikit"
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = types.MappingProxyType({"accuracy": ("right", "instances")})
    headline: ClassVar[str] = "accuracy"
    defined_one_sided: ClassVar[bool] = True
    conventions: ClassVar[tuple[str, ...]] = ("scikit-learn's accuracy_score, of several labels too",)

    def _part(self, pair: Pair, ours: Numbers, theirs: Numbers) -> Part:
        shared = pair.per_instance(ours[find_keys(ours, theirs)])
        sizes = pair.per_instance(ours), pair.per_instance(theirs)
        there = pair.in_gold | (sizes[0] > 0)
        right = (shared == sizes[0]) & (shared == sizes[1]) & there
        return pair.part({"right": right.astype(np.float64), "instances": there.astype(np.float64)})
