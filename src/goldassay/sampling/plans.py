"""Plans: how many labels an interval needs, and how many units or runs a difference needs to be seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.units import Units, align_units
from goldassay.sampling.intervals import LEVEL, finite_size, wilson
from goldassay.sampling.special import Numbers, normal_quantile

MOST = 10**9
SIMULATED = 2_000


def labels_for(
    half_width: float, share: float = 0.5, level: float = LEVEL, *, population: int | None = None, effect: float = 1.0
) -> int:
    """Return the smallest number of labels whose interval is no wider than so much on each side.

    Example:
        >>> labels_for(0.05, 0.91), labels_for(0.02, 0.91), labels_for(0.01, 0.91)
        (130, 791, 3151)
    """
    if not 0 < half_width < 0.5 or not 0 <= share <= 1:  # noqa: PLR2004 - no interval of a share is wider
        raise UsageError(
            "The half width of an interval must be between 0 and 0.5.", found=f"{half_width:g} at precision {share:g}"
        )

    def narrow(size: int) -> bool:
        if population is not None and size >= population:
            return True
        alike = float(finite_size(size, population)) / effect
        low, high = wilson(share * alike, alike, level)
        return float(high - low) / 2 <= half_width

    low, high = 1, MOST
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if narrow(middle) else (middle + 1, high)
    return low if population is None else min(low, population)


class Plan(NamedTuple):
    """How many units a difference needs.

    Attributes:
        units: Units for the power that was asked for.
        unit: What a unit is.
        pilot: Units of the pilot.
        difference: The difference in the pilot.
        deviation: The standard deviation of the difference of one unit.
    """

    units: int
    unit: str
    pilot: int
    difference: float
    deviation: float


def influences(
    first: Units, second: Units, divide: Callable[[Counts], Mapping[str, Any]], value: str
) -> tuple[float, Numbers]:
    """Return the difference of a value of two systems, and what each unit contributes to it, by leaving it out.

    Source:
        B. Efron and C. Stein, The Jackknife Estimate of Variance, Annals of Statistics 9 (1981).
    """
    here, there = align_units(first, second)
    names = list(here.counts)

    def of(matrix: Numbers) -> Numbers:
        return np.asarray(divide(Counts(dict(zip(names, matrix.T, strict=True))))[value], dtype=np.float64)

    totals = [side.matrix.sum(axis=0, keepdims=True) for side in (here, there)]
    whole = float(of(totals[1])[0] - of(totals[0])[0])
    without = of(totals[1] - there.matrix) - of(totals[0] - here.matrix)
    return whole, len(here) * whole - (len(here) - 1) * without - whole


def power_at(units: float, difference: float, deviation: float, level: float = LEVEL) -> float:
    """Return how likely a difference is seen with so many units: the power of a two-sided test.

    Example:
        >>> round(power_at(100, 0.28, 1.0), 2)
        0.8
    """
    from statistics import NormalDist

    z, shift = normal_quantile((1 + level) / 2), difference * math.sqrt(units) / deviation
    normal = NormalDist()
    return normal.cdf(shift - z) + normal.cdf(-shift - z)


def units_for(difference: float, deviation: float, power: float = 0.8, level: float = LEVEL) -> int:
    """Return how many units show a difference with a power.

    Example:
        >>> units_for(0.28, 1.0)
        101
    """
    if difference <= 0 or not 0 < power < 1:
        raise UsageError(
            "The difference must be positive, and the power between 0 and 1.", found=f"{difference:g} at {power:g}"
        )
    z = normal_quantile((1 + level) / 2) + normal_quantile(power)
    return max(2, math.ceil((z * deviation / difference) ** 2 - 1e-9))


def plan_difference(
    first: Units,
    second: Units,
    divide: Callable[[Counts], Mapping[str, Any]],
    value: str,
    *,
    difference: float,
    power: float = 0.8,
    level: float = LEVEL,
) -> Plan:
    """Plan how many units of a pilot's kind show a difference between its two systems."""
    seen, parts = influences(first, second, divide, value)
    deviation = float(parts.std(ddof=1))
    if len(parts) < 2 or deviation == 0:  # noqa: PLR2004 - one unit does not vary
        raise UsageError(
            "The units of the pilot do not vary; nothing can be planned from them.", found=f"{len(parts)} units"
        )
    return Plan(units_for(difference, deviation, power, level), first.name, len(parts), seen, deviation)


def simulate_power(
    parts: Numbers, units: int, difference: float, *, level: float = LEVEL, seed: int = 0, draws: int = SIMULATED
) -> float:
    """Return how often a difference is seen when so many units are drawn from those of a pilot, moved to that difference."""
    random, z = np.random.default_rng(seed), normal_quantile((1 + level) / 2)
    centred = parts - parts.mean() + difference
    seen = 0
    for _ in range(draws):
        drawn = centred[random.integers(0, len(centred), units)]
        error = drawn.std(ddof=1) / math.sqrt(units)
        seen += bool(error > 0 and abs(drawn.mean()) > z * error)
    return seen / draws
