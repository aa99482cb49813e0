"""G-BERTScore with a package of the same interface that compares words, and what is reported where there is none."""

import sys
import types

import numpy as np
import pytest

import goldassay
from goldassay.triples import GBertscore, TripleSet
from goldassay.triples.measures import sentences
from goldassay.triples.words import overlap, sentence_of


class WordScorer:
    """Scores two sentences by the words they share; counts how often it is made."""

    made: list[tuple[str, int]] = []  # noqa: RUF012 - the test empties it

    def __init__(self, *, model_type, num_layers):
        self.made.append((model_type, num_layers))

    def score(self, candidates, references):
        f1 = [overlap(*(text.replace(";", " ") for text in pair)) for pair in zip(candidates, references, strict=True)]
        return (np.array(f1) / 2, np.array(f1) / 3, np.array(f1) * 1.0000001)


@pytest.fixture
def package(monkeypatch):
    module = types.ModuleType("bert_score")
    module.BERTScorer, module.__version__ = WordScorer, "0.3.13"
    monkeypatch.setitem(sys.modules, "bert_score", module)
    for cached in (sentences._scorer, sentences._digest):
        cached.cache_clear()
    WordScorer.made.clear()
    yield
    for cached in (sentences._scorer, sentences._digest):
        cached.cache_clear()


def models():
    gold = {"d": [("Oslo", "in", "Norway"), ("Rome", "in", "Italy")], "e": [("a", "r", "b")]}
    pred = {"d": [("Rome", "in", "big Italy"), ("Oslo", "lies in", "Norway"), ("x", "y", "z")], "e": []}
    return {"pred": TripleSet.from_lists(pred), "gold": TripleSet.from_lists(gold)}


def test_triples_are_paired_by_the_f1_of_the_package(package, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    measure = GBertscore(folder=str(tmp_path), layer=9)
    score = measure.score(**models())
    matched = sum(
        overlap(*(sentence_of(one).replace(";", " ") for one in pair))
        for pair in (
            (("Rome", "in", "big Italy"), ("Rome", "in", "Italy")),
            (("Oslo", "lies in", "Norway"), ("Oslo", "in", "Norway")),
        )
    )
    assert (score.precision, score.recall) == (
        pytest.approx(matched / 3, rel=1e-6),
        pytest.approx(matched / 3, rel=1e-6),
    )
    assert WordScorer.made == [(str(tmp_path), 9)]
    first = score.signature.fields["model"]
    assert score.signature.fields["bert-score"] == "0.3.13"
    (tmp_path / "config.json").write_text("{ }")
    sentences._digest.cache_clear()
    assert measure.score(**models()).signature.fields["model"] != first


def test_equal_triples_are_completely_alike(package, tmp_path):
    gold = models()["gold"]
    assert GBertscore(folder=str(tmp_path)).score(pred=gold, gold=gold).f1 == 1.0


def test_without_a_model_or_the_package_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "bert_score", None)
    with pytest.raises(goldassay.UsageError, match="none is named"):
        GBertscore().score(**models())
    with pytest.raises(goldassay.UsageError, match="nothing is downloaded"):
        GBertscore(folder="roberta-large").score(**models())
    with pytest.raises(goldassay.MissingDependencyError, match="bert_score") as caught:
        GBertscore(folder=str(tmp_path)).score(**models())
    assert caught.value.hint == "pip install 'goldassay[bertscore]'"
