"""A sweep: what a measure with a threshold would say at every threshold, and how firmly its number stands."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from goldassay.core.context import Context
from goldassay.core.curve import Curve
from goldassay.core.errors import UsageError
from goldassay.core.measure import Measure

MARGIN = 0.01
"""How near to the cut an item is near: about as much as two versions of one encoder differ by."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sweep:
    """The curve of one prediction under one measure.

    Attributes:
        prediction: What the prediction is called.
        measure: The measure as its spec.
        threshold: Its threshold, the cut; None where it has none at its defaults.
        curve: Precision, recall and F1 at every threshold.
        near_pred: Share of predicted items whose best similarity lies within ``MARGIN`` of the cut.
        near_gold: The same for gold items.
    """

    prediction: str
    measure: str
    threshold: float | None
    curve: Curve
    near_pred: float
    near_gold: float

    def to_dict(self) -> dict[str, Any]:
        """Give the sweep as plain values."""
        return {
            "prediction": self.prediction,
            "measure": self.measure,
            "threshold": self.threshold,
            "within": MARGIN,
            "near_pred": None if math.isnan(self.near_pred) else self.near_pred,
            "near_gold": None if math.isnan(self.near_gold) else self.near_gold,
            **self.curve.to_dict(),
        }


def sweep(*, pred: Any, gold: Any, measures: Iterable[Any], context: Context) -> list[Sweep]:
    """Sweep the threshold of each measure over all its values.

    Args:
        pred: The prediction.
        gold: The gold standard.
        measures: Measures with a threshold.
        context: Where vectors come from, and how much memory may be taken.

    Returns:
        One sweep a measure.

    Raises:
        UsageError: If a measure has no threshold.

    Example:
        >>> from goldassay.encoders import HashingEncoder
        >>> from goldassay.graphs import Fuzzy, Graph
        >>> graph = Graph.from_edges([("cat", "pet")])
        >>> [found] = sweep(pred=graph, gold=graph, measures=[Fuzzy()], context=Context(encoder=HashingEncoder()))
        >>> found.curve.area, found.near_gold
        (1.0, 0.0)
    """
    return [_sweep(check(measure), pred, gold, context) for measure in measures]


def check(measure: Measure[Any, Any]) -> Measure[Any, Any]:
    """Refuse a measure without a curve.

    Raises:
        UsageError: If the measure has none.
    """
    if type(measure).curve is Measure.curve:
        raise UsageError(f"{measure} has no threshold to sweep.", expected="a measure with a threshold")
    return measure


def _sweep(measure: Measure[Any, Any], pred: Any, gold: Any, context: Context) -> Sweep:
    curve = measure.curve(pred=pred, gold=gold, context=context)
    cut: float | None = getattr(measure, "threshold", None)
    near = (math.nan, math.nan) if cut is None else _near(curve, cut)
    return Sweep(
        prediction=pred.path or "prediction",
        measure=str(measure),
        threshold=cut,
        curve=curve,
        near_pred=near[0],
        near_gold=near[1],
    )


def _near(curve: Curve, cut: float) -> tuple[float, float]:
    low, high = curve.at(cut - MARGIN, inclusive=True), curve.at(cut + MARGIN, inclusive=False)
    return low.precision - high.precision, low.recall - high.recall
