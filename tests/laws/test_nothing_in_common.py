"""Where a prediction and gold share nothing, a warning of the family shows one name of each side."""

import json
import warnings

import pytest

import goldassay
from goldassay.families import families

TABLES = {
    "taxonomy": ("child,parent\n{0}cat,{0}animal\n", "csv"),
    "axioms": ("class,property,object\n{0}cat,{0}eats,{0}fish\n", "csv"),
    "triples": ("id,subject,predicate,object\nd,{0}cat,{0}eats,{0}fish\n", "csv"),
    "concepts": ('id,concepts\nd,"[""{0}cat""]"\n', "csv"),
    "alignment": ("source,target,score\n{0}cat,{0}chat,0.5\n", "csv"),
}
MEASURES = {
    "alignment": ("overlap", "mrr"),
    "triples": "triples",
    "axioms": "exact",
    "concepts": "concept_exact",
    "taxonomy": "literal",
}
FORMS = {
    **{kind: [form] for kind, form in TABLES.items()},
    "concepts": [
        TABLES["concepts"],
        (json.dumps({"id": "d", "concepts": ["NAMEcat"]}) + "\n", "jsonl"),
        (json.dumps({"id": "NAMEd", "concepts": ["cat"]}) + "\n", "jsonl"),
    ],
}
FORMS["triples"].append(("id,subject,predicate,object\n{0}d,cat,eats,fish\n", "csv"))
FORMS["alignment"].append(
    ("source\ttarget\tcandidates\n{0}cat\t{0}chat\t[('{0}chat', 0.5), ('{0}chien', 0.4)]\n", "tsv")
)
CASES = [(kind, form) for kind, forms in FORMS.items() for form in forms]


def message(kind, tmp_path, form, engine=None):
    text, suffix = form
    paths = []
    for side in ("one_", "two_"):
        paths.append(tmp_path / f"{side}.{suffix}")
        paths[-1].write_text(text.replace("{0}", side).replace("NAME", side))
    measures = MEASURES if suffix == "csv" else {"alignment": ("mrr", "hit_at_k(k=1)", "map")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        report = goldassay.evaluate(
            paths[0], gold=paths[1], kind=kind, engine=engine, encoder="hashing", measures=measures.get(kind)
        )
    return report.runs[0].warnings


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_nothing_in_common_is_reported_with_one_name_of_each_side(tmp_path, kind, form):
    lines = message(kind, tmp_path, form)
    assert any("one_" in line and "two_" in line and " against " in line for line in lines), lines


@pytest.mark.parametrize("kind", TABLES)
def test_an_engine_says_it_too(tmp_path, kind):
    lines = message(kind, tmp_path, TABLES[kind], engine="duckdb")
    assert any("one_" in line and "two_" in line and " against " in line for line in lines), lines


def test_labels_say_it():
    edges = [("cat", "pet")]
    gold, pred = (goldassay.labels.Labels.from_rows([(f"{side}i", "cat")], edges=edges) for side in ("two_", "one_"))
    found = list(families()["labels"].trust.warnings(pred, gold))
    assert "prediction and gold share no instance, for example 'one_i' against 'two_i'" in found


ITEMS = {
    "taxonomy": (("child", "parent"), "literal"),
    "labels": (("instance", "label"), "flat"),
    "triples": (("subject", "predicate", "object"), "triples"),
    "alignment": (("source", "target"), "overlap"),
    "axioms": (("class", "property", "object"), "exact"),
}
PLACES = [(kind, place) for kind, (places, _) in ITEMS.items() for place in range(len(places))]


@pytest.mark.parametrize(("kind", "place"), PLACES)
def test_names_that_differ_at_one_place_only_are_shown(kind, place):
    places, measure = ITEMS[kind]
    items = [tuple(f"{name}{row}" for name in places) for row in range(3)]
    wrong = [(*item[:place], f"other_{item[place]}", *item[place + 1 :]) for item in items]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        run = goldassay.evaluate(wrong, gold=items, kind=kind, measures=measure).runs[0]
    found = [line for line in run.warnings if f"other_{places[place]}0" in line and " against " in line]
    assert len(found) == 1, run.warnings
    assert kind == "alignment" or places[place] in found[0]


def test_edges_the_other_way_round_are_shown_once():
    edges = [("cat", "animal"), ("dog", "animal")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        turned = [edge[::-1] for edge in edges]
        run = goldassay.evaluate(turned, gold=edges, kind="taxonomy", measures="literal").runs[0]
    assert len(run.warnings) == 1


def lines_of(pred, gold, measures, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        report = goldassay.evaluate(pred, gold=gold, kind="triples", measures=measures, encoder="hashing", **more)
    return " ".join(line for line in report.runs[0].warnings if "in common" in line)


def test_only_what_a_measure_compares_is_missed(tmp_path):
    table = tmp_path / "synonyms.tsv"
    table.write_text("located in\tlies in\n")
    gold = [("d", "Oslo", "located in", "Norway"), ("d", "Rome", "located in", "Italy")]
    pred = [("d", "Oslo", "lies in", "Norway")]
    wrong = [("d", "Oslo", "lies in", "Italy")]
    assert "no predicate" in lines_of(pred, gold, "triples")
    assert lines_of(pred, gold, goldassay.triples.TripleF1(synonyms=str(table))) == ""
    assert lines_of(wrong, gold, goldassay.triples.TripleF1(synonyms=str(table))) == ""
    assert lines_of(pred, gold, "triples(names=partial)") == ""
    assert lines_of([("d", "Paris", "lies in", "France")], gold, "entities").count("in common") == 1
    assert lines_of([("d", "Paris", "lies in", "France")], gold, "relations").count("in common") == 1
    assert lines_of(pred, gold, ["triples", "triples(names=partial)"]).count("in common") == 1


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_a_file_of_which_nothing_can_be_read_is_not_only_called_empty(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"custom_id": "1", "response": {"choices": []}}\n')
    report = goldassay.evaluate(path, gold=[("d", "a", "r", "b")], kind="triples", measures="triples")
    assert any("1 of 1 lines were not read: line 1 (" in line for line in report.runs[0].warnings)
