"""What the ends of triples refer to: an id or an index is never taken for a name."""

import json

import pytest

import goldassay
from goldassay.triples import read_triples_of_documents
from goldassay.triples.formats.nodes import Objects, are_codes, is_text, name_of, nodes_of, texts_in

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning", "ignore::goldassay.UndefinedWarning")

ADA = "Ada | BORN_IN | London"
EDGE = {"source": 1, "target": 2, "label": "BORN_IN"}
NAMED = [{"id": 1, "label": "Ada"}, {"id": 2, "label": "London"}]
TEXT = "Ada was born in London"
WORDS = TEXT.split()


def node(number, **more):
    return {"id": number, **more}


GRAPHS = {
    "labels": {"nodes": NAMED, "edges": [EDGE]},
    "node-link": {"directed": True, "multigraph": False, "graph": {}, "nodes": NAMED, "links": [EDGE]},
    "names": {"nodes": [node(1, name="Ada"), node(2, name="London")], "edges": [EDGE]},
    "titles": {"nodes": [node(1, title="Ada"), node(2, title="London")], "edges": [EDGE]},
    "ids as texts": {
        "nodes": [node("n1", label="Ada"), node("n2", label="London")],
        "edges": [{"source": "n1", "target": "n2", "label": "BORN_IN"}],
    },
    "numbers and texts": {"nodes": NAMED, "edges": [{"source": "1", "target": "2", "label": "BORN_IN"}]},
    "labels next to types": {
        "nodes": [node(1, label="Ada", type="Person"), node(2, label="London", type="City")],
        "edges": [EDGE],
    },
    "properties": {
        "nodes": [
            node(1, labels=["Person"], properties={"name": "Ada"}),
            node(2, labels=["City"], properties={"name": "London"}),
        ],
        "relationships": [{"startNode": 1, "start": {"id": 1}, "end": {"id": 2}, "type": "BORN_IN"}],
    },
    "objects at the ends": {
        "nodes": [],
        "relationships": [
            {
                "source": {"id": 1, "properties": {"name": "Ada"}},
                "target": {"id": 2, "properties": {"name": "London"}},
                "type": "BORN_IN",
            }
        ],
    },
    "cytoscape": {
        "elements": {
            "nodes": [{"data": {"id": "a1", "label": "Ada"}}, {"data": {"id": "a2", "label": "London"}}],
            "edges": [{"data": {"id": "e", "source": "a1", "target": "a2", "label": "BORN_IN"}}],
        }
    },
    "React Flow": {
        "nodes": [node("1", type="custom", data={"label": "Ada"}), node("2", data={"label": "London"})],
        "edges": [{"source": "1", "target": "2", "type": "smoothstep", "data": {"label": "BORN_IN"}}],
    },
    "React Flow with a label": {
        "nodes": [node("1", data={"label": "Ada"}), node("2", data={"label": "London"})],
        "edges": [{"id": "e", "source": "1", "target": "2", "label": "BORN_IN", "data": {}}],
    },
    "graphology": {
        "nodes": [{"key": "0", "attributes": {"label": "Ada"}}, {"key": "1", "attributes": {"label": "London"}}],
        "edges": [{"key": "e", "source": "0", "target": "1", "attributes": {"label": "BORN_IN"}}],
    },
    "data next to a name": {
        "nodes": [node(1, name="Ada", data={"id": 7}), node(2, name="London", data={"x": 1})],
        "edges": [{"source": 1, "target": 2, "type": "BORN_IN", "data": {"label": "since 1815"}}],
    },
    "nodes by id": {
        "nodes": {"n1": {"label": "Ada"}, "n2": {"label": "London"}},
        "edges": {"e1": {"source": "n1", "target": "n2", "label": "BORN_IN"}},
    },
    "ids of ends": {
        "entities": [node("e1", name="Ada"), node("e2", name="London")],
        "relationships": [{"source_id": "e1", "target_id": "e2", "relation": "BORN_IN"}],
    },
    "names as ids": {
        "nodes": [node("Ada", type="Person"), node("London", type="City")],
        "relationships": [{"source": {"id": "Ada"}, "target": {"id": "London"}, "type": "BORN_IN"}],
    },
    "places of entities": {"entities": ["Ada", "London"], "relations": [{"head": 0, "tail": 1, "type": "BORN_IN"}]},
    "SpERT": {
        "tokens": WORDS,
        "entities": [{"type": "Peop", "start": 0, "end": 1}, {"type": "Loc", "start": 4, "end": 5}],
        "relations": [{"type": "BORN_IN", "head": 0, "tail": 1}],
    },
    "tokens": {"tokens": WORDS, "triples": [[0, "BORN_IN", 4]]},
    "spans of tokens": {
        "tokens": WORDS,
        "relations": [{"head": {"start": 0, "end": 1}, "tail": {"start": 4, "end": 5}, "type": "BORN_IN"}],
    },
    "spans of characters": {
        "text": TEXT,
        "relations": [{"head": {"start": 0, "end": 3}, "tail": {"start": 16, "end": 22}, "type": "BORN_IN"}],
    },
    "Prodigy": {
        "text": TEXT,
        "tokens": [{"text": word, "id": at} for at, word in enumerate(WORDS)],
        "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PERSON"}],
        "relations": [
            {
                "head": 0,
                "child": 4,
                "head_span": {"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PERSON"},
                "child_span": {"start": 16, "end": 22, "token_start": 4, "token_end": 4, "label": "GPE"},
                "label": "BORN_IN",
            }
        ],
    },
    "spaCy": {
        "text": TEXT,
        "tokens": [
            {"id": at, "start": TEXT.index(word), "end": TEXT.index(word) + len(word)} for at, word in enumerate(WORDS)
        ],
        "relations": [{"head": 0, "child": 4, "label": "BORN_IN"}],
    },
    "DocRED": {
        "title": "1",
        "sents": [WORDS],
        "vertexSet": [
            [{"name": "Ada", "pos": [0, 1], "type": "PER"}],
            [{"name": "London", "pos": [4, 5], "type": "LOC"}],
        ],
        "labels": [{"h": 0, "t": 1, "r": "BORN_IN", "evidence": [0]}],
    },
}


