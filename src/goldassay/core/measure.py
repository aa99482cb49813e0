"""The interface of a measure: a frozen value with declarations, which matches, counts and divides."""

from __future__ import annotations

import math
import types
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeAlias, TypeVar

import numpy as np

from goldassay.core.context import Context, Encoder
from goldassay.core.counts import Counts, Division, precision_recall_f1
from goldassay.core.errors import UndefinedWarning, UsageError, unknown_choice
from goldassay.core.matching import Items, Matching
from goldassay.core.model import Model
from goldassay.core.parameters import Bounds, parameter, parameters_of
from goldassay.core.parts import Part, summed, units_of
from goldassay.core.score import Score
from goldassay.core.signature import Signature
from goldassay.core.spec import format_spec
from goldassay.core.units import Units
from goldassay.core.version import __version__

if TYPE_CHECKING:
    from goldassay.core.curve import Curve, Cut, Step
    from goldassay.core.significance import Interval, Resampling

ModelType = TypeVar("ModelType", bound=Model)
MatchingType = TypeVar("MatchingType", bound=Matching[Any])
Symmetry: TypeAlias = Literal["swap", "same", "none"]
PRECISION_RECALL_F1: Mapping[str, Bounds] = types.MappingProxyType(
    {"precision": (0.0, 1.0), "recall": (0.0, 1.0), "f1": (0.0, 1.0)}
)


