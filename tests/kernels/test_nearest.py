"""All nearest rows, against every cosine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges import nearest as module
from goldassay.kernels.edges.nearest import nearest_rows


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
    found = nearest_rows(vectors, queries, targets, threshold=threshold)
    similarity, pairs = naive(vectors, queries, targets, threshold)
    np.testing.assert_array_equal(found.similarity, similarity)
    assert pairs_of(found) == pairs


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.floats(-0.2, 0.5))
def test_rough_looks_and_small_tiles_change_nothing(seed, threshold):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(90, 8)).round(1).astype(np.float32)
    vectors = np.unique(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), axis=0)
    queries, targets = np.arange(50), np.arange(40, len(vectors))
    plain = nearest_rows(vectors, queries, targets, threshold=threshold)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PAIRS_WORTH_ROUNDING", 1)
        patch.setattr(module, "TILE", 7)
        found = nearest_rows(vectors, queries, targets, threshold=threshold, memory=2**9)
    similarity, pairs = naive(vectors, queries, targets, threshold)
    for one in (plain, found):
        np.testing.assert_array_equal(one.similarity, similarity)
        assert pairs_of(one) == pairs
