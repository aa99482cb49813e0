"""Triads are named as networkx names them."""

import itertools

import networkx as nx
import numpy as np
import pytest

from goldassay.kernels.triads import AHEAD, BACK, MUTUAL, TRIADS, count_triads_by, name_of_closed, open_name

LINKS = (AHEAD, BACK, MUTUAL)


def named(*linked):
    """The name that networkx gives three nodes, of which some are linked: two nodes, and how."""
    graph = nx.DiGraph()
    graph.add_nodes_from([1, 2, 3])
    for first, second, link in linked:
        graph.add_edges_from([(first, second)] if link in (AHEAD, MUTUAL) else [])
        graph.add_edges_from([(second, first)] if link in (BACK, MUTUAL) else [])
    return nx.triad_type(graph)


@pytest.mark.parametrize("links", list(itertools.product(LINKS, repeat=3)))
def test_a_triangle_has_the_name_that_networkx_gives_it(links):
    lower, upper, outer = links
    assert name_of_closed(*links) == named((1, 2, lower), (2, 3, upper), (1, 3, outer))


@pytest.mark.parametrize("links", list(itertools.product(LINKS, repeat=2)))
def test_an_open_triad_has_the_name_that_networkx_gives_it(links):
    one, other = links
    assert open_name(*links) == named((2, 1, one), (2, 3, other))


def test_the_example_of_count_triads_by():
    edges = np.array([[0, 2], [1, 2], [3, 4], [4, 5]])
    counts = count_triads_by(edges, np.array([0, 0, 0, 1, 1, 1]), 2)
    assert [[TRIADS[kind] for kind in np.flatnonzero(row)] for row in counts] == [["021U"], ["021C"]]


def test_the_example_of_name_of_closed():
    assert (name_of_closed(AHEAD, AHEAD, AHEAD), name_of_closed(AHEAD, AHEAD, BACK)) == ("030T", "030C")


def test_the_example_of_open_name():
    assert (open_name(AHEAD, AHEAD), open_name(BACK, MUTUAL)) == ("021D", "111D")
