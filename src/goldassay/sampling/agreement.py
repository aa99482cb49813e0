"""How far raters agree: Cohen's kappa, Krippendorff's alpha, and what a judge sees of what is right and wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.sampling.designs import CONTINUITY
from goldassay.sampling.intervals import LEVEL, wilson
from goldassay.sampling.special import Numbers

RESAMPLES = 2_000


class Bounded(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def table_of(here: Numbers, there: Numbers, weights: Numbers | None = None) -> Numbers:
    """Count how often two raters answered no and yes: rows of the first, columns of the second, float64, shape (2, 2)."""
    cells = (2 * here + there).astype(np.int64)
    return np.bincount(cells, weights=weights, minlength=4).astype(np.float64).reshape(2, 2)


def kappa_of(table: Numbers) -> Numbers:
    """Compute Cohen's kappa of tables, shape (..., 2, 2); nan where both always say the same."""
    # Source: J. Cohen, A Coefficient of Agreement for Nominal Scales, Educational and Psychological Measurement 20
    # (1960).
    total = table.sum(axis=(-2, -1))
    seen = (table[..., 0, 0] + table[..., 1, 1]) / total
    chance = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / total**2
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Numbers = np.where(chance < 1, (seen - chance) / (1 - chance), np.nan)
    return found


def kappa(here: Numbers, there: Numbers, *, level: float = LEVEL, seed: int = 0) -> Bounded:
    """Compute Cohen's kappa of two raters with its bootstrap interval."""
    return _resample(table_of(here, there), kappa_of, level, seed)


def _resample(table: Numbers, statistic: Callable[[Numbers], Numbers], level: float, seed: int) -> Bounded:
    size = round(float(np.nan_to_num(table.sum())))
    if size == 0:
        return Bounded(math.nan, math.nan, math.nan)
    # That two never differed, or always did, does not show that they never will: half of one rating is otherwise.
    always = [cells for cells in (np.eye(2), 1 - np.eye(2)) if not (table * cells).any()]
    likely = table + sum(always) * (CONTINUITY / 2)
    cells = np.random.default_rng(seed).multinomial(size, likely.ravel() / likely.sum(), size=RESAMPLES)
    drawn = statistic(cells.reshape(-1, 2, 2).astype(np.float64))
    drawn = drawn[~np.isnan(drawn)]
    ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]) if len(drawn) else (math.nan, math.nan)
    return Bounded(float(statistic(table)), float(ends[0]), float(ends[1]))


def alpha(ratings: NDArray[np.float64]) -> float:
    """Compute Krippendorff's alpha of nominal ratings, float64, shape (items, raters); nan where a rater did not rate an item."""
    # Source: K. Krippendorff, Content Analysis (2004), section 11.3.
    rated = ~np.isnan(ratings)
    paired = rated.sum(axis=1) > 1
    values = np.unique(ratings[paired][rated[paired]])
    counts = np.stack([(ratings[paired] == value).sum(axis=1) for value in values], axis=1) if len(values) else None
    if counts is None:
        return math.nan
    each = counts.sum(axis=1)
    agreed = float(((counts * (counts - 1)).sum(axis=1) / (each - 1)).sum())
    total, of_value = float(counts.sum()), counts.sum(axis=0)
    expected = float((of_value * (of_value - 1)).sum()) / (total - 1)
    return math.nan if expected == total else 1 - (total - agreed) / (total - expected)


class Sight(NamedTuple):
    """What a judge sees: the share of right items that it calls right, of wrong ones that it calls wrong, and more."""

    sensitivity: Bounded
    specificity: Bounded
    youden: Bounded
    kappa: Bounded


def sight_of(truth: Numbers, verdicts: Numbers, weights: Numbers | None = None, *, level: float = LEVEL) -> Sight:
    """Compare verdicts with labels of people."""
    # Source: W. Youden, Index for rating diagnostic tests, Cancer 3 (1950); R. Newcombe, Interval estimation for the
    # difference between independent proportions, Statistics in Medicine 17 (1998), method 10.
    weights = np.ones(len(truth)) if weights is None else weights
    shares = []
    for value in (1, 0):
        here = weights[truth == value]
        if not len(here):
            shares.append(Bounded(math.nan, 0.0, 1.0))
            continue
        share = float(here[verdicts[truth == value] == value].sum() / here.sum())
        size = float(here.sum() ** 2 / (here**2).sum())
        low, high = wilson(share * size, size, level)
        shares.append(Bounded(share, float(low), float(high)))
    first, second = shares
    index = first.value + second.value - 1
    lower = math.hypot(first.value - first.low, second.value - second.low)
    upper = math.hypot(first.high - first.value, second.high - second.value)
    size = float(weights.sum() ** 2 / (weights**2).sum())
    known = (verdicts == 0) | (verdicts == 1)
    table = table_of(truth[known], verdicts[known], weights[known]) * size / weights.sum()
    agreed = _resample(table, kappa_of, level, 0)
    return Sight(first, second, Bounded(index, index - lower, index + upper), agreed)
