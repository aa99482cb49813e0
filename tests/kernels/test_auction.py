"""The auction by hand, and the bound of the assignment on problems made to break it."""

from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from goldassay.kernels.cosine import ROUNDING, edge_similarities, error_band
from goldassay.kernels.edges import assignment, layout
from goldassay.kernels.edges.assignment import assign, least_memory
from goldassay.kernels.edges.auction import BIDS, Auction, find_prices
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
    assert found.award(found._bids(np.arange(2))).tolist() == [0]
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


def watched(candidates=4, **options):
    """Assign a random problem by auction, and give what it did: the auction, the rounds, the parts solved exactly."""
    vectors, left, right = random_problem(0)
    auctions, rounds, parts = [], [], []

    def start(*arguments, whole=Auction.start):
        auctions.append(whole(*arguments))
        return auctions[-1]

    def find(*arguments, whole=find_candidates, **named):
        rounds.append((len(arguments[2]), named["most"]))
        return whole(*arguments, **named)

    def dense(vectors, here, there, whole=assignment._dense):
        parts.append((len(here), len(there)))
        return whole(vectors, here, there)

    with (
        patch.object(assignment, "CANDIDATES", candidates),
        patch.object(assignment.Auction, "start", start),
        patch.object(assignment, "find_candidates", find),
        patch.object(assignment, "_dense", dense),
    ):
        found = assign(vectors, left, right, **options)
    return found, auctions, rounds, parts


BELOW_DENSE = assignment.DENSE_BYTES * 40 * 55 - 1


def test_the_bound_is_the_sum_of_prices_and_gains_and_the_error_of_each_bidder():
    found, (auction,), _, _ = watched(gap=1e-2, memory=BELOW_DENSE)
    vectors, left, right = random_problem(0)
    error = lay_out(vectors, left, right, BELOW_DENSE).band + ROUNDING
    assert auction.step == 1e-2 / 2
    assert found.upper == pytest.approx(auction.price.sum() + auction.highest_gains().sum() + 40 * error, abs=1e-12)


def test_the_auction_ends_when_the_gap_is_closed():
    wide, _, rounds, _ = watched(candidates=1, gap=1.0, memory=BELOW_DENSE)
    assert rounds == [(40, 1)]
    assert 0.1 < (wide.upper - wide.total) / 40 <= 1.0
    narrow, _, rounds, _ = watched(candidates=1, gap=0.1, memory=BELOW_DENSE)
    assert (narrow.upper - narrow.total) / 40 <= 0.1
    assert len(rounds) > 1
    # Whoever has no item asks again, for twice as many candidates.
    assert [most for _, most in rounds] == [2**number for number in range(len(rounds))]
    assert all(0 < later < earlier for (earlier, _), (later, _) in pairwise(rounds))


@pytest.mark.parametrize("lists", [2, 3, 5])
def test_lists_are_as_long_as_memory_has_room_for_and_two_at_the_least(lists):
    memory = assignment.CANDIDATE_BYTES * 40 * lists
    assert watched(candidates=32, gap=1.0, memory=memory)[2][0] == (40, lists)
    if lists > 2:
        assert watched(candidates=32, gap=1.0, memory=memory - 1)[2][0] == (40, lists - 1)


def test_lists_hold_no_more_than_there_are_items():
    vectors, left, right = random_problem(0, left=40, right=41)
    memory = assignment.DENSE_BYTES * 40 * 41 - 1
    with patch.object(assignment, "CANDIDATES", 100), patch.object(assignment, "CANDIDATE_BYTES", 1):
        found = assign(vectors, left, right, gap=1e-2, memory=memory)
    assert found.upper - found.total <= 1e-2 * 40


def test_what_is_left_over_is_solved_in_parts_that_fit_into_memory():
    memory = least_memory(40, 55)
    _, _, _, parts = watched(candidates=1, gap=1.0, memory=memory)
    assert len(parts) > 1
    for here, free in parts:
        assert assignment.DENSE_BYTES * here * free <= memory or here == 1
    _, _, _, (part,) = watched(candidates=1, gap=1.0, memory=BELOW_DENSE)
    assert part[0] > 2


def test_the_least_memory_is_enough_and_what_fits_is_solved_exactly():
    vectors, left, right = random_problem(0)
    best = assign(vectors, left, right, gap=1.0)
    assert best.upper == best.total
    at = assign(vectors, left, right, gap=1.0, memory=BELOW_DENSE + 1)
    assert at.upper == at.total == best.total
    below = assign(vectors, left, right, gap=1.0, memory=BELOW_DENSE)
    assert below.upper > below.total
    assert assign(vectors, left, right, gap=1.0, memory=least_memory(40, 55)).total <= best.total
    with pytest.raises(ValueError, match="too few"):
        assign(vectors, left, right, gap=1.0, memory=least_memory(40, 55) - 1)


