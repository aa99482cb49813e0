"""Precision, recall and F1 over the lowest common ancestors of predicted and gold labels."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.measure import PRECISION_RECALL_F1
from goldassay.core.parameters import Bounds, parameter
from goldassay.kernels.ragged import distinct
from goldassay.labels.match import (
    OVER_INSTANCES,
    LabelMatching,
    LabelMeasure,
    Nodes,
    NodesOfSides,
    Pair,
    note_unanswered,
    sides_of,
)
from goldassay.labels.model import Labels

TOP = 0
"""The artificial node above all roots."""
FAR = 2**62
"""More steps than any way has."""
Way: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Lca(LabelMeasure):
    """Means over instances of precision, recall and F1 of what is between labels and their lowest common ancestors.

    Labels above another one of the same side are left out. Each label that the other side does not have is joined to the
    nearest label of the other side over their lowest common ancestor. Of these ancestors as few are kept as join every
    label, and the nodes on the ways to them are what is compared, so that an error far up does not count once for every node
    above it. An artificial root is above all roots.

    Attributes:
        threshold: The lowest score of a predicted label that counts.

    Example:
        >>> edges = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
        >>> gold = Labels.from_rows([("d1", "cat")], edges=edges)
        >>> Lca().score(pred=Labels.from_rows([("d1", "dog")], edges=edges), gold=gold)
        <Score lca(threshold=0.3): precision 0.5000, recall 0.5000, f1 0.5000>
    """

    name: ClassVar[str] = "lca"
    title: ClassVar[str] = "Precision, recall and F1 over lowest common ancestors"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|I|} \sum_i \frac{|A_i(P) \cap A_i(G)|}{|A_i(P)|},\quad "
        r"R = \frac{1}{|I|} \sum_i \frac{|A_i(P) \cap A_i(G)|}{|A_i(G)|},\quad A_i(X) = \text{nodes of the ways from } X_i "
        r"\text{ to the chosen } LCA"
    )
    citation: ClassVar[str] = "kosmopoulos2015evaluation"
    values: ClassVar[Mapping[str, Bounds]] = PRECISION_RECALL_F1
    headline: ClassVar[str] = "f1"
    conventions: ClassVar[tuple[str, ...]] = (
        "of ancestors and ways that are equally good HEMKit takes some by number; where labels are no numbers, by the alphabet",
        "HEMKit looks at gold first, so that swapping the sides may choose other ancestors",
        "f1 is the mean of F1 over instances, as HEMKit prints it",
        "HEMKit stops ways at the depth that it is given; here they have no limit",
    )

    threshold: float = parameter(0.3, help="the lowest score that counts; labels without a score have 1", always=True)

    def match(self, *, pred: Labels, gold: Labels, context: Context) -> LabelMatching:
        """Compare the nodes between labels and their lowest common ancestors, instance by instance."""
        pair = Pair.of(pred=pred, gold=gold)
        kept = pred.scores >= self.threshold
        above = _Above(pair)
        ours = _lists(pair.pred_instances[kept], above.numbers[pair.pred_labels[kept]], len(pair))
        theirs = _lists(pair.gold_instances, above.numbers[pair.gold_labels], len(pair))
        hit, n_pred, n_gold = (np.zeros(len(pair)) for _ in range(3))
        known: dict[tuple[Way, Way], tuple[AbstractSet[int], AbstractSet[int]]] = {}
        nodes: list[tuple[AbstractSet[int], AbstractSet[int]]] = []
        for row, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            if not row % 4096:
                context.progress("joining labels", row, len(pair))
            found = known.get((left, right))
            if found is None:
                found = known[left, right] = _compare(above, left, right)
            hit[row], n_pred[row], n_gold[row] = len(found[0] & found[1]), *map(len, found)
            nodes.append(found)
        sums = {"hit_pred": hit, "n_pred": n_pred, "hit_gold": hit, "n_gold": n_gold}
        return LabelMatching.of(
            pair,
            sides_of(pair, kept=kept, root="include"),
            sums=OVER_INSTANCES.sum_columns(sums, undefined=self.undefined),
            note=note_unanswered(pair, n_pred),
            included=pair.counted(kept),
            nodes=partial(_nodes, pair, above, nodes),
        )

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Take the means over instances."""
        return OVER_INSTANCES.means(counts, ratio)


