"""Examples of kernels/ragged.py."""

import numpy as np

from goldassay.kernels.ragged import (
    distinct,
    find_equal,
    find_keys,
    inverse,
    mark,
    pair_equal,
    places_of,
    ranges,
    run_heads,
    starts_of,
)


def test_the_example_of_ranges():
    assert ranges(np.array([5, 2]), np.array([2, 3])).tolist() == [5, 6, 2, 3, 4]


def test_the_example_of_starts_of():
    assert starts_of(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]


def test_the_example_of_run_heads():
    assert run_heads(np.array([4, 4, 2, 4])).tolist() == [True, False, True, True]


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
