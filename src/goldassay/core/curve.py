"""The whole curve of precision and recall, instead of one point on it: what every threshold would have given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts, Division, FloatArray, precision_recall_f1

SUMS = ("hit_pred", "hit_gold", "n_pred", "n_gold")


@dataclass(frozen=True)
class Point:
    """One point of a curve. Its values are attributes too: ``point.f1``.

    Attributes:
        threshold: What a similarity or score has to reach.
        values: The values of the measure at that threshold.
    """

    threshold: float
    values: Mapping[str, float]

    def __getattr__(self, name: str) -> float:
        values = self.__dict__.get("values", {})
        if name not in values:
            raise AttributeError(f"{type(self).__name__} has no value {name!r}; it has: {', '.join(values)}")
        return float(values[name])


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """The values of a measure at every threshold where any of them can change.

    A point counts what reaches its threshold (``>=``). So the points at the distinct similarities are the whole curve:
    any other threshold, strict or not, gives the counts of one of them.

    Attributes:
        thresholds: Distinct values, descending, float64, shape (points,).
        hit_pred: Predicted items that are hit when a value has to reach the threshold, shape (points,).
        n_pred: Predicted items there are at that threshold, shape (points,).
        hit_gold: Gold items that are hit, shape (points,).
        n_gold: Gold items there are, shape (points,).
        undefined: What 0/0 gives.
        unreached: How many predicted and gold items there are at a threshold that no value reaches, where nothing is hit.
        divide: What divides the sums into values: `Measure.divide`.
        headline: The value that the best point is best by.
        inclusive: Whether the measure lets a value pass that is equal to its threshold.

    Example:
        >>> curve = Curve.of_similarities(pred=np.array([0.9, 0.4]), gold=np.array([0.9, 0.5, 0.4]))
        >>> curve.thresholds.tolist(), curve.precision.tolist(), curve.at(0.45).f1
        ([0.9, 0.5, 0.4], [0.5, 0.5, 1.0], 0.5714285714285715)
        >>> curve.best.threshold, round(curve.area, 4)
        (0.4, 0.6667)
    """

    thresholds: FloatArray
    hit_pred: NDArray[Any]
    n_pred: NDArray[Any]
    hit_gold: NDArray[Any]
    n_gold: NDArray[Any]
    unreached: tuple[int, int]
    undefined: float = 0.0
    divide: Callable[[Counts, Division], Mapping[str, Any]] = precision_recall_f1
    headline: str = "f1"
    inclusive: bool = False

    @classmethod
    def of_similarities(cls, *, pred: FloatArray, gold: FloatArray, **how: Any) -> Curve:
        """Make the curve of items that are each hit as long as the threshold is not above their best similarity.

        Args:
            pred: Best similarity of each predicted item, nan where it has none, float64, shape (m,).
            gold: Best similarity of each gold item likewise, shape (n,).
            **how: How the sums are divided: ``divide``, ``headline`` and ``undefined``.

        Returns:
            The curve, one point a distinct similarity of either side.
        """
        both = np.concatenate([pred, gold])
        thresholds = np.unique(both[~np.isnan(both)])[::-1]
        return cls(
            thresholds=thresholds,
            hit_pred=_reaching(pred, thresholds),
            n_pred=np.full(len(thresholds), len(pred), dtype=np.int64),
            hit_gold=_reaching(gold, thresholds),
            n_gold=np.full(len(thresholds), len(gold), dtype=np.int64),
            unreached=(len(pred), len(gold)),
            **how,
        )

    def __len__(self) -> int:
        return len(self.thresholds)

    @cached_property
    def values(self) -> dict[str, FloatArray]:
        """The values at each threshold by name, float64, each of shape (points,)."""
        sums = Counts({name: getattr(self, name) for name in SUMS})
        return {name: np.asarray(column) for name, column in self.divide(sums, Division(self.undefined)).items()}

    @property
    def precision(self) -> FloatArray:
        """Precision at each threshold, float64, shape (points,)."""
        return self.values["precision"]

    @property
    def recall(self) -> FloatArray:
        """Recall at each threshold, float64, shape (points,)."""
        return self.values["recall"]

    @cached_property
    def area(self) -> float:
        """Area under precision over recall, step by step: each gain in recall times the precision where it is made.

        Steps, since a straight line between two points of such a curve promises what no threshold gives. The same number
        is known as average precision.
        """
        return float(np.sum(np.diff(self.recall, prepend=0.0) * self.precision))

    @cached_property
    def best(self) -> Point | None:
        """The point of the highest headline, and of these the one with the highest threshold; None for an empty curve."""
        return self.point(int(np.argmax(self.values[self.headline]))) if len(self) else None

    def point(self, row: int) -> Point:
        """Give one point by its place."""
        return Point(float(self.thresholds[row]), {name: float(column[row]) for name, column in self.values.items()})

    def at(self, threshold: float, *, inclusive: bool | None = None) -> Point:
        """Give the point of any threshold.

        Args:
            threshold: What a value has to pass.
            inclusive: Whether a value equal to the threshold passes; as the measure has it if None.

        Returns:
            The point, with the threshold asked for. Above all values nothing is hit.
        """
        inclusive = self.inclusive if inclusive is None else inclusive
        passing = int(np.searchsorted(-self.thresholds, -threshold, side="right" if inclusive else "left"))
        if passing == 0:
            sums = Counts(dict(zip(SUMS, (0, 0, *self.unreached), strict=True)))
            return Point(threshold, dict(self.divide(sums, Division(self.undefined))))
        return replace(self.point(passing - 1), threshold=threshold)

    def thinned(self, most: int) -> Curve:
        """Keep some of the points, evenly spread, with both ends and the best: enough to draw.

        Args:
            most: How many at the most, 3 or more.
        """
        if len(self) <= most:
            return self
        spread = np.linspace(0, len(self) - 1, most - 1).round().astype(np.int64)
        rows = np.unique(np.append(spread, np.argmax(self.values[self.headline])))
        return replace(self, **{name: getattr(self, name)[rows] for name in ("thresholds", *SUMS)})

    def table(self) -> dict[str, list[float]]:
        """Lay the points out in columns: threshold, then the values, from the highest threshold down."""
        return {
            "threshold": self.thresholds.tolist(),
            **{name: column.tolist() for name, column in self.values.items()},
        }

    def to_dict(self) -> dict[str, Any]:
        """Give the curve as plain values: its area, its best point, and its points in columns."""
        best = {"threshold": self.best.threshold, **self.best.values} if self.best else None
        return {"area": self.area, "best": best, "points": self.table()}


def _reaching(values: FloatArray, thresholds: FloatArray) -> NDArray[np.int64]:
    """Count for each threshold the values that reach it; nan reaches none."""
    known = np.sort(values[~np.isnan(values)])
    return len(known) - np.searchsorted(known, thresholds, side="left").astype(np.int64)
