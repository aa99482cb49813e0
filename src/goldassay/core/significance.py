"""Confidence: bootstrap intervals, and tests of the difference between two systems, independent of any measure.

Only the counts of units are resampled: a resample is a new sum and one division.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.limits import RESAMPLES
from goldassay.core.units import Units, align_units
from goldassay.kernels.resample import bootstrap_sums, distinct_rows, sum_swapped

Divide: TypeAlias = Callable[[Counts], Mapping[str, Any]]
Method: TypeAlias = Literal["bca", "percentile"]
METHODS: tuple[Method, ...] = get_args(Method)
FEWEST = 100
TINY = 1e-12
"""A spread that is smaller is one of rounding only."""
CLUSTERS = ("subject", "class", "document", "case")
"""What items may be drawn by, where a family groups them so."""


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How intervals and tests are drawn. It affects the figures, so it is part of the signature.

    Attributes:
        resamples: How many resamples.
        level: Share of intervals that should contain the true value.
        method: ``bca``, corrected for bias and skew (Efron 1987), or ``percentile``.
        seed: Seed of the random numbers: the same seed gives the same figures.
        unit: What is drawn instead of the units of a measure, one of `CLUSTERS`: items of one subject, document or test case are
            often right or wrong together, and drawing them one by one then makes intervals too narrow. Empty for the measure's own.

    Example:
        >>> str(Resampling(seed=7))
        'bca(level=0.95,resamples=10000,seed=7)'
    """

    resamples: int = 10_000
    level: float = 0.95
    method: Method = "bca"
    seed: int = 0
    unit: str = ""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown_choice_error("method of intervals", self.method, METHODS)
        if not 0 < self.level < 1:
            raise UsageError(
                "The level of an interval must be a share.", found=str(self.level), expected="0 < level < 1"
            )
        if self.resamples < FEWEST:
            raise UsageError(f"Fewer than {FEWEST} resamples are not meaningful.", found=str(self.resamples))
        if self.resamples > RESAMPLES.value:
            raise UsageError(
                "Too many resamples: they need too much memory, and do not improve the result.",
                found=f"{self.resamples:,}",
                expected=f"at most {RESAMPLES.value:,}",
                hint=f"10000 are enough; to allow more, set {RESAMPLES.variable}",
            )
        if self.seed < 0:
            raise UsageError("A seed must not be negative.", found=str(self.seed), expected="a whole number from 0")

    def separates(self, pairs: int) -> bool:
        """Return whether so many pairs can differ: the least p is 1 / (resamples + 1), and Holm's method multiplies it by the pairs."""
        return pairs / (self.resamples + 1) <= 1 - self.level + TINY

    def __str__(self) -> str:
        return f"{self.method}(level={self.level:g},resamples={self.resamples},seed={self.seed})"


