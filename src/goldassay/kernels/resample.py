"""Sums over resamples, computed by drawing how often each distinct row of counts occurs.

Rows of counts repeat: of 100,000 edges that are hits or not, four rows are different. How often each occurs in a
resample of n units is multinomial, so that a resample costs one draw per different row, and not n.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels import threads

CountRows: TypeAlias = NDArray[np.float64]
Tile: TypeAlias = "Callable[[np.random.Generator, int], CountRows]"
RESAMPLES_A_TILE = 250
# Measured nanoseconds per draw: used to choose between the two ways of drawing.
BINOMIAL, INTEGER, CALL = 80, 6, 10_000
BLOCK = 2**15
"""How many units are drawn at once: what they take stays in the cache of a processor."""


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

    def draw_units(draw: np.random.Generator, count: int) -> CountRows:
        places = draw.integers(0, size, (count, size))
        drawn = (members[places] if len(rows) < size else places) + len(rows) * np.arange(count)[:, None]
        return _sum_each(np.bincount(drawn.ravel(), minlength=count * len(rows)).reshape(count, len(rows)), rows)

    return _tile(_in_blocks(draw_units, size), resamples, seed)


def sum_swapped(rows: CountRows, frequency: NDArray[np.int64], *, resamples: int, seed: int) -> CountRows:
    """Sum the rows of units chosen by fair coin flips, one flip per unit.

    Arguments and result are those of `bootstrap_sums`.
    """
    single = frequency == 1
    ones, several, often = rows[single], rows[~single], frequency[~single]
    # Coins come in words of 32, and each resample begins with a new word.
    width = 4 * -(-len(ones) // 32)

    def flip(draw: np.random.Generator, count: int) -> CountRows:
        coins = np.frombuffer(draw.bytes(count * width), dtype=np.uint8).reshape(count, width)
        return _sum_each(np.unpackbits(coins, axis=1, count=len(ones)), ones)

    def tile(draw: np.random.Generator, count: int) -> CountRows:
        sums: CountRows = draw.binomial(often, 0.5, size=(count, len(often))) @ several
        return sums + _in_blocks(flip, len(ones))(draw, count) if len(ones) else sums

    return _tile(tile, resamples, seed)


def _in_blocks(tile: Tile, units: int) -> Tile:
    """Draw no more resamples at once than memory of the size of a block holds."""
    step = max(1, BLOCK // units)

    def blocks(draw: np.random.Generator, count: int) -> CountRows:
        return np.concatenate([tile(draw, min(step, count - start)) for start in range(0, count, step)])

    return blocks


def _sum_each(often: NDArray[Any], rows: CountRows) -> CountRows:
    """Sum the rows of each resample by itself: the last digit does not depend on how many are summed at once."""
    sums: CountRows = np.matmul(often[:, None], rows)[:, 0]
    return sums


def _tile(tile: Tile, resamples: int, seed: int) -> CountRows:
    counts = [min(RESAMPLES_A_TILE, resamples - start) for start in range(0, resamples, RESAMPLES_A_TILE)]
    seeds = np.random.SeedSequence(seed).spawn(len(counts))
    draws = [np.random.Generator(np.random.SFC64(one)) for one in seeds]
    with threads.pool() as pool:
        return np.concatenate(list(pool.map(tile, draws, counts)))
