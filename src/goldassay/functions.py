"""Measures of one's own from plain functions: `goldassay.measure`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.core.errors import UsageError
from goldassay.core.matching import NOTHING, Matching, Side
from goldassay.core.measure import Measure, Symmetry
from goldassay.core.parameters import Bounds
from goldassay.core.text import show_object
from goldassay.families import family

VALUE = "value"


@dataclass(frozen=True, eq=False, kw_only=True)
class Computed(Matching[Any]):
    """What a function computes: values, and no verdicts on items."""

    found: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FunctionMeasure(Measure[Any, Computed]):
    """A measure whose values a plain function computes: it has no items that match, no intervals and no evidence."""

    formula: ClassVar[str] = ""
    citation: ClassVar[str] = ""
    values: ClassVar[Mapping[str, Bounds]] = {VALUE: (0.0, 1.0)}
    headline: ClassVar[str] = VALUE
    symmetry: ClassVar[Symmetry] = "none"
    compute: ClassVar[Callable[[Any, Any], Any]]

    @property
    def perfect(self) -> Mapping[str, float]:
        """Nothing: what a model scores against itself is not known of a function."""
        return {}

    def __reduce__(self) -> Any:
        # The class is made anew: pickle finds a class only by its name.
        own = type(self)
        return partial(
            measure,
            own.compute,
            kind=own.family,
            name=own.name,
            values=dict(own.values),
            higher_is_better=own.higher_is_better,
        ), ()

    def match(self, *, pred: Any, gold: Any, context: Context) -> Computed:
        """Call the function."""
        del context
        given = type(self).compute(pred, gold)
        found = given if isinstance(given, Mapping) else {VALUE: given}
        if {*found} != {*self.values} or not all(_is_number(one) for one in found.values()):
            raise UsageError(
                f"{self.name} must return a number for each of its values.",
                found=show_object(given)[:80],
                expected=", ".join(self.values) if {*self.values} != {VALUE} else "a number",
                hint="goldassay.measure(function, values=[...]) names the values of a dictionary",
            )
        side = Side.of_hits(np.zeros(0, dtype=np.bool_))
        return Computed(
            pred=side,
            gold=side,
            pred_items=NOTHING,
            gold_items=NOTHING,
            found={name: float(found[name]) for name in self.values},
        )

    def count(self, matching: Computed) -> Counts:
        """Return the values."""
        return Counts(matching.found)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Return the values."""
        del ratio
        return dict(counts)


def measure(
    function: Callable[[Any, Any], Any],
    *,
    kind: str = "taxonomy",
    name: str | None = None,
    values: Sequence[str] | Mapping[str, Bounds] = (VALUE,),
    higher_is_better: bool = True,
) -> Measure[Any, Any]:
    """Make a measure of a plain function of prediction and gold.

    The function is called with the models that goldassay read: for a taxonomy two `goldassay.Graph`. Its values are shown next to those of
    other measures in every table; it has no intervals and no evidence, for which it would have to say which items match
    (docs/adding.md).

    Args:
        function: Takes the prediction and gold, and returns a number, or a dictionary of numbers.
        kind: The family whose models it takes.
        name: Its name in tables and specs; the name of the function if None.
        values: The names of the values, the headline first, if the function returns a dictionary; with their bounds if these are not 0 and 1.
        higher_is_better: Whether a greater value is a better one.

    Returns:
        The measure, for ``measures=[...]`` of `goldassay.evaluate`.

    Raises:
        UsageError: If the family is unknown, or a name is invalid.

    Example:
        >>> import goldassay
        >>> def size_ratio(pred, gold):
        ...     return len(pred) / len(gold)
        >>> gold, pred = [("cat", "pet"), ("dog", "pet")], [("cat", "pet")]
        >>> goldassay.evaluate(pred, gold=gold, measures=["literal", goldassay.measure(size_ratio)])["size_ratio"].value
        0.5
    """
    called = name or getattr(function, "__name__", "function").strip("<>")
    if not callable(function):
        raise UsageError("A measure needs a function.", found=show_object(function)[:80], expected="f(pred, gold)")
    try:
        declared_bounds = values if isinstance(values, Mapping) else dict.fromkeys(values, (0.0, 1.0))
        bounds = {one: (float(low), float(high)) for one, (low, high) in declared_bounds.items()}
    except (TypeError, ValueError) as error:
        raise UsageError(
            "The values of this measure are invalid.",
            found=show_object(values)[:80],
            expected="names, or a dictionary of names and bounds such as {'ratio': (0, 10)}",
        ) from error
    for one in (called, *bounds):
        if not (isinstance(one, str) and one.isidentifier()):
            raise UsageError("This name is invalid.", found=show_object(one)[:80], expected="letters, digits and _")
    if not bounds:
        raise UsageError("A measure must have a value.", hint="leave values out for a function that returns a number")
    declared = {
        "name": called,
        "title": called.replace("_", " "),
        "family": family(kind).kind,
        "values": bounds,
        "headline": next(iter(bounds)),
        "higher_is_better": higher_is_better,
        "compute": staticmethod(function),
        "__module__": __name__,
        "__doc__": FunctionMeasure.__doc__,
    }
    made: type[FunctionMeasure] = type(called, (FunctionMeasure,), declared)
    return dataclass(frozen=True, kw_only=True)(made)()


def _is_number(value: object) -> bool:
    try:
        return not isinstance(value, str) and math.isfinite(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
