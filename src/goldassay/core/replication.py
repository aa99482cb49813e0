"""Repeated runs of a system: mean, spread, and how sure the mean is when both runs and units might have been others.

Runs are drawn, and so are units: a run is one of many that the system could have made, and all runs of all systems answer the
same units. Knows no measure: what it gets are counts.

Let v be the value of one run. Its variance has two parts: *between runs*, how much v moves when the system runs again on the
same units, and *between units*, how much the mean of many runs moves with other units. Of R runs on n units we have

- S, the sample variance of the R values: it is the part between runs;
- M, the variance of their mean when units are resampled, the same draw for every run;
- W, the mean over runs of the variance of one value when units are resampled.

If e is what a run adds to its value by chance on single units, W = units + e and M = units + e / R. So the part between units
is (R M - W) / (R - 1), and the variance of the mean, for other runs on other units, is S / R + (R M - W) / (R - 1).

Drawing runs and units in turn gives the same two levels, but with a bias: runs drawn with replacement from R have only
(R - 1) / R of the variance, and the chance e is counted three times (Owen 2007). With five runs that matters. So the level of
units is drawn and the level of runs is computed. The half width is the root of the sum of t^2 times each part, every part with
the t of its own degrees of freedom (Banerjee 1960): it does not fall short with few runs, as pooled degrees of freedom do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts
from goldassay.core.errors import require
from goldassay.core.significance import Divide, Interval, Resampling
from goldassay.core.units import Units, align_units
from goldassay.kernels.resample import bootstrap_sums, distinct_rows

FEWEST = 2
"""Fewer runs, or fewer units, do not vary."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Replicates:
    """One value in every run of a system, as it is and as it is with resampled units."""

    values: NDArray[np.float64]  # the value of each run, float64, shape (runs,)
    # the value of each run in each resample of units, float64, shape (resamples, runs); the resamples are the same for
    # all runs, also of other systems. None if units cannot be drawn
    drawn: NDArray[np.float64] | None
    units: int  # how many units there are; 0 if there are none to draw

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, kw_only=True)
class Spread:
    """One value over the runs of one system."""

    mean: float
    sd: float | None  # the sample standard deviation over runs; None with one run
    interval: Interval | None  # where the mean of other runs on other units lies; None where nothing says how it varies
    # the variance of a run's value when the system runs again on the same units; None with one run
    between_runs: float | None
    # the variance of the mean of many runs with other units; None where units cannot be drawn
    between_units: float | None

    @property
    def share_of_runs(self) -> float | None:
        """The share of the variance that is between runs; None where a part is not known, or nothing varies."""
        if self.between_runs is None or self.between_units is None or not self.between_runs + self.between_units:
            return None
        return self.between_runs / (self.between_runs + self.between_units)


@dataclass(frozen=True, kw_only=True)
class MeanDifference:
    """How the mean of a second system differs from that of the first."""

    difference: float  # the second minus the first
    interval: Interval | None  # where the difference lies; None where nothing says how it varies, or it is undefined
    p: float | None  # the alpha at which the interval ends at 0, at least 1 / (resamples + 1); None likewise


def replicates(
    runs: Sequence[Units | None], values: Sequence[Mapping[str, float]], divide: Divide, resampling: Resampling
) -> dict[str, Replicates]:
    """Draw the units of runs, the same ones for all, and divide every resample of every run."""
    points = {name: np.array([one[name] for one in values], dtype=np.float64) for name in values[0]}
    known = [one for one in runs if one is not None]
    together = align_units(*known) if known and len(known) == len(runs) else ()
    size = len(together[0]) if together else 0
    if size < FEWEST:
        return {name: Replicates(values=found, drawn=None, units=0) for name, found in points.items()}
    names = list(together[0].counts)
    rows, frequency = distinct_rows(np.hstack([one.matrix for one in together]))
    sums = bootstrap_sums(rows, frequency, resamples=resampling.resamples, seed=resampling.seed)
    flat = sums.reshape(-1, len(names))
    drawn = divide(Counts(dict(zip(names, flat.T, strict=True))))
    shape = (resampling.resamples, len(runs))
    return {
        name: Replicates(values=found, drawn=np.broadcast_to(drawn[name], len(flat)).reshape(shape), units=size)
        for name, found in points.items()
    }


def part(found: Replicates, rows: Sequence[int]) -> Replicates:
    """Cut some runs out."""
    drawn = None if found.drawn is None else found.drawn[:, list(rows)]
    return Replicates(values=found.values[list(rows)], drawn=drawn, units=found.units)


