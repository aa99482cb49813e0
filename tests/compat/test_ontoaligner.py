"""The functions of OntoAligner: next to plain versions of them, and the package itself where it is installed."""

import importlib.util
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.draws import times

import goldassay
from goldassay.alignments import Alignment, HitAtK, Mrr, Overlap
from goldassay.compat.ontoaligner import (
    calculate_intersection,
    evaluation_report,
    f1_measurement,
    hit_at_k,
    mrr,
    precision_score,
    recall_score,
)

ENTITY = st.sampled_from(["A", "B", "C", 1, ("t", 2)])
WHOLE = st.fixed_dictionaries(
    {"source": ENTITY, "target": ENTITY}, optional={"score": st.sampled_from([0, 0.25, 0.5, "0.5", 1.0, 7.5, -2])}
)
HOLES = st.fixed_dictionaries(
    {}, optional={"source": st.none() | ENTITY, "target": st.none() | ENTITY, "score": st.sampled_from([0.1, 0.5, 0.9])}
)
LISTS = st.lists(WHOLE, max_size=12)
RAGGED = st.lists(WHOLE | HOLES, max_size=12)


def plain_pairs(records):
    return [(record["source"], record["target"]) for record in records]


def plain_report(predicts, references, beta, unique):
    here, there = plain_pairs(predicts), plain_pairs(references)
    matched = len(set(here) & set(there))
    if unique:
        here, there = set(here), set(there)
    precision = matched / len(here) if here else 0
    recall = matched / len(there) if there else 0
    below = beta * beta * precision + recall
    return {
        "intersection": matched,
        "precision": precision * 100,
        "recall": recall * 100,
        "f-score": (1 + beta * beta) * precision * recall / below * 100 if below else 0,
        "predictions-len": len(here),
        "reference-len": len(there),
    }


def plain_ranks(predicts, references):
    lists = {}
    for record in predicts:
        source, target = record.get("source"), record.get("target")
        if source is None or target is None:
            continue
        candidates = lists.setdefault(source, {})
        candidates[target] = max(float(record.get("score", 0.0)), candidates.get(target, -math.inf))
    for record in references:
        candidates = lists.get(record.get("source"), {})
        order = sorted(candidates, key=candidates.get, reverse=True)
        target = record.get("target")
        yield order.index(target) + 1 if record.get("source") is not None and target in order else math.inf


@times(10)
@given(LISTS, LISTS, st.sampled_from([1, 2, 0.5]), st.sampled_from(["ontoaligner", "ontoaligner-1.9.4"]))
def test_reports_are_the_same(predicts, references, beta, preset):
    expected = plain_report(predicts, references, beta, unique=preset == "ontoaligner-1.9.4")
    assert evaluation_report(predicts, references, beta, preset=preset) == pytest.approx(expected)
    assert precision_score(predicts, references, preset=preset) * 100 == pytest.approx(expected["precision"])
    assert recall_score(predicts, references, preset=preset) * 100 == pytest.approx(expected["recall"])
    assert f1_measurement(predicts, references, beta, preset=preset) * 100 == pytest.approx(expected["f-score"])


@times(10)
@given(RAGGED, RAGGED, st.integers(-2, 6))
def test_ranks_are_the_same(predicts, references, k):
    ranks = list(plain_ranks(predicts, references))
    count = len(ranks) or 1
    assert hit_at_k(predicts, references, k) == pytest.approx(sum(rank <= k for rank in ranks) / count)
    assert mrr(predicts, references) == pytest.approx(sum(1 / rank for rank in ranks) / count)


@pytest.mark.skipif(importlib.util.find_spec("ontoaligner") is None, reason="OntoAligner is not installed")
@times(10)
@given(LISTS, LISTS, st.integers(-2, 6))
def test_the_package_itself(predicts, references, k):
    from ontoaligner.utils import metrics

    assert hit_at_k(predicts, references, k) == pytest.approx(metrics.hit_at_k(predicts, references, k))
    assert mrr(predicts, references) == pytest.approx(metrics.mrr(predicts, references))
    theirs = metrics.evaluation_report(predicts, references)
    same = [evaluation_report(predicts, references, preset=name) for name in ("ontoaligner", "ontoaligner-1.9.4")]
    assert any(report == pytest.approx(theirs) for report in same)


# What the packages 1.4.1, 1.4.2 and 1.6.0 give, then 1.7.0 and 1.9.3, then 1.9.4: duplicates on both sides.
PREDICTED = [("A", "1"), ("A", "1"), ("A", "2"), ("B", "3")]
REFERENCES = [("A", "1"), ("B", "4"), ("B", "4")]
REPORTED = {
    "ontoaligner-1.6": (2, 50.0, 200 / 3, 4, 3),
    "ontoaligner": (1, 25.0, 100 / 3, 4, 3),
    "ontoaligner-1.9.4": (1, 100 / 3, 50.0, 3, 2),
}


