"""Wu-Palmer similarity: how deep the lowest common ancestor of two labels lies, against how deep they lie themselves."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, f_measure
from goldassay.core.matching import Side
from goldassay.core.measure import PRECISION_RECALL_F1
from goldassay.core.parameters import Bounds, parameter
from goldassay.kernels.ragged import best_rows, pair_equal
from goldassay.labels.hierarchy import Numbers
from goldassay.labels.match import OVER_INSTANCES, LabelMatching, Pair, WeighingMeasure, note_unanswered, sum_by_size

STEP = 1 << 18
"""Pairs of labels that are compared at once."""


@dataclass(frozen=True, kw_only=True)
class WuPalmer(WeighingMeasure):
    """The mean over instances of how near each label lies to the nearest one of the other side.

    Precision is the mean over instances of the mean over predicted labels, recall the same of gold labels, F1 that of the two.
    A root has depth 1. Labels without a common ancestor have similarity 0.

    Attributes:
        depth: How deep the lowest common ancestor ``c`` and the labels lie in a graph where a label has several parents.
            ``path``: 2 N / (2 N + the shortest ways from the labels to c), N the depth of c by the shortest way, as Wu and
            Palmer define it. ``longest``, ``shortest``: 2 depth(c) / (depth(a) + depth(b)) by the longest or the shortest
            way from a root. By the shortest a label may lie less deep than what is above it, and similarity exceed 1.
            ``nltk``: as NLTK's ``wup_similarity`` of nouns: c is the common ancestor whose shortest way from a root is longest, and of
            equally deep ones the label itself, then the first in the alphabet; N is the depth of c by the longest way. Where a label
            has a shortcut to the root, its similarity to itself may be below 1.
        threshold: The lowest score of a predicted label that counts.

    Example:
        >>> from goldassay.labels import Labels
        >>> edges = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
        >>> gold = Labels.from_rows([("d1", "cat")], edges=edges)
        >>> round(WuPalmer().score(pred=Labels.from_rows([("d1", "dog")], edges=edges), gold=gold).f1, 4)
        0.6667
    """

    name: ClassVar[str] = "wu_palmer"
    title: ClassVar[str] = "Wu-Palmer similarity"
    formula: ClassVar[str] = (
        r"wp(a, b) = \max_c \frac{2 N_c}{2 N_c + d(a, c) + d(b, c)},\quad "
        r"P = \frac{1}{|I|} \sum_i \frac{1}{|P_i|} \sum_{p \in P_i} \max_{g \in G_i} wp(p, g)"
    )
    citation: ClassVar[str] = "wu1994verb"
    headline: ClassVar[str] = "f1"
    conventions: ClassVar[tuple[str, ...]] = (
        "in a tree the three depths agree; depth=shortest exceeds 1 where a label has a shortcut to the root",
        "depth=path takes the best common ancestor by its shortest way from a root; NLTK takes one ancestor, by its longest way: depth=nltk",
    )

    depth: str = parameter(
        "path",
        help="how the depth of a label with several parents is counted; nltk = as wup_similarity of NLTK",
        choices=("path", "longest", "shortest", "nltk"),
    )
    threshold: float = parameter(0.3, help="the lowest score that counts; labels without a score have 1", always=True)

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a model scores against itself; a label with a shortcut to the root may be nearer to others than to itself."""
        return {} if self.depth in {"shortest", "nltk"} else super().perfect

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F1; without an upper bound by the shortest depths."""
        return types.MappingProxyType(
            dict.fromkeys(PRECISION_RECALL_F1, (0.0, math.inf if self.depth == "shortest" else 1.0))
        )

    def compare(self, pair: Pair, *, votes: NDArray[np.bool_], context: Context) -> LabelMatching:
        """Find the nearest label of the other side for each label; one of gold weighs by its votes."""
        pred, gold, size = pair.pred, pair.gold, len(pair)
        kept = np.flatnonzero(pred.scores >= self.threshold)
        left, right = _pairs(pair, kept)
        labels = pair.pred_labels[left], pair.gold_labels[right]
        similarity = self._similarities(pair, *labels, context)
        # NLTK asks the first label for its similarity to the second.
        back = self._similarities(pair, *labels[::-1], context) if self.depth == "nltk" else similarity
        sides = _nearest(left, right, similarity, len(pred)), _nearest(right, left, back, len(gold))
        shares, owners = votes.mean(axis=0), pair.pred_instances[kept]
        sums = {
            "hit_pred": sum_by_size(sides[0].credit[kept], owners, size),
            "n_pred": np.bincount(owners, minlength=size).astype(np.float64),
            "hit_gold": sum_by_size(sides[1].credit * shares, pair.gold_instances, size),
            "n_gold": sum_by_size(shares, pair.gold_instances, size),
        }
        return LabelMatching.of(
            pair,
            (_capped(sides[0]), _capped(sides[1])),
            sums=OVER_INSTANCES.sum_columns(sums, undefined=self.undefined),
            note=note_unanswered(pair, sums["n_pred"]),
            included=pair.counted(pred.scores >= self.threshold),
            looked_up=True,
        )

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Take the means over instances, and the F1 of the two."""
        means = OVER_INSTANCES.means(counts, ratio)
        return {**means, "f1": f_measure(means["precision"], means["recall"])}

    def _similarities(self, pair: Pair, left: Numbers, right: Numbers, context: Context) -> FloatArray:
        """Compare pairs of labels, each distinct pair once."""
        size = len(pair.hierarchy)
        distinct, place = np.unique(left * size + right, return_inverse=True)
        found = np.zeros(len(distinct))
        closure = pair.closure
        owner = np.repeat(np.arange(size), np.diff(closure.starts))
        known = owner * size + closure.nodes
        for start in range(0, len(distinct), STEP):
            context.progress("comparing labels", start, len(distinct))
            keys = distinct[start : start + STEP]
            row, mine = closure.spread(keys // size)
            wanted = (keys % size)[row] * size + closure.nodes[mine]
            there = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
            common = known[there] == wanted
            row, mine, there = row[common], mine[common], there[common]
            if self.depth == "nltk":
                chosen = _choose_as_nltk(pair, keys // size, row, closure.nodes[mine])
                row, mine, there = row[chosen], mine[chosen], there[chosen]
            value = self._value(pair, keys[row] // size, keys[row] % size, mine, there)
            np.maximum.at(found, start + row, value)
        return np.asarray(found[place])

    def _value(self, pair: Pair, left: Numbers, right: Numbers, mine: Numbers, there: Numbers) -> FloatArray:
        hierarchy, closure = pair.hierarchy, pair.closure
        depths = hierarchy.levels if self.depth in {"longest", "nltk"} else hierarchy.shallowest
        over = closure.nodes[mine]
        above = 2.0 * depths[over]
        if self.depth == "path":
            return np.asarray(above / (above + closure.steps[mine] + closure.steps[there]))
        if self.depth == "nltk":
            return np.asarray(above / (above + _count_between(pair, left, over) + _count_between(pair, right, over)))
        return np.asarray(above / (depths[left] + depths[right]))


def _choose_as_nltk(pair: Pair, asked: Numbers, row: Numbers, over: NDArray[np.integer]) -> Numbers:
    """Choose the common ancestor of each pair of labels as NLTK does."""
    by_name = np.argsort(np.argsort(pair.hierarchy.names, kind="stable"), kind="stable")
    order = np.lexsort((by_name[over], over != asked[row], -pair.hierarchy.shallowest[over], row))
    return np.asarray(order[np.unique(row[order], return_index=True)[1]])


def _count_between(pair: Pair, labels: Numbers, above: NDArray[np.integer]) -> Numbers:
    """Count the edges between labels and ancestors of theirs, by the shortest way over what is above both."""
    # A label may have a shortcut to something above its ancestor, so that the way there and back down is shorter.
    closure, size = pair.closure, len(pair.hierarchy)
    known = np.repeat(np.arange(size), np.diff(closure.starts)) * size + closure.nodes
    further = pair.hierarchy.closure(np.unique(above))
    row, mine = further.spread(above)
    there = np.searchsorted(known, labels[row] * size + further.nodes[mine])
    steps = np.full(len(labels), np.iinfo(np.int32).max, dtype=np.int64)
    np.minimum.at(steps, row, further.steps[mine] + closure.steps[there])
    return steps


def _pairs(pair: Pair, kept: Numbers) -> tuple[Numbers, Numbers]:
    """List each predicted label with each gold label of its instance: rows of both, int64, shape (pairs,)."""
    place, row = pair_equal(pair.pred_instances[kept], pair.gold_instances)
    return kept[place], row


def _capped(side: Side) -> Side:
    return replace(side, credit=np.minimum(side.credit, 1.0))


def _nearest(rows: Numbers, others: Numbers, similarity: FloatArray, size: int) -> Side:
    """Find the nearest label of the other side for each label."""
    best = best_rows(similarity, rows)
    return Side.of_pairs(size, rows[best], others[best], similarity[best])
