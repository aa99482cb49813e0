from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import ancestors
from goldassay.kernels.ancestors import Links, kinship, reduction, tallies, tally
from goldassay.kernels.reach import Order, ancestor_keys

EDGES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=10).map(
    lambda pairs: np.array(sorted(set(pairs)), dtype=np.int64).reshape(-1, 2)
)


def test_ancestors_beyond_one_block():
    size = 300
    chain = Order.of(np.array([[row, row + 1] for row in range(size - 1)]), size)
    star = Order.of(np.array([[row, size - 1] for row in range(size - 1)]), size)
    for memory in (1, 2**29):
        found = tally(chain, star, memory=memory)
        assert found.pairs.tolist() == list(range(size - 1, -1, -1))
        assert found.matched.tolist() == [1] * (size - 1) + [0]
        # Every node is for every other one, so that each pair below anything is found.
        everything = Links.of(np.repeat(np.arange(size), size), np.tile(np.arange(size), size), size)
        assert (tally(chain, star, everything, memory=memory).matched == found.pairs).all()
        edges = np.array([[row, row + 1] for row in range(size - 1)] + [[0, size - 1]])
        assert len(reduction(Order.of(edges, size), edges, memory=memory)) == size - 1


@given(EDGES, EDGES)
def test_lists_and_bits_give_the_same_tallies(left, right):
    orders = Order.of(left, 7), Order.of(right, 7)
    for memory in (2**20, 1):
        here, there = tallies(*orders, memory=memory)
        for found, pair in ((here, orders), (there, orders[::-1])):
            wanted = tally(*pair)
            assert found.pairs.tolist() == wanted.pairs.tolist()
            assert found.matched.tolist() == wanted.matched.tolist()


@given(EDGES, EDGES, st.lists(st.integers(0, 6), unique=True).map(sorted))
def test_lists_and_bits_give_the_same_kinship(left, right, common):
    listed, bits = (kinship(left, right, 7, np.array(common, dtype=np.int64), memory=memory) for memory in (2**20, 1))
    assert (listed.left.tolist(), listed.right.tolist(), listed.both.tolist()) == (
        bits.left.tolist(),
        bits.right.tolist(),
        bits.both.tolist(),
    )


def above_of(edges):
    """What is above each node, by walking."""
    above = {}
    for node in range(7):
        above[node], todo = set(), [node]
        while todo:
            here = todo.pop()
            new = {upper for lower, upper in edges.tolist() if lower == here} - above[node]
            above[node] |= new
            todo += new
    return above


def pairs_of(edges):
    """Every pair of a node and an ancestor; the members of a cycle are neither above nor below each other."""
    above = above_of(edges)
    return {(u, v) for u in above for v in above[u] if u != v and u not in above[v]}


def counts_of(pairs):
    return [sum(u == node for u, _ in pairs) for node in range(7)]


SOME = st.sets(st.integers(0, 6)).map(sorted)


@given(EDGES, EDGES, SOME, st.sampled_from([1, 2**20]))
def test_pairs_among_some_nodes_are_those_that_a_walk_finds(left, right, some, memory):
    among = np.isin(np.arange(7), some)
    mine = {(u, v) for u, v in pairs_of(left) if among[u] and among[v]}
    for count in (tally, lambda *sides, **given: tallies(*sides, **given)[0]):
        found = count(Order.of(left, 7), Order.of(right, 7), among=among, memory=memory)
        assert found.pairs.tolist() == counts_of(mine)
        assert found.matched.tolist() == counts_of(mine & pairs_of(right))


@given(EDGES, EDGES, SOME, st.sampled_from([1, 2**20]))
def test_only_pairs_that_are_asked_for_count(left, right, some, memory):
    among = np.isin(np.arange(7), some)
    asked = sorted(pairs_of(left))[::2]
    rows = np.array(asked, dtype=np.int64).reshape(-1, 2)
    mine = {(u, v) for u, v in asked if among[u] and among[v]}
    found = tally(Order.of(left, 7), Order.of(right, 7), asked=rows, among=among, memory=memory)
    assert found.pairs.tolist() == counts_of(mine)
    assert found.matched.tolist() == counts_of(mine & pairs_of(right))


