"""All nearest rows, against every cosine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.draws import times

from goldassay.kernels.cosine import compute_squared_lengths, error_band, pair_cosines
from goldassay.kernels.edges import nearest as module
from goldassay.kernels.edges.nearest import TILE, nearest_rows
from goldassay.kernels.rough import Rough
from goldassay.kernels.search import Vectors


def naive(vectors, queries, targets, threshold):
    similarity, pairs = [], []
    for place, query in enumerate(queries.tolist()):
        cosines = pair_cosines(vectors, np.full(len(targets), query), targets)
        best = cosines.max(initial=-2)
        similarity.append(best if best > threshold else np.nan)
        pairs += [(place, other) for other in np.flatnonzero(cosines == best).tolist() if best > threshold]
    return similarity, pairs


def pairs_of(found):
    return list(
        zip(
            np.repeat(np.arange(len(found.similarity)), np.diff(found.starts)).tolist(),
            found.places.tolist(),
            strict=True,
        )
    )


@given(
    arrays(np.int8, st.tuples(st.integers(2, 12), st.just(3)), elements=st.integers(-2, 2), unique=False),
    st.floats(-1, 1),
    st.data(),
)
def test_all_nearest_rows_are_found(numbers, threshold, data):
    numbers = np.unique(numbers[np.any(numbers != 0, axis=1)].astype(np.float64), axis=0)
    vectors = np.unique(
        (numbers / np.linalg.norm(numbers, axis=1, keepdims=True)).astype(np.float32) + np.float32(0), axis=0
    )
    rows = st.lists(st.integers(0, max(len(vectors) - 1, 0)), unique=True, max_size=len(vectors))
    queries, targets = (np.array(data.draw(rows), dtype=np.int64) for _ in range(2))
    if data.draw(st.booleans()) and len(queries) and len(targets):
        threshold = float(pair_cosines(vectors, queries[:1], targets[:1])[0])
    found = nearest(vectors, queries, targets, threshold=threshold)
    similarity, pairs = naive(vectors, queries, targets, threshold)
    np.testing.assert_array_equal(found.similarity, similarity)
    assert pairs_of(found) == pairs


def nearest(vectors, queries, targets, *, roughly=False, **given):
    rows = np.arange(len(vectors))
    band = error_band(vectors.shape[1], compute_squared_lengths(vectors, rows))
    rough = Rough.of(vectors, rows, band) if roughly else None
    return nearest_rows(Vectors(vectors, rough, 128), queries, targets, band=band, **given)


def drawn(seed, dimension, size=400):
    """Rows near a few axes, some of them equal but for rounding."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(size, dimension)) * 0.6 ** np.arange(dimension)
    vectors[::5] = vectors[1::5] + rng.normal(size=(len(vectors[::5]), dimension)) * 1e-7
    vectors = vectors.astype(np.float32)
    return np.unique(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), axis=0)


@times(2)
@given(st.integers(0, 2**32), st.floats(-0.2, 0.9999))
def test_rough_cosines_and_small_tiles_change_nothing(seed, threshold):
    vectors = np.random.default_rng(seed).permutation(drawn(seed, 80))
    queries, targets = np.arange(250), np.arange(200, len(vectors))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "TILE", 7)
        found = nearest(vectors, queries, targets, roughly=True, threshold=threshold, memory=2**9)
    similarity, pairs = naive(vectors, queries, targets, threshold)
    for one in (found, nearest(vectors, queries, targets, threshold=threshold)):
        np.testing.assert_array_equal(one.similarity, similarity)
        assert pairs_of(one) == pairs


@times(2)
@given(st.integers(0, 2**32), st.booleans())
def test_a_query_that_is_nearer_to_another_target_has_no_answer(seed, roughly):
    rng = np.random.default_rng(seed)
    vectors = rng.permutation(drawn(seed, 80))
    queries, targets = np.arange(150), np.arange(150, len(vectors))
    whole = nearest(vectors, queries, targets, threshold=0.1)
    reached = pair_cosines(vectors, queries, rng.choice(targets, len(queries)))
    answers = rng.random(len(queries)) < 0.5
    reached[answers] = np.where(np.isnan(whole.similarity), np.inf, whole.similarity)[answers]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "TILE", 16)
        found = nearest(vectors, queries, targets, roughly=roughly, threshold=0.1, reached=reached)
    answered = whole.similarity <= reached
    np.testing.assert_array_equal(found.similarity, np.where(answered, whole.similarity, np.nan))
    assert pairs_of(found) == [pair for pair in pairs_of(whole) if answered[pair[0]]]


def test_the_example_of_nearest_rows():
    rows = np.array([[1, 0], [0.6, 0.8], [0.6, -0.8], [0, 1]], dtype=np.float32)
    vectors = Vectors(rows, None, TILE)
    found = nearest_rows(vectors, np.array([0, 3]), np.array([1, 2]), threshold=0.7, band=1e-6)
    assert (
        repr((found.similarity.round(6).tolist(), found.starts.tolist(), found.places.tolist()))
        == "([nan, 0.8], [0, 0, 1], [0])"
    )
    assert nearest_rows(vectors, np.array([0]), np.array([1, 2]), threshold=0.5, band=1e-6).places.tolist() == [0, 1]
