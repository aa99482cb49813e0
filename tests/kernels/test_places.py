"""The order by meaning: every part of it is of vectors that are alike, whatever order they are given in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import places as module
from goldassay.kernels.places import places


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
