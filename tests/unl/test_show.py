"""Examples of unl/show.py."""

from goldassay.unl.read import document_of
from goldassay.unl.show import graph_text


def test_the_example_of_graph_text():
    assert graph_text(document_of("[S:1] agt ( a ; b ) [/S]").sentences[0]) == "agt(a, b)"
