"""Examples of graphs/measures/literal.py."""

from goldassay.graphs.measures.literal import relation_numbers
from goldassay.graphs.model import Graph


def test_the_example_of_relation_numbers():
    here, there = (Graph.from_edges([("a", "b")], relation=name) for name in ("eats", "likes"))
    assert [numbers.tolist() for numbers in relation_numbers(here, there)] == [[0], [1]]