def _lists(owners: Any, labels: Any, size: int) -> list[Way]:
    """List the labels of each instance by their numbers, ascending."""
    order = np.lexsort((labels, owners))
    ends = [0, *np.cumsum(np.bincount(owners, minlength=size)).tolist()]
    rows = labels[order].tolist()
    return [tuple(rows[start:end]) for start, end in pairwise(ends)]


class _NodeCache(dict[int, Any]):
    """What is found once for each node, and kept."""

    def __init__(self, find: Callable[[int], Any]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, node: int) -> Any:
        found = self[node] = self._find(node)
        return found


class _Above:
    """What lies above labels, by the numbers of the labels."""

    def __init__(self, pair: Pair) -> None:
        self.hierarchy = pair.hierarchy
        # Of all labels above a label, too, so that a way up is followed only where it leads to its end.
        self.closure = pair.hierarchy.closure(distinct(pair.closure.nodes))
        # 0 is the artificial root, so that a label with the number 0 moves all others up by one.
        self.numbers = self.hierarchy.numbers + (self.hierarchy.numbers.min() == TOP)
        self._row = {number: row for row, number in enumerate(self.numbers.tolist())}
        self._is_root = np.diff(self.hierarchy.starts) == 0
        self.steps: Mapping[int, Mapping[int, int]] = _NodeCache(self._steps_from)
        """The length of the shortest way from a label to everything at or above it, the artificial root too."""
        self.parents: Mapping[int, list[int]] = _NodeCache(self._parents_of)
        """The parents of a label, ascending; those of a root are the artificial one."""
        self.trunk: Mapping[int, Way] = _NodeCache(self._trunk_of)
        """The one way from a label up to the first node that has several parents, or else to the artificial root."""

    def key(self, node: int, instance: int, size: int) -> int:
        """Return a node of an instance as `Nodes` has it."""
        return -1 - instance if node == TOP else instance * size + self._row[node]

    def _steps_from(self, node: int) -> dict[int, int]:
        row, closure = self._row[node], self.closure
        some = slice(int(closure.starts[row]), int(closure.starts[row + 1]))
        nodes, steps = closure.nodes[some], closure.steps[some]
        found = dict(zip(self.numbers[nodes].tolist(), steps.tolist(), strict=True))
        found[TOP] = int(steps[self._is_root[nodes]].min()) + 1
        return found

    def _parents_of(self, node: int) -> list[int]:
        return sorted(self.numbers[self.hierarchy.parents_of(self._row[node])].tolist()) or [TOP]

    def _trunk_of(self, node: int) -> Way:
        way = [node]
        while way[-1] != TOP and len(parents := self.parents[way[-1]]) == 1:
            way += parents
        return tuple(way)

    def ways(self, start: int, end: int) -> list[Way]:
        """List the shortest ways from a label up to a node, both included."""
        trunk, steps = self.trunk[start], self.steps[start][end]
        if steps < len(trunk):
            return [trunk[: steps + 1]]
        left = steps - len(trunk)
        above = [parent for parent in self.parents[trunk[-1]] if self.steps[parent].get(end) == left]
        return [trunk + tail for parent in above for tail in self.ways(parent, end)]


class _Join(NamedTuple):
    """A way from a label up to a common ancestor, and one down from it to a label of the other side."""

    own: Way
    other: Way


