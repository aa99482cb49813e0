"""Measures of the ranks of references in lists of candidates: hits, reciprocal ranks, precision, nDCG, and mean and median ranks."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.errors import ERRORS
from goldassay.alignments.match import AlignmentMatching, query_names
from goldassay.alignments.measures.overlap import AlignmentMeasure, check_unit
from goldassay.alignments.measures.ranks import TIES, Ranks, Ties, places_of_first, ranks_of
from goldassay.alignments.model import Alignment
from goldassay.core.context import Context, Progress, ignore_progress
from goldassay.core.counts import Counts, Division, FloatArray, shares
from goldassay.core.errors import UsageError
from goldassay.core.matching import NO_MATCH, Amounts, Evidence, Side, SideName
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import Bounds, parameter, parameters_of
from goldassay.core.parts import Part
from goldassay.core.signature import Signature
from goldassay.kernels.ragged import mark

RANKED_LOWER = [*ERRORS][-1]
ORDERED = ("order", "name")
"""Ways to treat ties that put tied candidates into an order."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RankingMatching(AlignmentMatching):
    """The references of gold and where the prediction ranks them: what each adds to the sum and to its divisor, shape (references,)."""

    ranks: Ranks
    gains: FloatArray
    shares: NDArray[np.int64]

    def _kinds(self, side: SideName, rows: NDArray[np.int64]) -> list[str]:
        """Name for each of some correspondences what the other side has of it; a reference in its list is below others."""
        found = self.ranks.found[rows] if side == "gold" else np.zeros(len(rows), dtype=np.bool_)
        kinds = zip(super()._kinds(side, rows), found, strict=True)
        return [RANKED_LOWER if ranked else kind for kind, ranked in kinds]

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Look up the expected rank of some references, and the best-scored wrong candidate."""
        found = super().evidence(side, rows, progress=progress)
        ranks = self.ranks.above + (self.ranks.tied + 1) / 2
        ranked = [float(ranks[row]) if side == "gold" and self.ranks.found[row] else None for row in rows.tolist()]
        return replace(found, details={"rank": np.array(ranked, dtype=object), **found.details})


@dataclass(frozen=True, eq=False)
class Queries:
    """The sources that are looked up, each in its test case, as one correspondence of each."""

    references: Alignment

    def __len__(self) -> int:
        return len(self.references)

    def item(self, row: int) -> str:
        """Return the display name of one source."""
        return self.references.name(self.references.sources[row])


@dataclass(frozen=True, kw_only=True)
class RankingMeasure(AlignmentMeasure[RankingMatching]):
    """A measure of the ranks of the targets of gold among the predictions for their sources."""

    defined_one_sided: ClassVar[bool] = True
    symmetry: ClassVar[Symmetry] = "none"
    per: ClassVar[str] = "references"
    unit: ClassVar[str] = "query"

    ties: str = parameter(
        "expected",
        help="how to treat equal scores: expectation over all orders, order of the file or of names, best or worst order",
        choices=TIES,
    )
    typed: bool = parameter(False, help="whether a candidate has to have the right relation, too")

    @property
    def values(self) -> Mapping[str, Bounds]:
        """The mean of the gains."""
        return {self.headline: (0.0, 1.0)}

    @property
    def counted(self) -> str:
        """What the gains are divided by."""
        return self.per

    @abstractmethod
    def gain(self, ranks: Ranks) -> FloatArray:
        """Return what each reference earns by its rank, float64, shape (references,)."""

    def settle_ties(self, ranks: Ranks) -> Ranks:
        """Apply the conventions of the measure to the ranks."""
        return ranks.settle_ties(cast("Ties", self.ties), filtered=False)

    def weights(self, ranks: Ranks) -> FloatArray:
        """Return how much each reference counts in its query, float64, shape (references,)."""
        return np.ones(len(ranks.found))

    def shares(self, ranks: Ranks, gold: Alignment) -> NDArray[np.int64]:
        """Return what the sum of gains is divided by, reference by reference: each query once."""
        del gold
        _, first = np.unique(ranks.queries, return_index=True)
        return mark(first, len(ranks.queries)).astype(np.int64)

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> RankingMatching:
        """Find the rank of each reference, and what it earns."""
        check_unit(pred)
        both = self.both(pred=pred, gold=gold, context=context)
        typed, by_name = self.typed, self.ties == "name"
        key = f"ranks, typed {typed}, by name {by_name}"
        found = context.get_or_make(key, (both,), lambda: ranks_of(both, typed=typed, by_name=by_name))
        gold = both.whole_gold if typed else both.gold
        ranks = self.settle_ties(found)
        credit = np.where(ranks.found, self.gain(ranks), 0.0)
        row = ranks.row
        return RankingMatching(
            pred=found.candidates,
            gold=Side(credit=credit, counterpart=row, similarity=np.where(row == NO_MATCH, np.nan, 1.0)),
            pred_items=ranks.items,
            gold_items=gold,
            numbering=both.numbering,
            ranks=ranks,
            gains=credit * self.weights(ranks),
            shares=self.shares(ranks, gold),
        )

    @property
    def uses_scores(self) -> bool:
        """They rank the candidates."""
        return True

    def parts(self, matching: RankingMatching) -> tuple[Part, ...]:
        """List the references, or the queries where each of these counts once, with what they gain."""
        items: Alignment | Queries = matching.gold_items
        counts = self.sums(matching)
        if self.counted == "queries":
            _, first, query = np.unique(matching.ranks.queries, return_index=True, return_inverse=True)
            counts = {name: np.bincount(query, weights=column, minlength=len(first)) for name, column in counts.items()}
            items = Queries(matching.gold_items.take(first))
        return (Part(items=items, others=matching.pred_items, unit_keys=partial(_query_names, items), counts=counts),)

    def added(self, matching: RankingMatching, side: SideName) -> Amounts:
        """Return what each reference adds to the gains and to what these are divided by; candidates are not counted."""
        if side == "pred":
            return matching.plain_amounts(side)
        return matching.gains, matching.shares.astype(np.float64)

    def sums(self, matching: RankingMatching) -> dict[str, Any]:
        """Return what each reference adds to which sum."""
        return {"gain": matching.gains, self.counted: matching.shares}

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the gains by the number of references or queries."""
        return {self.headline: ratio(self.headline, counts["gain"], counts[self.counted])}

    def note(self, matching: RankingMatching, values: Mapping[str, Any]) -> str | None:
        """Return that nothing is ranked, since all candidates of every source have one score."""
        del values
        listed = matching.pred_items
        if self.ties in ORDERED or (listed.scores != listed.scores[:1]).any():
            return None
        if len(np.unique(listed.sources)) == len(listed):
            return None
        return f"all candidates have the score {listed.scores[0]:g}: their ranking is meaningless, since all are tied"


