"""What a report says by default where a score says little."""

import copy
import pickle
import sys

import numpy as np
import pytest

import goldassay
from goldassay.chance import hubs
from goldassay.chance.level import Hub
from goldassay.core.context import Context
from goldassay.families import family
from goldassay.graphs import Fuzzy, Graph, Literal, threshold_against_chance

WORDS = ["violin", "cello", "flute", "oboe", "horn", "tuba", "drum", "harp", "lute", "organ", "piano", "viola"]
TREE = [(f"{word} {place}", f"{word} family") for word in WORDS for place in range(3)]
GOLD = Graph.from_edges(TREE)


def messages(pred, gold=GOLD, measures="fuzzy(threshold=0.5)", **options):
    report = goldassay.evaluate(pred, gold=gold, measures=measures, encoder="hashing", **options)
    return "\n".join(report.runs[0].warnings)


def test_a_perfect_prediction_is_not_doubted():
    assert "chance" not in messages(GOLD, measures=["literal", "fuzzy(threshold=0.99)"])
    assert "best counterpart" not in messages(GOLD, measures=["literal", "fuzzy(threshold=0.99)"])


def test_a_shuffled_prediction_that_comes_near_is_named():
    # Everything is called nearly the same: any edge matches any.
    gold = Graph.from_edges([(f"cell type {i}", f"cell type {i // 2}") for i in range(1, 40)])
    found = messages(gold, gold, "fuzzy(threshold=0.3)")
    assert "f1 1.0000 is no more than 1.0000" in found
    assert "one draw of chance gives (shuffle-texts" in found
    assert "the threshold accepts" in found
    assert "% of random pairs of these texts" in found
    assert "chance gives" in messages(gold, gold, "fuzzy(threshold=0.3)", chance=True)


@pytest.mark.parametrize(
    ("right", "near", "words"),
    [
        (36, 0.901, "is little more than 0.9010"),
        (36, 0.899, ""),
        (36, 1.0, "is no more than 1.0000"),
        (18, 0.451, "is little more than 0.4510"),
        (18, 0.449, ""),
    ],
)
def test_within_a_tenth_is_near(monkeypatch, right, near, words):
    monkeypatch.setattr(sys.modules["goldassay.chance.level"], "_draw_headline", lambda *_, **__: near)
    pred = Graph.from_edges([*TREE[:right], *((f"car {i}", "vehicle") for i in range(36 - right))])
    found = messages(pred, measures="literal")
    assert words in found
    assert ("more than" in found) == bool(words)


def test_a_score_that_a_null_model_cannot_move_is_not_doubted(monkeypatch):
    module = sys.modules["goldassay.chance.level"]
    monkeypatch.setattr(module, "draws_of", lambda *_, **__: [{"f1": np.array([1.0])}])
    monkeypatch.setattr(module, "moves", lambda *_, **__: False)
    assert "chance gives" not in messages(GOLD, measures="literal")
    monkeypatch.setattr(module, "moves", lambda *_, **__: True)
    assert "one draw of chance gives" in messages(GOLD, measures="literal")


@pytest.mark.parametrize(
    ("items", "gold_standards", "right", "doubted"),
    [(20, 20, 20, True), (19, 20, 19, False), (20, 19, 19, False), (20, 20, 0, False)],
)
@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_from_twenty_items_on_either_side_a_score_is_doubted(monkeypatch, items, gold_standards, right, doubted):
    monkeypatch.setattr(sys.modules["goldassay.chance.level"], "_draw_headline", lambda *_, **__: 1.0)
    pred = Graph.from_edges([*TREE[:right], *((f"car {i}", "vehicle") for i in range(items - right))])
    assert ("chance" in messages(pred, Graph.from_edges(TREE[:gold_standards]), "literal")) == doubted


@pytest.mark.parametrize(("pairs", "sampled"), [(39 * 39, False), (39 * 39 - 1, True)])
def test_up_to_so_many_pairs_no_sample_is_drawn(monkeypatch, pairs, sampled):
    gold, seen = Graph.from_edges([(f"cell type {i}", f"cell type {i // 2}") for i in range(1, 40)]), []
    module = sys.modules["goldassay.chance.level"]
    monkeypatch.setattr(module, "MOST_PAIRS", pairs)
    monkeypatch.setattr(module, "_sample_headline", lambda *_, **__: seen.append(1))
    messages(gold, gold, "fuzzy(threshold=0.3)")
    messages(gold, gold, "literal")  # without an encoder it is matched in a moment, and otherwise not at all
    assert bool(seen) == sampled
    assert len(seen) <= 1


def served(monkeypatch, *serves, size=200):
    found = [Hub(f"item {place}", times, times / size) for place, times in enumerate(serves)]
    monkeypatch.setattr(sys.modules["goldassay.chance.level"], "hubs", lambda *_, **__: found)
    return messages(GOLD, measures="literal")


