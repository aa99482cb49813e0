"""Intervals of a share: exact mid-p, Wilson, and highest posterior density.

Sizes and counts are real numbers, since the effective size of a design need not be whole; only mid-p needs whole ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from goldassay.sampling.special import (
    Numbers,
    beta_quantile,
    binomial,
    bisect,
    hypergeometric,
    normal_quantile,
)

Ends: TypeAlias = tuple[float, float]
PRIORS: Mapping[str, float] = MappingProxyType({"kerman": 1 / 3, "jeffreys": 1 / 2, "uniform": 1.0})
LEVEL = 0.95
FEW, FEW_OF_MANY, MANY = 2, 3, 50
"""The counts whose bound is a Poisson one: up to 2, and up to 3 from 51 labels on."""


def wilson(right: ArrayLike, size: ArrayLike, level: float = LEVEL) -> tuple[Numbers, Numbers]:
    """Compute Wilson's score interval."""
    # Source: E. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927).
    right, size = (np.asarray(one, dtype=np.float64) for one in (right, size))
    z = normal_quantile((1 + level) / 2)
    share = right / size
    centre = (right + z * z / 2) / (size + z * z)
    half = z * np.sqrt(size) / (size + z * z) * np.sqrt(np.maximum(share * (1 - share), 0) + z * z / (4 * size))
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def wilson_poisson(right: float, size: float, level: float = LEVEL) -> tuple[float, float]:
    """Compute Wilson's interval with a bound of the Poisson distribution where few items are right, or few are wrong."""
    # Source: L. Brown, T. Cai and A. DasGupta, Interval Estimation for a Binomial Proportion, Statistical Science 16
    # (2001).
    low, high = (float(end) for end in wilson(right, size, level))
    few = range(1, 1 + (FEW_OF_MANY if size > MANY else FEW))
    if right in few:
        low = _poisson_bound(int(right), level) / size
    if size - right in few:
        high = 1 - _poisson_bound(int(size - right), level) / size
    return low, high


def _poisson_bound(count: int, level: float) -> float:
    """Return the mean whose Poisson tail from this count on is 1 - level."""

    def tail(mean: float) -> float:
        return 1 - sum(math.exp(-mean) * mean**k / math.factorial(k) for k in range(count))

    return bisect(0.0, float(count), lambda mean: tail(mean) >= 1 - level)


def shortest(right: float, size: float, level: float = LEVEL, *, prior: str = "jeffreys") -> Ends:
    """Compute the interval of highest posterior density: the shortest one that holds so much of the posterior."""
    # It is found as a root: of the share below its lower end, at which the densities at both ends are equal.
    # Source: S. Marchesin and G. Silvello, Credible Intervals for Knowledge Graph Accuracy Estimation, SIGMOD 2025.
    a, b = right + PRIORS[prior], size - right + PRIORS[prior]
    if right <= 0 or a <= 1:
        return 0.0, beta_quantile(level, a, b)
    if right >= size or b <= 1:
        return beta_quantile(1 - level, a, b), 1.0

    def ends(share: float) -> Ends:
        return beta_quantile(share, a, b), beta_quantile(share + level, a, b)

    def is_denser_below(share: float) -> bool:
        low, high = ends(share)
        return (a - 1) * math.log(low / high) >= (b - 1) * math.log((1 - high) / (1 - low))

    return ends(bisect(0.0, 1 - level, is_denser_below, steps=38))


def adaptive(right: float, size: float, level: float = LEVEL) -> Ends:
    """Compute the shortest of the intervals of highest posterior density with the three priors (aHPD)."""
    return min((shortest(right, size, level, prior=prior) for prior in PRIORS), key=lambda ends: ends[1] - ends[0])


def mid_p(right: int, drawn: int, population: int | None = None, level: float = LEVEL) -> tuple[float, float]:
    """Compute the exact mid-p interval of a simple sample."""
    # It holds every share whose two tails, the observed count taken half, both exceed half of what the level leaves.
    # Source: H. Lancaster, Significance Tests in Discrete Distributions, JASA 56 (1961); A. Agresti and A. Gottard,
    # Nonconservative exact small-sample inference for discrete data, CSDA 51 (2007).
    tail = (1 - level) / 2
    if population is None:
        return _mid_p_infinite(right, drawn, tail)
    least, most = right, population - (drawn - right)

    def above(whole: int) -> float:
        return _tail(right, *hypergeometric(whole, population, drawn))

    def below(whole: int) -> float:
        return _tail(drawn - right, *hypergeometric(population - whole, population, drawn))

    low = find_first(least, most, lambda whole: above(whole) > tail)
    high = -find_first(-most, -least, lambda whole: below(-whole) > tail)
    return low / population, high / population


def _mid_p_infinite(right: int, drawn: int, tail: float) -> tuple[float, float]:
    def lower(count: int) -> float:
        return bisect(0.0, 1.0, lambda share: _tail(count, *binomial(share, drawn)) > tail)

    low = lower(right) if right else 0.0
    return low, (1 - lower(drawn - right) if right < drawn else 1.0)


def _tail(count: int, first: int, probabilities: Numbers) -> float:
    """The probability of more than a count, and half of that of the count itself."""
    place = count - first
    return float(
        probabilities[max(place + 1, 0) :].sum() + (probabilities[place] / 2 if 0 <= place < len(probabilities) else 0)
    )


def find_first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The first whole number of a range at which something holds that then holds for all that follow."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def finite_size(size: ArrayLike, population: ArrayLike | None) -> Any:
    """Return the size of a sample with replacement that says as much as one of this size without."""
    if population is None:
        return size
    size, population = (np.asarray(one, dtype=np.float64) for one in (size, population))
    with np.errstate(divide="ignore"):
        return size * (population - 1) / (population - size)
