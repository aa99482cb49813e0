import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.alignments.read import WITHOUT_CONTEXTS
from goldassay.axioms.read import READABLE as OF_AXIOM_FILES
from goldassay.core.errors import InputError
from goldassay.families import families
from goldassay.formats.answers.means import OF_AXIOMS, OF_CORRESPONDENCES, OF_EDGES, OF_LABELS
from goldassay.formats.known import GRAPHS, TITLES
from goldassay.formats.recognise import hint_for, recognise
from goldassay.formats.source import Source
from goldassay.labels.read import READABLE as OF_LABEL_FILES
from goldassay.triples.read import format_of

RDF_NAMESPACE = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
OWL_NAMESPACE = "http://www.w3.org/2002/07/owl#"


def seen(data: bytes | str, name: str = "file", readable: tuple[str, ...] = GRAPHS) -> str:
    data = data if isinstance(data, bytes) else data.encode()
    return recognise(Source(path=name, name=name, data=data, size=len(data)), readable)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'<?xml version="1.0"?>\n<rdf:RDF {RDF_NAMESPACE}/>', "rdf-xml"),
        (f"<rdf:RDF {RDF_NAMESPACE}>", "rdf-xml"),
        (f'<!-- a --><!DOCTYPE rdf:RDF [<!ENTITY x "y">]><rdf:RDF {RDF_NAMESPACE}/>', "rdf-xml"),
        (f'<Ontology xmlns="{OWL_NAMESPACE}"/>', "owl-xml"),
        (f'<o:Ontology xmlns:o="{OWL_NAMESPACE}"/>', "owl-xml"),
        ("@prefix : <http://a/> .", "turtle"),
        ("# a comment\n\nPREFIX : <http://a/>", "turtle"),
        ("<http://a> <http://b> <http://c> .", "turtle"),
        ("_:b <http://b> <http://c> .", "turtle"),
        ('<http://a> <http://b> "c d"@en <http://g> .', "n-quads"),
        ('{"@context": {}, "@id": "http://a"}', "json-ld"),
        ('[{"@id": "http://a"}]', "json-ld"),
        ('{"graphs": []}', "obo-graph"),
        ('{"directed": true, "nodes": [], "links": []}', "node-link"),
        ('{"nodes": [], "edges": []}', "node-link"),
        ("Prefix(:=<http://a/>)\nOntology()", "owl-functional"),
        ("# c\nOntology(<http://a>)", "owl-functional"),
        ("format-version: 1.2\n", "obo"),
        ("! comment\n[Term]\nid: A:1", "obo"),
        ("child\tparent\n", "tsv"),
        ("cat, wild\tanimal\n", "tsv"),
        ("child,parent\n", "csv"),
        ("child;parent\n", "csv"),
        (b"PAR1rest", "parquet"),
    ],
)
def test_the_content_shows_the_format(text, expected):
    assert seen(text) == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("<http://a> <http://b> <http://c> .", "a.nt", "n-triples"),
        ("<http://a> <http://b> <http://c> .", "a.nq", "n-quads"),
        ("@prefix : <http://a/> .", "a.trig", "trig"),
        ("@prefix : <http://a/> .", "a.csv", "turtle"),
        ("@prefix : <http://a/> .", "a.owl", "turtle"),
        ("[ <http://a> <http://b> ] .", "a.ttl", "turtle"),
        ("#child,parent\na,b", "a.csv", "csv"),
        ("ontology: of things\tthing", "a.tsv", "tsv"),
        ("one word a line", "a.tsv", "tsv"),
        (f"<rdf:RDF {RDF_NAMESPACE}/>", "a.ttl", "rdf-xml"),
        ("1\t2\n", "a.b.taxo", "taxo"),
        ("1\t2\n", ".taxo", "tsv"),
    ],
)
def test_the_name_shows_what_the_content_leaves_open(text, name, expected):
    assert seen(text, name) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[S:1] agt(a, b) [/S]", "a"),
        ("[D:dn=Book,on=UNDL]\n[P]\n[S:1] agt(a, b) [/S]\n[/P]\n[/D]", "a"),
        ("[P:1]\n[S]", "a"),
        ("; a comment, with commas\n;\n\n[S:1] agt(a, b) [/S]", "a"),
        ("{unl}\nagt(a, b)\n{/unl}", "a.txt"),
        ("{org:en}\nBooks\n{/org}", "a.txt"),
        ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\n<html><body>[S:1]<br />', "a.html"),
        ("<p>{unl}<br>agt(a, b)", "a"),
    ],
)
def test_a_unl_document_is_no_json_and_no_web_page(text, name):
    assert seen(text, name, tuple(TITLES)) == "unl"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_hide_nothing(encoding):
    assert seen("@prefix : <http://a/> .".encode(encoding)) == "turtle"
    assert seen(f'<?xml version="1.0"?><rdf:RDF {RDF_NAMESPACE}/>'.encode(encoding)) == "rdf-xml"
    assert seen(json.dumps({"graphs": []}).encode(encoding)) == "obo-graph"


