"""Several gold standards: one score by a rule, and what the gold standards score among themselves."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.combination import BY_UNIT, Combination, Rule, sources_of
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.errors import GoldassayError, UndefinedWarning, UsageError, warn
from goldassay.core.family import Family
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model, Provenance
from goldassay.core.parts import exact_sum
from goldassay.core.units import Units, sums_of

DIGITS = 12
"""Decimal places from which on values are equal."""
MERGING = ("union", "intersection", "votes")
"""The rules for which the gold standards are made one."""


class CombinedScore(NamedTuple):
    """A score against several gold standards, and what it comes from."""

    score: Score
    plain: Score  # a score of the same measure against one gold, which its diagnostics are about
    gold: Model  # that gold: the merged one, or the best
    # what the score is made of, where the best of the gold standards was taken for each unit
    units: Units | None = None


class HumanCeiling(NamedTuple):
    """What gold standards score among themselves."""

    values: dict[str, float]
    refusal: str | None = None  # why there is none, in one sentence; None if there is one


@dataclass(frozen=True, eq=False)
class GoldStandards:
    """Several gold standards of one family, and the rule by which they give one score."""

    family: Family[Any]
    models: tuple[Model, ...]
    rule: Rule
    _merged: dict[tuple[int, ...], Model] = field(default_factory=dict, repr=False)
    _ceilings: dict[str, HumanCeiling] = field(default_factory=dict, repr=False)
    _owned: dict[tuple[str, int], frozenset[str] | None] = field(default_factory=dict, repr=False)

    @property
    def gold(self) -> Model:
        """The merged gold, or the first where the rule merges none."""
        merging = self.rule in MERGING and len(self.models) > 1
        return self._gold_of(tuple(range(len(self.models)))) if merging else self.models[0]

    def judge(self, measure: Measure[Any, Any], pred: Model, context: Context) -> CombinedScore:
        """Score a prediction by the rule, with the human ceiling."""
        everything = tuple(range(len(self.models)))
        if len(self.models) == 1:
            return self._judge(measure, pred, everything, context)
        with _ignore_undefined():
            found = self._judge(measure, pred, everything, context)
        ceiling = self.ceiling(measure, context)
        sizes = tuple(sorted(map(len, self.models), reverse=True))
        combined = Combination(
            rule=self.rule, sizes=sizes, ceiling=ceiling.values, mixed=found.score is not found.plain
        )
        combined = replace(combined, mixed=combined.mixed and self.rule != "votes")
        score = found.score
        signed = measure.sign(
            pred=pred, gold=CombinedProvenance(self.models), counts=found.plain.counts, context=context
        )
        signed = signed.with_field("gold", "+".join(map(str, sizes))).with_field("combine", str(combined))
        if "ci" in score.signature.fields and score.units is not None:
            signed = signed.with_field("ci", score.signature.fields["ci"])
        score = replace(score, combined=combined, signature=signed)
        if self.rule not in MERGING:
            combined_note = "is the best of the gold standards" + (
                " as a whole; the items are those of it" if combined.mixed else ""
            )
            name = self._label([one is found.gold for one in self.models].index(True))
            notes = [*([score.note] if score.note else []), f"{name} {combined_note}"]
            score = replace(score, note="; ".join(notes))
        if score.undefined and score.warning:
            warn(score.warning, UndefinedWarning)
        single = found.score is found.plain
        return found._replace(score=score, plain=score if single else found.plain)

    def values(self, measure: Measure[Any, Any], pred: Model, context: Context) -> Mapping[str, float]:
        """Score a prediction by the rule, and return nothing but the values."""
        with _ignore_intervals(context):
            return self._judge(measure, pred, tuple(range(len(self.models))), context).score.values

    @property
    def known(self) -> Model:
        """The gold whose names a null model may draw from: that of all gold standards together, or the first if there is none."""
        if self.rule in MERGING or self.family.trust.merged is None:
            return self.gold
        try:
            every: Model = self.family.trust.merged(self.models, 1)
        except UsageError:
            return self.gold
        return every

    def find_warnings(self, pred: Model) -> Iterator[str]:
        """Return warnings about a prediction and the gold standards, with the name of the gold if not about all."""
        return self._score_each([list(self.family.trust.warnings(pred, gold)) for gold in self.models])

    def why_zero(self, pred: Model, scores: Sequence[Score]) -> Iterator[str]:
        """Return what the prediction does not have in common with the gold standards, where a score is 0."""
        return self._score_each([self.family.trust.why_zero(pred, gold, scores) for gold in self.models])

    def _score_each(self, found: Sequence[Sequence[str]]) -> Iterator[str]:
        for row, lines in enumerate(found):
            for line in lines:
                if not all(line in others for others in found):
                    yield f"against {self._label(row)}: {line}"
                elif row == 0:
                    yield line

    def _label(self, row: int) -> str:
        return self.models[row].path or f"gold {row + 1}"

    def ceiling(self, measure: Measure[Any, Any], context: Context) -> HumanCeiling:
        """Score each gold as a prediction against the others, by the same rule, and take the mean of each value."""
        if str(measure) not in self._ceilings:
            self._ceilings[str(measure)] = self._ceiling(measure, context)
        return self._ceilings[str(measure)]

    def refusals(self) -> list[str]:
        """Return which measures have no human ceiling, and why, each in one sentence."""
        return [found.refusal for found in self._ceilings.values() if found.refusal]

    def _ceiling(self, measure: Measure[Any, Any], context: Context) -> HumanCeiling:
        rows = range(len(self.models))
        try:
            with _ignore_intervals(context):
                scores = [self._among(measure, row, (*rows[:row], *rows[row + 1 :]), context) for row in rows]
        except GoldassayError as error:
            refusal = f"{measure}: no human ceiling, since a gold is no prediction here: {_first_line(error)}"
            return HumanCeiling({}, refusal)
        return HumanCeiling(_mean_values(scores))

    def _among(self, measure: Measure[Any, Any], row: int, others: tuple[int, ...], context: Context) -> Score:
        """Score one gold against others, on the documents that it shares with any of them."""
        if self.rule == "mean" and len(others) > 1:
            scores = [self._among(measure, row, (other,), context) for other in others]
            return _mean(scores, scores[0])
        found = self._judge(measure, _answer(self.models[row]), others, context)
        own = [self._own(measure, one, context) for one in (row, *others)]
        if own[0] is None:
            return found.score
        units = found.units or measure.units(found.score.matching)
        if units is None:
            return found.score
        return _score_of_units(found.plain, _keep_units(units, own[0] & frozenset().union(*filter(None, own[1:]))))

    def _own(self, measure: Measure[Any, Any], row: int, context: Context) -> frozenset[str] | None:
        """List the documents, sentences or test cases that a gold has; None for a measure of another unit."""
        if measure.unit not in BY_UNIT:
            return None
        if (str(measure), row) not in self._owned:
            gold = self.models[row]
            matching = measure.match(pred=_answer(gold), gold=gold, context=context)
            units = measure.units(matching)
            restriction = self.family.trust.restriction
            # What a gold states as empty is of that gold, too, and none of the rows that are counted is of it.
            stated = () if restriction is None else restriction.stated(gold)
            self._owned[str(measure), row] = None if units is None else frozenset([*units.keys.tolist(), *stated])
        return self._owned[str(measure), row]

    def _sizes(self, model: Model) -> Counter[str]:
        """Count the items that a model has in each document, instance, sentence or test case."""
        restriction = self.family.trust.restriction
        return Counter(() if restriction is None else restriction.units(model))

    def _judge(self, measure: Measure[Any, Any], pred: Model, rows: tuple[int, ...], context: Context) -> CombinedScore:
        gold_standards = [self.models[row] for row in rows]
        if len(gold_standards) == 1 or self.rule in ("union", "intersection"):
            gold = gold_standards[0] if len(gold_standards) == 1 else self._gold_of(rows)
            score = measure.evaluate(pred=pred, gold=gold, context=context)
            return CombinedScore(score, score, gold)
        if self.rule == "votes":
            return self._score_by_votes(measure, pred, rows, context)
        with _ignore_intervals(context):
            scores = [measure.evaluate(pred=pred, gold=gold, context=context) for gold in gold_standards]
            best = _choose_best(scores, gold_standards)
            own = [self._own(measure, row, context) for row in rows]
        plain = measure.settle(scores[best].matching, pred=pred, gold=gold_standards[best], context=context)
        units_of = (measure.units(score.matching) for score in scores if None not in own)
        split = [units for units in units_of if units is not None]
        known = [keys or frozenset() for keys in own]
        if self.rule == "max":
            sizes = [self._sizes(gold) for gold in gold_standards]
            units = choose_best_units(measure, split, known, sizes, self._sizes(pred)) if split else None
            return CombinedScore(
                plain if units is None else _score_of_units(plain, units), plain, gold_standards[best], units
            )
        if split:
            every = frozenset().union(*known)
            kept = [
                _keep_units(units, frozenset(units.keys.tolist()) - (every - keys))
                for units, keys in zip(split, known, strict=True)
            ]
            scores = [_score_of_units(score, units) for score, units in zip(scores, kept, strict=True)]
        return CombinedScore(_mean(scores, plain), plain, gold_standards[best])

    def _score_by_votes(
        self, measure: Measure[Any, Any], pred: Model, rows: tuple[int, ...], context: Context
    ) -> CombinedScore:
        union = self._gold_of(rows)
        matching = measure.match(pred=pred, gold=union, context=context)
        answers = [_answer(self.models[row]) for row in rows]
        matched = [measure.match(pred=answer, gold=union, context=context) for answer in answers]
        weighed = measure.weigh(matching, matched)
        score = measure.settle(weighed, pred=pred, gold=union, context=context)
        with _ignore_intervals(context):
            plain = measure.settle(matching, pred=pred, gold=union, context=context)
        return CombinedScore(score, plain, union)

    def _gold_of(self, rows: tuple[int, ...]) -> Model:
        """Merge some of the gold standards, once."""
        if rows not in self._merged:
            if self.family.trust.merged is None:
                raise no_merging_error(self.family, self.rule)
            least = len(rows) if self.rule == "intersection" else 1
            self._merged[rows] = self.family.trust.merged([self.models[row] for row in rows], least)
        return self._merged[rows]


def _answer(gold: Model) -> Model:
    """Return a gold as a prediction: of several references of a document the first."""
    found: Model = getattr(gold, "first_references", gold)
    return found


class CombinedProvenance(Provenance):
    """What the signature says of several gold standards."""

    def __init__(self, models: Sequence[Model]) -> None:
        super().__init__(**sources_of(models))

    def __len__(self) -> int:
        return 0

    def item(self, row: int) -> str:
        """Name no item: there is none."""
        raise IndexError(row)


def check_rule(family: Family[Any], rule: Rule, measures: Sequence[Measure[Any, Any]]) -> None:
    """Refuse a rule that a family or a measure does not have, before anything is scored."""
    if rule in MERGING and family.trust.merged is None:
        raise no_merging_error(family, rule)
    unable = [str(measure) for measure in measures if not measure.weighs_gold] if rule == "votes" else []
    if unable:
        able = [measure.name for measure in family.measures.classes if measure().weighs_gold]
        raise UsageError(
            "--combine votes needs measures that count single items of gold.",
            found=", ".join(unable),
            expected=f"measures such as {', '.join(able)}",
            hint=f"{' '.join(f'-m {name}' for name in able[:2])}; or --combine max",
        )


def no_merging_error(family: Family[Any], rule: Rule) -> UsageError:
    """Raise an error if the gold standards of a family cannot be merged."""
    return UsageError(
        f"Gold standards of {family.kind} cannot be merged: their items cannot be compared.",
        found=f"--combine {rule}",
        expected="max or mean, which merge nothing",
        hint="--combine max",
    )


def choose_best_units(
    measure: Measure[Any, Any],
    gold_standards: Sequence[Units],
    own: Sequence[AbstractSet[str]],
    sizes: Sequence[Mapping[str, int]],
    predicted: Mapping[str, int],
) -> Units:
    """Take for each unit the counts against the gold that gives it the best headline."""
    # A gold that does not have the unit does not take part, unless none has it. A gold that is empty in a unit is the
    # best where the prediction is empty, too. Where headlines are equal, the gold with most items in the unit is taken:
    # with the smallest, a unit where nothing is right would cost less recall. Then the other values decide, and then
    # the counts, so that the order of the gold standards does not matter.
    keys = sorted({key for units in gold_standards for key in units.keys.tolist()})
    place = {key: row for row, key in enumerate(keys)}
    names = sums_of([units.counts for units in gold_standards])
    columns = {name: np.zeros((len(gold_standards), len(keys))) for name in names}
    for row, units in enumerate(gold_standards):
        where = np.fromiter((place[key] for key in units.keys.tolist()), dtype=np.int64, count=len(units))
        for name, column in columns.items():
            column[row, where] = units.counts.get(name, 0.0)
    values = measure.divide_counts(Counts(columns))
    sign = 1 if measure.higher_is_better else -1
    has = np.array([[key in some for key in keys] for some in own], dtype=np.float64).reshape(
        len(gold_standards), len(keys)
    )
    size = np.array([[some.get(key, 0) for key in keys] for some in sizes], dtype=np.float64).reshape(has.shape)
    # What one division gives as 0.3, another gives as 0.30000000000000004.
    better = [np.round(sign * np.asarray(value, dtype=np.float64), DIGITS) for value in values.values()]
    headline = better[list(values).index(measure.headline)]
    agrees = (size + [predicted.get(key, 0) for key in keys] == 0).astype(np.float64)
    criteria = [has, agrees, headline, size, *better, *(-one for one in columns.values())]
    chosen = _choose_first_best(criteria)
    kept = {name: column[chosen, np.arange(len(keys))] for name, column in columns.items()}
    return Units(name=gold_standards[0].name, keys=np.array(keys, dtype=np.object_), counts=Counts(kept))


def _keep_units(units: Units, keys: AbstractSet[str]) -> Units:
    rows = np.flatnonzero([key in keys for key in units.keys.tolist()])
    counts = {name: np.asarray(column)[rows] for name, column in units.counts.items()}
    return replace(units, keys=units.keys[rows], counts=Counts(counts))


def _choose_first_best(criteria: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Choose the row of each column that is best by the first criterion, then by the second, and so on."""
    left = np.ones(criteria[0].shape, dtype=np.bool_)
    for criterion in criteria:
        known = np.where(left & ~np.isnan(criterion), criterion, -np.inf)
        left &= known == known.max(axis=0)
    chosen: NDArray[np.int64] = left.argmax(axis=0)
    return chosen