@given(
    EDGES, EDGES, st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12), st.sampled_from([1, 5, 2**22])
)
def test_nodes_that_are_for_several_are_joined(left, right, are, gathered):
    here, there = (np.array([pair[side] for pair in are], dtype=np.int64) for side in (0, 1))
    known = pairs_of(right)
    matched = {
        (u, v) for u, v in pairs_of(left) if any((r, s) in known for a, r in are if a == u for b, s in are if b == v)
    }
    with patch.object(ancestors, "GATHERED", gathered):
        found = tally(Order.of(left, 7), Order.of(right, 7), Links.of(here, there, 7))
    assert found.matched.tolist() == counts_of(matched)


@given(EDGES, st.sampled_from([1, 2**20]))
def test_an_edge_is_needless_where_a_longer_way_leads_up(edges, memory):
    above, known = above_of(edges), pairs_of(edges)
    kept = []
    for u, v in edges.tolist():
        same = {u} | {x for x in above[u] if u in above[x]}
        longer = any(x in same and (x, w) in known and (w, v) in known for x, w in edges.tolist())
        kept += [[u, v]] if (u, v) in known and not longer else []
    assert reduction(Order.of(edges, 7), edges, memory=memory).tolist() == kept


def test_a_block_of_bits_has_a_first_bit():
    edges = np.array([[1, 0], [2, 0], [2, 1]])
    assert reduction(Order.of(edges, 3), edges).tolist() == [[1, 0], [2, 1]]


def test_as_many_pairs_are_listed_as_are_allowed():
    size = 100
    chain = Order.of(np.array([[row, row + 1] for row in range(size - 1)]), size)
    # The last layer has a node with 99 ancestors; before, there are 98 * 99 / 2 pairs, and nothing is counted twice.
    pairs = size * (size - 1) // 2
    keys = ancestor_keys(chain, pairs)
    assert keys.tolist() == [row * size + above for row in range(size) for above in range(row + 1, size)]
    assert ancestor_keys(chain, pairs - 1) is None


def test_listed_pairs_take_their_share_of_the_memory():
    edges = np.array([[0, 1]])
    with patch.object(ancestors, "ancestor_keys", return_value=np.array([1])) as listed:
        tallies(Order.of(edges, 2), Order.of(edges, 2), memory=12_800)
        assert [call.args[1] for call in listed.call_args_list] == [100, 100]
    with patch.object(ancestors, "ancestor_keys", return_value=np.array([1])) as listed:
        kinship(edges, edges, 2, np.arange(2), memory=12_800)
        assert [call.args[1] for call in listed.call_args_list] == [200, 200]


def test_the_example_of_tallies():
    chain, tree = (Order.of(np.array(edges), 3) for edges in ([[0, 1], [1, 2]], [[0, 2], [1, 2]]))
    assert [side.matched.tolist() for side in tallies(chain, tree)] == [[1, 1, 0], [1, 1, 0]]


def test_the_example_of_tally():
    chain, tree = (Order.of(np.array(edges), 3) for edges in ([[0, 1], [1, 2]], [[0, 2], [1, 2]]))
    found = tally(chain, tree)
    assert (found.pairs.tolist(), found.matched.tolist()) == ([2, 1, 0], [1, 1, 0])


def test_the_example_of_reduction():
    edges = np.array([[0, 1], [0, 2], [1, 2]])
    assert reduction(Order.of(edges, 3), edges).tolist() == [[0, 1], [1, 2]]


def test_the_example_of_kinship():
    found = kinship(np.array([[0, 1], [1, 2]]), np.array([[2, 0]]), 3, np.array([0, 1, 2]))
    assert (found.left.tolist(), found.right.tolist(), found.both.tolist()) == ([2, 2, 2], [1, 0, 1], [1, 0, 1])