@pytest.mark.parametrize(
    ("serves", "size", "words"),
    [
        ([11], 200, "one predicted edge is the best counterpart of"),
        ([10], 200, ""),
        ([5], 50, "one predicted edge is the best counterpart of"),
        ([10] * 10, 200, "ten predicted edges are the best counterparts of 50% of gold"),
        ([10] * 9 + [9], 200, ""),
        ([6, *[5] * 8, 4], 100, "one predicted edge is the best counterpart of 6%"),
        ([5] * 10, 100, "ten predicted edges are the best counterparts of 50% of gold"),
    ],
)
def test_from_where_on_hubs_are_named(monkeypatch, serves, size, words):
    found = served(monkeypatch, *serves, size=size)
    assert words in found
    assert ("best counterpart" in found) == bool(words)


def test_large_sides_are_looked_at_by_a_sample(monkeypatch):
    module, drawn = sys.modules["goldassay.chance.level"], []
    monkeypatch.setattr(module, "SAMPLE", 4)
    monkeypatch.setattr(module, "hubs", lambda _, *, sample, most, least: drawn.append((sample, most, least)) or [])
    for looked_up in (36 * 36, 36 * 10):
        monkeypatch.setattr(module, "LOOKED_UP", looked_up)
        messages(GOLD, measures="literal")
    (whole, *_), (some, most, least) = drawn
    assert whole is None
    assert (len(some), len(set(some.tolist())), most, least) == (10, 10, 10, 5)


def test_less_than_chance_is_no_more(monkeypatch):
    monkeypatch.setattr(sys.modules["goldassay.chance.level"], "_draw_headline", lambda *_, **__: 0.75)
    pred = Graph.from_edges([*TREE[:18], *((f"car {i}", "vehicle") for i in range(18))])
    assert "f1 0.5000 is no more than 0.7500" in messages(pred, measures="literal")


def test_a_doubt_names_the_null_model_that_was_drawn_from():
    gold = Graph.from_edges([(f"cell type {i}", f"cell type {i // 2}") for i in range(1, 40)])
    found = messages(gold, gold, "fuzzy(threshold=0.3)", chance="rewire")
    assert "chance gives (rewire: the edges of the prediction, rewired)" in found


@pytest.mark.parametrize(("threshold", "doubted", "matched"), [(0.3, True, 2), (0.99, False, 1)])
def test_of_many_pairs_the_sample_of_gold_is_matched_only_where_that_of_the_prediction_is_near(
    monkeypatch, threshold, doubted, matched
):
    gold = Graph.from_edges([(f"cell type {i}", f"cell type {i // 2}") for i in range(1, 40)])
    module, match, sizes = sys.modules["goldassay.chance.level"], Fuzzy.match, []

    def counted(self, *, pred, gold, context):
        sizes.append(tuple(len({*map(one.item, range(len(one)))}) for one in (pred, gold)))
        return match(self, pred=pred, gold=gold, context=context)

    monkeypatch.setattr(module, "MOST_PAIRS", 0)
    monkeypatch.setattr(module, "SAMPLE", 20)
    monkeypatch.setattr(Fuzzy, "match", counted)
    assert (
        "one draw of chance gives" in messages(gold, gold, f"fuzzy(threshold={threshold})", selfcheck=False)
    ) == doubted
    assert sizes == [(39, 39), (20, 39), (39, 20)][: 1 + matched]


def test_small_inputs_are_judged_by_eye():
    few = Graph.from_edges(TREE[:5])
    assert messages(few, few, "fuzzy(threshold=-1.0, inclusive=true)") == ""


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_self_loops_that_gold_does_not_have_are_counted():
    loop = Graph.from_edges([("violin", "violin")])
    gold = Graph.from_edges([("violins", "violin")])
    assert "1 self-loop of the prediction scores, and gold has no such edge" in messages(loop, gold)
    assert "self-loop" not in messages(loop, Graph.from_edges([("violin", "violin"), ("violins", "violin")]))
    assert "self-loop" not in messages(Graph.from_edges([("car", "car")]), gold)


def star(leaves):
    return Graph.from_edges([(f"violin {i}", "violin") for i in range(leaves)])


def test_a_hub_is_named_from_a_twentieth_of_gold_on():
    pred = Graph.from_edges([("violin", "violin"), *((f"car {i}", "vehicle") for i in range(30))])
    assert "one predicted edge is the best counterpart of 100% of gold: violin -> violin" in messages(
        pred, star(40), "fuzzy(threshold=0.4)"
    )
    assert "best counterpart" not in messages(pred, star(4), "fuzzy(threshold=0.4)")


def test_ten_that_serve_half_are_named():
    # Each serves ten edges of 200, which is a twentieth and no more; together they serve half.
    words = [f"{chr(97 + i) * 4} {chr(107 + i) * 4}" for i in range(10)]
    others = [(f"{word} x{i}", f"{word} y{i}") for word in WORDS[:10] for i in range(10)]
    gold = Graph.from_edges([(f"{word} {i}", word) for word in words for i in range(10)] + others)
    pred = Graph.from_edges([(word, word) for word in words])
    found = messages(pred, gold, "fuzzy(threshold=0.5)")
    assert "ten predicted edges are the best counterparts of" in found
    assert all(word in found for word in words)


