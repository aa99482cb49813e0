import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, load
from goldassay.formats.obo import Namespace, Stanza, read_obo, read_obo_graph
from goldassay.formats.records import BadRecords

SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
PURL = "http://purl.obolibrary.org/obo/"


def source(text: str) -> Source:
    return Source(path="a.obo", name="a.obo", data=text.encode(), size=len(text))


def messages(text: str, bad: BadRecords | None = None) -> set[tuple[str, str, str]]:
    triples = read_obo(source(text), bad)
    return {(t.subject.value, t.predicate.value.rpartition("#")[2], t.object.value) for t in triples}


def edges(triples) -> set[tuple[str, str]]:
    return {(t.subject.value, t.object.value) for t in triples if t.predicate.value == SUBCLASS}


def test_a_term_becomes_a_class_with_its_texts_and_links():
    text = r"""format-version: 1.2
ontology: pets
idspace: MY http://my.org/

! a comment above a stanza
[Term]
id: A:1
name: cat: the \"animal\" ! domestic {really}
def: "It says \"miaow\"." [MY:1]
synonym: "felis" EXACT Latin [] {source="x"}
exact_synonym: "kitty" []
synonym: "moggy" []
is_a: MY:2 {source="B:7"} ! a comment with {braces}
relationship: part_of C:3 {x="y z"} ! family
relationship: RO:0002211 C:4
is_obsolete: true
[Term]
id: A:2

[Typedef]
id: part_of
xref: BFO:0000050
is_a: overlaps
"""
    assert messages(text) == {
        (f"{PURL}A_1", "type", "http://www.w3.org/2002/07/owl#Class"),
        (f"{PURL}A_1", "label", 'cat: the "animal"'),
        (f"{PURL}A_1", f"{PURL}IAO_0000115", 'It says "miaow".'),
        (f"{PURL}A_1", "hasExactSynonym", "felis"),
        (f"{PURL}A_1", "hasExactSynonym", "kitty"),
        (f"{PURL}A_1", "hasRelatedSynonym", "moggy"),
        (f"{PURL}A_1", "subClassOf", "http://my.org/2"),
        (f"{PURL}A_1", f"{PURL}BFO_0000050", f"{PURL}C_3"),
        (f"{PURL}A_1", f"{PURL}RO_0002211", f"{PURL}C_4"),
        (f"{PURL}A_1", "deprecated", "true"),
        (f"{PURL}A_2", "type", "http://www.w3.org/2002/07/owl#Class"),
        (f"{PURL}BFO_0000050", "type", "http://www.w3.org/2002/07/owl#ObjectProperty"),
        (f"{PURL}BFO_0000050", "subPropertyOf", f"{PURL}pets#overlaps"),
        (f"{PURL}BFO_0000050", "hasDbXref", "BFO:0000050"),
    }


def test_identifiers_that_no_iri_may_hold_are_escaped():
    assert (f"{PURL}A_b%20c%3C", "label", "x") in messages("[Term]\nid: A:b c<\nname: x")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip))
def test_any_identifier_makes_an_iri_of_its_own(identifier):
    node = Namespace(spaces={"X": "no scheme"}).node
    assert node(identifier).value
    assert node(identifier) != node(identifier + "~")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[Term]\nid: A:1\n\n[Term]\nname: no id", 4),
        ("[Term]\nid: A:1\nthis is no clause", 3),
        ("[Term]\nid: A:1\nis_a: ! comment only", 3),
        ("[Term]\nid: A:1\nrelationship: part_of", 3),
    ],
)
def test_a_bad_record_names_its_line_or_is_skipped_and_listed(text, line):
    with pytest.raises(RecordError) as caught:
        messages(text)
    assert caught.value.line == line
    bad = BadRecords(on_error="skip")
    assert (f"{PURL}A_1", "type", "http://www.w3.org/2002/07/owl#Class") in messages(text, bad)
    assert bad.left_out() == {"skipped_records": 1}
    assert f"line {line}" in bad.notes()[1]


@pytest.mark.parametrize("name", ["go-nucleus/go-nucleus.obo", "DO_cancer_slim.obo", "pronto/uo.obo"])
def test_obonet_sees_the_same_taxonomy(reference_data, name):
    obonet = pytest.importorskip("obonet")
    file = reference_data / "ontologies" / name
    graph = obonet.read_obo(file, ignore_obsolete=False)
    iri = lambda identifier: PURL + identifier.replace(":", "_", 1)  # noqa: E731
    expected = {(iri(child), iri(parent)) for child, parent, key in graph.edges(keys=True) if key == "is_a"}
    assert len(expected) > 200
    assert edges(read_obo(load(file))) == expected


