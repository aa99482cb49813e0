"""What the error band of float32 leaves open is decided in float64, at both ends of the band."""

from dataclasses import replace

import numpy as np
import pytest

from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges import ledgers
from goldassay.kernels.edges.join import edge_join
from goldassay.kernels.edges.layout import lay_out
from goldassay.kernels.edges.ledgers import JoinLedger

# Rows 0 and 1 have a cosine of exactly one half.
HALVES = np.array([[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, -0.5]], dtype=np.float32)
BAND = 0.0625


def ledger_of(*, inclusive):
    layout = lay_out(HALVES, np.array([[0, 0]]), np.array([[1, 1]]), 2**20)
    return JoinLedger.blank(HALVES, layout, 0.5, inclusive=inclusive)


@pytest.mark.parametrize("inclusive", [True, False])
@pytest.mark.parametrize("value", [0.5 - BAND, 0.5, 0.5 + BAND])
def test_a_similarity_within_the_band_is_decided_in_float64(value, inclusive):
    ledger, row = ledger_of(inclusive=inclusive), np.array([0])
    doubtful = ledger.learn(row, row, np.array([value], dtype=np.float32), BAND)
    assert [part.tolist() for part in doubtful] == [[0], [0]]
    assert ledger.query_witness[0] == ledger.target_witness[0] == -1
    ledger.decide(*doubtful)
    assert (ledger.query_witness[0] == 0) == (ledger.target_witness[0] == 0) == inclusive


def test_a_similarity_beyond_the_band_needs_no_float64():
    ledger, row = ledger_of(inclusive=False), np.array([0])
    doubtful = ledger.learn(row, row, np.array([np.nextafter(np.float32(0.5 + BAND), np.float32(1))]), BAND)
    assert [len(part) for part in doubtful] == [0, 0]
    assert ledger.query_witness.tolist() == ledger.target_witness.tolist() == [0]


def test_within_the_band_a_pair_is_decided_if_its_query_still_has_no_witness():
    edges = np.array([[0, 0], [1, 1]])
    ledger = JoinLedger.blank(HALVES, lay_out(HALVES, edges, edges, 2**20), 0.5, inclusive=False)
    queries, targets = np.array([0, 1, 1]), np.array([0, 0, 1])
    doubtful = ledger.learn(queries, targets, np.array([0.5, 0.9, 0.5], dtype=np.float32), BAND)
    assert [part.tolist() for part in doubtful] == [[0], [0]]
    ledger.decide(*doubtful)
    assert ledger.query_witness.tolist() == [0, 0]
    assert ledger.target_witness[1] == -1


@pytest.mark.parametrize("seed", range(6))
def test_where_float32_is_on_the_wrong_side_of_the_threshold_the_exact_cosine_decides(seed):
    rows = np.random.default_rng(seed).standard_normal((40, 384))
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    products, exact = np.vecdot(vectors[:20], vectors[20:]), pair_cosines(vectors, np.arange(20), np.arange(20, 40))
    wrong = int(np.abs(products - exact).argmax())
    ends = np.array([[wrong, wrong]]), np.array([[20 + wrong, 20 + wrong]])
    threshold = float(products[wrong] + exact[wrong]) / 2
    ledger = JoinLedger.blank(vectors, lay_out(vectors, *ends, 2**20), threshold, inclusive=False)
    ledger.decide(np.array([0]), np.array([0]))
    assert (ledger.query_witness[0] == 0) == (exact[wrong] > threshold) != (products[wrong] > threshold)


@pytest.mark.parametrize(("apart", "asked"), [(0.99, 1), (1.01, 0)])
@pytest.mark.parametrize("side", [-1, 1])
def test_float32_decides_only_beyond_its_band(side, apart, asked, monkeypatch):
    compared = []
    monkeypatch.setattr(ledgers, "pair_cosines", lambda *rows: compared.append(len(rows[1])) or pair_cosines(*rows))
    ledger = replace(ledger_of(inclusive=False), band=2.0**-10)
    ledger = replace(ledger, threshold=0.5 + side * apart * ledger.band)
    ledger.decide(np.array([0]), np.array([0]))
    assert compared[0] == asked
    assert (ledger.query_witness[0] == 0) == (side < 0)


@pytest.mark.parametrize("edge", [[0, 1], [1, 0]])
def test_both_ends_of_a_pair_have_to_be_similar(edge):
    """One end is the same, the other has a cosine of one half."""
    ledger = JoinLedger.blank(
        HALVES, lay_out(HALVES, np.array([[0, 0]]), np.array([edge]), 2**20), 0.5, inclusive=False
    )
    ledger.decide(np.array([0]), np.array([0]))
    assert ledger.query_witness.tolist() == [-1]


def test_edges_are_reported_apart_by_their_witness():
    edges = np.array([[0, 0], [1, 1]])
    layout = lay_out(HALVES, edges, edges[:1], 2**20)
    ledger = JoinLedger.blank(HALVES, layout, 0.5, inclusive=False)
    ledger.match_equals()
    assert ledger.with_witness(layout.left_side).anchor.tolist() == [0]
    assert ledger.without_witness(layout.left_side).anchor.tolist() == [1]


@pytest.mark.parametrize(
    ("threshold", "inclusive", "asked"), [(1.0, False, 0), (1.0, True, 1), (1.5, True, 0), (0.9, False, 1)]
)
def test_nothing_is_compared_that_cannot_match(threshold, inclusive, asked):
    message = []
    edge_join(
        HALVES, np.array([[0, 1]]), np.array([[0, 1]]), threshold=threshold, inclusive=inclusive,
        progress=lambda stage, done, total: message.append((done, total)),
    )  # fmt: skip
    assert bool(message) == asked
    if asked:
        assert message[-1] == (2, 2)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_an_edge_that_matched_the_first_of_the_other_side_is_shown_to_all_of_them(order, monkeypatch):
    """It finds its witness in the first block, and is the only one that those of the next blocks can match."""
    from goldassay.kernels import search
    from goldassay.kernels.edges import join_search

    monkeypatch.setattr(join_search, "BLOCK", 1)
    monkeypatch.setattr(join_search, "PAIRS_AT_ONCE", 0)
    monkeypatch.setattr(search, "QUERY_TILE", 1)
    angles = np.array([0.0, 0.1, -0.1, 0.2])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    gold = np.array([[1, 1], [2, 2], [3, 3]])[list(order)]
    join = edge_join(vectors, np.array([[0, 0]]), gold, threshold=0.9)
    assert join.hit_gold.all()
    assert join.witness_gold.tolist() == [0, 0, 0]


@pytest.mark.parametrize("inclusive", [None, False, True])
def test_a_cosine_at_the_threshold_is_enough_only_if_that_is_reported(inclusive):
    given = {} if inclusive is None else {"inclusive": inclusive}
    join = edge_join(HALVES, np.array([0]), np.array([1]), threshold=0.5, **given)
    assert join.hit_pred.tolist() == join.hit_gold.tolist() == [bool(inclusive)]
