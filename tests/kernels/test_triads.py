"""Triads are named as networkx names them."""

import itertools

import networkx as nx
import pytest

from goldassay.kernels.triads import AHEAD, BACK, MUTUAL, name_of_closed, open_name

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
