"""Examples of `goldassay.triples.reading`: what its functions give."""

from goldassay.core.intern import Names
from goldassay.triples.reading import normaliser


def test_example_of_normaliser():
    assert normaliser([])(" New  York") == "New York"
    assert normaliser(["case", "underscores"])("New_York") == "new york"
    assert normaliser(["camel", "case"])("birthPlace") == "birth place"
    assert normaliser(["numbers"])("2439.50") == "2439.5"


def test_example_of_normaliser_each():
    assert normaliser([]).each(Names(["Oslo", " New  York", "café"])).tolist() == ["Oslo", "New York", "café"]
