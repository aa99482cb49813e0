"""Random swaps keep what they promise, and reach everything alike."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import swaps
from goldassay.kernels.swaps import swap_values

ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 1)), unique=True, max_size=20)


@given(rows=ROWS, seed=st.integers(0, 100))
def test_swaps_keep_columns_groups_and_distinct_rows(rows, seed):
    rows = np.array([row for row in rows if row[0] != row[1]], dtype=np.int64).reshape(-1, 3)
    place = swap_values(rows, 1, rng=np.random.default_rng(seed), groups=rows[:, 2], forbidden=rows[:, 0], rounds=5)
    assert sorted(place.tolist()) == list(range(len(rows)))
    assert (rows[place, 2] == rows[:, 2]).all()
    made = np.column_stack([rows[:, 0], rows[place, 1], rows[:, 2]])
    assert len({tuple(row) for row in made.tolist()}) == len(rows)
    assert (made[:, 0] != made[:, 1]).all()


@pytest.mark.parametrize("rounds", [None, 40])
def test_every_table_with_these_degrees_is_equally_likely(rounds):
    # Six 3 x 3 tables have two entries in every row and column.
    rows = np.array([[0, 3], [0, 4], [1, 4], [1, 5], [2, 5], [2, 3]])
    rng = np.random.default_rng(1)
    seen = Counter()
    for _ in range(600):
        place = swap_values(rows, 1, rng=rng, rounds=rounds)
        seen[tuple(sorted(zip(rows[:, 0].tolist(), rows[place, 1].tolist(), strict=True)))] += 1
    assert len(seen) == 6
    # Chi-squared with 5 degrees of freedom passes 20.5 once in a thousand times.
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 20.5


def test_two_rows_swap_half_the_time():
    rng = np.random.default_rng(0)
    rows = np.array([[0, 5], [1, 6]])
    times = sum(swap_values(rows, 1, rng=rng, rounds=1)[0] for _ in range(2000))
    assert abs(times - 1000) < 4 * np.sqrt(500)


def test_a_table_that_allows_no_swap_stays():
    full = np.array([[a, b] for a in range(3) for b in range(3)])
    assert swap_values(full, 1, rng=np.random.default_rng(0)).tolist() == list(range(9))
    assert swap_values(np.zeros((0, 2), dtype=np.int64), 1, rng=np.random.default_rng(0)).tolist() == []


def test_a_few_rounds_reach_every_table_about_alike():
    # The tables of the test above, each from the one before: a chain of single rounds.
    rows = np.array([[0, 3], [0, 4], [1, 4], [1, 5], [2, 5], [2, 3]])
    rng = np.random.default_rng(1)
    seen = Counter()
    for _ in range(1500):
        rows = np.column_stack([rows[:, 0], rows[swap_values(rows, 1, rng=rng, rounds=2), 1]])
        seen[tuple(sorted(map(tuple, rows.tolist())))] += 1
    assert len(seen) == 6
    assert max(seen.values()) < 1.6 * min(seen.values())


def test_every_group_swaps_and_no_row_leaves_its_group():
    rows = np.array([[0, 5], [1, 6], [2, 7], [3, 8], [4, 9]])
    groups = np.array([1, 0, 1, 0, 2])
    rng = np.random.default_rng(0)
    seen = Counter(tuple(swap_values(rows, 1, rng=rng, groups=groups, rounds=1).tolist()) for _ in range(400))
    assert set(seen) == {(0, 1, 2, 3, 4), (2, 1, 0, 3, 4), (0, 3, 2, 1, 4), (2, 3, 0, 1, 4)}
    assert min(seen.values()) > 60


def test_a_row_never_gets_its_forbidden_value_and_only_some_take_part():
    rows = np.array([[0, 5], [1, 6], [2, 7]])
    rng = np.random.default_rng(0)
    places = [swap_values(rows, 1, rng=rng, forbidden=np.array([6, 9, 5]), rounds=3) for _ in range(200)]
    assert {tuple(place.tolist()) for place in places} == {(0, 1, 2), (0, 2, 1), (2, 0, 1)}
    places = [swap_values(rows, 1, rng=rng, some=np.array([0, 2]), rounds=1) for _ in range(200)]
    assert {tuple(place.tolist()) for place in places} == {(0, 1, 2), (2, 1, 0)}


@pytest.mark.parametrize(("rows", "rounds"), [(1, 100), (10_000, 100), (10_001, 20)])
def test_a_large_table_takes_fewer_rounds(rows, rounds, monkeypatch):
    made = []
    none = np.zeros(0, dtype=np.int64)
    monkeypatch.setattr(swaps, "_pairs", lambda groups: lambda rng: made.append(len(groups)) or (none, none))
    table = np.column_stack([np.arange(rows)] * 2)
    assert swap_values(table, 1, rng=np.random.default_rng(0)).tolist() == list(range(rows))
    assert made == [rows] * rounds


def test_a_forbidden_value_that_no_row_has_forbids_nothing():
    rows = np.array([[0, 5], [1, 6], [2, 7]])
    rng = np.random.default_rng(0)
    places = {tuple(swap_values(rows, 1, rng=rng, forbidden=np.array([4, 8, 9])).tolist()) for _ in range(100)}
    assert len(places) == 6


def test_rows_of_several_columns_have_one_number_each():
    rows = np.array([(a, b, c) for a in range(4) for b in range(3) for c in range(5)] * 2)
    numbers = swaps._number_rows(rows)
    assert numbers[:60].tolist() == numbers[60:].tolist()
    assert len(set(numbers.tolist())) == 60


@given(rows=ROWS, seed=st.integers(0, 20))
def test_a_table_finds_what_a_sorted_list_finds(rows, seed):
    rows = np.array(rows, dtype=np.int64).reshape(-1, 3)
    places = []
    for most in (2**24, -1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(swaps, "TABLE", most)
            found = swap_values(
                rows, 1, rng=np.random.default_rng(seed), groups=rows[:, 2], forbidden=rows[:, 0], rounds=5
            )
        places.append(found.tolist())
    assert places[0] == places[1]


def test_the_example_of_swap_values():
    rows = np.array([[0, 5], [1, 6], [2, 7]])
    place = swap_values(rows, 1, rng=np.random.default_rng(0))
    assert sorted(rows[place, 1].tolist()) == [5, 6, 7]
