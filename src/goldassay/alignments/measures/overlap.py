"""Precision, recall and F of correspondences: one counts if the other side has it too; their means over test cases, and Jaccard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.hierarchy import Ontologies
from goldassay.alignments.match import AlignmentMatching, Sides, both_sides, drop_disjoint, pair_names
from goldassay.alignments.model import Alignment
from goldassay.alignments.relations import GRADED, OTHER, RELATIONS
from goldassay.core.average import Average
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, f_measure
from goldassay.core.curve import Cut, Step, compute_steps
from goldassay.core.errors import UsageError
from goldassay.core.matching import NO_MATCH, Named, Side, equal_counterparts
from goldassay.core.measure import MatchingType, Measure, PrecisionRecallMeasure, Symmetry
from goldassay.core.model import Model, rows_kept
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.core.signature import Signature
from goldassay.kernels.ragged import inverse
from goldassay.kernels.types import Rows

PRECISION_RECALL = r"P = \frac{|A \cap R|}{|A|},\quad R = \frac{|A \cap R|}{|R|},\quad F_\beta = \frac{(1 + \beta^2) P R}{\beta^2 P + R}"


@dataclass(frozen=True, kw_only=True)
class AlignmentMeasure(Measure[Alignment, MatchingType]):
    """A measure of alignments: what a prediction marks ``?`` never takes anything from gold."""

    family: ClassVar[str] = "alignment"

    unjudged: str = parameter(
        "ignore",
        help="pairs marked ?: ignore those of gold, count them, or keep those of the prediction",
        choices=("ignore", "count", "keep"),
    )

    def both(self, *, pred: Alignment, gold: Alignment, context: Context) -> Sides:
        """Number both sides alike, and leave out what is marked ``?``."""
        return both_sides(pred=pred, gold=gold, unjudged=self.unjudged, context=context)

    def sign(self, *, pred: Alignment, gold: Alignment, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the number of predictions that are left out since they are marked ``?``."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        marked = pred.facts.get("unjudged") if self.unjudged != "keep" else 0
        return signature.with_field("unjudged", f"left_out({marked})") if marked else signature


@dataclass(frozen=True, kw_only=True)
class OverlapMeasure(AlignmentMeasure[AlignmentMatching], PrecisionRecallMeasure[Alignment, AlignmentMatching]):
    """A precision and recall measure whose items are correspondences."""

    unit: ClassVar[str] = "correspondence"
    citation: ClassVar[str] = "euzenat2013ontology"

    beta: float = parameter(1.0, help="how much more recall weighs than precision", bounds=(0.0, 1e6))
    relation: str = parameter(
        "ignore", help="whether relations must be equal for a match", choices=("ignore", "exact", "graded")
    )
    threshold: float | None = parameter(None, help="the minimum score of a prediction; none for no minimum")
    duplicates: str = parameter(
        "merge", help="whether duplicates count in the denominators", choices=("merge", "count")
    )

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F-beta."""
        return dict.fromkeys(("precision", "recall", self.headline), (0.0, 1.0))

    @property
    def headline(self) -> str:
        """F-beta, named by its beta."""
        return f"f{self.beta:g}"

    @property
    def uses_scores(self) -> bool:
        """A threshold cuts them."""
        return self.threshold is not None

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> AlignmentMatching:
        """Find the correspondences that both sides have."""
        pred = keep_accepted(pred)
        if self.threshold is not None:
            check_unit(pred)
        both = self.both(pred=pred, gold=gold, context=context)
        here, there = self.compared(both)
        if self.threshold is not None:
            here = here.take(here.scores >= self.threshold)
        sides = self.match_sides(both, here, there)
        return AlignmentMatching(
            pred=sides[0], gold=sides[1], pred_items=here, gold_items=there, numbering=both.numbering
        )

    def compared(self, both: Sides) -> tuple[Alignment, Alignment]:
        """Return the pairs or the correspondences of both sides that are compared."""
        if self.relation == "ignore":
            return both.pred, both.gold
        whole = both.whole_pred, both.whole_gold
        for name, side in zip(("prediction", "gold"), whole, strict=True):
            if (side.relations == OTHER).any():
                raise incomparable(name, side, int((side.relations == OTHER).sum()))
        return whole if self.relation == "exact" else (drop_disjoint(whole[0]), drop_disjoint(whole[1]))

    def match_sides(self, both: Sides, pred: Alignment, gold: Alignment) -> tuple[Side, Side]:
        """Match what both sides have: equal pairs, equal correspondences, or pairs by the proximity of their relations."""
        here, there = (both.numbering.pair_keys(side, gold=side is gold) for side in (pred, gold))
        if self.relation == "graded":
            sides = (here, pred.relations.astype(np.int64)), (there, gold.relations.astype(np.int64))
            return _nearest(*sides), _nearest(*sides[::-1])
        if self.relation == "exact":
            here, there = here * len(RELATIONS) + pred.relations, there * len(RELATIONS) + gold.relations
        # Each key occurs once on its side.
        counterpart = equal_counterparts(there, here)
        return Side.of_equals(inverse(counterpart, len(here))), Side.of_equals(counterpart)

    @property
    def symmetry(self) -> Symmetry:
        """Swapping the sides swaps precision and recall, unless a threshold cuts only predictions."""
        return "swap" if self.threshold is None else "none"

    @property
    def perfect(self) -> Mapping[str, float]:
        """What an alignment scores against itself: with a threshold it may lack some of its own correspondences."""
        return super().perfect if self.threshold is None else {"precision": 1.0}

    @property
    def cut(self) -> Cut | None:
        """The score that a prediction has to reach to count."""
        return Cut("threshold", -np.inf if self.threshold is None else self.threshold)

    def match_widest(self, *, pred: Alignment, gold: Alignment, context: Context) -> AlignmentMatching:
        """Match without a threshold."""
        check_unit(pred)
        return replace(self, threshold=None).match(pred=pred, gold=gold, context=context)

    def steps(self, matching: AlignmentMatching) -> list[Step]:
        """Build the curve on which a prediction counts from its score on, and gold earns by the predictions that count."""
        return self.counted(matching)

    def counted(
        self, matching: AlignmentMatching, cases: tuple[Rows, Rows] | tuple[None, None] = (None, None)
    ) -> list[Step]:
        """Return the steps of the four counts."""
        pred, gold = cases
        scores = matching.pred_items.scores
        return [
            Step("hit_pred", matching.pred.credit, scores, pred),
            Step("n_pred", self.weights(matching.pred_items), scores, pred),
            *(
                Step("hit_gold", credit, at, None if gold is None else gold[rows])
                for credit, at, rows in _credit_of_gold(matching, self.relation)
            ),
            Step("n_gold", self.weights(matching.gold_items), groups=gold),
        ]

    def weights(self, items: Alignment) -> NDArray[Any]:
        """Count each correspondence once, or as often as it was stated."""
        return items.times if self.duplicates == "count" else np.ones(len(items))

    def unit_keys(self, items: Alignment) -> Sequence[str]:
        """Name correspondences by the identifiers of their ends."""
        return pair_names(items)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide credit by correspondences on each side, and weigh the two into F-beta."""
        precision = ratio("precision", counts["hit_pred"], counts["n_pred"])
        recall = ratio("recall", counts["hit_gold"], counts["n_gold"])
        return {"precision": precision, "recall": recall, self.headline: f_measure(precision, recall, beta=self.beta)}


@dataclass(frozen=True, kw_only=True)
class Overlap(OverlapMeasure):
    """A correspondence is hit if the other side has the same source and target, and if required the same relation.

    Example:
        >>> gold = Alignment.from_rows([("cat", "chat"), ("dog", "chien"), ("cow", "vache")])
        >>> pred = Alignment.from_rows([("cat", "chat", "=", 0.9), ("dog", "chat", "=", 0.4)])
        >>> Overlap().score(pred=pred, gold=gold)
        <Score overlap: precision 0.5000, recall 0.3333, f1 0.4000>
    """

    name: ClassVar[str] = "overlap"
    title: ClassVar[str] = "Precision, recall and F of correspondences"
    formula: ClassVar[str] = PRECISION_RECALL
    conventions: ClassVar[tuple[str, ...]] = (
        "both sides are sets of (source, target) pairs; MELT also compares relations: relation=exact",
        "OntoAligner up to 1.9.3 divides by the lengths of its lists, duplicates included: duplicates=count",
        "half the credit for equivalence against a subsumption or a close match: relation=graded",
        "DeepOnto leaves out training and null mappings: --ignore FILE",
        "a pair that gold marks ? is neither right nor wrong; a denied one (predicate_modifier: Not) is no item",
        "what a prediction marks ? is left out and takes nothing from gold; in MELT it is a wrong prediction: unjudged=keep",
        "Bio-ML 2026 counts pairs that gold marks ?: unjudged=count; the default is its coherence-aware score",
    )


@dataclass(frozen=True, kw_only=True)
class NearDigest(Measure[Alignment, Any]):
    """A measure that sees the hierarchies of the ontologies, whose digests its signature has."""

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> Any:
        """Match, with a note if there is no hierarchy."""
        found = super().match(pred=pred, gold=gold, context=context)  # type: ignore[safe-super]
        if not ontologies_of(pred, gold).flat:
            return found
        note = "no hierarchy is known: --source-ontology FILE"
        return replace(found, note=note)

    def sign(self, *, pred: Alignment, gold: Alignment, counts: Counts, context: Context) -> Signature:
        """Build the signature, with a digest of the ontologies."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        digest = ontologies_of(pred, gold).digest
        return signature.with_field("ontologies", digest) if digest else signature

    def note(self, matching: Any, values: Mapping[str, Any]) -> str | None:
        """Return the note of the matching."""
        del values
        note: str | None = matching.note
        return note


