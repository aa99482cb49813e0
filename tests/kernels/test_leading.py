"""The product of coordinates on leading axes, and the length of the rest, bounds every cosine."""

import numpy as np
import pytest

from goldassay.kernels.cosine import compute_squared_lengths
from goldassay.kernels.leading import Leading, errors, leading_axes


def units(rng, size, dimension, decay):
    vectors = rng.normal(size=(size, dimension)) * decay ** np.arange(dimension)
    vectors = (vectors @ np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def sight(vectors, rows=None):
    rows = np.arange(len(vectors)) if rows is None else rows
    return Leading.of(vectors, rows, compute_squared_lengths(vectors, rows), many=True)


@pytest.mark.parametrize("decay", [0.9, 0.97, 0.99])
@pytest.mark.parametrize("dimension", [64, 384])
def test_no_cosine_exceeds_its_bound(decay, dimension):
    vectors = units(np.random.default_rng(0), 500, dimension, decay)
    found = sight(vectors)
    exact = vectors.astype(np.float64)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    bounds = found.coordinates @ found.coordinates.T
    assert (exact @ exact.T <= bounds + found.excess).all()
    assert found.excess < 2e-3


def test_what_lies_on_the_leading_axes_is_compared_almost_exactly():
    vectors = units(np.random.default_rng(1), 300, 384, 0.5)
    found = sight(vectors)
    assert found.coordinates.shape == (300, 16)
    assert found.excess < 1e-3
    assert np.abs(found.coordinates @ found.coordinates.T - vectors @ vectors.T).max() < 0.3


def test_the_rest_bounds_what_the_axes_leave_out():
    vectors = units(np.random.default_rng(2), 300, 384, 0.97)
    axes = leading_axes(vectors)
    turning, _ = errors(axes)
    found = sight(vectors)
    np.testing.assert_array_equal(found.coordinates[:, :-1], vectors @ axes)
    orthonormal = np.linalg.qr(axes.astype(np.float64))[0]
    exact = vectors.astype(np.float64)
    rest = np.linalg.norm(exact - exact @ orthonormal @ orthonormal.T, axis=1)
    assert (rest <= found.coordinates[:, -1]).all()
    assert (found.coordinates[:, -1] <= rest + 0.01).all()
    assert (np.linalg.norm(exact @ orthonormal, axis=1) <= np.linalg.norm(vectors @ axes, axis=1) + turning).all()


def test_axes_that_leave_out_too_much_are_not_used():
    vectors = units(np.random.default_rng(3), 300, 96, 1.0)
    found = sight(vectors)
    assert found.coordinates is vectors
    assert found.band == found.excess


def test_few_pairs_are_compared_as_they_are():
    vectors = units(np.random.default_rng(4), 50, 384, 0.9)
    found = Leading.of(vectors, np.arange(50), np.ones(50), many=False)
    assert found.coordinates is vectors


def test_only_the_rows_that_were_asked_for_are_turned():
    vectors = units(np.random.default_rng(5), 100, 384, 0.9)
    vectors[::2] = np.nan
    rows = np.arange(1, 100, 2)
    found = sight(vectors, rows)
    assert np.isfinite(found.coordinates[rows]).all()
