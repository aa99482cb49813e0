"""Rows as single numbers, and pairs of equal ones, each as plain Python finds it."""

from collections import defaultdict
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import keys
from goldassay.kernels.keys import LARGEST, firsts, join_equal, pack_rows

SMALL = st.lists(st.integers(0, 4), max_size=12)
ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=12)


def columns(rows):
    return np.array(rows, dtype=np.int64).reshape(-1, 3).T


@given(ROWS, st.sampled_from([1, 16, LARGEST]))
def test_rows_are_equal_where_their_keys_are_and_the_first_column_orders_them(rows, largest):
    with patch.object(keys, "LARGEST", largest):
        found = pack_rows(*columns(rows)).tolist()
    for row, key in zip(rows, found, strict=True):
        for other, another in zip(rows, found, strict=True):
            assert (row == other) == (key == another)
            assert row[0] <= other[0] or key > another


def test_numbers_of_any_size_are_packed():
    large = np.array([2**40, 2**40 - 1, 2**40])
    for found in (pack_rows(large, large), pack_rows(large, large, large[::-1])):
        assert (found[0] == found[2], found[0] != found[1], bool((found >= 0).all())) == (True, True, True)


def test_a_product_that_just_fits_is_not_ranked():
    assert pack_rows(np.array([2**61 - 1]), np.array([1])).tolist() == [2**62 - 1]
    assert pack_rows(np.array([2**61]), np.array([1])).tolist() == [1]


@given(SMALL)
def test_the_first_of_each_is_the_one_that_a_list_finds(numbers):
    assert firsts(np.array(numbers, dtype=np.int64)).tolist() == [numbers.index(one) for one in numbers]


@given(SMALL, SMALL)
def test_equal_keys_match_in_their_order(here, there):
    places = defaultdict(list)
    for row, key in enumerate(there):
        places[key].append(row)
    expected = [places[key].pop(0) if places[key] else -1 for key in here]
    forth, back = join_equal(np.array(here, dtype=np.int64), np.array(there, dtype=np.int64))
    assert forth.tolist() == expected
    assert back.tolist() == [expected.index(row) if row in expected else -1 for row in range(len(there))]


@given(SMALL, SMALL)
def test_once_only_the_first_of_equal_keys_match(here, there):
    for mine, others in ((here, there), (there, here)):
        found, _ = join_equal(np.array(mine, dtype=np.int64), np.array(others, dtype=np.int64), once=True)
        assert found.tolist() == [
            others.index(key) if key in others and mine.index(key) == row else -1 for row, key in enumerate(mine)
        ]


def test_the_example_of_pack_rows():
    assert pack_rows(np.array([1, 0, 1]), np.array([5, 5, 5])).tolist() == [11, 5, 11]


def test_the_example_of_firsts():
    assert firsts(np.array([7, 8, 7])).tolist() == [0, 1, 0]


def test_the_example_of_join_equal():
    assert [side.tolist() for side in join_equal(np.array([7, 8, 7]), np.array([7, 9, 7]))] == [[0, -1, 2], [0, -1, 2]]
    assert [side.tolist() for side in join_equal(np.array([7, 8, 7]), np.array([7, 9, 7]), once=True)] == [
        [0, -1, -1],
        [0, -1, -1],
    ]
