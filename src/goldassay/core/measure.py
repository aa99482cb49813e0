"""The contract of a measure, a frozen value that declares itself, matches, counts and divides; and the score that it gives."""

from __future__ import annotations

import math
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeAlias, TypeVar

import numpy as np

from goldassay.core.combination import WHOLE, Combination
from goldassay.core.context import Context, Encoder
from goldassay.core.counts import Counts, Division, precision_recall_f1
from goldassay.core.errors import UndefinedWarning, UsageError, unknown_choice_error, warn
from goldassay.core.lazy import LazyMatching
from goldassay.core.matching import FAILURES, Amounts, Items, Matching, SideName, items_named
from goldassay.core.model import Model
from goldassay.core.parameters import Bounds, parameter, parameters_of
from goldassay.core.parts import Part, both_parts, labels_of, sum_clusters, sum_parts, units_of
from goldassay.core.reader import digest_file, read_sides
from goldassay.core.signature import Signature
from goldassay.core.spec import format_spec
from goldassay.core.text import NumberFormat
from goldassay.core.timing import stage
from goldassay.core.units import Units
from goldassay.core.version import __version__

if TYPE_CHECKING:
    from goldassay.core.chance import ChanceLevel
    from goldassay.core.curve import Curve, Cut, Step
    from goldassay.core.groups import Breakdown
    from goldassay.core.significance import Interval, Resampling

ModelType = TypeVar("ModelType", bound=Model)
MatchingType = TypeVar("MatchingType", bound=Matching[Any])
Symmetry: TypeAlias = Literal["swap", "same", "none"]
FILE = "FILE"
PRECISION_RECALL_F1: Mapping[str, Bounds] = types.MappingProxyType(
    {"precision": (0.0, 1.0), "recall": (0.0, 1.0), "f1": (0.0, 1.0)}
)


