"""Examples of alignments/relations.py."""

from goldassay.alignments.relations import relation_code


def test_the_example_of_relation_code():
    assert (
        relation_code("skos:exactMatch"),
        relation_code("&lt;"),
        relation_code("eats"),
        relation_code("equivalent to"),
    ) == (0, 1, None, 0)
    assert relation_code("http://www.w3.org/2000/01/rdf-schema#subClassOf") == 1
