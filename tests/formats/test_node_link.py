import itertools
import json

import networkx as nx
import pytest

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, read_edge_list
from goldassay.formats.edge_tables import EdgeList
from goldassay.formats.edges import parents_in
from goldassay.formats.records import BadRecords


def read(document: object, bad: BadRecords | None = None) -> EdgeList:
    data = json.dumps(document, indent=1).encode()
    return read_edge_list(Source(path="a.json", name="a.json", data=data, size=len(data)), "node-link", bad)


@pytest.mark.parametrize("key", ["links", "edges"])
def test_what_networkx_writes_is_read(key):
    graph = nx.DiGraph([("cat", "animal"), ("dog", "animal")])
    graph.add_node("stone", title="a stone")
    result = read(nx.node_link_data(graph, edges=key))
    assert result.edges.rows() == [("cat", "animal"), ("dog", "animal")]
    assert result.edges.columns == ["source", "target"]
    assert result.nodes == ("cat", "animal", "dog", "stone")
    assert result.texts == {"stone": "a stone"}
    assert result.warnings == ()


def test_a_graph_without_directions_is_reported():
    graph = nx.Graph([("cat", "pet"), ("dog", "pet")])
    result = read(nx.node_link_data(graph, edges="links"))
    assert result.edges.rows() == [("cat", "pet"), ("pet", "dog")]
    assert "undirected" in result.warnings[0]


def test_arrows_that_lead_away_from_a_named_root_are_turned_round():
    graph = nx.DiGraph([(1, 2), (2, 3)])
    nx.set_node_attributes(graph, {1: "root", 2: "cats", 3: "kittens"}, "title")
    graph.graph["root"] = 1
    result = read(nx.node_link_data(graph, edges="links"))
    assert result.edges.select("source", "target").rows() == [("2", "1"), ("3", "2")]
    assert "parent to child" in result.warnings[0]


@pytest.mark.parametrize(("leaving", "reaching"), [*itertools.product(range(3), repeat=2)])
def test_arrows_are_turned_round_where_more_leave_the_named_root_than_reach_it(leaving, reaching):
    arrows = [("root", f"below {row}") for row in range(leaving)]
    arrows += [(f"above {row}", "root") for row in range(reaching)]
    graph = nx.DiGraph([*arrows, ("below 0", "deeper"), ("far", "away")])
    graph.graph["root"] = "root"
    graph.add_node("root")
    result = read(nx.node_link_data(graph, edges="links"))
    turned = leaving > reaching
    rows = result.edges.select("target", "source").rows() if turned else result.edges.select("source", "target").rows()
    assert set(rows) == set(graph.edges)
    assert len(result.warnings) == turned


def test_relations_are_read_where_arrows_have_names():
    graph = nx.MultiDiGraph()
    graph.add_edge("cat", "animal", key="is_a")
    graph.add_edge("cat", "tail", key="has_part")
    graph.add_edge("dog", "animal")
    assert read(nx.node_link_data(graph, edges="links")).edges["relation"].to_list() == ["is_a", "has_part", "is-a"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}, "unknown node '2'"),
        ({"nodes": [{"id": 1}], "links": [{"source": 1}]}, "no source or no target"),
        ({"nodes": [{"id": 1}], "links": [7]}, "no source or no target"),
        ({"nodes": [{"id": 1}], "links": [{"source": None, "target": 1}]}, "no source or no target"),
        ({"nodes": [{"id": 1}], "links": [{"source": 1, "target": ""}]}, "no source or no target"),
        ({"nodes": [{"name": "x"}], "links": []}, "has no id"),
        ({"nodes": [None], "links": []}, "has no id"),
    ],
)
def test_a_bad_record_is_an_error_or_skipped(document, message):
    with pytest.raises(RecordError, match=message):
        read(document)
    bad = BadRecords(on_error="skip")
    assert len(read(document, bad).edges) == 0
    assert bad.left_out() == {"skipped_records": 1}


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ({"nodes": []}, 1),
        ({"links": [], "nodes": {}}, 3),
        ([], 1),
        ({"links": []}, 1),
        ({"nodes": [], "edges": 5}, 3),
        ({"nodes": [], "links": 5, "edges": 6}, 3),
        ({"nodes": 5}, 2),
        ({"nodes": "text", "links": []}, 2),
    ],
)
def test_json_of_another_shape_is_refused_with_its_line(document, line):
    with pytest.raises(InputError, match="Not a node-link graph") as caught:
        read(document)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("ids", "message"), [((1, "1"), "differ only in type"), (("a", "a"), "Two nodes have the same id")]
)
def test_two_nodes_are_never_merged_into_one(ids, message):
    document = {"nodes": [{"id": name, "title": f"t{at}"} for at, name in enumerate(ids)], "links": []}
    with pytest.raises(RecordError, match=message):
        read(document)
    bad = BadRecords(on_error="skip")
    assert read(document, bad).texts == {str(ids[0]): "t0"}
    assert bad.left_out() == {"skipped_records": 1}


@pytest.mark.parametrize(
    "names",
    [
        {"label": "Ada"},
        {"name": "Ada"},
        {"entity_id": "Ada"},
        {"labels": ["Person"], "properties": {"name": "Ada"}},
    ],
)
def test_nodes_with_numbers_are_called_by_their_names(names):
    document = {"nodes": [{"id": 1, **names}, {"id": 2, "label": "Rome"}], "edges": [{"source": 1, "target": 2}]}
    graph = read(document)
    assert (graph.texts, graph.warnings) == ({"1": "Ada", "2": "Rome"}, ())


@pytest.mark.parametrize(("ids", "warned"), [((1, 2), True), (("1", "2"), True), (("Ada", "Rome"), False)])
def test_numbers_without_names_are_warned_of(ids, warned):
    graph = read({"nodes": [{"id": one} for one in ids], "links": [{"source": ids[0], "target": ids[1]}]})
    assert any("ids are compared, and no names: 2 of 2 nodes" in line for line in graph.warnings) is warned


def test_each_bad_record_has_its_line():
    page = (
        b'{"links": [\n{"source": "a"},\n{"source": "a", "target": "b"}],\n"nodes": [{"id": "a"},\n\n{"id": "a"}, 5]}'
    )
    bad = BadRecords(on_error="skip")
    read_edge_list(Source(path="a.json", name="a.json", data=page, size=len(page)), "node-link", bad)
    assert [error.line for error in bad.errors] == [6, 6, 2, 3]


def test_ids_of_other_types_are_written_as_json():
    result = read({"nodes": [{"id": ["é", 1]}, {"id": 2.5}], "links": [{"source": ["é", 1], "target": 2.5}]})
    assert result.edges.rows() == [('["é", 1]', "2.5")]


@pytest.mark.parametrize("nodes", [None, 5, "text", [1], [{"id": 1, "parent": None}, 2]])
def test_what_is_no_list_of_nodes_has_no_parents(nodes):
    assert parents_in(nodes) == {}
