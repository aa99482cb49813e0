"""The one-to-one assignment of rows to columns that adds up to most, over a matrix that fits into memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.types import Rows

FREE = -1
FEW = 10_000
"""How many pairs are looked at here before scipy, which is faster, is imported, which takes longer than these pairs."""
_pairs_left = [FEW]


def assign_rows(worth: NDArray[np.floating], *, most: bool = True) -> tuple[Rows, Rows]:
    """Assign as many rows as possible one to one to columns, so that the sum is greatest.

    The solver is scipy's where that is installed and there is much to assign, and else the same algorithm here, with the
    same choice among equal sums.

    Args:
        worth: What each pair is worth, floats without nan, shape (m, n).
        most: Whether the sum is to be greatest, or least.

    Returns:
        The rows that have a column, ascending, and their columns, int64, shape (min(m, n),) each.

    Source:
        D. F. Crouse, On implementing 2D rectangular assignment algorithms, IEEE Transactions on Aerospace and Electronic
        Systems 52(4), 2016.
    """
    _pairs_left[0] -= worth.size
    if _pairs_left[0] >= 0:
        return assign_without_scipy(worth, most=most)
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        return assign_without_scipy(worth, most=most)
    rows, columns = linear_sum_assignment(worth, maximize=most)
    return np.asarray(rows), np.asarray(columns)


def assign_without_scipy(worth: NDArray[np.floating], *, most: bool = True) -> tuple[Rows, Rows]:
    """Assign without scipy: the rows one after the other, each along the shortest augmenting path."""
    cost = np.asarray(-worth if most else worth, dtype=np.float64)
    if cost.shape[0] > cost.shape[1]:
        columns, rows = assign_without_scipy(cost.T, most=False)
        order = np.argsort(rows)
        return rows[order], columns[order]
    height, width = cost.shape
    column_of, row_of = np.full(height, FREE), np.full(width, FREE)
    row_price, column_price = np.zeros(height), np.zeros(width)
    for start in range(height):
        lowest, row, length = 0.0, start, width
        path, reach = np.full(width, FREE), np.full(width, np.inf)
        # The last column first, and the place of what is taken away is filled by the last, as in scipy: equals are chosen by this order.
        left, taken, seen = np.arange(width)[::-1].copy(), [], [start]
        while True:
            open_ = left[:length]
            through = lowest + cost[row, open_] - row_price[row] - column_price[open_]
            nearer = through < reach[open_]
            path[open_[nearer]], reach[open_[nearer]] = row, through[nearer]
            lowest = float(reach[open_].min())
            nearest = np.flatnonzero(reach[open_] == lowest)
            free = nearest[row_of[open_[nearest]] == FREE]
            place = int(free[-1] if len(free) else nearest[0])
            column = int(left[place])
            taken.append(column)
            if row_of[column] == FREE:
                break
            row, length = int(row_of[column]), length - 1
            seen.append(row)
            left[place] = left[length]
        row_price[start] += lowest
        row_price[seen[1:]] += lowest - reach[column_of[seen[1:]]]
        column_price[taken] -= lowest - reach[taken]
        while column != FREE:
            row = int(path[column])
            row_of[column], column_of[row], column = row, column, int(column_of[row])
    return np.arange(height), column_of