@dataclass(frozen=True, kw_only=True)
class NearMeasure(NearDigest, OverlapMeasure):
    """A measure of correspondences that sees the hierarchies of the ontologies: a hit depends on all correspondences."""

    sums_over_records: ClassVar[bool] = False

    @property
    def cut(self) -> None:
        """There is no curve: a prediction may earn more or less where others are left out."""

    def steps(self, matching: AlignmentMatching) -> list[Step]:
        """Refuse a curve."""
        del matching
        raise self.no_curve()


def ontologies_of(pred: Alignment, gold: Alignment) -> Ontologies:
    """Return the ontologies of gold, or else those of the prediction."""
    # Several gold standards are combined in an object that is not an alignment.
    known = getattr(gold, "ontologies", None) or pred.ontologies
    return Ontologies() if known is None else known


def keep_accepted(pred: Alignment) -> Alignment:
    """Return a prediction of candidate lists as the candidates that its verdicts accept."""
    pools = pred.candidates
    if pools is None:
        return pred
    if (pools.accepted < 0).any() or not len(pools):
        raise UsageError(
            "The prediction contains lists of candidates without verdicts, which are ranked and not counted.",
            found=f"{len(pools.queries):,} queries with {len(pools):,} candidates",
            expected="(entity, score, true or false) for every candidate",
            hint="-m mrr -m 'hit_at_k(k=1)' -m 'hit_at_k(k=10)'",
        )
    kept = pools.accepted == 1
    query = pools.query[kept]
    return Alignment.of_codes(
        terms=pred.terms,
        sources=pools.queries.sources[query],
        targets=pools.targets[kept],
        scores=pools.scores[kept],
        cases=pools.queries.cases[query],
        case_names=pred.case_names,
        input_rows=rows_kept(pools.input_rows, kept),
        labels=pred.labels,
        types=pred.types,
        ontologies=pred.ontologies,
        path=pred.path,
        choices=pred.choices,
        left_out=pred.left_out,
    )


