"""Examples of `goldassay.formats.relations`: what its functions give."""

from goldassay.formats.relations import direction, expand, leads_down


def test_example_of_expand():
    assert expand("skos:broader") == "http://www.w3.org/2004/02/skos/core#broader"
    assert expand("part_of") == "part_of"


def test_example_of_direction():
    assert [
        direction(name) for name in ("is_a", "rdfs:subClassOf", "type of", "skos:narrower", "hypernym of", "part_of")
    ] == [1, 1, 1, -1, -1, 0]


def test_example_of_leads_down():
    assert leads_down("includes")
    assert leads_down("hypernym of")
    assert not leads_down("part_of")
