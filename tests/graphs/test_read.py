import gzip
import itertools
import json
import math
import re
from unittest.mock import patch

import networkx as nx
import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import goldassay
from goldassay.core.errors import InputError, UsageError
from goldassay.formats.labels import SIMPLE_IRI, split_local_name, split_local_names, split_plain_names
from goldassay.formats.memory import Columns
from goldassay.graphs import Graph, Literal, from_edge_list, texts
from goldassay.graphs.inspect import inspect_graph
from goldassay.graphs.measures import literal
from goldassay.graphs.predicates import direction
from goldassay.graphs.read import graph_of_columns, read_graph
from goldassay.graphs.reading import AS_USUAL, GraphReading
from goldassay.graphs.texts import title

PREFIXES = """
@prefix : <http://a/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""


@pytest.fixture
def written(tmp_path):
    numbers = itertools.count()

    def write(text, name="graph.ttl"):
        path = tmp_path / f"{next(numbers)}{name}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def items(graph):
    return sorted(graph.item(row) for row in range(len(graph)))


def by_id(graph):
    return {(str(graph.ids[child]), str(graph.ids[parent])) for child, parent in graph.edges}


def test_a_taxonomy_merges_all_predicates_that_mean_is_a(written):
    text = PREFIXES + ":a rdfs:subClassOf :b . :a skos:broader :b . :b skos:narrower :a, :c . :c :eats :a ."
    graph = read_graph(written(text))
    assert items(graph) == ["a -> b", "c -> b"]
    assert graph.relation_names == ("is-a",)
    assert graph.left_out == {"duplicates": 2}
    assert graph.facts["triples"] == 5


def test_what_is_no_named_class_is_left_out_and_counted(written):
    text = PREFIXES + (
        ":a rdfs:subClassOf :b, [ a owl:Restriction ], 'text' . [] rdfs:subClassOf :b . :a skos:broader [] ."
    )
    for blank_nodes in ("drop", "keep"):
        graph = read_graph(written(text), GraphReading(blank_nodes=blank_nodes))
        assert len(graph) == 1
        assert graph.left_out == {"class_expressions": 2, "literal_objects": 1, "blank_nodes": 1}


def test_self_loops_are_kept_and_counted_and_deprecated_classes_if_asked_for(written):
    text = (
        PREFIXES
        + ":a a owl:Class ; rdfs:subClassOf :a ; owl:deprecated true . :b a rdfs:Class ; owl:deprecated false ."
    )
    graph = read_graph(written(text), GraphReading(obsolete="keep"))
    assert items(graph) == ["a -> a"]
    assert graph.choices["obsolete"] == "keep"
    assert graph.facts == {"triples": 5, "classes": 2, "deprecated": 1, "labels": 0, "self_loops": 1}


DECLARED = {
    "a.ttl": PREFIXES
    + """:a a owl:Class ; rdfs:subClassOf :b . :b a owl:Class ; rdfs:subClassOf owl:Thing . :only a rdfs:Class .
    :topic a skos:Concept . owl:Thing a owl:Class . :old a owl:Class ; owl:deprecated true ; rdfs:subClassOf :b, :gone .
    :gone owl:deprecated true . [] a owl:Class .""",
    "a.obo": """format-version: 1.2

[Term]
id: x:a
name: a
is_a: x:b

[Term]
id: x:b
name: b

[Term]
id: x:only
name: only

[Term]
id: x:topic
name: topic

[Term]
id: x:old
name: old
is_a: x:b
is_a: x:gone
is_obsolete: true

