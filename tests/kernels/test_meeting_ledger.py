"""Matching pairs are recorded as far as there is room, the most similar first, and what may be missing is marked."""

import numpy as np
import pytest

from goldassay.kernels.edges.ledgers import MeetingLedger, _choose_first

# Rows 0 and 1 have a cosine of exactly one half.
HALVES = np.array([[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, -0.5]], dtype=np.float32)
BAND = 0.0625


def ledger_of(queries, targets, *, inclusive=False):
    """A ledger of so much room; between each query and each target the similarity is one half, and so is the threshold."""
    return MeetingLedger(
        vectors=HALVES,
        query_ends=np.zeros((len(queries), 2), dtype=np.int64),
        target_ends=np.ones((len(targets), 2), dtype=np.int64),
        query_room=np.array(queries),
        target_room=np.array(targets),
        incomplete=np.zeros(len(queries), dtype=np.bool_),
        threshold=0.5,
        inclusive=inclusive,
        band=BAND,
    )


def learnt(ledger, products):
    """The pairs that are recorded if float32 says this: a row for each target, a column for each query."""
    messages = np.array(products, dtype=np.float32)
    targets, queries = map(np.arange, messages.shape)
    ledger.learn(queries, targets, messages, messages.copy())
    return sorted(map(tuple, np.concatenate(ledger.found).tolist()))


@pytest.mark.parametrize("inclusive", [True, False])
@pytest.mark.parametrize("product", [0.5 - BAND, 0.5, 0.5 + BAND])
def test_a_product_within_the_band_is_decided_in_float64(product, inclusive):
    ledger = ledger_of([2], [2], inclusive=inclusive)
    assert learnt(ledger, [[product]]) == ([(0, 0)] if inclusive else [])
    assert ledger.incomplete.tolist() == [False]


@pytest.mark.parametrize(("product", "pairs"), [(0.5 + 2 * BAND, [(0, 0)]), (0.5 - 2 * BAND, [])])
def test_a_product_beyond_the_band_needs_no_float64(product, pairs):
    assert learnt(ledger_of([2], [2], inclusive=not pairs), [[product]]) == pairs


def test_the_most_similar_are_recorded_first_and_a_full_query_is_incomplete():
    ledger = ledger_of([2], [1, 1, 1, 1])
    assert learnt(ledger, [[0.6], [0.9], [0.8], [0.7]]) == [(0, 1), (0, 2)]
    assert (ledger.query_room.tolist(), ledger.target_room.tolist()) == ([0], [1, 0, 0, 1])
    assert ledger.incomplete.tolist() == [True]
    assert ledger.floor(np.array([0])).tolist() == [np.inf]


def test_a_query_with_room_left_is_complete():
    ledger = ledger_of([3, 3], [3, 3, 3])
    assert learnt(ledger, [[0.6, 0.1], [0.7, 0.1], [0.1, 0.1]]) == [(0, 0), (0, 1)]
    assert ledger.query_room.tolist() == [1, 3]
    assert ledger.target_room.tolist() == [2, 2, 3]
    assert ledger.incomplete.tolist() == [False, False]
    assert ledger.floor(np.array([0, 1])).tolist() == [0.5 - BAND] * 2


def test_a_target_goes_to_the_queries_most_similar_to_it():
    ledger = ledger_of([2, 2, 2], [1])
    assert learnt(ledger, [[0.7, 0.9, 0.8]]) == [(1, 0)]
    assert ledger.incomplete.tolist() == [True, False, True]


@pytest.mark.parametrize("product", [0.9, 0.5 - BAND])
def test_a_full_target_leaves_its_place_to_the_next_and_is_not_forgotten(product):
    ledger = ledger_of([2], [0, 1])
    assert learnt(ledger, [[product], [0.8]]) == [(0, 1)]
    assert ledger.incomplete.tolist() == [True]


def test_a_full_target_takes_no_room_from_others():
    ledger = ledger_of([1], [0, 1])
    assert learnt(ledger, [[0.9], [0.8]]) == [(0, 1)]


def test_each_owner_gets_its_most_similar_entries():
    owner, similarity = np.array([1, 0, 1, 0, 1]), np.array([0.1, 0.2, 0.3, 0.4, 0.5], dtype=np.float32)
    for room, chosen in (([1, 2], {3, 4, 2}), ([0, 3], {4, 2, 0}), ([2, 1], {3, 1, 4})):
        assert {*_choose_first(owner, similarity, np.array(room)).tolist()} == chosen


@pytest.mark.parametrize("room", [1, 7])
def test_of_many_the_most_similar_are_recorded(room):
    products = np.random.default_rng(room).permutation(np.linspace(0.6, 0.9, 4000))
    nearest = np.argsort(-products)[:room].tolist()
    assert learnt(ledger_of([room], [1] * 4000), products[:, None]) == [(0, target) for target in sorted(nearest)]


def test_only_a_query_near_a_full_target_is_incomplete():
    ledger = ledger_of([2, 2, 2], [0, 1])
    learnt(ledger, [[0.1, 0.9, 0.1], [0.9, 0.1, 0.1]])
    assert ledger.incomplete.tolist() == [False, True, False]
