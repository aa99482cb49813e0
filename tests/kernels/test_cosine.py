"""The cosine of two rows depends on these two rows only, and float32 products stay within the proven band of it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels.cosine import (
    compute_squared_lengths,
    cosines_of_distinct,
    edge_similarities,
    error_band,
    pair_cosines,
    row_chunks,
)


def unit_rows(seed: int, rows: int, dimension: int) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((rows, dimension))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


@given(seed=st.integers(0, 2**32 - 1), dimension=st.sampled_from([1, 2, 3, 7, 64, 384, 1024]), pairs=st.integers(1, 40))
def test_a_cosine_is_the_same_only_in_a_batch_and_turned_round(seed, dimension, pairs):
    vectors = unit_rows(seed, 9, dimension)
    left, right = np.random.default_rng(seed).integers(0, 9, (2, pairs))
    batch = pair_cosines(vectors, left, right)
    single = [pair_cosines(vectors, left[i : i + 1], right[i : i + 1])[0] for i in range(pairs)]
    assert batch.tolist() == single
    assert batch.tolist() == pair_cosines(vectors, right, left).tolist()


@given(seed=st.integers(0, 2**32 - 1), dimension=st.integers(1, 50))
def test_it_is_the_cosine(seed, dimension):
    vectors = unit_rows(seed, 2, dimension) * np.float32(3.0)
    a, b = vectors.astype(float).tolist()
    expected = math.fsum(x * y for x, y in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b))
    assert pair_cosines(vectors, np.array([0]), np.array([1]))[0] == pytest.approx(expected, abs=1e-14)


def test_more_pairs_than_a_chunk_holds():
    vectors = unit_rows(0, 50, 384)
    left, right = np.random.default_rng(1).integers(0, 50, (2, 5000))
    expected = (vectors.astype(float) @ vectors.T.astype(float))[left, right]
    np.testing.assert_allclose(pair_cosines(vectors, left, right), expected, atol=1e-6)


def test_equal_rows_have_cosine_one_and_no_cosine_leaves_its_bounds():
    vectors = unit_rows(2, 200, 11)
    doubled = np.vstack([vectors, vectors, -vectors])
    rows = np.arange(200)
    assert (pair_cosines(doubled, rows, rows) == 1.0).all()
    assert (pair_cosines(doubled, rows, rows + 200) == 1.0).all()
    opposite = pair_cosines(doubled, rows, rows + 400)
    assert (opposite >= -1.0).all()
    assert (opposite < -1.0 + 1e-12).all()


def test_an_edge_is_as_similar_as_its_less_similar_end():
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    got = edge_similarities(vectors, np.array([[0, 0], [2, 1]]), np.array([[0, 1], [1, 1]]))
    np.testing.assert_allclose(got, [0.6, 0.8], atol=1e-7)


@given(seed=st.integers(0, 2**32 - 1), dimension=st.sampled_from([1, 2, 5, 96, 384, 2000]))
def test_float32_products_stay_within_the_band(seed, dimension):
    vectors = unit_rows(seed, 30, dimension)
    left, right = np.divmod(np.arange(900), 30)
    exact = pair_cosines(vectors, left, right).reshape(30, 30)
    band = error_band(dimension, compute_squared_lengths(vectors, np.arange(30)))
    assert np.abs(vectors @ vectors.T - exact).max() < band
    assert band < dimension * 1e-7 + 1e-6


@pytest.mark.parametrize("row", [[0.0, 0.0], [1.0, 1.0], [np.nan, 1.0], [np.inf, 0.0]])
def test_what_is_no_unit_vector_is_refused(row):
    vectors = np.array([[1, 0], row], dtype=np.float32)
    assert compute_squared_lengths(vectors, np.array([0])).tolist() == [1.0]
    with pytest.raises(ValueError, match="row 1 of the vectors has squared length"):
        compute_squared_lengths(vectors, np.array([0, 1]))


def test_no_cosine_exceeds_one_by_rounding():
    vectors = unit_rows(3, 2000, 7)
    nearly = vectors.copy()
    nearly[:, 0] = np.nextafter(nearly[:, 0], np.float32(2))
    a, b = vectors.astype(float), nearly.astype(float)
    assert ((a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))).max() > 1
    both, rows = np.vstack([vectors, nearly, -nearly]), np.arange(2000)
    assert pair_cosines(both, rows, rows + 2000).max() == 1.0
    assert pair_cosines(both, rows, rows + 4000).min() == -1.0


@pytest.mark.parametrize(("dimension", "step"), [(0, 65_536), (1, 65_536), (2, 32_768), (384, 170), (10**9, 1)])
def test_a_chunk_of_both_rows_in_float64_takes_a_megabyte_at_most(dimension, step):
    chunks = list(row_chunks(3 * step, dimension))
    assert chunks == [slice(start, start + step) for start in (0, step, 2 * step)]


def test_the_example_of_pair_cosines():
    vectors = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    assert pair_cosines(vectors, np.array([0, 0, 1]), np.array([0, 1, 1])).round(6).tolist() == [1.0, 0.6, 1.0]


def test_the_example_of_edge_similarities():
    vectors = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    assert edge_similarities(vectors, np.array([[0, 0]]), np.array([[0, 1]])).round(6).tolist() == [0.6]


def test_the_example_of_compute_squared_lengths():
    assert compute_squared_lengths(np.eye(2, dtype=np.float32), np.array([0, 1])).tolist() == [1.0, 1.0]


def test_the_example_of_error_band():
    assert error_band(384, np.ones(1)) < 3e-5


def test_rows_that_repeat_are_compared_once():
    vectors = unit_rows(0, 5, 8)
    left, right = np.array([3, 1, 3]), np.array([2, 2])
    cosines, here, there = cosines_of_distinct(vectors, left, right)
    assert cosines.shape == (2, 1)
    every = [[pair_cosines(vectors, np.array([a]), np.array([b]))[0] for b in right] for a in left]
    assert np.allclose(cosines[here][:, there], every, rtol=0, atol=1e-12)
