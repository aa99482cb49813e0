"""Names that mean the same: read from what people have, for predicates, entities and the terms of taxonomies."""

import json

import pytest
from typer.testing import CliRunner

import goldassay
from goldassay.cli import app
from goldassay.core.errors import InputError
from goldassay.formats.synonyms import Synonyms, count_idle, merge_codes, read_synonyms

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning", "ignore::goldassay.UndefinedWarning")
GOLD = [("New York City", "in", "US"), ("Oslo", "capital of", "Norway"), ("Ada", "born in", "London")]
PRED = [("Big Apple", "located in", "US"), ("Oslo", "is the capital of", "Norway"), ("Ada", "born in", "Rome")]
TABLE = "name,synonym\nNew York City,Big Apple\nin,located in\ncapital of,is the capital of\n"
KGGEN = {
    "relations": [],
    "entity_clusters": {"New York City": ["New York City", "Big Apple", "NYC"]},
    "edge_clusters": {"in": ["in", "located in"], "capital of": ["is the capital of"]},
}
ONTOLOGY = """@prefix s: <http://www.w3.org/2004/02/skos/core#> .
<http://x/1> s:altLabel "Big Apple" ; s:prefLabel "New York City" .
<http://x/2> s:prefLabel "in" ; s:altLabel "located in" .
<http://x/3> s:prefLabel "capital of" ; s:altLabel "is the capital of" .
"""
OBO = """format-version: 1.2

[Term]
id: X:1
name: New York City
synonym: "Big Apple" EXACT []

[Term]
id: X:2
name: in
synonym: "located in" EXACT []

[Term]
id: X:3
name: capital of
synonym: "is the capital of" EXACT []
"""
ALIASES = {
    "entities": [{"name": "New York City", "aliases": ["Big Apple"]}],
    "relations": [{"label": "in", "aliases": "located in"}, {"label": "capital of", "synonyms": ["is the capital of"]}],
}
FILES = {"a.csv": TABLE, "k.json": json.dumps(KGGEN), "o.ttl": ONTOLOGY, "o.obo": OBO}


def triples(found, name="a"):
    return goldassay.triples.TripleSet.from_lists({name: found})


@pytest.mark.parametrize("name", FILES)
def test_synonyms_of_entities_and_predicates_are_one_name(tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name])
    score = goldassay.triples.TripleF1(synonyms=str(path)).score(pred=triples(PRED), gold=triples(GOLD))
    assert (score.precision, score.recall) == (2 / 3, 2 / 3)
    assert score.matching.table()["synonym"][:3] == [
        "Big Apple = New York City; located in = in",
        "is the capital of = capital of",
        None,
    ]
    assert "synonyms:" in str(score.signature)


def test_aliases_of_entities_are_only_for_entities(tmp_path):
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(ALIASES))
    assert {pair.of for pair in read_synonyms(str(path))} == {"entity"}
    score = goldassay.triples.TripleF1(synonyms=str(path)).score(pred=triples(PRED), gold=triples(GOLD))
    assert score.precision == 0.0


def test_mentions_of_docred_are_one_entity(tmp_path):
    path = tmp_path / "dev.json"
    mentions = [[{"name": "New York City", "type": "LOC"}, {"name": "NYC"}, {"name": "NYC"}]]
    path.write_text(json.dumps([{"title": "a", "vertexSet": mentions, "labels": []}]))
    assert read_synonyms(str(path)) == [Synonyms("New York City", "NYC", "entity")]


def test_what_is_no_mention_is_passed_by(tmp_path):
    file = tmp_path / "graph.json"
    file.write_text(json.dumps({"vertexSet": ["x", [{"name": "USA"}, 3, {"name": "America"}]]}))
    assert read_synonyms(str(file)) == [Synonyms("USA", "America", "entity")]


@pytest.mark.parametrize(("header", "hits"), [("predicate", 1), ("entity", 0), ("name", 2)])
def test_a_header_says_what_its_names_are_of(tmp_path, header, hits):
    path = tmp_path / "a.csv"
    path.write_text(TABLE.replace("name", header, 1))
    score = goldassay.triples.TripleF1(synonyms=str(path)).score(pred=triples(PRED), gold=triples(GOLD))
    assert score.counts["hit_pred"] == hits


def test_rows_that_apply_to_nothing_are_a_warning(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(TABLE + "Rom,Rome\nPeking,Beijing\n")
    score = goldassay.triples.TripleF1(synonyms=str(path)).score(pred=triples(PRED), gold=triples(GOLD))
    assert f"2 of 5 rows of {path} apply to no names of both sides" in score.warning
    score = goldassay.graphs.Literal(synonyms=str(path)).score(
        pred=goldassay.graphs.Graph.from_edges([("Rom", "Italy")]),
        gold=goldassay.graphs.Graph.from_edges([("Rome", "Italy")]),
    )
    assert "4 of 5 rows" in score.warning


@pytest.mark.parametrize("distinct", [False, True])
def test_synonyms_of_terms_are_one_term(tmp_path, distinct):
    path = tmp_path / "a.csv"
    path.write_text("heart attack,myocardial infarction\ntumour,neoplasm\ncat,dog\n")
    pred = goldassay.graphs.Graph.from_edges([("heart attack", "disease"), ("flu", "disease"), ("tumour", "thing")])
    gold = goldassay.graphs.Graph.from_edges([("myocardial infarction", "disease"), ("neoplasm", "disease")])
    score = goldassay.graphs.Literal(synonyms=str(path), distinct=distinct).score(pred=pred, gold=gold)
    assert (score.precision, score.recall) == (1 / 3, 1 / 2)
    table = score.matching.table()
    assert table["verdict"] == ["hit", "invented", "invented", "hit", "missed"]
    assert table["child_present"] == [True, False, True, True, True]
    assert score.matching.pred_items.item(0) == "heart attack -> disease"
    assert "synonyms:" in str(score.signature)


def test_the_command_takes_synonyms_of_terms(tmp_path):
    for name, text in {"p.csv": "child,parent\na,b\n", "g.csv": "child,parent\nA1,b\n", "s.csv": "a,A1\n"}.items():
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("p.csv", "g.csv", "s.csv")]
    arguments = ["taxonomy", files[0], "--gold", files[1], "-m", "literal", "--synonyms", files[2], "--format", "csv"]
    assert ",1.0," in CliRunner().invoke(app, arguments).output


def test_engines_refuse_synonyms_of_terms(tmp_path):
    (tmp_path / "p.csv").write_text("child,parent\na,b\n")
    (tmp_path / "s.csv").write_text("a,b\n")
    path = str(tmp_path / "p.csv")
    measure = f"literal(synonyms={str(tmp_path / 's.csv')!r})"
    with pytest.raises(goldassay.UsageError) as caught:
        goldassay.evaluate(path, gold=path, kind="taxonomy", measures=measure, engine="duckdb")
    assert "engine" in str(caught.value)


@pytest.mark.parametrize("text", ['{"nodes": []}', '[{"id": 1}]'])
def test_a_file_without_synonyms_is_refused(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match="no synonyms"):
        read_synonyms(str(path))


def test_example_of_merge_codes():
    codes, texts = merge_codes(["located in", "at"], [Synonyms("in", "located in")], normalise=str)
    assert codes.tolist() == [2, 1]
    assert texts == ["located in", "at", "in"]


def test_example_of_count_idle():
    some = [Synonyms("in", "located in"), Synonyms("at", "in"), Synonyms("x", "y")]
    assert count_idle(some, {"located in", "at"}, normalise=str) == 1
    assert count_idle(some, {"at"}, normalise=str) == 3