def incomparable(name: str, side: Model, count: int) -> UsageError:
    """Build the error for relations that are not known ones, where relations are compared."""
    return UsageError(
        f"Relations of the {name} cannot be compared: some are not known relations.",
        path=side.path,
        found=f"{count:,} of {len(side):,} correspondences with another relation",
        expected=" ".join(RELATIONS[:OTHER]),
        hint="compare pairs (relation=ignore), or keep only some relations (--relations)",
    )


def check_unit(*sides: Any) -> None:
    """Reject scores outside of [0, 1] where scores are used."""
    for side in sides:
        if side.beyond_unit is not None:
            raise side.beyond_unit


def _nearest(here: tuple[Rows, Rows], there: tuple[Rows, Rows]) -> Side:
    """Match equal pairs, each with the one of the other side whose relation is the nearest."""
    credit = np.zeros(len(here[0]))
    counterpart = np.full(len(here[0]), NO_MATCH, dtype=np.int64)
    known = there[0] * len(RELATIONS) + there[1]
    for degree in np.unique(GRADED)[:0:-1].tolist():
        for other in np.unique(there[1]).tolist():
            open_ = np.flatnonzero((counterpart == NO_MATCH) & (GRADED[here[1], other] == degree))
            matched = equal_counterparts(here[0][open_] * len(RELATIONS) + other, known)
            counterpart[open_] = matched
            credit[open_[matched != NO_MATCH]] = degree
    return Side.of_credit(credit, counterpart)


