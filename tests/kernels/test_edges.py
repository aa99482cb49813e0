"""The join and the search for counterparts agree with a plain loop over all pairs, for any tiles are."""

from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.draws import times

from goldassay.kernels import search
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges import join_search, layout, ledgers
from goldassay.kernels.edges.best import find_best, find_best_of_both
from goldassay.kernels.edges.join import edge_join

MEBIBYTE = 2**20


@contextmanager
def small_tiles(cells: bool, rough: bool = False):
    """Let inputs of a few edges run through cells, several tiles and several blocks, and be looked at roughly first."""
    with (
        patch.object(search, "BLOCK", 3),
        patch.object(search, "ROUGH_BLOCK", 3),
        patch.object(join_search, "BLOCK", 3),
        patch.object(join_search, "ROUGH_BLOCK", 3),
        patch.object(join_search, "PAIRS_AT_ONCE", 4),
        patch.object(join_search, "SMALLEST_TILE", 1),
        patch.object(join_search, "TARGET_TILE", 4),
        patch.object(join_search, "PIECE", 3),
        patch.object(join_search, "PAIRS_OF_A_GROUP", 12),
        patch.object(ledgers, "ROWS_AT_ONCE", 2),
        patch.object(layout, "PAIRS_WORTH_ROUNDING", 0 if rough else 10**9),
        patch.object(search, "QUERY_TILE", 4),
        patch.object(search, "SMALLEST_STRIP", 1),
        patch.object(layout, "EDGES_WORTH_CELLS", 0 if cells else 10**9),
    ):
        yield


def all_cosines(vectors):
    rows = len(vectors)
    left, right = np.divmod(np.arange(rows * rows), max(rows, 1))
    return pair_cosines(vectors, left, right).reshape(rows, rows)


def all_similarities(vectors, left, right):
    """Similarity of every pair, by a plain loop."""
    cosines = all_cosines(vectors)
    pairs = [[min(cosines[u, x], cosines[v, y]) for x, y in right] for u, v in left]
    return np.array(pairs, dtype=np.float64).reshape(len(left), len(right))


def best_by_rule(vectors, similarities, query, targets):
    """The champion by the written rule: similarity, equal vectors, source row, target row, index."""
    answers = []
    for line, (u, v) in zip(similarities, query, strict=True):
        ranked = [
            (-value, not ((vectors[u] == vectors[x]).all() and (vectors[v] == vectors[y]).all()), x, y, index)
            for index, (value, (x, y)) in enumerate(zip(line, targets, strict=True))
        ]
        answers.append(min(ranked)[-1] if ranked else -1)
    return answers


def units(rows):
    matrix = np.asarray(rows, dtype=np.float64)
    return (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)


@st.composite
def problems(draw):
    """Vectors on a coarse grid, so that ties abound; twins of them, equal or a hair apart; edges on both sides."""
    dimension = draw(st.integers(1, 4))
    corner = st.lists(st.integers(-2, 2), min_size=dimension, max_size=dimension).filter(any)
    vectors = units(draw(st.lists(corner, min_size=1, max_size=8)))
    twins = vectors[draw(st.lists(st.integers(0, len(vectors) - 1), max_size=4))]
    hair = np.nextafter(twins, np.float32(draw(st.sampled_from([-2.0, 2.0]))))
    vectors = np.vstack([vectors, draw(st.sampled_from([twins, hair]))])
    row = st.integers(0, len(vectors) - 1)
    edges = st.lists(st.tuples(row, row), max_size=12)
    pred, gold = (np.array(draw(edges), dtype=np.int64).reshape(-1, 2) for _ in range(2))
    return vectors, pred, gold


@st.composite
def thresholds(draw, vectors):
    """A round threshold, or one that some pair of rows has exactly, or misses by one float64."""
    left, right = (np.array([draw(st.integers(0, len(vectors) - 1))]) for _ in range(2))
    tie = float(pair_cosines(vectors, left, right)[0])
    towards = draw(st.sampled_from([tie, -np.inf, np.inf]))
    return draw(st.sampled_from([-2.0, -1.0, 0.0, 0.436, 0.99, 1.0, 1.5, tie, float(np.nextafter(tie, towards))]))


@times(3)
@given(
    data=st.data(),
    inclusive=st.booleans(),
    memory=st.sampled_from([0, 3000, MEBIBYTE]),
    cells=st.booleans(),
    rough=st.booleans(),
)
def test_the_join_agrees_with_a_plain_loop(data, inclusive, memory, cells, rough):
    vectors, pred, gold = data.draw(problems())
    threshold = data.draw(thresholds(vectors))
    similarities = all_similarities(vectors, pred, gold)
    matches = similarities >= threshold if inclusive else similarities > threshold
    with small_tiles(cells, rough):
        join = edge_join(vectors, pred, gold, threshold=threshold, inclusive=inclusive, memory=memory)
    assert join.hit_pred.tolist() == matches.any(axis=1).tolist()
    assert join.hit_gold.tolist() == matches.any(axis=0).tolist()
    assert_witnesses(join, matches)


