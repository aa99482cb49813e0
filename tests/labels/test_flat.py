"""Labels without a hierarchy: the numbers of scikit-learn, and what is not possible without a hierarchy."""

from __future__ import annotations

import random

import pytest

import goldassay
from goldassay.core.errors import UndefinedWarning, UsageError
from goldassay.labels import ExactMatch, Flat, Hierarchical, Labels
from goldassay.labels.hierarchy import Hierarchy

CLASSES = ["cat", "dog", "bird", "fish", "a bee"]
IDS = [f"d{n}" for n in range(40)]


def drawn(seed, *, several):
    draw = random.Random(seed)  # noqa: S311
    return {one: draw.sample(CLASSES, draw.randint(0, 3) if several else 1) for one in IDS}


def labels_of(sets):
    return Labels.from_rows([(one, label) for one, some in sets.items() for label in some], ids=list(sets))


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_the_numbers_are_those_of_scikit_learn(seed, several):
    metrics = pytest.importorskip("sklearn.metrics")
    sides = drawn(seed, several=several), drawn(seed + 100, several=several)
    if several:
        gold, pred = ([[label in side[one] for label in CLASSES] for one in IDS] for side in sides)
        names = range(len(CLASSES))
    else:
        gold, pred = ([side[one][0] for one in IDS] for side in sides)
        names = CLASSES
    models = {"gold": labels_of(sides[0]), "pred": labels_of(sides[1])}
    for average in ("micro", "macro"):
        score = Flat(average=average).score(**models)
        for value in ("precision", "recall", "f1"):
            function = getattr(metrics, f"{value}_score")
            assert score.values[value] == pytest.approx(function(gold, pred, average=average, zero_division=0))
    assert ExactMatch().score(**models).accuracy == pytest.approx(metrics.accuracy_score(gold, pred))
    report = metrics.classification_report(
        gold, pred, labels=list(names), target_names=CLASSES, output_dict=True, zero_division=0
    )
    found = goldassay.breakdown(Flat().score(**models), by="label")
    for row in found.iter_rows(named=True):
        expected = report[row["group"]]
        # A value of a group that is 0/0 is null.
        assert [row[name] or 0.0 for name in ("precision", "recall", "f1")] == pytest.approx(
            [expected["precision"], expected["recall"], expected["f1-score"]]
        )
    assert set(found["group"]) == {
        label for label in CLASSES if any(label in some for side in sides for some in side.values())
    }