def _answer(graph):
    return json.dumps({"id": "d1", "output": json.dumps(graph)}) + "\n"


@pytest.mark.parametrize(
    "layout", ["object", "array", "lines", "fence", "batch", "reasons", "below a name", "file below a name", "table"]
)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_ids_and_places_are_resolved(tmp_path, graph, layout):
    written = {
        "object": ("a.json", json.dumps(graph, indent=1)),
        "array": ("a.json", json.dumps([graph])),
        "lines": ("a.jsonl", json.dumps(graph) + "\n"),
        "fence": ("a.txt", f"Sure:\n```json\n{json.dumps(graph)}\n```\n"),
        "batch": ("a.jsonl", _answer(graph)),
        "reasons": ("a.jsonl", _answer({"reasoning": "It says so.", **graph})),
        "below a name": ("a.jsonl", _answer({"thoughts": "so", "knowledge_graph": graph})),
        "file below a name": ("a.json", json.dumps({"thoughts": "so", "knowledge_graph": graph})),
        "table": ("a.csv", 'id,output\nd1,"{}"\n'.format(json.dumps(graph).replace('"', '""'))),
    }
    name, text = written[layout]
    path = tmp_path / name
    path.write_text(text)
    triples = read_triples_of_documents(path)
    assert [triples.item(row).partition(": ")[2] for row in range(len(triples))] == [ADA]
    assert not triples.faults


NAMELESS = {
    "no nodes": {"edges": [EDGE]},
    "nodes without names": {"nodes": [node(1), node(2)], "edges": [EDGE]},
    "codes": {"nodes": [node("n1"), node("n2")], "edges": [{"source": "n1", "target": "n2", "label": "r"}]},
    "labels that are types": {
        "nodes": [node(1, label="Person"), node(2, label="Person")],
        "edges": [EDGE],
    },
    "another node": {"nodes": NAMED, "edges": [{"source": 7, "target": 8, "label": "r"}]},
    "ids of objects": {"relationships": [{"source": {"id": 1}, "target": {"id": 2}, "type": "r"}]},
    "no text": {"relations": [{"head": {"start": 0, "end": 3}, "tail": {"start": 16, "end": 22}, "type": "r"}]},
    "beyond the tokens": {"tokens": WORDS, "triples": [[7, "r", 8]]},
    "indices": {"triples": [[0, "r", 1]]},
}


@pytest.mark.parametrize("graph", NAMELESS.values(), ids=NAMELESS)
def test_what_has_no_name_is_an_error(tmp_path, graph):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([graph]))
    with pytest.raises(goldassay.RecordError, match=r"is an id or an index, not a name\.") as caught:
        read_triples_of_documents(path)
    assert '{"id": 1, "name": "Oslo"}' in caught.value.expected


