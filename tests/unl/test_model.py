"""Examples of unl/model.py."""

from goldassay.unl.read import document_of


def test_the_example_of_graphs():
    graphs = document_of("[S:1] agt(a, b) obj(a, c) [/S]").graphs
    assert (graphs.sizes.tolist(), graphs.relations.tolist()) == ([2], [[0, 0, 0, 1], [1, 0, 0, 2]])