[Term]
id: x:gone
name: gone
is_obsolete: true
""",
}
ALIVE = ["a", "b", "only", "topic"]


@pytest.mark.parametrize("name", DECLARED)
def test_all_declared_classes_that_are_not_obsolete_are_nodes(written, name):
    path = written(DECLARED[name], name)
    graph = read_graph(path)
    assert sorted(graph.texts.tolist()) == ALIVE
    assert items(graph) == ["a -> b"]
    thing = {"edges_to_owl_thing": 1} if name == "a.ttl" else {}
    gone = {"obsolete_classes": 2, "obsolete_edges": 2}
    assert graph.left_out == thing | gone
    assert "nodes" not in graph.choices
    graph = read_graph(path, GraphReading(nodes="linked"))
    assert sorted(graph.texts.tolist()) == ["a", "b"]
    assert graph.left_out == thing | gone | {"classes_without_edges": 2}
    assert graph.choices["nodes"] == "linked"
    graph = read_graph(path, GraphReading(obsolete="keep"))
    assert sorted(graph.texts.tolist()) == sorted([*ALIVE, "gone", "old"])
    assert items(graph) == ["a -> b", "old -> b", "old -> gone"]
    assert graph.left_out == thing


def test_owl_thing_is_a_parent_if_the_predicate_is_chosen_by_name(written):
    graph = read_graph(written(DECLARED["a.ttl"]), GraphReading(edges=("rdfs:subClassOf",)))
    assert "b -> Thing" in items(graph)


def test_every_statement_counts_if_all_are_edges_those_of_obsolete_classes_too(written):
    path = written(DECLARED["a.ttl"])
    everything = read_graph(path, GraphReading(edges="all", text="iri"))
    assert "obsolete_classes" not in everything.left_out
    assert ("http://a/old", "http://a/gone") in by_id(everything)


def test_owl_thing_is_no_node_of_a_table_or_of_node_link_json_either(written):
    table = written("child,parent\ncat,pet\npet,owl:Thing\n", "a.csv")
    page = {
        "nodes": [{"id": n} for n in ("cat", "pet", "fish", "owl:Thing")],
        "links": [{"source": "cat", "target": "pet"}],
    }
    for path, single in ((table, []), (written(json.dumps(page), "a.json"), ["fish"])):
        graph = read_graph(path)
        assert sorted(graph.texts.tolist()) == sorted(["cat", "pet", *single])
        linked = read_graph(path, GraphReading(nodes="linked"))
        assert sorted(linked.texts.tolist()) == ["cat", "pet"]
        assert linked.left_out.get("classes_without_edges", 0) == len(single)
    assert read_graph(table).left_out == {"edges_to_owl_thing": 1}


def test_declared_classes_that_are_missed_lower_recall(written):
    declared = {
        side: " ".join(f":{node} a owl:Class ." for node in nodes) for side, nodes in (("gold", "ABCD"), ("pred", "AB"))
    }
    files = {side: str(written(f"{PREFIXES}{text} :A rdfs:subClassOf :B .")) for side, text in declared.items()}
    report = goldassay.evaluate(
        files["pred"],
        gold=files["gold"],
        kind="taxonomy",
        encoder="hashing",
        measures=["nodes(threshold=1.0, inclusive=true)", "taxonomic", "graph"],
    )
    assert (report["nodes"].precision, report["nodes"].recall) == (1.0, 0.5)
    assert report["taxonomic"].lexical_recall == 0.5
    assert report["graph"].recall == pytest.approx(0.5)


def test_local_names_join_ontologies_whose_namespaces_differ(written):
    old = "[Term]\nid: hgnc:5\nname: A1BG\nis_a: hgnc:1\n\n[Term]\nid: hgnc:1\nname: gene\n"
    new = (
        PREFIXES
        + "<http://identifiers.org/hgnc/5> rdfs:label 'alpha-1-B'; rdfs:subClassOf <http://identifiers.org/hgnc/1> ."
    )
    files = written(old, "old.obo"), written(new), written("child,parent\nHGNC:5,HGNC:1\n", "a.csv")
    graphs = [read_graph(path, GraphReading(text="name")) for path in files]
    assert [items(graph) for graph in graphs] == [["5 -> 1"]] * 3
    shared = written(PREFIXES + "<http://a/x#c> rdfs:subClassOf <http://a/y#c> .")
    assert "2 nodes share their local name" in read_graph(shared, GraphReading(text="name")).warnings[0]
    assert not read_graph(shared).warnings


def test_the_label_is_the_preferred_language_then_none_then_any_in_any_order(written):
    labels = [
        ":a rdfs:label 'Katze'@de .",
        ":a rdfs:label 'chat'@fr .",
        ":a rdfs:label 'plain' .",
        ":a rdfs:label 'cat'@en .",
    ]
    edge = ":a rdfs:subClassOf :b ."
    for kept, language, expected in [
        (labels, "en", "cat"),
        (labels, "de", "Katze"),
        (labels, "it", "plain"),
        (labels[:2], "en", "Katze"),
        ([":a rdfs:label 'colour'@en-GB .", labels[2]], "en", "colour"),
        ([":a skos:prefLabel 'preferred'@en .", labels[3]], "en", "cat"),
        ([":a skos:prefLabel 'preferred'@en .", labels[2]], "en", "preferred"),
        ([":a rdfs:label ' '@en ."], "en", "a"),
    ]:
        for order in itertools.permutations([*kept, edge]):
            graph = read_graph(written(PREFIXES + "\n".join(order)), GraphReading(language=language))
            assert items(graph) == [f"{expected} -> b"]


@pytest.mark.parametrize(
    ("iri", "label", "ollm"),
    [
        ("http://a/b#TripleNegative_breast-cancer", "Triple Negative breast cancer", "TripleNegative breast-cancer"),
        ("http://a/HER2Positive", "HER2 Positive", "HER2Positive"),
        ("http://a/DNABinding", "DNA Binding", "DNABinding"),
        ("http://a/b%20c/", "b c", "b%20c"),
        ("urn:x:Cat", "Cat", "Cat"),
        ("http://a/___", "___", "   "),
    ],
)
def test_a_node_without_a_label_is_named_by_its_iri(iri, label, ollm):
    assert (split_local_name(iri), title(iri)) == (label, ollm)


IRIS = st.text("aBcD1_-#/.~", min_size=1, max_size=12).map("http://a/".__add__).filter(re.compile(SIMPLE_IRI).match)


@given(st.lists(IRIS, max_size=20))
def test_columns_of_iris_are_split_into_words_as_each_of_them_is(iris):
    column, expected = pl.Series(iris, dtype=pl.String), list(map(split_local_name, iris))
    assert split_local_names(column).to_list() == expected
    plain = split_plain_names(column)
    assert plain is None or plain.to_list() == expected


def test_iri_text_is_the_term_itself(written):
    graph = read_graph(written(PREFIXES + ":a rdfs:subClassOf :b ; rdfs:label 'x' ."), GraphReading(text="iri"))
    assert items(graph) == ["http://a/a -> http://a/b"]
    assert graph.choices == {"edges": "rdfs:subClassOf", "text": "iri"}


def test_all_statements_are_edges_between_terms(written):
    text = PREFIXES + ":a :p 'x', 'x'@en, 'http://a/a', :a . :a :p :a . [] :p :b ."
    graph = read_graph(written(text), GraphReading(edges="all", text="iri"))
    assert items(graph) == sorted(f"http://a/a -> {end}" for end in ("x", "x", "http://a/a", "http://a/a"))
    assert len(set(graph.ids.tolist())) == len(graph.ids) == 4
    assert graph.left_out == {"duplicates": 1, "blank_nodes": 1}
    assert graph.relation_names == ("http://a/p",)


@pytest.mark.parametrize("edges", [("http://a/part_of",), ("part_of",), ("<http://a/part_of>",), "http://a/part_of"])
def test_predicates_can_be_chosen_by_iri_or_name(written, edges):
    text = PREFIXES + ":a :part_of :b . :a rdfs:subClassOf :c . :a :part_of 'whole' ."
    assert items(read_graph(written(text), GraphReading(edges=edges))) == ["a -> b", "a -> whole"]


def test_predicates_can_be_chosen_by_a_well_known_prefix(written):
    text = PREFIXES + ":a skos:related :b . :a rdfs:subClassOf :c ."
    graph = read_graph(written(text), GraphReading(edges=("skos:related",)))
    assert items(graph) == ["a -> b"]
    assert graph.choices["edges"] == "skos:related"


def test_kept_blank_nodes_have_the_same_ids_any_the_file_calls_them(written):
    first = ":a :p _:x . _:x :q _:y . _:y :q 'end' ."
    second = "_:1 :q 'end' . _:b :q _:1 . :a :p _:b ."
    reading = GraphReading(edges="all", text="iri", blank_nodes="keep")
    graphs = [read_graph(written(PREFIXES + text), reading) for text in (first, second)]
    assert by_id(graphs[0]) == by_id(graphs[1])
    assert len(graphs[0]) == 3
    assert graphs[0].choices == {"edges": "all", "text": "iri", "blank_nodes": "keep"}


def test_the_order_of_statements_changes_nothing_but_the_order(written):
    lines = [f":n{i % 7} rdfs:subClassOf :n{i} . :n{i} rdfs:label 'node {i}'@en, 'knoten {i}'@de ." for i in range(30)]
    expected = items(read_graph(written(PREFIXES + "\n".join(lines))))
    lines = [*lines[::-2], *lines[::2]]
    assert items(read_graph(written(PREFIXES + "\n".join(lines)))) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.ttl", PREFIXES + ":cat rdfs:subClassOf :animal ."),
        ("a.obo", "[Term]\nid: http://a/cat\nis_a: http://a/animal"),
        ("a.csv", "child,parent\nhttp://a/cat,http://a/animal"),
        ("a.tsv", "parent\tchild\nhttp://a/animal\thttp://a/cat"),
        ("a.csv", "subject,predicate,object\nhttp://a/animal,skos:narrower,http://a/cat"),
        (
            "a.json",
            (
                '{"nodes": [{"id": "http://a/cat"}, {"id": "http://a/animal"}], '
                '"links": [{"source": "http://a/cat", "target": "http://a/animal"}]}'
            ),
        ),
        ("a.json", '{"graphs": [{"edges": [{"sub": "http://a/cat", "pred": "is_a", "obj": "http://a/animal"}]}]}'),
        (
            "a.jsonld",
            '{"@id": "http://a/cat", "http://www.w3.org/2000/01/rdf-schema#subClassOf": {"@id": "http://a/animal"}}',
        ),
    ],
)
def test_one_taxonomy_in_any_format_is_one_graph(written, name, text):
    for path in (written(text, name), written(gzip.compress(text.encode()), name + ".gz")):
        graph = read_graph(path)
        assert by_id(graph) == {("http://a/cat", "http://a/animal")}
        assert items(graph) == ["cat -> animal"]


def test_the_relation_of_a_row_decides_whether_it_is_an_edge(written):
    path = written("head,relation,tail\ncat,is_a,animal\nanimal,hyponym,dog\ncat,eats,fish\ncat,isA,animal\n", "a.csv")
    graph = read_graph(path)
    assert items(graph) == ["cat -> animal", "dog -> animal"]
    assert graph.left_out == {"other_relations": 1, "duplicates": 1}
    assert items(read_graph(path, GraphReading(edges=("eats",)))) == ["cat -> fish"]
    everything = read_graph(path, GraphReading(edges="all"))
    assert items(everything) == ["animal -> dog", "cat -> animal", "cat -> animal", "cat -> fish"]
    assert set(everything.relation_names) == {"is_a", "isA", "hyponym", "eats"}


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("is_a", 1),
        ("is-a", 1),
        ("SubClassOf", 1),
        ("skos:broader", 1),
        ("_hypernym", 1),
        ("skos:narrower", -1),
        ("type of", 1),
        ("is a subclass of", 1),
        ("hasParent", 1),
        ("P279", 1),
        ("hypernym of", -1),
        ("has_hyponym", -1),
        ("subsumes", -1),
        ("eats", 0),
        # They may be of parts, and of instances.
        ("includes", 0),
        ("instance of", 0),
    ],
)
def test_relations_lead_up_or_down_or_neither(relation, expected):
    assert direction(relation) == expected


def test_nodes_that_a_graph_lists_are_nodes_without_edges_too(written):
    document = nx.node_link_data(nx.DiGraph([("cat", "animal")]), edges="links")
    document["nodes"].append({"id": "stone"})
    assert read_graph(written(json.dumps(document), "a.json")).ids.tolist() == ["cat", "animal", "stone"]


def test_skipped_records_are_counted_and_listed(written):
    path = written("child,parent\ncat,animal\ndog\n", "a.csv")
    with pytest.raises(InputError, match=":3: "):
        read_graph(path)
    graph = read_graph(path, GraphReading(on_error="skip"))
    assert graph.left_out == {"skipped_records": 1}
    assert any("line 3" in note for note in graph.notes)


def test_a_file_without_an_edge_says_what_it_holds(written):
    text = PREFIXES + ":a rdfs:subClassOf [ a owl:Restriction ] . :a :part_of :b, :c ."
    with pytest.raises(InputError) as caught:
        read_graph(written(text))
    assert "1 superclass, all class expressions" in caught.value.found
    assert "http://a/part_of 2" in caught.value.found
    assert "--edges http://a/part_of" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "flag", "chosen", "edges"),
    [
        (":a a owl:Class ; rdfs:subClassOf :b . :b owl:deprecated true .", "--obsolete keep", {"obsolete": "keep"}, 1),
        (":a a owl:Class ; rdfs:label 'a' .", "--edges all", {"edges": "all"}, 2),
        (":a :part_of :b .", "--edges http://a/part_of", {"edges": ("http://a/part_of",)}, 1),
    ],
)
def test_what_a_file_without_an_edge_is_hinted_at_makes_edges(written, text, flag, chosen, edges):
    path = written(PREFIXES + text)
    with pytest.raises(InputError) as caught:
        read_graph(path)
    assert flag in caught.value.hint
    # No predicate is named that the file does not have.
    assert "skos:" not in caught.value.hint
    assert len(read_graph(path, GraphReading(**chosen))) == edges
    assert caught.value.hint in inspect_graph(path).warnings[-1]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "a.ttl"),
        ("# nothing", "a.ttl"),
        ("child,parent\n", "a.csv"),
        ('{"nodes": [], "links": []}', "a.json"),
        ("!", "a.obo"),
    ],
)
def test_a_file_of_nothing_is_an_input_error(written, text, name):
    with pytest.raises(InputError):
        read_graph(written(text, name))


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"text": "labels"}, "label"),
        ({"blank_nodes": "maybe"}, "drop, keep"),
        ({"on_error": "ignore"}, "stop, skip"),
        ({"edges": "taxonmy"}, "taxonomy"),
        ({"edges": ()}, "at least one predicate"),
        ({"input_format": "turtel"}, "turtle"),
    ],
)
def test_an_unknown_choice_names_the_known_ones(choice, message):
    with pytest.raises(UsageError, match=message):
        GraphReading(**choice)


def test_a_named_format_overrules_what_the_file_looks_like(written):
    path = written("<http://a> <http://b> <http://c> .", "a.csv")
    assert read_graph(path, GraphReading(input_format="n-triples", edges="all", text="iri")).format == "n-triples"


DOCUMENTS = {
    "a.ttl": PREFIXES + ":cat rdfs:subClassOf :animal ; rdfs:label 'cat'@en .",
    "a.obo": 'format-version: 1.2\n\n[Term]\nid: A:2\nname: cat\nis_a: A:1 {x="y"} ! animal\n',
    "a.csv": 'child,parent\n"cat, wild",animal\ndog,animal\n',
    "a.tsv": "head\trelation\ttail\ncat\tis_a\tanimal\n",
    "a.json": '{"nodes": [{"id": 1, "title": "cat"}, {"id": 2}], "links": [{"source": 1, "target": 2, "key": 0}]}',
    "b.json": '{"graphs": [{"nodes": [{"id": "A:2", "lbl": "cat"}], "edges": [{"sub": "A:2", "pred": "is_a", "obj": "A:1"}]}]}',
    "a.jsonld": '{"@id": "http://a/cat", "http://www.w3.org/2000/01/rdf-schema#subClassOf": {"@id": "http://a/animal"}}',
    "a.ofn": "Ontology(<http://a> SubClassOf(<http://a/cat> <http://a/animal>))",
    "a.owx": '<Ontology xmlns="http://www.w3.org/2002/07/owl#"><SubClassOf><Class IRI="#cat"/><Class IRI="#animal"/>'
    "</SubClassOf></Ontology>",
    "a.rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://www.w3.org/2000/01/rdf-schema#">'
    '<s:Class rdf:about="http://a/cat"><s:subClassOf rdf:resource="http://a/animal"/></s:Class></rdf:RDF>',
}


def read_or_refuse(path, reading=AS_USUAL):
    try:
        return read_graph(path, reading)
    except InputError as error:
        return error


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@pytest.mark.parametrize("name", DOCUMENTS)
@given(data=st.data())
def test_a_damaged_file_reads_or_is_an_input_error_and_nothing_else(tmp_path, name, data):
    whole = DOCUMENTS[name].encode()
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(whole)), st.integers(0, len(whole)))))
    path = tmp_path / name
    path.write_bytes(whole[:start] + data.draw(st.binary(max_size=4)) + whole[end:])
    for on_error in ("stop", "skip"):
        outcome = read_or_refuse(path, GraphReading(on_error=on_error))
        assert outcome.path == str(path)
        assert isinstance(outcome, InputError) or len(outcome) > 0


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_undamaged_files_read(written, name):
    assert len(read_graph(written(DOCUMENTS[name], name))) == (2 if name == "a.csv" else 1)


def triads(graph):
    drawn = nx.DiGraph()
    drawn.add_nodes_from(range(len(graph.ids)))
    # The expected censuses were taken on arrows from parent to child.
    drawn.add_edges_from((parent, child) for child, parent in graph.edges.tolist())
    return nx.triadic_census(drawn)


@pytest.mark.parametrize("row", [0, 1])
def test_the_graphs_that_ollm_scored_are_the_graphs_that_are_read(reference_data, row):
    expected = json.loads((reference_data / "expected" / "graphs.json").read_text())["ollm"]["rows"][row]
    sizes = [(208, 565), (268, 134)][row]
    for side, size in zip(("pred", "gold"), sizes, strict=True):
        graph = read_graph(reference_data / expected[side], GraphReading(text="title"))
        assert len(graph) == size
        assert triads(graph) == expected[f"triad_census_{side}"]
    assert expected["fuzzy"]["precision"] * sizes[0] == pytest.approx(round(expected["fuzzy"]["precision"] * sizes[0]))


@pytest.mark.parametrize("row", [0, 1])
def test_the_notebooks_triples_are_the_edges_that_are_read(reference_data, row):
    rdflib = pytest.importorskip("rdflib")
    expected = json.loads((reference_data / "expected" / "graphs.json").read_text())["notebook"]["rows"][row]
    nodes = set()
    for side in ("pred", "gold"):
        graph = read_graph(reference_data / expected[side], GraphReading(edges="all", text="iri"))
        assert len(graph) == expected[f"triples_{side}"]
        theirs = rdflib.Graph().parse(reference_data / expected[side], format="xml")
        texts = [
            (str(graph.texts[s]), graph.relation_names[r], str(graph.texts[t]))
            for (s, t), r in zip(graph.edges, graph.relations, strict=True)
        ]
        assert sorted(texts) == sorted((str(s), str(p), str(o)) for s, p, o in theirs)
        nodes |= {text for triple in texts for text in triple}
    assert len(nodes) == expected["nodes"]


def test_the_gold_taxonomy_holds_2601_blank_nodes_in_15794_statements(reference_data):
    path = reference_data / "graphs" / "breast_neoplasm_taxonomy.owl"
    graph = read_graph(path, GraphReading(edges="all", text="iri"))
    assert graph.left_out == {"blank_nodes": 15_794}
    assert len(graph) + 15_794 == graph.facts["triples"] == 23_279
    kept = read_graph(path, GraphReading(edges="all", text="iri", blank_nodes="keep"))
    assert len(kept) == 23_279
    assert sum(str(node).startswith("_:") for node in kept.ids) == 2_601
    assert read_graph(path).left_out == {}


def test_versions_of_one_ontology_overlap_as_counted_by_hand(reference_data):
    for pair in json.loads((reference_data / "expected" / "ontologies.json").read_text())["version_pairs"]:
        pred, gold = (by_id(read_graph(reference_data / pair[side])) for side in ("pred", "gold"))
        assert (len(pred), len(gold), len(pred & gold)) == (pair["n_pred"], pair["n_gold"], pair["hit"])


def test_real_ontologies_hold_what_was_counted_by_hand(reference_data):
    for name, counts in json.loads((reference_data / "expected" / "ontologies.json").read_text())["counts"].items():
        edges = "all" if counts.get("named_superclasses") == 0 else "taxonomy"
        graph = read_graph(reference_data / name, GraphReading(edges=edges, text="iri"))
        assert (graph.facts["classes"], graph.facts["triples"]) == (counts["classes"], counts["triples"])


@pytest.mark.parametrize(
    ("names", "size"),
    [
        (["syntaxes/horned_family.owl", "syntaxes/horned_family.owx", "syntaxes/horned_family.ofn"], 3),
        (
            [
                "syntaxes/owlapi_primer.rdfxml.xml",
                "syntaxes/owlapi_primer.owlxml.xml",
                "syntaxes/owlapi_primer.functionalsyntax.txt",
            ],
            3,
        ),
        ([f"go-nucleus/go-nucleus.{end}" for end in ("owl", "owl.ttl", "ofn", "obo", "json")], 221),
    ],
)
def test_serialisations_of_one_ontology_give_one_graph(reference_data, names, size):
    if any(name.endswith((".ofn", ".owx", "owlxml.xml")) for name in names):
        pytest.importorskip("pyhornedowl")
    graphs = [read_graph(reference_data / "ontologies" / name) for name in names]
    assert {len(graph) for graph in graphs} == {size}
    assert all(by_id(graph) == by_id(graphs[0]) for graph in graphs)
    assert all(items(graph) == items(graphs[0]) for graph in graphs)


def test_wordnet_reads_with_its_quotes(reference_data):
    graph = read_graph(reference_data / "graphs" / "wordnet_pred.tsv")
    assert len(graph) == 78_239
    assert "'hood -> neighborhood" in {graph.item(row) for row in range(5)}
    assert len(read_graph(reference_data / "graphs" / "wordnet_gold.tsv")) == 85_643


def test_every_real_file_reads_or_says_why_not(reference_data):
    folders = ("ontologies", "graphs", "learned", "alignments/conference/ontologies")
    files = [file for folder in folders for file in sorted((reference_data / folder).rglob("*")) if file.is_file()]
    files += [reference_data / "alignments" / "anatomy" / name for name in ("source.xml", "target.xml")]
    refused = {}
    for file in files:
        graph = read_or_refuse(file)
        assert graph.path == str(file)
        if isinstance(graph, InputError):
            refused[file.name] = graph
            assert graph.hint or graph.expected
        else:
            assert len(np.unique(np.column_stack([graph.edges, graph.relations]), axis=0)) == len(graph)
            assert all(graph.texts.tolist())
    assert "19,031 superclasses, all class expressions" in str(refused["complexportal-2022-07-11.owl"])
    assert sorted(refused) == [
        "AquaDiva_llama_raw.ttl",
        "cheminf_llama_raw.ttl",
        "complexportal-2022-07-11.owl",
        "hemkit_example_Golden.txt",
        "hemkit_example_cat_hier.txt",
        "hemkit_example_result.txt",
        "horned_family.ttl",
        "overlap_chance.json",
        "owlapi_primer.manchestersyntax.txt",
        "owlapi_primer.turtle.rdf",
        "sewernet_llama_raw.ttl",
        "wine_llama_raw.ttl",
    ]


def test_edges_come_as_json_lines_too(written):
    text = '{"parent": "animal", "child": "cat"}\n{"child": "dog", "since": null, "parent": "animal"}\n'
    graph = read_graph(written(text, "a.jsonl"))
    assert (graph.format, [graph.item(row) for row in range(len(graph))]) == (
        "json-lines",
        ["cat -> animal", "dog -> animal"],
    )


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("a.tsv", "{0}\tplace\nbar\tplace\n"),
        (
            "a.nt",
            '<a:c> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <a:p> .\n<a:c> <http://www.w3.org/2000/01/rdf-schema#label> "{0}" .\n',
        ),
    ],
)
def test_labels_that_differ_in_unicode_normalisation_only_match(tmp_path, name, page):
    graphs = []
    for word in ("caf\u00e9", "cafe\u0301"):
        file = tmp_path / name
        file.write_text(page.format(word), encoding="utf-8")
        graphs.append(goldassay.read(file, kind="taxonomy"))
    assert Literal().score(pred=graphs[0], gold=graphs[1]).f1 == 1
    assert "normalised_texts" not in graphs[0].facts
    assert graphs[1].facts["normalised_texts"] == 1


def test_a_graph_is_made_of_pairs_and_triples():
    edges = [("cat", "is-a", "pet"), ("cat", "pet"), ("cat", "eats", "pet"), ("dog", "pet")]
    graph = Graph.from_edges(iter(edges))
    assert [graph.relation_names[row] for row in graph.relations.tolist()] == ["is-a", "eats", "is-a"]
    assert graph.left_out == {"duplicates": 1}
    assert graph.ids[graph.edges].tolist() == [["cat", "pet"], ["cat", "pet"], ["dog", "pet"]]
    assert Graph.from_edges([("cat", "eats", "fish")], relation="is-a").relation_names == ("eats",)
    assert Graph.from_edges([]).relation_names == ("is-a",)


@pytest.mark.parametrize(
    "edge",
    [
        ("cat",),
        "ab",
        ("cat", None),
        ("cat", math.nan),
        ("", "pet"),
        ("a", "b", "c", "d"),
        {"child": "a", "parent": "b"},
        {"a", "b"},
        5,
    ],
)
def test_an_edge_that_is_neither_a_pair_nor_a_triple_is_named(edge):
    with pytest.raises(UsageError, match=r"(?s)Row 2 cannot be used.*\(subject, predicate, object\)"):
        Graph.from_edges([("cat", "pet"), edge])


ENDS = st.sampled_from(["cat", "pet", "http://a/b#BigCat", "http://a/b#big_cat", "owl:Thing", "caf\u00e9", "a:b"])


@given(st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=12), st.sampled_from(["label", "title", "name", "iri"]))
def test_few_edges_make_the_same_graph_as_many(rows, text):
    columns, reading = (
        Columns({"child": [row[0] for row in rows], "parent": [row[1] for row in rows]}),
        GraphReading(text=text),
    )
    graphs = []
    for few in (0, 2000):
        with (
            patch.object(from_edge_list, "FEW", few),
            patch.object(texts, "FEW", few),
            patch.object(literal, "FEW", few),
        ):
            try:
                graph = graph_of_columns(columns, reading)
            except InputError as error:
                graphs.append(str(error))
                continue
            counts = Literal().score(pred=graph, gold=graph.take(np.arange(len(graph)) % 2 == 0)).counts
            graphs.append(
                (
                    list(graph.ids),
                    list(graph.texts),
                    graph.edges.tolist(),
                    graph.input_rows.tolist(),
                    graph.left_out,
                    graph.facts,
                    counts,
                )
            )
    assert graphs[0] == graphs[1]