@pytest.fixture
def files(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_gold_standard_without_a_hierarchy_has_measures_of_its_own(files):
    gold, pred = files("gold.csv", "id,label\n1,cat\n2,dog\n"), files("pred.csv", "id,label\n1,cat\n2,a bee\n")
    report = goldassay.evaluate(pred, gold=gold, kind="labels")
    assert [score.measure.name for score in report.runs[0].scores] == ["flat", "flat", "exact_match"]
    assert (report["flat"].f1, report["exact_match"].accuracy) == (0.5, 0.5)
    assert "hierarchy:none" in str(report["flat"].signature)
    with pytest.raises(UsageError, match="No hierarchy was given") as caught:
        goldassay.evaluate(pred, gold=gold, kind="labels", measures="hierarchical")
    assert "--hierarchy FILE" in caught.value.hint
    with pytest.raises(UsageError, match="Without a hierarchy"):
        goldassay.evaluate(pred, gold=gold, kind="labels", root=("cat",))


def test_of_classes_that_exclude_each_other_the_best_counts(files):
    gold = files("gold.csv", "id,label\n1,cat\n2,dog\n")
    pred = files("pred.csv", "id,label,score\n1,cat,0.6\n1,dog,0.55\n2,cat,0.55\n2,dog,0.6\n")
    values = [
        goldassay.evaluate(pred, gold=gold, kind="labels", measures=["flat", "exact_match"], keep=keep).runs[0].scores
        for keep in ("all", "best")
    ]
    assert [(flat.values["f1"], exact.values["accuracy"]) for flat, exact in values] == [(2 / 3, 0.0), (1.0, 1.0)]
    read = goldassay.read(pred, kind="labels", keep="best")
    assert (read.left_out, [read.item(row) for row in range(len(read))]) == ({"weaker_labels": 2}, ["1: cat", "2: dog"])


def test_flat_measures_ignore_a_hierarchy():
    edges = [("cat", "pet"), ("dog", "pet")]
    gold, pred = (Labels.from_rows([("d1", label)], edges=edges) for label in ("cat", "dog"))
    assert Flat().score(pred=pred, gold=gold).f1 == 0
    assert Hierarchical(root="include").score(pred=pred, gold=gold).f1 == 0.5


def test_an_empty_prediction_without_a_hierarchy():
    gold = Labels.from_rows([("d1", "cat")])
    nothing = Labels.from_rows([], ids=["d1"])
    with pytest.warns(UndefinedWarning, match="precision 0/0"):
        assert Flat().score(pred=nothing, gold=gold).f1 == 0
    assert ExactMatch().score(pred=nothing, gold=gold).accuracy == 0
    assert Hierarchy.of_labels([]).names.tolist() == [""]


LLMS4OL = {
    "2024": (
        '[\n  {\n    "ID": "a",\n    "type": ["noun"]\n  },\n  {\n    "ID": "b",\n    "type": ["verb", "noun"]\n  }\n]',
        3,
    ),
    "2024 with numbers": ('[\n {"ID": 1, "type": ["Food"]},\n {"ID": 2, "type": ["Food"]}\n]', 2),
    "2025": (
        '[\n {"id": "TT_1", "term": "h2o", "types": ["fluid", "stuff"]},\n {"id": "TT_2", "term": "x", "types": ["y"]}\n]',
        3,
    ),
    "2025, text to ontology": ('[\n {\n  "term": "Sol",\n  "types": [\n   "star"\n  ]\n }\n]\n', 1),
    "2024, training": ('[{"ID": "a", "term": "trade name", "sentence": "", "type": ["noun"]}]', 1),
}


@pytest.mark.parametrize("year", LLMS4OL)
def test_term_typing_of_llms4ol_is_read_as_it_is_published(year, files):
    text, size = LLMS4OL[year]
    path = files("a.json", text)
    report = goldassay.evaluate(path, gold=path, kind="labels")
    assert (report["flat"].f1, report["flat"].counts["n_gold"]) == (1.0, size)
    assert not [line for line in goldassay.read(path, kind="labels").warnings if "header" in line]


def test_a_label_below_the_threshold_is_no_hit():
    gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")])
    pred = Labels.from_rows([("d1", "cat", 0.2), ("d2", "dog", 0.9), ("d3", "cat", 0.9)])
    matching = goldassay.parse("flat").score(pred=pred, gold=gold).matching
    assert matching.pred.credit.tolist() == [0, 1, 0]
    assert matching.gold.credit.tolist() == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        '[\n {\n  "parent": "undersea",\n  "child": "reef"\n },\n {"parent": "undersea", "child": "knoll"}\n]',
        '[{"id": "TR_1", "parent": "undersea", "child": "reef"}, {"id": "TR_2", "parent": "undersea", "child": "knoll"}]',
    ],
)
def test_taxonomy_discovery_of_llms4ol_is_read_as_it_is_published(text, files):
    graph = goldassay.read(files("pairs.json", text), kind="taxonomy")
    assert [graph.item(row) for row in range(len(graph))] == ["reef -> undersea", "knoll -> undersea"]


def test_relations_of_llms4ol_are_read_as_they_are_published(files):
    text = '[\n {"h": "a b", "r": "has part", "t": "b"},\n {"h": "c", "r": "regulates", "t": "d"}\n]'
    triples = goldassay.read(files("pairs.json", text), kind="triples")
    assert [triples.item(row) for row in range(len(triples))] == ["1: a b | has part | b", "1: c | regulates | d"]


def test_an_instance_without_labels_on_both_sides_is_right_only_if_gold_has_it():
    gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], ids=["d1", "d2", "d3"])
    pred = Labels.from_rows([("d1", "dog"), ("d2", "cat"), ("x1", "cat", 0.1), ("x2", "cat", 0.9)], ids=["x3"])
    found = ExactMatch().score(pred=pred, gold=gold)
    assert dict(found.counts) == {"right": 1, "instances": 4}  # d3 is right, x2 is not, x1 and x3 state nothing