@dataclass
class _Instance:
    """The labels of one instance, and how they are joined."""

    above: _Above
    pred: list[int]
    gold: list[int]
    marked: dict[bool, set[int]] = field(init=False)

    def __post_init__(self) -> None:
        # Labels, and the ancestors that were chosen for each side: ways over them are preferred. True is the prediction.
        self.marked = {True: set(self.pred), False: set(self.gold)}

    @cached_property
    def shared(self) -> set[int]:
        """Labels of both sides."""
        return set(self.pred) & set(self.gold)

    @cached_property
    def joins(self) -> dict[bool, dict[int, list[_Join]]]:
        """The shortest joins of each label that the other side does not have: those of gold, then those predicted."""
        return {False: self._shortest(self.gold, self.pred), True: self._shortest(self.pred, self.gold)}

    def _shortest(self, labels: Sequence[int], others: Sequence[int]) -> dict[int, list[_Join]]:
        """List the shortest joins of each label, each over the first common ancestor on a way up from it."""
        reach = [self.above.steps[other] for other in others]
        shared = set[int]().union(*reach)
        nearest: dict[int, tuple[int, list[int]]] = {}

        def nearest_to(node: int) -> tuple[int, list[int]]:
            """Return the steps from the nearest of the others up to a common ancestor, and which of them are so near."""
            found = nearest.get(node)
            if found is None:
                far = [steps.get(node, FAR) for steps in reach]
                least = min(far)
                found = nearest[node] = least, [one for one, steps in zip(others, far, strict=True) if steps == least]
            return found

        return {label: self._joins_of(label, shared, nearest_to) for label in labels if label not in self.shared}

    def _joins_of(
        self, label: int, shared: AbstractSet[int], nearest_to: Callable[[int], tuple[int, list[int]]]
    ) -> list[_Join]:
        joins = [
            _Join(way, down)
            for way in self._climb(label, shared, nearest_to)
            for other in nearest_to(way[-1])[1]
            for down in self.above.ways(other, way[-1])
        ]
        return sorted(joins, key=lambda join: (sum(join.own) + sum(join.other), join))

    def _climb(
        self, label: int, shared: AbstractSet[int], nearest_to: Callable[[int], tuple[int, list[int]]]
    ) -> list[Way]:
        """List the ways up from a label to the first common ancestor on each that make the shortest joins."""
        # All that lies above a common ancestor is one too. So a way reaches its first one in a step from a node that is
        # none, and no way to that node reaches one before.
        if label in shared:
            return [(label,)]
        steps, best, ends = self.above.steps[label], FAR, set[tuple[int, int]]()
        for node, end in self._meetings(label, shared):
            length = steps[node] + nearest_to(end)[0]
            if length < best:
                best, ends = length, set()
            if length == best:
                ends.add((node, end))
        return [(*way, end) for node, end in ends for way in self.above.ways(label, node)]

    def _meetings(self, label: int, shared: AbstractSet[int]) -> Iterator[tuple[int, int]]:
        """List the common ancestors that are the first ones on ways up from a label, each with the node before it."""
        starts, seen = [label], {label}
        while starts:
            trunk = self.above.trunk[starts.pop()]
            if trunk[-1] in shared:
                first = bisect_left(trunk, 1, key=shared.__contains__)
                yield trunk[first - 1], trunk[first]
                continue
            for parent in self.above.parents[trunk[-1]]:
                if parent in shared:
                    yield trunk[-1], parent
                elif parent not in seen:
                    seen.add(parent)
                    starts.append(parent)

    def chosen(self) -> set[int]:
        """Choose ancestors until every label is joined, those that join most labels first."""
        joined = self._join()
        ranked = sorted(joined, key=lambda node: (-len(joined[node]), -node))
        spare = self._spare(joined, ranked)
        done = {True: set(self.shared), False: set(self.shared)}
        found = set()
        for node in ranked:
            if len(done[True]) + len(done[False]) == len(self.pred) + len(self.gold):
                break
            if node in spare:
                continue
            for one in sorted(joined[node]):
                for side in (False, True):
                    if one in self.marked[side] and one not in done[side]:
                        found.add(node)
                        self.marked[side].add(node)
                        done[side].add(one)
        return found

    def _join(self) -> dict[int, set[int]]:
        """List the labels that each common ancestor joins."""
        joined: dict[int, set[int]] = defaultdict(set)
        for labels in self.joins.values():
            for label, joins in labels.items():
                for join in joins:
                    joined[join.own[-1]] |= {label, join.other[0]}
        return joined

    @staticmethod
    def _spare(joined: Mapping[int, set[int]], ranked: Sequence[int]) -> set[int]:
        """List the ancestors that no label needs, since another one that is not spared joins it too."""
        over: dict[int, set[int]] = defaultdict(set)
        for node, labels in joined.items():
            for label in labels:
                over[label].add(node)
        spare = set()
        for node in ranked:
            if all(len(over[label]) != 1 for label in joined[node]):
                spare.add(node)
                for label in joined[node]:
                    over[label].discard(node)
        return spare

    def routes(self, ancestors: set[int]) -> dict[int, dict[int, tuple[bool, Way]]]:
        """Choose for each ancestor the way of each label that it joins."""
        found: dict[int, dict[int, tuple[bool, Way]]] = defaultdict(dict)
        for side in (False, True):
            for label in sorted(self.joins[side]):
                by_other: dict[int, list[_Join]] = {}
                for join in self.joins[side][label]:
                    by_other.setdefault(join.other[0], []).append(join)
                for other, joins in sorted(by_other.items()):
                    best = self._prefer(side, label, other, [one for one in joins if one.own[-1] in ancestors])
                    if best is None:
                        continue
                    ways = {side: (label, best.own), not side: (other, best.other)}
                    # HEMKit files both ways under the ancestor of the last join that it looked at.
                    for way_side in (True, False):
                        end, way = ways[way_side]
                        found[joins[-1].own[-1]].setdefault(end, (way_side, way))
                        self.marked[way_side].add(end)
        return found

    def _prefer(self, side: bool, label: int, other: int, joins: Sequence[_Join]) -> _Join | None:
        """Prefer the join with most marked nodes, then with most nodes of other ways, then the first."""
        if len(joins) == 1:
            return joins[0]
        best, most, shared = None, 0, 0
        for join in joins:
            ways = {side: join.own, not side: join.other}
            marked = sum(node in self.marked[one] for one in (True, False) for node in ways[one])
            if marked > most:
                best, most, shared = join, marked, 0
            elif (
                marked == most
                and (with_others := self._find_shared_with_others(ways, {side: label, not side: other})) > shared
            ):
                best, shared = join, with_others
        return best

    def _find_shared_with_others(self, ways: Mapping[bool, Way], ends: Mapping[bool, int]) -> int:
        """Count the nodes that each way shares with the ways of the other label of its side that shares most."""
        return sum(
            max(
                (
                    sum(node in self._used[one][label] for node in ways[one])
                    for label in self.joins[one]
                    if label != ends[one]
                ),
                default=0,
            )
            for one in (True, False)
        )

    @cached_property
    def _used(self) -> dict[bool, dict[int, set[int]]]:
        return {
            side: {label: {node for join in joins for node in join.own} for label, joins in labels.items()}
            for side, labels in self.joins.items()
        }

    def nodes(self) -> tuple[set[int], set[int]]:
        """List the nodes of the ways of both sides."""
        ancestors = self.chosen()
        routes = self.routes(ancestors)
        nodes = {True: set(self.pred), False: set(self.gold)}
        done = {True: set(self.shared), False: set(self.shared)}
        for node in sorted(ancestors):
            added, spare = set[bool](), dict[bool, Way]()
            for label in sorted(routes[node]):
                side, way = routes[node][label]
                if label in done[side]:
                    if side not in spare or len(way) < len(spare[side]):
                        spare[side] = way
                else:
                    nodes[side].update(way)
                    done[side].add(label)
                    added.add(side)
            # The side that needed no way here still has to reach the ancestor.
            if len(added) == 1:
                (side,) = added
                nodes[not side].update(spare.get(not side, ()))
        return nodes[True], nodes[False]


def _compare(above: _Above, pred: Way, gold: Way) -> tuple[AbstractSet[int], AbstractSet[int]]:
    """List the nodes that each side of an instance has."""
    ours, theirs = (_lowest(above, side) for side in (pred, gold))
    if not ours or not theirs or ours == theirs:
        return set(ours), set(theirs)
    return _Instance(above, ours, theirs).nodes()


def _nodes(pair: Pair, above: _Above, found: Sequence[tuple[AbstractSet[int], AbstractSet[int]]]) -> NodesOfSides:
    """Compare the nodes of all instances."""
    size = len(pair.hierarchy)
    pred, gold = (
        np.sort(
            np.array([above.key(node, row, size) for row, both in enumerate(found) for node in both[side]], np.int64)
        )
        for side in (0, 1)
    )
    return Nodes.both(pred, gold)


def _lowest(above: _Above, labels: Way) -> list[int]:
    """Leave out labels that lie above another one."""
    if len(labels) == 1:
        return list(labels)
    over = {
        other for one in labels for steps in [above.steps[one]] for other in labels if other in steps and other != one
    }
    return [one for one in labels if one not in over]