@dataclass(frozen=True, kw_only=True)
class Measure(ABC, Generic[ModelType, MatchingType]):
    """A measure. Its fields are its parameters, and ``parse(str(measure)) == measure``.

    A measure of a family is a frozen, keyword-only dataclass in a file of its own. It declares the attributes below,
    and defines how to match, what to count, and what to divide. What depends on no parameter is a class variable; what
    does is a property, which a measure without such a parameter may also declare as a class variable.

    Attributes:
        undefined: What 0/0 gives.
        name: Its name in specs; unique among all families.
        title: Its title.
        family: The kind of input it scores.
        formula: LaTeX.
        citation: Key in ``references.bib``.
        conventions: What other sources do differently, and the parameter that reproduces it.
        higher_is_better: Whether the perfect value is the upper bound, or the lower one.
        unit: What a resample draws, in one word: rows of `parts` with the same key are one unit.
        sums_over_records: Whether the counts of a prediction are the sums of the counts of its parts, for any
            split into records.
        defined_alone: Whether the values are defined as soon as one of the sides is not empty.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    formula: ClassVar[str]
    citation: ClassVar[str]
    conventions: ClassVar[tuple[str, ...]] = ()
    higher_is_better: ClassVar[bool] = True
    unit: ClassVar[str] = "item"
    sums_over_records: ClassVar[bool] = False
    defined_alone: ClassVar[bool] = False

    undefined: float = parameter(0.0, help="what 0/0 gives", choices=(0.0, 1.0, math.nan))

    def __post_init__(self) -> None:
        for name, declared in parameters_of(type(self)).items():
            object.__setattr__(self, name, declared.check(getattr(self, name), owner=self.name))

    @property
    @abstractmethod
    def values(self) -> Mapping[str, Bounds]:
        """The values it gives, in order, each with its bounds."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """The main value of the score, used where only one is shown."""

    @property
    @abstractmethod
    def symmetry(self) -> Symmetry:
        """The effect of swapping prediction and gold.

        ``swap`` swaps precision and recall, ``same`` changes nothing, ``none`` declares nothing.
        """

    @property
    def perfect(self) -> Mapping[str, float]:
        """What a model scores against itself, whatever it is, value by value: the bound that is better."""
        return {name: bounds[self.higher_is_better] for name, bounds in self.values.items()}

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return False

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """Make the measure from parameters by name.

        Raises:
            UsageError: If a parameter is unknown or its value is not allowed.
        """
        known = parameters_of(cls)
        for name in parameters:
            if name not in known:
                raise unknown_choice(f"parameter of {cls.name}", name, known)
        return cls(**parameters)

    def __str__(self) -> str:
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
        """List the rows that are counted, each with what it adds to the sums.

        Args:
            matching: What `match` made.

        Returns:
            The rows, whose sums are the counts; empty if the counts are not sums of rows.
        """
        del matching
        return ()

    def count(self, matching: MatchingType) -> Counts:
        """Add up the rows that are counted."""
        return summed(self.parts(matching))

    @abstractmethod
    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums into the declared values; sums may be arrays, and the values are then arrays too."""

    def units(self, matching: MatchingType) -> Units | None:
        """Split the counts by the units of resampling: edges, documents, queries.

        Args:
            matching: What `match` made.

        Returns:
            The counts of every unit, which add up to those of `count`; None if the values are not a function of sums
            over units, so that resampling would be invalid.
        """
        parts = self.parts(matching)
        return units_of(self.unit, parts) if parts else None

    @property
    def cut(self) -> Cut | None:
        """The threshold that a curve goes over; None if the measure has none."""
        return None

    def match_widest(self, *, pred: ModelType, gold: ModelType, context: Context) -> MatchingType:
        """Match so that everything is there that any threshold lets count."""
        return self.match(pred=pred, gold=gold, context=context)

    def steps(self, matching: MatchingType) -> Sequence[Step]:
        """Return from which threshold on each row counts: the sums at a threshold are those of the rows that pass it.

        Args:
            matching: What `match_widest` made, or `match` for the thresholds that let no more count.

        Raises:
            UsageError: If the measure has no curve over a threshold.
        """
        del matching
        raise self.no_curve()

    def curve(self, *, pred: ModelType, gold: ModelType, context: Context | None = None) -> Curve:
        """Return the values at every threshold; the threshold of the measure is not used.

        Args:
            pred: The prediction.
            gold: The gold standard.
            context: The encoder and the memory limit.

        Returns:
            The curve; ``at(threshold)`` gives what the measure gives for a threshold.

        Raises:
            UsageError: If the measure has no curve over a threshold.
        """
        if self.cut is None:
            raise self.no_curve()
        return self.curve_of(self.match_widest(pred=pred, gold=gold, context=context or Context()))

    def curve_of(self, matching: MatchingType) -> Curve:
        """Return the curve over the thresholds that a matching knows of.

        Args:
            matching: What was matched.

        Raises:
            UsageError: If the measure has no curve over a threshold.
        """
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
        return UsageError(f"{self} has no threshold to sweep.", expected="a measure with a threshold")

    def remark(self, matching: MatchingType, values: Mapping[str, Any]) -> str | None:
        """Return a remark on the values, in one sentence; None if there is none."""
        del matching, values
        return None

    def borrowed(self, encoder: Encoder | None) -> str | None:
        """Return a remark on a parameter whose default is for another encoder, in one sentence; None if there is none.

        Args:
            encoder: The encoder that is used.
        """
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
        """Match, count and divide.

        Args:
            pred: The prediction.
            gold: The gold standard.
            context: The encoder and the memory limit.

        Returns:
            The score. Warns with `UndefinedWarning` when a value was 0/0.
        """
        matching = self.match(pred=pred, gold=gold, context=context)
        counts = self.count(matching)
        ratio = Division(self.undefined)
        values = self.divide(counts, ratio)
        units = self.units(matching) if context.resampling else None
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
            intervals=self._intervals(units, context.resampling),
            remark=self.remark(matching, values),
        )
        if score.undefined and score.caveat:
            warnings.warn(score.caveat, UndefinedWarning, stacklevel=2)
        return score

    def _intervals(self, units: Units | None, resampling: Resampling | None) -> dict[str, Interval]:
        if units is None or resampling is None:
            return {}
        from goldassay.core.significance import intervals

        return intervals(units, lambda sums: self.divide(sums, Division(self.undefined)), resampling)

    def score(self, *, pred: ModelType, gold: ModelType) -> Score:
        """Score a prediction against a gold standard.

        Args:
            pred: The prediction.
            gold: The gold standard.

        Returns:
            The score. Warns with `UndefinedWarning` when a value was 0/0.
        """
        return self.evaluate(pred=pred, gold=gold, context=Context())

    def sign(self, *, pred: ModelType, gold: ModelType, counts: Counts, context: Context) -> Signature:
        """Build the signature: everything that can change the value."""
        fields = _merged_choices(pred=pred.choices, gold=gold.choices)
        if self.needs_encoder and context.encoder is not None:
            fields["encoder"] = f"{context.encoder.name}@{context.encoder.fingerprint[:8]}"
        fields["gold"] = str(counts.get("n_gold", len(gold)))
        fields["pred"] = str(counts.get("n_pred", len(pred)))
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

    def parts(self, matching: MatchingType) -> tuple[Part, ...]:
        """List the items of both sides: each adds its credit to the hits, and its weight to the items."""
        sides = (
            ("pred", matching.pred, matching.pred_items, matching.gold_items),
            ("gold", matching.gold, matching.gold_items, matching.pred_items),
        )
        return tuple(
            Part(
                items=items,
                others=others,
                unit_keys=partial(self.unit_keys, items),
                counts={f"hit_{name}": side.credit, f"n_{name}": self.weights(items)},
            )
            for name, side, items, others in sides
        )

    def unit_keys(self, items: Any) -> Sequence[str]:
        """Return the name of the unit of each item: the item itself."""
        return item_names(items)

    def weights(self, items: Any) -> Any:
        """Return how much each item counts, shape (items,)."""
        return np.ones(len(items))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide credit by items on each side, and take the harmonic mean."""
        return precision_recall_f1(counts, ratio)


def item_names(items: Items) -> list[str]:
    """Name every item."""
    return [items.item(row) for row in range(len(items))]


def _merged_choices(*, pred: Mapping[str, str], gold: Mapping[str, str]) -> dict[str, str]:
    merged = {}
    for name in {**gold, **pred}:
        here, there = gold.get(name, "default"), pred.get(name, "default")
        merged[name] = here if here == there else f"gold={here},pred={there}"
    return merged
