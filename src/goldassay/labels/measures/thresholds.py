"""Weighted Fmax and Smin: the best value over all thresholds, with labels weighted by their information content."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, f_measure, shares
from goldassay.core.curve import Curve
from goldassay.core.errors import InputError, RecordError, UsageError, names_file
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import exact_sum
from goldassay.core.units import Units
from goldassay.formats import load, recognise
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import CONTENTS
from goldassay.formats.rows import TABLES, read_table
from goldassay.kernels.ragged import best_rows, distinct, find_keys, ranges, run_heads, run_tails
from goldassay.labels.hierarchy import Hierarchy, Numbers
from goldassay.labels.match import LabelMatching, LabelMeasure, Nodes, NodesOfSides, Pair, note_unanswered, sides_of
from goldassay.labels.model import Labels

GRAIN = 2.0**40
"""Weights are kept to 1/GRAIN, about a million millionth: sums of them are then exact, and no order moves one."""


def weights_of(pair: Pair, path: str | None) -> FloatArray:
    """Return the information content of every label, float64, shape (labels,)."""
    found = read_content(path, pair.hierarchy) if path else content_of_gold(pair)
    return np.asarray(np.round(found * GRAIN) / GRAIN)


def content_of_gold(pair: Pair) -> FloatArray:
    """Estimate information content from the instances of gold."""
    # It is -log2 of how many of the instances that have all parents of a label have the label too. One is added to both
    # counts, so that a label that no instance has gets a number.
    # Source: Clark & Radivojac 2013, section 2.2, with the added one of CAFA's script ``ia.py``.
    hierarchy, size = pair.hierarchy, len(pair.hierarchy)
    keys = distinct(pair.keys(pair.gold_instances, pair.gold_labels)[1])
    having = np.bincount(keys % size, minlength=size)
    total = int(pair.in_gold.sum())
    with_parents = np.full(size, total, dtype=np.int64)
    counts = np.diff(hierarchy.starts)
    single = counts == 1
    with_parents[single] = having[hierarchy.parents[hierarchy.starts[:-1][single]]]
    order = np.argsort(keys % size, kind="stable")
    first, instances = np.searchsorted((keys % size)[order], np.arange(size + 1)), (keys // size)[order]
    for label in np.flatnonzero(counts > 1).tolist():
        with_parents[label] = _count_with_all(hierarchy.parents_of(label).tolist(), first, instances)
    # `0.0 -` and not `-`, since the content of a label that all have is 0, and not -0.
    return np.asarray(0.0 - np.log2((having + 1) / (with_parents + 1)))


def _count_with_all(labels: Sequence[int], first: Numbers, instances: Numbers) -> int:
    """Count the instances that have all of some labels."""
    lists = sorted((instances[first[one] : first[one + 1]] for one in labels), key=len)
    common = lists[0]
    for other in lists[1:]:
        common = common[find_keys(common, other)]
    return len(common)


@names_file
def read_content(path: str, hierarchy: Hierarchy) -> FloatArray:
    """Read the information content of labels; one that the file does not name has 0, as have those with no number above 0."""
    source, bad = load(path), BadRecords()
    table = read_table(source, recognise(source, TABLES), CONTENTS.chooser(), bad).fill(bad)
    found = np.zeros(len(hierarchy))
    for row, (label, written) in enumerate(table.frame.select("label", "content").iter_rows()):
        try:
            value = float(written)
        except ValueError:
            value = math.nan
        if not 0 <= value < math.inf:
            raise RecordError(
                "The information content is not a number of 0 or more.",
                line=table.line(row),
                found=repr(written),
                expected="a number of 0 or more",
            )
        place = hierarchy.rows.get(label)
        if place is not None:
            found[place] = value
    if not found.any():
        raise InputError("The file has no information content for any label of the hierarchy.", expected="label,ic")
    return found


FINEST = 1e-6
"""The smallest distance of thresholds: a million of them."""
PLACES = 12
"""Two values that agree to so many places are alike when the best is chosen, so that rounding does not choose."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Levels:
    """What each instance has at each of its scores, from the highest score down."""

    count: int  # how many instances there are
    owner: Numbers  # the instance of each level, int64, shape (levels,)
    score: FloatArray  # the score of each level, float64
    hit: FloatArray  # weight of what is predicted from this score on and in gold, float64
    size: FloatArray  # weight of what is predicted from this score on, float64
    gold: FloatArray  # weight of gold of each instance, float64, shape (instances,)
    target: NDArray[np.bool_]  # the instances that means over gold are taken over, shape (instances,)

    @cached_property
    def recall(self) -> FloatArray:
        """Recall of each level, float64, shape (levels,)."""
        return shares(self.hit, self.gold[self.owner])

    def at(self, threshold: float) -> dict[str, FloatArray]:
        """Return what each instance has at a threshold, by the name of the sum, each of shape (instances,)."""
        rows = np.flatnonzero(self.score >= threshold)
        last = rows[run_tails(self.owner[rows])]
        owner = self.owner[last]
        hit, size = np.zeros(self.count), np.zeros(self.count)
        hit[owner], size[owner] = self.hit[last], self.size[last]
        return {
            "sum_precision": shares(hit, size),
            "sum_recall": shares(hit, self.gold),
            "answered": (size > 0).astype(np.float64),
            "targets": self.target.astype(np.float64),
            "answered_targets": ((size > 0) & self.target).astype(np.float64),
            "hit": hit,
            "n_pred_weight": size,
            "n_gold_weight": self.gold,
        }

    def sums(self, thresholds: FloatArray) -> dict[str, FloatArray]:
        """Add up all instances at each threshold."""
        # Each level counts from its score down; what the one before it counted is taken away again.
        first = run_heads(self.owner)
        place = np.searchsorted(-thresholds, -self.score, side="left")
        columns = {
            "sum_precision": shares(self.hit, self.size),
            "sum_recall": self.recall,
            "answered": (self.size > 0).astype(np.float64),
            "answered_targets": ((self.size > 0) & self.target[self.owner]).astype(np.float64),
            "hit": self.hit,
            "n_pred_weight": self.size,
        }
        found = {}
        for name, column in columns.items():
            gained = column - np.where(first, 0.0, np.roll(column, 1))
            found[name] = np.cumsum(np.bincount(place, weights=gained, minlength=len(thresholds) + 1)[:-1])
        totals = {"targets": float(self.target.sum()), "n_gold_weight": float(exact_sum(self.gold))}
        return {**found, **{name: np.full(len(thresholds), total) for name, total in totals.items()}}