def _credit_of_gold(
    matching: AlignmentMatching, relation: str
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]]:
    """Yield what gold earns, the highest score of a prediction that earns it that much, and the rows of gold; graded relations earn in steps."""
    matched = np.flatnonzero(matching.gold.credit > 0)
    credit, pred = matching.gold.credit[matched], matching.pred_items
    if relation != "graded":
        yield credit, pred.scores[matching.gold.counterpart[matched]], matched
        return
    pairs = matching.numbering.pair_keys(matching.gold_items, gold=True)[matched] * len(RELATIONS)
    known = matching.numbering.pair_keys(pred, gold=False) * len(RELATIONS) + pred.relations
    proximity = GRADED[matching.gold_items.relations[matched]]
    best = np.full(len(matched), -np.inf)
    for degree, lower in pairwise([*np.unique(GRADED)[::-1].tolist()]):
        for other in range(len(RELATIONS)):
            near = np.flatnonzero(proximity[:, other] == degree)
            row = equal_counterparts(pairs[near] + other, known)
            found = row != NO_MATCH
            best[near[found]] = np.maximum(best[near[found]], pred.scores[row[found]])
        more = np.flatnonzero(credit >= degree)
        yield np.full(len(more), degree - lower), best[more], matched[more]


@dataclass(frozen=True, kw_only=True)
class Jaccard(OverlapMeasure):
    """The correspondences that both sides have, divided by those that either has.

    Example:
        >>> one = Alignment.from_rows([("cat", "chat"), ("dog", "chien")])
        >>> other = Alignment.from_rows([("cat", "chat"), ("cow", "vache")])
        >>> round(Jaccard().score(pred=one, gold=other).jaccard, 4)
        0.3333
    """

    name: ClassVar[str] = "jaccard"
    title: ClassVar[str] = "Jaccard similarity of two alignments"
    formula: ClassVar[str] = r"J = \frac{|A \cap R|}{|A \cup R|}"
    conventions: ClassVar[tuple[str, ...]] = (
        "MELT's matcher similarity compares relations, too: relation=exact; its macro average is a mean over test cases",
    )
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"jaccard": (0.0, 1.0)})
    headline: ClassVar[str] = "jaccard"
    defined_one_sided: ClassVar[bool] = True

    @property
    def symmetry(self) -> Symmetry:
        """Both sides are alike, unless only predictions are left out."""
        return "same" if super().symmetry == "swap" else "none"

    @property
    def perfect(self) -> Mapping[str, float]:
        """What an alignment scores against itself, unless it lacks some of its own correspondences."""
        return {"jaccard": 1.0} if self.threshold is None else {}

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide what both have by what either has; the mean of both sides, where they earn unlike parts."""
        shared = (counts["hit_pred"] + counts["hit_gold"]) / 2
        return {"jaccard": ratio("jaccard", shared, counts["n_pred"] + counts["n_gold"] - shared)}


# A test case without a correspondence on either side is ignored.
OVER_CASES = Average(empty="ignored", units="cases", f="f")


class Cases(Named):
    """The names of test cases."""


@dataclass(frozen=True, kw_only=True)
class MacroOverlap(Overlap):
    """The mean over test cases of precision and recall, with the F of the means and the mean of F.

    A case where a ratio is 0/0 has the value ``undefined``; a case that is empty on both sides is ignored.

    Example:
        >>> gold = Alignment.from_rows([("cat", "chat"), ("dog", "chien")])
        >>> MacroOverlap().score(pred=Alignment.from_rows([("cat", "chat")]), gold=gold).mean_f1
        0.6666666666666666
    """

    name: ClassVar[str] = "macro_overlap"
    title: ClassVar[str] = "Mean precision, recall and F of test cases"
    formula: ClassVar[str] = (
        r"\bar P = \frac{1}{|C|} \sum_{c \in C} P_c,\quad \bar R = \frac{1}{|C|} \sum_{c \in C} R_c,\quad "
        r"F(\bar P, \bar R),\quad \bar F = \frac{1}{|C|} \sum_{c \in C} F(P_c, R_c)"
    )
    sums_over_records: ClassVar[bool] = False
    unit: ClassVar[str] = "test case"
    conventions: ClassVar[tuple[str, ...]] = (
        "MELT prints the mean of F since 2 August 2023: mean_f1; before that it printed the F of the means: f1",
    )

    @property
    def values(self) -> Mapping[str, Bounds]:
        """The means of precision and recall, the F of the means, and the mean of F."""
        return dict.fromkeys(("precision", "recall", self.headline, f"mean_{self.headline}"), (0.0, 1.0))

    def steps(self, matching: AlignmentMatching) -> list[Step]:
        """Score every test case at every score of its predictions."""
        steps = self.counted(matching, _case_rows(matching))
        return compute_steps(steps, matching.numbering.cases, self._score_sides)

    def parts(self, matching: AlignmentMatching) -> tuple[Part, ...]:
        """Score every test case: each adds its values, and counts the case and its 0/0 values."""
        names, columns = self._cases(matching)
        cases = Cases(names)
        return (Part(items=cases, others=cases, unit_keys=lambda: names, counts=columns),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums by the number of test cases; where all of them are 0/0, so is the mean."""
        precision, recall, mean_f = OVER_CASES.means(counts, ratio).values()
        f_of_means = f_measure(precision, recall, beta=self.beta)
        return dict(zip(self.values, (precision, recall, f_of_means, mean_f), strict=True))

    def _cases(self, matching: AlignmentMatching) -> tuple[list[str], dict[str, FloatArray]]:
        """Score every test case of either side."""
        count = matching.numbering.cases
        here, there = _case_rows(matching)
        columns = {
            "hit_pred": (here, matching.pred.credit),
            "n_pred": (here, self.weights(matching.pred_items)),
            "hit_gold": (there, matching.gold.credit),
            "n_gold": (there, self.weights(matching.gold_items)),
        }
        sums = {
            name: np.bincount(case, weights=one, minlength=count).astype(np.float64)
            for name, (case, one) in columns.items()
        }
        names = [*matching.pred_items.case_names, *matching.gold_items.case_names]
        return list(dict.fromkeys(names)), self._score_sides(sums)

    def _score_sides(self, sums: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Turn the sums of test cases into what each adds."""
        return OVER_CASES.sum_columns(sums, undefined=self.undefined, beta=self.beta)


def _case_rows(matching: AlignmentMatching) -> tuple[Rows, Rows]:
    """Return the test case of each correspondence of the prediction and of gold."""
    number = matching.numbering.entities
    return number(matching.pred_items, gold=False)[0], number(matching.gold_items, gold=True)[0]
