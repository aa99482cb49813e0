"""Examples of `goldassay.formats.answers.ontology`: what its functions give."""

from goldassay.formats.answers.means import OF_AXIOMS
from goldassay.formats.answers.ontology import below_classes, read_ontology


def test_example_of_read_ontology():
    some = {"object_properties": [{"name": "hasBrand", "domain": "Product", "range": "Brand"}], "classes": ["Product"]}
    assert [one[1:4] for one in read_ontology(some, OF_AXIOMS)] == [("Product", "hasBrand", "Brand")]
    some = [{"name": "Product", "subClassOf": "Thing", "properties": {"hasBrand": "Brand"}}]
    assert [one[1:4] for one in read_ontology(some, OF_AXIOMS)] == [
        ("Product", "subClassOf", "Thing"),
        ("Product", "hasBrand", "Brand"),
    ]


def test_example_of_below_classes():
    assert below_classes({"title": "Shop", "classes": {"Book": ["Novel"]}}) == {"Book": ["Novel"]}
    assert below_classes({"Book": ["Novel"]}) == {"Book": ["Novel"]}
