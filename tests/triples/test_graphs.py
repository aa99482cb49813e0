"""Examples of triples/measures/graphs.py."""

from goldassay.triples.measures.graphs import SmallGraph, edit_distance


def test_the_example_of_smallgraph_of():
    graph = SmallGraph.of([("a", "r", "b"), ("a", "q", "b")], parallel=False)
    assert repr((graph.names, graph.edges)) == "(('a', 'b'), {(0, 1): Counter({'q': 1})})"


def test_the_example_of_edit_distance():
    a, b = SmallGraph.of([("rome", "in", "italy")]), SmallGraph.of([("oslo", "in", "norway")])
    assert (edit_distance(a, b).most, edit_distance(a, b, named=False).most) == (2, 0)