def _query_names(items: Alignment | Queries) -> list[str]:
    return query_names(items.references if isinstance(items, Queries) else items)


@dataclass(frozen=True, kw_only=True)
class ReferenceMeasure(RankingMeasure):
    """A ranking measure in which every reference counts alike."""

    filtered: bool = parameter(False, help="remove other references of the same source from its list first")
    duplicates: str = parameter(
        "merge", help="whether a reference stated twice counts twice", choices=("merge", "count")
    )
    first: bool = parameter(False, help="average over sources, each by the first of its references")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("filtered", "duplicates") if self.first else ():
            if not parameters_of(type(self))[name].is_default(getattr(self, name)):
                raise UsageError(
                    f"{self.name}: {name} has no effect on the first reference of a source.",
                    found=str(self),
                    expected=f"first or {name}",
                )

    @property
    def counted(self) -> str:
        """What the gains are divided by."""
        return "queries" if self.first else self.per

    def settle_ties(self, ranks: Ranks) -> Ranks:
        """Apply the conventions of the measure to the ranks."""
        settled = ranks.settle_ties(cast("Ties", self.ties), filtered=self.filtered)
        if self.ties not in {"optimistic", "pessimistic"} or self.filtered or self.first:
            return settled
        # Each reference is a query of its own here, and other references are candidates like any other.
        worst = ranks.tied - 1 if self.ties == "pessimistic" else np.zeros_like(ranks.tied)
        return replace(settled, above=ranks.above + worst)

    def shares(self, ranks: Ranks, gold: Alignment) -> NDArray[np.int64]:
        """Count every reference once or as often as it was stated; or every source, at the first of its references."""
        if self.first:
            return mark(ranks.first, len(gold)).astype(np.int64)
        return np.ones(len(gold), dtype=np.int64) if self.duplicates == "merge" else gold.times.astype(np.int64)

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> RankingMatching:
        """Find the rank of each reference, and what it earns."""
        found = super().match(pred=pred, gold=gold, context=context)
        gains = self._gains_of_first(found.ranks) if self.first else found.gains
        return replace(found, gains=gains * found.shares)

    def gains_of_places(self, ranks: Ranks, length: int) -> FloatArray:
        """Return what a reference gains at each place of a list without ties, float64, shape (length,)."""
        return self.gain(replace(ranks, above=np.arange(length), tied=np.ones(length, dtype=np.int64)))

    def _gains_of_first(self, ranks: Ranks) -> FloatArray:
        """Return the expected gain of the first reference of each source, in its row."""
        rows = ranks.first[ranks.found[ranks.first]]
        cases, case = np.unique(
            np.column_stack([ranks.above[rows], ranks.tied[rows], ranks.true_tied[rows]]), axis=0, return_inverse=True
        )
        places = self.gains_of_places(ranks, int((ranks.above + ranks.tied).max(initial=0)))
        expected = [places[above : above + tied] @ places_of_first(tied, true) for above, tied, true in cases.tolist()]
        gains = np.zeros(len(ranks.found))
        gains[rows] = np.array(expected, dtype=np.float64)[case.ravel()]
        return gains


