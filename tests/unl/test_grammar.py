"""Examples of unl/grammar.py."""

from goldassay.unl.grammar import normalise_uw, parse_graph, parse_node


def test_the_example_of_parse_graph():
    assert parse_graph("agt(give, :01)\nmod:01(old;man)")[0] == [
        ("agt", "", "give", ":01"),
        ("mod", "01", "old", "man"),
    ]
    assert repr(parse_graph("[W]\n102870092.@def\n[/W]")[1]) == "[Node(uw='102870092', id='', attributes=('def',))]"


def test_the_example_of_parse_node():
    assert (
        repr(parse_node("foot (icl>vertebrate foot):64.@pl"))
        == "Node(uw='foot(icl>vertebrate foot)', id='64', attributes=('pl',))"
    )
    assert repr(parse_node(":3F.@1")) == "Node(uw='00', id='3F', attributes=('1',))"


def test_the_example_of_normalise_uw():
    assert normalise_uw("city  (icl> region)") == "city(icl>region)"