def test_obo_and_its_json_form_hold_the_same_taxonomy(reference_data):
    folder = reference_data / "ontologies" / "go-nucleus"
    obo, graph = (
        edges(read_obo(load(folder / "go-nucleus.obo"))),
        edges(read_obo_graph(load(folder / "go-nucleus.json"))),
    )
    assert obo == graph
    assert len(obo) == 221


@pytest.mark.parametrize("text", ['{"graphs": 1}', '{"graphs": [1]}', '{"graphs": [{"nodes": {}, "edges": 3}]}', "[]"])
def test_an_obo_graph_of_another_shape_is_refused(text):
    with pytest.raises(InputError):
        list(read_obo_graph(source(text)))


@pytest.mark.parametrize(
    "text",
    [
        '{"graphs": [{"nodes": [{"lbl": "x"}]}]}',
        '{"graphs": [{"nodes": [7]}]}',
        '{"graphs": [{"edges": [{"sub": "A:1", "pred": "is_a"}]}]}',
        '{"graphs": [{"edges": [{"sub": "A:1", "pred": "is_a", "obj": 3}]}]}',
    ],
)
def test_a_bad_node_or_edge_of_an_obo_graph_is_an_error_or_skipped(text):
    with pytest.raises(RecordError):
        list(read_obo_graph(source(text)))
    bad = BadRecords(on_error="skip")
    assert list(read_obo_graph(source(text), bad)) == []
    assert len(bad.errors) == 1


@pytest.mark.parametrize("part", ['"', '\\"', '"\\\\', " !", "{", " {", " {a", " ", "\\", '" {', " {}", "{} "])
def test_a_value_takes_linear_time(part):
    page = ("[Term]\nid: A:1\nname: a " + part * 100_000 + "x\n").encode()
    assert len(list(read_obo(Source(path="a", name="a", data=page, size=1)))) == 2


@pytest.mark.parametrize(
    ("value", "bare"),
    [
        ('"a ! b" [] ! c', '"a ! b" []'),
        ('5" wide ! c', '5" wide'),
        ("a \\! b ! c", "a \\! b"),
        ("a {b=c} ! d", "a"),
        ("a {b=c} d", "a {b=c} d"),
        ("a!b", "a!b"),
        ("a !b", "a !b"),
        ("! a", ""),
        ('"a \\" ! b" x ! c', '"a \\" ! b" x'),
    ],
)
def test_comments_and_qualifiers_end_a_value_outside_quotes_only(value, bare):
    page = f"[Term]\nid: A:1\nxref: {value}\n".encode()
    _, xref = read_obo(Source(path="a", name="a", data=page, size=1))
    assert xref.object.value == bare.replace("\\", "").removeprefix('"').partition('" ')[0] or bare


@pytest.mark.parametrize(
    "line", ["is_a:A:1!animal", "is_a: A:1!animal", "is_a: A:1 !animal", "is_a: A:1 ! animal", "is_a: A:1"]
)
def test_a_comment_behind_an_identifier_needs_no_blank(line):
    found = edges(read_obo(source(f"[Term]\nid: A:1\nname: animal!\n\n[Term]\nid: A:2\n{line}\n")))
    assert found == {(f"{PURL}A_2", f"{PURL}A_1")}
    names = {
        t.object.value
        for t in read_obo(source("[Term]\nid: A:1\nname: animal!x\n"))
        if t.predicate.value.endswith("label")
    }
    assert names == {"animal!x"}


def test_example_of_read_obo_graph():
    from goldassay.formats.source import Source

    page = b'{"graphs": [{"edges": [{"sub": "A:2", "pred": "is_a", "obj": "A:1"}]}]}'
    [triple] = read_obo_graph(Source(path="a.json", name="a.json", data=page, size=71))
    assert triple.object.value == "http://purl.obolibrary.org/obo/A_1"


def test_example_of_stanza():
    assert Stanza("Term", 3, [(4, "id", "GO:0005634")]).first("id") == "GO:0005634"


def test_example_of_namespace():
    assert (
        Namespace(ontology="go", spaces={}, shorthands={"part_of": "BFO:0000050"}).node("part_of").value
        == "http://purl.obolibrary.org/obo/BFO_0000050"
    )
