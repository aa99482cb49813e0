"""Measures of what is ranked for a source: what is near the right entity, its relation, and nothing where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.hierarchy import join_frames, steps_between
from goldassay.alignments.match import AlignmentMatching, Sides, query_names
from goldassay.alignments.measures.overlap import AlignmentMeasure, NearDigest, check_unit, ontologies_of
from goldassay.alignments.measures.ranking import RankingMatching, RankingMeasure
from goldassay.alignments.measures.ranks import Lists, Ranks, lists_of, pools_of_references
from goldassay.alignments.model import Alignment
from goldassay.alignments.relations import BROADER, EQUIVALENT, NARROWER, RELATIONS
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, shares
from goldassay.core.curve import Cut, Step
from goldassay.core.libraries import pl
from goldassay.core.matching import Amounts, Matching, Side, SideName
from goldassay.core.measure import Symmetry, item_names
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.core.signature import Signature
from goldassay.kernels.ragged import places_in_runs, run_heads
from goldassay.kernels.types import Rows

SUBSUMING = (EQUIVALENT, NARROWER, BROADER)
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
        items = lists.candidates
        place = np.arange(len(lists.lists))
        target = items.targets.astype(np.int64)
        earned = self._near(both, lists.references, lists.lists, target, items.relations)
        tie = {"optimistic": -earned, "pessimistic": earned}.get(self.ties, place)
        order = np.lexsort((tie, -lists.scores, lists.lists))
        columns = lists.lists[order], lists.scores[order], earned[order]
        queries, first = np.unique(lists.references, return_index=True)
        dcg = _discount(columns[0], self._compute_expected(*columns), queries, self.k)
        gains = np.zeros(len(lists.references))
        gains[first] = shares(dcg, self._most(both, lists.references, queries))
        return gains

    def _compute_expected(self, lists: Rows, scores: FloatArray, earned: FloatArray) -> FloatArray:
        """Replace what tied candidates earn by its mean, if the expectation is computed."""
        if self.ties != "expected" or not len(lists):
            return earned
        group = np.cumsum(run_heads(lists, scores)) - 1
        return np.asarray((np.bincount(group, weights=earned) / np.bincount(group))[group])

    def _most(self, both: Sides, references: Rows, queries: Rows) -> FloatArray:
        """Return the most that each list could earn, from the candidates of gold, or else from all of the hierarchy."""
        listed = pools_of_references(both)
        if listed is None:
            hierarchy, terms = ontologies_of(both.pred, both.gold).target, both.numbering.terms
            _, _, wanted = both.numbering.entities(both.whole_gold, gold=True)
            steps = steps_between(hierarchy, terms, wanted, np.arange(hierarchy.number_terms(terms)[1]))
            near = pl.DataFrame({"wanted": steps.here, "target": steps.there})
            joined = pl.DataFrame({"wanted": wanted}).with_row_index("reference").join(near, on="wanted")
            listed = joined["reference"].to_numpy().astype(np.int64), joined["target"].to_numpy()
        pairs = np.unique(np.column_stack([references[listed[0]], listed[1]]), axis=0)
        lists, targets = (np.repeat(pairs[:, column], len(SUBSUMING)) for column in (0, 1))
        earned = self._near(both, references, lists, targets, np.tile(np.array(SUBSUMING, dtype=np.int8), len(pairs)))
        order = np.lexsort((-earned, lists))
        return _discount(lists[order], earned[order], queries, self.k)

    def _near(
        self, both: Sides, references: Rows, lists: Rows, targets: Rows, relations: NDArray[np.int8]
    ) -> FloatArray:
        """Return what each candidate earns: the most over the references of its list, float64, shape (candidates,)."""
        _, _, wanted = both.numbering.entities(both.whole_gold, gold=True)
        steps = steps_between(ontologies_of(both.pred, both.gold).target, both.numbering.terms, wanted, targets)
        near = pl.DataFrame({"wanted": steps.here, "target": steps.there, "up": steps.steps})
        right = pl.DataFrame({"list": references, "wanted": wanted, "gold": both.whole_gold.relations})
        listed = pl.DataFrame({"list": lists, "target": targets, "relation": relations}).with_row_index("row")
        pairs = join_frames(listed, right, near.filter(pl.col("up").abs() <= self.distance))
        columns = [pairs[name].to_numpy().astype(np.int64) for name in ("gold", "relation", "up", "row")]
        earned = np.zeros(len(lists))
        np.maximum.at(earned, columns[3], _gain(*columns[:3]))
        return earned


def _gain(gold: Rows, relation: Rows, up: Rows) -> FloatArray:
    """Return what a candidate earns by its relation, and by how many steps the right entity is above it."""
    base = np.where(gold == EQUIVALENT, NEARLY, 1.0) / (np.abs(up) + 1)
    above = (up <= 0) & (relation == NARROWER) & np.isin(gold, (EQUIVALENT, NARROWER))
    below = (up >= 0) & (relation == BROADER) & np.isin(gold, (EQUIVALENT, BROADER))
    return np.where((up == 0) & (gold == relation), 1.0, np.where(above | below, base, 0.0))


def _discount(lists: Rows, earned: FloatArray, queries: Rows, k: int) -> FloatArray:
    """Add up what the first k candidates of each list earn, discounted by their rank."""
    sums = np.zeros(len(queries))
    if not len(queries):
        return sums
    rank = places_in_runs(lists)
    first = np.flatnonzero(rank < k)
    place = np.minimum(np.searchsorted(queries, lists[first]), len(queries) - 1)
    known = queries[place] == lists[first]
    np.add.at(sums, place[known], (earned[first] / np.log2(rank[first] + 2))[known])
    return sums


KINDS = range(len(RELATIONS))


@dataclass(frozen=True, eq=False, kw_only=True)
class ChoiceMatching(AlignmentMatching):
    """References whose entity is among the candidates, and how likely each relation is chosen there: shape (references, relations)."""

    chosen: FloatArray
    taken: FloatArray  # how often each candidate is chosen, shape (candidates,)


@dataclass(frozen=True, kw_only=True)
class RelationChoice(AlignmentMeasure[ChoiceMatching]):
    """Of the candidates that are the right entity the best-scored one is taken: is its relation right, too?

    References whose entity is not a candidate are left out. ``macro_f1`` is the mean over relations that gold has or that are
    chosen.

    Attributes:
        ties: How to treat relations with equal scores: each of them as likely, or in the order of relations (``name``).

    Example:
        >>> gold = Alignment.from_rows([("A", "1", "="), ("B", "2", "<")])
        >>> pred = Alignment.from_rows([("A", "1", "<", 0.4), ("A", "1", "=", 0.5), ("B", "2", "=", 0.9)])
        >>> found = RelationChoice().score(pred=pred, gold=gold)
        >>> found.accuracy, round(found.macro_f1, 4)
        (0.5, 0.3333)
    """

    name: ClassVar[str] = "relation_choice"
    title: ClassVar[str] = "Relation of the right entity"
    formula: ClassVar[str] = (
        r"\text{Acc} = \frac{1}{|Q|} \sum_{q \in Q} \mathbf{1}[\arg\max_r s_q(t_q, r) = r_q],\quad "
        r"F = \frac{1}{|L|} \sum_{r \in L} F_1(r)"
    )
    citation: ClassVar[str] = "bioml2026kit"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"accuracy": (0.0, 1.0), "macro_f1": (0.0, 1.0)})
    headline: ClassVar[str] = "accuracy"
    unit: ClassVar[str] = "query"
    symmetry: ClassVar[Symmetry] = "none"

    ties: str = parameter("expected", help="each of equal relations, or by their order", choices=("expected", "name"))

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> ChoiceMatching:
        """Find the candidates that are the right entity, and the best-scored of their relations."""
        check_unit(pred)
        both = self.both(pred=pred, gold=gold, context=context)
        lists = lists_of(both, typed=True, by_name=self.ties == "name")
        items = lists.candidates
        chosen, taken = self._choose(both, lists, items)
        wanted = both.whole_gold.relations.astype(np.int64)
        right = chosen[np.arange(len(wanted)), wanted]
        hit = np.flatnonzero(right)
        return ChoiceMatching(
            pred=Side.of_pairs(len(items), lists.at[hit], hit, right[hit]),
            gold=Side.of_pairs(len(right), hit, lists.at[hit], right[hit]),
            pred_items=items,
            gold_items=both.whole_gold,
            included=(taken > 0, chosen.sum(axis=1) > 0),
            taken=taken,
            numbering=both.numbering,
            chosen=chosen,
        )

    def _choose(self, both: Sides, lists: Lists, items: Alignment) -> tuple[FloatArray, FloatArray]:
        """Weigh the relations that each reference's entity is given, and the candidates that say so."""
        _, _, target = both.numbering.entities(both.whole_gold, gold=True)
        asked = pl.DataFrame({"list": lists.references, "target": target}).with_row_index("reference")
        offered = pl.DataFrame(
            {
                "list": lists.lists,
                "target": items.targets.astype(np.int64),
                "relation": items.relations.astype(np.int64),
                "score": lists.scores,
            }
        ).with_row_index("row")
        best = asked.join(offered, on=["list", "target"]).filter(
            pl.col("score") == pl.col("score").max().over("reference")
        )
        if self.ties == "name":
            best = best.filter(pl.col("relation") == pl.col("relation").min().over("reference"))
        best = best.unique(["reference", "relation"])
        chosen = np.zeros((len(both.whole_gold), len(RELATIONS)))
        chosen[best["reference"].to_numpy(), best["relation"].to_numpy()] = 1.0
        chosen /= np.maximum(chosen.sum(axis=1, keepdims=True), 1.0)
        shares = chosen[best["reference"].to_numpy(), best["relation"].to_numpy()]
        taken = np.bincount(best["row"].to_numpy(), weights=shares, minlength=len(items))
        return chosen, taken.astype(np.float64)

    def added(self, matching: ChoiceMatching, side: SideName) -> Amounts:
        """Return what each reference adds; a candidate counts as often as it is chosen."""
        credit, weight = matching.plain_amounts(side)
        return credit, weight if side == "gold" else matching.taken

    def parts(self, matching: ChoiceMatching) -> tuple[Part, ...]:
        """List the references: which relation each has, which is chosen, and whether that is right."""
        items, chosen = matching.gold_items, matching.chosen
        there = (chosen.sum(axis=1) > 0).astype(np.float64)
        counts: dict[str, Any] = {"right": matching.gold.credit, "references": there}
        for kind in KINDS:
            wanted = there * (items.relations == kind)
            counts |= {
                f"right_{kind}": wanted * chosen[:, kind],
                f"wanted_{kind}": wanted,
                f"chosen_{kind}": chosen[:, kind],
            }
        return (Part(items=items, others=matching.pred_items, unit_keys=partial(query_names, items), counts=counts),)

    def sign(self, *, pred: Alignment, gold: Alignment, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the number of references whose entity is listed: what the prediction lists decides it."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        return signature.with_field("ranked", str(counts["references"]))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide what is right by the references, and take the mean of the F1 of relations."""
        below = [np.add(counts[f"wanted_{kind}"], counts[f"chosen_{kind}"]) for kind in KINDS]
        some = Division(0.0)
        f1 = sum(some("f1", 2 * counts[f"right_{kind}"], both) for kind, both in zip(KINDS, below, strict=True))
        present = sum(np.greater(both, 0).astype(float) for both in below)
        return {
            "accuracy": ratio("accuracy", counts["right"], counts["references"]),
            "macro_f1": ratio("macro_f1", f1, present),
        }

    def note(self, matching: ChoiceMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many references are left out."""
        del values
        without = int((matching.chosen.sum(axis=1) == 0).sum())
        if not without:
            return None
        return f"{without:,} of {len(matching.chosen):,} references are left out: their entity is not a candidate"


@dataclass(frozen=True, eq=False)
class Nulls:
    """The sources that have no counterpart in gold, and their test cases."""

    names: tuple[str, ...]
    cases: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def item(self, row: int) -> str:
        """Return the display name of one source."""
        return f"{self.names[row]} has no counterpart"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NullMatching(Matching[Nulls]):
    """The sources without a counterpart, and the highest score of what each is given: nan for nothing, infinity where a verdict accepts it."""

    offered: FloatArray


@dataclass(frozen=True, kw_only=True)
class RejectionRate(AlignmentMeasure[NullMatching]):
    """A source without a counterpart earns 1 if the prediction has none for it either.

    Attributes:
        threshold: The minimum score of a prediction; None for no minimum.

    Example:
        >>> gold = Alignment.from_rows([("A", "1"), ("B", None), ("C", None)])
        >>> RejectionRate().score(pred=Alignment.from_rows([("A", "1"), ("B", "7")]), gold=gold).rejection_rate
        0.5
    """

    name: ClassVar[str] = "rejection_rate"
    title: ClassVar[str] = "Rejection rate"
    formula: ClassVar[str] = r"\text{RR} = \frac{|\{s \in N \mid \neg\exists t\colon (s, t) \in A\}|}{|N|}"
    citation: ClassVar[str] = "he2022machine"
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({"rejection_rate": ("rejected", "nulls")})
    headline: ClassVar[str] = "rejection_rate"
    unit: ClassVar[str] = "query"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    defined_one_sided: ClassVar[bool] = True
    conventions: ClassVar[tuple[str, ...]] = (
        "gold marks a source without a counterpart by sssom:NoTermFound, or by UnMatched as in Bio-ML",
        "in lists of candidates with verdicts (entity, score, true or false) the verdict is used, not the score",
    )

    threshold: float | None = parameter(None, help="the minimum score of a prediction; none for no minimum")

    @property
    def uses_scores(self) -> bool:
        """A threshold cuts them."""
        return self.threshold is not None

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> NullMatching:
        """Find the sources without a counterpart that the prediction gives one."""
        if self.threshold is not None:
            check_unit(pred)
        both = self.both(pred=pred, gold=gold, context=context)
        asked = both.numbering.source_keys(gold.nulls, gold=True)
        offered = _highest(asked, *_answers(both, pred))
        rejected = ~(offered >= (-np.inf if self.threshold is None else self.threshold))
        nothing = Nulls((), ())
        return NullMatching(
            pred=Side.of_hits(np.zeros(0, dtype=np.bool_)),
            gold=Side.of_hits(rejected),
            pred_items=nothing,
            gold_items=Nulls(
                tuple(gold.name(source) for source in gold.nulls.sources.tolist()),
                tuple(gold.case_names[case] for case in gold.nulls.cases.tolist()),
            ),
            offered=offered,
        )

    @property
    def cut(self) -> Cut | None:
        """The score that a prediction has to reach to count."""
        return Cut("threshold", -np.inf if self.threshold is None else self.threshold)

    def steps(self, matching: NullMatching) -> list[Step]:
        """Build the curve on which a source is rejected until an answer of it counts."""
        always = matching.offered == np.inf
        return [
            Step("rejected", (~always).astype(np.float64)),
            Step("rejected", -1.0, np.where(always, np.nan, matching.offered)),
            Step("nulls", np.ones(len(always))),
        ]

    def parts(self, matching: NullMatching) -> tuple[Part, ...]:
        """List the sources without a counterpart: each counts, and is rejected or not."""
        items, credit = matching.gold_items, matching.gold.credit
        counts = {"rejected": credit, "nulls": np.ones(len(credit))}
        return (Part(items=items, others=matching.pred_items, unit_keys=partial(item_names, items), counts=counts),)


def _answers(both: Sides, pred: Alignment) -> tuple[NDArray[np.int64], FloatArray]:
    """Number the sources that the prediction gives a counterpart, each with its score; infinity where a verdict accepts it."""
    pools = pred.candidates
    if pools is None:
        return both.numbering.source_keys(both.pred, gold=False), both.pred.scores
    judged = pools.accepted >= 0
    kept = ~judged | (pools.accepted == 1)
    scores = np.where(judged, np.inf, np.nan_to_num(pools.scores))
    return both.numbering.source_keys(pools.queries, gold=False)[pools.query[kept]], scores[kept]


def _highest(asked: NDArray[np.int64], sources: NDArray[np.int64], scores: FloatArray) -> FloatArray:
    """Find the highest score of each source that is asked for, nan where it has none."""
    distinct, place = np.unique(asked, return_inverse=True)
    there = np.flatnonzero(np.isin(sources, distinct))
    best = np.full(len(distinct), np.nan)
    np.fmax.at(best, np.searchsorted(distinct, sources[there]), scores[there])
    return best[place.ravel()]