def in_first(ranks: Ranks, most: Any) -> FloatArray:
    """Return the probability that a reference is among the first of its list, float64."""
    return np.asarray(np.clip((most - ranks.above) / np.maximum(ranks.tied, 1), 0.0, 1.0))


def harmonic(ranks: Ranks) -> FloatArray:
    """Return the expected reciprocal rank of every reference, float64."""
    top = int((ranks.above + ranks.tied).max(initial=0)) + 1
    sums = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, top + 1))])
    spread = (sums[ranks.above + ranks.tied] - sums[ranks.above]) / np.maximum(ranks.tied, 1)
    # Without ties the reciprocal is exact.
    return np.where(ranks.tied <= 1, 1.0 / (ranks.above + 1), spread)


ONTOALIGNER = "OntoAligner's stable sort and raw list of references: ties=order, duplicates=count"


@dataclass(frozen=True, kw_only=True)
class HitAtK(ReferenceMeasure):
    """A reference earns 1 if its target is among the k best-scored candidates of its source.

    Attributes:
        k: How many candidates count; with 0 or less nothing is found.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)])
        >>> HitAtK(k=1).score(pred=pred, gold=gold).hit, HitAtK(k=2).score(pred=pred, gold=gold).hit
        (0.5, 1.0)
    """

    name: ClassVar[str] = "hit_at_k"
    title: ClassVar[str] = "Hit@k"
    formula: ClassVar[str] = r"\text{Hit@}k = \frac{1}{|R|} \sum_{(s, t) \in R} \mathbf{1}[\text{rank}_s(t) \le k]"
    citation: ClassVar[str] = "babaeigiglou2025ontoaligner"
    headline: ClassVar[str] = "hit"
    conventions: ClassVar[tuple[str, ...]] = (
        ONTOALIGNER,
        "success@k of information retrieval, by the first reference of each source: first=true",
    )

    k: int = parameter(1, help="how many candidates count", always=True, bounds=(-(2**53), 2**53))

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the probability of being among the first k."""
        return in_first(ranks, self.k)


@dataclass(frozen=True, kw_only=True)
class Mrr(ReferenceMeasure):
    """A reference earns the reciprocal of the rank of its target among the candidates of its source.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)])
        >>> Mrr().score(pred=pred, gold=gold).mrr
        0.75
    """

    name: ClassVar[str] = "mrr"
    title: ClassVar[str] = "Mean reciprocal rank"
    formula: ClassVar[str] = r"\text{MRR} = \frac{1}{|R|} \sum_{(s, t) \in R} \frac{1}{\text{rank}_s(t)}"
    citation: ClassVar[str] = "babaeigiglou2025ontoaligner"
    headline: ClassVar[str] = "mrr"
    conventions: ClassVar[tuple[str, ...]] = (
        ONTOALIGNER,
        "the reciprocal rank of information retrieval, by the first reference of each source: first=true",
    )

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the expected reciprocal rank."""
        return harmonic(ranks)


