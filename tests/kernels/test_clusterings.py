import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels.clusterings import Clusters, cut_hierarchy, cuts, pairs_together, pairs_together_in_both
from goldassay.kernels.reach import Order


def clusters_of(sets):
    sets = [sorted(some) for some in sets]
    known = sorted({tuple(some) for some in sets if some})
    own = [known.index(tuple(some)) if some else -1 for some in sets]
    members = [one for some in known for one in some]
    starts = np.cumsum([0, *map(len, known)])
    return Clusters(np.array(own, dtype=np.int64), starts.astype(np.int64), np.array(members, dtype=np.int64))


SETS = st.lists(st.tuples(st.sets(st.integers(0, 4), max_size=3), st.sets(st.integers(0, 4), max_size=3)), max_size=9)


@given(SETS, st.sampled_from([1, 2**20]))
def test_pairs_together_are_counted_once(sets, memory):
    ours, theirs = ([some[side] for some in sets] for side in (0, 1))
    nodes = np.arange(len(sets))
    sides = clusters_of(ours), clusters_of(theirs)
    pairs = list(itertools.combinations(range(len(sets)), 2))
    assert pairs_together(nodes, sides[0], memory=memory) == sum(bool(ours[a] & ours[b]) for a, b in pairs)
    both = sum(bool(ours[a] & ours[b]) and bool(theirs[a] & theirs[b]) for a, b in pairs)
    assert pairs_together_in_both(nodes, *sides, memory=memory) == both


def test_many_sets_are_compared_where_no_cluster_is_in_many():
    rng = np.random.default_rng(3)
    ours, theirs = ([set(rng.choice(150, rng.integers(0, 4)).tolist()) for _ in range(300)] for _ in range(2))
    nodes = np.arange(300)
    sides = clusters_of(ours), clusters_of(theirs)
    pairs = list(itertools.combinations(range(300), 2))
    for memory in (1, 2**20):
        assert pairs_together(nodes, sides[0], memory=memory) == sum(bool(ours[a] & ours[b]) for a, b in pairs)
        both = sum(bool(ours[a] & ours[b]) and bool(theirs[a] & theirs[b]) for a, b in pairs)
        assert pairs_together_in_both(nodes, *sides, memory=memory) == both > 0


def test_more_clusters_on_one_side_than_on_the_other():
    ours, theirs = [{row} for row in range(4)] * 2, [{0}] * 4 + [{0, 1}] * 4
    sides = clusters_of(ours), clusters_of(theirs)
    assert pairs_together_in_both(np.arange(8), *sides) == 4


def sets_of(cut):
    return [set() if own < 0 else {*cut.members[cut.starts[own] : cut.starts[own + 1]].tolist()} for own in cut.own]


@given(st.lists(st.integers(1, 5), max_size=8), st.integers(0, 9), st.booleans())
def test_a_forest_is_cut_as_any_hierarchy_is(steps, levels, itself):
    """Cuts may be fewer than a hierarchy is deep, or more: gold's depth cuts the prediction, too."""
    size = len(steps) + 6
    edges = np.array([(node, node + step) for node, step in enumerate(steps)], dtype=np.int64).reshape(-1, 2)
    order, nodes = Order.of(edges, size), np.arange(size)
    assert order.is_forest
    found = list(cuts(order, levels, nodes, itself=itself))
    assert len(found) == levels
    for level, cut in zip(reversed(range(levels)), found, strict=True):
        fast, slow = sets_of(cut), sets_of(cut_hierarchy(order, order.depths, level, itself=itself))
        assert [[bool(a & b) for b in fast] for a in fast] == [[bool(a & b) for b in slow] for a in slow]


def test_the_example_of_cuts():
    tree = Order.of(np.array([[0, 2], [1, 2], [2, 3]]), 4)
    assert [bool(cut.own[0] == cut.own[1]) for cut in cuts(tree, 3, np.arange(2), itself=True)] == [False, True, True]


def test_the_example_of_cut_hierarchy():
    order = Order.of(np.array([[0, 2], [1, 2], [1, 3], [2, 4], [3, 4]]), 5)
    cut = cut_hierarchy(order, order.depths, 1, itself=False)
    assert (cut.own.tolist(), [part.tolist() for part in np.split(cut.members, cut.starts[1:-1])]) == (
        [0, 2, -1, -1, -1],
        [[0], [1], [0, 1]],
    )


def test_the_example_of_pairs_together():
    clusters = Clusters(np.array([0, 1, 1, 2]), np.array([0, 1, 3, 4]), np.array([7, 7, 8, 9]))
    assert pairs_together(np.arange(4), clusters) == 3


def test_the_example_of_pairs_together_in_both():
    split = Clusters(np.array([0, 0, 1]), np.array([0, 1, 2]), np.array([0, 1]))
    whole = Clusters(np.array([0, 0, 0]), np.array([0, 1]), np.array([0]))
    assert pairs_together_in_both(np.arange(3), split, whole) == 1
