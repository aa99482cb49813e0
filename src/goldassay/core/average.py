"""Means over units, such as documents, instances or test cases: each has a precision, a recall and an F of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from goldassay.core.counts import Division, FloatArray, choose, f_measure

RATIOS = ("precision", "recall")


@dataclass(frozen=True, kw_only=True)
class Average:
    """How the values of units become means. What units add is summed first, so that any resample divides the same way.

    A unit that is empty on one side has a ratio that is 0/0. Where ``undefined`` is nan, such a unit is not in the mean,
    unless units that are empty on both sides are ignored: then the mean is nan.

    Example:
        >>> sums = {name: np.array(column) for name, column in
        ...     {"hit_pred": [1.0, 0.0], "n_pred": [2.0, 0.0], "hit_gold": [1.0, 0.0], "n_gold": [1.0, 0.0]}.items()}
        >>> for empty in ("right", "undefined", "ignored"):
        ...     average = Average(empty=empty)
        ...     added = {name: column.sum() for name, column in average.sum_columns(sums, undefined=0.0).items()}
        ...     print(average.means(added, Division())["precision"])
        0.75
        0.25
        0.5
    """

    # what a unit without items on both sides is: `right`, with 1 for all values; `undefined`, as any ratio of 0/0 is;
    # or `ignored`
    empty: Literal["right", "undefined", "ignored"]
    units: str = "units"  # the name of the sum that counts units, where empty ones are ignored
    f: str = "f1"  # the name of the F among the sums

    def sum_columns(
        self, sums: Mapping[str, FloatArray], *, undefined: float, beta: float = 1.0
    ) -> dict[str, FloatArray]:
        """Return what each unit adds to the sums that `means` divides, of its own hits and sizes on both sides."""
        ratio, sizes = Division(undefined), (sums["n_pred"], sums["n_gold"])
        hits = sums["hit_pred"], sums["hit_gold"]
        precision, recall = (ratio(name, hit, size) for name, hit, size in zip(RATIOS, hits, sizes, strict=True))
        values = {"precision": precision, "recall": recall, self.f: f_measure(precision, recall, beta=beta)}
        empty = (sizes[0] == 0) & (sizes[1] == 0)
        if self.empty == "ignored":
            # What is 0/0 is put in when the sums are divided: a mean of nothing else is 0/0 itself.
            nothing = {name: size == 0 for name, size in zip(RATIOS, sizes, strict=True)}
            return {
                **{f"sum_{name}": _drop_undefined(column, nothing.get(name, empty)) for name, column in values.items()},
                **{f"undefined_{name}": (one & ~empty).astype(np.float64) for name, one in nothing.items()},
                self.units: (~empty).astype(np.float64),
            }
        if self.empty == "right":
            values = {name: np.where(empty, 1.0, column) for name, column in values.items()}
            sums = {**sums, "documents_empty": empty.astype(np.float64)}
        defined = {name: ~np.isnan(column) for name, column in values.items()}
        return {
            **sums,
            **{f"sum_{name}": np.where(defined[name], column, 0.0) for name, column in values.items()},
            **{f"documents_{name}": known.astype(np.float64) for name, known in defined.items()},
        }

    def means(self, counts: Mapping[str, Any], ratio: Division, *, prefix: str = "") -> dict[str, Any]:
        """Divide the sums by the units; where a ratio is 0/0 in all of them, so is its mean."""
        if self.empty == "ignored":
            return {prefix + name: value for name, value in self._of_present(counts, ratio, prefix).items()}
        # Without any predicted item precision is 0/0, however many documents there are, unless some are rightly empty.
        right = counts["documents_empty"] if self.empty == "right" else 0
        known = {"precision": counts["n_pred"], "recall": counts["n_gold"]}
        return {
            prefix + name: ratio(
                prefix + name,
                counts[f"sum_{name}"],
                counts[f"documents_{name}"] * (known.get(name, 1) + right > 0),
            )
            for name in (*RATIOS, self.f)
        }

    def _of_present(self, counts: Mapping[str, Any], ratio: Division, prefix: str) -> dict[str, Any]:
        units, values = counts[self.units], {}
        for name in RATIOS:
            undefined = counts[f"undefined_{name}"]
            total = counts[f"sum_{name}"] + choose(undefined == 0, 0.0, ratio.undefined) * undefined
            nothing = units == undefined
            values[name] = ratio(prefix + name, choose(nothing, 0.0, total), choose(nothing, 0, units))
        mean = Division(ratio.undefined)(self.f, counts[f"sum_{self.f}"], units)
        if math.isnan(ratio.undefined):
            mean = choose(counts["undefined_precision"] + counts["undefined_recall"] != 0, math.nan, mean)
        return {**values, self.f: mean}


def _drop_undefined(column: FloatArray, nothing: Any) -> FloatArray:
    return np.where(nothing | np.isnan(column), 0.0, column)
