"""Graphs and results of queries as other tools write them: the same edges give the same items."""

from __future__ import annotations

import json

import networkx as nx
import pytest

import goldassay
from goldassay.core.errors import InputError
from goldassay.formats.graph_files import _term, as_known
from goldassay.formats.source import Source

EDGES = [("big dog", "mammal"), ("cat", "mammal"), ("mammal", "animal")]


def items(path, kind="taxonomy", **options):
    found = goldassay.read(path, kind=kind, **options)
    return sorted(map(found.item, range(len(found))))


def graph_of(relation=None):
    graph = nx.DiGraph()
    for a, b in EDGES:
        graph.add_edge(a, b, **({"label": relation} if relation else {}))
    return graph


def gml(graph):
    return "\n".join(nx.generate_gml(graph))


def graphml(graph):
    return "\n".join(nx.generate_graphml(graph))


def cytoscape(graph):
    return json.dumps(nx.cytoscape_data(graph))


def flat_cytoscape(graph):
    elements = nx.cytoscape_data(graph)["elements"]
    return json.dumps({"elements": [*elements["nodes"], *elements["edges"]]})


def gexf(graph):
    return "\n".join(nx.generate_gexf(graph))


@pytest.mark.parametrize("relation", [None, "is a"])
@pytest.mark.parametrize("write", [gml, graphml, cytoscape, flat_cytoscape, gexf])
def test_graphs_of_other_tools_are_taxonomies(write, relation, tmp_path):
    path = tmp_path / f"graph.{write.__name__}"
    path.write_text(write(graph_of(relation)))
    assert items(path) == sorted(f"{a} -> {b}" for a, b in EDGES)


@pytest.mark.parametrize("write", [gml, graphml, cytoscape])
def test_graphs_of_other_tools_are_triples(write, tmp_path):
    path = tmp_path / f"graph.{write.__name__}"
    path.write_text(write(graph_of("is a")))
    assert items(path, "triples") == sorted(f"1: {a} | is a | {b}" for a, b in EDGES)


def test_an_undirected_graph_is_warned_of(tmp_path):
    path = tmp_path / "graph.gml"
    path.write_text(gml(nx.Graph(EDGES)))
    assert any("undirected" in line for line in goldassay.read(path).warnings)


@pytest.mark.parametrize(
    "text", ["graph [ node [ id 1 ", "graph [ ] ]", "graph [ node 1 [ ] ]", 'graph [ "a" ]', "graph [ node ]"]
)
def test_other_gml_is_refused(text, tmp_path):
    path = tmp_path / "graph.gml"
    path.write_text(text)
    with pytest.raises(InputError):
        goldassay.read(path, kind="taxonomy")


def test_edges_without_a_relation_are_counted_where_others_have_one(tmp_path):
    graph = graph_of("is a")
    graph.add_edge("oak", "plant")
    path = tmp_path / "graph.graphml"
    path.write_text(graphml(graph))
    found = goldassay.read(path, kind="taxonomy", on_error="skip")
    assert (len(found), found.left_out["skipped_records"]) == (3, 1)


def term(text):
    return {"type": "uri" if ":" in text else "literal", "value": text}


def sparql_json(names, rows):
    bindings = [dict(zip(names, map(term, row), strict=True)) for row in rows]
    return json.dumps({"head": {"vars": names}, "results": {"bindings": bindings}})


def sparql_xml(names, rows):
    cells = "".join(
        "<result>"
        + "".join(
            f'<binding name="{name}"><literal>{cell}</literal></binding>' for name, cell in zip(names, row, strict=True)
        )
        + "</result>"
        for row in rows
    )
    head = "".join(f'<variable name="{name}"/>' for name in names)
    return f'<?xml version="1.0"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head>{head}</head><results>{cells}</results></sparql>'


def sparql_tsv(names, rows):
    cells = [[f"<{cell}>" if ":" in cell else f'"{cell}"@en' for cell in row] for row in rows]
    return "".join("\t".join(row) + "\n" for row in [[f"?{name}" for name in names], *cells])


