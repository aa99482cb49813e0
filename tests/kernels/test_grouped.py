"""The nearest within groups, against a look at every pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges.grouped import Groups, grouped_best, grouped_join

SIZES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=5)


def make(sizes, seed, distinct=6):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(distinct, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sizes = np.array(sizes, dtype=np.int64).reshape(-1, 2)
    ends = np.cumsum(sizes, axis=0)
    rows = [rng.integers(0, distinct, total) for total in sizes.sum(axis=0)]
    return Groups(
        vectors, *rows, *(np.column_stack([ends[:, side] - sizes[:, side], ends[:, side]]) for side in (0, 1))
    )


def every_pair(groups):
    cosines = np.full((len(groups.left), len(groups.right)), -np.inf)
    for left, right in zip(groups.left_ends, groups.right_ends, strict=True):
        pairs = [(i, j) for i in range(*left) for j in range(*right)]
        for i, j in pairs:
            cosines[i, j] = pair_cosines(groups.vectors, groups.left[[i]], groups.right[[j]])[0]
    return cosines


@given(sizes=SIZES, seed=st.integers(0, 99), memory=st.sampled_from([1, 200, 2**29]), pick=st.integers(0, 99))
def test_against_every_pair(sizes, seed, memory, pick):
    groups = make(sizes, seed)
    cosines = every_pair(groups)
    values = np.unique(cosines[np.isfinite(cosines)])
    threshold = float(values[pick % len(values)]) if len(values) else 0.5
    left, right = grouped_join(groups, threshold=threshold, memory=memory)
    assert left.tolist() == (cosines >= threshold).any(axis=1).tolist()
    assert right.tolist() == (cosines >= threshold).any(axis=0).tolist()
    items = np.arange(len(groups.left))[:: 1 + pick % 2]
    best = grouped_best(groups, items, memory=memory)
    for item, similarity, counterpart in zip(items, best.similarity, best.counterpart, strict=True):
        if np.isfinite(cosines[item]).any():
            assert similarity == cosines[item].max()
            assert counterpart == cosines[item].argmax()
        else:
            assert np.isnan(similarity)
            assert counterpart == -1


def test_what_is_no_unit_vector_is_refused():
    groups = Groups(np.full((1, 2), np.nan, dtype=np.float32), *(np.array([0]),) * 2, *(np.array([[0, 1]]),) * 2)
    with pytest.raises(ValueError, match="unit vector"):
        grouped_join(groups, threshold=0.5)


def test_progress_is_told():
    told = []
    grouped_join(make([(2, 2)] * 3, 0), threshold=0.5, progress=lambda *said: told.append(said))
    assert told == [("matching", 0, 3), ("matching", 3, 3)]
