"""The ledger of candidates keeps those of the highest worth, and bounds what it leaves out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels.edges.candidates import CandidateLedger, find_candidates
from goldassay.kernels.edges.layout import lay_out

WORTHS = st.lists(st.lists(st.integers(-8, 8), min_size=5, max_size=5), min_size=1, max_size=4)


@given(WORTHS, st.lists(st.integers(0, 4), min_size=5, max_size=5), st.integers(1, 4))
def test_the_highest_worths_are_kept_and_bound_the_others(rows, price, most):
    values, price = np.array(rows, dtype=np.float32).T, np.array(price, dtype=np.float32)
    queries = np.arange(len(rows))
    ledger = CandidateLedger.blank(np.full(len(rows), -100, dtype=np.float32), price, most)
    for part in (np.array([0, 1, 2]), np.array([3, 4])):
        ledger.learn(queries, part, values[part].copy(), np.full((len(part), len(rows)), 100, dtype=np.float32))
    worths = (values - price[:, None]).T
    for row, worth in enumerate(worths):
        assert sorted(ledger.worth[row], reverse=True) == sorted(worth, reverse=True)[:most]
        assert len(set(ledger.target[row])) == most
        assert worth[ledger.target[row]].tolist() == ledger.worth[row].tolist()
        assert ledger.unlisted(np.array([row])) == sorted(worth, reverse=True)[most - 1]


def test_the_next_number_above_the_bound_is_listed_and_the_bound_is_not():
    least = np.float32(0.5)
    above = np.nextafter(least, np.float32(1))
    for value, kept in ((least, [-1]), (above, [0])):
        ledger = CandidateLedger.blank(np.array([least]), np.zeros(1, dtype=np.float32), 1)
        ledger.learn(np.array([0]), np.array([0]), np.array([[value]]), np.array([[np.float32(1)]]))
        assert ledger.target[0].tolist() == kept


@pytest.mark.parametrize("cells", [1, 2])
def test_where_there_are_fewer_nothing_is_invented(cells, monkeypatch):
    monkeypatch.setattr("goldassay.kernels.edges.layout.EDGES_WORTH_CELLS", 0 if cells > 1 else 10**9)
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    layout = lay_out(vectors, np.array([[0, 2], [1, 1]]), np.array([[2, 2], [1, 2]]), 2**20)
    price = np.array([0.0, 0.25], dtype=np.float32)
    found = find_candidates(
        vectors, layout, np.array([1, 0]), price, most=3, memory=2**20, answered=lambda number: None
    )
    for targets, similarities, wanted in zip(
        found.target, found.similarity, ({0: 0.6, 1: 0.6}, {0: 0.0, 1: 0.8}), strict=True
    ):
        kept = {t: round(float(s), 5) for t, s in zip(targets.tolist(), similarities, strict=True) if t >= 0}
        assert kept == wanted
        assert min(targets.tolist()) == -1
        assert similarities[targets < 0].tolist() == [-np.inf]
    assert found.unlisted.tolist() == [-np.inf, -np.inf]


@pytest.mark.parametrize("most", [1, 6, 20])
def test_of_many_the_highest_worths_are_kept(most):
    values = np.random.default_rng(most).permutation(np.linspace(-1, 1, 4000)).astype(np.float32)
    ledger = CandidateLedger.blank(np.full(1, -9, dtype=np.float32), np.zeros(4000, dtype=np.float32), most)
    ledger.learn(np.array([0]), np.arange(4000), values[:, None].copy(), np.ones((4000, 1), dtype=np.float32))
    assert sorted(ledger.target[0].tolist()) == sorted(np.argsort(-values)[:most].tolist())
