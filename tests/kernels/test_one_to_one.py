"""The largest one-to-one matching agrees with networkx over all pairs that match, however few pairs are known at first."""

from unittest.mock import patch

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.draws import times

from goldassay.kernels import search
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges import layout
from goldassay.kernels.edges import one_to_one as kernel
from goldassay.kernels.edges.one_to_one import PAIR_BYTES, match_one_to_one


def units(rows):
    matrix = np.asarray(rows, dtype=np.float64)
    return (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)


def all_matches(vectors, left, right, threshold, inclusive=False):
    rows = len(vectors)
    here, there = np.divmod(np.arange(rows * rows), rows)
    cosines = pair_cosines(vectors, here, there).reshape(rows, rows)
    matches = cosines >= threshold if inclusive else cosines > threshold
    return matches[np.ix_(left[:, 0], right[:, 0])] & matches[np.ix_(left[:, 1], right[:, 1])]


def largest(matches):
    """The size of a largest matching, by networkx."""
    graph = nx.Graph()
    graph.add_nodes_from(("left", row) for row in range(matches.shape[0]))
    graph.add_edges_from((("left", row), ("right", column)) for row, column in np.argwhere(matches).tolist())
    return len(nx.bipartite.hopcroft_karp_matching(graph, [("left", row) for row in range(matches.shape[0])])) // 2


def assert_matching(found, matches):
    matched = np.flatnonzero(found.counterpart >= 0)
    others = found.counterpart[matched]
    assert len(matched) == found.size == len(set(others.tolist()))
    assert matches[matched, others].all()


@st.composite
def problems(draw):
    """Vectors on a coarse grid, so that ties and equal edges abound, and a threshold that some pair reaches exactly."""
    corners = draw(st.lists(st.lists(st.integers(-2, 2), min_size=2, max_size=2).filter(any), min_size=1, max_size=6))
    vectors = units(corners)
    row = st.integers(0, len(vectors) - 1)
    edges = st.lists(st.tuples(row, row), max_size=14)
    left, right = (np.array(draw(edges), dtype=np.int64).reshape(-1, 2) for _ in range(2))
    tie = float(pair_cosines(vectors, np.array([draw(row)]), np.array([draw(row)]))[0])
    return vectors, left, right, draw(st.sampled_from([-2.0, 0.0, 0.436, 1.0, tie, float(np.nextafter(tie, -2.0))]))


@times(3)
@given(
    problem=problems(),
    inclusive=st.booleans(),
    pairs=st.sampled_from([1, 2, 8]),
    cells=st.sampled_from([0, 10**9]),
    block=st.sampled_from([1, 3, 128]),
)
def test_it_is_a_largest_matching(problem, inclusive, pairs, cells, block):
    vectors, left, right, threshold = problem
    matches = all_matches(vectors, left, right, threshold, inclusive)
    with (
        patch.object(kernel, "PAIRS", pairs),
        patch.object(kernel, "EDGES_WORTH_CELLS", cells),
        patch.object(layout, "EDGES_WORTH_CELLS", cells),
        patch.object(search, "BLOCK", block),
    ):
        found = match_one_to_one(vectors, left, right, threshold=threshold, inclusive=inclusive)
    assert found.size == found.upper == largest(matches)
    assert_matching(found, matches)
    back = found.swap_sides(len(right))
    assert back.swap_sides(len(left)).counterpart.tolist() == found.counterpart.tolist()
    assert_matching(back, matches.T)


@times(3)
@given(
    problem=problems(),
    seed=st.integers(0, 99),
    pairs=st.sampled_from([1, 8]),
    also=st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=3),
)
def test_groups_and_pairs_that_match_anyway(problem, seed, pairs, also):
    vectors, left, right, threshold = problem
    random = np.random.default_rng(seed)
    sides = [random.random((3, len(rows))) < 0.6 for rows in (left, right)]
    groups = [tuple(np.flatnonzero(side[group]) for side in sides) for group in range(3)]
    matches = all_matches(vectors, left, right, threshold) & (sides[0].T.astype(int) @ sides[1].astype(int) > 0)
    also = [pair for pair in also if pair[0] < len(left) and pair[1] < len(right)]
    for one, other in also:
        matches[one, other] = True
    given = tuple(np.array(column, dtype=np.int64) for column in (zip(*also, strict=True) if also else ((), ())))
    with patch.object(kernel, "PAIRS", pairs):
        found = match_one_to_one(vectors, left, right, threshold=threshold, groups=groups, also=given)
    assert found.size == found.upper == largest(matches)
    assert_matching(found, matches)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("memory", [20 * PAIR_BYTES, 150 * PAIR_BYTES, 300 * PAIR_BYTES, 2**20])
