import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels.ancestors import Links, reduction, relatives, tallies, tally
from goldassay.kernels.reach import Order, kinship

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
        assert found.met.tolist() == [1] * (size - 1) + [0]
        # Every node stands for every other one, so that each pair is met that lies below anything.
        everything = Links.of(np.repeat(np.arange(size), size), np.tile(np.arange(size), size), size)
        assert (tally(chain, star, everything, memory=memory).met == found.pairs).all()
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
            assert found.met.tolist() == wanted.met.tolist()
        kin, twin = relatives(left, right, 7, memory=memory), kinship(left, right, 7, np.arange(7))
        assert [kin.left.tolist(), kin.right.tolist(), kin.both.tolist()] == [
            twin.left.tolist(),
            twin.right.tolist(),
            twin.both.tolist(),
        ]