def test_one_triple_without_names_costs_that_triple_only(tmp_path):
    pred, gold = tmp_path / "pred.json", tmp_path / "gold.json"
    edges = [EDGE, {"source": 1, "target": 9, "label": "r"}]
    pred.write_text(json.dumps({"nodes": NAMED, "edges": edges}))
    gold.write_text(json.dumps({"id": "1", "triples": [["Ada", "BORN_IN", "London"]]}))
    report = goldassay.evaluate(pred, gold=gold, kind="triples", measures="triples")
    assert (report["triples"].precision, report["triples"].recall) == (0.5, 1.0)
    with pytest.raises(goldassay.RecordError):
        goldassay.evaluate(gold, gold=pred, kind="triples")


def test_numbers_may_be_values(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"triples": [["Rome", "founded", -753], [1984, "is a", "novel"]]}]')
    triples = read_triples_of_documents(path)
    assert [triples.item(row) for row in range(2)] == ["1: Rome | founded | -753", "1: 1984 | is a | novel"]


GRAPHML = """<graphml><key id="d0" for="node" attr.name="label"/><key id="d1" for="edge" attr.name="relation"/>
<graph edgedefault="directed">{}<edge source="n0" target="n1"><data key="d1">BORN_IN</data></edge></graph></graphml>"""


def test_nodes_of_graphml_need_names(tmp_path):
    path = tmp_path / "a.graphml"
    nodes = '<node id="n0"><data key="d0">A<b>d</b>a</data></node><node id="n1"><data key="d0">London</data></node>'
    path.write_text(GRAPHML.format(nodes))
    assert read_triples_of_documents(path).item(0) == f"1: {ADA}"
    path.write_text(GRAPHML.format('<node id="n0"/><node id="n1"/>'))
    with pytest.raises(goldassay.RecordError, match="an id or an index"):
        read_triples_of_documents(path)


@pytest.mark.parametrize("properties", [{}, {"born": 1815}])
def test_nodes_of_neo4j_need_names(tmp_path, properties):
    lines = [
        {"type": "node", "id": "0", "labels": ["Person"], "properties": properties},
        {"type": "node", "id": "1", "labels": ["City"], "properties": {"name": "London"}},
        {"type": "relationship", "id": "0", "label": "BORN_IN", "start": {"id": "0"}, "end": {"id": "1"}},
    ]
    path = tmp_path / "all.json"
    path.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(goldassay.RecordError, match="The subject is an id or an index"):
        read_triples_of_documents(path)


ONE = {
    "triples": {"d1": [["Ada", "BORN_IN", "London"]]},
    "objects": {"d1": [{"subject": "Ada", "predicate": "BORN_IN", "object": "London"}]},
    "a record": {"d1": {"triples": [["Ada", "BORN_IN", "London"]]}},
    "two documents": {"d1": [["Ada", "BORN_IN", "London"]], "d2": []},
    "a wrapper": {"graph_documents": [{"id": "d1", "triples": [["Ada", "BORN_IN", "London"]]}]},
}


@pytest.mark.parametrize("found", ONE.values(), ids=ONE)
def test_one_document_by_its_id(tmp_path, found):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(found))
    triples = read_triples_of_documents(path)
    assert (triples.item(0), len(triples)) == (f"d1: {ADA}", 1)


def test_a_wrapper_of_lists_is_one_of_documents(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"data": [[["Ada", "BORN_IN", "London"]], []]}))
    assert read_triples_of_documents(path).ids.tolist() == ["1", "2"]


LANGCHAIN = {"nodes": [], "relationships": [{"source": {"id": "Ada"}, "target": {"id": "London"}, "type": "BORN_IN"}]}


@pytest.mark.parametrize(
    "more",
    [
        {"source": {"page_content": TEXT, "metadata": {"doc_id": "d1"}}},
        {"source": {"page_content": TEXT, "metadata": {"id": "d1"}}},
        {"source": {"page_content": TEXT, "metadata": {"document_id": "d1"}}},
        {"source": {"page_content": TEXT, "id": "d1", "metadata": {"doc_id": "other"}}},
        {"metadata": {"doc_id": "d1"}},
        {"doc_id": "d1"},
    ],
)
def test_documents_of_langchain_have_the_ids_of_their_sources(tmp_path, more):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([LANGCHAIN | more]))
    assert read_triples_of_documents(path).item(0) == f"d1: {ADA}"


def test_documents_without_ids_are_reported_what_would_pair_them(tmp_path):
    pred, gold = tmp_path / "pred.json", tmp_path / "gold.jsonl"
    pred.write_text(json.dumps([LANGCHAIN | {"source": {"page_content": TEXT, "metadata": {"source": "d1"}}}]))
    gold.write_text('{"id": "d1", "triples": [["Ada", "BORN_IN", "London"]]}\n')
    report = goldassay.evaluate(pred, gold=gold, kind="triples", measures="triples")
    [warning] = [line for line in report.warnings if "no triple can match" in line]
    assert "the records of the prediction have no id" in warning
    assert "source.id or source.metadata.doc_id" in warning
    assert goldassay.evaluate(pred, gold=gold, kind="triples", measures="triples", ids="order")["triples"].f1 == 1


