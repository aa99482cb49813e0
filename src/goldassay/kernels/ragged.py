"""Ranges and sorted keys: what columns of lists of different lengths are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.types import Rows


def ranges(starts: NDArray[np.integer], sizes: NDArray[np.integer]) -> Rows:
    """Write ranges of numbers one after the other.

    Args:
        starts: Where each begins, integers, shape (ranges,).
        sizes: How long each is, likewise.
    """
    ends = sizes.cumsum()
    begin = np.asarray(starts, dtype=np.int64) - (ends - sizes)
    return np.asarray(np.arange(ends[-1] if len(ends) else 0, dtype=np.int64) + begin.repeat(sizes))


def starts_of(sizes: NDArray[np.integer] | NDArray[np.bool_]) -> Rows:
    """Return where each of several runs of rows begins, and where the last one ends, int64, shape (sizes + 1,)."""
    found = np.zeros(len(sizes) + 1, dtype=np.int64)
    sizes.cumsum(out=found[1:])
    return found


def run_heads(*keys: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which rows differ from the one before in any key; the first does."""
    found = np.ones(len(keys[0]), dtype=np.bool_)
    np.not_equal(keys[0][1:], keys[0][:-1], out=found[1:])
    for key in keys[1:]:
        found[1:] |= key[1:] != key[:-1]
    return found


def run_tails(*keys: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which rows differ from the one after in any key; the last does."""
    return np.roll(run_heads(*keys), -1)


def places_in_runs(keys: NDArray[Any]) -> Rows:
    """Return the place of each of some sorted keys among those that equal it, from 0."""
    return np.asarray(np.arange(len(keys)) - keys.searchsorted(keys))


def turns_of(keys: NDArray[Any]) -> Rows:
    """Number those of some keys that are equal, from 0, in any order of the keys."""
    order = np.argsort(keys, kind="stable")
    turns = np.empty(len(keys), dtype=np.int64)
    turns[order] = places_in_runs(keys[order])
    return turns


def best_rows(worth: NDArray[Any], *keys: NDArray[Any]) -> Rows:
    """Find the row of greatest worth of each combination of keys, of equal ones the first; in the order of the keys, the last one first."""
    order = np.lexsort((-worth, *keys))
    return np.asarray(order[run_heads(*(key[order] for key in keys))])


def find_equal(asked: NDArray[Any], keys: NDArray[Any]) -> tuple[Rows, Rows, Rows]:
    """Find which keys equal each asked one: the keys in order, where the equal ones begin in it, and how many they are."""
    order = np.argsort(keys, kind="stable")
    first, last = (np.searchsorted(keys[order], asked, side=side) for side in ("left", "right"))
    return order, first, last - first


def pair_equal(asked: NDArray[Any], keys: NDArray[Any]) -> tuple[Rows, Rows]:
    """List each asked key with each of the keys that equal it: the rows of both, those of the asked ones in order."""
    order, first, counts = find_equal(asked, keys)
    return np.repeat(np.arange(len(asked)), counts), order[ranges(first, counts)]


def mark(rows: Any, size: int | tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which of so many places are among some."""
    found = np.zeros(size, dtype=np.bool_)
    found[rows] = True
    return found


def places_of(rows: Any, size: int) -> Rows:
    """Return where each of so many numbers is among some different ones; -1 where it is not."""
    found = np.full(size, -1, dtype=np.int64)
    found[rows] = np.arange(len(rows))
    return found


def inverse(partners: Rows, size: int) -> Rows:
    """Convert the partners of one side, -1 for none, to those of the other, which has ``size`` rows."""
    back = np.full(size, -1, dtype=np.int64)
    matched = np.flatnonzero(partners >= 0)
    back[partners[matched]] = matched
    return back


def distinct(keys: NDArray[np.integer]) -> Rows:
    """Sort numbers, and keep each once, int64: ``np.unique`` goes over a table of hashes, ten times slower on such keys."""
    found = np.sort(np.asarray(keys, dtype=np.int64))
    return np.asarray(found[run_heads(found)])


def find_keys(keys: NDArray[np.integer], known: Rows) -> NDArray[np.bool_]:
    """Return which keys are among some sorted ones, of the same shape."""
    if not len(known):
        return np.zeros(keys.shape, dtype=np.bool_)
    return np.asarray(known[np.minimum(np.searchsorted(known, keys), len(known) - 1)] == keys)
