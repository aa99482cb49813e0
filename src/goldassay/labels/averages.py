"""Means over instances: each instance has a precision, a recall and an F1, and what is 0/0 has the value of the policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from goldassay.core.counts import Division, FloatArray, f_measure

MEANS = ("precision", "recall", "f1")


def macro_sums(
    hits: tuple[FloatArray, FloatArray], sizes: tuple[FloatArray, FloatArray], undefined: float
) -> dict[str, FloatArray]:
    """Score each instance, for `macro_means` to divide.

    An instance that is empty on both sides is none.
    """
    some = Division(0.0)
    present = sizes[0] + sizes[1] > 0
    ratios = [some(name, hit, size) for name, hit, size in zip(MEANS, hits, sizes, strict=False)]
    # A policy of nan is put in when the sums are divided, so that sums stay numbers.
    value = 0.0 if np.isnan(undefined) else undefined
    policy = [np.where(size == 0, value, ratio) for ratio, size in zip(ratios, sizes, strict=True)]
    return {
        "sum_precision": ratios[0],
        "sum_recall": ratios[1],
        "sum_f1": np.where(present, f_measure(*policy), 0.0),
        "undefined_precision": (present & (sizes[0] == 0)).astype(np.float64),
        "undefined_recall": (present & (sizes[1] == 0)).astype(np.float64),
        "instances": present.astype(np.float64),
    }


def macro_means(
    counts: Mapping[str, Any], ratio: Division, names: tuple[str, str, str], *, f_of_means: bool = False
) -> dict[str, Any]:
    """Divide the sums by the number of instances; where all of them are 0/0, so is the mean."""
    means = [_mean(name, source, counts, ratio) for name, source in zip(names, MEANS[:2], strict=False)]
    f1 = f_measure(*means) if f_of_means else Division(0.0)("f1", counts["sum_f1"], counts["instances"])
    if np.isnan(ratio.undefined) and not f_of_means:
        some = np.not_equal(counts["undefined_precision"] + counts["undefined_recall"], 0)
        f1 = np.where(some, np.nan, f1)[()]
    return dict(zip(names, (*means, f1), strict=True))


def _mean(name: str, source: str, counts: Mapping[str, Any], ratio: Division) -> Any:
    instances, undefined = counts["instances"], counts[f"undefined_{source}"]
    # An instance that is 0/0 has the value that the policy says, and a mean of nothing else is 0/0 itself.
    total = counts[f"sum_{source}"] + np.where(np.equal(undefined, 0), 0.0, ratio.undefined) * undefined
    nothing = np.equal(instances, undefined)
    return ratio(name, np.where(nothing, 0.0, total), np.where(nothing, 0, instances))


def by_size(values: FloatArray, owners: Any, size: int) -> FloatArray:
    """Add numbers up by owner, in the order of their size, so that no order of the rows moves a sum."""
    order = np.lexsort((values, owners))
    return np.bincount(owners[order], weights=values[order], minlength=size).astype(np.float64)
