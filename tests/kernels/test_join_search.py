"""The search of a join lists the pairs that may match, and compares them anew where a first sight leaves too many in doubt."""

import tracemalloc

import numpy as np
import pytest

from goldassay.kernels import threads
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges import join_search as kernel
from goldassay.kernels.edges import layout as layout_kernel
from goldassay.kernels.edges.join import edge_join
from goldassay.kernels.edges.join_search import Products, even_step, join_cells, join_search, runs
from goldassay.kernels.edges.layout import lay_out
from goldassay.kernels.edges.ledgers import JoinLedger
from goldassay.kernels.search import pair_cells

BAND = 0.125


def units(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def problem(seed=0, texts=60, edges=90, dimension=6):
    rng = np.random.default_rng(seed)
    vectors = units(rng.standard_normal((texts, dimension)))
    return vectors, *(np.unique(rng.integers(0, texts, (edges, 2)), axis=0) for _ in range(2))


KNOWN = {}


def similarities(vectors, layout):
    """All of them, in the order of both sides, by a plain loop; once of the same input."""
    left, right = (edges.ends for edges in (layout.left, layout.right))
    asked = vectors.tobytes(), left.tobytes(), right.tobytes()
    if asked not in KNOWN:
        KNOWN[asked] = np.array([[min(pair_cosines(vectors, a, b)) for b in right] for a in left])
    return KNOWN[asked]


class Coarse(Products):
    """Cosines that are wrong by up to their band; counts how often they are asked for."""

    asked = 0

    def product(self, left, right):
        object.__setattr__(self, "asked", self.asked + 1)
        exact = super().product(left, right)
        wrong = np.random.default_rng(len(left)).uniform(-self.band, self.band, exact.shape)
        return (exact + 0.99 * wrong).astype(np.float32)


def searched(sights, vectors, pred, gold, threshold=0.5, *, inclusive=False):
    layout = lay_out(vectors, pred, gold, 2**20)
    ledger = JoinLedger.blank(vectors, layout, threshold, inclusive=inclusive)
    join_search(sights, layout.left_side, layout.right_side, ledger, memory=2**20, answered=lambda _: None)
    return layout, ledger


@pytest.mark.parametrize("cells", [1, 2, 7])
@pytest.mark.parametrize("piece", [1, 5, 512])
@pytest.mark.parametrize("pairs", [1, 40, 2**19])
def test_what_is_certain_within_a_cell_is_recorded_on_both_sides(pairs, piece, cells, monkeypatch):
    monkeypatch.setattr(kernel, "PIECE", piece)
    monkeypatch.setattr(kernel, "PAIRS_OF_A_GROUP", pairs)
    vectors, pred, gold = problem()
    layout = lay_out(vectors, pred, gold, 2**20)
    of_each = [np.empty(len(side), dtype=np.int64) for side in (layout.left_side, layout.right_side)]
    for side, cell in zip((layout.left_side, layout.right_side), of_each, strict=True):
        # The last cell has no edge.
        side.cell[:] = np.sort(side.anchor * cells // (len(vectors) + 1))
        cell[side.ids] = side.cell
    ledger = JoinLedger.blank(vectors, layout, 0.5, inclusive=False)
    join_cells(Products(vectors, BAND), layout.left_side, layout.right_side, ledger, cells=cells + 1)
    sure = (similarities(vectors, layout) > 0.5 + BAND) & (of_each[0][:, None] == of_each[1])
    assert 0 < sure.any(axis=1).sum() < len(pred)
    for witness, matches in ((ledger.query_witness, sure), (ledger.target_witness, sure.T)):
        assert (witness >= 0).tolist() == matches.any(axis=1).tolist()
        assert all(matches[at, other] for at, other in enumerate(witness) if other >= 0)


def test_cells_without_edges_of_both_sides_are_passed_over():
    vectors, pred, gold = problem()
    layout = lay_out(vectors, pred, gold, 2**20)
    layout.right_side.cell[:] = 1
    ledger = JoinLedger.blank(vectors, layout, 0.5, inclusive=False)
    join_cells(Products(vectors, BAND), layout.left_side, layout.right_side, ledger, cells=2)
    assert (ledger.query_witness == -1).all()


@pytest.mark.parametrize("finer", [False, True])
@pytest.mark.parametrize("at_once", [0, 2**16])
def test_a_coarse_sight_changes_no_verdict(finer, at_once, monkeypatch):
    monkeypatch.setattr(kernel, "PAIRS_AT_ONCE", at_once)
    vectors, pred, gold = problem(1)
    sights = [Coarse(vectors, BAND), *[Products(vectors, 1e-5)] * finer]
    layout, ledger = searched(sights, vectors, pred, gold)
    matches = similarities(vectors, layout) > 0.5
    assert (ledger.query_witness >= 0).tolist() == matches.any(axis=1).tolist()
    assert all(matches[query, target] for query, target in enumerate(ledger.query_witness) if target >= 0)


@pytest.mark.parametrize(("pairs", "decided"), [(1, True), (10**9, False)])
def test_where_too_many_pairs_are_in_doubt_they_are_compared_in_float32(pairs, decided, monkeypatch):
    asked, decide = [], JoinLedger.decide
    monkeypatch.setattr(kernel, "PAIRS_PER_DECISION", pairs)
    monkeypatch.setattr(
        JoinLedger, "decide", lambda ledger, *given: asked.append(len(given[0])) or decide(ledger, *given)
    )
    vectors, pred, gold = problem(2)
    coarse, fine = Coarse(vectors, BAND), Coarse(vectors, 1e-5)
    searched([coarse, fine], vectors, pred, gold)
    assert coarse.asked
    assert bool(fine.asked) != decided
    assert (sum(asked) > len(pred)) == decided


def test_a_query_that_matched_a_target_is_asked_no_more(monkeypatch):
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
    tasks = pair_cells(layout.left_side, layout.right_side, 4)
    assert [[set(side.cell.tolist()) for side in task] for task in tasks] == [[{n}, {n}] for n in range(4)]
    assert sum(len(query) for query, _ in tasks) == len(layout.left_side)


@pytest.mark.parametrize("rough", [False, True])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_number_of_threads_moves_no_verdict(workers, rough, monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: workers)
    monkeypatch.setattr(layout_kernel, "PAIRS_WORTH_ROUNDING", 0 if rough else 10**9)
    monkeypatch.setattr(kernel, "SMALLEST_TILE", 8)
    monkeypatch.setattr("goldassay.kernels.edges.layout.EDGES_WORTH_CELLS", 0)
    vectors, pred, gold = problem(4)
    cosines = vectors.astype(np.float64) @ vectors.T
    pairs = np.minimum(cosines[np.ix_(pred[:, 0], gold[:, 0])], cosines[np.ix_(pred[:, 1], gold[:, 1])])
    # A threshold that is the similarity of a pair: within the band of it, and not enough.
    threshold = float(pair_cosines(vectors, pred[:1, 0], gold[:1, 0])[0])
    threshold = min(threshold, float(pair_cosines(vectors, pred[:1, 1], gold[:1, 1])[0]))
    for inclusive in (False, True):
        matches = pairs >= threshold - 1e-12 if inclusive else pairs > threshold + 1e-12
        join = edge_join(vectors, pred, gold, threshold=threshold, inclusive=inclusive, memory=2**20)
        assert join.hit_pred.tolist() == matches.any(axis=1).tolist()
        assert join.hit_gold.tolist() == matches.any(axis=0).tolist()


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


def test_the_example_of_even_step():
    assert (even_step(10_000, 4096, 2), even_step(8192, 4096, 2), even_step(8193, 4096, 2), even_step(5, 4096, 2)) == (
        2500,
        4096,
        2049,
        3,
    )


def test_the_example_of_runs():
    assert (
        repr(runs([2, 2, 2, 9, 1, 1], 4))
        == "[slice(0, 1, None), slice(1, 3, None), slice(3, 4, None), slice(4, 6, None)]"
    )