@dataclass(frozen=True, kw_only=True)
class BestThreshold(LabelMeasure):
    """A measure that takes the best of all thresholds on the scores of a prediction."""

    # The score of a label is passed on to what lies above it: a node has the best score of what lies at or below it.
    # The values have no intervals, since the threshold is chosen by the very instances that a resample would draw from.
    citation: ClassVar[str] = "clark2013information"
    conventions: ClassVar[tuple[str, ...]] = (
        "cafaeval takes the thresholds step, 2 step, ... below 1: step=0.01; so a score of 1 - step or more is never cut off",
        "cafaeval leaves predicted instances that gold does not have out in silence: targets=gold",
        "norm=cafa is cafaeval's default: precision is a mean over instances with a prediction, recall over those of gold",
        "norm=pred divides both by the instances with a prediction, norm=gold (norm=gt there) both by those of gold",
        "cafaeval's no_orphans leaves roots out of f and s: root=exclude,weights=one; it does not change f_w; its prop=fill is propagation=fill",
        "cafaeval gives recall 0 to an instance whose labels in gold have no weight, such as the root, and counts it in all means: uninformative=miss",
        "weights=one gives cafaeval's figures without information content (f, s), weights=ic those with it (f_w, s_w)",
    )

    weights: str = parameter(
        "ic", help="whether a label counts by its information content, or as one", choices=("ic", "one")
    )
    ic: str | None = parameter(
        None, help="a table (label, information content); by default it is estimated from gold", metavar="FILE"
    )
    norm: str = parameter("cafa", help="what means are taken over", choices=("cafa", "pred", "gold"))
    root: str = parameter("include", help="whether labels without a parent count", choices=("include", "exclude"))
    propagation: str = parameter("max", help="how scores are passed on upwards", choices=("max", "fill"))
    step: float = parameter(0.0, help="the distance of thresholds; 0 takes every score as one", bounds=(0.0, 0.5))
    targets: str = parameter(
        "all", help="whether predicted instances that gold does not have count as wrong", choices=("all", "gold")
    )
    uninformative: str = parameter(
        "skip",
        help="whether means leave out instances whose labels in gold all have no weight, or give them recall 0",
        choices=("skip", "miss"),
    )

    def worth(self, sums: Mapping[str, Any]) -> FloatArray:
        """Return how good the values of some sums are; the highest is chosen, and 0/0 only where there is nothing else."""
        values = np.asarray(self.divide(Counts(sums), Division(np.nan))[self.headline], dtype=np.float64)
        return np.nan_to_num(values if self.higher_is_better else -values, nan=-np.inf)

    def levels(self, *, pred: Labels, gold: Labels) -> Levels:
        """Return what each instance has at each of its scores."""
        return self._levels(Pair.of(pred=pred, gold=gold))

    def match(self, *, pred: Labels, gold: Labels, context: Context) -> LabelMatching:
        """Find the best threshold, and what each instance has at it."""
        del context
        pair = Pair.of(pred=pred, gold=gold)
        levels = self._levels(pair)
        thresholds = self.thresholds(levels)
        cut = np.inf
        if len(thresholds):
            worth = np.round(self.worth(levels.sums(thresholds)), PLACES)
            cut = float(thresholds[np.flatnonzero(worth == worth.max())[-1]])
        sums = levels.at(cut)
        kept = (pred.scores >= cut) & self._asked(pair, pair.pred_instances)
        silent = note_unanswered(pair, np.where(levels.target, sums["n_pred_weight"], 1.0), root=self.root)
        best = (
            f"the best threshold is {cut:.4g}"
            if len(thresholds)
            else "there is no threshold, since nothing is predicted"
        )
        return LabelMatching.of(
            pair,
            sides_of(pair, kept=kept, root=self.root),
            sums=sums,
            note=f"{best}; {silent}" if silent else best,
            included=pair.counted(kept, root=self.root),
            nodes=partial(self._nodes, pair, cut),
        )

    def _nodes(self, pair: Pair, cut: float) -> NodesOfSides:
        """Compare the nodes that count at a threshold, by their weights."""
        weights = self._weights(pair)
        (node, score), gold = self._counted(pair)
        kept = np.sort(node[score >= cut])
        return Nodes.both(kept, gold, lambda keys: weights[keys % len(pair.hierarchy)])

    @property
    def swept(self) -> bool:
        """There is a curve: its best point is the score."""
        return True

    def curve(self, *, pred: Labels, gold: Labels, context: Context | None = None) -> Curve:
        """Return the values at every threshold."""
        del context
        levels = self.levels(pred=pred, gold=gold)
        thresholds = self.thresholds(levels)
        sums, nothing = levels.sums(thresholds), levels.at(np.inf)
        return Curve(
            thresholds=thresholds,
            counts=sums,
            unreached={name: float(np.sum(nothing[name])) for name in sums},
            undefined=self.undefined,
            divide=self.divide,
            headline=self.headline,
            higher_is_better=self.higher_is_better,
        )

    def units(self, matching: LabelMatching) -> Units | None:
        """Return no units: a resample would choose another threshold."""
        del matching
        return None

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0 < self.step < FINEST:
            raise UsageError(
                "The step of the thresholds is too small.",
                found=f"step={self.step!r}",
                expected=f"0, or {FINEST} to 0.5",
            )

    def thresholds(self, levels: Levels) -> FloatArray:
        """List the thresholds, descending; above the highest score nothing is predicted, and there is none."""
        if self.step:
            steps = np.arange(self.step, 1, self.step)[::-1]
            return np.asarray(steps[steps <= levels.score.max(initial=0.0)])
        return np.unique(levels.score)[::-1]

    def _weights(self, pair: Pair) -> FloatArray:
        """Return how much each label counts, float64, shape (labels,)."""
        return weights_of(pair, self.ic) if self.weights == "ic" else np.ones(len(pair.hierarchy))

    def _asked(self, pair: Pair, instances: Numbers) -> NDArray[np.bool_]:
        """Return which instances of some labels count."""
        return pair.in_gold[instances] | (self.targets == "all")

    def _counted(self, pair: Pair) -> tuple[tuple[Numbers, FloatArray], Numbers]:
        """List the nodes of the prediction that count at some threshold, with their scores, and those of gold."""
        node, score = _pass_on(pair, fill=self.propagation == "fill")
        counted = find_keys(node, pair.kept(node, root=self.root)) & self._asked(pair, node // len(pair.hierarchy))
        gold = pair.kept(distinct(pair.keys(pair.gold_instances, pair.gold_labels)[1]), root=self.root)
        return (node[counted], score[counted]), gold

    def _levels(self, pair: Pair) -> Levels:
        size, weights = len(pair.hierarchy), self._weights(pair)
        (node, score), gold = self._counted(pair)
        order = np.lexsort((-score, node // size))
        node, score = node[order], score[order]
        owner = node // size
        weight = weights[node % size]
        # In whole numbers, which wrap around: differences stay exact however long the column is.
        whole = np.round(weight * GRAIN).astype(np.uint64)
        hit = np.where(find_keys(node, gold), whole, np.uint64(0))
        last = run_tails(owner, score)
        begin = np.searchsorted(owner, owner[last], side="left")
        weight_of_gold = pair.per_instance(gold, weights[gold % size])
        in_gold = np.bincount(pair.gold_instances, minlength=len(pair))
        return Levels(
            count=len(pair),
            owner=owner[last],
            score=score[last],
            hit=_sum_from(hit, begin, last),
            size=_sum_from(whole, begin, last),
            gold=weight_of_gold,
            target=in_gold > 0 if self.uninformative == "miss" else weight_of_gold > 0,
        )


def _sum_from(column: NDArray[np.uint64], begin: Numbers, last: NDArray[np.bool_]) -> FloatArray:
    """Add up a column from a place on to some others."""
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(column, dtype=np.uint64)])
    return np.asarray((sums[1:][last] - sums[begin]).astype(np.float64) / GRAIN)


def _pass_on(pair: Pair, *, fill: bool) -> tuple[Numbers, FloatArray]:
    """Pass scores on to what lies above, the deepest level first."""
    # A node gets the best score of its children, and of its own; with `fill` its own counts where it has one.
    size, hierarchy = np.int64(len(pair.hierarchy)), pair.hierarchy
    keys, scores = pair.pred_instances * size + pair.pred_labels, pair.pred.scores
    if not fill:
        row, above = pair.keys(pair.pred_instances, pair.pred_labels)
        return _keep_best(above, scores[row])
    level = hierarchy.levels[keys % size]
    done: list[tuple[Numbers, FloatArray]] = []
    given, passed = np.zeros(0, dtype=np.int64), np.zeros(0)
    for depth in range(int(level.max(initial=0)), 0, -1):
        own = keys[level == depth]
        here = hierarchy.levels[given % size] == depth
        open_ = here & ~find_keys(given, np.sort(own))
        node, best = _keep_best(
            np.concatenate([own, given[open_]]), np.concatenate([scores[level == depth], passed[open_]])
        )
        done.append((node, best))
        counts = np.diff(hierarchy.starts)[node % size]
        parents = hierarchy.parents[ranges(hierarchy.starts[node % size], counts)]
        given = np.concatenate([given[~here], np.repeat(node - node % size, counts) + parents])
        passed = np.concatenate([passed[~here], np.repeat(best, counts)])
    if not done:
        return given, passed
    return _keep_best(np.concatenate([node for node, _ in done]), np.concatenate([best for _, best in done]))


def _keep_best(keys: Numbers, scores: FloatArray) -> tuple[Numbers, FloatArray]:
    """Keep the best score of each key, keys ascending."""
    first = best_rows(scores, keys)
    return keys[first], scores[first]


@dataclass(frozen=True, kw_only=True)
class WeightedFmax(BestThreshold):
    """The best F over all thresholds, with the precision, recall and coverage there.

    Coverage is the share of gold's instances that have a prediction at the threshold. Of several thresholds with the best F
    the lowest is taken, as cafaeval does.

    Attributes:
        average: Whether precision and recall are means over instances, or of all instances at once.

    Example:
        >>> from goldassay.labels import Labels
        >>> edges = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
        >>> gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=edges)
        >>> pred = Labels.from_rows([("d1", "cat", 0.9), ("d2", "cat", 0.4)], edges=edges)
        >>> WeightedFmax(weights="one").score(pred=pred, gold=gold)
        <Score weighted_fmax(weights=one): precision 0.8333, recall 0.8333, fmax 0.8333, coverage 1.0000>
    """

    name: ClassVar[str] = "weighted_fmax"
    title: ClassVar[str] = "Weighted Fmax"
    formula: ClassVar[str] = (
        r"F_{max} = \max_\tau \frac{2 P(\tau) R(\tau)}{P(\tau) + R(\tau)},\quad P(\tau) = \frac{1}{m(\tau)} \sum_i "
        r"\frac{\sum_{v \in \hat P_i(\tau) \cap \hat G_i} ic(v)}{\sum_{v \in \hat P_i(\tau)} ic(v)},\quad "
        r"R(\tau) = \frac{1}{n} \sum_i \frac{\sum_{v \in \hat P_i(\tau) \cap \hat G_i} ic(v)}{\sum_{v \in \hat G_i} ic(v)}"
    )
    values: ClassVar[Mapping[str, Bounds]] = types.MappingProxyType(
        dict.fromkeys(("precision", "recall", "fmax", "coverage"), (0.0, 1.0))
    )
    defined_one_sided: ClassVar[bool] = True
    headline: ClassVar[str] = "fmax"

    average: str = parameter("macro", help="means over instances, or all at once", choices=("macro", "micro"))

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a model scores against itself; an instance whose labels have no weight has recall 0 with ``uninformative=miss``."""
        return {} if self.uninformative == "miss" else super().perfect

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums at the threshold."""
        answered, targets = counts["answered"], counts["targets"]
        if self.average == "micro":
            precision = ratio("precision", counts["hit"], counts["n_pred_weight"])
            recall = ratio("recall", counts["hit"], counts["n_gold_weight"])
        else:
            precision = ratio("precision", counts["sum_precision"], targets if self.norm == "gold" else answered)
            recall = ratio("recall", counts["sum_recall"], answered if self.norm == "pred" else targets)
        coverage = ratio("coverage", counts["answered_targets"], targets)
        fmax = f_measure(precision, recall)
        return {"precision": precision, "recall": recall, "fmax": fmax, "coverage": coverage}


@dataclass(frozen=True, kw_only=True)
class Smin(BestThreshold):
    """The least semantic distance over all thresholds, with the remaining uncertainty and the misinformation there.

    Example:
        >>> from goldassay.labels.model import Labels
        >>> edges = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
        >>> gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=edges)
        >>> pred = Labels.from_rows([("d1", "cat", 0.9), ("d2", "cat", 0.4)], edges=edges)
        >>> Smin(weights="one").score(pred=pred, gold=gold)
        <Score smin(weights=one): s 0.7071, uncertainty 0.5000, misinformation 0.5000>
    """

    name: ClassVar[str] = "smin"
    title: ClassVar[str] = "Least semantic distance"
    formula: ClassVar[str] = (
        r"S_{min} = \min_\tau \sqrt{ru(\tau)^2 + mi(\tau)^2},\quad ru(\tau) = \frac{1}{n} \sum_i "
        r"\sum_{v \in \hat G_i \setminus \hat P_i(\tau)} ic(v),\quad "
        r"mi(\tau) = \frac{1}{n} \sum_i \sum_{v \in \hat P_i(\tau) \setminus \hat G_i} ic(v)"
    )
    higher_is_better: ClassVar[bool] = False
    values: ClassVar[Mapping[str, Bounds]] = types.MappingProxyType(
        dict.fromkeys(("s", "uncertainty", "misinformation"), (0.0, math.inf))
    )
    headline: ClassVar[str] = "s"
    # Of a prediction of nothing all uncertainty remains; without gold there is no instance to take a mean over.
    defined_one_sided: ClassVar[bool] = True

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide what is missed and what is wrong by the number of instances, and take the length of the two."""
        size = counts["answered"] if self.norm == "pred" else counts["targets"]
        uncertainty = ratio("uncertainty", counts["n_gold_weight"] - counts["hit"], size)
        misinformation = ratio("misinformation", counts["n_pred_weight"] - counts["hit"], size)
        s = np.hypot(uncertainty, misinformation)
        return {
            "s": float(s) if np.ndim(s) == 0 else s,
            "uncertainty": uncertainty,
            "misinformation": misinformation,
        }
