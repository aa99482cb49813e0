"""What graph builders write is read without an option: the same triples in every shape give one number."""

import json
import re

import pytest
from tests.triples.formats.shapes_of_builders import BUILDERS, TRIPLES, TYPES, Graph, write

import goldassay
from goldassay.core.errors import InputError
from goldassay.triples import read_triples_of_documents
from goldassay.triples.formats.builders import is_neo4j_record, shape_of, to_document

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning", "ignore::goldassay.UndefinedWarning")
WITH_IDS = {"DocRED": "d1", "GraphRAG": "unit-1", "LightRAG, GraphML": "chunk-1", "Stanford OpenIE, ReVerb": "a.txt"}
"""Builders that write which document a triple is of."""


def gold_of(folder, triples, name="1"):
    path = folder / "gold.jsonl"
    path.write_text(json.dumps({"id": name, "triples": triples}) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", BUILDERS)
def test_the_triples_of_every_builder_are_scored_without_an_option(tmp_path, name):
    pred, gold = write(name, tmp_path), gold_of(tmp_path, TRIPLES, WITH_IDS.get(name, "1"))
    score = goldassay.evaluate(pred, gold=gold, kind="triples", measures="triples")["triples"]
    assert (score.precision, score.recall, score.counts["n_pred"]) == (1.0, 1.0, len(TRIPLES))
    assert not read_triples_of_documents(pred).faults


@pytest.mark.parametrize("name", BUILDERS)
def test_a_wrong_triple_of_every_builder_costs_what_it_costs(tmp_path, name):
    wrong = [*TRIPLES[:-1], ("Bergen", "LOCATED_IN", "Oslo")]
    pred, gold = write(name, tmp_path, Graph(wrong)), gold_of(tmp_path, TRIPLES, WITH_IDS.get(name, "1"))
    score = goldassay.evaluate(pred, gold=gold, kind="triples", measures="triples")["triples"]
    assert (score.precision, score.recall) == (0.75, 0.75)


@pytest.mark.parametrize("name", BUILDERS)
def test_a_hierarchy_of_every_builder_is_a_taxonomy(tmp_path, name):
    edges = [("Dog", "Mammal"), ("Cat", "Mammal"), ("Mammal", "Animal")]
    graph = Graph([(child, "is_a", parent) for child, parent in edges], text="Dog is_a Mammal . Cat is_a Animal .")
    score = goldassay.evaluate(write(name, tmp_path, graph), gold=edges, measures="literal")["literal"]
    assert (score.precision, score.recall, score.counts["n_pred"]) == (1.0, 1.0, 3)


@pytest.mark.parametrize("name", ["KGGen", "LlamaIndex, graph_dict", "GraphRAG, raw", "GLiNER 2", "Graphiti", "GEXF"])
def test_a_graph_of_other_relations_is_no_taxonomy(tmp_path, name):
    with pytest.raises(InputError, match="contains no edge") as caught:
        goldassay.read(write(name, tmp_path), kind="taxonomy")
    assert "--edges all" in caught.value.hint
    assert "CAPITAL_OF 1" in caught.value.found


@pytest.mark.parametrize(
    "name",
    [
        "LangChain",
        "GraphRAG",
        "GraphRAG, raw",
        "LightRAG, GraphML",
        "Graphiti",
        "Cognee",
        "Neo4j, browser CSV",
        "GLiNER",
    ],
)
def test_types_of_entities_are_read(tmp_path, name):
    triples = read_triples_of_documents(write(name, tmp_path))
    found = {str(triples.keys[key]): str(triples.type_names[kind]) for _, key, kind in triples.types.tolist()}
    assert found == (dict.fromkeys(TYPES, "Entity") if name == "Graphiti" else TYPES)


@pytest.mark.parametrize("name", ["GraphRAG", "GraphRAG, raw", "LightRAG, raw", "LightRAG, raw lines"])
def test_what_is_for_a_predicate_is_named(tmp_path, name):
    column = "keywords" if "LightRAG" in name else "description"
    [warning] = read_triples_of_documents(write(name, tmp_path)).warnings
    assert re.search(rf"no predicates; they are taken from the .*{column}", warning)


@pytest.mark.parametrize("break_", ["##\n", "##\r\n", "##", "## \n\n", "\n"])
def test_records_of_graphrag_end_in_every_way(tmp_path, break_):
    """What is behind a record, such as a carriage return, is no part of its last field."""
    usual, other = tmp_path / "usual.txt", tmp_path / "other.txt"
    text = write("GraphRAG, raw", tmp_path).read_text(encoding="utf-8")
    usual.write_text(text, encoding="utf-8")
    other.write_text(text.replace("##\n", break_), encoding="utf-8", newline="")
    first, second = map(read_triples_of_documents, (usual, other))
    assert [second.item(row) for row in range(len(second))] == [first.item(row) for row in range(len(first))]
    assert second.weights.tolist() == first.weights.tolist()
    assert len(second.types) == len(first.types)
    assert not second.faults


def test_a_field_of_graphrag_may_have_several_lines(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(
        'Here:\n("entity"<|>Oslo<|>City<|>It is\n\na city.)##("relationship"<|>Oslo<|>Norway<|>is ##1\nof<|>8)\n##\n<|COMPLETE|>\n',
        encoding="utf-8",
    )
    triples = read_triples_of_documents(path)
    assert triples.slots(0) == ("Oslo", "is ##1\nof", "Norway")
    assert (triples.weights.tolist(), triples.input_rows.tolist()) == ([8.0], [3])


def test_the_predicate_of_graphrag_may_be_another_column(tmp_path):
    path = write("GraphRAG", tmp_path)
    score = goldassay.read(path, kind="triples", predicate_column="id")
    assert score.item(0) == "unit-1: Oslo | r0 | Norway"
    assert not score.warnings


def test_an_undirected_graph_does_not_say_which_end_is_which(tmp_path):
    [warning] = read_triples_of_documents(write("LightRAG, GraphML", tmp_path)).warnings
    assert warning.startswith("the graph is undirected")


def test_rows_of_a_query_do_not_say_which_end_is_which(tmp_path):
    path = write("Neo4j, browser CSV", tmp_path)
    [warning] = read_triples_of_documents(path).warnings
    assert "n, r, m" in warning
    path.write_text('p\n"(:City {name: ""Oslo""})<-[:HAS_CAPITAL]-(:Country {name: ""Norway""})"\n')
    triples = read_triples_of_documents(path)
    assert (triples.item(0), triples.warnings) == ("1: Norway | HAS_CAPITAL | Oslo", ())


def test_a_row_that_is_no_relationship_is_a_fault(tmp_path):
    path = write("Neo4j, browser CSV", tmp_path)
    path.write_text(path.read_text() + '\n"(:City {name: ""Oslo""})",,\n"(:City)","(:City)",\n')
    [fault] = read_triples_of_documents(path).faults
    assert (fault.line, fault.message) == (7, "The row is not a relationship between nodes.")


def test_admin_import_needs_the_nodes_next_to_it(tmp_path):
    path = write("Neo4j, admin import", tmp_path)
    (tmp_path / "nodes.csv").unlink()
    for kind in ("triples", "taxonomy"):
        with pytest.raises(InputError, match="ids, which are no names") as caught:
            goldassay.read(path, kind=kind)
        assert "-column :START_ID" in caught.value.hint


def test_ids_of_admin_import_are_of_their_space(tmp_path):
    (tmp_path / "people.csv").write_text(":ID(Person),name:string\n1,Grieg\n")
    (tmp_path / "works.csv").write_text(":ID(Work);title\n1;Peer Gynt\n")
    path = tmp_path / "r.csv"
    path.write_text(":START_ID(Person),:TYPE,:END_ID(Work)\n1,COMPOSED,1\n")
    assert read_triples_of_documents(path).item(0) == "1: Grieg | COMPOSED | Peer Gynt"


REFUSED = {
    "LangChain, repr": (
        {"lc": 1, "type": "not_implemented", "id": ["GraphDocument"], "repr": "GraphDocument(nodes=[])"},
        "model_dump_json",
    ),
    "GLiNER, entities": ([{"start": 0, "end": 4, "text": "Oslo", "label": "City", "score": 0.9}], "GLiREL"),
    "LightRAG, pairs": ({"doc-1": {"relation_pairs": [["Oslo", "Norway"]], "count": 1}}, "vdb_relationships.json"),
}


@pytest.mark.parametrize("found", REFUSED.values(), ids=REFUSED)
def test_what_has_no_triples_is_refused_with_what_has(tmp_path, found):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(found[0]))
    with pytest.raises(InputError) as caught:
        read_triples_of_documents(path)
    assert found[1] in caught.value.hint


def test_predictions_of_docred_are_indices_of_another_file(tmp_path):
    path = tmp_path / "result.json"
    path.write_text(json.dumps([{"title": "d1", "h_idx": 0, "t_idx": 1, "r": "P17", "evidence": []}]))
    with pytest.raises(InputError, match="an id or an index"):
        read_triples_of_documents(path)


def test_lines_of_open_ie_that_are_none_are_faults_with_their_line(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("0.98: (Oslo; is in; Norway; since 1814)\n0.5: (Oslo; is)\n1.0\tOslo\n")
    triples = read_triples_of_documents(path)
    assert [triples.item(row) for row in range(2)] == ["1: Oslo | is in | Norway", "1: Oslo | is | "]
    assert [(fault.line, fault.message) for fault in triples.faults] == [
        (2, "Incomplete triple."),
        (3, "The line is not an extraction."),
    ]
    assert triples.left_out == {"further_arguments": 1}
    assert triples.weights.tolist() == [0.98, 0.5]


def test_who_says_an_extraction_is_left_out_and_what_is_like_one_is_no_sentence(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(
        "He says it.\n0.88 Context(He says,List([0, 8))):(Oslo; is in; Norway)\n0.9 (a; r; b)[enabler=if c]\n0.5 Odd(It; is; so)\n"
        "0.7 percent of the people live here.\n0.9 (c; r; d)\n"
    )
    triples = read_triples_of_documents(path)
    assert list(map(triples.item, range(3))) == ["1: Oslo | is in | Norway", "1: a | r | b", "2: c | r | d"]
    assert triples.left_out == {"contexts": 2}
    assert [fault.line for fault in triples.faults] == [4]


def test_sentences_of_open_ie_are_documents(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(
        "Oslo is in Norway.\n0.98: (Oslo; is in; Norway)\n\nNo triple.\n\nCats sleep.\n0.9: (Cats; sleep; here)\n"
    )
    triples = read_triples_of_documents(path)
    assert [triples.item(row) for row in range(2)] == ["1: Oslo | is in | Norway", "3: Cats | sleep | here"]
    assert triples.ids.tolist() == ["1", "2", "3"]
    assert triples.texts.tolist() == ["Oslo is in Norway.", "No triple.", "Cats sleep."]


def test_half_a_relation_of_graphrag_is_a_fault_with_its_line(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text('Here you are:\n("entity"<|>Oslo<|>City<|>x)##\n("relationship"<|>Oslo<|><|>is in)##\n')
    [fault] = read_triples_of_documents(path).faults
    assert (fault.line, fault.message) == (3, "Incomplete relation.")


class Model:
    """What a model of pydantic is to goldassay: something that dumps itself."""

    def __init__(self, **values):
        self.values = values

    def model_dump(self, *, mode):
        assert mode == "json"
        return self.values


IN_MEMORY = {
    "LangChain": [Model(**Graph().langchain())],
    "KGGen": Model(**Graph().kggen()),
    "LlamaIndex, triplets": [
        (Model(name=s, label="City"), Model(label=p, source_id=s, target_id=o), Model(name=o, label="City"))
        for s, p, o in TRIPLES
    ],
    "Cognee": Model(**Graph().cognee()),
}


@pytest.mark.parametrize("kind", ["triples", "taxonomy"])
@pytest.mark.parametrize("name", IN_MEMORY)
def test_objects_of_builders_are_read_from_memory(name, kind):
    if kind == "taxonomy" and isinstance(IN_MEMORY[name], list) and isinstance(IN_MEMORY[name][0], tuple):
        return  # rows of objects are triples only
    found = IN_MEMORY[name]
    options = {"measures": "triples"} if kind == "triples" else {"measures": "literal", "edges": "all"}
    score = goldassay.evaluate(found, gold=list(TRIPLES), kind=kind, **options).runs[0].scores[0]
    assert (score.values["precision"], score.values["recall"]) == (1.0, 1.0)


def test_records_of_graphrag_may_be_on_one_line(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(Graph().graphrag_raw(record="##"), encoding="utf-8")
    score = goldassay.evaluate(path, gold=gold_of(tmp_path, TRIPLES), kind="triples", measures="triples")["triples"]
    assert score.f1 == 1.0


def test_graph_documents_are_read_at_once_as_they_are_one_by_one(tmp_path, monkeypatch):
    graphs = [Graph().langchain(id=str(at)) for at in range(5)]
    graphs[1]["relationships"][0]["source"]["properties"] = {"name": "Christiania"}
    graphs[2]["nodes"][0]["id"] = graphs[2]["relationships"][0]["source"]["id"] = "1"
    graphs[3]["relationships"][1]["type"] = None
    path = tmp_path / "graphs.jsonl"
    path.write_text("".join(json.dumps(graph) + "\n" for graph in graphs), encoding="utf-8")
    found = read_triples_of_documents(path)
    monkeypatch.setattr("goldassay.triples.formats.records.Records._graphs_at_once", lambda self, block: False)
    slowly = read_triples_of_documents(path)
    assert [found.item(row) for row in range(len(found))] == [slowly.item(row) for row in range(len(slowly))]
    assert found.item(4) == "1: Christiania | CAPITAL_OF | Norway"
    assert (found.types.tolist(), found.notes, found.facts) == (slowly.types.tolist(), slowly.notes, slowly.facts)


@pytest.mark.parametrize(
    "properties", [{"born": 1843}, {"born": None, "label": "Bergen"}, {"name": "Edvard Grieg"}, {"title": "E. Grieg"}]
)
def test_properties_of_nodes_name_them_only_as_names(tmp_path, properties):
    documents = [Graph().langchain(metadata={"id": f"d{at}"}) for at in range(3)]
    node = next(node for node in documents[1]["nodes"] if node["id"] == "Grieg")
    node["properties"] = properties
    path = tmp_path / "graphs.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in documents))
    triples = read_triples_of_documents(path)
    called = properties.get("name") or properties.get("title") or "Grieg"
    expected = [f"d{at}: {s} | {p} | {o}" for at in range(3) for s, p, o in TRIPLES]
    expected[5:7] = [one.replace("Grieg", called, 1) for one in expected[5:7]]
    assert [triples.item(row) for row in range(len(triples))] == expected


@pytest.mark.parametrize(
    ("end", "faulty"),
    [("Norway", False), (2, False), (7, True), ("00000009-0000-4000-8000-000000000009", True), (None, True)],
)
def test_an_end_that_is_no_node_changes_no_other_triple(tmp_path, end, faulty):
    graph = Graph().cognee()
    graph["edges"].append({"source_node_id": graph["nodes"][0]["id"], "target_node_id": end, "relationship_name": "IN"})
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph))
    triples = read_triples_of_documents(path)
    assert [triples.item(row) for row in range(len(TRIPLES))] == [f"1: {s} | {p} | {o}" for s, p, o in TRIPLES]
    assert len(triples) == len(TRIPLES) + 1
    assert bool(triples.faults) == faulty


def test_example_of_shape_of():
    assert shape_of({"graph_dict": {}}).tool == "LlamaIndex"
    assert shape_of({"nodes": [], "edges": []}) is None


def test_example_of_to_document():
    assert to_document({"graph_dict": {"Oslo": [["capital of", "Norway"]]}}) == {
        "triples": [["Oslo", "capital of", "Norway"]]
    }
    assert to_document({"lc": 1, "type": "constructor", "id": ["Node"], "kwargs": {"id": "Oslo"}}) == {"id": "Oslo"}


def test_example_of_is_neo4j_record():
    assert is_neo4j_record({"n": {"identity": 0, "labels": ["City"], "properties": {"name": "Oslo"}}})
    assert not is_neo4j_record({"n": "Oslo"})