@pytest.mark.parametrize("start", ["", " ", "\ufeff"])
def test_an_array_of_objects_is_a_table_unless_it_is_linked_data(start):
    assert seen(start + '[{"child": "cat", "parent": "pet"}]') == "json-lines"
    assert seen(start + '[{"@id": "http://a/cat"}]') == "json-ld"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG image"),
        (b"PK\x03\x04\x14\0", "ZIP archive"),
        (b"\x80\x04\x95\xba\x01\0", "pickle"),
        (b"ARROW1\0\0", "Arrow or Feather"),
        (b"\x93NUMPY\x01\0", "array of NumPy"),
        (b"%PDF-1.7", "PDF"),
        (b"\x00\x01\x02\x03", "binary"),
        (b"<!DOCTYPE html>\n<html><br></html>", "web page"),
        (b"<html><body>404</body></html>", "web page"),
        (b'<?xml version="1.0"?><project><a/></project>', "neither RDF/XML nor OWL/XML"),
        (b"<?xml version='1.0'?>\n<!-- cut", "ends early"),
        (b"Prefix: : <http://a/>\nOntology: <http://a>", "Manchester"),
        (b'{"a": 1}', "structure of this JSON is not supported"),
        (b"[1, 2]", "structure of this JSON is not supported"),
        (b'{"a": ', "Invalid JSON"),
        (b'{"nodes": ["\\ud800"], "links": []}', "lone surrogate"),
        (b"[" * 100_000, "nested too deeply"),
        (b"just some words", "not recognised"),
    ],
)
def test_what_is_no_ontology_is_refused_by_name(data, message):
    with pytest.raises(InputError, match=message):
        seen(data)


def test_paired_surrogates_and_escaped_backslashes_are_whole_characters():
    assert seen(rb'{"nodes": ["\ud83d\ude00 \\ud800"], "links": []}') == "node-link"


def test_a_lone_surrogate_names_its_line():
    with pytest.raises(InputError) as caught:
        seen(b'{"nodes": [\n"\\udc00"], "links": []}')
    assert caught.value.line == 2


@given(st.binary(min_size=1, max_size=80).filter(bytes.strip))
def test_no_bytes_bring_a_foreign_error(data):
    with suppress(InputError):
        assert seen(data) in GRAPHS


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (b"[['a', 'r', 'b']]\n[['c', 'r', 'd']]\n", "not JSON", "goldassay triples"),
        (b'[["a", "r", "b"]]\n[["c", "r", "d"]]\n', "not JSON", "goldassay triples"),
        (b"{'nodes': ['a']}", "not JSON", "json.dumps"),
        (b'{"nodes": ["a"] "links": [1, 2, 3]}', "not JSON", "correct this place"),
        (b'{"nodes": ["a"', "Invalid JSON", "has finished"),
        (b'{"nodes": ["a", "bc', "Invalid JSON", "has finished"),
    ],
)
def test_what_is_no_json_has_a_hint_that_fits(text, message, hint):
    with pytest.raises(InputError, match=message) as caught:
        recognise(Source(path="a.txt", name="a.txt", data=text, size=len(text)), GRAPHS)
    assert hint in str(caught.value)