def spread(runs: Replicates, *, level: float = 0.95) -> Spread:
    """Return how one value varies over the runs of one system, and how sure their mean is."""
    # Source: A. Owen, The pigeonhole bootstrap, Annals of Applied Statistics 1 (2007); S. Banerjee, Approximate
    # confidence interval for linear functions of means of k populations when the population variances are not equal,
    # Sankhya 22 (1960).
    mean = float(runs.values.mean())
    between_runs = float(runs.values.var(ddof=1)) if len(runs) >= FEWEST else None
    between_units = (
        None if runs.drawn is None else max(_variance_of_units(runs, _variance(runs.drawn.mean(axis=1))), 0.0)
    )
    return Spread(
        mean=mean,
        sd=None if between_runs is None else math.sqrt(between_runs),
        interval=_interval(mean, _parts(between_units, [runs], runs.units), level),
        between_runs=between_runs,
        between_units=between_units,
    )


def difference(first: Replicates, second: Replicates, *, resamples: int, level: float = 0.95) -> MeanDifference:
    """Test the means of two systems for a difference: runs are independent, units are the same."""
    apart = float(second.values.mean() - first.values.mean())
    parts = _parts(variance_of_units(first, second), [first, second], first.units)
    if not parts or math.isnan(apart):
        return MeanDifference(difference=apart, interval=None, p=None)
    p = _p(apart, parts, 1 / (resamples + 1))
    return MeanDifference(difference=apart, interval=_interval(apart, parts, level), p=p)


def variance_of_units(first: Replicates, second: Replicates) -> float | None:
    """Return the variance of the difference between the means of many runs, with other units; None where they cannot be drawn."""
    if first.drawn is None or second.drawn is None:
        return None
    moved = _variance(second.drawn.mean(axis=1) - first.drawn.mean(axis=1))
    return max(moved - _noise(first) / len(first) - _noise(second) / len(second), 0.0)


def _variance(drawn: NDArray[np.float64]) -> float:
    """Return the variance of resamples; where 0/0 is no number, a resample of nothing says nothing."""
    defined = drawn[~np.isnan(drawn)]
    return float(defined.var()) if len(defined) else math.nan


def _noise(runs: Replicates) -> float:
    """Estimate what a single run adds by chance on single units, e above: (W - M) R / (R - 1)."""
    if runs.drawn is None or len(runs) < FEWEST:
        return 0.0
    within = float(np.mean([_variance(column) for column in runs.drawn.T]))
    return max((within - _variance(runs.drawn.mean(axis=1))) * len(runs) / (len(runs) - 1), 0.0)


def _variance_of_units(runs: Replicates, of_mean: float) -> float:
    return of_mean - _noise(runs) / len(runs)


def _parts(of_units: float | None, systems: Sequence[Replicates], units: int) -> list[tuple[float, int]]:
    """List what the variance of the estimate is made of, each part with its degrees of freedom."""
    parts = [(float(one.values.var(ddof=1)) / len(one), len(one) - 1) for one in systems if len(one) >= FEWEST]
    parts += [] if of_units is None else [(of_units, units - 1)]
    # A part that is no number is not known: a comparison with nan would make the interval a point, and p the least.
    return [] if any(math.isnan(variance) for variance, _ in parts) else parts


def _reach(parts: Sequence[tuple[float, int]], alpha: float) -> float:
    """Return the half width of the interval that misses with probability alpha."""
    special = require("scipy.special", extra="scipy", purpose="compute confidence intervals over several runs")
    variances, freedoms = np.array(parts, dtype=np.float64).T
    # Its sign is lost in the square. `scipy.stats.t.isf` is this function, with checks that take a hundred times as long.
    return math.sqrt(float(variances @ special.stdtrit(freedoms, alpha / 2) ** 2))


def _interval(center: float, parts: Sequence[tuple[float, int]], level: float) -> Interval | None:
    if not parts or math.isnan(center):
        return None
    reach = _reach(parts, 1 - level)
    return Interval(center - reach, center + reach)


def _p(apart: float, parts: Sequence[tuple[float, int]], least: float) -> float:
    """Find the alpha at which the interval ends at 0, by halving: the half width falls as alpha grows."""
    if apart == 0:
        return 1.0
    low, high = least, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _reach(parts, middle) > abs(apart) else (low, middle)
    return high
