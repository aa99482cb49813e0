"""What the libraries of graph builders write themselves is scored without an option; run by `make builders`, where they are installed."""

import importlib.util
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goldassay import evaluate

pytestmark = pytest.mark.filterwarnings("ignore")
TRIPLES = [("Oslo", "CAPITAL_OF", "Norway"), ("Grieg", "BORN_IN", "Bergen"), ("Bergen", "LOCATED_IN", "Norway")]
NAMES = ["Oslo", "Norway", "Grieg", "Bergen"]


def f1(pred, name="1", **options):
    gold = [(name, *triple) for triple in TRIPLES]
    return evaluate(pred, gold=gold, kind="triples", measures="triples", **options).runs[0].scores[0].values["f1"]


def graph_document():
    from langchain_community.graphs.graph_document import GraphDocument, Node, Relationship
    from langchain_core.documents import Document

    nodes = {name: Node(id=name, type="Thing") for name in NAMES}
    relationships = [Relationship(source=nodes[s], target=nodes[o], type=p) for s, p, o in TRIPLES]
    source = Document(page_content="Oslo.", metadata={"id": "d1"})
    return GraphDocument(nodes=list(nodes.values()), relationships=relationships, source=source)


def test_langchain(tmp_path):
    path = tmp_path / "graphs.jsonl"
    path.write_text(graph_document().model_dump_json() + "\n")
    assert f1(path, "d1") == 1.0
    assert f1([graph_document()], "d1") == 1.0


def test_langchain_says_what_to_write_where_it_dumps_no_values(tmp_path):
    from langchain_core.load import dumps

    from goldassay import InputError

    path = tmp_path / "graph.json"
    path.write_text(dumps(graph_document()))
    with pytest.raises(InputError) as caught:
        f1(path)
    assert "model_dump_json" in caught.value.hint


def test_llamaindex(tmp_path):
    from llama_index.core.graph_stores import SimpleGraphStore, SimplePropertyGraphStore
    from llama_index.core.graph_stores.types import ChunkNode, EntityNode, Relation

    store, plain = SimplePropertyGraphStore(), SimpleGraphStore()
    store.upsert_nodes([*(EntityNode(name=name, label="Thing") for name in NAMES), ChunkNode(text="Oslo.", id_="c")])
    store.upsert_relations([Relation(label=p, source_id=s, target_id=o) for s, p, o in TRIPLES])
    for triple in TRIPLES:
        plain.upsert_triplet(triple[0], triple[1], triple[2])
    store.persist(str(tmp_path / "property_graph_store.json"))
    plain.persist(str(tmp_path / "graph_store.json"))
    assert f1(tmp_path / "property_graph_store.json") == 1.0
    assert f1(tmp_path / "graph_store.json") == 1.0
    assert f1(store.graph) == 1.0
    assert f1(store.get_triplets(entity_names=NAMES)) == 1.0


def test_graphiti(tmp_path):
    from graphiti_core.edges import EntityEdge
    from graphiti_core.nodes import EntityNode

    nodes = {name: EntityNode(name=name, group_id="g", labels=["Entity"]) for name in NAMES}
    now = datetime.now(UTC)
    edges = [
        EntityEdge(
            source_node_uuid=nodes[s].uuid, target_node_uuid=nodes[o].uuid, name=p, group_id="g", fact=p, created_at=now
        )
        for s, p, o in TRIPLES
    ]
    written = {"nodes": list(nodes.values()), "edges": edges}
    path = tmp_path / "graph.json"
    path.write_text(json.dumps({key: [one.model_dump(mode="json") for one in some] for key, some in written.items()}))
    assert f1(path) == 1.0


def test_kggen(tmp_path):
    # The package itself loads a language model.
    [folder] = importlib.util.find_spec("kg_gen").submodule_search_locations
    spec = importlib.util.spec_from_file_location("kg_gen_models", Path(folder, "models.py"))
    models = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(models)
    clusters = {"Grieg": {"Grieg", "Edvard Grieg"}}
    graph = models.Graph(
        entities=set(NAMES), edges={p for _, p, _ in TRIPLES}, relations=set(TRIPLES), entity_clusters=clusters
    )
    path = tmp_path / "kg.json"
    path.write_text(graph.model_dump_json())
    assert f1(path) == f1(graph) == 1.0


@pytest.mark.parametrize("form", ["node-link", "old node-link", "gexf", "graphml", "cytoscape", "memory"])
def test_networkx(tmp_path, form):
    import networkx as nx

    graph = nx.MultiDiGraph()
    for s, p, o in TRIPLES:
        graph.add_edge(s, o, relation=p)
    path = tmp_path / ("g.json" if "link" in form or form == "cytoscape" else f"g.{form}")
    if form == "memory":
        path = graph
    elif "link" in form:
        path.write_text(json.dumps(nx.node_link_data(graph, edges="links" if "old" in form else "edges")))
    elif form == "cytoscape":
        path.write_text(json.dumps(nx.cytoscape_data(graph)))
    else:
        (nx.write_gexf if form == "gexf" else nx.write_graphml)(graph, path)
    assert f1(path) == 1.0
