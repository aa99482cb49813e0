"""Joining edges by a kept relation of near texts gives what joining them by their vectors gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges.join import edge_join
from goldassay.kernels.near import NearEdges, near_texts


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
    near = near_texts(vectors, np.unique(pred), np.unique(gold), threshold=threshold, inclusive=inclusive)
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
    near = near_texts(vectors, rows, rows, threshold=tie, inclusive=inclusive)
    places = near.places[near.starts[3] : near.starts[4]].tolist()
    assert (9 in places) == inclusive


def test_more_pairs_than_memory_are_refused():
    vectors, _, _ = random_case(0)
    assert near_texts(vectors, np.arange(30), np.arange(30), threshold=-1.0, inclusive=True, memory=100) is None


def test_nothing_is_near_nothing():
    vectors, _, _ = random_case(0)
    rows, none = np.arange(5), np.arange(0)
    for left, right in ((rows, none), (none, rows), (none, none)):
        near = near_texts(vectors, left, right, threshold=0.5)
        assert (near.starts.tolist(), near.places.tolist()) == ([0] * (len(left) + 1), [])