@dataclass(frozen=True, kw_only=True)
class Measure(ABC, Generic[ModelType, MatchingType]):
    """A measure. Its fields are its parameters, and ``parse(str(measure)) == measure``.

    A measure of a family is a frozen, keyword-only dataclass. It declares the attributes below,
    and defines how to match, what to count, and what to divide. What depends on no parameter is a class variable; what
    does is a property, which a measure without such a parameter may also declare as a class variable.
    """

    name: ClassVar[str]  # its name in specs; unique among all families
    title: ClassVar[str]
    family: ClassVar[str]  # the kind of input it scores
    formula: ClassVar[str]  # LaTeX
    citation: ClassVar[str]  # key in `references.bib`
    # what other sources do differently, and the parameter that reproduces it
    conventions: ClassVar[tuple[str, ...]] = ()
    higher_is_better: ClassVar[bool] = True  # whether the perfect value is the upper bound, or the lower one
    unit: ClassVar[str] = "item"  # what a resample draws, in one word: rows of `parts` with the same key are one unit
    # whether the counts of a prediction are the sums of the counts of its parts, for any split into records
    sums_over_records: ClassVar[bool] = False
    defined_one_sided: ClassVar[bool] = False  # whether the values are defined as soon as one of the sides is not empty
    test: ClassVar[str] = "approximate randomisation"  # the test of a difference between two predictions
    # the sums of what gold asks for: it has one of them, or none
    asked: ClassVar[tuple[str, ...]] = ("n_gold", "queries", "references")
    # its values that are one sum over another, in order, each with the names of the two sums
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = types.MappingProxyType({})
    opens: ClassVar[bool] = False  # whether a page opens with it where other measures disagree with it

    undefined: float = parameter(0.0, help="the value of 0/0", choices=(0.0, 1.0, math.nan))

    def __post_init__(self) -> None:
        for name, declared in parameters_of(type(self)).items():
            object.__setattr__(self, name, declared.check(getattr(self, name), owner=self.name))

    @property
    def values(self) -> Mapping[str, Bounds]:
        """The values it gives, in order, each with its bounds: by default the ratios that it declares, from 0 to 1."""
        return dict.fromkeys(self.ratios, (0.0, 1.0))

    @property
    @abstractmethod
    def headline(self) -> str:
        """The main value of the score, used where only one is shown."""

    @property
    @abstractmethod
    def symmetry(self) -> Symmetry:
        """The effect of swapping prediction and gold."""
        # `swap` swaps precision and recall, `same` changes nothing, `none` declares nothing.

    @property
    def perfect(self) -> Mapping[str, float]:
        """What any model scores against itself, value by value: the bound that is better."""
        return {name: bounds[self.higher_is_better] for name, bounds in self.values.items()}

    def best(self, value: str) -> float:
        """Return the best that one of the values can be: what a model scores against itself, or the better bound."""
        return self.perfect.get(value, self.values[value][self.higher_is_better])

    def merit(self, value: float) -> float:
        """Return what to sort one of the values by: the greater, the better; an undefined value is worse than all others."""
        return -math.inf if math.isnan(value) else value if self.higher_is_better else -value

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """The files that it needs besides prediction and gold. They are read before it matches."""
        return tuple(self.named_files.values())

    @cached_property
    def named_files(self) -> dict[str, str]:
        """Its parameters that are a FILE, with the file of each."""
        named = (name for name, declared in parameters_of(type(self)).items() if declared.metavar == FILE)
        return {name: path for name in named if (path := getattr(self, name))}

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns by which items are equal, if only they decide which ones match; empty if something else does."""
        return ()

    @property
    def averaged(self) -> bool:
        """Whether its values are means over its units, while its hits are counted over all of them together."""
        return False

    @property
    def uses_scores(self) -> bool:
        """Whether the scores of predicted items move its values."""
        return False

    @property
    def weighs_gold(self) -> bool:
        """Whether it counts the items of gold one by one, by the weights that a matching may give them."""
        return False

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """Make the measure from parameters by name."""
        known = parameters_of(cls)
        for name in parameters:
            if name not in known:
                raise unknown_choice_error(f"parameter of {cls.name}", name, known)
        return cls(**parameters)

    def __str__(self) -> str:
        return self._spec

    @cached_property
    def _spec(self) -> str:
        shown = {
            name: getattr(self, name)
            for name, declared in parameters_of(type(self)).items()
            if declared.always or not declared.is_default(getattr(self, name))
        }
        return format_spec(self.name, shown)

    @abstractmethod
    def match(self, *, pred: ModelType, gold: ModelType, context: Context) -> MatchingType:
        """Find which items match."""

    def parts(self, matching: MatchingType) -> tuple[Part, ...]:
        """List the rows that are counted, each with what it adds to the sums."""
        del matching
        return ()

    def added(self, matching: MatchingType, side: SideName) -> Amounts:
        """Return what each item of a side adds to what is right, and to what is counted, as its row of evidence says."""
        return matching.plain_amounts(side)

    def weigh(self, matching: MatchingType, gold_standards: Sequence[MatchingType]) -> MatchingType:
        """Weigh each item of gold by the share of gold standards that have it."""
        items = matching.gold_items
        others = (one.gold_items for one in gold_standards if one.gold_items is not items)
        if any(item_names(other) != item_names(items) for other in others):
            raise UsageError(
                f"{self} counts other items of gold for other predictions, so votes cannot be counted.",
                hint="--combine max",
            )
        had = np.array([one.gold.credit >= WHOLE for one in gold_standards])
        return replace(matching, gold_weights=had.mean(axis=0))

    def values_of_each(self, sums: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what each unit adds to the sums, by its own hits and items on both sides: these, if values are no means."""
        return sums

    def count(self, matching: MatchingType) -> Counts:
        """Add up the rows that are counted."""
        return sum_parts(self.parts(matching))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums into the declared values; sums may be arrays, and the values are then arrays too."""
        return {name: ratio(name, counts[above], counts[below]) for name, (above, below) in self.ratios.items()}

    def divide_counts(self, sums: Counts) -> dict[str, Any]:
        """Divide sums that are drawn, chosen or added up elsewhere; which values were 0/0 is not noted."""
        return self.divide(sums, Division(self.undefined))

    def divide_drawn(self, sums: Counts) -> dict[str, Any]:
        """Divide sums that are drawn: a draw in which a value is 0/0 says nothing of it, and the value is nan."""
        ratio = Division(self.undefined)
        return ratio.without_undefined(self.divide(sums, ratio))

    def units(self, matching: MatchingType) -> Units | None:
        """Split the counts by the units of resampling: edges, documents, queries."""
        parts = self.parts(matching)
        return units_of(self.unit, parts) if parts else None

    @property
    def cut(self) -> Cut | None:
        """The threshold that a curve goes over; None if the measure has none."""
        return None

    @property
    def swept(self) -> bool:
        """Whether it has a curve over thresholds."""
        return self.cut is not None

    def match_widest(self, *, pred: ModelType, gold: ModelType, context: Context) -> MatchingType:
        """Match so that everything is there that any threshold lets count."""
        return self.match(pred=pred, gold=gold, context=context)

    def steps(self, matching: MatchingType) -> Sequence[Step]:
        """Return from which threshold on each row counts: the sums at a threshold are those of the rows that pass it."""
        del matching
        raise self.no_curve()

    def curve(self, *, pred: ModelType, gold: ModelType, context: Context | None = None) -> Curve:
        """Return the values at every threshold; the threshold of the measure is not used."""
        if self.cut is None:
            raise self.no_curve()
        return self.curve_of(self.match_widest(pred=pred, gold=gold, context=context or Context()))

    def curve_of(self, matching: MatchingType) -> Curve:
        """Return the curve over the thresholds that a matching knows of."""
        from goldassay.core.curve import Curve

        if self.cut is None:
            raise self.no_curve()
        return Curve.of_steps(
            self.steps(matching),
            cut=self.cut,
            undefined=self.undefined,
            divide=self.divide,
            headline=self.headline,
            higher_is_better=self.higher_is_better,
        )

    def no_curve(self) -> UsageError:
        """Return why there is no curve."""
        return UsageError(f"The matching of {self} has no threshold to sweep.", expected="a measure with a curve")

    def note(self, matching: MatchingType, values: Mapping[str, Any]) -> str | None:
        """Return a note on the values, in one sentence: that of the matching; None if there is none."""
        del values
        return matching.note

    def encoder_note(self, encoder: Encoder | None) -> str | None:
        """Return a note on a parameter whose default is for another encoder, in one sentence; None if there is none."""
        if encoder is None or not self.needs_encoder:
            return None
        for name, declared in parameters_of(type(self)).items():
            if declared.encoder not in (None, encoder.name) and declared.is_default(getattr(self, name)):
                return (
                    f"{self}: the {name} {declared.default:g} is calibrated for {declared.encoder}, but the encoder is "
                    f"{encoder.name}: run goldassay calibrate to find its threshold"
                )
        return None

    def evaluate(self, *, pred: ModelType, gold: ModelType, context: Context) -> Score:
        """Match, count and divide."""
        with stage("matching", str(self)):
            matching = self.match(pred=pred, gold=gold, context=context)
        with stage("scores", str(self)):
            return self.settle(matching, pred=pred, gold=gold, context=context)

    def settle(self, matching: MatchingType, *, pred: ModelType, gold: ModelType, context: Context) -> Score:
        """Count and divide what was matched."""
        there = matching.counted if isinstance(matching, LazyMatching) else None
        if there is None:
            matching = replace(matching, added=partial(self.added, matching))
        counts = there.counts if there else self.count(matching)
        ratio = Division(self.undefined)
        values = self.divide(counts, ratio)
        units = self._draw_units(matching, context)
        signature = self.sign(pred=pred, gold=gold, counts=counts, context=context)
        if units and context.resampling:
            signature = signature.with_field("ci", f"{context.resampling}/{units.name}")
        score = Score(
            measure=self,
            values=values,
            counts=counts,
            matching=matching,
            signature=signature,
            undefined=tuple(ratio.names),
            resampling=context.resampling,
            units=units,
            intervals=self.intervals(units, context.resampling),
            note=there.note if there else self.note(matching, values),
        )
        if score.undefined and score.warning:
            warn(score.warning, UndefinedWarning)
        return score

    def _draw_units(self, matching: MatchingType, context: Context) -> Units | None:
        """Split the counts by what resamples draw: the units of this measure, or clusters of them."""
        units = self.units(matching) if context.resampling else None
        by = context.resampling.unit if context.resampling else ""
        if units is None or by in ("", self.unit):
            return units
        parts = self.parts(matching)
        return sum_clusters(units, parts, labels_of(parts, by, self.unit, context.groupings), by)

    def intervals(self, units: Units | None, resampling: Resampling | None) -> dict[str, Interval]:
        """Compute the bootstrap interval of every value; nothing without units, or if not requested."""
        if units is None or resampling is None:
            return {}
        from goldassay.core.significance import intervals

        with stage("resampling"):
            return intervals(units, self.divide_drawn, resampling)

    def score(self, *, pred: Any, gold: Any, **reading: Any) -> Score:
        """Score a prediction against a gold standard."""
        return self.evaluate(**self.models(pred, gold, reading), context=Context())

    def models(self, pred: Any, gold: Any, reading: Mapping[str, Any]) -> dict[str, Any]:
        """Make the models of what `goldassay.read` takes; models of the family stay what they are."""
        return read_sides(pred, gold, kind=self.family, **reading)

    def sign(self, *, pred: ModelType, gold: ModelType, counts: Counts, context: Context) -> Signature:
        """Build the signature: everything that can change the value."""
        fields = _merge_choices(pred=pred.choices, gold=gold.choices)
        if self.needs_encoder and context.encoder_name:
            fields["encoder"] = context.encoder_name
        fields["gold"] = str(counts.get("n_gold", len(gold)))
        fields["pred"] = str(counts.get("n_pred", len(pred)))
        skipped = {side: model.left_out.get("skipped_records") for side, model in (("gold", gold), ("pred", pred))}
        if any(skipped.values()):
            fields["skipped"] = ",".join(f"{side}={count}" for side, count in skipped.items() if count)
        fields |= zip(self.named_files, map(digest_file, self.files), strict=True)
        fields["goldassay"] = __version__
        return Signature(str(self), fields)


@dataclass(frozen=True, kw_only=True)
class PrecisionRecallMeasure(Measure[ModelType, MatchingType]):
    """A measure whose values are precision, recall and F1 of two-sided credit.

    Each item is a unit; items of the prediction and of gold with the same name are one unit.
    """

    sums_over_records: ClassVar[bool] = True

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F1."""
        return PRECISION_RECALL_F1

    @property
    def headline(self) -> str:
        """F1."""
        return "f1"

    @property
    def symmetry(self) -> Symmetry:
        """Swapping the sides swaps precision and recall."""
        return "swap"

    @property
    def weighs_gold(self) -> bool:
        """Whether every item of gold is counted for itself: not where items compete, or are counted by another name."""
        return self.sums_over_records

    def parts(self, matching: MatchingType) -> tuple[Part, ...]:
        """List the items of both sides: each adds its credit to the hits, and its weight to the items."""
        items = matching.pred_items, matching.gold_items
        return both_parts(
            items, [partial(self.unit_keys, one) for one in items], added_counts(partial(self.added, matching))
        )

    def added(self, matching: MatchingType, side: SideName) -> Amounts:
        """Return the credit of each item of a side, and how much it counts."""
        credit, weight = matching.plain_amounts(side)
        return credit, weight * self.weights(matching.pred_items if side == "pred" else matching.gold_items)

    def unit_keys(self, items: Any) -> Sequence[str]:
        """Return the name of the unit of each item: the item itself."""
        return item_names(items)

    def weights(self, items: Any) -> Any:
        """Return how much each item counts, shape (items,)."""
        return np.ones(len(items))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide credit by items on each side, and take the harmonic mean."""
        return precision_recall_f1(counts, ratio)


def added_counts(added: Callable[[SideName], Amounts]) -> list[dict[str, Any]]:
    """Name what the items of each side add to the four sums of precision and recall."""
    return [dict(zip((f"hit_{side}", f"n_{side}"), added(side), strict=True)) for side in FAILURES]


def item_names(items: Items) -> list[str]:
    """Name every item."""
    return items_named(items, np.arange(len(items)))


def _merge_choices(*, pred: Mapping[str, str], gold: Mapping[str, str]) -> dict[str, str]:
    merged = {}
    for name in {**gold, **pred}:
        here, there = gold.get(name, "default"), pred.get(name, "default")
        merged[name] = here if here == there else f"gold={here},pred={there}"
    return merged


@dataclass(frozen=True, eq=False, kw_only=True)
class Score:
    """The result of a measure for one prediction. Its values are attributes too: ``score.f1``.

    Attributes:
        measure: The measure.
        values: Unrounded values by name.
        counts: The sums that the values were computed from.
        matching: Which items match.
        signature: Everything that can change the value, in one line.
        undefined: The values that were 0/0.
        resampling: How intervals were drawn; None if not requested.
        units: The counts split by unit; None if intervals were not requested or are not available.
        intervals: The interval of each value; empty if not requested or not available.
        note: A note of the measure on its values, in one sentence; None if there is none.
        chance: What the values would be by chance; None if it was not asked for, or is unknown.
        combined: By which rule several gold standards gave it, and their human ceiling; None if there is one gold.
        bounds: What a value would be if all unjudged items were wrong, and if all were right; empty if all are judged.
        breakdowns: The score split into groups, one entry per grouping; empty if not requested.
    """

    measure: Measure[Any, Any]
    values: Mapping[str, float]
    counts: Counts
    matching: Matching[Any]
    signature: Signature
    undefined: tuple[str, ...] = ()
    resampling: Resampling | None = None
    units: Units | None = None
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    note: str | None = None
    chance: ChanceLevel | None = None
    combined: Combination | None = None
    bounds: Mapping[str, Interval] = field(default_factory=dict)
    breakdowns: tuple[Breakdown, ...] = ()

    def __getattr__(self, name: str) -> float:
        # Only reached for names that are not fields; dunder look-ups (pickle, copy) come here before there are fields.
        values = self.__dict__.get("values", {})
        if name not in values:
            raise AttributeError(f"{type(self).__name__} has no value {name!r}; it has: {', '.join(values)}")
        return float(values[name])

    def __repr__(self) -> str:
        return f"<Score {self.format()}>"

    @property
    def spec(self) -> str:
        """The measure as its spec."""
        return str(self.measure)

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self.measure.name

    @property
    def headline(self) -> str:
        """The main value of the score, used where only one is shown."""
        return self.measure.headline

    @property
    def higher_is_better(self) -> bool:
        """Whether more of the headline is better."""
        return self.measure.higher_is_better

    def merit(self, value: str) -> float:
        """Return what to sort one of the values by: the greater, the better.

        What 0/0 is given as would be the best of all where less is better, so that it is then worse than all others.
        """
        unknown = value in self.undefined and not self.higher_is_better
        return self.measure.merit(math.nan if unknown else self.values[value])

    @property
    def warning(self) -> str | None:
        """What is undefined, and the note of the measure, in one sentence; None if there is neither."""
        notes = [] if self.note is None else [self.note]
        if self.undefined:
            value = self.values[self.undefined[0]]
            empty = "both sides are empty, so " if self._counts_nothing else ""
            notes.insert(0, f"{empty}{' and '.join(self.undefined)} 0/0, given as {value:g}")
        return f"{self.spec}: {'; '.join(notes)}" if notes else None

    @property
    def _counts_nothing(self) -> bool:
        return not any(self.counts.values()) and self.signature.fields.get("gold", "0") == "0"

    @property
    def no_interval(self) -> str | None:
        """Why there are no intervals although they were asked for; None if there are, or were not asked for."""
        if self.resampling is None or self.intervals:
            return None
        if self.combined is not None and self.combined.rule == "mean":
            return f"{self.spec}: no interval, since it is a mean over gold standards, which are too few to draw from"
        if self.units is None and self.resampling.unit:
            return f"{self.spec}: no interval, since what it counts cannot be drawn by {self.resampling.unit}"
        if self.units is None:
            return f"{self.spec}: no interval, since its values are not functions of sums over units"
        if all(math.isnan(value) or name in self.undefined for name, value in self.values.items()):
            return f"{self.spec}: no interval, since its values are undefined"
        return f"{self.spec}: no interval, since there is only {len(self.units)} {self.units.name}"

    @property
    def undefined_resamples(self) -> str | None:
        """How many resamples the intervals leave out, since the value is 0/0 in them; None if there are none."""
        left_out = [f"{one.undefined:,} ({name})" for name, one in self.intervals.items() if one.undefined]
        if self.resampling is None or not left_out:
            return None
        return f"{self.spec}: of {self.resampling.resamples:,} resamples, {', '.join(left_out)} are 0/0 and left out"

    def format(self, *, places: int = 4, percent: bool = False) -> str:
        """Write the score as one line.

        Args:
            places: Decimal places.
            percent: Whether to multiply by 100.

        Returns:
            For example ``fuzzy(threshold=0.436): precision 0.3798, recall 0.9805, f1 0.5475``.
        """
        written = ", ".join(f"{name} {self.written(name, places=places, percent=percent)}" for name in self.values)
        return f"{self.spec}: {written}"

    def written(self, name: str, *, places: int = 4, percent: bool = False) -> str:
        """Write one value, and its interval if it has one.

        Args:
            name: The value.
            places: Decimal places.
            percent: Whether to multiply by 100.

        Returns:
            For example ``0.5475 [0.5121, 0.5830]``.
        """
        if percent:
            refuse_percentages([self.measure])
        return NumberFormat(places, percent).within(self.values[name], self.intervals.get(name))

    def to_dict(self) -> dict[str, Any]:
        """Return the score in the format of ``--format json``."""
        from goldassay.core.shape import SavedScore, write_shape

        return write_shape(self, SavedScore)


def refuse_percentages(measures: Iterable[Measure[Any, Any]]) -> None:
    """Refuse percentages of what is no share, such as a rank."""
    for one in measures:
        if math.isinf(one.values[one.headline][1]):
            raise UsageError(
                f"{one.name} is no share, and has no percentage.", hint="leave out --percent, or percent=True"
            )


def check_bound(measure: Measure[Any, Any], name: str, bound: float, *, at_least: bool) -> None:
    """Reject a bound that lies outside of what a value can be."""
    low, high = measure.values[name]
    if not low <= bound <= high:
        raise UsageError(
            f"{measure} {name} {'never' if (bound > high) is at_least else 'always'} reaches this bound.",
            found=f"{bound:g}",
            expected=f"a number from {low:g} to {high:g}",
            hint=f"a share is no percentage: {bound / 100:g}" if 1 == high < bound else None,
        )
