"""Sums over resamples, computed by drawing how often each distinct row of counts occurs.

Rows of counts repeat: of 100,000 edges that are hits or not, four rows are different. How often each occurs in a
resample of n units is multinomial, so that a resample costs one draw per different row, and not n.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads

CountRows: TypeAlias = NDArray[np.float64]
Tile: TypeAlias = Callable[[np.random.Generator, int], CountRows]
RESAMPLES_A_TILE = 250
# Measured nanoseconds per draw: used to choose between the two ways of drawing.
BINOMIAL, INTEGER, CALL = 80, 6, 10_000


def distinct_rows(rows: CountRows) -> tuple[CountRows, NDArray[np.int64]]:
    """Find the different rows, and how often each occurs.

    Rows are float64, shape (units, sums), and frequencies int64, shape (distinct,).
    """
    found, frequency = np.unique(rows, axis=0, return_counts=True)
    return found, frequency


def bootstrap_sums(rows: CountRows, frequency: NDArray[np.int64], *, resamples: int, seed: int) -> CountRows:
    """Sum the rows of resamples with replacement, each of as many units as there are.

    Args:
        rows: Different rows, float64, shape (distinct, sums).
        frequency: How often each occurs, int64, shape (distinct,).
        resamples: How many resamples.
        seed: Seed of the random numbers; the same seed gives the same sums on any number of cores.

    Returns:
        The sums, float64, shape (resamples, sums).
    """
    size = int(frequency.sum())
    if len(rows) * BINOMIAL <= size * INTEGER + CALL:
        return _tile(lambda draw, count: draw.multinomial(size, frequency / size, size=count) @ rows, resamples, seed)
    members = np.repeat(np.arange(len(rows)), frequency)

    def tile(draw: np.random.Generator, count: int) -> CountRows:
        sums = np.empty((count, rows.shape[1]))
        for resample in range(count):
            drawn = draw.integers(0, size, size)
            sums[resample] = np.bincount(members[drawn] if len(rows) < size else drawn, minlength=len(rows)) @ rows
        return sums

    return _tile(tile, resamples, seed)


def sum_swapped(rows: CountRows, frequency: NDArray[np.int64], *, resamples: int, seed: int) -> CountRows:
    """Sum the rows of units chosen by fair coin flips, one flip per unit.

    Arguments and result are those of `bootstrap_sums`.
    """
    single = frequency == 1
    ones, several, often = rows[single], rows[~single], frequency[~single]

    def tile(draw: np.random.Generator, count: int) -> CountRows:
        sums: CountRows = draw.binomial(often, 0.5, size=(count, len(often))) @ several
        for resample in range(count):
            coins = np.frombuffer(draw.bytes(-(-len(ones) // 8)), dtype=np.uint8)
            sums[resample] += np.unpackbits(coins, count=len(ones)) @ ones
        return sums

    return _tile(tile, resamples, seed)


def _tile(tile: Tile, resamples: int, seed: int) -> CountRows:
    counts = [min(RESAMPLES_A_TILE, resamples - start) for start in range(0, resamples, RESAMPLES_A_TILE)]
    seeds = np.random.SeedSequence(seed).spawn(len(counts))
    draws = [np.random.Generator(np.random.SFC64(one)) for one in seeds]
    with threads.pool() as pool:
        return np.concatenate(list(pool.map(tile, draws, counts)))
