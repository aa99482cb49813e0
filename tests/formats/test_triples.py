import pytest
from pyoxigraph import BlankNode

from goldassay.core.errors import InputError
from goldassay.formats import Source, load, read_triples, recognise
from goldassay.formats.documents import json_of
from goldassay.formats.records import BadRecords

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


def test_a_broken_statement_names_line_and_column_and_says_how_to_leave_it_out():
    with pytest.raises(InputError, match="leave out broken statements: --on-error skip") as caught:
        triples("@prefix : <http://a/> .\n:s :p :o .\n:s :p", "turtle")
    assert caught.value.line == 3
    assert caught.value.column is not None


def test_a_context_on_the_web_is_not_fetched():
    with pytest.raises(InputError, match="remote contexts are not loaded"):
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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("turtle", "<a:a> <a:b> " + "<<( <a:a> <a:b> " * 100_000 + "<a:c>" + ")>>" * 100_000 + " ."),
        ("n-triples", "<a:a> <a:b> " + "<<( <a:a> <a:b> " * 100_000 + "<a:c>" + ")>>" * 100_000 + " ."),
        ("turtle", "<a:a> <a:b> " + "<<( <a:a> <a:b> '>>' #>>\n" * 20_000),
        ("turtle", "<a:a> <a:b> " + """<<( <a:a> <a:b\\u003e> '''>>\\'''>>''' """ * 20_000),
        ("json-ld", '{"a:b":' * 100_000 + "1" + "}" * 100_000),
        ("json-ld", '{"@id": "a:a", "a:b": ' + '{"@list":[' * 20_000 + "1" + "]}" * 20_000 + "}"),
        ("json-ld", '{"@context": {' + ",".join(f'"t{n}": "t{n + 1}:x"' for n in range(20_000)) + '}, "t0": 1}'),
        (
            "json-ld",
            '{"@context": [{' + ",".join(f'"t{n}": {{"@id": "t{n + 1}"}}' for n in range(20_000)) + '}], "t0": 1}',
        ),
    ],
    ids=range(8),
)
def test_nesting_that_would_crash_the_parser_is_refused(name, text):
    with pytest.raises(InputError) as caught:
        list(read_triples(source(text), name))
    assert "GOLDASSAY_MAX_DEPTH" in caught.value.hint


def test_nesting_within_the_limit_is_fine():
    text = "<a:a> <a:b> " + "<<( <a:a> <a:b> " * 400 + "<a:c>" + ")>>" * 400 + " ." + '<a:a> <a:b> "<<<<" .' * 1000
    assert len(list(read_triples(source(text), "turtle"))) == 1001
    terms = ",".join(f'"t{n}": "http://a/{n}"' for n in range(5000))
    assert len(list(read_triples(source(f'{{"@context": {{{terms}}}, "@id": "a:a", "t0": 1}}'), "json-ld"))) == 1


@pytest.mark.parametrize("part", ['"""', "'''", '"', "<", "<<", "#", "\\", '"\\\\', "[", "<a"])
def test_a_mark_that_is_repeated_takes_linear_time(part):
    with pytest.raises(InputError):
        list(read_triples(source("<a:a> <a:b> " + part * 100_000), "turtle"))


def test_json_keeps_great_numbers_and_refuses_those_of_no_use():
    assert json_of(source("[123456789012345678901234567890, 1e308]")) == [123456789012345678901234567890, 1e308]
    for text in ("1" * 5000, "1e999", "-1e400", "NaN", "Infinity"):
        with pytest.raises(InputError) as caught:
            json_of(source(f"[{text}]"))
        assert caught.value.expected


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize(
    "page",
    [
        '<a:a> <a:b> <a:c> .\n\n<a:d> <a:e> "{}" .',
        "<a:a> <a:b> <a:c> .\n\n# {}\n",
        '<a:a> <a:b> <a:c> .\n\n<a:d> <a:e> """{}""" .',
    ],
)
def test_a_text_longer_than_the_buffer_of_the_parser_is_refused_with_its_line(page, on_error):
    data = page.format("long " * 4_000_000).encode()
    source = Source(path="a.ttl", name="a.ttl", data=data, size=len(data))
    with pytest.raises(InputError, match="too long") as found:
        list(read_triples(source, "turtle", BadRecords(on_error=on_error)))
    assert (found.value.line, found.value.__cause__) == (3, None)


@pytest.mark.parametrize(
    ("name", "page"),
    [
        (
            "rdf-xml",
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n<rdf:Description rdf:about="a:b"><rdf:value>{}</rdf:value></rdf:Description></rdf:RDF>',
        ),
        ("owl-functional", 'Ontology(<http://x>\nAnnotationAssertion(rdfs:label <a:b> "{}"))'),
    ],
)
def test_a_long_text_is_refused_with_its_line(name, page, monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_LENGTH", "1000")
    data = page.format("long " * 250).encode()
    with pytest.raises(InputError, match="too long") as found:
        list(read_triples(Source(path="a", name="a", data=data, size=len(data)), name))
    assert found.value.line == 2


def test_example_of_read_triples():
    from goldassay.formats.source import Source
    from goldassay.formats.triples import read_triples

    page = b"<http://a/cat> <http://a/is> 'furry'@en ."
    [triple] = read_triples(Source(path="a.ttl", name="a.ttl", data=page, size=41), "turtle")
    assert triple.object.value == "furry"
    assert triple.object.language == "en"