READ_AS = {
    "taxonomy": (GRAPHS, OF_EDGES),
    "axioms": (OF_AXIOM_FILES, OF_AXIOMS),
    "alignment": (WITHOUT_CONTEXTS, OF_CORRESPONDENCES),
    "labels": (OF_LABEL_FILES, OF_LABELS),
}
ROW = {"a": 1}
JSONS = [
    ({"@context": {}, "@id": "http://a"}, "json-ld json-ld json-lines json-lines"),
    ({"@context": {}, "@graph": []}, "json-ld json-ld sssom-json json-lines"),
    ({"nodes": [], "links": []}, "node-link - json-lines json-lines"),
    ({"nodes": [], "more": 1}, "- - json-lines json-lines"),
    ({"nodes": [{"id": 1, "name": "a", "parent": None}]}, "node-link - json-lines json-lines"),
    ({"graphs": []}, "obo-graph obo-graph json-lines json-lines"),
    ([{"child": "a", "parent": "b"}], "json-lines json-lines json-lines json-lines"),
    ([{"child": "a@b", "parent": "b"}], "json-lines json-lines json-lines json-lines"),
    ([{"child": "a", "parent": "b", "@type": "c"}], "json-ld json-ld json-lines json-lines"),
    ({"mappings": [{"subject_id": "a", "object_id": "b"}]}, "- model-output sssom-json model-output"),
    ({"mappings": [{"source": "a", "target": "b"}]}, "- model-output model-output model-output"),
    ([{"subject_id": "a", "object_id": "b"}], "json-lines json-lines sssom-json json-lines"),
    ({"animal": {"cat": {}, "dog": {}}}, "model-output model-output json-lines json-lines"),
    ({"name": "animal", "children": [{"name": "cat"}]}, "model-output model-output json-lines json-lines"),
    ([{"name": "animal", "children": [{"name": "cat"}]}], "model-output model-output json-lines json-lines"),
    ([["a", "b"], ["c", "b"]], "model-output model-output model-output model-output"),
    ([["a", "r", "b"], ["c", "r", "b"]], "model-output model-output model-output json-lines"),
    ([["a"], *[ROW] * 98, {"@id": "a"}], "json-ld json-ld json-lines json-lines"),
    ([["a"], *[ROW] * 99, {"@id": "a"}], "- - json-lines json-lines"),
    ({"some": 1, "key": 2}, "- - json-lines json-lines"),
    ([], "- - json-lines json-lines"),
]


@pytest.mark.parametrize(("document", "expected"), JSONS)
def test_a_document_of_json_is_what_each_family_can_read(document, expected):
    for (formats, meaning), name in zip(READ_AS.values(), expected.split(), strict=True):
        data = json.dumps(document).encode()
        source = Source(path="a.json", name="a.json", data=data, size=len(data))
        if name == "-":
            with pytest.raises(InputError):
                recognise(source, formats, meaning)
        else:
            assert recognise(source, formats, meaning) == name


@pytest.mark.parametrize(
    ("document", "found"),
    [
        (dict.fromkeys("ihgfedcba", 1), "the keys a, b, c, d, e, f, g, h"),
        ([1, {"b": 1}, {"a": 1}], "the keys a, b"),
        ([1], "no object with keys"),
    ],
)
def test_json_of_no_known_shape_is_refused_by_its_keys(document, found):
    with pytest.raises(InputError, match="structure of this JSON") as caught:
        seen(json.dumps(document))
    assert caught.value.found == found


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('{"a": 1}', "set the format: --input-format json-lines"),
        ('\n{"a": 1}\n\n', "set the format: --input-format json-lines"),
        ('{"a":\n1}', "write the record on one line"),
        ('{"a": [1]}', None),
        ('{"a": {"b": 1}}', None),
        ("[1, 2]", None),
    ],
)
def test_a_record_of_json_is_led_to_json_lines_if_it_is_on_one_line(text, hint):
    with pytest.raises(InputError, match="not supported") as caught:
        seen(text, readable=("json-ld", "json-lines"))
    assert caught.value.hint == hint
    with pytest.raises(InputError, match="not supported") as caught:
        seen(text, readable=("json-ld", "node-link"))
    assert caught.value.hint is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_is_not_recognised_is_shown_as_it_is_written(encoding):
    with pytest.raises(InputError, match="not recognised") as caught:
        seen("größe 糖尿病 \U0001f600".encode(encoding))
    assert caught.value.found == "'größe 糖尿病 \U0001f600'"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1251", "shift-jis"])
