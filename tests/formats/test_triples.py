import pytest
from pyoxigraph import BlankNode

from goldassay.core.errors import InputError
from goldassay.formats import Source, load, read_triples, recognise

ONE = ("http://a/s", "http://a/p", "http://a/o")
DOCUMENTS = {
    "turtle": "@prefix : <http://a/> . :s :p :o .",
    "n-triples": "<http://a/s> <http://a/p> <http://a/o> .",
    "n-quads": "<http://a/s> <http://a/p> <http://a/o> <http://a/g> .",
    "trig": "@prefix : <http://a/> . :g { :s :p :o }",
    "n3": "@prefix : <http://a/> . :s :p :o .",
    "json-ld": '{"@id": "http://a/s", "http://a/p": {"@id": "http://a/o"}}',
    "rdf-xml": '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://a/">'
    '<r:Description r:about="http://a/s"><p r:resource="http://a/o"/></r:Description></r:RDF>',
}


def source(text: str | bytes) -> Source:
    data = text if isinstance(text, bytes) else text.encode()
    return Source(path="file", name="file", data=data, size=len(data))


def triples(text: str | bytes, name: str) -> list[tuple[str, str, str]]:
    return [(t.subject.value, t.predicate.value, t.object.value) for t in read_triples(source(text), name)]


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_syntax_gives_the_same_statement(name, encoding):
    assert triples(DOCUMENTS[name].encode(encoding), name) == [ONE]


def test_relative_iris_do_not_depend_on_where_the_file_lies():
    assert triples("<#s> <p> <o> .", "turtle") == [("file:///#s", "file:///p", "file:///o")]


def test_declared_latin1_rdf_is_read():
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>' + DOCUMENTS["rdf-xml"].replace("/o", "/café")
    assert triples(text.encode("latin-1"), "rdf-xml")[0][2] == "http://a/café"


def test_rdf_xml_that_stops_between_two_tags_is_an_error_and_not_a_shorter_file():
    with pytest.raises(InputError, match="ends early"):
        triples(DOCUMENTS["rdf-xml"].removesuffix("</r:RDF>"), "rdf-xml")


def test_a_broken_statement_names_line_and_column_and_says_that_nothing_can_be_skipped():
    with pytest.raises(InputError, match="on_error='skip' is of no help") as caught:
        triples("@prefix : <http://a/> .\n:s :p :o .\n:s :p", "turtle")
    assert (caught.value.line, caught.value.path) == (3, "file")
    assert caught.value.column is not None


def test_a_context_on_the_web_is_not_fetched():
    with pytest.raises(InputError, match="fetch nothing"):
        triples('{"@context": "https://schema.org/", "@id": "http://a", "name": "x"}', "json-ld")


def test_blank_nodes_of_two_statements_stay_one_node():
    first, second = read_triples(source("_:x <http://a/p> <http://a/o>, <http://a/q> ."), "turtle")
    assert isinstance(first.subject, BlankNode)
    assert first.subject == second.subject


def test_a_broken_real_file_names_its_place(reference_data):
    file = load(reference_data / "ontologies" / "syntaxes" / "horned_family.ttl")
    with pytest.raises(InputError) as caught:
        list(read_triples(file, recognise(file)))
    assert (caught.value.line, caught.value.column) == (8, 23)