def test_what_is_not_read_is_counted(tmp_path):
    path = tmp_path / "a.jsonl"
    records = [{"id": "a", "triples": [], "relations": [["a", "r", "b"]]}, {"id": "b", "triples": [], "score": 1}]
    path.write_text("\n".join(map(json.dumps, records)))
    assert "keys that are not read: relations (1 record), score (1 record)" in read_triples_of_documents(path).notes


WEBNLG = """<benchmark><entries><entry eid="1"><modifiedtripleset><mtriple>Ada | BORN_IN | {}</mtriple></modifiedtripleset>
{}<lex>x</lex></entry></entries></benchmark>"""


def test_triples_of_webnlg_in_no_set_are_counted(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(WEBNLG.format("<i>Lon</i>don", ""))
    assert read_triples_of_documents(path).item(0) == f"1: {ADA}"
    path.write_text(WEBNLG.format("London", "<mtriple>a | r | b</mtriple>"))
    triples = read_triples_of_documents(path)
    assert [(fault.line, fault.message) for fault in triples.faults] == [(2, "The triple is not in a set of triples.")]
    assert triples.unreadable.tolist() == [True]


def test_hyperedges_are_counted(tmp_path):
    nodes = '<node id="Ada"/><hyperedge><endpoint node="Ada"/></hyperedge><node id="London"/>'
    path = tmp_path / "a.graphml"
    path.write_text(GRAPHML.format(nodes).replace('"n0"', '"Ada"').replace('"n1"', '"London"'))
    triples = read_triples_of_documents(path)
    assert triples.item(0) == f"1: {ADA}"
    assert [fault.message for fault in triples.faults] == ["A hyperedge is not a triple: it has no subject and object."]


@pytest.mark.parametrize("key", ["id", "uuid", "identity"])
@pytest.mark.parametrize("several", [1, 3])
def test_ids_of_nodes_are_resolved_in_documents_by_id_and_in_lines(key, several, tmp_path):
    document = {
        "nodes": [{key: "n1", "name": "Oslo"}, {key: "n2", "name": "Norway"}],
        "edges": [{"source_node_uuid": "n1", "target_node_uuid": "n2", "name": "capital of"}],
    }
    by_id = {f"d{row}": document for row in range(several)}
    (tmp_path / "a.json").write_text(json.dumps(by_id))
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"id": name, **one}) + "\n" for name, one in by_id.items()))
    for name in ("a.json", "a.jsonl"):
        found = goldassay.read(tmp_path / name, kind="triples")
        assert [found.item(row) for row in range(len(found))] == [
            f"d{row}: Oslo | capital of | Norway" for row in range(several)
        ]


def test_a_single_node_with_the_id_zero_has_its_name():
    nodes = nodes_of([{"id": 0, "label": "Ada"}])
    assert (nodes.names, nodes.end(0), nodes.ends([0, "0"])) == ({"0": "Ada"}, "Ada", ["Ada", "Ada"])


def test_example_of_name_of():
    assert name_of({"id": 7, "properties": {"name": "Oslo"}}) == "Oslo"
    assert name_of({"id": 7, "label": "Oslo"}) is None


def test_example_of_is_text():
    assert is_text("Oslo")
    assert is_text(7)
    assert not is_text(" ")
    assert not is_text(True)


def test_example_of_are_codes():
    assert are_codes([1, 2])
    assert are_codes(["n1", "n2"])
    assert not are_codes(["G20", "2020"])
    assert not are_codes(["Oslo", "n2"])


def test_example_of_objects():
    some = Objects([{"id": 1, "name": "Oslo"}, {"name": "Norway"}])
    assert some.column("id") == [1, None]
    assert sorted(some.keys) == ["id", "name"]
    assert Objects([{"id": 1}]).shapes == {("id",)}


def test_example_of_nodes():
    nodes = nodes_of([{"id": 1, "label": "Ada"}, {"id": 2, "label": "Rome"}])
    assert (
        repr((nodes.names, nodes_of([{"id": 1}]).nameless, nodes_of(["Ada", "Rome"]).at(1)))
        == "({'1': 'Ada', '2': 'Rome'}, frozenset({'1'}), 'Rome')"
    )


def test_example_of_texts_in():
    assert texts_in(["Oslo", 7, " ", None]) == ["Oslo", "7", None, None]
