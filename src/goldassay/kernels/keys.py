"""Rows of several numbers as one number each, and what equal numbers of two sides have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.ragged import places_in_runs
from goldassay.kernels.types import Rows

LARGEST = 2**62
"""Products below it are exact in 64 bits."""
NONE = -1
BITS = 31
PIECE = 2**14
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio: products with it spread over the high bits."""


def pack_rows(*columns: NDArray[np.integer]) -> Rows:
    """Write the numbers of each row as one: rows are equal where their keys are, and the first column orders the keys.

    Each step appends a column: ``key * size + number`` with ``0 <= number < size`` differs wherever key or number differs. Where the
    product could be too large for 64 bits, the keys are replaced by their ranks, of which there are no more than rows.

    Args:
        columns: At least one column of numbers from 0, integers, shape (rows,) each.

    Returns:
        The keys, int64, shape (rows,).
    """
    keys, *sizes = np.asarray(columns[0], dtype=np.int64), *(int(one.max(initial=0)) + 1 for one in columns)
    below = sizes[0]
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        if below * size > LARGEST:
            keys = np.unique(keys, return_inverse=True)[1]
            below = len(keys)
        keys, below = keys * size + column, below * size
    return keys


def firsts(keys: NDArray[np.integer]) -> NDArray[np.int32] | Rows:
    """Find for each key the first row with the same key, int32 where that is enough, shape (rows,).

    Keys look for cells of a hash table, which is empty at first: a piece of them at once, so that what is computed of them fits into the
    caches, and the next piece when all of these have found theirs. In each round, the first row of those that are before an empty cell
    takes it; whoever finds its own key in its cell is done, and the others go on to the next one. Equal keys of a piece are before the
    same cell in every round, so that the row that takes it for them is their first one, and they are done in the same round. Half of the
    cells stay empty, and each round that leaves a key fills a cell or moves on from a full one, so that every key comes to an end.
    """
    bits = max(1, len(keys)).bit_length() + 1
    kind = np.int32 if bits < BITS else np.int64
    table = np.full(1 << bits, NONE, dtype=kind)
    found: NDArray[Any] = np.empty(len(keys), dtype=kind)
    for start in range(0, len(keys), PIECE):
        rows = np.arange(start, min(start + PIECE, len(keys)))
        with np.errstate(over="ignore"):
            cell = ((keys[rows].astype(np.uint64) * GOLDEN) >> np.uint64(64 - bits)).astype(np.int64)
        while len(rows):
            free = table[cell] == NONE
            # Of several values for one cell numpy keeps the last.
            table[cell[free][::-1]] = rows[free][::-1]
            owner = table[cell]
            found[rows] = owner
            others = keys[owner] != keys[rows]
            rows, cell = rows[others], (cell[others] + 1) & ((1 << bits) - 1)
    return found


def join_equal(here: Rows, there: Rows, *, once: bool = False) -> tuple[Rows, Rows]:
    """Pair equal keys of two sides one to one: the first with the first, the second with the second, and so on.

    Both sides are sorted, equal keys in the order of their rows. The k-th of a key here is paired with the k-th there if there are as many.

    Args:
        here: Keys, int64, shape (m,).
        there: Keys of the other side, int64, shape (n,).
        once: Whether of several equal keys of a side only the first is paired.

    Returns:
        The row of ``there`` of each key of ``here``, -1 for none, int64, shape (m,), and the other way round, shape (n,).
    """
    mine, theirs = here.argsort(kind="stable"), there.argsort(kind="stable")
    keys, others = here[mine], there[theirs]
    turn = places_in_runs(keys)
    place = others.searchsorted(keys) + turn
    paired = place < others.searchsorted(keys, side="right")
    if once:
        paired &= turn == 0
    rows, partners = mine[paired], theirs[place[paired]]
    forth, back = np.full(len(here), NONE, dtype=np.int64), np.full(len(there), NONE, dtype=np.int64)
    forth[rows], back[partners] = partners, rows
    return forth, back
