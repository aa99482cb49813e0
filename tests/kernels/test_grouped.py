"""The nearest within groups, against a look at every pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges import grouped
from goldassay.kernels.edges.grouped import Groups, find_best_in_groups, join_groups

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
    left, right = join_groups(groups, threshold=threshold, memory=memory)
    assert left.tolist() == (cosines >= threshold).any(axis=1).tolist()
    assert right.tolist() == (cosines >= threshold).any(axis=0).tolist()
    items = np.arange(len(groups.left))[:: 1 + pick % 2]
    best = find_best_in_groups(groups, items, memory=memory)
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
        join_groups(groups, threshold=0.5)


def test_progress_is_reported():
    message = []
    join_groups(make([(2, 2)] * 3, 0), threshold=0.5, progress=lambda *messages: message.append(messages))
    assert message == [("matching", 0, 3), ("matching", 3, 3)]


def test_progress_is_reported_now_and_then(monkeypatch):
    monkeypatch.setattr(grouped, "REPORTED_EVERY", 2)
    monkeypatch.setattr(grouped, "TOGETHER", 1)
    message = []
    join_groups(make([(1, 1)] * 5, 0), threshold=0.5, progress=lambda *messages: message.append(messages[1]))
    assert message == [0, 2, 4, 5]


@pytest.mark.parametrize(("memory", "side"), [(1, 1), (4 * (9 + 2 * 3 * 4) - 1, 2), (4 * (9 + 2 * 3 * 4), 3)])
def test_a_tile_with_its_rows_takes_no_more_than_the_memory(memory, side):
    shapes = {cosines.shape for _, _, cosines in grouped._products(make([(6, 6)], 0), memory, None)}
    assert shapes == {(1, side, side)}


@pytest.mark.parametrize(("memory", "groups"), [(2**20, 6), (2 * (4 * (4 * 4 + 4) + 1), 2), (1, 1)])
def test_groups_of_one_shape_are_multiplied_at_once_within_the_memory(memory, groups):
    sizes = [(2, 2), (1, 2), (2, 2), (2, 2), (2, 2), (2, 2), (2, 2)]
    most = max(len(cosines) for _, _, cosines in grouped._products(make(sizes, 0), memory, None))
    assert most == groups


def fan(*angles):
    """One item on the left, at 0, and one for each angle on the right."""
    angles = np.array([0.0, *angles])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    others = np.arange(1, len(angles))
    return Groups(vectors, np.array([0]), others, np.array([[0, 1]]), np.array([[0, len(others)]]))


def test_what_products_within_twice_the_band_say_is_decided_in_float64(monkeypatch):
    """The second is nearer by 0.019; the products, each wrong by almost the band, say that it is less near by 0.061."""
    groups = fan(0.2, 0.0)
    wrong = np.array([[[0.98 + 0.039, 1.0 - 0.039]]], dtype=np.float32)
    monkeypatch.setattr(Groups, "band", lambda self: 0.04)
    monkeypatch.setattr(grouped, "_products", lambda *given: iter([(np.array([[0]]), np.array([[0, 1]]), wrong)]))
    assert find_best_in_groups(groups, np.array([0])).counterpart.tolist() == [1]


def test_without_a_band_the_highest_product_is_still_looked_at(monkeypatch):
    monkeypatch.setattr(Groups, "band", lambda self: 0.0)
    halves = np.array([[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, -0.5]], dtype=np.float32)
    groups = Groups(halves, np.array([0]), np.array([1]), np.array([[0, 1]]), np.array([[0, 1]]))
    assert find_best_in_groups(groups, np.array([0])).similarity.tolist() == [0.5]
    assert [side.tolist() for side in join_groups(groups, threshold=0.5)] == [[True], [True]]


@pytest.mark.parametrize("candidates", [1, 2, 2**18])
def test_of_equally_near_items_the_first_wins_whenever_they_are_decided(candidates, monkeypatch):
    monkeypatch.setattr(grouped, "CANDIDATES", candidates)
    assert find_best_in_groups(fan(0.2, 0.1, 0.1), np.array([0]), memory=1).counterpart.tolist() == [1]


def test_an_item_without_a_group_is_not_in_the_way_of_the_next():
    vectors = np.eye(2, dtype=np.float32)
    groups = Groups(vectors, np.array([0, 1]), np.array([1]), np.array([[1, 2]]), np.array([[0, 1]]))
    found = find_best_in_groups(groups, np.array([0, 1]))
    assert found.counterpart.tolist() == [-1, 0]
    assert found.similarity.tolist()[1] == 1.0


def test_the_example_of_groups():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    groups = Groups(vectors, np.array([0]), np.array([1, 2]), np.array([[0, 1]]), np.array([[0, 2]]))
    assert groups.swap_sides().left.tolist() == [1, 2]


def test_the_example_of_join_groups():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    groups = Groups(vectors, np.array([0]), np.array([1, 2]), np.array([[0, 1]]), np.array([[0, 2]]))
    assert [side.tolist() for side in join_groups(groups, threshold=0.79)] == [[True], [True, False]]


def test_the_example_of_find_best_in_groups():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    groups = Groups(vectors, np.array([0]), np.array([1, 2]), np.array([[0, 1]]), np.array([[0, 2]]))
    assert find_best_in_groups(groups, np.array([0])).counterpart.tolist() == [0]