@pytest.mark.parametrize("loop", ["left", "right", "both", "none"])
def test_both_ends_count_unless_all_edges_are_loops(loop):
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    loops, edges = np.array([[0, 0], [1, 1]]), np.array([[0, 2], [1, 0], [2, 1]])
    left = loops if loop in ("left", "both") else edges[:2]
    right = loops[:, ::-1] if loop in ("right", "both") else edges
    found = assignment._similarities(vectors, left, right)
    exact = vectors.astype(float)
    wanted = [[min(exact[a] @ exact[c], exact[b] @ exact[d]) for c, d in right] for a, b in left]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


@pytest.mark.parametrize("below", [0.0, 1.0])
def test_the_allowance_for_rounding_is_exact(below):
    """A bidder at exactly the allowance bids still."""
    found = auction([[0.0]], [[0]], [ROUNDING if below == 0.0 else np.nextafter(ROUNDING, 1)], 2)
    found.run(np.array([0]))
    assert found.holding.tolist() == [0 if below == 0.0 else -1]


@pytest.mark.parametrize(("memory", "wanted"), [(1, [0, 1]), (4 * 32 - 1, [0, 1]), (4 * 32, [1, 0])])
def test_what_the_auction_left_is_completed_as_far_at_once_as_the_memory_allows(memory, wanted):
    """One after the other, the first takes what is best for it only, and leaves the worse to the second."""
    angles = np.array([0.0, -0.9, -0.1, 0.3])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    left, right = (np.array([[row, row] for row in rows]) for rows in ((0, 1), (2, 3)))
    assert assignment._complete(vectors, left, right, np.array([-1, -1]), memory).tolist() == wanted


@pytest.mark.parametrize(("left", "right", "least"), [(1, 1, 32), (2, 3, 96), (3, 2, 96), (0, 5, 0)])
def test_the_least_memory_is_that_of_a_matrix_or_of_two_candidates_each(left, right, least):
    assert least_memory(left, right) == least


@pytest.mark.parametrize(("right", "priced"), [(40, True), (42, True), (43, False)])
@pytest.mark.parametrize("seed", range(3))
def test_prices_change_no_assignment(seed, right, priced):
    """Also where items are left over: those without a bidder, and edges that are there twice."""
    vectors, here, there = random_problem(seed, left=40, right=right)
    here[5], there[7:9] = here[4], there[6]
    similarity = assignment._similarities(vectors, here, there)
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    asked = []
    with (
        patch.object(assignment, "WORTH_PRICES", 40),
        patch.object(assignment, "find_prices", lambda worth: asked.append(worth) or find_prices(worth)),
    ):
        found = assignment._dense(vectors, here, there)
    assert similarity[rows, found].sum() == pytest.approx(similarity[rows, columns].sum(), abs=1e-12)
    assert sorted(set(found)) == sorted(found)
    assert bool(asked) == priced


def test_few_edges_need_no_prices():
    vectors, here, there = random_problem(0, left=40, right=40)
    with (
        patch.object(assignment, "WORTH_PRICES", 41),
        patch.object(assignment, "find_prices", side_effect=AssertionError),
    ):
        assignment._dense(vectors, here, there)


def test_at_the_prices_most_bidders_want_an_item_of_their_own():
    vectors, here, there = random_problem(0, left=200, right=200)
    similarity = assignment._similarities(vectors, here, there)
    wanted = [len(set((similarity - price).argmax(axis=1))) for price in (0, find_prices(similarity))]
    assert wanted[0] < 120
    assert wanted[1] > 140


def test_bidders_who_all_want_the_same_stop_bidding():
    """One of them gets an item with each round of bids, so that all of them would bid as often as there are bidders."""
    rounds = []
    award = Auction.award
    with patch.object(Auction, "award", lambda self, bids: rounds.append(len(bids.item)) or award(self, bids)):
        find_prices(np.ones((100, 100)))
    assert BIDS * 100 <= sum(rounds) < (BIDS + 1) * 100


def test_the_example_of_find_prices():
    assert find_prices(np.array([[0.9, 0.1], [0.8, 0.5]])).round(2).tolist() == [0.83, 0.55]
