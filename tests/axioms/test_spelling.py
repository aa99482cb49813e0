"""Examples of axioms/spelling.py."""

from goldassay.axioms.spelling import Spelling, cut_key


def test_the_example_of_spelling():
    spelling = Spelling(fold_case=True, strip_key=True)
    assert (
        spelling.key("Product(ProductName)"),
        spelling.key("http://a/b#hasBrand"),
        spelling.key("rdfs:subClassOf"),
    ) == ("product", "hasbrand", "subclassof")


def test_the_example_of_spelling_names():
    assert Spelling().names(["cat", "http://a/b#dog", "RDFS:subClassOf"]) == ["cat", "dog", "subClassOf"]


def test_the_example_of_cut_key():
    assert (cut_key("Product (ProductName) "), cut_key("f(g(x))"), cut_key("(key)")) == ("Product", "f(g(x))", "(key)")


def test_a_type_of_xml_schema_is_cut_where_nothing_else_is_odd():
    assert Spelling().names(["xsd:string", "cat"]) == ["string", "cat"]