def assert_witnesses(join, matches):
    for hit, witness, lines in (
        (join.hit_pred, join.witness_pred, matches),
        (join.hit_gold, join.witness_gold, matches.T),
    ):
        assert ((witness >= 0) == hit).all()
        assert all(lines[item, witness[item]] for item in np.flatnonzero(hit))


@times(3)
@given(data=st.data(), memory=st.sampled_from([0, 3000, MEBIBYTE]), cells=st.booleans(), rough=st.booleans())
def test_the_best_counterpart_agrees_with_a_plain_loop(data, memory, cells, rough):
    vectors, query, targets = data.draw(problems())
    similarities = all_similarities(vectors, query, targets)
    with small_tiles(cells, rough):
        best = find_best(vectors, query, targets, memory=memory)
    if len(targets) == 0:
        assert np.isnan(best.similarity).all()
        assert (best.counterpart == -1).all()
        return
    assert best.similarity.tolist() == similarities.max(axis=1).tolist()
    assert best.counterpart.tolist() == best_by_rule(vectors, similarities, query.tolist(), targets.tolist())


@times(3)
@given(data=st.data(), memory=st.sampled_from([0, 3000, MEBIBYTE]), cells=st.booleans(), rough=st.booleans())
def test_both_directions_together_find_what_each_finds_by_itself(data, memory, cells, rough):
    vectors, left, right = data.draw(problems())
    with small_tiles(cells, rough):
        found = find_best_of_both(vectors, left, right, memory=memory)
        single = (
            find_best(vectors, left, right, memory=memory),
            find_best(vectors, right, left, memory=memory),
        )
    for together, one in zip(found, single, strict=True):
        assert np.array_equal(together.similarity, one.similarity, equal_nan=True)
        assert together.counterpart.tolist() == one.counterpart.tolist()


@times(3)
@given(data=st.data(), inclusive=st.booleans())
def test_nodes_agree_with_a_plain_loop(data, inclusive):
    vectors, pred, gold = data.draw(problems())
    threshold = data.draw(thresholds(vectors))
    pred, gold = pred[:, 0], gold[:, 0]
    cosines = all_cosines(vectors)[pred][:, gold]
    matches = cosines >= threshold if inclusive else cosines > threshold
    with small_tiles(cells=True):
        join = edge_join(vectors, pred, gold, threshold=threshold, inclusive=inclusive)
        best = find_best(vectors, pred, gold)
    assert join.hit_pred.tolist() == matches.any(axis=1).tolist()
    assert join.hit_gold.tolist() == matches.any(axis=0).tolist()
    assert_witnesses(join, matches)
    if len(gold):
        assert best.similarity.tolist() == cosines.max(axis=1).tolist()


