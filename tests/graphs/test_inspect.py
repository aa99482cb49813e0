import json
import pathlib
import tempfile

import pytest

from goldassay import families
from goldassay.core.errors import InputError
from goldassay.graphs.inspect import GraphInspection, inspect_graph
from goldassay.graphs.reading import GraphReading

TURTLE = """
@prefix : <http://a/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:cat a owl:Class ; rdfs:label "cat"@en, "Katze"@de, "plain" ; rdfs:subClassOf :animal, [ a owl:Restriction ] .
:animal a owl:Class ; rdfs:subClassOf :animal ; owl:deprecated true .
:eats a owl:ObjectProperty .
"""


def test_a_file_is_described_as_it_is_and_as_it_would_be_scored(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(TURTLE)
    report = inspect_graph(path, GraphReading(obsolete="keep"))
    assert report.format == "turtle"
    assert report.bytes == len(TURTLE)
    assert (report.statements, report.classes, report.properties) == (11, 2, 1)
    assert (report.deprecated, report.blank_nodes) == (1, 1)
    assert list(report.predicates.items())[:2] == [("rdf:type", 4), ("rdfs:label", 3)]
    assert report.labels == {"": 1, "de": 1, "en": 1}
    assert (report.nodes, report.edges, report.roots) == (2, 2, 1)
    assert report.left_out == {"class_expressions": 1}
    assert report.examples == ("cat -> animal", "animal -> animal")
    assert json.loads(json.dumps(report.to_dict()))["predicates"]["rdfs:label"] == 3
    report = inspect_graph(path)
    assert (report.classes, report.deprecated, report.nodes, report.edges) == (2, 1, 1, 0)
    assert report.left_out == {"class_expressions": 1, "obsolete_classes": 1, "obsolete_edges": 2}


def test_a_file_without_an_edge_is_described_all_the_same(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text("<http://a/cat> <http://a/eats> <http://a/fish> .")
    report = inspect_graph(path)
    assert (report.edges, report.roots, report.examples) == (0, 0, ())
    assert report.predicates == {"http://a/eats": 1}
    assert inspect_graph(path, GraphReading(edges=("eats",))).examples == ("cat -> fish",)


def test_a_table_is_described_by_its_relations(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("head,relation,tail\ncat,is_a,animal\ncat,eats,fish\ndog,eats,fish\n")
    report = inspect_graph(path)
    assert report.predicates == {"eats": 2, "is_a": 1}
    assert (report.statements, report.edges, report.roots) == (3, 1, 1)
    assert report.left_out == {"other_relations": 2}


def test_what_cannot_be_read_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="not found"):
        inspect_graph(tmp_path / "none.ttl")


def test_real_files(reference_data):
    report = inspect_graph(reference_data / "ontologies" / "large" / "complexportal-2022-07-11.owl")
    assert (report.statements, report.classes, report.edges) == (140_008, 11_930, 0)
    assert report.left_out == {"class_expressions": 19_031}
    report = inspect_graph(reference_data / "graphs" / "breast_neoplasm_taxonomy.owl")
    assert (report.blank_nodes, report.nodes, report.edges, report.labels) == (2_601, 402, 565, {"": 424})


@pytest.mark.parametrize("name", ["answer.txt", "answer.md", "answer"])
def test_model_output_is_inspected_as_it_is_read(name, tmp_path):
    path = tmp_path / name
    path.write_text("Here it is:\n```mermaid\ngraph TD\nanimal --> dog\nanimal --> cat\n```\n")
    found = inspect_graph(path)
    assert (found.format, found.edges, dict(found.left_out)) == ("model-output", 2, {"lines_of_prose": 1})
    assert families.kind_of(str(path)) == "taxonomy"


def test_the_example_of_graphinspection():
    report = GraphInspection(path="a.tsv", format="tsv", bytes=9, statements=1)
    assert report.to_dict()["statements"] == 1


def test_the_example_of_inspect_graph():
    file = pathlib.Path(tempfile.mkdtemp(), "pets.ttl")
    _ = file.write_text("<http://a/cat> <http://a/eats> <http://a/fish> .")
    report = inspect_graph(file)
    assert (report.edges, dict(report.predicates)) == (0, {"http://a/eats": 1})


def test_a_table_of_triples_says_where_it_belongs(goldassay_command, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,subject,predicate,object\n1,Oslo,capital of,Norway\n")
    done = goldassay_command("inspect", path)
    assert done.code == 0
    assert "! no edge would be scored: " in done.out
    assert "--kind triples" in done.out
    assert "1 triple\n" in goldassay_command("inspect", path, "--kind", "triples").out
