"""Examples of graphs/texts.py."""

from goldassay.core.intern import string_array
from goldassay.graphs.texts import compose_texts, local_name, number_texts, title, warn_of_shared_names


def test_the_example_of_title():
    assert title("http://a/b#TripleNegative_breast-cancer") == "TripleNegative breast-cancer"


def test_the_example_of_local_name():
    assert [
        local_name(one) for one in ("http://a/b#Cat", "http://purl.obolibrary.org/obo/GO_0005634", "GO:0005634")
    ] == ["Cat", "0005634", "0005634"]
    assert (local_name("http://identifiers.org/hgnc:5"), local_name("cat: a pet"), local_name("cat/dog")) == (
        "5",
        "cat: a pet",
        "cat/dog",
    )


def test_the_example_of_warn_of_shared_names():
    assert warn_of_shared_names(["http://a/x#cat", "http://a/y#cat", "http://a/dog"], "name") == (
        "2 nodes share their local name with another one; --text iri distinguishes them",
    )


def test_the_example_of_compose_texts():
    assert compose_texts(["cafe\u0301", "tea"]) == (["café", "tea"], 1)


def test_the_example_of_number_texts():
    texts, (here, there) = number_texts(string_array(["dog", "cat"]), string_array(["dog"]))
    assert (texts.tolist(), here.tolist(), there.tolist()) == (["cat", "dog"], [1, 0], [1])