def test_bounds_hold_the_largest_where_memory_is_short(seed, memory):
    random = np.random.default_rng(seed)
    vectors = units(random.normal(size=(60, 5)))
    left, right = random.integers(0, 60, (150, 2)), random.integers(0, 60, (140, 2))
    matches = all_matches(vectors, left, right, 0.55)
    found = match_one_to_one(vectors, left, right, threshold=0.55, memory=memory)
    assert found.size <= largest(matches) <= found.upper <= min(matches.any(axis=1).sum(), 140)
    assert_matching(found, matches)
    if memory == 2**20:
        assert found.size == found.upper
    if memory == 20 * PAIR_BYTES:
        assert found.size < found.upper


def test_the_bound_counts_what_the_last_search_found():
    """One pair of each edge is known: the bound adds the edges that turned out to have more pairs, and no others."""
    vectors = np.eye(4, dtype=np.float32)
    left = np.array([[0, 0], [0, 0], [1, 1], [2, 2], [3, 3]])
    right = np.array([[0, 0], [1, 1], [1, 1], [2, 2]])
    found = match_one_to_one(vectors, left, right, threshold=0.5, memory=0)
    assert (found.size, found.upper) == (3, 3)


@pytest.mark.parametrize(("many", "few"), [(500, 1), (1, 500), (40, 3)])
def test_a_hub_serves_once(many, few):
    vectors = units(np.random.default_rng(0).normal(size=(600, 3)) * 0.01 + 1.0)
    left, right = (np.column_stack([np.arange(count)] * 2) for count in (many, few))
    found = match_one_to_one(vectors, left, right, threshold=0.9)
    assert found.size == found.upper == min(many, few)


def test_all_match_all():
    vectors = units(np.random.default_rng(0).normal(size=(3000, 4)) * 0.01 + 1.0)
    nodes = np.arange(3000)
    assert match_one_to_one(vectors, nodes, nodes[::-1], threshold=0.9).size == 3000


def test_a_hundred_thousand_equal_edges_are_one_node():
    vectors = units([[1, 0], [1, 0.1]])
    left, right = np.zeros((100_000, 2), dtype=np.int64), np.ones((70_000, 2), dtype=np.int64)
    found = match_one_to_one(vectors, left, right, threshold=0.9)
    assert found.size == found.upper == 70_000
    assert sorted(found.counterpart[found.counterpart >= 0].tolist()) == list(range(70_000))


def test_order_moves_no_number():
    random = np.random.default_rng(5)
    vectors = units(random.normal(size=(200, 6)))
    left, right = random.integers(0, 200, (400, 2)), random.integers(0, 200, (300, 2))
    sizes = {
        match_one_to_one(vectors, left[random.permutation(400)], right[random.permutation(300)], threshold=0.6).size
        for _ in range(4)
    }
    assert sizes == {match_one_to_one(vectors, right, left, threshold=0.6).size}
    assert 0 < sizes.pop() < 300


def test_nothing_on_one_side():
    none = np.empty((0, 2), dtype=np.int64)
    vectors = np.eye(2, dtype=np.float32)
    assert match_one_to_one(vectors, none, np.array([[0, 1]]), threshold=0.5).upper == 0
    assert match_one_to_one(vectors, np.array([[0, 1]]), none, threshold=0.5).counterpart.tolist() == [-1]


def test_nan_is_no_threshold():
    with pytest.raises(ValueError, match="threshold is not a number"):
        match_one_to_one(np.eye(2, dtype=np.float32), np.array([0]), np.array([0]), threshold=float("nan"))


def test_the_bound_counts_all_edges_of_a_node_that_has_a_pair_left():
    """Of a and b the nearer a gets r. The second search finds b with r, where the memory ends: b is for two edges."""
    a, b, r, s = range(4)
    vectors = units([[1, 0.1, 0], [1, 0.3, 0], [1, 0, 0], [0, 0, 1]])
    found = match_one_to_one(vectors, np.array([a, b, b]), np.array([r, s, s, s, s]), threshold=0.9, memory=0)
    assert (found.counterpart.tolist(), found.size, found.upper) == ([0, -1, -1], 1, 3)


