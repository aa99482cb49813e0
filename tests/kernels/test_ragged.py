"""Examples of kernels/ragged.py."""

import numpy as np

from goldassay.kernels.ragged import (
    best_rows,
    distinct,
    find_equal,
    find_keys,
    inverse,
    mark,
    pair_equal,
    places_in_runs,
    places_of,
    ranges,
    run_heads,
    run_tails,
    starts_of,
    turns_of,
)


def test_the_example_of_ranges():
    assert ranges(np.array([5, 2]), np.array([2, 3])).tolist() == [5, 6, 2, 3, 4]


def test_the_example_of_starts_of():
    assert starts_of(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]


def test_the_example_of_run_heads():
    assert run_heads(np.array([4, 4, 2, 4])).tolist() == [True, False, True, True]
    assert run_heads(np.array([4, 4, 2, 4]), np.array([1, 0, 0, 0])).tolist() == [True, True, True, True]
    assert run_tails(np.array([4, 4, 2, 4])).tolist() == [False, True, True, True]
    assert run_tails(np.array([4, 4, 2]), np.array([1, 0, 0])).tolist() == [True, True, True]
    nothing = np.zeros(0, dtype=np.int64)
    assert run_heads(nothing, nothing).tolist() == run_tails(nothing, nothing).tolist() == []


def test_the_example_of_distinct():
    assert distinct(np.array([3, 1, 3])).tolist() == [1, 3]


def test_the_example_of_find_keys():
    assert find_keys(np.array([1, 4, 9, 10]), np.array([1, 9])).tolist() == [True, False, True, False]


def test_the_example_of_find_equal():
    found = find_equal(np.array([7, 4, 5]), np.array([5, 4, 5]))
    assert [part.tolist() for part in found] == [[1, 0, 2], [3, 0, 1], [0, 1, 2]]


def test_the_example_of_pair_equal():
    found = pair_equal(np.array([7, 4, 5]), np.array([5, 4, 5]))
    assert [rows.tolist() for rows in found] == [[1, 2, 2], [1, 0, 2]]


def test_the_example_of_mark():
    assert mark([2, 0], 3).tolist() == [True, False, True]


def test_the_example_of_places_of():
    assert places_of([2, 0], 4).tolist() == [1, -1, 0, -1]


def test_the_example_of_inverse():
    assert inverse(np.array([2, -1, 0]), 4).tolist() == [2, -1, 0, -1]


def test_the_example_of_places_in_runs():
    assert places_in_runs(np.array([2, 2, 4, 4, 4])).tolist() == [0, 1, 0, 1, 2]
    assert places_in_runs(np.zeros(0, dtype=np.int64)).tolist() == []
    assert turns_of(np.array([4, 2, 4, 4, 2])).tolist() == [0, 0, 1, 2, 1]


def test_the_example_of_best_rows():
    assert best_rows(np.array([0.1, 0.9, 0.9, 0.5]), np.array([8, 8, 8, 7])).tolist() == [3, 1]
    assert best_rows(np.array([1, 2, 3]), np.array([0, 1, 1]), np.array([5, 4, 4])).tolist() == [2, 0]