@dataclass(frozen=True, kw_only=True)
class _OfQueries(RankingMeasure):
    """A measure averaged over sources, each of which its references share."""

    citation: ClassVar[str] = "manning2008introduction"
    per: ClassVar[str] = "queries"

    def weights(self, ranks: Ranks) -> FloatArray:
        """Share the query among its references."""
        return 1.0 / ranks.relevant


@dataclass(frozen=True, kw_only=True)
class RPrecision(_OfQueries):
    """A source with n references earns the share of them that is among its n best-scored candidates.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("A", "2")])
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "9", "=", 0.5), ("A", "2", "=", 0.4)])
        >>> RPrecision().score(pred=pred, gold=gold).r_precision
        0.5
    """

    name: ClassVar[str] = "r_precision"
    title: ClassVar[str] = "R-precision"
    formula: ClassVar[str] = (
        r"\text{RP} = \frac{1}{|S|} \sum_{s \in S} \frac{|\{t \in R_s \mid \text{rank}_s(t) \le |R_s|\}|}{|R_s|}"
    )
    headline: ClassVar[str] = "r_precision"

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the probability of being among the first n, where n is the number of references."""
        return in_first(ranks, ranks.relevant)


@dataclass(frozen=True, kw_only=True)
class MeanAveragePrecision(_OfQueries):
    """A source earns the mean, over its references, of the precision of its list down to each of them.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("A", "2"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "9", "=", 0.5), ("A", "2", "=", 0.4)])
        >>> round(MeanAveragePrecision().score(pred=pred, gold=gold).map, 4)
        0.4167
    """

    name: ClassVar[str] = "map"
    title: ClassVar[str] = "Mean average precision"
    formula: ClassVar[str] = (
        r"\text{MAP} = \frac{1}{|S|} \sum_{s \in S} \frac{1}{|R_s|} \sum_{t \in R_s} "
        r"\frac{|\{t' \in R_s \mid \text{rank}_s(t') \le \text{rank}_s(t)\}|}{\text{rank}_s(t)}"
    )
    headline: ClassVar[str] = "map"

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the expected precision down to each reference.

        At place j of n tied candidates, r of them references, on average (j - 1)(r - 1)/(n - 1) of the others come
        before it; so the precision there is (R + 1 + (j - 1)(r - 1)/(n - 1)) / (m + j), and its mean over j has a sum of
        reciprocals in it.
        """
        slope = (ranks.true_tied - 1) / np.maximum(ranks.tied - 1, 1)
        level = ranks.true_above + 1 - slope * (ranks.above + 1)
        return np.minimum(level * harmonic(ranks) + slope, 1.0)


