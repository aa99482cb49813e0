import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from goldassay.kernels.components import PEELED, cycles, parts


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
