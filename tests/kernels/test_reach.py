"""What lies above a node, and how far, is what a walk finds, what is marked at once."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import reach
from goldassay.kernels.reach import Order, ancestor_keys, lists_above, words_at_once

SIZE = 6
EDGES = st.sets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=12).map(sorted)


def distances(edges, node):
    """The edges of the shortest way up to each node at or above one."""
    found, front = {node: 0}, [node]
    while front:
        front = [upper for lower, upper in edges if lower in front and upper not in found]
        step = max(found.values()) + 1
        found |= dict.fromkeys(front, step)
    return found


@given(EDGES, st.lists(st.integers(0, SIZE - 1), max_size=8), st.sampled_from([1, 2 * SIZE, 2**27]))
def test_the_lists_are_what_a_walk_finds(edges, asked, marked):
    starts = np.cumsum([0] + [sum(lower == node for lower, _ in edges) for node in range(SIZE)])
    parents = np.array([upper for _, upper in edges], dtype=np.int32)
    message = []
    with patch.object(reach, "SEEN_BYTES", marked):
        found = lists_above(starts, parents, np.array(asked, dtype=np.int64), counted=message.append)
    wanted = [sorted(distances(edges, node).items()) if node in asked else [] for node in range(SIZE)]
    begins, nodes, steps = (column.tolist() for column in found)
    assert begins == np.cumsum([0, *map(len, wanted)]).tolist()
    assert list(zip(nodes, steps, strict=True)) == [pair for some in wanted for pair in some]
    assert message == sorted(set(message))
    assert (message or [0])[-1] == len(nodes)


def test_who_is_reported_the_number_of_pairs_may_refuse_to_go_on():
    def refuse(total):
        if total > 2:
            raise OverflowError

    chain = np.arange(10), np.arange(1, 10, dtype=np.int32)
    with pytest.raises(OverflowError):
        lists_above(np.append(chain[0], 9), chain[1], np.array([0]), counted=refuse)


@pytest.mark.parametrize(("nodes", "words"), [(0, 3), (1, 3), (2, 1), (3, 1)])
def test_a_block_takes_no_more_than_the_memory(nodes, words):
    assert words_at_once(8 * 8 * 3, nodes) == words


def test_bits_go_on_in_the_next_word():
    chain = Order.of(np.array([[node, node + 1] for node in range(129)]), 130)
    found = chain.above(np.arange(130), 3)
    bits = np.unpackbits(found.view(np.uint8), axis=1, bitorder="little")
    assert bits.shape == (130, 192)
    assert [np.flatnonzero(row).tolist() for row in bits] == [list(range(node + 1, 130)) for node in range(130)]


def test_the_example_of_lists_above():
    found = lists_above(np.array([0, 1, 2, 2]), np.array([1, 2], dtype=np.int32), np.array([0]))
    assert [column.tolist() for column in found] == [[0, 3, 3, 3], [0, 1, 2], [0, 1, 2]]


def test_the_example_of_ancestor_keys():
    assert ancestor_keys(Order.of(np.array([[0, 1], [1, 2], [2, 1]]), 3), 9).tolist() == [1, 2]


def test_the_example_of_words_at_once():
    assert (
        words_at_once(64 * 10 * 3, 10),
        words_at_once(64 * 10 * 3 - 1, 10),
        words_at_once(1, 10),
        words_at_once(2**40, 10),
    ) == (3, 2, 1, 512)
