"""Designs: how items are drawn, and what labels of them say of all items.

Every design is strata of draws. A draw is an item, or a cluster of which at most so many items are labelled. Simple samples and
clusters have one stratum. What several systems predicted is one population, whose strata are also split by which systems have an item;
a system is then a weighting of the strata, and so is a difference between two.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.sampling import intervals
from goldassay.sampling.special import Numbers, beta_share, bisect, normal_quantile, t_quantile

Codes: TypeAlias = NDArray[np.int64]
CONTINUITY, ALIKE, ROUNDING = 0.5, 1e-12, 1e-6
FEW_DRAWS = 30
"""With fewer drawn clusters an interval is likely to be too narrow."""
EXTREME = 0.98
"""An estimate above this, or as near to 0, is one of few wrong items."""


class Design(NamedTuple):
    """A design: whether draws are clusters, and whether items are drawn within strata."""

    clustered: bool
    stratified: bool


DESIGNS: Mapping[str, Design] = MappingProxyType(
    {
        "simple": Design(False, False),
        "strata": Design(False, True),
        "clusters": Design(True, False),
        "stratified-clusters": Design(True, True),
        "documents": Design(True, False),
    }
)
INTERVALS = ("mid_p", "wilson", "ahpd", "hpd", "wilson_poisson")


@dataclass(frozen=True, eq=False, kw_only=True)
class Draws:
    """Labels as they were drawn."""

    values: Numbers  # the mean label of each draw, float64, shape (draws,)
    labels: Numbers  # how many labels each draw has, float64, shape (draws,)
    strata: Codes  # the stratum of each draw, int64, shape (draws,)
    # the items of each stratum, float64, shape (strata,); infinite where items are drawn with replacement
    sizes: Numbers
    # the share of each stratum in what is estimated, which sum to 1, or to 0 for a difference. Float64, shape (strata,)
    weights: Numbers
    clustered: bool = False  # whether draws are clusters, drawn with replacement
    # The mean label of each draw and how much its value rises with it, where values are made of labels, each shape (draws,).
    made_of: tuple[Numbers, Numbers] | None = None

    @property
    def counts(self) -> Numbers:
        """How many draws each stratum has, shape (strata,)."""
        return np.bincount(self.strata, minlength=len(self.sizes)).astype(np.float64)

    @property
    def means(self) -> Numbers:
        """The mean of each stratum, 0 where nothing is drawn, shape (strata,)."""
        sums = np.bincount(self.strata, weights=self.values, minlength=len(self.sizes))
        return sums / np.maximum(self.counts, 1)


class Estimate(NamedTuple):
    """What labels say of all items."""

    value: float  # the estimate
    variance: float  # its variance under the design
    effective: float  # how many labels of a simple sample with replacement say as much
    freedom: float  # degrees of freedom of the variance


def estimate(draws: Draws, *, continuity: bool = True) -> Estimate:
    """Estimate a share, or a difference of shares, from draws within strata."""
    # Source: W. Cochran, Sampling Techniques (1977), sections 5.3 and 9A.4; E. Korn and B. Graubard, Confidence
    # Intervals for Proportions with Small Expected Number of Positive Counts, Survey Methodology 24 (1998), for the
    # effective size.
    counts, weights = draws.counts, draws.weights
    means, spreads = _moments(draws, draws.values)
    rights, varied, slopes = means, spreads, np.ones(len(counts))
    if draws.made_of is not None:
        rights, varied = _moments(draws, draws.made_of[0])
        slopes = np.bincount(draws.strata, weights=draws.made_of[1] ** 2, minlength=len(counts)) / np.maximum(counts, 1)
    labels = np.bincount(draws.strata, weights=draws.labels, minlength=len(counts))
    nearly = (rights * labels + CONTINUITY) / (labels + 1)
    alike = (varied <= ALIKE) & (counts > 0) & continuity
    spreads = np.where(alike, np.maximum(spreads, slopes * nearly * (1 - nearly)), spreads)
    left = np.where(draws.clustered, 1.0, np.maximum(1 - counts / draws.sizes, 0.0))
    parts = weights**2 * spreads / np.maximum(counts, 1) * left
    value, variance = settle_ends(float(weights @ means)), float(parts.sum())
    share = float(weights @ np.where(alike, nearly, means)) if value <= 0 or value >= 1 else value
    used = (counts > 0) & (weights != 0)
    freedom = float(counts[used].sum() - used.sum())
    effective = share * (1 - share) / variance if variance > 0 else math.inf
    return Estimate(value, variance, effective, freedom)


def settle_ends(value: float) -> float:
    """Return 0 or 1 for what differs from it only because weights are rounded: there is nothing near an end but the end."""
    return round(value) if abs(value - round(value)) <= ALIKE else value


def _moments(draws: Draws, values: Numbers) -> tuple[Numbers, Numbers]:
    """Return the mean and the variance of the draws of each stratum; 0 where there are too few."""
    counts = draws.counts
    means = np.bincount(draws.strata, weights=values, minlength=len(counts)) / np.maximum(counts, 1)
    squares = np.bincount(draws.strata, weights=(values - means[draws.strata]) ** 2, minlength=len(counts))
    return means, np.where(counts > 1, squares / np.maximum(counts - 1, 1), 0.0)


def interval_of(found: Estimate, kind: str = "wilson", level: float = intervals.LEVEL) -> tuple[float, float]:
    """Return the interval of an estimate, on its effective size and with its degrees of freedom."""
    if found.effective == math.inf:
        return found.value, found.value
    freedom = max(found.freedom, 1.0)
    # A variance of few draws is uncertain itself: the size shrinks as the square of the quantile of t grows.
    size = found.effective * (normal_quantile((1 + level) / 2) / float(t_quantile((1 + level) / 2, freedom))) ** 2
    low, high = KINDS[kind](found.value * size, size, level)
    return float(low), float(high)


KINDS: Mapping[str, Any] = MappingProxyType(
    {
        "wilson": intervals.wilson,
        "ahpd": intervals.adaptive,
        "hpd": intervals.shortest,
        "wilson_poisson": intervals.wilson_poisson,
    }
)


def difference_of(found: Estimate, level: float = intervals.LEVEL) -> tuple[float, float, float]:
    """Return the interval of a difference, and the two-sided p of there being none, by the t distribution."""
    error, freedom = math.sqrt(found.variance), max(found.freedom, 1.0)
    half = t_quantile((1 + level) / 2, freedom) * error
    if error == 0:
        return found.value, found.value, 0.0 if found.value else 1.0
    squared = (found.value / error) ** 2
    p = beta_share(freedom / (freedom + squared), freedom / 2, 0.5)
    return max(found.value - half, -1.0), min(found.value + half, 1.0), p


def allocate(size: int, sizes: Sequence[int] | Codes, spreads: Numbers | None = None, least: int = 2) -> Codes:
    """Share a sample out over strata: in proportion to their items, times the spread of their labels if it is known."""
    items = np.asarray(sizes, dtype=np.float64)
    lower = np.minimum(items, least)
    wanted = items * (np.ones(len(items)) if spreads is None else np.maximum(spreads, ALIKE))
    most = float((items / np.maximum(wanted, ALIKE)).max())
    scale = bisect(0.0, most, lambda scale: bool(np.clip(scale * wanted, lower, items).sum() >= size), steps=100)
    exact = np.clip(scale * wanted, lower, items)
    found: Codes = np.floor(exact + ROUNDING).astype(np.int64)
    short = min(size, int(items.sum())) - int(found.sum())
    # The largest remainders are rounded up.
    found[np.argsort(found - exact, kind="stable")[: max(short, 0)]] += 1
    return found