def test_an_edge_that_matches_anyway_is_not_exchanged_for_an_equal_one():
    vectors = np.eye(2, dtype=np.float32)
    nodes, others = np.array([0, 0, 0]), np.array([1, 1, 1])
    for row, other in ((0, 2), (2, 0), (1, 1)):
        also = np.array([row]), np.array([other])
        wanted = [other if place == row else -1 for place in range(3)]
        assert match_one_to_one(vectors, nodes, others, threshold=0.5, also=also).counterpart.tolist() == wanted
    also = np.array([2, 1]), np.array([1, 2])
    assert match_one_to_one(vectors, nodes, others, threshold=0.5, also=also).counterpart.tolist() == [-1, 2, 1]


def test_equal_edges_of_different_groups_are_not_exchanged():
    """Three equal edges: one in the first group, one in both, one in the second, where only is something to match."""
    groups = [(np.array([0, 1]), np.array([], dtype=np.int64)), (np.array([1, 2]), np.array([0, 1, 2]))]
    nodes = np.zeros(3, dtype=np.int64)
    found = match_one_to_one(np.eye(2, dtype=np.float32), nodes, nodes, threshold=0.5, groups=groups)
    assert found.size == found.upper == 2
    assert found.counterpart[0] == -1


def test_different_edges_of_different_groups_are_not_merged():
    groups = [(np.array([1, 2, 3]), np.array([0])), (np.array([0]), np.array([], dtype=np.int64))]
    found = match_one_to_one(np.eye(4, dtype=np.float32), np.arange(4), np.array([3]), threshold=0.5, groups=groups)
    assert found.counterpart.tolist() == [-1, -1, -1, 0]


@pytest.mark.parametrize("inclusive", [None, False, True])
def test_a_cosine_at_the_threshold(inclusive):
    halves = np.array([[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, -0.5]], dtype=np.float32)
    given = {} if inclusive is None else {"inclusive": inclusive}
    assert match_one_to_one(halves, np.array([0]), np.array([1]), threshold=0.5, **given).size == int(inclusive or 0)


def test_known_pairs_take_no_more_than_the_memory(monkeypatch):
    """As many as the last network has are enough, and one less is not."""
    random = np.random.default_rng(3)
    vectors = units(random.normal(size=(40, 3)))
    left, right = random.integers(0, 40, (60, 2)), random.integers(0, 40, (60, 2))
    large, known = 2**20, []
    flow = kernel._maximum_flow
    monkeypatch.setattr(kernel, "PAIRS", 1)
    monkeypatch.setattr(kernel, "PAIR_BYTES", large)
    monkeypatch.setattr(kernel, "_maximum_flow", lambda pairs, *rest: known.append(len(pairs)) or flow(pairs, *rest))
    found = match_one_to_one(vectors, left, right, threshold=0.5, memory=1000 * large)
    assert found.size == found.upper
    most = known[-1]
    assert len(known) > 2
    assert match_one_to_one(vectors, left, right, threshold=0.5, memory=most * large).upper == found.upper == found.size
    known.clear()
    short = match_one_to_one(vectors, left, right, threshold=0.5, memory=(most - 1) * large)
    assert short.size < short.upper
    assert max(known) < most


def test_pairs_are_recorded_in_one_thread(monkeypatch):
    asked = []
    for name in ("search", "search_within_cells"):
        monkeypatch.setattr(kernel, name, lambda *_, parallel, **__: asked.append(parallel))
    monkeypatch.setattr(kernel, "EDGES_WORTH_CELLS", 0)
    monkeypatch.setattr(layout, "EDGES_WORTH_CELLS", 0)
    nodes = np.arange(16)
    match_one_to_one(np.eye(16, dtype=np.float32), nodes, nodes, threshold=0.5)
    assert set(asked) == {False}
    assert len(asked) > 1


def test_the_example_of_match_one_to_one():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    found = match_one_to_one(vectors, np.array([[0, 0], [1, 1]]), np.array([[0, 0], [2, 2]]), threshold=0.5)
    assert (found.size, found.upper, found.counterpart.tolist()) == (2, 2, [0, 1])


def test_the_example_of_match_one_to_one_of_nodes():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    assert match_one_to_one(vectors, np.array([0, 0]), np.array([1]), threshold=0.7).size == 1
