"""A is a B where A is defined as B with something more: an edge if asked for, and counted either way."""

import json

import pytest

from goldassay.core.errors import InputError
from goldassay.graphs import GraphReading, read_graph

PREFIXES = """
@prefix : <http://a/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:k rdfs:subClassOf :l .
"""
DEFINITIONS = GraphReading(edges="definitions")
MORE = "[ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :c ]"


@pytest.fixture
def read(tmp_path):
    def read(text, reading=DEFINITIONS, name="graph.ttl"):
        path = tmp_path / name
        path.write_text(PREFIXES + text if name.endswith("ttl") else text)
        return read_graph(path, reading)

    return read


def edges(graph):
    return {graph.item(row) for row in range(len(graph))} - {"k -> l"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f":a owl:equivalentClass [ owl:intersectionOf (:b {MORE}) ] .", {"a -> b"}),
        (f"[ owl:intersectionOf (:b {MORE}) ] owl:equivalentClass :a .", {"a -> b"}),
        (f":a owl:intersectionOf ({MORE} :b :c) .", {"a -> b", "a -> c"}),
        (f":a rdfs:subClassOf [ owl:intersectionOf (:b {MORE}) ] .", {"a -> b"}),
        (f":a owl:intersectionOf (:b [ owl:intersectionOf ({MORE} :c) ]) .", {"a -> b", "a -> c"}),
        (":a owl:intersectionOf (:b) . :b owl:intersectionOf (:c) .", {"a -> b", "b -> c"}),
        (":a owl:equivalentClass :b .", set()),
        (":a owl:equivalentClass [ owl:unionOf (:b :c) ] .", set()),
        (":a owl:intersectionOf ([ owl:unionOf (:b :c) ] [ owl:complementOf :d ]) .", set()),
        (":a owl:intersectionOf (owl:Thing :a) .", set()),
        ("[] owl:equivalentClass [ owl:intersectionOf (:b :c) ] .", set()),
        (":a owl:intersectionOf _:x . _:x rdf:first :b ; rdf:rest _:x .", {"a -> b"}),
        (":a owl:intersectionOf ('text' <<( :b :c :d )>> :e) .", {"a -> e"}),
    ],
)
def test_the_named_members_of_intersections_are_superclasses(read, text, expected):
    assert edges(read(text)) == expected


def test_they_are_edges_if_asked_for_and_counted_either_way(read):
    text = f":a owl:intersectionOf (:b :c :d {MORE}) . :a rdfs:subClassOf :b . :d owl:deprecated true ."
    usual, asked = read(text, GraphReading()), read(text)
    assert edges(usual) == {"a -> b"}
    assert usual.left_out["definition_edges"] == 1
    assert usual.notes == ("1 edge from definitions is not used: --edges definitions uses it",)
    assert usual.choices["edges"] == "rdfs:subClassOf"
    assert edges(asked) == {"a -> b", "a -> c"}
    assert (asked.facts["definition_edges"], asked.left_out) == (1, {"obsolete_classes": 1, "obsolete_edges": 1})
    assert asked.notes == ("1 edge from definitions is used",)
    assert asked.choices["edges"] == "rdfs:subClassOf+definitions"


def test_a_file_without_definitions_says_nothing_of_them(read):
    for graph in (
        read(":a rdfs:subClassOf :b .", GraphReading()),
        read(":a owl:intersectionOf (:b) .", GraphReading(edges="all")),
    ):
        assert not any("definition" in word for word in (*graph.left_out, *graph.facts, *graph.notes))


def test_a_file_of_definitions_only_says_how_to_use_them(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(PREFIXES.partition(":k")[0] + ":a owl:intersectionOf (:b :c) .")
    with pytest.raises(InputError) as caught:
        read_graph(path)
    assert str(caught.value.found).startswith("2 edges from definitions; ")
    assert "--edges definitions" in str(caught.value.hint)


def test_obo_and_obo_graphs_have_the_same_definitions(read):
    obo = "[Term]\nid: A:1\nis_a: A:4\nintersection_of: A:2\nintersection_of: part_of A:3\n\n[Term]\nid: A:2\n"
    edge = {"sub": "A:1", "pred": "is_a", "obj": "A:4"}
    axiom = {"definedClassId": "A:1", "genusIds": ["A:2"], "restrictions": []}
    graph = json.dumps({"graphs": [{"edges": [edge], "logicalDefinitionAxioms": [axiom]}]})
    for text, name in ((obo, "a.obo"), (graph, "a.json")):
        assert len(edges(read(text, name=name))) == 2
        assert len(edges(read(text, GraphReading(), name=name))) == 1
        assert read(text, GraphReading(), name=name).left_out == {"definition_edges": 1}


def test_a_definition_of_an_obo_graph_that_is_incomplete_is_a_bad_record(read):
    edge = {"sub": "A:1", "pred": "is_a", "obj": "A:4"}
    for axiom in (
        {"genusIds": ["A:2"]},
        {"definedClassId": "A:1", "genusIds": "A:2"},
        [],
        {"definedClassId": "A", "genusIds": [1]},
    ):
        text = json.dumps({"graphs": [{"edges": [edge], "logicalDefinitionAxioms": [axiom]}]})
        with pytest.raises(InputError, match="definition is incomplete"):
            read(text, name="a.json")
        assert len(read(text, GraphReading(on_error="skip"), name="a.json")) == 1


def test_lists_that_many_classes_share_are_limited(read, monkeypatch):
    text = "".join(f":a{n} owl:intersectionOf _:x .\n" for n in range(20)) + "_:x rdf:first :b ; rdf:rest rdf:nil ."
    assert len(edges(read(text))) == 20
    monkeypatch.setenv("GOLDASSAY_MAX_MEMBERS", "30")
    with pytest.raises(InputError, match="too many members"):
        read(text)


@pytest.mark.parametrize(
    ("file", "asserted", "added"),
    [
        ("syntaxes/jena_wine.owl", 15, 64),
        ("syntaxes/jena_food.owl", 35, 24),
        ("syntaxes/jena_pizza.ttl", 84, 14),
        ("syntaxes/owlapi_pizza.owl", 84, 14),
        ("go-nucleus/go-nucleus.owl", 221, 36),
        ("go-nucleus/go-nucleus.obo", 221, 36),
        ("go-nucleus/go-nucleus.json", 221, 36),
    ],
)
def test_real_ontologies_gain_what_was_counted_apart(reference_data, file, asserted, added):
    path = reference_data / "ontologies" / file
    assert len(read_graph(path)) == asserted
    assert len(read_graph(path, DEFINITIONS)) == asserted + added
