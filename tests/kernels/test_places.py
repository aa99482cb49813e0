"""The order by meaning: every part of it is of vectors that are alike, what order they are given in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import places as module
from goldassay.kernels.places import _sort_within, places


def bunches(count, size, *, seed=0, dimension=12):
    """Unit vectors around some centres."""
    draw = np.random.default_rng(seed)
    points = draw.normal(size=(count, 1, dimension)) + 0.1 * draw.normal(size=(count, size, dimension))
    points = points.reshape(-1, dimension)
    return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


@given(st.integers(0, 40), st.integers(0, 5))
def test_every_row_has_a_place_of_its_own(count, seed):
    vectors = bunches(40, 2, seed=seed)
    rows = np.random.default_rng(seed).permutation(80)[:count]
    assert sorted(places(vectors, rows).tolist()) == list(range(count))


def test_what_is_alike_lies_together():
    found = places(bunches(8, 16), np.arange(128)).reshape(8, 16)
    assert (np.ptp(found, axis=1) == 15).all(), "each bunch is an eighth of the order"


def test_parts_are_cut_where_they_differ_most():
    grid = np.array([(x, y) for x in range(8) for y in range(2)], dtype=np.float64)
    vectors = np.column_stack([grid * [0.1, 0.01], np.ones(16)])
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    found = places(vectors, np.arange(16)) // 4
    assert [len(set(grid[found == part, 0])) for part in range(4)] == [2, 2, 2, 2]


def test_neither_the_order_nor_a_sample_decides(monkeypatch):
    vectors = bunches(8, 16)
    rows = np.random.default_rng(1).permutation(128)
    assert (places(vectors, rows) == places(vectors, np.arange(128))[rows]).all()
    monkeypatch.setattr(module, "SAMPLE", 64)
    assert (np.ptp(places(vectors, np.arange(128)).reshape(8, 16), axis=1) == 15).all()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 9])
def test_equal_vectors_are_no_trouble(count):
    same = np.tile(np.array([[1, 0]], dtype=np.float32), (count, 1))
    assert places(same, np.arange(count)).tolist() == list(range(count))


def plain_places(vectors):
    """The same, word by word: principal components by singular values, and lists that are cut into halves."""
    chosen = np.linspace(0, len(vectors) - 1, min(len(vectors), 5_000)).astype(np.int64)
    mean = vectors[chosen].astype(np.float64).mean(axis=0)
    directions = np.linalg.svd(vectors[chosen] - mean, full_matrices=False)[2][:16]
    turned = [one if one[np.abs(one).argmax()] > 0 else -one for one in directions]
    points = (vectors - mean) @ np.array(turned).T
    parts = [(0, list(range(len(vectors))))]
    while max(len(part) for _, part in parts) > 3:
        halves = []
        for low, part in parts:
            spread = np.square(points[part] - points[part].mean(axis=0)).sum(axis=0)
            coordinates = points[part, spread.argmax()]
            part = [part[place] for place in np.argsort(coordinates, kind="stable")]  # noqa: PLW2901 - the same part, sorted
            middle = (low + low + len(part)) // 2
            halves += [(low, part[: middle - low]), (middle, part[middle - low :])]
        parts = halves
    return np.argsort([row for _, part in parts for row in part])


@pytest.mark.parametrize(("count", "seed"), [(12, 0), (13, 1), (40, 2), (250, 3), (5_600, 4)])
def test_it_is_the_plain_order(count, seed):
    draw = np.random.default_rng(seed)
    points = draw.normal(size=(count, 24)) * np.linspace(1, 0.3, 24) + np.linspace(0, 2, 24)
    vectors = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)
    assert places(vectors, np.arange(count)).tolist() == plain_places(vectors).tolist()


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([0.0, -0.0, 1e-45, -1e-45, 0.5, -0.5, 3.0, -3e38])), max_size=30
    )
)
def test_numbers_are_sorted_within_their_parts_as_by_two_keys(pairs):
    part = np.array([one for one, _ in pairs], dtype=np.int64)
    numbers = np.array([number for _, number in pairs], dtype=np.float32)
    assert _sort_within(part, numbers).tolist() == np.lexsort((numbers, part)).tolist()


def test_the_example_of_places():
    angles = np.radians([0, 90, 10, 80])
    assert places(np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32), np.arange(4)).tolist() == [
        3,
        0,
        2,
        1,
    ]
