from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from goldassay.kernels import components
from goldassay.kernels.components import PEELED, cycles, parts, roots

SIZE = 9
EDGES = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=12)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize(("of", "connection"), [(parts, "weak"), (cycles, "strong")])
def test_components_are_those_of_scipy(seed, of, connection):
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(1, 30))
    edges = rng.integers(0, nodes, (int(rng.integers(0, 2 * nodes)), 2))
    links = csr_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(nodes, nodes))
    found = connected_components(links, connection=connection)[1]
    # Numbered in the order of their first nodes.
    first = {number: place for place, number in reversed(list(enumerate(found.tolist())))}
    order = {number: rank for rank, number in enumerate(sorted(first, key=first.__getitem__))}
    assert of(edges, nodes).tolist() == [order[number] for number in found.tolist()]


def test_a_cycle_behind_a_long_way_is_found():
    last = 3 * PEELED
    way = [(node, node + 1) for node in range(last)]
    assert cycles(np.array([*way, (last, last - 2)]), last + 1).tolist() == [*range(last - 1), last - 2, last - 2]


@pytest.mark.parametrize("of", [parts, cycles])
def test_nothing_has_no_components(of):
    assert of(np.empty((0, 2), dtype=np.int64), 0).tolist() == []


def flooded(size, edges):
    found = [{node} for node in range(size)]
    for one, another in edges:
        joined = found[one] | found[another]
        for node in joined:
            found[node] = joined
    return found


@given(EDGES)
def test_nodes_have_one_root_where_a_flood_joins_them(edges):
    root, joined = roots(np.array(edges, dtype=np.int64).reshape(-1, 2), SIZE).tolist(), flooded(SIZE, edges)
    for node in range(SIZE):
        assert root[node] in joined[node]
        assert {other for other in range(SIZE) if root[other] == root[node]} == joined[node]


@pytest.mark.parametrize("order", ["rising", "falling", "random", "zigzag"])
def test_a_long_path_takes_few_rounds(order):
    nodes = np.arange(2**14)
    nodes = {
        "rising": nodes,
        "falling": nodes[::-1],
        "random": np.random.default_rng(0).permutation(nodes),
        "zigzag": np.column_stack([nodes[: 2**13], nodes[2**13 :]]).ravel(),
    }[order]
    with patch.object(components, "distinct", wraps=components.distinct) as rounds:
        assert len(np.unique(roots(np.column_stack([nodes[:-1], nodes[1:]]), len(nodes)))) == 1
    # Two calls a round, and at least half of the roots are gone after each.
    assert rounds.call_count <= 2 * 14


@pytest.mark.parametrize("center", [0, 999])
def test_a_star_takes_two_rounds_at_the_most(center):
    leaves = np.delete(np.arange(1000), center)
    with patch.object(components, "distinct", wraps=components.distinct) as rounds:
        assert len(np.unique(roots(np.column_stack([np.full(999, center), leaves]), 1000))) == 1
    assert rounds.call_count == 2


def test_the_example_of_roots():
    assert roots(np.array([[3, 1], [1, 0]]), 4).tolist() == [0, 0, 2, 0]


def test_the_example_of_parts():
    assert parts(np.array([[3, 1], [2, 0]]), 5).tolist() == [0, 1, 0, 1, 2]


def test_the_example_of_cycles():
    assert cycles(np.array([[0, 1], [1, 2], [2, 1], [2, 3]]), 4).tolist() == [0, 1, 1, 2]