def test_hubs_are_counted_by_the_best_counterpart():
    gold, pred = star(4), Graph.from_edges([("violin 1", "violin"), ("violin", "violin")])
    score = goldassay.evaluate(pred, gold=gold, measures="fuzzy(threshold=0.4)", encoder="hashing")["fuzzy"]
    found = hubs(score.matching)
    assert hubs(score.matching, most=1) == found[:1]
    assert hubs(score.matching, least=found[0].serves) == found
    assert hubs(score.matching, least=found[0].serves + 1) == []
    assert hubs(score.matching, sample=np.array([], np.int64)) == []
    assert sum(hub.serves for hub in found) == score.counts["hit_gold"] == 4
    assert found == sorted(found, key=lambda hub: -hub.serves)
    assert all(hub.share == hub.serves / 4 for hub in found)
    assert hubs(Literal().match(pred=pred, gold=gold, context=Context()))[0].item == "violin 1 -> violin"


@pytest.mark.parametrize("alpha", [0.01, 0.1, 0.5])
def test_no_greater_share_of_random_pairs_passes_the_threshold(alpha):
    found = threshold_against_chance(GOLD, GOLD, alpha=alpha, encoder="hashing")
    assert found.share_above(found.threshold) <= alpha < found.share_above(found.threshold - 0.002)
    assert len(found.cosines) == len(GOLD.texts) * (len(GOLD.texts) - 1)
    assert goldassay.parse(found.spec).threshold == found.threshold


def test_a_probability_lies_between_0_and_1():
    for alpha in (0.0, 1.0, -0.1):
        with pytest.raises(goldassay.UsageError, match="between 0 and 1"):
            threshold_against_chance(GOLD, GOLD, alpha=alpha, encoder="hashing")
    with pytest.raises(goldassay.InputError, match="no texts"):
        threshold_against_chance(Graph.from_edges([]), GOLD, encoder="hashing")
    loop = Graph.from_edges([("a", "a")])
    with pytest.raises(goldassay.InputError, match="no pair of different texts"):
        threshold_against_chance(loop, loop, encoder="hashing")


# ---- real files


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_self_loop_is_worth_nothing(reference_data, cached_minilm, seed):
    gold = goldassay.read(reference_data / "graphs" / "breast_neoplasm_taxonomy.owl")
    loop = Graph.from_edges([("Breast Carcinoma", "Breast Carcinoma")])
    chance = goldassay.Chance(draws=10, seed=seed)
    report = goldassay.evaluate(loop, gold=gold, measures="fuzzy", encoder=cached_minilm, chance=chance)
    score = report["fuzzy"]
    assert round(score.f1, 3) == 0.981
    # No draw of the null model changes a single self-loop.
    assert score.chance is None
    lines = "\n".join(report.runs[0].warnings)
    assert "self-loop" in lines
    assert "one predicted edge is the best counterpart of 96% of gold: Breast Carcinoma -> Breast Carcinoma" in lines


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("null", ["shuffle-texts", "rewire", "random-edges"])
def test_what_is_drawn_from_gold_is_near_0_on_real_files(reference_data, cached_minilm, null):
    gold = goldassay.read(reference_data / "graphs" / "breast_neoplasm_taxonomy.owl")
    measures = ["fuzzy(threshold=0.8)", "literal"]
    drawn = family("taxonomy").trust.nulls[null].draw(gold, gold, np.random.default_rng(0))
    chance = goldassay.Chance(null=null, draws=10, seed=10)
    found = goldassay.evaluate(drawn, gold=gold, measures=measures, encoder=cached_minilm, chance=chance)
    assert all(abs(score.chance.adjusted["f1"]) < 0.05 for score in found.runs[0].scores)
    perfect = goldassay.evaluate(gold, gold=gold, measures=measures, encoder=cached_minilm, chance=chance)
    assert all(score.chance.adjusted["f1"] == pytest.approx(1) for score in perfect.runs[0].scores)


def test_diagnostics_wait_until_warnings_are_looked_at(monkeypatch):
    asked, module = [], sys.modules["goldassay.place"]
    monkeypatch.setattr(module, "diagnose", lambda *_, **__: asked.append(1) or ["a doubt"])
    edges = [("cat", "pet"), ("dog", "pet")]
    report = goldassay.evaluate([edges, edges], gold=edges, measures=["literal"])
    assert not asked
    assert report.warnings == ["a doubt"]
    assert [run["warnings"] for run in report.to_dict()["runs"]] == [["a doubt"]] * 2
    assert len(asked) == 2


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda report: pickle.loads(pickle.dumps(report))])
def test_a_copy_has_the_diagnostics(copied):
    gold = Graph.from_edges([(f"cell type {i}", f"cell type {i // 2}") for i in range(1, 40)])
    report = goldassay.evaluate(gold, gold=gold, measures=["fuzzy(threshold=0.3)"], encoder="hashing")
    found = copied(report)
    assert "one draw of chance gives" in "".join(found.warnings)
    assert found.warnings == report.warnings
    assert copied(report["fuzzy"]).f1 == 1
