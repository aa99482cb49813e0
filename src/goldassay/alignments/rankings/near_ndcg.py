"""Gain of a ranking in which candidates near the right one in the hierarchy of the targets earn a part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.hierarchy import steps_between
from goldassay.alignments.lookup import Keys
from goldassay.alignments.model import Alignment
from goldassay.alignments.overlap import NearDigest, ontologies_of
from goldassay.alignments.rankings.measure import RankingMatching, RankingMeasure, one_value
from goldassay.alignments.rankings.ranks import Ranks, lists_of, pools_of_references
from goldassay.alignments.relations import BROADER, EQUIVALENT, NARROWER
from goldassay.alignments.sides import Sides
from goldassay.core.context import Context
from goldassay.core.counts import FloatArray
from goldassay.core.parameters import Bounds, parameter

KINDS = (EQUIVALENT, NARROWER, BROADER)
NEARLY = 0.6
"""What the right entity earns with is-a in one direction, where it should be an equivalence."""


@dataclass(frozen=True, kw_only=True)
class NearNdcg(NearDigest, RankingMeasure):
    """Candidates are entities with relations; the right one earns 1, one that is nearly right a part, discounted by its rank.

    For an equivalence the right entity with ``<`` or ``>`` earns 0.6, one d steps above it with ``<``, or below it with ``>``,
    0.6 / (d + 1). For ``<`` what is d steps above the right entity earns 1 / (d + 1) with ``<``, for ``>`` what is below it with
    ``>``. The sum is divided by the greatest that the candidates of gold could give.

    Attributes:
        k: How many candidates count.
        distance: How many steps away a candidate may be.

    Example:
        >>> edges = {"target_edges": [("chat", "animal")]}
        >>> gold = Alignment.from_rows([("cat", "chat", "<")], **edges)
        >>> pred = Alignment.from_rows([("cat", "animal", "<", 0.9), ("cat", "chat", "<", 0.5)], **edges)
        >>> round(NearNdcg().score(pred=pred, gold=gold).near_ndcg, 4)
        0.8597
    """

    name: ClassVar[str] = "near_ndcg"
    title: ClassVar[str] = "Discounted gain of near candidates"
    formula: ClassVar[str] = (
        r"\text{nDCG@}k = \frac{1}{|Q|} \sum_{q \in Q} \frac{\sum_{i=1}^{k} g_q(c_i) / \log_2(i + 1)}"
        r"{\max_\pi \sum_{i=1}^{k} g_q(c_{\pi(i)}) / \log_2(i + 1)}"
    )
    citation: ClassVar[str] = "bioml2026kit"
    values: ClassVar[Mapping[str, Bounds]] = one_value("near_ndcg")
    headline: ClassVar[str] = "near_ndcg"
    per: ClassVar[str] = "queries"
    conventions: ClassVar[tuple[str, ...]] = ("Bio-ML 2026 orders equal scores by relation and name: ties=name",)

    typed: bool = parameter(True, help="candidates have relations", choices=(True,))
    k: int = parameter(10, help="how many candidates count", bounds=(1, 2**53))
    distance: int = parameter(3, help="how many steps away a candidate may be", bounds=(0, 2**53))

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a model scores against itself: it may not rank all that is near."""
        return {}

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return what a reference itself adds at its rank."""
        return np.where(ranks.above < self.k, 1.0 / np.log2(ranks.above + 2), 0.0)

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> RankingMatching:
        """Rank the candidates, and add up what each list earns."""
        found: RankingMatching = super().match(pred=pred, gold=gold, context=context)
        both = self.both(pred=pred, gold=gold, context=context)
        return replace(found, gains=self._gains(both))

    def _gains(self, both: Sides) -> FloatArray:
        """Return what each list earns of the most that it could, in the row of its first reference."""
        lists = lists_of(both, typed=True, by_name=self.ties == "name")
        items = lists.items if lists.rows is None else lists.items.take(lists.rows)
        place = np.arange(len(lists.lists))
        target = items.targets.astype(np.int64)
        earned = self._near(both, lists.references, lists.lists, target, items.relations)
        tie = {"optimistic": -earned, "pessimistic": earned}.get(self.ties, place)
        order = np.lexsort((tie, -lists.scores, lists.lists))
        columns = lists.lists[order], lists.scores[order], earned[order]
        queries, first = np.unique(lists.references, return_index=True)
        dcg = _discounted(columns[0], self._expected(*columns), queries, self.k)
        most = self._most(both, lists.references, queries)
        gains = np.zeros(len(lists.references))
        gains[first] = np.divide(dcg, most, out=np.zeros(len(queries)), where=most > 0)
        return gains

    def _expected(self, lists: Keys, scores: FloatArray, earned: FloatArray) -> FloatArray:
        """Give tied candidates the mean of what they earn, where the expectation is asked for."""
        if self.ties != "expected" or not len(lists):
            return earned
        changes = np.ones(len(lists), dtype=np.bool_)
        changes[1:] = (lists[1:] != lists[:-1]) | (scores[1:] != scores[:-1])
        group = np.cumsum(changes) - 1
        return np.asarray((np.bincount(group, weights=earned) / np.bincount(group))[group])

    def _most(self, both: Sides, references: Keys, queries: Keys) -> FloatArray:
        """Return the most that each list could earn, from the candidates of gold, or else from all of the hierarchy."""
        listed = pools_of_references(both)
        if listed is None:
            _, size = ontologies_of(both.pred, both.gold).target.numbered(both.numbering.terms)
            _, _, wanted = both.numbering.entities(both.whole_gold, gold=True)
            steps = steps_between(
                ontologies_of(both.pred, both.gold).target, both.numbering.terms, wanted, np.arange(size)
            )
            order = np.argsort(steps.here, kind="stable")
            start = np.searchsorted(steps.here[order], wanted)
            end = np.searchsorted(steps.here[order], wanted, side="right")
            rows = np.repeat(np.arange(len(wanted)), end - start)
            at = np.concatenate(
                [np.arange(one, two) for one, two in zip(start, end, strict=True)] or [np.zeros(0, int)]
            )
            listed = rows, steps.there[order][at]
        pairs = np.unique(np.column_stack([references[listed[0]], listed[1]]), axis=0)
        lists, targets = (np.repeat(pairs[:, column], len(KINDS)) for column in (0, 1))
        earned = self._near(both, references, lists, targets, np.tile(np.array(KINDS, dtype=np.int8), len(pairs)))
        order = np.lexsort((-earned, lists))
        return _discounted(lists[order], earned[order], queries, self.k)

    def _near(
        self, both: Sides, references: Keys, lists: Keys, targets: Keys, relations: NDArray[np.int8]
    ) -> FloatArray:
        """Return what each candidate earns: the most over the references of its list, float64, shape (candidates,)."""
        import polars as pl

        _, _, wanted = both.numbering.entities(both.whole_gold, gold=True)
        steps = steps_between(ontologies_of(both.pred, both.gold).target, both.numbering.terms, wanted, targets)
        near = pl.DataFrame({"wanted": steps.here, "target": steps.there, "up": steps.steps})
        right = pl.DataFrame({"list": references, "wanted": wanted, "gold": both.whole_gold.relations})
        pairs = (
            pl.DataFrame({"list": lists, "target": targets, "relation": relations})
            .with_row_index("row")
            .join(right, on="list")
            .join(near.filter(pl.col("up").abs() <= self.distance), on=["wanted", "target"])
        )
        columns = [pairs[name].to_numpy().astype(np.int64) for name in ("gold", "relation", "up", "row")]
        earned = np.zeros(len(lists))
        np.maximum.at(earned, columns[3], _gain(*columns[:3]))
        return earned


def _gain(gold: Keys, relation: Keys, up: Keys) -> FloatArray:
    """Return what a candidate earns by its relation, and by how many steps the right entity is above it."""
    base = np.where(gold == EQUIVALENT, NEARLY, 1.0) / (np.abs(up) + 1)
    above = (up <= 0) & (relation == NARROWER) & np.isin(gold, (EQUIVALENT, NARROWER))
    below = (up >= 0) & (relation == BROADER) & np.isin(gold, (EQUIVALENT, BROADER))
    return np.where((up == 0) & (gold == relation), 1.0, np.where(above | below, base, 0.0))


def _discounted(lists: Keys, earned: FloatArray, queries: Keys, k: int) -> FloatArray:
    """Add up what the first k candidates of each list earn, discounted by their rank."""
    sums = np.zeros(len(queries))
    if not len(queries):
        return sums
    rank = np.arange(len(lists)) - np.searchsorted(lists, lists)
    first = np.flatnonzero(rank < k)
    place = np.minimum(np.searchsorted(queries, lists[first]), len(queries) - 1)
    known = queries[place] == lists[first]
    np.add.at(sums, place[known], (earned[first] / np.log2(rank[first] + 2))[known])
    return sums
