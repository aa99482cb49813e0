"""Plans: how many labels an interval needs, and how many units or runs a difference needs to be seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.units import Units, align_units
from goldassay.sampling.intervals import LEVEL, find_first, finite_size, wilson
from goldassay.sampling.special import Numbers, normal_quantile, t_quantile

MOST = 10**15
LEAST_WIDTH = 1e-6
"""A half width of less needs more labels than are counted exactly."""
SIMULATED = 2_000
GRID, GRID_REACH = 801, 9.0
"""Points at which an error is taken, and how many of its standard deviations they reach."""
NORMAL, ROUNDING, LIKE = 10**6, 1e-12, 1e-6


def labels_for(
    half_width: float, share: float = 0.5, level: float = LEVEL, *, population: int | None = None, effect: float = 1.0
) -> int:
    """Return the smallest number of labels whose interval is no wider than so much on each side."""
    if not 0 < half_width < 0.5 or not 0 <= share <= 1:  # noqa: PLR2004 - no interval of a share is wider
        raise UsageError(
            "The half width of an interval must be between 0 and 0.5.", found=f"{half_width:g} at precision {share:g}"
        )

    if half_width < LEAST_WIDTH / 4:
        raise UsageError(
            "The half width is too small to be planned.", found=f"{half_width:g}", expected=f"at least {LEAST_WIDTH:g}"
        )

    def narrow(size: int) -> bool:
        if population is not None and size >= population:
            return True
        alike = float(finite_size(size, population)) / effect
        low, high = wilson(share * alike, alike, level)
        return float(high - low) / 2 <= half_width

    return find_first(1, MOST if population is None else population, narrow)


class Plan(NamedTuple):
    """What units of a pilot say of a difference."""

    unit: str  # what a unit is
    difference: float  # the difference in the pilot
    parts: Numbers  # what each unit contributes to it, float64, shape (units,)

    @property
    def deviation(self) -> float:
        """The standard deviation of the difference of one unit."""
        return float(self.parts.std(ddof=1))

    @property
    def step(self) -> float:
        """What the differences of units are multiples of, if each is right or wrong on both sides; else 0: they differ as they like."""
        values = np.unique(np.round(self.parts, 9))
        apart = np.diff(values)
        return float(apart.max()) if len(values) <= 3 and np.ptp(apart) < LIKE else 0.0  # noqa: PLR2004 - worse, equal, better


def influences(units: Units, divide: Callable[[Counts], Mapping[str, Any]], value: str) -> tuple[float, Numbers]:
    """Return a value, and what each unit contributes to it, by leaving it out."""
    # Source: B. Efron and C. Stein, The Jackknife Estimate of Variance, Annals of Statistics 9 (1981).

    def of(matrix: Numbers) -> Numbers:
        return np.asarray(divide(Counts(dict(zip(units.counts, matrix.T, strict=True))))[value], dtype=np.float64)

    total, count = units.matrix.sum(axis=0, keepdims=True), len(units)
    whole = float(of(total)[0])
    return whole, (count - 1) * (whole - of(total - units.matrix))


def power_of(shift: float, critical: float, freedom: float, floor: float = 0.0) -> float:
    """Return how likely a shifted standard normal variable Z is beyond its estimated error: P(Z^2 > (critical s)^2 + floor^2)."""
    # s^2 is chi-squared / freedom, independent of Z. Given s the probability is that of two normal tails, so what is
    # left is a mean over s, whose density is proportional to s^(f - 1) exp(-f s^2 / 2). Without a floor it is the
    # noncentral t.
    # Source: W. Cochran, The distribution of quadratic forms in a normal system, Proceedings of the Cambridge
    # Philosophical Society 30 (1934), for s and Z; the mean is a sum over a fine grid.
    reach = GRID_REACH / math.sqrt(2 * freedom)
    low = max(0.0, 1 - reach)
    s = low + (1 + reach - low) * (np.arange(GRID) + 0.5) / GRID
    logs = (freedom - 1) * np.log(s) - freedom * (s * s - 1) / 2
    weights = np.exp(logs - logs.max())
    ends = np.sqrt((critical * s) ** 2 + floor**2) / math.sqrt(2)
    moved = shift / math.sqrt(2)
    tails = [math.erfc(end - moved) + math.erfc(end + moved) for end in ends.tolist()]
    return float(weights @ tails / weights.sum()) / 2


@dataclass(frozen=True, kw_only=True)
class UnitTest:
    """The test of a difference between paired units, or of labels: t with one degree of freedom less than there are."""

    # A randomisation of units has about the same power, but cannot be significant with fewer than `fewest_units`.
    deviation: float  # the standard deviation of the difference of one unit
    level: float = LEVEL
    # what all differences of sums are multiples of, if units are simply right or wrong; a randomisation counts what is
    # as large, and so sees half a step of swapping, which moves a sum by two, less (as the correction of Yates)
    step: float = 0.0
    fewest: int = 2  # with fewer nothing is significant
    population: int | None = None  # how many there are; all of them leave nothing to test
    floor: ClassVar[float] = 0.0

    def power(self, units: int, difference: float) -> float:
        """Return how likely a difference is seen with so many units."""
        if self.population is not None and units >= self.population:
            return 1.0
        if units < self.fewest:
            return 0.0
        apart = max(difference - self.step / units, 0.0)
        shift = apart * math.sqrt(float(finite_size(units, self.population))) / self.deviation
        return power_of(shift, critical_t(units - 1, self.level), units - 1)


@dataclass(frozen=True, kw_only=True)
class RunTest:
    """The test of `core.replication.difference`: every part of the variance has the t of its own degrees of freedom."""

    # With R runs a side, whose variance is v in both systems, its half width is the root of t(R - 1)^2 (s1^2 + s2^2) /
    # R + t(n - 1)^2 u. The difference of the means varies by 2 v / R, and s1^2 + s2^2 is 2 v times chi-squared / 2
    # (R - 1). u is taken as known, and the units as given: other runs answer the same ones.
    deviation: float  # the standard deviation of the value of one run
    level: float = LEVEL
    of_units: float = 0.0  # u, the variance of the difference between means of many runs with other units
    units: int = 0  # n, how many units there are; 0 if they are not known
    fewest: ClassVar[int] = 2
    population: ClassVar[int | None] = None

    @property
    def floor(self) -> float:
        """What a difference must exceed, however many runs there are."""
        return critical_t(self.units - 1, self.level) * math.sqrt(self.of_units) if self.units > 1 else 0.0

    def power(self, runs: int, difference: float) -> float:
        """Return how likely a difference is seen with so many runs of each system."""
        error = self.deviation * math.sqrt(2 / runs)
        return power_of(difference / error, critical_t(runs - 1, self.level), 2 * (runs - 1), self.floor / error)


def critical_t(freedom: int, level: float = LEVEL) -> float:
    """Return what t must exceed; from a million degrees of freedom on it is the normal quantile, to six digits."""
    share = (1 + level) / 2
    return normal_quantile(share) if freedom >= NORMAL else t_quantile(share, freedom)


def fewest_units(level: float = LEVEL) -> int:
    """Return with how many units a randomisation can be significant: of n, no p is smaller than 2 / 2^n."""
    # Source: E. Edgington and P. Onghena, Randomization Tests (2007): the units' own outcomes, and all swapped, are 2
    # of 2^n.
    return find_first(2, 64, lambda units: 2 / 2**units <= 1 - level + ROUNDING)


def needed_for(test: UnitTest | RunTest, difference: float, power: float = 0.8) -> int:
    """Return how many units, labels or runs show a difference with a power; an error if no number does."""
    if not 0 < difference < math.inf or not 0 < power < 1:
        raise UsageError(
            "The difference must be positive, and the power between 0 and 1.", found=f"{difference:g} at {power:g}"
        )
    most = test.population or MOST
    if test.power(most, difference) < power:
        raise UsageError(
            "No number shows this difference.",
            found=f"{difference:g}",
            expected=f"more than {test.floor:.4g}, which the units of gold may be off by, however many runs there are",
            hint="a larger difference, or more units of gold",
        )
    return find_first(min(test.fewest, most), most, lambda size: test.power(size, difference) >= power)


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
    parts: Numbers, units: int, difference: float, test: UnitTest, *, seed: int = 0, draws: int = SIMULATED
) -> float:
    """Return how often a test sees a difference when so many units are drawn from those of a pilot, moved to that difference."""
    if test.population is not None and units >= test.population:
        return 1.0
    random, critical = np.random.default_rng(seed), critical_t(units - 1, test.level)
    alike = float(finite_size(units, test.population))
    centred, seen = parts - parts.mean(), 0
    for _ in range(draws):
        drawn = centred[random.integers(0, len(centred), units)]
        # Without replacement a mean varies less, as that of more units with it.
        apart = difference + float(drawn.mean()) * math.sqrt(units / alike)
        seen += abs(apart) - test.step / units > critical * float(drawn.std(ddof=1)) / math.sqrt(alike)
    return seen / draws
