"""The auction by hand, and the bound of the assignment on problems made to break it."""

from unittest.mock import patch

import numpy as np
import pytest

from goldassay.kernels.cosine import ROUNDING, edge_similarities, error_band
from goldassay.kernels.edges import assignment, layout
from goldassay.kernels.edges.assignment import assign, least_memory
from goldassay.kernels.edges.auction import Auction
from goldassay.kernels.edges.candidates import Candidates, find_candidates
from goldassay.kernels.edges.layout import lay_out


def auction(similarity, target, unlisted, items, step=0.1):
    found = Auction.start(len(similarity), items, step)
    found.set_candidates(
        np.arange(len(similarity)), Candidates(np.array(target), np.array(similarity), np.array(unlisted))
    )
    return found


def test_a_bid_raises_the_price_to_the_second_best_and_a_step():
    found = auction([[0.9, 0.5], [0.8, 0.1]], [[0, 1], [0, 1]], [-1.0, -1.0], 3)
    found.run(np.arange(2))
    assert found.price.tolist() == pytest.approx([0.8, 0.5, 0.0])
    assert found.holding.tolist() == [1, 0]
    assert found.holder.tolist() == [1, 0, -1]
    assert found.highest_gains().tolist() == pytest.approx([0.1, 0.0])


def test_the_highest_bid_wins():
    found = auction([[0.9, 0.5], [0.8, 0.1]], [[0, 1], [0, 1]], [-1.0, -1.0], 3)
    assert found._award(found._bids(np.arange(2))).tolist() == [0]
    assert found.price.tolist() == pytest.approx([0.8, 0.0, 0.0])
    assert found.holding.tolist() == [-1, 0]


def test_an_unlisted_item_is_a_second_best():
    found = auction([[0.9]], [[0]], [0.6], 2)
    found.run(np.array([0]))
    assert found.price.tolist() == pytest.approx([0.4, 0.0])
    assert found.highest_gains().tolist() == pytest.approx([0.6])


def test_who_may_do_better_outside_its_list_leaves():
    found = auction([[0.9], [0.7]], [[0], [0]], [0.6, 0.6], 2)
    found.run(np.arange(2))
    assert found.holding.tolist() == [0, -1]
    assert found.price.tolist() == pytest.approx([0.4, 0.0])
    found.set_candidates(np.array([1]), Candidates(np.array([[1]]), np.array([[0.65]]), np.array([0.3])))
    found.run(np.array([1]))
    assert found.holding.tolist() == [0, 1]
    assert found.price.tolist() == pytest.approx([0.4, 0.45])
    assert found.highest_gains().tolist() == pytest.approx([0.6, 0.3])


def test_of_equal_bids_the_lowest_bidder_wins_and_an_outbid_bidder_bids_again():
    found = auction([[0.9, 0.8], [0.9, 0.8]], [[0, 1], [0, 1]], [0.0, 0.0], 2)
    found.run(np.arange(2))
    assert found.holding.tolist() == [0, 1]
    assert found.price.tolist() == pytest.approx([0.2, 0.2])


@pytest.mark.parametrize(("below", "bids"), [(0.0, True), (ROUNDING, True), (1.01 * ROUNDING, False)])
def test_rounding_does_not_keep_a_bidder_from_its_best(below, bids):
    found = auction([[0.5 - below]], [[0]], [0.5], 2)
    found.run(np.array([0]))
    assert found.holding.tolist() == [0 if bids else -1]
    assert found.price[0] == pytest.approx(0.1 if bids else 0.0)


