"""Hierarchical precision, recall and F1: labels with all that lies above them."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, precision_recall_f1
from goldassay.core.curve import Cut, Step, compute_steps
from goldassay.core.measure import PRECISION_RECALL_F1
from goldassay.core.parameters import Bounds, parameter
from goldassay.kernels.ragged import best_rows, distinct, find_keys
from goldassay.labels.hierarchy import Numbers
from goldassay.labels.match import (
    OVER_INSTANCES,
    LabelMatching,
    Nodes,
    NodesOfSides,
    Pair,
    WeighingMeasure,
    note_unanswered,
    sides_of,
)

MACRO = "macro_"


@dataclass(frozen=True, kw_only=True)
class Hierarchical(WeighingMeasure):
    """Precision and recall of labels once each is joined by all labels above it.

    Precision, recall and F1 add up all instances and divide once; macro values are means over instances. An instance
    without a prediction has nothing to be precise about, and all its gold labels are missed.

    Attributes:
        threshold: The lowest score of a predicted label that counts. A label without a score has 1.
        root: Whether labels without a parent count, or count and have one artificial root above them.
        ancestors: Whether labels are joined by what lies above them, or are given with them.

    Example:
        >>> from goldassay.labels import Labels
        >>> edges = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
        >>> gold = Labels.from_rows([("d1", "cat")], edges=edges)
        >>> Hierarchical().score(pred=Labels.from_rows([("d1", "dog", 0.9)], edges=edges), gold=gold).precision
        0.5
    """

    name: ClassVar[str] = "hierarchical"
    title: ClassVar[str] = "Hierarchical precision, recall and F1"
    formula: ClassVar[str] = (
        r"hP = \frac{\sum_i |\hat P_i \cap \hat G_i|}{\sum_i |\hat P_i|},\quad "
        r"hR = \frac{\sum_i |\hat P_i \cap \hat G_i|}{\sum_i |\hat G_i|},\quad "
        r"\hat X = \bigcup_{x \in X} \{x\} \cup \mathrm{ancestors}(x)"
    )
    citation: ClassVar[str] = "kiritchenko2006learning"
    values: ClassVar[Mapping[str, Bounds]] = types.MappingProxyType(
        {**PRECISION_RECALL_F1, **{MACRO + name: bounds for name, bounds in PRECISION_RECALL_F1.items()}}
    )
    headline: ClassVar[str] = "f1"
    conventions: ClassVar[tuple[str, ...]] = (
        "HEMKit prints macro_precision, macro_recall and macro_f1 with an artificial root over all roots: root=artificial",
        "hiclass compares the labels of a path as given, roots too: root=include, ancestors=given",
        "HEMKit and hiclass are given only instances with a prediction; here one without it counts as missed",
        "cafaeval's unweighted figures count the roots: root=include",
    )

    threshold: float = parameter(0.3, help="the lowest score that counts; labels without a score have 1", always=True)
    root: str = parameter(
        "exclude",
        help="whether roots count; artificial adds one root above all roots and counts it",
        choices=("exclude", "include", "artificial"),
    )
    ancestors: str = parameter(
        "closure",
        help="whether the ancestors of a label are added, or only the given labels count",
        choices=("closure", "given"),
    )

    def compare(self, pair: Pair, *, votes: NDArray[np.bool_], context: Context) -> LabelMatching:
        """Compare the augmented sets of each instance; a node of gold weighs by the share of gold standards whose sets have it."""
        del context
        kept = pair.pred.scores >= self.threshold
        ours = self._set(pair, pair.pred_instances[kept], pair.pred_labels[kept])
        gold_standards = [self._set(pair, pair.gold_instances[some], pair.gold_labels[some]) for some in votes]
        shared = [self._find_shared(pair, ours, own) for own in gold_standards]
        sizes = [self._size(pair, own) for own in gold_standards]
        hits = hits_gold = shared[0]
        n_gold = sizes[0]
        if len(gold_standards) > 1:
            # A node weighs by the share of sets that have it, so that sums of weights are means over the sets.
            hits_gold, n_gold = np.mean(shared, axis=0), np.mean(sizes, axis=0)
            hits = self._find_shared(pair, ours, distinct(np.concatenate(gold_standards)))
        n_pred = self._size(pair, ours)
        sums = {"hit_pred": hits, "hit_gold": hits_gold, "n_pred": n_pred, "n_gold": n_gold}
        return LabelMatching.of(
            pair,
            sides_of(pair, kept=kept, root=self.root, given=self.ancestors == "given"),
            sums={**sums, **OVER_INSTANCES.sum_columns(sums, undefined=self.undefined)},
            note=note_unanswered(pair, n_pred, root=self.root),
            included=pair.counted(kept, root=self.root),
            nodes=partial(self._nodes, pair, ours, gold_standards),
            given=self.ancestors == "given",
        )

    def _nodes(self, pair: Pair, ours: Numbers, gold_standards: Sequence[Numbers]) -> NodesOfSides:
        """Compare the sets of both sides; a node of gold weighs by the share of gold standards that have it."""
        own, *theirs = (self._with_root(pair, one) for one in (ours, *gold_standards))
        union = distinct(np.concatenate(theirs))
        pred, gold = Nodes.both(own, union)
        return pred, replace(gold, weight=np.mean([find_keys(union, one) for one in theirs], axis=0))

    def _with_root(self, pair: Pair, keys: Numbers) -> Numbers:
        """Add the artificial root of each instance to its set."""
        return distinct(np.concatenate([keys, -1 - keys // len(pair.hierarchy)])) if self.root == "artificial" else keys

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums over all instances, and take the means over instances."""
        return {**precision_recall_f1(counts, ratio), **OVER_INSTANCES.means(counts, ratio, prefix=MACRO)}

    @property
    def cut(self) -> Cut:
        """A score counts from the threshold on."""
        return Cut("threshold", self.threshold)

    def steps(self, matching: LabelMatching) -> Sequence[Step]:
        """Count a node of an instance from the best score of what lies at or below it on."""
        pair = matching.pair
        theirs = self._set(pair, pair.gold_instances, pair.gold_labels)
        row, keys = pair.keys(pair.pred_instances, pair.pred_labels, given=self.ancestors == "given")
        first = best_rows(pair.pred.scores[row], keys)
        best, node = pair.pred.scores[row[first]], keys[first]
        counted = find_keys(node, pair.kept(node, root=self.root))
        best, node = best[counted], node[counted]
        hit, owner = find_keys(node, theirs), node // len(pair.hierarchy)
        wanted = theirs // len(pair.hierarchy)
        if self.root == "artificial":
            top = np.full(len(pair), -np.inf)
            np.maximum.at(top, owner, best)
            tops = np.flatnonzero(top > -np.inf)
            hit = np.concatenate([hit, np.isin(tops, wanted)])
            best, owner = np.concatenate([best, top[tops]]), np.concatenate([owner, tops])
            wanted = np.concatenate([wanted, distinct(wanted)])
        sums = [("hit_pred", best[hit], owner[hit]), ("hit_gold", best[hit], owner[hit]), ("n_pred", best, owner)]
        rows = [*sums, ("n_gold", None, wanted)]
        scored = compute_steps(
            [Step(name, np.ones(len(groups)), at, groups) for name, at, groups in rows],
            len(pair),
            lambda one: OVER_INSTANCES.sum_columns(one, undefined=self.undefined),
        )
        return [*(Step(name, 1.0, at) for name, at, _ in sums), Step("n_gold", np.ones(len(wanted))), *scored]

    def _set(self, pair: Pair, instances: Numbers, labels: Numbers) -> Numbers:
        """List instance and node of an augmented set, sorted."""
        _, keys = pair.keys(instances, labels, given=self.ancestors == "given")
        return pair.kept(distinct(keys), root=self.root)

    def _size(self, pair: Pair, keys: Numbers) -> FloatArray:
        """Count the nodes of each instance, and the artificial root above them."""
        size = pair.per_instance(keys)
        return size + (size > 0) if self.root == "artificial" else size

    def _find_shared(self, pair: Pair, ours: Numbers, theirs: Numbers) -> FloatArray:
        """Count what two augmented sets share of each instance."""
        hits = pair.per_instance(ours[find_keys(ours, theirs)])
        if self.root != "artificial":
            return hits
        return hits + ((pair.per_instance(ours) > 0) & (pair.per_instance(theirs) > 0))
