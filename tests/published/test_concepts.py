"""Concept F1 as a direct script over sentence-transformers computes it, with the genuine weights."""

import json

import pytest

from goldassay.concepts import Concept, Concepts


@pytest.fixture(scope="module")
def expected(reference_data):
    return json.loads((reference_data / "expected" / "concepts.json").read_text(encoding="utf-8"))["runs"]


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize("run", [0, 1])
def test_every_document(expected, cached_minilm, run):
    messages = expected[run]
    for row in messages["rows"]:
        pred, gold = (Concepts.from_lists([(row["id"], row[side])]) for side in ("system", "gold"))
        score = Concept(epsilon=messages["epsilon"]).score(pred=pred, gold=gold, encoder=cached_minilm)
        assert dict(score.counts) | {
            "hit_pred": row["hits"],
            "hit_gold": row["hits_gold"],
            "n_pred": row["n_system"],
            "n_gold": row["n_gold"],
        } == dict(score.counts)
        assert [score.precision, score.recall, score.f1] == [row["precision"], row["recall"], row["f1"]]
        symmetric = Concept(epsilon=messages["epsilon"], recall="symmetric")
        value = symmetric.score(pred=pred, gold=gold, encoder=cached_minilm).recall
        assert value == row["hits_gold"] / row["n_gold"]


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize("run", [0, 1])
def test_all_documents_together(expected, cached_minilm, run):
    rows = expected[run]["rows"]
    pred, gold = (Concepts.from_lists({row["id"]: row[side] for row in rows}) for side in ("system", "gold"))
    epsilon = expected[run]["epsilon"]
    score = Concept(epsilon=epsilon).score(pred=pred, gold=gold, encoder=cached_minilm)
    micro = Concept(epsilon=epsilon, average="micro").score(pred=pred, gold=gold, encoder=cached_minilm)
    for name in ("precision", "recall", "f1"):
        assert score.values[name] == pytest.approx(sum(row[name] for row in rows) / len(rows), abs=1e-12)
    hits = sum(row["hits"] for row in rows)
    assert micro.precision == pytest.approx(hits / sum(row["n_system"] for row in rows))
    assert micro.recall == pytest.approx(hits / sum(row["n_gold"] for row in rows))
    assert "recall exceeds 1 in 1 of 6 documents" in score.warning


def test_the_nearest_to_the_cut(expected, cached_minilm):
    for row in expected[0]["rows"][:-1]:
        pred, gold = (Concepts.from_lists([(row["id"], row[side])]) for side in ("system", "gold"))
        matching = Concept(epsilon=0.5).score(pred=pred, gold=gold, encoder=cached_minilm).matching.best()
        nearest = abs(matching.pred.similarity - 0.5).min()
        assert nearest == pytest.approx(row["nearest_to_cut"], abs=1e-5)
