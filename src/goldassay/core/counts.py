"""Additive, named statistics, and the one division."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]
NUMBERS = frozenset({int, float, np.float64})


@dataclass(frozen=True)
class Counts(Mapping[str, Any]):
    """Named sums. Adding the counts of the parts gives the counts of the whole.

    A sum is a number, or an array of numbers where many resamples are counted at once.

    Example:
        >>> Counts({"hit_pred": 1, "n_pred": 2}) + Counts({"hit_pred": 3, "n_pred": 4})
        Counts(sums={'hit_pred': 4, 'n_pred': 6})
    """

    sums: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.sums[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sums)

    def __len__(self) -> int:
        return len(self.sums)

    def __add__(self, other: Counts) -> Counts:
        if self.sums.keys() != other.sums.keys():
            raise ValueError(f"counts of different kinds do not add: {list(self.sums)} and {list(other.sums)}")
        return Counts({name: value + other.sums[name] for name, value in self.sums.items()})


@dataclass
class Division:
    """The only division in goldassay; it records what was 0/0, and in which places of an array.

    Example:
        >>> divide = Division(undefined=0.0)
        >>> divide("precision", 1, 4), divide("recall", 0, 0), divide.names
        (0.25, 0.0, ['recall'])
        >>> divide("precision", np.array([1.0, 0.0]), np.array([2.0, 0.0])).tolist()
        [0.5, 0.0]
    """

    undefined: float = 0.0
    places: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> list[str]:
        """The values that were 0/0 anywhere, in the order in which they were divided."""
        return list(self.places)

    def __call__(self, name: str, numerator: ArrayLike, denominator: ArrayLike) -> Any:
        """Divide, giving ``undefined`` where the denominator is 0."""
        # numpy takes ten times as long for one number, and gives the same.
        if denominator.__class__ in NUMBERS and numerator.__class__ in NUMBERS:
            return self._of_numbers(name, numerator, denominator)
        below = np.asarray(denominator, dtype=np.float64)
        above = np.asarray(numerator, dtype=np.float64)
        if below.all():
            ratio = np.asarray(above / below)
        else:
            ratio, is_zero = np.full(np.broadcast(above, below).shape, self.undefined), below == 0
            np.divide(above, below, out=ratio, where=~is_zero)
            if is_zero.any():
                self.places[name] = self.places.get(name, False) | is_zero
        return float(ratio) if ratio.ndim == 0 else ratio

    def _of_numbers(self, name: str, numerator: Any, denominator: Any) -> float:
        if denominator:
            return float(numerator) / float(denominator)
        self.places[name] = True
        return float(self.undefined)

    def without_undefined(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values with nan in place of what was 0/0, even where 0/0 is given as a number."""
        places = self.places
        return {name: np.where(places[name], np.nan, one) if name in places else one for name, one in values.items()}


def shares(above: ArrayLike, below: Any) -> FloatArray:
    """Divide columns of which 0/0 is 0 and no value of a measure, such as what single items earn."""
    found: FloatArray = np.divide(above, below, out=np.zeros(np.shape(below)), where=below > 0)
    return found


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """Choose between two numbers, or row by row; numpy takes ten times as long for one number."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, yes, no)
    return yes if condition else no


def f_measure(precision: Any, recall: Any, *, beta: float = 1.0) -> Any:
    """Weigh precision and recall into F-beta, (1 + b²)PR / (b²P + R)."""
    # Where precision and recall are both 0 the F-measure is 0 by convention, without a warning: it is the limit, and
    # all sources agree.
    weight = beta * beta
    return Division(undefined=0.0)("f", (1 + weight) * (precision * recall), weight * precision + recall)


def precision_recall_f1(counts: Mapping[str, Any], ratio: Division) -> dict[str, Any]:
    """Divide two-sided counts into precision, recall and F1."""
    precision = ratio("precision", counts["hit_pred"], counts["n_pred"])
    recall = ratio("recall", counts["hit_gold"], counts["n_gold"])
    return {"precision": precision, "recall": recall, "f1": f_measure(precision, recall)}


def format_sum(number: Any) -> int | float:
    """Write a sum that is a whole number as one."""
    return int(number) if float(number).is_integer() else float(number)