@pytest.mark.parametrize("write", [sparql_json, sparql_xml, sparql_tsv])
def test_results_of_sparql_are_rows(write, tmp_path):
    path = tmp_path / f"results.{write.__name__.removeprefix('sparql_')}"
    path.write_text(write(["child", "parent"], [*EDGES, ("http://a/b", "http://a/c")]))
    assert items(path) == sorted([*(f"{a} -> {b}" for a, b in EDGES), "b -> c"])
    path.write_text(write(["s", "p", "o"], [(a, "is a", b) for a, b in EDGES]))
    assert items(path, "triples") == sorted(f"1: {a} | is a | {b}" for a, b in EDGES)


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_iris_between_angle_brackets_are_the_same_without(suffix, tmp_path):
    mark = "," if suffix == "csv" else "\t"
    path = tmp_path / f"edges.{suffix}"
    path.write_text(f"child{mark}parent\n<http://a/b>{mark}<http://a/c>\nx < y{mark}<b>\n")
    graph = goldassay.read(path, kind="taxonomy")
    assert sorted(graph.ids) == ["<b>", "http://a/b", "http://a/c", "x < y"]
    path.write_text(f"source{mark}target\n<http://a/b>{mark}<http://c/d>\n")
    assert items(path, "alignment") == ["http://a/b = http://c/d"]


def test_links_of_markdown_are_their_names_or_in_alignments_what_they_lead_to(tmp_path):
    path = tmp_path / "answer.md"
    path.write_text("| child | parent |\n|---|---|\n| [dog](http://a/dog) | [pet [x]](no) |\n")
    assert items(path) == ["dog -> [pet [x]](no)"]
    path.write_text("| source | target |\n|---|---|\n| [dog](http://a/dog) | [chien](http://b/chien) |\n")
    assert items(path, "alignment") == ["http://a/dog = http://b/chien"]


@pytest.mark.parametrize("mark", [",", "|", "\t"])
def test_toon_is_a_table(mark, tmp_path):
    path = tmp_path / "answer.txt"
    shown = "" if mark == "," else mark
    rows = "".join(f"  {mark.join(row)}\n" for row in EDGES)
    path.write_text(f"Sure:\n\nedges[{len(EDGES)}{shown}]{{{mark.join(['child', 'parent'])}}}:\n{rows}\nThat is all.\n")
    assert items(path) == sorted(f"{a} -> {b}" for a, b in EDGES)
    rows = "".join(f"  {mark.join((a, 'is a', b))}\n" for a, b in EDGES)
    path.write_text(f"triples[3{shown}]{{{mark.join(['subject', 'predicate', 'object'])}}}:\n{rows}")
    assert items(path, "triples") == sorted(f"1: {a} | is a | {b}" for a, b in EDGES)


def test_ids_that_pandas_writes_with_a_point_are_the_same_ids(tmp_path):
    path = tmp_path / "nodes.csv"
    path.write_text("id,name,parent_id\n1,animal,\n2,mammal,1.0\n3,dog,2.0\n")
    assert items(path) == ["dog -> mammal", "mammal -> animal"]
    path.write_text("id,name,parent_id\n1,animal,0\n2,mammal,1\n")
    with pytest.raises(InputError, match="The parent is not a node") as caught:
        goldassay.read(path, kind="taxonomy")
    assert "leave the parent of a root empty" in caught.value.hint


def test_engines_read_iris_between_angle_brackets_as_files_are_read(tmp_path):
    pred, gold = tmp_path / "pred.csv", tmp_path / "gold.csv"
    pred.write_text("child,parent\n<http://a/b>,<http://a/c>\n<x>,y\n")
    gold.write_text("child,parent\nhttp://a/b,http://a/c\n<x>,y\n")
    for engine in ("duckdb", None):
        options = {"engine": engine} if engine else {}
        report = goldassay.evaluate(pred, gold=gold, kind="taxonomy", measures=["literal"], selfcheck=False, **options)
        assert report["literal"].f1 == 1