def clustered(seed, texts=400, edges=1200, dimension=24):
    """Vectors in clusters, as those of words are, and edges that both sides partly share."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((20, dimension))
    vectors = units(centres[rng.integers(0, 20, texts)] + 0.8 * rng.standard_normal((texts, dimension)))
    pred, gold = (np.unique(rng.integers(0, texts, (edges, 2)), axis=0) for _ in range(2))
    gold[:100] = pred[:100]
    return vectors, pred, gold


@pytest.mark.parametrize("rough", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_shuffling_and_memory_move_nothing(seed, rough, monkeypatch):
    monkeypatch.setattr(layout, "PAIRS_WORTH_ROUNDING", 0 if rough else 10**9)
    vectors, pred, gold = clustered(seed, edges=450)
    cosines = all_cosines(vectors)
    similarities = np.minimum(cosines[np.ix_(pred[:, 0], gold[:, 0])], cosines[np.ix_(pred[:, 1], gold[:, 1])])
    threshold = float(np.quantile(similarities.max(axis=1), 0.4, method="nearest"))
    matches = similarities > threshold
    shuffle = np.random.default_rng(seed).permutation(len(pred))
    for memory in (200_000, 10 * MEBIBYTE):
        with patch.object(layout, "EDGES_WORTH_CELLS", 400):
            join = edge_join(vectors, pred[shuffle], gold[::-1], threshold=threshold, memory=memory)
            best = find_best(vectors, pred[shuffle], gold, memory=memory)
        assert (join.hit_pred == matches.any(axis=1)[shuffle]).all()
        assert (join.hit_gold == matches.any(axis=0)[::-1]).all()
        here, there = find_best_of_both(vectors, pred[shuffle], gold, memory=memory)
        assert here.counterpart.tolist() == best.counterpart.tolist()
        assert there.similarity.tolist() == similarities.max(axis=0).tolist()
        assert best.similarity.tolist() == similarities.max(axis=1)[shuffle].tolist()
        assert best.counterpart.tolist() == similarities.argmax(axis=1)[shuffle].tolist()


def test_swapping_the_sides_swaps_the_verdicts():
    vectors, pred, gold = clustered(7)
    one = edge_join(vectors, pred, gold, threshold=0.5)
    other = edge_join(vectors, gold, pred, threshold=0.5)
    assert (one.hit_pred == other.hit_gold).all()
    assert (one.hit_gold == other.hit_pred).all()


SHAPES = {
    "star": (
        np.column_stack([np.arange(1, 300), np.zeros(299, int)]),
        np.column_stack([np.arange(1, 200), np.zeros(199, int)]),
    ),
    "one edge over and over": (np.zeros((500, 2), int), np.ones((500, 2), int)),
    "one against many": (np.array([[3, 4]]), np.random.default_rng(0).integers(0, 300, (3000, 2))),
    "one side empty": (np.zeros((0, 2), int), np.array([[0, 1]])),
    "both sides empty": (np.zeros((0, 2), int), np.zeros((0, 2), int)),
}


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.99, 1.0])
@pytest.mark.parametrize("inclusive", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_odd_shapes(shape, threshold, inclusive):
    vectors = units(np.random.default_rng(5).standard_normal((300, 6)))
    pred, gold = SHAPES[shape]
    cosines = all_cosines(vectors)
    similarities = np.minimum(cosines[np.ix_(pred[:, 0], gold[:, 0])], cosines[np.ix_(pred[:, 1], gold[:, 1])])
    matches = similarities >= threshold if inclusive else similarities > threshold
    join = edge_join(vectors, pred, gold, threshold=threshold, inclusive=inclusive)
    assert join.hit_pred.tolist() == matches.any(axis=1).tolist()
    assert join.hit_gold.tolist() == matches.any(axis=0).tolist()


def test_a_tie_of_many_equal_vectors_is_decided_once():
    """Ten billion pairs that all lie on the threshold: only merging equal vectors makes this end."""
    vectors = np.repeat(units([[1, 0], [1, 3]]), 100_000, axis=0)
    pred = np.column_stack([np.arange(100_000)] * 2)
    threshold = float(pair_cosines(vectors, pred[:1, 0], pred[:1, 1] + 100_000)[0])
    assert not edge_join(vectors, pred, pred + 100_000, threshold=threshold).hit_pred.any()
    assert edge_join(vectors, pred, pred + 100_000, threshold=threshold, inclusive=True).hit_gold.all()
    assert (find_best(vectors, pred, pred[::-1] + 100_000).counterpart == 99_999).all()


def test_progress_rises_to_its_total():
    vectors, pred, gold = clustered(3, edges=500)
    for run in (
        lambda progress: edge_join(vectors, pred, gold, threshold=0.5, memory=100_000, progress=progress),
        lambda progress: find_best(vectors, pred, gold, memory=100_000, progress=progress),
        lambda progress: find_best_of_both(vectors, pred, gold, memory=100_000, progress=progress),
    ):
        calls = []
        run(lambda *call, calls=calls: calls.append(call))
        stages, done, totals = zip(*calls, strict=True)
        assert len(set(stages)) == len(set(totals)) == 1
        assert list(done) == sorted(done)
        assert done[-1] == totals[-1]
        assert len(calls) > 5


def test_inputs_are_not_changed():
    vectors, pred, gold = clustered(4)
    for array in (vectors, pred, gold):
        array.setflags(write=False)
    edge_join(vectors, pred, gold, threshold=0.5)
    find_best(vectors, pred, gold)


EDGE = np.array([[0, 1]])


@pytest.mark.parametrize(
    ("vectors", "edges", "message"),
    [
        (np.eye(2), EDGE, "vectors are float64"),
        (np.ones(2, np.float32), EDGE, "vectors are float32 of shape"),
        (np.eye(2, dtype=np.float32), EDGE.astype(np.int32), "edges are int32"),
        (np.eye(2, dtype=np.float32), np.array([0, 1]), "edges are int64 of shape"),
        (np.eye(2, dtype=np.float32), np.array([[0, 2]]), "outside of the 2 rows"),
        (np.eye(2, dtype=np.float32), np.array([[-1, 0]]), "outside of the 2 rows"),
        (np.zeros((2, 2), np.float32), EDGE, "expected a unit vector"),
    ],
)
def test_misuse_is_named(vectors, edges, message):
    with pytest.raises(ValueError, match=message):
        edge_join(vectors, edges, EDGE, threshold=0.5)
    with pytest.raises(ValueError, match=message):
        find_best(vectors, EDGE, edges)


def test_nan_is_no_threshold():
    with pytest.raises(ValueError, match="threshold is not a number"):
        edge_join(np.eye(2, dtype=np.float32), EDGE, EDGE, threshold=float("nan"))


def test_nodes_are_one_column():
    with pytest.raises(ValueError, match=r"expected int64 of shape \(n, 2\), or \(n,\) on both sides"):
        edge_join(np.eye(2, dtype=np.float32), EDGE, EDGE[0], threshold=0.5)


def test_no_vectors_at_all():
    nothing = np.zeros((0, 2), dtype=np.int64)
    assert edge_join(np.zeros((0, 0), np.float32), nothing, nothing, threshold=0.5).hit_pred.tolist() == []
    assert find_best(np.zeros((0, 0), np.float32), nothing, nothing).counterpart.tolist() == []
