"""How two nodes are related: against sets, in trees, graphs with several parents, and cycles."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldassay.kernels import kin
from goldassay.kernels.kin import Neighbours, have_common, lead_up

NODES = 7
EDGES = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=14)
EVERY = np.array([(a, b) for a in range(NODES) for b in range(NODES)])


def reached(up, node):
    seen, waiting = set(), list(up[node])
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += up[one]
    return seen


def sets_of(edges):
    up = {node: {b for a, b in edges if a == node} for node in range(NODES)}
    down = {node: {a for a, b in edges if b == node} for node in range(NODES)}
    return up, down


@given(EDGES, st.booleans())
def test_a_way_up_is_found_where_one_leads_up(drawn, one_parent):
    edges = list(dict(drawn).items()) if one_parent else drawn
    edges = [(a, b) for a, b in edges if a != b]
    up, _ = sets_of(edges)
    found = lead_up(np.array(edges, dtype=np.int64).reshape(-1, 2), NODES, EVERY)
    assert found.tolist() == [b in reached(up, a) for a, b in EVERY.tolist()]


def test_bits_are_followed_in_several_rounds(monkeypatch):
    monkeypatch.setattr(kin, "WORDS", 1)
    monkeypatch.setattr(kin, "WORD", 64)
    ladder = np.array([(n, n + step) for n in range(198) for step in (1, 2)])
    pairs = np.array([(a, b) for a in range(0, 200, 7) for b in range(200)])
    assert lead_up(ladder, 200, pairs).tolist() == [a < b for a, b in pairs.tolist()]


@given(EDGES)
def test_neighbours_in_common_are_those_of_sets(edges):
    up, down = sets_of(edges)
    table = np.array(edges, dtype=np.int64).reshape(-1, 2)
    upper, lower = Neighbours.of(table, NODES), Neighbours.of(table[:, ::-1], NODES)
    assert have_common(upper, upper, EVERY).tolist() == [bool(up[a] & up[b]) for a, b in EVERY.tolist()]
    assert have_common(upper, lower, EVERY).tolist() == [bool(up[a] & down[b]) for a, b in EVERY.tolist()]


def test_many_neighbours_are_looked_at_in_pieces(monkeypatch):
    star = np.array([(n, 0) for n in range(1, 50)] + [(n, 50) for n in range(1, 50)])
    up = Neighbours.of(star, 51)
    pairs = np.array([(a, b) for a in range(51) for b in range(51)])
    whole = have_common(up, up, pairs)
    monkeypatch.setattr(kin, "AT_ONCE", 5)
    assert have_common(up, up, pairs).tolist() == whole.tolist()


def test_the_example_of_neighbours_of():
    assert Neighbours.of(np.array([[0, 2], [0, 1], [0, 1]]), 3).nodes.tolist() == [1, 2]


def test_the_example_of_have_common():
    up = Neighbours.of(np.array([[0, 2], [1, 2]]), 3)
    assert have_common(up, up, np.array([[0, 1], [0, 2]])).tolist() == [True, False]


def test_the_example_of_lead_up():
    assert lead_up(np.array([[0, 1], [1, 2]]), 3, np.array([[0, 2], [2, 0]])).tolist() == [True, False]
