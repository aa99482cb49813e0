"""A prediction without items scores 0, in every family, from every format, by every measure; a gold standard without is an error."""
# ruff: noqa: PD011 - these are values of scores, not of frames

import gzip
import json
import math
import warnings

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import goldassay
from goldassay.families import families

GOLDS = {
    "taxonomy": [("cat", "animal"), ("dog", "animal")],
    "axioms": [("cat", "eats", "fish"), ("dog", "eats", "meat")],
    "alignment": [("a", "b"), ("c", "d")],
    "concepts": [{"id": "1", "concepts": ["cat", "dog"]}, {"id": "2", "concepts": ["fish"]}],
    "triples": [("d1", "Oslo", "in", "Norway"), ("d2", "Rome", "in", "Italy")],
    "labels": [("i1", "cat"), ("i2", "dog")],
    "sentences": ["The cat sleeps.", "The dog barks."],
    "unl": "gold.unl",
}
HEADERS = {
    "taxonomy": ["child", "parent"],
    "axioms": ["class", "property", "object"],
    "alignment": ["source", "target"],
    "concepts": ["id", "concepts"],
    "triples": ["id", "subject", "predicate", "object"],
    "labels": ["instance", "label"],
    "sentences": ["id", "text"],
}
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
FILES = {
    "nothing.csv": b"",
    "blank.txt": b" \n\n",
    "marked.jsonl": b"\xef\xbb\xbf",
    "packed.csv.gz": gzip.compress(b""),
    "list.json": b"[]",
    "object.json": b" { }\n",
}
OF_KINDS = {
    "a.ttl": ("@prefix : <http://x/> .\n", ("taxonomy", "axioms", "alignment")),
    "a.rdf": (f"<rdf:RDF {RDF}></rdf:RDF>", ("taxonomy", "axioms", "alignment")),
    "a.ofn": ("Ontology(<http://x>)", ("taxonomy", "axioms")),
    "a.owx": ('<Ontology xmlns="http://www.w3.org/2002/07/owl#"></Ontology>', ("taxonomy", "axioms")),
    "a.obo": ("format-version: 1.2\n", ("taxonomy", "axioms")),
    "classes.obo": ("format-version: 1.2\n[Term]\nid: A:1\nname: cat\n", ("taxonomy", "axioms")),
    "graphs.json": ('{"graphs": []}', ("taxonomy", "axioms", "triples")),
    "nodes.json": ('{"nodes": [], "links": []}', ("taxonomy",)),
    "a.jsonld": ('{"@context": {}, "@graph": []}', ("taxonomy", "axioms", "alignment")),
    "mappings.json": ('{"mappings": []}', ("alignment",)),
    "sssom.tsv": ("# curie_map:\nsubject_id\tpredicate_id\tobject_id\n", ("alignment",)),
    "oaei.rdf": (
        f'<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment#" {RDF}><Alignment/></rdf:RDF>',
        ("alignment",),
    ),
    "webnlg.xml": ("<benchmark><entries></entries></benchmark>", ("triples",)),
    "a.gaf": ("!gaf-version: 2.2\n", ("labels",)),
    "cafa.txt": ("AUTHOR X\nMODEL 1\nEND\n", ("labels",)),
    "a.unl": ("[D:x]\n;nothing\n[/D]\n", ("unl",)),
}
CASES = [
    *((kind, name) for kind in GOLDS for name in ("list", "frame", "named", *FILES)),
    *((kind, form) for kind in HEADERS for form in ("pandas", "polars", "arrow", "csv", "tsv", "parquet")),
    *((kind, name) for name, (_, kinds) in OF_KINDS.items() for kind in kinds),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a gold document, a hierarchy and empty files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.unl").write_text("[S:1]\n{unl}\nagt(kill, Peter)\n{/unl}\n[/S]\n")
    (tmp_path / "tree.csv").write_text("child,parent\ncat,animal\ndog,animal\n")
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    for name, (text, _) in OF_KINDS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def frame_of(kind):
    columns = HEADERS.get(kind, [])
    return pl.DataFrame(schema=dict.fromkeys(columns, pl.String))


def empty_input(kind, form, folder):
    frame = frame_of(kind)
    if form in {"csv", "tsv"}:
        frame.write_csv(folder / f"header.{form}", separator="," if form == "csv" else "\t")
    if form == "parquet":
        frame.write_parquet(folder / "header.parquet")
    made = {
        "list": list,
        "frame": pd.DataFrame,
        "named": lambda: {"a model": []},
        "polars": lambda: frame,
        "arrow": lambda: pa.table(frame.to_arrow()),
        "pandas": lambda: pd.DataFrame({column: [] for column in frame.columns}),
    }
    return made[form]() if form in made else f"header.{form}" if form in {"csv", "tsv", "parquet"} else form


def evaluated(pred, gold, kind, **more):
    options = {"hierarchy": "tree.csv"} if kind == "labels" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        return goldassay.evaluate(pred, gold=gold, kind=kind, encoder="hashing", **options, **more)


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_an_empty_prediction_scores_nothing(kind, form, folder):
    report = evaluated(empty_input(kind, form, folder), GOLDS[kind], kind)
    assert len(report.runs[0].pred) == 0
    assert f"the prediction is empty: it contains no {families()[kind].item}" in report.runs[0].warnings
    for score in report.runs[0].scores:
        assert all(value == 0 or math.isnan(value) for value in score.values.values()), score.spec
        assert score.values.get("recall", 0.0) == 0.0


@pytest.mark.parametrize(("kind", "form"), [case for case in CASES if case[1] != "named"])
def test_an_empty_gold_standard_is_an_error(kind, form, folder):
    with pytest.raises(goldassay.GoldassayError):
        evaluated(GOLDS[kind], empty_input(kind, form, folder), kind)


def test_every_measure_scores_an_empty_prediction_as_an_empty_model(each, laboratories):
    for measure in each:
        an_empty_prediction_is_scored_as_an_empty_model(measure, laboratories)


def an_empty_prediction_is_scored_as_an_empty_model(measure, laboratories):
    laboratory = laboratories[measure.family]
    gold, empty = laboratory.build(laboratory.some), laboratory.build([])
    asked = {"gold": gold, "kind": measure.family, "measures": measure, "encoder": "hashing"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        try:
            expected = goldassay.evaluate(empty, **asked)
        except goldassay.GoldassayError as error:
            with pytest.raises(type(error)):
                goldassay.evaluate([], **asked)
            return
        found = goldassay.evaluate([], **asked)
    assert repr(found.runs[0].scores[0].values) == repr(expected.runs[0].scores[0].values), measure


@pytest.mark.parametrize("kind", ["taxonomy", "alignment", "axioms", "triples", "concepts"])
@pytest.mark.parametrize("form", ["list", "polars", "csv", "tsv", "parquet", "nothing.csv"])
def test_engines_agree(kind, form, folder):
    gold = GOLDS[kind]
    if kind == "concepts":
        gold = pl.DataFrame(gold)
    measures = {"taxonomy": "literal", "triples": "triples(names=strict)", "concepts": "concept_exact"}.get(kind)
    measures = measures or ("overlap" if kind == "alignment" else "exact")
    pred = empty_input(kind, form, folder)
    here = evaluated(pred, gold, kind, measures=measures).runs[0]
    there = evaluated(pred, gold, kind, measures=measures, engine="duckdb").runs[0]
    assert repr(there.scores[0].values) == repr(here.scores[0].values)
    assert dict(there.scores[0].counts) == dict(here.scores[0].counts)
    assert str(there.scores[0].signature) == str(here.scores[0].signature)
    assert there.warnings[0] == here.warnings[0]


@pytest.mark.parametrize("kind", GOLDS)
def test_sweeps_and_scores_of_measures_take_an_empty_prediction(kind, folder):
    options = {"hierarchy": "tree.csv"} if kind == "labels" else {}
    chosen = families()[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        plain = next(one() for one in chosen.measures.classes if not one().needs_encoder)
        assert set(map(repr, plain.score(pred=[], gold=GOLDS[kind], **options).values.values())) <= {"0.0", "nan", "0"}
        for measure in (one() for one in chosen.measures.classes if one().swept and one().needs_encoder is False):
            [found] = goldassay.sweep([], gold=GOLDS[kind], kind=kind, measures=measure, **options)
            assert found.prediction == "list"


def test_one_empty_prediction_does_not_stop_the_others(folder):
    report = evaluated({"full": GOLDS["taxonomy"], "empty": []}, GOLDS["taxonomy"], "taxonomy", measures="literal")
    assert {run.label: run.scores[0].values["recall"] for run in report} == {"full": 1.0, "empty": 0.0}
    positional = evaluated([GOLDS["taxonomy"], []], GOLDS["taxonomy"], "taxonomy", measures="literal")
    assert [run.scores[0].values["recall"] for run in positional] == [1.0, 0.0]


def test_a_system_without_runs_is_no_empty_prediction(folder):
    with pytest.raises(goldassay.UsageError, match="has no run"):
        evaluated({"a": [GOLDS["taxonomy"], GOLDS["taxonomy"]], "b": []}, GOLDS["taxonomy"], "taxonomy")


def test_another_file_that_is_empty_is_still_an_error(folder):
    (folder / "labels.csv").write_text("instance,label\ni1,cat\n")
    gold = goldassay.read(GOLDS["labels"], kind="labels", hierarchy="tree.csv")
    with pytest.raises(goldassay.EmptyInputError, match=r"nothing\.csv"):
        goldassay.evaluate("labels.csv", gold=gold, kind="labels", pred_options={"hierarchy": "nothing.csv"})


def test_what_was_left_out_is_not_nothing(folder):
    (folder / "bad.jsonl").write_text("{broken\n")
    for kind in ("concepts", "labels", "sentences"):
        options = {"on_error": "skip"}
        with pytest.raises(goldassay.InputError) as caught:
            evaluated("bad.jsonl", GOLDS[kind], kind, pred_options=options)
        assert not isinstance(caught.value, goldassay.EmptyInputError)
    (folder / "other.csv").write_text("subject,predicate,object\ncat,eats,fish\n")
    with pytest.raises(goldassay.InputError, match="no edge of the kind"):
        evaluated("other.csv", GOLDS["taxonomy"], "taxonomy")


def test_nodes_without_edges_are_still_nodes(folder):
    gold = "gold.obo"
    (folder / gold).write_text(
        "format-version: 1.2\n[Term]\nid: A:1\nname: cat\nis_a: A:2\n[Term]\nid: A:2\nname: animal\n"
    )
    assert evaluated("classes.obo", gold, "taxonomy", measures="nodes")["nodes"].values["recall"] == 0.5


def test_an_empty_case_of_several_is_an_empty_case(folder):
    for name in ("pred", "gold"):
        (folder / name).mkdir()
        for case in ("one", "two"):
            (folder / name / f"{case}.csv").write_text("source,target\na,b\n")
    (folder / "pred" / "two.csv").write_text("")
    report = evaluated("pred", "gold", "alignment", measures="overlap")
    assert report["overlap"].values["recall"] == 0.5
    assert any("is empty" in note for note in report.runs[0].pred.notes)
    with pytest.raises(goldassay.EmptyInputError):
        evaluated("gold", "pred", "alignment", measures="overlap")


def test_the_command_warns_and_ends_well(folder, goldassay_command):
    (folder / "gold.csv").write_text("child,parent\ncat,animal\n")
    result = goldassay_command("taxonomy", "nothing.csv", "--gold", "gold.csv", "-m", "literal", "--format", "json")
    assert result.code == 0
    assert json.loads(result.out)["runs"][0]["scores"][0]["values"]["recall"] == 0.0
    quiet = goldassay_command("taxonomy", "nothing.csv", "--gold", "gold.csv", "-m", "literal", "--quiet")
    assert "the prediction is empty" in quiet.out
    gate = goldassay_command(
        "taxonomy", "nothing.csv", "--gold", "gold.csv", "-m", "literal", "--fail-under", "literal.f1=0.1"
    )
    assert gate.code == 1
