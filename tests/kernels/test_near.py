"""Joining edges by a kept relation of near texts gives what joining them by their vectors gives."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import near as near_kernel
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges.join import edge_join
from goldassay.kernels.near import Near, NearEdges, find_near_texts


def random_case(seed):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(30, 4)).astype(np.float32)
    vectors[5] = vectors[6]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sizes = rng.integers(0, 40, 2)
    return vectors, *(rng.integers(0, 30, (size, 2)) for size in sizes)


@pytest.mark.parametrize("inclusive", [False, True])
@given(
    seed=st.integers(0, 1000),
    threshold=st.sampled_from([-0.5, 0.0, 0.3, 0.8, 1.0]),
    memory=st.sampled_from([500_000, 2**25]),
)
def test_it_agrees_with_the_edge_join(inclusive, seed, threshold, memory):
    vectors, pred, gold = random_case(seed)
    near = find_near_texts(vectors, np.unique(pred), np.unique(gold), threshold=threshold, inclusive=inclusive)
    laid_out = NearEdges.of(near, gold, memory=memory)
    found = laid_out.join(pred)
    wanted = edge_join(vectors, pred, gold, threshold=threshold, inclusive=inclusive)
    assert found[0].tolist() == wanted.hit_pred.tolist()
    assert found[1].tolist() == wanted.hit_gold.tolist()


@pytest.mark.parametrize("inclusive", [False, True])
def test_a_cosine_at_the_threshold(inclusive):
    vectors, _, _ = random_case(0)
    rows = np.arange(30)
    tie = float(pair_cosines(vectors, np.array([3]), np.array([9]))[0])
    near = find_near_texts(vectors, rows, rows, threshold=tie, inclusive=inclusive)
    places = near.places[near.starts[3] : near.starts[4]].tolist()
    assert (9 in places) == inclusive


def test_more_pairs_than_memory_are_refused():
    vectors, _, _ = random_case(0)
    assert find_near_texts(vectors, np.arange(30), np.arange(30), threshold=-1.0, inclusive=True, memory=100) is None


def test_nothing_is_near_nothing():
    vectors, _, _ = random_case(0)
    rows, none = np.arange(5), np.arange(0)
    for left, right in ((rows, none), (none, rows), (none, none)):
        near = find_near_texts(vectors, left, right, threshold=0.5)
        assert (near.starts.tolist(), near.places.tolist()) == ([0] * (len(left) + 1), [])


HALVES = np.array([[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, -0.5]], dtype=np.float32)


@pytest.mark.parametrize(("shared", "left", "right"), [(7, 5, 4), (0, 5, 4), (6, 0, 0), (1, 2, 0)])
def test_any_is_compared_at_once_the_near_pairs_are_those_of_float64(shared, left, right, monkeypatch):
    monkeypatch.setattr(near_kernel, "TILE", (2, 3))
    vectors, _, _ = random_case(shared)
    rows = np.random.default_rng(1).permutation(30)
    both, rest = rows[:shared], rows[shared:]
    sides = [np.sort(np.concatenate([both, some])) for some in (rest[:left], rest[left : left + right])]
    message = []
    near = find_near_texts(vectors, *sides, threshold=0.2, progress=lambda *messages: message.append(messages))
    found = [near.places[near.starts[at] : near.starts[at + 1]].tolist() for at in range(len(sides[0]))]
    wanted = [
        np.flatnonzero(pair_cosines(vectors, np.full(len(sides[1]), row), sides[1]) > 0.2).tolist() for row in sides[0]
    ]
    assert found == wanted
    assert near.starts[-1] == len(near.places)
    total = shared + left
    stops = [*range(2, shared, 2), *[shared] * (shared > 0), *range(shared + 2, total, 2), *[total] * (left > 0)]
    assert message == [("comparing texts", stop, total) for stop in stops]


@given(seed=st.integers(0, 1000), chunk=st.sampled_from([1, 16, 2**19]))
def test_any_is_looked_at_at_once_the_join_is_the_same(seed, chunk):
    vectors, pred, gold = random_case(seed)
    near = find_near_texts(vectors, np.unique(pred), np.unique(gold), threshold=0.3)
    with patch.object(near_kernel, "CHUNK", chunk):
        found = NearEdges.of(near, gold).join(pred)
    wanted = edge_join(vectors, pred, gold, threshold=0.3)
    assert found[0].tolist() == wanted.hit_pred.tolist()
    assert found[1].tolist() == wanted.hit_gold.tolist()


def test_without_a_word_a_cosine_at_the_threshold_is_not_enough():
    assert find_near_texts(HALVES, np.array([0]), np.array([1]), threshold=0.5).places.tolist() == []


@pytest.mark.parametrize(("memory", "enough"), [(0, False), (1, True)])
def test_where_no_sampled_pair_is_near_one_is_expected(memory, enough):
    """One of 4096 samples, of 256 pairs, of 16 bytes each: one byte."""
    rows = np.arange(32)
    near = find_near_texts(np.eye(32, dtype=np.float32), rows[:16], rows[16:], threshold=0.5, memory=memory)
    assert (near is not None) == enough


@pytest.mark.parametrize(("memory", "enough"), [(15, False), (16, True)])
def test_a_sampled_pair_at_the_threshold_is_expected(memory, enough):
    near = find_near_texts(HALVES, np.array([0]), np.array([1]), threshold=0.5, memory=memory)
    assert (near is not None) == enough


@given(seed=st.integers(0, 1000), threshold=st.sampled_from([-0.5, 0.0, 0.3, 0.8]))
def test_only_texts_that_come_later_are_compared(seed, threshold):
    vectors, _, _ = random_case(seed)
    rng = np.random.default_rng(seed)
    rows, right = rng.permutation(30), np.sort(rng.choice(30, rng.integers(0, 20), replace=False))
    cut = rng.integers(0, 31)
    one, more = (
        find_near_texts(vectors, np.sort(part), right, threshold=threshold) for part in (rows[:cut], rows[cut:])
    )
    texts = np.sort(rng.choice(30, rng.integers(0, 31), replace=False))
    found = one.with_more(more, texts)
    wanted = find_near_texts(vectors, texts, right, threshold=threshold)
    for name in ("left", "right", "starts", "places"):
        assert getattr(found, name).tolist() == getattr(wanted, name).tolist()


@pytest.mark.parametrize(("memory", "enough"), [(95, False), (96, True)])
def test_bits_take_no_more_than_the_memory(memory, enough):
    """Of three texts two words for each table, since there are 65 targets."""
    near = find_near_texts(HALVES, np.array([0]), np.array([1]), threshold=0.4)
    near = Near(np.arange(3), np.arange(66), np.zeros(4, dtype=np.int64), near.places[:0])
    gold = np.column_stack([np.zeros(65, dtype=np.int64), np.arange(1, 66)])
    assert (NearEdges.of(near, gold, memory=memory) is not None) == enough


def test_the_example_of_near_with_more():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    one, more = (find_near_texts(vectors, np.array([row]), np.array([0, 1]), threshold=0.7) for row in (2, 1))
    assert one.with_more(more, np.array([1, 2])).starts.tolist() == [0, 2, 2]


def test_the_example_of_find_near_texts():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    near = find_near_texts(vectors, np.array([0, 2]), np.array([0, 1]), threshold=0.7)
    assert (near.starts.tolist(), near.places.tolist()) == ([0, 2, 2], [0, 1])


def test_the_example_of_nearedges_join():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    near = find_near_texts(vectors, np.array([0, 2]), np.array([1, 2]), threshold=0.7)
    gold = NearEdges.of(near, np.array([[1, 2]]))
    assert [side.tolist() for side in gold.join(np.array([[0, 2], [2, 0]]))] == [[True, False], [True]]