@pytest.mark.parametrize("preset", REPORTED)
def test_what_each_version_reports(preset):
    predicts, references = (
        [{"source": source, "target": target} for source, target in rows] for rows in (PREDICTED, REFERENCES)
    )
    found = evaluation_report(predicts, references, preset=preset)
    assert calculate_intersection(predicts, references, preset=preset) == REPORTED[preset][0]
    names = ("intersection", "precision", "recall", "predictions-len", "reference-len")
    assert [found[name] for name in names] == pytest.approx(REPORTED[preset])


TEXTS = st.lists(
    st.fixed_dictionaries(
        {"source": st.sampled_from("AB"), "target": st.sampled_from("123"), "score": st.sampled_from([0.0, 0.5, 1.0])}
    ),
    max_size=8,
)


def built(records):
    return Alignment.from_rows([(r["source"], r["target"], "=", r["score"]) for r in records])


@given(TEXTS.filter(bool), TEXTS.filter(bool), st.integers(1, 4))
def test_columns_and_dictionaries_agree_under_every_preset(predicts, references, k):
    pred, gold = built(predicts), built(references)
    for preset, overlap, ranked in (
        ("ontoaligner", {"duplicates": "count"}, {"ties": "order", "duplicates": "count"}),
        ("ontoaligner-1.9.4", {}, {"ties": "order", "duplicates": "count"}),
        ("definition", {}, {}),
    ):
        found = Overlap(**overlap).score(pred=pred, gold=gold)
        assert found.precision == pytest.approx(precision_score(predicts, references, preset=preset))
        assert found.recall == pytest.approx(recall_score(predicts, references, preset=preset))
        assert HitAtK(k=k, **ranked).score(pred=pred, gold=gold).hit == pytest.approx(
            hit_at_k(predicts, references, k, preset=preset)
        )
        assert Mrr(**ranked).score(pred=pred, gold=gold).mrr == pytest.approx(mrr(predicts, references, preset=preset))


def test_the_page_of_ontoaligner_by_hand():
    predicts = [
        {"source": "A", "target": "1", "score": 0.9},
        {"source": "A", "target": "2", "score": 0.5},
        {"source": "B", "target": "3", "score": 0.8},
    ]
    references = [{"source": "A", "target": "1"}, {"source": "B", "target": "3"}]
    assert evaluation_report(predicts, references) == {
        "intersection": 2,
        "precision": pytest.approx(200 / 3),
        "recall": 100,
        "f-score": pytest.approx(80),
        "predictions-len": 3,
        "reference-len": 2,
    }
    assert (hit_at_k(predicts, references, 1), hit_at_k(predicts, references, 2), mrr(predicts, references)) == (
        1,
        1,
        1,
    )


@pytest.mark.parametrize("function", [precision_score, recall_score, evaluation_report])
@pytest.mark.parametrize("record", [{"source": "A"}, {}, None, {"source": [], "target": "1"}, "text"])
def test_a_malformed_record_is_shown(function, record):
    with pytest.raises(goldassay.RecordError, match="needs a source and a target that can be compared"):
        function([record], [{"source": "A", "target": "1"}])


@pytest.mark.parametrize("score", [math.nan, math.inf, "much", None, []])
def test_a_score_that_is_no_number_is_shown(score):
    with pytest.raises(goldassay.RecordError, match="The score is not a number"):
        mrr([{"source": "A", "target": "1", "score": score}], [{"source": "A", "target": "1"}])


@pytest.mark.parametrize("function", [mrr, hit_at_k])
def test_records_that_are_none(function):
    with pytest.raises(goldassay.RecordError):
        function([None], [{"source": "A", "target": "1"}])
    assert function([], []) == 0


def test_an_unknown_preset_is_refused():
    with pytest.raises(goldassay.UsageError, match="Unknown preset"):
        mrr([], [], preset="deeponto")


def test_without_a_weight_precision_and_recall_count_alike():
    right, wrong = {"source": "A", "target": "1"}, {"source": "A", "target": "2"}
    assert f1_measurement([right, wrong], [right]) == pytest.approx(2 / 3)
    assert f1_measurement([right, wrong], [right], 2) == pytest.approx(5 / 6)


def test_without_a_number_hits_are_the_first_of_a_list():
    predicts = [{"source": "A", "target": name, "score": score} for name, score in (("2", 0.9), ("1", 0.5))]
    found = [hit_at_k(predicts, [{"source": "A", "target": name}]) for name in "21"]
    assert found == [1, 0]
