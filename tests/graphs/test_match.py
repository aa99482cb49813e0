"""Examples of graphs/match.py."""

from goldassay.graphs.match import new_loops


def test_the_example_of_new_loops():
    assert new_loops(2) == "2 self-loops of the prediction score, and gold has no such edge"