def _score_of_units(plain: Score, units: Units) -> Score:
    """Make a score of chosen units: add, divide, and draw anew."""
    measure, ratio = plain.measure, Division(plain.measure.undefined)
    counts = Counts({name: exact_sum(np.asarray(column)) for name, column in units.counts.items()})
    values = measure.divide(counts, ratio)
    asked = plain.resampling is not None
    return replace(
        plain,
        values=values,
        counts=counts,
        undefined=tuple(ratio.names),
        units=units if asked else None,
        intervals=measure.intervals(units, plain.resampling),
        note=None,
    )


def _mean(scores: Sequence[Score], plain: Score) -> Score:
    """Take the mean of the values, and add the counts."""
    names = sums_of([one.counts for one in scores])
    counts = {name: exact_sum(np.array([one.counts.get(name, 0) for one in scores])) for name in names}
    undefined = tuple(dict.fromkeys(name for one in scores for name in one.undefined))
    return replace(
        plain,
        values=_mean_values(scores),
        counts=Counts(counts),
        undefined=undefined,
        units=None,
        intervals={},
        note=None,
    )


def _mean_values(scores: Sequence[Score]) -> dict[str, float]:
    return {name: math.fsum(one.values[name] for one in scores) / len(scores) for name in scores[0].values}


def _choose_best(scores: Sequence[Score], gold_standards: Sequence[Model]) -> int:
    """Choose the gold that gives the best headline; equal ones by their size, the other values, the counts and the path."""
    measure = scores[0].measure

    def rank(row: int) -> tuple[Any, ...]:
        values = {name: round(scores[row].merit(name), DIGITS) for name in scores[row].values}
        counts = tuple(-float(count) for count in scores[row].counts.values())
        return (
            values[measure.headline],
            len(gold_standards[row]),
            *values.values(),
            *counts,
            gold_standards[row].path or "",
        )

    return max(range(len(scores)), key=rank)


@contextmanager
def _ignore_intervals(context: Context) -> Iterator[None]:
    """Score without intervals, and without a word of what is 0/0: what is made of the scores says both."""
    asked, context.resampling = context.resampling, None
    try:
        with _ignore_undefined():
            yield
    finally:
        context.resampling = asked


@contextmanager
def _ignore_undefined() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        yield


def _first_line(error: GoldassayError) -> str:
    return str(error).splitlines()[0]
