"""Anchored edges on the breast-neoplasm taxonomy: values by dense numpy, and what noise must do to them."""

import json

import numpy as np
import pytest

import goldassay
from goldassay.core.context import Context
from goldassay.families import family
from goldassay.graphs import Anchored, Fuzzy, Graph, Literal, read_graph
from goldassay.graphs.nulls import NOISES, NULLS
from goldassay.selfcheck.installation import DROPPED, STEPS

GOLD = "breast_neoplasm_taxonomy.owl"
VARIANTS = {"anchored": {}, "closure": {"of": "closure"}, "mutual": {"mutual": True}, "one": {"assignment": "one"}}
CASES = [
    GOLD,
    *(f"taxonomy{number}.rdf" for number in (1, 2, 3)),
    *(
        f"noise {name}"
        for name in ("reversed", "loop", "random", "shuffled", "parents 0.1", "parents 0.3", "parents 0.5")
    ),
]


@pytest.fixture(scope="module")
def expected(reference_data):
    path = reference_data / "judged" / "expected" / "anchored_breast.json"
    return json.loads(path.read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def context(cached_minilm):
    return Context(encoder=cached_minilm)


@pytest.fixture(scope="module")
def gold(reference_data):
    return read_graph(reference_data / "graphs" / GOLD)


def f1(pred, gold, context, measure=None):
    return (measure or Anchored()).evaluate(pred=pred, gold=gold, context=context).f1


def test_no_case_is_left_out(expected):
    assert set(expected) == set(CASES)


@pytest.mark.parametrize("case", CASES)
def test_values_of_dense_numpy(reference_data, expected, context, gold, case):
    row = expected[case]
    pred = Graph.from_edges(row["edges"]) if row["edges"] else read_graph(reference_data / "graphs" / case)
    for name, options in VARIANTS.items():
        for threshold in (0.436, 0.7):
            score = Anchored(threshold=threshold, **options).evaluate(pred=pred, gold=gold, context=context)
            assert {**score.counts, **score.values} == pytest.approx(row[f"{name}@{threshold}"], abs=1e-12)


def test_what_is_related_is_not_the_same(context, gold):
    rng = np.random.default_rng(0)
    assert f1(gold, gold, context) == 1.0
    assert f1(NULLS["reversed"].draw(gold, gold, rng), gold, context) < 0.1
    loop = Graph.from_edges([(gold.item(0).split(" -> ")[1],) * 2])
    assert f1(loop, gold, context) < 0.01 < f1(loop, gold, context, Fuzzy())
    for _ in range(5):
        drawn = NULLS["random-edges"].draw(gold, gold, rng)
        assert f1(drawn, gold, context) <= f1(drawn, gold, context, Literal()) + 0.02


@pytest.mark.parametrize("name", [GOLD, *(pytest.param(f"taxonomy{n}.rdf", marks=pytest.mark.release) for n in (1, 2))])
@pytest.mark.parametrize("noise", NOISES)
def test_every_noise_falls_step_by_step(reference_data, context, name, noise):
    gold = read_graph(reference_data / "graphs" / name)
    steps = DROPPED if noise == "drop" else STEPS
    values = [f1(NOISES[noise](gold, share, np.random.default_rng(0)), gold, context) for share in steps]
    assert len(values) == 5
    assert all(np.diff([1.0, *values]) < 0)


def test_a_learned_taxonomy_lies_between_literal_and_fuzzy(reference_data, cached_minilm):
    pred, gold = (reference_data / "graphs" / name for name in ("taxonomy3.rdf", GOLD))
    report = goldassay.evaluate(
        pred, gold=gold, kind="taxonomy", measures=["literal", "anchored", "fuzzy"], encoder=cached_minilm
    )
    assert report["literal"].f1 == 0 < report["anchored"].f1 < report["fuzzy"].f1
    assert report["anchored"].f1 == pytest.approx(0.1104, abs=5e-5)


def test_a_cyclic_gold_is_warned_of(reference_data, context):
    gold = read_graph(reference_data / "graphs" / "taxonomy3.rdf")
    turned = NULLS["reversed"].draw(gold, gold, np.random.default_rng(0))
    score = Anchored(of="closure").evaluate(pred=turned, gold=gold, context=context)
    assert score.f1 == pytest.approx(0.53, abs=0.005)
    assert "of gold lie on cycles, where every edge follows in both directions" in score.warning
    assert family("taxonomy").measures.parse("anchored") == Anchored()
