"""Examples of graphs/measures/motif.py."""

from goldassay.graphs.measures.motif import component_names, components_of
from goldassay.graphs.model import Graph


def test_the_example_of_components_of():
    assert components_of(Graph.from_edges([("cat", "pet"), ("rose", "plant")])).tolist() == [0, 0, 1, 1]


def test_the_example_of_component_names():
    assert component_names(
        Graph.from_edges([("cat", "pet"), ("rose", "plant"), ("plant", "being"), ("rose", "gift")])
    ) == ["pet", "pet", "being", "being", "being", "being"]