@dataclass(frozen=True, kw_only=True)
class Ndcg(RankingMeasure):
    """A source earns 1 / log2(1 + rank) for each of its references, divided by the most that it could earn.

    Attributes:
        k: How many candidates count; None for all.

    Example:
        >>> gold = Alignment.from_rows([("A", "1")])
        >>> pred = Alignment.from_rows([("A", "9", "=", 0.5), ("A", "1", "=", 0.4)])
        >>> round(Ndcg().score(pred=pred, gold=gold).ndcg, 4)
        0.6309
    """

    name: ClassVar[str] = "ndcg"
    title: ClassVar[str] = "Normalised discounted cumulative gain"
    formula: ClassVar[str] = (
        r"\text{nDCG} = \frac{1}{|S|} \sum_{s \in S} \frac{\sum_{t \in R_s} 1 / \log_2(1 + \text{rank}_s(t))}"
        r"{\sum_{i = 1}^{|R_s|} 1 / \log_2(1 + i)}"
    )
    citation: ClassVar[str] = "jarvelin2002cumulated"
    headline: ClassVar[str] = "ndcg"
    per: ClassVar[str] = "queries"

    k: int | None = parameter(None, help="how many candidates count; none for all", bounds=(-(2**53), 2**53))

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the expected discount of each reference, with nothing beyond k."""
        sums = self._sums(ranks)
        last, first = self._within(ranks.above + ranks.tied), self._within(ranks.above)
        spread = (sums[last] - sums[first]) / np.maximum(ranks.tied, 1)
        single = np.where(last > first, 1.0 / np.log2(ranks.above + 2), 0.0)
        return np.where(ranks.tied <= 1, single, spread)

    def weights(self, ranks: Ranks) -> FloatArray:
        """Divide by the best that the query could earn."""
        return shares(1.0, self._sums(ranks)[self._within(ranks.relevant)])

    def _sums(self, ranks: Ranks) -> FloatArray:
        deepest = max(int((ranks.above + ranks.tied).max(initial=0)), int(ranks.relevant.max(initial=0)))
        return np.concatenate([[0.0], np.cumsum(1.0 / np.log2(np.arange(2, deepest + 2)))])

    def _within(
        self, places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        return places if self.k is None else np.clip(places, 0, max(self.k, 0))


@dataclass(frozen=True, kw_only=True)
class _AtK(_OfQueries):
    """A measure of the first k candidates, averaged over sources."""

    k: int = parameter(1, help="how many candidates count", always=True, bounds=(1, 2**53))

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the probability of being among the first k."""
        return in_first(ranks, self.k)


@dataclass(frozen=True, kw_only=True)
class PrecisionAtK(_AtK):
    """A source earns the share of its k best-scored candidates that are references; of fewer candidates, too, k is the divisor.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("A", "2"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "2", "=", 0.8), ("B", "9", "=", 0.5)])
        >>> PrecisionAtK(k=2).score(pred=pred, gold=gold).precision
        0.5
    """

    name: ClassVar[str] = "precision_at_k"
    title: ClassVar[str] = "Precision@k"
    formula: ClassVar[str] = (
        r"\text{P@}k = \frac{1}{|S|} \sum_{s \in S} \frac{|\{t \in R_s \mid \text{rank}_s(t) \le k\}|}{k}"
    )
    headline: ClassVar[str] = "precision"

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a model scores against itself: with k above 1 a source may have fewer references."""
        return {"precision": 1.0} if self.k == 1 else {}

    def weights(self, ranks: Ranks) -> FloatArray:
        """Divide by k."""
        return np.full(len(ranks.found), 1.0 / self.k)


@dataclass(frozen=True, kw_only=True)
class RecallAtK(_AtK):
    """A source earns the share of its references that are among its k best-scored candidates.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("A", "2"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "2", "=", 0.8), ("B", "9", "=", 0.5)])
        >>> RecallAtK(k=1).score(pred=pred, gold=gold).recall
        0.25
    """

    name: ClassVar[str] = "recall_at_k"
    title: ClassVar[str] = "Recall@k"
    formula: ClassVar[str] = (
        r"\text{R@}k = \frac{1}{|S|} \sum_{s \in S} \frac{|\{t \in R_s \mid \text{rank}_s(t) \le k\}|}{|R_s|}"
    )
    headline: ClassVar[str] = "recall"

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a model scores against itself: a source may have more than k references."""
        return {}


