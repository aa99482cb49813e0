import json

import pytest

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, read_triples
from goldassay.formats.obo import read_obo_graph
from goldassay.formats.records import BadRecords


def source(graph) -> Source:
    data = json.dumps({"graphs": [graph]}).encode()
    return Source(path="a.json", name="a.json", data=data, size=len(data))


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ({"type": ["CLASS"]}, "type"),
        ({"type": {}}, "type"),
        ({"lbl": 5}, "label"),
        ({"meta": []}, "meta"),
        ({"meta": {"definition": "text"}}, "definition"),
        ({"meta": {"synonyms": 7}}, "synonyms"),
        ({"meta": {"synonyms": {"a": 1}}}, "synonyms"),
        ({"meta": {"synonyms": [7]}}, "synonym"),
        ({"meta": {"synonyms": [{"pred": "hasExactSynonym", "val": 7}]}}, "synonym"),
        ({"meta": {"synonyms": [{"val": "a"}]}}, "synonym"),
    ],
)
def test_a_part_of_the_wrong_kind_is_one_bad_record_with_its_place(part, named):
    graph = {"nodes": [{"id": "A:1", "lbl": "cat"}, {"id": "A:2", **part}, {"id": "A:3", "lbl": None, "meta": None}]}
    with pytest.raises(RecordError, match=f"The {named} of a node") as caught:
        list(read_triples(source(graph), "obo-graph"))
    assert caught.value.found.startswith("graphs[0].nodes[1]: {")
    assert caught.value.expected
    assert caught.value.hint
    bad = BadRecords(on_error="skip")
    assert [triple.object.value for triple in read_triples(source(graph), "obo-graph", bad)] == ["cat"]
    assert len(bad.errors) == 1


def test_a_synonym_of_an_odd_kind_is_still_an_iri():
    graph = {"nodes": [{"id": "A:1", "meta": {"synonyms": [{"pred": "has <odd> Synonym", "val": "a"}]}}]}
    [triple] = read_triples(source(graph), "obo-graph")
    assert triple.predicate.value.endswith("#has%20%3Codd%3E%20Synonym")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_each_bad_record_has_its_line(encoding):
    page = '{"meta": {"]": [1]}, "graphs": [\n {"nodes": []}, {"edges": [\n\n{"sub": "a"},\n{"x": "\\n}"}],\n "nodes": [7]}]}'
    bad = BadRecords(on_error="skip")
    data = page.encode(encoding)
    found = Source(path="a.json", name="a.json", data=data, size=len(data))
    assert not list(read_triples(found, "obo-graph", bad))
    assert [(error.line, error.found.partition(":")[0]) for error in bad.errors] == [
        (6, "graphs[1].nodes[0]"),
        (4, "graphs[1].edges[0]"),
        (5, "graphs[1].edges[1]"),
    ]


@pytest.mark.parametrize(
    ("document", "line"),
    [([], 1), ({"graphs": 5}, 2), ({"graphs": [{}, 5]}, 4), ({"graphs": [{"edges": [], "nodes": 5}]}, 5)],
)
def test_a_document_of_another_shape_has_its_line(document, line):
    data = json.dumps(document, indent=1).encode()
    with pytest.raises(InputError, match="not") as caught:
        list(read_obo_graph(Source(path="a.json", name="a.json", data=data, size=len(data))))
    assert caught.value.line == line
