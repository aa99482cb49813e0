from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import forests
from goldassay.kernels.ancestors import kinship, tallies
from goldassay.kernels.forests import Spans, count_related
from goldassay.kernels.reach import Order

NODES = 9
# Each node has one parent, no parent, or itself: trees, some with a cycle at their top.
PARENTS = st.lists(st.integers(-1, NODES - 1), min_size=NODES, max_size=NODES)
SUBSET = st.sets(st.integers(0, NODES - 1)).map(lambda rows: np.array(sorted(rows), dtype=np.int64))


def edges_of(parents):
    return np.array([(node, parent) for node, parent in enumerate(parents) if parent >= 0], dtype=np.int64).reshape(
        -1, 2
    )


def by_both(count):
    """Count in a list of pairs, and without one."""
    with patch.object(forests, "MANY", 10**6):
        listed = count()
    with patch.object(forests, "MANY", -1):
        return listed, count()


@given(PARENTS, PARENTS, SUBSET, st.booleans())
def test_counts_are_those_of_lists(left, right, some, asking):
    sides = edges_of(left), edges_of(right)
    orders = [Order.of(edges, NODES) for edges in sides]
    among = np.isin(np.arange(NODES), some)
    listed, counted = by_both(lambda: tallies(*orders, asked=sides if asking else None, among=among))
    for one, other in zip(listed, counted, strict=True):
        assert one.pairs.tolist() == other.pairs.tolist()
        assert one.matched.tolist() == other.matched.tolist()
    listed, counted = by_both(lambda: kinship(*sides, NODES, some))
    for name in ("left", "right", "both"):
        assert getattr(listed, name).tolist() == getattr(counted, name).tolist()


def test_a_node_with_two_parents_is_in_no_forest():
    assert Spans.of(Order.of(np.array([[0, 1], [0, 2]]), 3)) is None
    assert Spans.of(Order.of(np.array([[0, 1], [1, 0], [0, 2], [1, 2]]), 3)) is not None


def test_a_chain_is_counted_without_its_pairs():
    size = 20_000
    up = np.column_stack([np.arange(size - 1), np.arange(1, size)])
    with patch("goldassay.kernels.ancestors.ancestor_keys", side_effect=AssertionError("listed")):
        found = kinship(up, up[:, ::-1], size, np.arange(size))
        first, _ = tallies(Order.of(up, size), Order.of(up[:, ::-1], size))
    assert set(found.both.tolist()) == {size - 1}
    assert (first.pairs.tolist(), set(first.matched.tolist())) == (list(range(size - 1, -1, -1)), {0})


def test_the_example_of_spans_of():
    assert (
        repr(Spans.of(Order.of(np.array([[0, 2], [1, 2]]), 3))) == "Spans(begin=array([2, 4, 1]), end=array([3, 5, 6]))"
    )


def test_the_example_of_count_related():
    chain, turned = (Spans.of(Order.of(np.array(edges), 3)) for edges in ([[0, 1], [1, 2]], [[2, 1], [1, 0]]))
    assert (
        count_related([chain], np.arange(3), [False]).tolist(),
        count_related([chain, turned], np.arange(3), [False, True]).tolist(),
    ) == ([2, 1, 0], [2, 1, 0])