@dataclass(frozen=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float
    # Resamples in which the value is 0/0, which are left out; a report that is loaded does not know them.
    undefined: int = field(default=0, compare=False, repr=False)

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How one value of a second system differs from that of the first."""

    difference: float  # the second minus the first
    interval: Interval  # bootstrap percentile interval of the difference
    # two-sided p of approximate randomisation, (c + 1) / (N + 1); nan where another test was made
    p_randomisation: float
    p_bootstrap: float  # two-sided p of the paired bootstrap, (c + 1) / (N + 1); nan where another test was made
    # the difference in standard deviations of what one unit adds to it (Cohen's d of pairs, if the value is a mean);
    # nan where no unit adds more than another
    effect: float = math.nan


def intervals(units: Units, divide: Divide, resampling: Resampling) -> dict[str, Interval]:
    """Compute the bootstrap interval of every value of a score."""
    # Source: B. Efron, Better Bootstrap Confidence Intervals, JASA 82 (1987), equations 2.3 and 6.6.
    if len(units) < 2:  # noqa: PLR2004 - one unit does not vary
        return {}
    rows, frequency = distinct_rows(units.matrix)
    names = list(units.counts)
    total = frequency @ rows
    drawn = divide(
        _name_counts(names, bootstrap_sums(rows, frequency, resamples=resampling.resamples, seed=resampling.seed))
    )
    point = divide(_name_counts(names, total[None, :]))
    left_out = divide(_name_counts(names, total - rows)) if resampling.method == "bca" else {}
    found = {}
    for name, values in drawn.items():
        if math.isnan(float(point[name][0])):
            continue
        tails = _tails(resampling.level)
        if resampling.method == "bca":
            tails = _correct_tails(tails, values, float(point[name][0]), left_out[name], frequency)
        interval = _interval(values, tails)
        if not (math.isnan(interval.low) or math.isnan(interval.high)):
            found[name] = interval
    return found


def compare(first: Units, second: Units, divide: Divide, resampling: Resampling) -> dict[str, Difference]:
    """Test every value of two systems for a difference, unit by unit.

    Args:
        first: Units of the first system.
        second: Units of the second, of the same measure on the same gold standard.
        divide: Divides sums, also arrays of them, into values.
        resampling: How to draw resamples.

    Returns:
        One difference per value that both have; nothing with fewer than two units.

    Source:
        A. Yeh, More accurate tests for the statistical significance of result differences, COLING 2000;
        B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), sections 11.5 (what one unit adds) and 16.4.

    Example:
        >>> first = Units.of("edge", map(str, range(50)), Counts({"hit": [1.0] * 10 + [0.0] * 40, "n": [1.0] * 50}))
        >>> second = Units.of("edge", map(str, range(50)), Counts({"hit": [1.0] * 30 + [0.0] * 20, "n": [1.0] * 50}))
        >>> found = compare(first, second, lambda sums: {"p": sums["hit"] / sums["n"]}, Resampling())["p"]
        >>> round(found.difference, 2), found.p_randomisation < 0.001, 0 in found.interval
        (0.4, True, False)
    """
    here, there = align_units(first, second)
    if len(here) < 2:  # noqa: PLR2004 - one unit does not vary
        return {}
    names, width = list(here.counts), len(here.counts)
    rows, frequency = distinct_rows(np.hstack([here.matrix, there.matrix]))
    total = frequency @ rows

    def differences(sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        one, other = divide(_name_counts(names, sums[:, :width])), divide(_name_counts(names, sums[:, width:]))
        return {name: np.asarray(other[name] - one[name], dtype=np.float64) for name in one}

    options = {"resamples": resampling.resamples, "seed": resampling.seed}
    seen = differences(total[None, :])
    drawn = differences(bootstrap_sums(rows, frequency, **options))
    # Swapping a unit moves what it counts from each system to the other.
    crossing = rows[:, width:] - rows[:, :width]
    moved = sum_swapped(crossing, frequency, **options)
    swapped = differences(total + np.hstack([moved, -moved]))
    left_out = differences(total - rows)
    return {
        name: Difference(
            difference=float(seen[name][0]),
            interval=_interval(drawn[name], _tails(resampling.level)),
            p_randomisation=_share(np.abs(swapped[name]), abs(seen[name][0])),
            p_bootstrap=_share(np.abs(drawn[name] - seen[name][0]), abs(seen[name][0])),
            effect=_effect(float(seen[name][0]), left_out[name], frequency),
        )
        for name in seen
        if not math.isnan(seen[name][0])
    }


def mcnemar(only_first: int, only_second: int, *, method: Literal["exact", "midp"] = "exact") -> float:
    """Test whether two systems find the same share of the same items."""
    # Source: M. Fagerland, S. Lydersen and P. Laake, The McNemar test for binary matched-pairs data, BMC Medical
    # Research Methodology 13:91 (2013).
    if method not in {"exact", "midp"}:
        raise unknown_choice_error("method of McNemar's test", method, ["exact", "midp"])
    disagreed, fewer = only_first + only_second, min(only_first, only_second)
    seen = _binomial_probability(fewer, disagreed)
    smaller = np.arange(fewer, 0, -1)
    # Each smaller count is a fraction as likely as the next larger one.
    exact = min(1.0, 2 * seen * (1.0 + math.fsum(np.cumprod(smaller / (disagreed - smaller + 1)))))
    if method == "exact":
        return exact
    return exact - (seen / 2 if only_first == only_second else seen)


def _binomial_probability(heads: int, tosses: int) -> float:
    """Return the probability of so many heads; the factors are multiplied in pairs, so that none grows beyond all bounds."""
    few = np.arange(1, heads + 1)
    product, exponent = np.frexp((tosses - heads + few) / few)
    power = int(exponent.sum()) - tosses
    while len(product) > 1:
        product, exponent = np.frexp(np.multiply.reduceat(product, np.arange(0, len(product), 2)))
        power += int(exponent.sum())
    return math.ldexp(float(product.prod()), power)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p values of several tests, to control the family-wise error rate. A p that is undefined (nan) is of no test."""
    # Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6
    # (1979).
    adjusted, highest = [math.nan] * len(p_values), 0.0
    tested = [row for row, p in enumerate(p_values) if not math.isnan(p)]
    for rank, place in enumerate(sorted(tested, key=lambda row: p_values[row])):
        highest = max(highest, min(1.0, (len(tested) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def letters(count: int, differ: Collection[frozenset[int]]) -> list[str]:
    """Assign letters to ranked places: two share a letter exactly if they do not differ (a compact letter display)."""
    # Source: H.-P. Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, Journal of
    # Computational and Graphical Statistics 13 (2004); J. Gramm et al., Algorithms for compact letter displays, CSDA 52
    # (2007).
    groups: list[list[int]] = []
    for first in range(count):
        for second in range(first, count):
            pair = {first, second}
            if frozenset(pair) in differ or any(pair.issubset(group) for group in groups):
                continue
            group = sorted(pair)
            for other in range(count):
                if other not in pair and not any(frozenset((other, one)) in differ for one in group):
                    group.append(other)
            groups.append(sorted(group))
    groups.sort()
    return ["".join(_letter(number) for number, group in enumerate(groups) if place in group) for place in range(count)]


def _letter(number: int) -> str:
    turn, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn + 1) if turn else "")


def _effect(difference: float, left_out: NDArray[np.float64], frequency: NDArray[np.int64]) -> float:
    """Divide a difference by the standard deviation of its pseudo-values, which for a mean are the differences of the units."""
    count = int(frequency.sum())
    apart = (count - 1) * (left_out - np.average(left_out, weights=frequency))
    spread = math.sqrt(float(frequency @ apart**2) / (count - 1))
    return difference / spread if spread > TINY else math.nan


def _name_counts(names: Sequence[str], sums: NDArray[np.float64]) -> Counts:
    return Counts(dict(zip(names, sums.T, strict=True)))


def _interval(drawn: NDArray[np.float64], tails: tuple[float, float]) -> Interval:
    # Where 0/0 is nan, resamples with 0/0 are ignored.
    defined = drawn[~np.isnan(drawn)]
    low, high = np.quantile(defined, tails).tolist() if len(defined) else (np.nan, np.nan)
    return Interval(low, high, len(drawn) - len(defined))


def _tails(level: float) -> tuple[float, float]:
    return (1 - level) / 2, (1 + level) / 2


def _correct_tails(
    tails: tuple[float, float],
    drawn: NDArray[np.float64],
    point: float,
    left_out: NDArray[np.float64],
    frequency: NDArray[np.int64],
) -> tuple[float, float]:
    """Move the two tails for bias (the share of resamples below the value) and for skew (from leaving each unit out)."""
    from statistics import NormalDist

    # A resample that gives the value itself, up to rounding, counts half, else a discrete value looks biased.
    moved = drawn[~np.isnan(drawn)] - point
    moved[np.abs(moved) <= TINY * max(1.0, abs(point))] = 0.0
    below = float(np.mean(moved < 0) + np.mean(moved == 0) / 2) if len(moved) else 0.0
    if not 0 < below < 1:
        return tails
    known = ~np.isnan(left_out)
    left_out, frequency = left_out[known], frequency[known]
    apart = np.average(left_out, weights=frequency) - left_out if len(left_out) else left_out
    spread = float(frequency @ apart**2)
    skew = float(frequency @ apart**3) / (6 * spread**1.5) if spread > TINY**2 else 0.0
    normal = NormalDist()
    bias = normal.inv_cdf(below)
    reaches = [bias + normal.inv_cdf(tail) for tail in tails]
    low, high = (normal.cdf(bias + reach / (1 - skew * reach)) for reach in reaches)
    return low, high


def _share(drawn: NDArray[np.float64], seen: float) -> float:
    """Return (c + 1) / (N + 1), where c of N resamples are at least as extreme, up to rounding; those with 0/0 are ignored."""
    defined = drawn[~np.isnan(drawn)]
    extreme = int(np.count_nonzero(defined >= seen - 1e-12))
    return (extreme + 1) / (len(defined) + 1)
