"""Plans: how many labels an interval needs, and how many units or runs a difference needs to be seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.units import Units, align_units
from goldassay.sampling.intervals import LEVEL, find_first, finite_size, wilson
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

    return find_first(1, MOST if population is None else population, narrow)


class Plan(NamedTuple):
    """What units of a pilot say of a difference.

    Attributes:
        unit: What a unit is.
        difference: The difference in the pilot.
        parts: What each unit contributes to it, float64, shape (units,).
    """

    unit: str
    difference: float
    parts: Numbers

    @property
    def deviation(self) -> float:
        """The standard deviation of the difference of one unit."""
        return float(self.parts.std(ddof=1))


def influences(units: Units, divide: Callable[[Counts], Mapping[str, Any]], value: str) -> tuple[float, Numbers]:
    """Return a value, and what each unit contributes to it, by leaving it out.

    Source:
        B. Efron and C. Stein, The Jackknife Estimate of Variance, Annals of Statistics 9 (1981).
    """

    def of(matrix: Numbers) -> Numbers:
        return np.asarray(divide(Counts(dict(zip(units.counts, matrix.T, strict=True))))[value], dtype=np.float64)

    total, count = units.matrix.sum(axis=0, keepdims=True), len(units)
    whole = float(of(total)[0])
    return whole, (count - 1) * (whole - of(total - units.matrix))


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


def plan_difference(first: Units, second: Units, divide: Callable[[Counts], Mapping[str, Any]], value: str) -> Plan:
    """Return what units of a pilot contribute to the difference between its two systems."""
    (here, own), (there, others) = (influences(units, divide, value) for units in align_units(first, second))
    if len(own) < 2 or not (others - own).any():  # noqa: PLR2004 - one unit does not vary
        raise UsageError(
            "The units of the pilot do not vary; nothing can be planned from them.", found=f"{len(own)} units"
        )
    return Plan(first.name, there - here, others - own)


def likely_share(value: float, labels: int) -> float:
    """Keep a share as far from 0 and 1 as half of one of the labels, since none may have been wrong by chance."""
    return min(max(value, 0.5 / (labels + 1)), 1 - 0.5 / (labels + 1))


def effect_of(units: Units, divide: Callable[[Counts], Mapping[str, Any]], labels: int) -> float:
    """Return the design effect of a pilot: its variance, as that of as many labels of a simple sample."""
    value, parts = influences(units, divide, "precision")
    plain = value * (1 - value) / max(labels - 1, 1)
    return float(parts.var(ddof=1)) / len(parts) / plain if plain > 0 and len(parts) > 1 else 1.0


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
