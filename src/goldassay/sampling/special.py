"""Quantiles of the beta, the t and the hypergeometric distribution, without SciPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
TINY, ROUNDED, MOST_TERMS, MOST_STEPS = 1e-300, 1e-15, 20_000, 200


def bisect(low: float, high: float, holds: Callable[[float], bool], steps: int = 60) -> float:
    """Find where something begins to hold that then holds for all larger numbers."""
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def normal_quantile(share: float) -> float:
    """Return the quantile of the standard normal distribution."""
    return NormalDist().inv_cdf(share)


def beta_density(x: float, a: float, b: float) -> float:
    """Return the density of a beta distribution within (0, 1)."""
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp((a - 1) * math.log(x) + (b - 1) * math.log1p(-x) + scale)


def beta_share(x: float, a: float, b: float) -> float:
    """Return the share of a beta distribution below x: the regularised incomplete beta function."""
    # Source: W. Press et al., Numerical Recipes (2007), section 6.4: the continued fraction by Lentz's method.
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(1 - x, b, a)
    return beta_density(x, a, b) * x * (1 - x) / a * _continued_fraction(x, a, b)


def _continued_fraction(x: float, a: float, b: float) -> float:
    c = 1.0
    d = 1 / (1 - (a + b) * x / (a + 1) or TINY)
    whole = d
    for term in range(1, MOST_TERMS):
        even = term * (b - term) * x / ((a + 2 * term - 1) * (a + 2 * term))
        odd = -(a + term) * (a + b + term) * x / ((a + 2 * term) * (a + 2 * term + 1))
        for factor in (even, odd):
            d, c = 1 / (1 + factor * d or TINY), 1 + factor / c or TINY
            whole *= d * c
        if abs(d * c - 1) < ROUNDED:
            break
    return whole


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the quantile of a beta distribution, by Newton's method kept within a bracket."""
    if share <= 0 or share >= 1:
        return float(share >= 1)
    low, high, x = 0.0, 1.0, a / (a + b)
    for _ in range(MOST_STEPS):
        apart = beta_share(x, a, b) - share
        low, high = (x, high) if apart < 0 else (low, x)
        step = x - apart / max(beta_density(x, a, b), TINY)
        following = step if low < step < high else (low + high) / 2
        if abs(following - x) <= ROUNDED * x:
            break
        x = following
    return x


@lru_cache(4096)
def t_quantile(share: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution for a share above one half."""
    x = beta_quantile(2 * (1 - share), freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - x) / x)


def hypergeometric(right: int, population: int, drawn: int) -> tuple[int, Numbers]:
    """Return the probabilities of the numbers of right items in a sample without replacement, and the first number."""
    # They are products of ratios that are normalised at the end, so that no large factorial is needed.
    first, last = max(0, drawn - (population - right)), min(drawn, right)
    k = np.arange(first, last, dtype=np.float64)
    ratios = np.log((right - k) * (drawn - k)) - np.log((k + 1) * (population - right - drawn + k + 1))
    return first, _normalise(ratios)


def binomial(share: float, drawn: int) -> tuple[int, Numbers]:
    """Return the probabilities of 0 to n right items in a sample with replacement, and 0."""
    if share in (0.0, 1.0):
        return (0 if share == 0 else drawn), np.ones(1)
    k = np.arange(drawn, dtype=np.float64)
    return 0, _normalise(np.log((drawn - k) / (k + 1)) + math.log(share) - math.log1p(-share))


def _normalise(log_ratios: Numbers) -> Numbers:
    logs = np.concatenate([[0.0], np.cumsum(log_ratios)])
    found: Numbers = np.exp(logs - logs.max())
    found /= found.sum()
    return found
