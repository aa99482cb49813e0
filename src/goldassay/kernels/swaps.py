"""Random swaps of one column of a table: all values are kept, but in other rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.ragged import find_keys

Whole: TypeAlias = NDArray[np.int64]

ROUNDS = {10_000: 100, 2**63: 20}
"""Rounds of swaps by the number of rows that they are enough for. In each, every row is proposed for a swap with
probability one half: fifty swaps a row in a small table, ten in a large one (Milo et al. find a few to be enough)."""
NO_VALUE = -1
TABLE = 2**24
"""Rows that there might be, up to which those that are there are marked in a table; beyond, they are sorted."""


def swap_values(
    rows: Whole,
    column: int,
    *,
    rng: np.random.Generator,
    groups: Whole | None = None,
    forbidden: Whole | None = None,
    some: Whole | None = None,
    rounds: int | None = None,
) -> Whole:
    """Swap the values of a column between rows at random, so that no two rows become equal.

    A round pairs the rows of each group at random and proposes for half of the pairs that they swap. A proposal fails if
    it gives a row its forbidden value, or if a row that it makes is there already, is proposed by another pair too, or if
    another pair proposes a row that it takes away. So a round and its reverse are equally likely (from the outcome, the
    same proposals fail, and the others lead back), and in the long run every table that swaps can reach is equally
    likely: the edge swaps of Milo et al. (2003), many at a time. It is those tables that the result is drawn from, up to
    what so many rounds leave of the beginning.

    Args:
        rows: Distinct rows, int64, shape (n, k).
        column: Whose values are swapped.
        rng: Where chance comes from.
        groups: Only rows of one group swap, int64, shape (n,); None for one group.
        forbidden: The value that each row may not get, int64, shape (n,); None for none.
        some: The rows that take part, int64; None for all.
        rounds: How many rounds; as many as `ROUNDS` says if None.

    Returns:
        The row that each row has its value from, a permutation, int64, shape (n,).
    """
    count = len(rows)
    origin = np.arange(count)
    rest = _number_rows(np.delete(rows, column, axis=1))
    _, value = np.unique(rows[:, column], return_inverse=True)
    size = int(value.max(initial=0)) + 1
    refused = np.full(count, NO_VALUE) if forbidden is None else _place(forbidden, rows[:, column])
    groups = np.zeros(count, dtype=np.int64) if groups is None else groups
    taking_part = np.arange(count) if some is None else some
    cells = (int(rest.max(initial=0)) + 1) * size
    table = np.zeros(cells, dtype=np.bool_) if cells <= TABLE else None
    rounds = next(number for most, number in ROUNDS.items() if count <= most) if rounds is None else rounds
    start = rest * size
    within = groups[taking_part]
    pairs_of = _pairs(within)
    for _ in range(rounds):
        first, second = (taking_part[side] for side in pairs_of(rng))
        here, there = value[first], value[second]
        made = np.concatenate([start[first] + there, start[second] + here])
        now = start + value
        proposed = np.sort(made)
        twice = proposed[1:][proposed[1:] == proposed[:-1]]
        fails = _find_known(made, now, table)
        if len(twice):
            fails |= _find_known(made, twice, table)
        fails |= _find_known(np.concatenate([now[first], now[second]]), proposed, table)
        failed = fails[: len(first)] | fails[len(first) :] | (there == refused[first]) | (here == refused[second])
        first, second = first[~failed], second[~failed]
        for swapping in (value, origin):
            swapping[first], swapping[second] = swapping[second], swapping[first]
    return origin


def _number_rows(rows: Whole) -> Whole:
    """Number rows, equal rows alike."""
    number = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        _, value = np.unique(column, return_inverse=True)
        _, number = np.unique(number * (int(value.max(initial=0)) + 1) + value, return_inverse=True)
    return number


def _place(asked: Whole, values: Whole) -> Whole:
    """Find each asked value among the distinct values, `NO_VALUE` where it is none of them; one is asked for each value."""
    distinct = np.unique(values)
    place = np.minimum(np.searchsorted(distinct, asked), len(distinct) - 1)
    return np.where(distinct[place] == asked, place, NO_VALUE)


def _pairs(groups: Whole) -> Callable[[np.random.Generator], tuple[Whole, Whole]]:
    """Return a function that pairs rows of the same group at random, and keeps half of the pairs."""
    one = bool((groups == groups[:1]).all())
    # Where rows are of several groups, as many come before each in the order of groups, for every order within.
    ordered = np.sort(groups)
    even = (np.arange(len(groups)) - np.searchsorted(ordered, ordered, side="left")) % 2 == 0
    paired = np.flatnonzero(even[:-1] & (ordered[1:] == ordered[:-1]))

    def pairs(rng: np.random.Generator) -> tuple[Whole, Whole]:
        order = rng.permutation(len(groups))
        if not one:
            order = order[np.argsort(groups[order], kind="stable")]
        kept = paired[rng.random(len(paired)) < 0.5]  # noqa: PLR2004 - one half
        return order[kept], order[kept + 1]

    return pairs


def _find_known(asked: Whole, known: Whole, table: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return for each number whether it is one of the known ones.

    ``table`` has a cell for each number that there might be, all false, and left so; None to sort the known ones.
    """
    if table is not None:
        table[known] = True
        found = table[asked]
        table[known] = False
        return found
    return find_keys(asked, np.sort(known))
