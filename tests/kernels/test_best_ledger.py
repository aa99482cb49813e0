"""The ledger compares in float64 what may be the best within the error band, and only that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels.edges import ledgers as module
from goldassay.kernels.edges.layout import lay_out
from goldassay.kernels.edges.ledgers import BestLedger

BAND = 0.05


def ledger_of(anchor, others):
    """One query at (1, 0), (1, 0); targets with one source and several targets, at these cosines of the query's ends."""
    cosines = np.array([1.0, anchor, *others])
    vectors = np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1).astype(np.float32)
    targets = np.array([[1, row] for row in range(2, len(cosines))])
    layout = lay_out(vectors, np.array([[0, 0]]), targets, 2**20)
    blank = BestLedger.blank(vectors, layout)
    assert layout.right.rank.tolist() == list(range(len(others)))
    return BestLedger(**{**vars(blank), "band": BAND, "anchor": 0})


def learnt(ledger, anchors, others):
    """What becomes of the query if products in float32 say this of the targets."""
    rows = np.arange(len(others))
    ledger.learn(np.array([0]), rows, *(np.array(some, dtype=np.float32)[:, None] for some in (anchors, others)))
    ledger.settle()
    return ledger.counterpart.tolist(), ledger.best.round(6).tolist()


def test_what_the_band_leaves_open_is_decided_in_float64():
    # The first looks better by nearly twice the band, and is worse.
    ledger = ledger_of(0.9, [0.75, 0.76])
    assert learnt(ledger, [0.9, 0.9], [0.799, 0.711]) == ([1], [0.76])


def test_what_is_worse_by_more_than_twice_the_band_is_not_compared():
    ledger = ledger_of(0.9, [0.75, 0.76])
    assert learnt(ledger, [0.9, 0.9], [0.8, 0.69]) == ([0], [0.75])


def test_ties_of_one_anchor_are_left_out_only_where_the_anchor_is_certainly_the_less_similar_end():
    # Both ends are as similar as their anchor, it seems, by nearly twice the band; yet the other ends decide.
    ledger = ledger_of(0.85, [0.83, 0.84])
    assert learnt(ledger, [0.801, 0.801], [0.88, 0.89]) == ([1], [0.84])


def test_ties_of_one_anchor_go_to_the_first():
    ledger = ledger_of(0.5, [0.9, 0.95])
    assert learnt(ledger, [0.5, 0.5], [0.9, 0.95]) == ([0], [0.5])


def test_what_is_worse_does_not_win_by_coming_first():
    # The second target is known when the first, whose rank is lower, is shown.
    ledger = ledger_of(0.9, [0.75, 0.76])
    for row in (1, 0):
        ledger.learn(np.array([0]), np.array([row]), *np.float32([[[0.9]], [[0.75]]]))
        ledger.settle()
    assert (ledger.counterpart.tolist(), ledger.best.round(6).tolist()) == ([1], [0.76])


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.booleans()), max_size=12))
def test_only_pairs_that_repeat_their_neighbour_are_left_out(pairs):
    pairs = sorted(pairs)
    ledger = ledger_of(0.5, [0.9])
    ledger.target.ends.resize((3, 2), refcheck=False)
    ledger.target.ends[:] = [[5, 0], [5, 1], [6, 2]]
    query, targets = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    capped = np.array([pair[2] for pair in pairs], dtype=np.bool_)
    anchors = [5, 5, 6]
    wanted = [
        row == 0
        or not (
            pairs[row][2]
            and pairs[row - 1][2]
            and pairs[row][0] == pairs[row - 1][0]
            and anchors[pairs[row][1]] == anchors[pairs[row - 1][1]]
        )
        for row in range(len(pairs))
    ]
    assert ledger._leads_its_ties(query, targets, capped).tolist() == wanted


@pytest.mark.parametrize(("known", "found", "kept"), [(-1, 1, 1), (0, 1, 0), (1, 0, 0), (2, 1, 1)])
def test_of_equally_similar_targets_the_first_by_rank_wins(known, found, kept):
    ledger = ledger_of(0.5, [0.9, 0.95, 0.97])
    ledger.counterpart[:] = known
    ledger.best[:] = 0.5
    ledger._update(np.array([0]), np.array([found]), np.array([0.5]))
    assert ledger.counterpart.tolist() == [kept]


def test_what_was_surpassed_meanwhile_is_not_decided(monkeypatch):
    ledger = ledger_of(0.9, [0.5, 0.6, 0.75])
    decided = []
    exact = module.edge_similarities
    monkeypatch.setattr(
        module, "edge_similarities", lambda vectors, *edges: (decided.append(len(edges[0])), exact(vectors, *edges))[1]
    )
    for row, other in enumerate([0.5, 0.6, 0.75]):
        ledger.learn(np.array([0]), np.array([row]), np.array([[0.9]], "f4"), np.array([[other]], "f4"))
    assert ledger.floor(np.array([0])).tolist() == [np.float32(0.75) - np.float32(2 * BAND)]
    ledger.settle()
    ledger.settle()
    assert (decided, ledger.counterpart.tolist()) == ([1], [2])


def test_what_waits_is_decided_before_it_is_too_much(monkeypatch):
    monkeypatch.setattr(module, "WAITING", 1)
    ledger = ledger_of(0.9, [0.75, 0.76, 0.77])
    for row in range(3):
        ledger.learn(np.array([0]), np.array([row]), np.array([[0.9]], "f4"), np.array([[0.75 + row / 100]], "f4"))
    assert ledger.waiting.pairs == 1, "two were decided when the second came"
    assert ledger.counterpart.tolist() == [1]
    ledger.settle()
    assert ledger.counterpart.tolist() == [2]


def test_nothing_is_compared_with_a_query_that_has_an_equal_edge():
    vectors = np.eye(2, dtype=np.float32)
    ledger = BestLedger.blank(vectors, lay_out(vectors, np.array([[0, 1], [1, 0]]), np.array([[0, 1]]), 2**20))
    ledger.match_equals()
    assert ledger.floor(np.arange(2)).tolist() == [np.inf, -np.inf]
