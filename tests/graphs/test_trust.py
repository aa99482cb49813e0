"""Examples of graphs/trust.py."""

from goldassay.graphs.model import Graph
from goldassay.graphs.trust import branches, find_warnings, lexical, merge_graphs


def test_the_example_of_find_warnings():
    a, b = Graph.from_edges([("x", "y")]), Graph.from_edges([("p", "q")])
    assert list(find_warnings(a, b)) == [
        "prediction and gold have no text in common, so no literal match is possible, for example 'x' against 'p'"
    ]


def test_the_example_of_branches():
    assert branches(
        Graph.from_edges([("tree", "plant"), ("plant", "thing"), ("cat", "animal"), ("animal", "thing")])
    ) == ["plant", "plant", "animal", "animal"]
    assert branches(Graph.from_edges([("tree", "plant"), ("cat", "animal"), ("kitten", "cat")])) == [
        "plant",
        "animal",
        "animal",
    ]


def test_the_example_of_lexical():
    here, there = Graph.from_edges([("cat", "pet"), ("cat", "dog")]), Graph.from_edges([("cat", "pet")])
    assert lexical(here, there) == ["both texts known", "one text known"]


def test_the_example_of_merge_graphs():
    gold_standards = [Graph.from_edges([("cat", "pet"), ("dog", "pet")]), Graph.from_edges([("cat", "pet")])]
    assert (len(merge_graphs(gold_standards, 1)), len(merge_graphs(gold_standards, 2))) == (2, 1)