def random_problem(seed, texts=60, left=40, right=55, dimension=8):
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(texts, dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, random.integers(0, texts, (left, 2)), random.integers(0, texts, (right, 2))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("candidates", [1, 2, 4])
@pytest.mark.parametrize("cells", [0, 10**9])
def test_the_bounds_hold_with_few_candidates(seed, candidates, cells):
    vectors, left, right = random_problem(seed)
    exact = assign(vectors, left, right, gap=1e-2)
    memory = assignment.DENSE_BYTES * len(left) * len(right) - 1
    with patch.object(assignment, "CANDIDATES", candidates), patch.object(layout, "EDGES_WORTH_CELLS", cells):
        found = assign(vectors, left, right, gap=1e-2, memory=memory)
    assert found.total <= exact.total + 1e-9 <= found.upper + 2e-9
    assert found.upper - found.total <= 1e-2 * len(left)
    assert found.upper - found.total > 0.0


@pytest.mark.parametrize("most", [1, 2, 7])
@pytest.mark.parametrize("cells", [0, 10**9])
@pytest.mark.parametrize("seed", range(5))
def test_candidates_are_worth_most_and_what_is_unlisted_is_bounded(seed, most, cells):
    vectors, left, right = random_problem(seed)
    price = np.random.default_rng(seed).uniform(0, 0.8, len(right)).astype(np.float32)
    price[::3] = 0.0
    queries = np.array([3, 30, 0, 17])
    with patch.object(layout, "EDGES_WORTH_CELLS", cells):
        sides = lay_out(vectors, left, right, 2**20)
    found = find_candidates(vectors, sides, queries, price, most=most, memory=2**20, answered=lambda _: None)
    assert found.target.shape == (4, most)
    for line, query in enumerate(queries):
        similarity = edge_similarities(vectors, np.repeat(left[[query]], len(right), axis=0), right)
        worth = similarity - price
        listed = found.target[line]
        np.testing.assert_allclose(found.similarity[line], similarity[listed], atol=sides.band)
        best = np.sort(worth)[::-1]
        np.testing.assert_allclose(np.sort(worth[listed])[::-1], best[:most], atol=2 * sides.band)
        assert np.delete(worth, listed).max() <= found.unlisted[line] + sides.band
        assert found.unlisted[line] <= worth[listed].min() + sides.band


@pytest.mark.parametrize("blocks", [1, 30])
def test_the_bound_allows_for_the_error_of_float32(blocks):
    """Vectors a little shorter than 1 have float32 products below their cosines: the wrong edge looks better."""
    long, short = np.array([0.5, np.sqrt(0.75), 0.0]), np.array([0.50001, 0.0, np.sqrt(1 - 0.50001**2)])
    rows = np.zeros((3 * blocks, 3 * blocks))
    for block in range(blocks):
        place = slice(3 * block, 3 * block + 3)
        rows[place, place] = [[1.0, 0.0, 0.0], long, short * (1 - 4.9e-5)]
    vectors = rows.astype(np.float32)
    left = np.array([[3 * block] * 2 for block in range(blocks)])
    right = np.array([[3 * block + end] * 2 for block in range(blocks) for end in (1, 2)])
    exact = assign(vectors, left, right, gap=1e-6)
    assert exact.total == pytest.approx(0.50001 * blocks, abs=1e-7 * blocks)
    memory = max(least_memory(len(left), len(right)), assignment.DENSE_BYTES * len(left) * len(right) - 1)
    found = assign(vectors, left, right, gap=1e-6, memory=memory)
    assert found.total == pytest.approx(0.5 * blocks, abs=1e-7 * blocks)
    assert exact.total <= found.upper <= exact.total + 3e-4 * blocks


@pytest.mark.parametrize("gap", [1.5, float("inf"), -1.0])
def test_a_gap_is_at_most_1(gap):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        assign(np.eye(2, dtype=np.float32), np.array([[0, 1]]), np.array([[0, 1]]), gap=gap)


def test_the_band_is_the_formula():
    unit = 2.0**-24
    assert error_band(384, np.ones(1)) == 384 * unit / (1 - 384 * unit) + ROUNDING
    assert 4 * unit == ROUNDING
    slack = 1e-4
    band = error_band(10, np.array([1.0, 1 - slack]))
    assert band == pytest.approx((10 * unit / (1 - 10 * unit) + ROUNDING) * (1 + slack) + slack, rel=1e-12)
