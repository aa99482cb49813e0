"""The whole curve of a measure, instead of one point on it: what every threshold would have given."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.counts import Counts, Division, FloatArray, precision_recall_f1
from goldassay.kernels.ragged import run_heads

EQUAL = 1e-12
"""Values that differ by less are equal: a mean over groups is added up in another order at every threshold."""


class Cut(NamedTuple):
    """Where a measure parts what counts from what does not."""

    parameter: str
    value: float  # its value; minus infinity where nothing is cut off
    inclusive: bool = True  # whether what is equal to the threshold counts
    lower_is_stricter: bool = False  # whether a lower threshold lets less count, as the limit of a distance does


ANY = Cut("threshold", -math.inf)
"""Nothing is cut off."""


class Step(NamedTuple):
    """What some rows add to one sum, each as soon as the threshold lets it count."""

    sum: str  # the name of the sum
    amounts: Any  # what each row adds, of shape (rows,) or one number for all
    # the strictest threshold at which each row counts, nan where none lets it, shape (rows,); None where every
    # threshold does
    at: FloatArray | None = None
    groups: Any = None  # the group of each row, where groups are scored before they are added up, int64, shape (rows,)


@dataclass(frozen=True)
class Point:
    """One point of a curve. Its values are attributes too: ``point.f1``."""

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

    The threshold of a point is the strictest that the measure can be given for its values: the similarity from which on it counts,
    or the next number below where it must be exceeded. Any other threshold gives the counts of one of the points.
    """

    thresholds: FloatArray  # distinct values, the strictest first, float64, shape (points,)
    counts: Mapping[str, FloatArray]
    unreached: Mapping[str, float]  # the sums at a threshold that is stricter than all of these
    cut: Cut = ANY
    undefined: float = 0.0
    divide: Callable[[Counts, Division], Mapping[str, Any]] = precision_recall_f1
    headline: str = "f1"
    higher_is_better: bool = True

    @classmethod
    def of_steps(cls, steps: Sequence[Step], **how: Any) -> Curve:
        """Make the curve of rows that count from a threshold on."""
        cut = how.get("cut", cls.cut)
        sign = -1.0 if cut.lower_is_stricter else 1.0
        known = [sign * step.at[~np.isnan(step.at)] for step in steps if step.at is not None]
        order = np.unique(np.concatenate([np.zeros(0), *known]))[::-1]
        counts: dict[str, FloatArray] = {}
        unreached: dict[str, float] = {}
        for step in steps:
            always, added = _sum_step(step, sign, order)
            counts[step.sum] = counts.get(step.sum, 0.0) + always + added
            unreached[step.sum] = unreached.get(step.sum, 0.0) + always
        reached = order if cut.inclusive else np.nextafter(order, -np.inf)
        return cls(thresholds=sign * reached, counts=counts, unreached=unreached, **how)

    def __len__(self) -> int:
        return len(self.thresholds)

    @cached_property
    def values(self) -> dict[str, FloatArray]:
        """The values at each threshold by name, float64, each of shape (points,)."""
        divided = self.divide(Counts(self.counts), Division(self.undefined))
        return {name: np.broadcast_to(np.asarray(column, np.float64), len(self)) for name, column in divided.items()}

    @property
    def precision(self) -> FloatArray:
        """Precision at each threshold, float64, shape (points,)."""
        return self.values["precision"]

    @property
    def recall(self) -> FloatArray:
        """Recall at each threshold, float64, shape (points,)."""
        return self.values["recall"]

    @cached_property
    def area(self) -> float | None:
        """Area under precision over recall, step by step: each gain in recall times the precision where it is made."""
        # Steps, since values on a straight line between two points are not reached at any threshold. The same number is
        # known as average precision. None for a measure that has no precision and recall.
        if not {"precision", "recall"} <= self.values.keys():
            return None
        return float(np.sum(np.diff(self.recall, prepend=0.0) * self.precision))

    @cached_property
    def best(self) -> Point | None:
        """The point of the best headline, and of these the one with the strictest threshold; None if there is none."""
        row = self._best_row
        return None if row is None else self.point(row)

    @property
    def _best_row(self) -> int | None:
        good = self.values[self.headline] * (1.0 if self.higher_is_better else -1.0)
        known = np.flatnonzero(~np.isnan(good))
        return int(known[np.argmax(good[known] >= good[known].max() - EQUAL)]) if len(known) else None

    def point(self, row: int) -> Point:
        """Return one point by its place."""
        return Point(float(self.thresholds[row]), {name: float(column[row]) for name, column in self.values.items()})

    def at(self, threshold: float, *, inclusive: bool | None = None) -> Point:
        """Return the point of any threshold."""
        found = self.at_all(np.array([threshold]), inclusive=inclusive)
        return Point(threshold, {name: float(column[0]) for name, column in found.items()})

    def at_all(self, thresholds: FloatArray, *, inclusive: bool | None = None) -> dict[str, FloatArray]:
        """Return the values at any thresholds by name, float64, each of the shape of the thresholds."""
        sign = 1.0 if self.cut.lower_is_stricter else -1.0
        asked = sign * np.asarray(thresholds, dtype=np.float64)
        if inclusive is not None and inclusive != self.cut.inclusive:
            asked = np.nextafter(asked, np.inf if inclusive else -np.inf)
        passing = np.searchsorted(sign * self.thresholds, asked, side="right")
        before = self.divide(Counts(self.unreached), Division(self.undefined))
        return {name: np.append(before[name], column)[passing] for name, column in self.values.items()}

    @classmethod
    def mean(cls, several: Sequence[Curve]) -> Curve:
        """Average the curves of repeated runs at every threshold of any of them."""
        # Source: T. Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27 (2006): threshold
        # averaging.
        first = several[0]
        sign = 1.0 if first.cut.lower_is_stricter else -1.0
        thresholds = sign * np.unique(np.concatenate([sign * one.thresholds for one in several]))
        columns = [one.at_all(thresholds) for one in several]
        before = [one.divide(Counts(one.unreached), Division(one.undefined)) for one in several]
        return replace(
            first,
            thresholds=thresholds,
            counts={name: np.mean([found[name] for found in columns], axis=0) for name in columns[0]},
            unreached={name: float(np.mean([found[name] for found in before])) for name in before[0]},
            divide=_keep_means,
        )

    def spread(self, margin: float) -> dict[str, tuple[float, float]]:
        """Return the lowest and the highest of each value within a margin of the cut of the measure."""
        near = np.flatnonzero(np.abs(self.thresholds - self.cut.value) <= margin)
        ends = [self.cut.value - margin, self.cut.value, self.cut.value + margin]
        points = [self.at(end).values for end in ends]
        columns = {name: [*(at[name] for at in points), *self.values[name][near].tolist()] for name in points[0]}
        return {name: (min(column), max(column)) for name, column in columns.items()}

    def thin(self, most: int) -> Curve:
        """Keep some of the points, evenly spread, with both ends and the best, for drawing."""
        if len(self) <= most:
            return self
        spread = np.linspace(0, len(self) - 1, most - 1).round().astype(np.int64)
        rows = np.unique(np.append(spread, self._best_row or 0))
        counts = {name: column[rows] for name, column in self.counts.items()}
        return replace(self, thresholds=self.thresholds[rows], counts=counts)

    def table(self) -> dict[str, list[float]]:
        """Return the points as columns: threshold, then the values, from the strictest threshold on."""
        return {
            "threshold": self.thresholds.tolist(),
            **{name: column.tolist() for name, column in self.values.items()},
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain values: its area, its best point, and its points in columns; None for 0/0."""
        best = {"threshold": self.best.threshold, **self.best.values} if self.best else None
        points = {name: [_to_plain(one) for one in column] for name, column in self.table().items()}
        area = None if self.area is None else _to_plain(self.area)
        return {"area": area, "best": best and {name: _to_plain(one) for name, one in best.items()}, "points": points}


def _keep_means(means: Counts, over: Division) -> Mapping[str, Any]:
    """Divide nothing: the sums of a mean curve are its values."""
    del over
    return dict(means)


def similarity_steps(*, pred: FloatArray, gold: FloatArray) -> list[Step]:
    """Build the curve on which an item is hit from its best similarity on."""
    sides = (("pred", pred), ("gold", gold))
    hits = [Step(f"hit_{side}", 1.0, similarity) for side, similarity in sides]
    return [*hits, *(Step(f"n_{side}", np.ones(len(similarity))) for side, similarity in sides)]


def compute_steps(
    steps: Sequence[Step],
    groups: int,
    score: Callable[[Mapping[str, FloatArray]], Mapping[str, FloatArray]],
    *,
    lower_is_stricter: bool = False,
) -> list[Step]:
    """Score every group at every threshold, as steps of what the groups add up to."""
    # A group changes only at the thresholds of its own rows. So there are no more changes than rows, and what a group
    # adds at each is the difference to its score before.
    sign = -1.0 if lower_is_stricter else 1.0
    moving = [_keep_known(step) for step in steps if step.at is not None]
    sizes_of = [len(step.at) for step in moving]
    order, level = np.unique(np.concatenate([np.zeros(0), *(-sign * step.at for step in moving)]), return_inverse=True)
    key = np.concatenate([np.zeros(0, dtype=np.int64), *(step.groups for step in moving)]) * max(len(order), 1) + level
    # Sorted by group, and within a group from the strictest threshold on.
    changes, places = np.unique(key, return_inverse=True)
    group, level = np.divmod(changes, max(len(order), 1))
    first = run_heads(group)
    sizes = np.diff(np.flatnonzero(np.append(first, True)))
    before = {step.sum: np.zeros(groups) for step in steps}
    after = {step.sum: np.zeros(len(changes)) for step in steps}
    for step in steps:
        if step.at is None:
            before[step.sum] += np.bincount(step.groups, weights=step.amounts, minlength=groups)
    for step, place in zip(moving, np.split(places, np.cumsum(sizes_of)), strict=False):
        added = np.bincount(place, weights=step.amounts, minlength=len(changes))
        total = np.cumsum(added)
        after[step.sum] += total - np.repeat((total - added)[first], sizes)
    scored = score(before)
    changed = score({name: column + before[name][group] for name, column in after.items()})
    at = -sign * order[level]
    made = []
    for name, column in changed.items():
        previous = np.where(first, scored[name][group], np.roll(column, 1))
        made += [Step(name, scored[name]), Step(name, column - previous, at)]
    return made


def _keep_known(step: Step) -> Any:
    """Keep the rows of a step that some threshold lets count, each with its amount."""
    at = np.asarray(step.at, dtype=np.float64)
    there = ~np.isnan(at)
    amounts = np.broadcast_to(np.asarray(step.amounts, dtype=np.float64), at.shape)[there]
    return step._replace(amounts=amounts, at=at[there], groups=None if step.groups is None else step.groups[there])


def _sum_step(step: Step, sign: float, order: FloatArray) -> tuple[float, FloatArray]:
    """Sum what a step adds at any threshold, and what it adds at each of some thresholds, the strictest first."""
    if step.at is None:
        return float(np.sum(step.amounts)), np.zeros(len(order))
    known = _keep_known(step)
    place = np.searchsorted(-order, -sign * known.at)
    return 0.0, np.cumsum(np.bincount(place, weights=known.amounts, minlength=len(order)))


def _to_plain(number: float) -> float | None:
    return None if math.isnan(number) else number