@dataclass(frozen=True, kw_only=True)
class MeanRank(ReferenceMeasure):
    """The mean of the ranks of the references among the candidates of their sources; lower is better, and 1 is perfect.

    A reference that is in no list has no rank: it is left out of the mean and counted.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)])
        >>> MeanRank().score(pred=pred, gold=gold).mean_rank
        1.5
    """

    name: ClassVar[str] = "mean_rank"
    title: ClassVar[str] = "Mean rank"
    formula: ClassVar[str] = r"\text{MR} = \frac{1}{|R|} \sum_{(s, t) \in R} \text{rank}_s(t)"
    citation: ClassVar[str] = "berrendorf2020ambiguity"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"mean_rank": (0.0, np.inf)})
    perfect: ClassVar[Mapping[str, float]] = MappingProxyType({"mean_rank": 1.0})
    defined_one_sided: ClassVar[bool] = False
    headline: ClassVar[str] = "mean_rank"
    asked: ClassVar[tuple[str, ...]] = ()
    higher_is_better: ClassVar[bool] = False
    conventions: ClassVar[tuple[str, ...]] = (
        "the adjusted mean rank index (AMRI) of the source is this, adjusted for chance: --chance random-order",
        "realistic, optimistic and pessimistic ranks of the source: ties=expected, optimistic or pessimistic",
    )

    # No rank is 0, which would be better than perfect.
    undefined: float = parameter(math.nan, help="the value of 0/0", choices=(0.0, 1.0, math.nan))

    def gain(self, ranks: Ranks) -> FloatArray:
        """Return the expected rank."""
        return np.asarray(ranks.above + (ranks.tied + 1) / 2)

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> RankingMatching:
        """Find the rank of each reference; as an item it earns the reciprocal of its rank."""
        found = super().match(pred=pred, gold=gold, context=context)
        return replace(found, gold=replace(found.gold, credit=shares(1.0, found.gold.credit)))

    def shares(self, ranks: Ranks, gold: Alignment) -> NDArray[np.int64]:
        """Count every reference that has a rank."""
        return np.where(ranks.found, super().shares(ranks, gold), 0)

    def sign(self, *, pred: Alignment, gold: Alignment, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the number of references that have a rank: what the prediction lists decides it."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        return signature.with_field("ranked", str(counts[self.counted]))

    def note(self, matching: RankingMatching, values: Mapping[str, Any]) -> str | None:
        """Return that nothing is ranked, and how many references have no rank."""
        found, note = matching.ranks.found, super().note(matching, values)
        without = len(found) - int(found.sum())
        if not without:
            return note
        left = (
            f"{without:,} of {len(found):,} references are in no list: they have no rank and are left out of the mean"
        )
        return f"{note}; {left}" if note else left


RANK = "rank_"


@dataclass(frozen=True, kw_only=True)
class MedianRank(MeanRank):
    """The median of the ranks of the references among the candidates of their sources; lower is better, and 1 is perfect.

    A reference that is in no list has no rank: it is left out and counted. Between two middle ranks it is their mean.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("B", "3")])
        >>> pred = Alignment.from_rows([("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)])
        >>> MedianRank().score(pred=pred, gold=gold).median_rank
        1.5
    """

    name: ClassVar[str] = "median_rank"
    title: ClassVar[str] = "Median rank"
    formula: ClassVar[str] = r"\text{median}\,\{\text{rank}_s(t) \mid (s, t) \in R\}"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"median_rank": (0.0, np.inf)})
    perfect: ClassVar[Mapping[str, float]] = MappingProxyType({"median_rank": 1.0})
    headline: ClassVar[str] = "median_rank"
    conventions: ClassVar[tuple[str, ...]] = (
        "of equal scores each reference has its expected rank: ties=optimistic, pessimistic, order or name have whole ranks",
    )

    def sums(self, matching: RankingMatching) -> dict[str, Any]:
        """Count each reference at its rank."""
        shares = matching.shares
        ranks, place = np.unique(matching.gains / np.maximum(shares, 1), return_inverse=True)
        place = place.ravel()
        counts = {
            f"{RANK}{rank!r}": np.where(place == row, shares, 0) for row, rank in enumerate(ranks.tolist()) if rank
        }
        return {self.counted: shares, **counts}

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Take the middle of the ranks."""
        found = sorted((float(name.removeprefix(RANK)), many) for name, many in counts.items() if name.startswith(RANK))
        many = np.array([many for _, many in found] or [np.zeros_like(counts[self.counted])], dtype=np.float64)
        ranks, below = np.array([rank for rank, _ in found] or [0.0]), many.cumsum(axis=0)
        lower, upper = ranks[(below >= below[-1] / 2).argmax(axis=0)], ranks[(below > below[-1] / 2).argmax(axis=0)]
        some = np.greater(below[-1], 0)
        return {"median_rank": ratio("median_rank", (lower + upper) / 2 * some, some)}
