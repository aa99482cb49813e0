"""A sweep: what a measure with a threshold would say at every threshold, and how firmly its number stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from goldassay.core.context import Context
from goldassay.core.curve import Curve
from goldassay.core.errors import UsageError
from goldassay.graphs.matching import ThresholdMeasure
from goldassay.graphs.model import Graph

MARGIN = 0.01
"""How near to the cut an item is near: about as much as two versions of one encoder differ by."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sweep:
    """The curve of one prediction under one measure.

    Attributes:
        prediction: What the prediction is called.
        measure: The measure as its spec.
        threshold: Its threshold, the cut.
        curve: Precision, recall and F1 at every threshold.
        near_pred: Share of predicted items whose best similarity lies within ``MARGIN`` of the cut.
        near_gold: The same for gold items.
    """

    prediction: str
    measure: str
    threshold: float
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
            "near_pred": self.near_pred,
            "near_gold": self.near_gold,
            **self.curve.to_dict(),
        }


def sweep(*, pred: Graph, gold: Graph, measures: Iterable[Any], context: Context) -> list[Sweep]:
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
        >>> from goldassay.graphs import Fuzzy
        >>> graph = Graph.from_edges([("cat", "pet")])
        >>> [found] = sweep(pred=graph, gold=graph, measures=[Fuzzy()], context=Context(encoder=HashingEncoder()))
        >>> found.curve.area, found.near_gold
        (1.0, 0.0)
    """
    return [_sweep(check(measure), pred, gold, context) for measure in measures]


def check(measure: Any) -> ThresholdMeasure:
    """Refuse a measure without a threshold.

    Raises:
        UsageError: If the measure has none.
    """
    if not isinstance(measure, ThresholdMeasure):
        raise UsageError(
            f"{measure} has no threshold to sweep.", expected="a measure with a threshold", hint="-m fuzzy or -m nodes"
        )
    return measure


def _sweep(measure: ThresholdMeasure, pred: Graph, gold: Graph, context: Context) -> Sweep:
    curve = measure.curve(pred=pred, gold=gold, context=context)
    low = curve.at(measure.threshold - MARGIN, inclusive=True)
    high = curve.at(measure.threshold + MARGIN)
    return Sweep(
        prediction=pred.path or "prediction",
        measure=str(measure),
        threshold=measure.threshold,
        curve=curve,
        near_pred=low.precision - high.precision,
        near_gold=low.recall - high.recall,
    )