def test_engines_refuse_results_of_sparql(tmp_path):
    path, gold = tmp_path / "results.tsv", tmp_path / "gold.csv"
    path.write_text(sparql_tsv(["child", "parent"], EDGES))
    gold.write_text("child,parent\ncat,mammal\n")
    with pytest.raises(InputError, match="results of SPARQL"):
        goldassay.evaluate(path, gold=gold, kind="taxonomy", measures=["literal"], engine="duckdb")


@pytest.mark.parametrize("write", [sparql_json, sparql_xml, sparql_tsv])
def test_results_of_sparql_are_correspondences(write, tmp_path):
    path = tmp_path / f"results.{write.__name__.removeprefix('sparql_')}"
    path.write_text(write(["source", "target"], [("http://a/b", "http://c/d")]))
    assert items(path, "alignment") == ["http://a/b = http://c/d"]


def test_a_graph_of_another_tool_is_a_hierarchy_of_labels(tmp_path):
    hierarchy, labels = tmp_path / "graph.gml", tmp_path / "labels.csv"
    hierarchy.write_text(gml(graph_of()))
    labels.write_text("id,label\nd1,cat\n")
    found = goldassay.read(labels, kind="labels", hierarchy=str(hierarchy), names="label")
    assert found.item(0) == "d1: cat"


def test_example_of_as_known():
    data = b'graph [ node [ id 1 label "dog" ] node [ id 2 label "pet" ] edge [ source 1 target 2 ] ]'
    known = as_known(Source(path="a.gml", name="a.gml", data=data, size=len(data)))
    assert (
        known.data.decode()
        == '{"directed": false, "nodes": [{"id": 1, "label": "dog"}, {"id": 2, "label": "pet"}], "edges": [{"source": 1, "target": 2}]}'
    )


def test_example_of_term():
    assert _term('"dog"@en') == "dog"
    assert _term("<http://a/b>") == "http://a/b"
    assert _term('"7"^^<http://www.w3.org/2001/XMLSchema#int>') == "7"
    assert _term("7") == "7"


def test_labels_that_repeat_ids_are_no_names(tmp_path):
    # NetworkX writes GML so where nodes are numbers.
    nodes = "".join(
        f'  node [\n id {at}\n label "{at}"\n name "{name}"\n ]\n' for at, name in enumerate(("dog", "pet"))
    )
    path = tmp_path / "a.gml"
    path.write_text(f"graph [\n directed 1\n{nodes}  edge [\n source 0\n target 1\n ]\n]\n")
    assert items(path, "taxonomy") == ["dog -> pet"]


@pytest.mark.parametrize(
    ("kind", "names", "rows"),
    [
        ("labels", ("instance", "label"), [("i1", "sport"), ("i2", "art")]),
        ("concepts", ("id", "concept"), [("d1", "aspirin"), ("d2", "asthma")]),
        ("axioms", ("class", "property", "object"), [("Dog", "eats", "Cat")]),
        ("alignment", ("source", "target"), [("dog", "Hund")]),
        ("triples", ("subject", "predicate", "object"), [("Oslo", "in", "Norway")]),
        ("taxonomy", ("child", "parent"), [("dog", "animal")]),
    ],
)
def test_results_of_a_query_are_read_by_every_family(kind, names, rows, tmp_path):
    cells = [{name: {"type": "literal", "value": text} for name, text in zip(names, row, strict=True)} for row in rows]
    written = json.dumps({"head": {"vars": names}, "results": {"bindings": cells}})
    table = "".join(",".join(row) + "\n" for row in (names, *rows))
    results, expected = tmp_path / "results.json", tmp_path / "table.csv"
    results.write_text(written)
    expected.write_text(table)
    assert items(results, kind) == items(expected, kind)
