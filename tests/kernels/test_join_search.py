"""The search of a join lists the pairs that may meet, and compares them anew where a first sight leaves too many in doubt."""

import tracemalloc

import numpy as np
import pytest

from goldassay.kernels import threads
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges import join as join_kernel
from goldassay.kernels.edges import join_ledger
from goldassay.kernels.edges import join_search as kernel
from goldassay.kernels.edges.join import edge_join
from goldassay.kernels.edges.join_ledger import JoinLedger
from goldassay.kernels.edges.join_search import Products, join_search
from goldassay.kernels.edges.layout import lay_out
from goldassay.kernels.search import by_cell

BAND = 0.125


def units(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def problem(seed=0, texts=60, edges=90, dimension=6):
    rng = np.random.default_rng(seed)
    vectors = units(rng.standard_normal((texts, dimension)))
    return vectors, *(np.unique(rng.integers(0, texts, (edges, 2)), axis=0) for _ in range(2))


def similarities(vectors, layout):
    """All of them, in the order of both sides, by a plain loop."""
    left, right = (edges.ends for edges in (layout.left, layout.right))
    return np.array([[min(pair_cosines(vectors, a, b)) for b in right] for a in left])


class Coarse(Products):
    """Cosines that are wrong by up to their band; counts how often they are asked for."""

    asked = 0

    def cosines(self, left, right):
        object.__setattr__(self, "asked", self.asked + 1)
        exact = super().cosines(left, right)
        wrong = np.random.default_rng(len(left)).uniform(-self.band, self.band, exact.shape)
        return (exact + 0.99 * wrong).astype(np.float32)


def searched(sights, vectors, pred, gold, threshold=0.5, *, inclusive=False, **options):
    layout = lay_out(vectors, pred, gold, 2**20)
    ledger = JoinLedger.blank(vectors, layout, threshold, inclusive=inclusive)
    tasks = [(layout.left_side, layout.right_side)]
    join_search(sights, tasks, ledger, memory=2**20, answered=lambda _: None, **options)
    return layout, ledger


@pytest.mark.parametrize("at_once", [0, 5, 2**16])
@pytest.mark.parametrize("block", [1, 4, 128])
def test_what_is_certain_is_recorded_on_both_sides(at_once, block, monkeypatch):
    monkeypatch.setattr(kernel, "BLOCK", block)
    monkeypatch.setattr(kernel, "PAIRS_AT_ONCE", at_once)
    vectors, pred, gold = problem()
    layout, ledger = searched([Products(vectors, BAND)], vectors, pred, gold, certain=True)
    sure = similarities(vectors, layout) > 0.5 + BAND
    assert 0 < sure.any(axis=1).sum() < len(pred)
    assert (ledger.query_witness >= 0).tolist() == sure.any(axis=1).tolist()
    for target, query in enumerate(ledger.target_witness):
        assert query == -1 or sure[query, target]
    # Of all pairs at once none is left out.
    if at_once == 2**16:
        assert (ledger.target_witness >= 0).tolist() == sure.any(axis=0).tolist()


@pytest.mark.parametrize("finer", [False, True])
@pytest.mark.parametrize("at_once", [0, 2**16])
def test_a_coarse_sight_changes_no_verdict(finer, at_once, monkeypatch):
    monkeypatch.setattr(kernel, "PAIRS_AT_ONCE", at_once)
    vectors, pred, gold = problem(1)
    sights = [Coarse(vectors, BAND), *[Products(vectors, 1e-5)] * finer]
    layout, ledger = searched(sights, vectors, pred, gold)
    meets = similarities(vectors, layout) > 0.5
    assert (ledger.query_witness >= 0).tolist() == meets.any(axis=1).tolist()
    assert all(meets[query, target] for query, target in enumerate(ledger.query_witness) if target >= 0)


@pytest.mark.parametrize(("pairs", "decided"), [(1, True), (10**9, False)])
def test_where_too_many_pairs_are_in_doubt_they_are_compared_in_float32(pairs, decided, monkeypatch):
    asked = []
    monkeypatch.setattr(kernel, "PAIRS_PER_DECISION", pairs)
    monkeypatch.setattr(join_ledger, "pair_cosines", lambda *given: asked.append(len(given[1])) or pair_cosines(*given))
    vectors, pred, gold = problem(2)
    coarse, fine = Coarse(vectors, BAND), Coarse(vectors, 1e-5)
    searched([coarse, fine], vectors, pred, gold)
    assert coarse.asked
    assert bool(fine.asked) != decided
    assert (sum(asked) > len(pred)) == decided


def test_a_query_that_met_a_target_is_asked_no_more(monkeypatch):
    monkeypatch.setattr(kernel, "BLOCK", 1)
    monkeypatch.setattr(kernel, "PAIRS_AT_ONCE", 0)
    vectors = units(np.array([[1.0, 0.0], [1.0, 0.01], [1.0, 0.02], [1.0, 0.03]]))
    sight = Coarse(vectors, 1e-5)
    searched([sight], vectors, np.array([[0, 0]]), np.array([[1, 1], [2, 2], [3, 3]]))
    # The anchors, and the first block.
    assert sight.asked == 2


def test_each_edge_is_compared_with_those_of_its_cell():
    vectors, pred, gold = problem(3)
    layout = lay_out(vectors, pred, gold, 2**20)
    for side in (layout.left_side, layout.right_side):
        side.cell[:] = np.sort(np.arange(len(side)) % 4)
    tasks = by_cell(layout.left_side, layout.right_side, 4)
    assert [[set(side.cell.tolist()) for side in task] for task in tasks] == [[{n}, {n}] for n in range(4)]
    assert sum(len(query) for query, _ in tasks) == len(layout.left_side)


@pytest.mark.parametrize("rough", [False, True])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_number_of_threads_moves_no_verdict(workers, rough, monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: workers)
    monkeypatch.setattr(join_kernel, "PAIRS_WORTH_ROUNDING", 0 if rough else 10**9)
    monkeypatch.setattr("goldassay.kernels.search.SMALLEST_STRIP", 8)
    monkeypatch.setattr("goldassay.kernels.edges.layout.EDGES_WORTH_CELLS", 0)
    vectors, pred, gold = problem(4)
    cosines = vectors.astype(np.float64) @ vectors.T
    pairs = np.minimum(cosines[np.ix_(pred[:, 0], gold[:, 0])], cosines[np.ix_(pred[:, 1], gold[:, 1])])
    # A threshold that is the similarity of a pair: within the band of it, and not enough.
    threshold = float(pair_cosines(vectors, pred[:1, 0], gold[:1, 0])[0])
    threshold = min(threshold, float(pair_cosines(vectors, pred[:1, 1], gold[:1, 1])[0]))
    for inclusive in (False, True):
        meets = pairs >= threshold - 1e-12 if inclusive else pairs > threshold + 1e-12
        join = edge_join(vectors, pred, gold, threshold=threshold, inclusive=inclusive, memory=2**20)
        assert join.hit_pred.tolist() == meets.any(axis=1).tolist()
        assert join.hit_gold.tolist() == meets.any(axis=0).tolist()


def test_where_all_pairs_are_near_they_are_not_listed_all_at_once():
    rng = np.random.default_rng(0)
    vectors = units(rng.standard_normal((4000, 2)) * 0.1 + 1.0)
    pred, gold = np.column_stack([np.arange(2000)] * 2), np.column_stack([np.arange(2000, 4000)] * 2)
    tracemalloc.start()
    try:
        assert edge_join(vectors, pred, gold, threshold=0.5).hit_gold.all()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Listed all at once, four million pairs take 280 MB; their products take 16 MB of the 34 MB that are used.
    assert peak < 100 * 2**20
