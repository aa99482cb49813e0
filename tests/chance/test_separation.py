"""The quick look at whether a measure separates good from bad on a gold standard."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from tests.laws.conftest import LABORATORIES
from tests.laws.test_chance import RICH

import goldassay
from goldassay.chance import separation
from goldassay.chance.separation import explain_not_separated
from goldassay.core.context import Context
from goldassay.families import families, family
from goldassay.graphs import Anchored, Fuzzy, Graph, Literal
from goldassay.graphs.nulls import NOISES, NULLS
from goldassay.graphs.read import read_graph

EDGES = [(f"cell type {i}", f"cell type {i // 2}") for i in range(1, 40)]
GOLD = Graph.from_edges(EDGES)
LENIENT = Fuzzy(threshold=-1.0)


def context():
    return Context(encoder=goldassay.get_encoder("hashing"))


def test_what_gold_scores_after_each_change():
    line = explain_not_separated(family("taxonomy"), LENIENT, GOLD, context=context())
    first, rest = line.split(": f1 ")
    assert first == "fuzzy(threshold=-1.0): does not separate good from bad on this gold"
    assert rest == (
        "1.00 after reversed, 1.00 after shuffle-texts, 1.00 after drop of 20%, 1.00 after add of 20%, "
        "1.00 after rewire of 20%"
    )


def test_values_are_those_of_the_changed_gold():
    measure = Fuzzy(threshold=0.8)
    line = explain_not_separated(family("taxonomy"), measure, GOLD, context=context())
    found = {change: float(value) for value, change in re.findall(r"([\d.]+) after ([\w-]+)", line)}
    for name, change in found.items():
        rng = np.random.default_rng(0)
        worse = (
            NULLS[name].draw(GOLD, GOLD, rng) if name in ("reversed", "shuffle-texts") else NOISES[name](GOLD, 0.2, rng)
        )
        assert measure.evaluate(pred=worse, gold=GOLD, context=context()).f1 == pytest.approx(change, abs=0.005)


@pytest.mark.parametrize("measure", [Literal(), Anchored(threshold=0.999)])
def test_a_measure_that_falls_gets_no_line(measure):
    assert explain_not_separated(family("taxonomy"), measure, GOLD, context=context()) is None


def test_a_small_gold_standard_is_not_questioned():
    for size in (separation.FEWEST - 1, separation.FEWEST):
        small = GOLD.take(np.arange(size))
        line = explain_not_separated(family("taxonomy"), LENIENT, small, context=context())
        assert (line is None) == (size < separation.FEWEST)


def test_of_a_large_gold_standard_a_sample_is_looked_at(monkeypatch):
    monkeypatch.setattr(separation, "MOST", 30)
    line = explain_not_separated(family("taxonomy"), LENIENT, GOLD, context=context())
    assert "on this gold (a sample of 30 edges): f1 1.00" in line


@pytest.mark.parametrize("more", [0, 1])
def test_a_sample_has_three_hundred_items(more):
    gold = Graph.from_edges([(f"n{one}", f"n{one // 2}") for one in range(1, 301 + more)])
    line = explain_not_separated(family("taxonomy"), LENIENT, gold, context=context())
    assert ("(a sample of 300 edges)" in line) == bool(more)


@pytest.mark.parametrize("kind", families())
def test_a_sample_can_be_taken_of_every_family(kind, monkeypatch):
    monkeypatch.setattr(separation, "FEWEST", 2)
    monkeypatch.setattr(separation, "MOST", 4)
    gold = LABORATORIES[kind].build(RICH[kind](np.random.default_rng(0)))
    assert len(gold) > separation.MOST
    samples, asked = [], context()
    for measure in families()[kind].measures.default:
        monkeypatch.setattr(
            type(measure),
            "evaluate",
            lambda self, *, gold, **_: samples.append(gold) or SimpleNamespace(values={self.headline: 0.0}),
        )
        explain_not_separated(families()[kind], measure, gold, context=asked)
    assert {len(one) for one in samples} == {separation.MOST}
    # What belongs to no item of the sample would cost as much as all of gold.
    if kind in ("taxonomy", "triples", "concepts"):
        assert all(len(one.ids) <= 2 * separation.MOST for one in samples)
    assert len({*map(id, samples)}) == 1


@pytest.mark.parametrize("kind", families())
def test_every_family_is_questioned_where_it_has_noises(kind):
    assert families()[kind].trust.noises


def warnings_of(pred=None, **asked):
    report = goldassay.evaluate(pred or GOLD.take(np.arange(30)), gold=GOLD, encoder="hashing", **asked)
    return [line for run in report for line in run.warnings if "does not separate" in line]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_it_is_asked_of_measures_of_the_default_only_and_can_be_switched_off():
    assert len(warnings_of(measures=[LENIENT])) == 1
    assert warnings_of(measures=[LENIENT], selfcheck=False) == []
    assert warnings_of(measures=["nodes(threshold=-1.0)"]) == []


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_gold_is_questioned_once_for_all_predictions(monkeypatch):
    calls = []
    monkeypatch.setattr(
        "goldassay.pipeline.explain_not_separated", lambda *_, **__: calls.append(1) or "fuzzy: does not separate"
    )
    assert len(warnings_of([GOLD, GOLD.take(np.arange(30))], measures=["fuzzy"])) == 2
    assert calls == [1]


def test_the_command_shows_it_and_can_be_reported_not_to(goldassay_command, tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("\n".join(map(",".join, [("child", "parent"), *EDGES])) + "\n", encoding="utf-8")
    asked = ("taxonomy", gold, "--gold", gold, "-m", "fuzzy(threshold=0.0)", "--encoder", "hashing")
    line = "! fuzzy(threshold=0.0): does not separate good from bad on this gold: f1 1.00 after reversed"
    assert line in goldassay_command(*asked).out
    assert "does not separate" not in goldassay_command(*asked, "--no-selfcheck").out


def test_on_breast_neoplasms_fuzzy_does_not_separate_and_anchored_does(reference_data, cached_minilm):
    gold = read_graph(reference_data / "graphs" / "breast_neoplasm_taxonomy.owl")
    found = [
        explain_not_separated(family("taxonomy"), measure, gold, context=Context(encoder=cached_minilm))
        for measure in (Literal(), Fuzzy(), Anchored())
    ]
    assert found[0] is None
    assert found[2] is None
    assert ": f1 1.00 after reversed, 1.00 after shuffle-texts" in found[1]