def test_a_file_in_another_encoding_is_refused_as_one(encoding):
    text = {"latin-1": "größe", "cp1251": "Привет мир", "shift-jis": "日本語"}[encoding].encode(encoding)
    for read in (seen, lambda data: format_of(Source(path="a", name="a", data=data, size=len(data)))):
        with pytest.raises(InputError, match="not in the encoding utf-8") as caught:
            read(text)
        assert caught.value.line == 1


def test_mappings_of_sssom_are_no_model_output():
    from goldassay.alignments.reading import READABLE
    from goldassay.formats.answers.means import OF_CORRESPONDENCES

    data = b'{"mappings": [{"subject_id": "a:1", "predicate_id": "skos:exactMatch", "object_id": "b:1"}]}'
    source = Source(path="a.json", name="a.json", data=data, size=len(data))
    assert recognise(source, [name for name in READABLE if name != "json-ld"], OF_CORRESPONDENCES) == "sssom-json"


ONTOLOGIES = {
    "a.owl": (
        '<?xml version="1.0"?>\n<rdf:RDF\n    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"\n'
        '    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n  <rdf:Description rdf:about="http://a/dog">\n'
        '    <rdfs:subClassOf rdf:resource="http://a/pet"/>\n  </rdf:Description>\n</rdf:RDF>\n'
    ),
    "a.owx": (
        '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#"\n     ontologyIRI="http://a/">\n  <SubClassOf>\n'
        '    <Class IRI="http://a/dog"/>\n    <Class IRI="http://a/pet"/>\n  </SubClassOf>\n</Ontology>\n'
    ),
    "a.ofn": (
        "Prefix(:=<http://a/>)\nOntology(<http://a>\n  Declaration(Class(:dog))\n  Declaration(Class(:pet))\n"
        "  SubClassOf(:dog :pet)\n)\n"
    ),
    "a.obo": "format-version: 1.2\n\n[Term]\nid: A:1\nname: dog\nis_a: A:2 ! pet\n\n[Term]\nid: A:2\nname: pet\n",
    "a.ttl": (
        "# An ontology\n@prefix : <http://a/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':dog rdfs:subClassOf :pet .\n:dog rdfs:label "dog" .\n'
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", families())
@pytest.mark.parametrize("name", ONTOLOGIES)
@pytest.mark.parametrize("ending", ["", ".txt"])
def test_an_ontology_is_no_model_output_in_any_family(name, kind, ending, tmp_path):
    path = tmp_path / f"{name}{ending}"
    path.write_text(ONTOLOGIES[name])
    try:
        found = goldassay.read(path, kind=kind)
    except InputError:
        return
    assert found.format not in {"model-output", "lists", "csv", "tsv"}
    # A family of texts reads any text.
    assert found.format == "text" or kind in {"taxonomy", "axioms", "alignment", "triples"}


def test_example_of_recognise():
    assert recognise(Source(path="a", name="a", data=b"# pets\n@prefix : <http://pets/> .", size=31)) == "turtle"
    assert recognise(Source(path="a", name="a", data=b"cat\tanimal\n", size=11)) == "tsv"


def test_example_of_hint_for():
    assert hint_for("digraph { cat -> animal }", ["csv"]) == "write its edges as a table, one per row"


@pytest.mark.parametrize(
    ("kind", "name", "text", "hint"),
    [
        ("labels", "a.ttl", "@prefix ex: <http://x/> .\nex:a a ex:b .\n", "goldassay taxonomy reads it"),
        ("taxonomy", "a.xml", '<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Alignment/></rdf:RDF>', "goldassay alignment reads it"),
    ],
)  # fmt: skip
def test_a_file_of_another_family_has_a_command(kind, name, text, hint, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(goldassay.InputError, match="not supported here") as raised:
        goldassay.read(path, kind=kind)
    assert raised.value.hint == hint
