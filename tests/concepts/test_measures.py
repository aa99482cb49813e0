"""The measures of concepts: the equations digit by digit, a naive oracle, and what the laws do not say."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import Concept, ConceptExact, Concepts
from goldassay.concepts.model import Mention, lay_out
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division
from goldassay.kernels.edges.one_to_one import OneToOne

VECTORS = {
    "a": (1.0, 0.0, 0.0),
    "a1": (0.8, 0.6, 0.0),
    "a2": (0.8, -0.6, 0.0),
    "b": (0.0, 1.0, 0.0),
    "c": (0.0, 0.0, 1.0),
    "d": (0.6, 0.0, 0.8),
    "-a": (-1.0, 0.0, 0.0),
}


class Table:
    """An encoder of a few known vectors."""

    name, fingerprint, dimension = "table", "0" * 64, 3

    def encode(self, texts, *, progress=None):
        return np.array([VECTORS[text] for text in texts], dtype=np.float32).reshape(-1, 3)


def score(measure, pred, gold):
    models = {"pred": Concepts.from_lists(pred), "gold": Concepts.from_lists(gold)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.evaluate(**models, context=Context(encoder=Table()))


def oracle(pred, gold, epsilon, recall):
    """Equations 1 to 6, word by word, for every document."""
    rows = []
    for document in {**gold, **pred}:
        ours, theirs = set(pred.get(document, [])), set(gold.get(document, []))
        if not ours and document not in gold:
            continue
        cosine = {(c, g): float(np.dot(VECTORS[c], VECTORS[g])) for c in ours for g in theirs}
        hits = sum(max((cosine[c, g] for g in theirs), default=-math.inf) >= epsilon for c in ours)
        matched = sum(max((cosine[c, g] for c in ours), default=-math.inf) >= epsilon for g in theirs)
        counted = hits if recall == "source" else matched
        p = hits / len(ours) if ours else 0.0
        r = counted / len(theirs) if theirs else 0.0
        rows.append((p, r, 2 * p * r / (p + r) if p + r else 0.0, hits, counted, len(ours), len(theirs)))
    return rows


def test_the_equations_by_hand():
    # Cosines: a1-a 0.8, a2-a 0.8, c-a 0, c-b 0, a1-b 0.6, a2-b -0.6. Epsilon 0.7: a1 and a2 hit, c does not.
    result = score(Concept(epsilon=0.7), {"y": ["a1", "a2", "c"]}, {"y": ["a", "b"]})
    assert result.counts["hit_pred"] == 2  # equations 1 to 3
    assert result.precision == 2 / 3  # equation 4
    assert result.recall == 2 / 2  # equation 5: the same hits
    assert result.f1 == 2 * (2 / 3 * 1) / (2 / 3 + 1)  # equation 6
    assert result.counts["hit_gold"] == 1  # only a is matched
    assert score(Concept(epsilon=0.7, recall="symmetric"), {"y": ["a1", "a2", "c"]}, {"y": ["a", "b"]}).recall == 1 / 2


def test_recall_passes_one_and_is_flagged():
    result = score(Concept(epsilon=0.7), {"y": ["a", "a1", "a2"]}, {"y": ["a"]})
    assert (result.precision, result.recall, result.f1) == (1.0, 3.0, 1.5)
    assert "recall exceeds 1 in 1 of 1 documents" in result.warning
    assert score(Concept(epsilon=0.7, recall="symmetric"), {"y": ["a", "a1", "a2"]}, {"y": ["a"]}).warning is None


def test_a_cosine_equal_to_epsilon_is_a_hit():
    assert score(Concept(epsilon=1.0), {"y": ["a"]}, {"y": ["a"]}).f1 == 1
    exact = float(np.float32(0.6)) / math.hypot(float(np.float32(0.6)), float(np.float32(0.8)))
    at, above = exact, math.nextafter(exact, 1)
    assert score(Concept(epsilon=at), {"y": ["d"]}, {"y": ["a"]}).counts["hit_pred"] == 1
    assert score(Concept(epsilon=above), {"y": ["d"]}, {"y": ["a"]}).counts["hit_pred"] == 0


def test_a_negative_epsilon_matches_only_what_is_there():
    result = score(Concept(epsilon=-1.0), {"y": ["-a"], "z": ["a"]}, {"y": ["a"], "x": ["a"]})
    assert (result.counts["hit_pred"], result.counts["n_pred"], result.counts["n_gold"]) == (1, 2, 2)


@pytest.mark.parametrize("epsilon", [-1.1, 1.5, math.nan, "high"])
def test_an_epsilon_out_of_bounds_is_refused(epsilon):
    with pytest.raises(goldassay.UsageError, match="epsilon"):
        Concept(epsilon=epsilon)


LISTS = st.dictionaries(st.sampled_from("xyz"), st.lists(st.sampled_from(sorted(VECTORS)), max_size=6), max_size=3)


@given(
    pred=LISTS,
    gold=LISTS,
    epsilon=st.sampled_from([-0.9, 0.1, 0.5, 0.7, 0.99]),
    recall=st.sampled_from(["source", "symmetric"]),
)
def test_against_the_equations(pred, gold, epsilon, recall):
    result = score(Concept(epsilon=epsilon, recall=recall), pred, gold)
    rows = oracle(pred, gold, epsilon, recall)
    for place, name in enumerate(("precision", "recall")):
        known = any(row[5 + place] for row in rows)
        expected = sum(row[place] for row in rows) / len(rows) if known else 0
        assert result.values[name] == pytest.approx(expected)
    assert result.f1 == pytest.approx(sum(row[2] for row in rows) / len(rows) if rows else 0)
    micro = score(Concept(epsilon=epsilon, recall=recall, average="micro"), pred, gold)
    hits, counted, ours, theirs = (sum(row[place] for row in rows) for place in (3, 4, 5, 6))
    assert micro.precision == pytest.approx(hits / ours if ours else 0)
    assert micro.recall == pytest.approx(counted / theirs if theirs else 0)
    assert micro.counts == result.counts


@given(pred=LISTS, gold=LISTS)
def test_exact_against_sets(pred, gold):
    result = score(ConceptExact(), pred, gold)
    both = sum(len(set(pred.get(name, [])) & set(gold.get(name, []))) for name in {**pred, **gold})
    assert result.counts["hit_pred"] == result.counts["hit_gold"] == both
    micro = ConceptExact(average="micro")
    assert score(micro, gold, pred).precision == score(micro, pred, gold).recall


@given(
    pred=LISTS,
    gold=LISTS,
    measure=st.sampled_from([Concept(recall="symmetric"), ConceptExact(), ConceptExact(average="micro")]),
)
def test_swapping_swaps_where_both_sides_are_counted(pred, gold, measure):
    # An empty document of a prediction states nothing if gold does not have it, and one of gold is asked for.
    pred, gold = ({name: some for name, some in side.items() if some} for side in (pred, gold))
    there, back = score(measure, pred, gold), score(measure, gold, pred)
    assert (there.precision, there.recall) == (back.recall, back.precision)


def test_the_best_counterpart_is_within_the_document():
    result = score(Concept(epsilon=0.7), {"x": ["a1"], "y": ["c"]}, {"x": ["b", "c"], "y": ["a1", "d"]})
    table = result.matching.table()
    assert table["item"] == ["x: a1", "y: c", "x: b", "x: c", "y: a1", "y: d"]
    assert table["counterpart"] == ["x: b", "y: d", "x: a1", "x: a1", "y: c", "y: c"]
    assert table["verdict"] == ["invented", "hit", "missed", "missed", "missed", "hit"]
    assert table["similarity"] == pytest.approx([0.6, 0.8, 0.6, 0.0, 0.0, 0.8], abs=1e-6)
    assert table["document"] == ["x", "y", "x", "x", "y", "y"]
    assert result.matching.missed(1)[0].item == "x: b"


def test_concepts_of_one_id_are_one_and_always_match():
    pred, gold = {"y": [("a", "C1"), ("b", "C1"), ("c", "C2")]}, {"y": [("-a", "C1"), ("-a", "C3")]}
    result = score(Concept(epsilon=0.9), pred, gold)
    assert (result.counts["n_pred"], result.counts["hit_pred"], result.counts["hit_gold"]) == (2, 1, 1)
    table = result.matching.table()
    assert (table["counterpart"][0], table["similarity"][0]) == ("y: -a", 1.0)
    assert score(ConceptExact(ids="required"), pred, gold).precision == 1 / 2


def test_required_ids_are_required():
    with pytest.raises(goldassay.UsageError, match="1 concepts of the gold standard have no id"):
        score(ConceptExact(ids="required"), {"y": [("a", "C1")]}, {"y": [("a", "C1"), "b"]})


def test_unpaired_documents_count_as_empty():
    result = score(ConceptExact(), {"x": ["a"], "z": ["b"]}, {"x": ["a"], "y": ["a", "b"]})
    assert (result.precision, result.recall) == (1 / 3, 1 / 3)
    micro = score(ConceptExact(average="micro"), {"x": ["a"], "z": ["b"]}, {"x": ["a"], "y": ["a", "b"]})
    assert (micro.precision, micro.recall) == (1 / 2, 1 / 3)


def test_what_undefined_means_for_a_document():
    pred, gold = {"x": ["a"], "y": []}, {"x": ["a"], "y": ["a"]}
    assert [score(ConceptExact(undefined=value), pred, gold).precision for value in (0.0, 1.0)] == [0.5, 1.0]
    # Where 0/0 is no number, the mean is over the documents that have one.
    left_out = score(ConceptExact(undefined=math.nan), pred, gold)
    assert (left_out.precision, left_out.recall, left_out.counts["documents_precision"]) == (1.0, 0.5, 1)


def test_units_are_documents():
    result = score(Concept(epsilon=0.7), {"x": ["a1"], "z": ["b"]}, {"y": ["a"], "x": ["a", "b"]})
    units = Concept(epsilon=0.7).units(result.matching)
    assert (units.name, units.keys.tolist()) == ("document", ["y", "x", "z"])
    draws = np.array([[0, 1, 2], [1, 1, 1]])
    sums = Counts({name: column[draws].sum(axis=1) for name, column in units.counts.items()})
    values = Concept(epsilon=0.7).divide(sums, Division())
    assert values["precision"] == pytest.approx([1 / 3, 1.0])
    assert Concept(average="micro").divide(sums, Division())["recall"] == pytest.approx([1 / 3, 1 / 2])


@given(pred=LISTS, gold=LISTS)
def test_the_sweep_gives_what_the_measure_gives(pred, gold):
    epsilons = [-0.9, 0.1, 0.5, 0.7, 0.99]
    sides = {"pred": Concepts.from_lists(pred), "gold": Concepts.from_lists(gold)}
    curve = Concept().curve(**sides, context=Context(encoder=Table()))
    for epsilon in epsilons:
        assert dict(curve.at(epsilon).values) == pytest.approx(dict(score(Concept(epsilon=epsilon), pred, gold).values))


def test_the_same_file_twice_is_suspicious(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "concepts": ["a"]}')
    report = goldassay.evaluate(path, gold=path, kind="concepts", measures="concept_exact")
    assert any("the same file" in line for line in report.warnings)


def test_memory_and_order_move_nothing():
    rng = np.random.default_rng(0)
    words = [f"word {number}" for number in rng.integers(0, 300, 400)]
    pred, gold = ({"x": words[:200:step], "y": words[200::step]} for step in (1, 2))
    models = {"pred": Concepts.from_lists(pred), "gold": Concepts.from_lists(gold)}
    encoder = goldassay.get_encoder("hashing")
    results = [
        Concept().evaluate(**models, context=Context(encoder=encoder, memory=memory)) for memory in (2**10, 2**29)
    ]
    assert results[0].values == results[1].values
    tables = [result.matching.table() for result in results]
    assert tables[0]["counterpart"] == tables[1]["counterpart"]


def test_each_concept_serves_once():
    gold = Concepts.from_lists([("q1", ["heart attack", "smoking"]), ("q2", ["x"])])
    pred = Concepts.from_lists([("q1", ["heart attacks", "heart attack", "smoking"]), ("q2", [])])
    one = Concept(assignment="one", average="micro").score(pred=pred, gold=gold, encoder="hashing")
    assert (one.counts["hit_pred"], one.counts["hit_gold"]) == (2, 2)
    assert (one.precision, one.recall) == (2 / 3, 2 / 3)
    assert one.measure.symmetry == "swap"
    assert one.measure.values["recall"] == (0.0, 1.0)
    assert one.matching.pred.credit.sum() == one.matching.gold.credit.sum() == 2.0


def test_equal_concepts_may_be_matched_any_their_vectors():
    gold = Concepts.from_lists([("q", ["Aspirin", "aspirin tablet"])])
    pred = Concepts.from_lists([("q", ["aspirin"])])
    one = Concept(assignment="one", epsilon=1.0).score(pred=pred, gold=gold, encoder="hashing")
    assert (one.precision, one.recall) == (1.0, 0.5)


def test_too_little_memory_for_a_largest_matching_is_an_error(monkeypatch):
    unproven = OneToOne(np.array([-1]), 0, 1)
    monkeypatch.setattr("goldassay.concepts.measures.concept.match_one_to_one", lambda *args, **options: unproven)
    one = Concepts.from_lists([("q", ["a"])])
    with pytest.raises(goldassay.UsageError, match="too small for a largest one-to-one matching") as caught:
        Concept(assignment="one").score(pred=one, gold=one, encoder="hashing")
    assert caught.value.found == "512 MB"


SHARE = (0.0, 1.0)
BY_SOURCE = {"precision": SHARE, "recall": (0.0, math.inf), "f1": (0.0, 2.0)}


@pytest.mark.parametrize(
    ("measure", "values", "symmetry", "weighs_gold"),
    [
        (Concept(), BY_SOURCE, "none", False),
        (Concept(recall="symmetric"), dict.fromkeys(BY_SOURCE, SHARE), "swap", True),
        (Concept(assignment="one"), dict.fromkeys(BY_SOURCE, SHARE), "swap", False),
        (Concept(recall="symmetric", assignment="one"), dict.fromkeys(BY_SOURCE, SHARE), "swap", False),
        (ConceptExact(), dict.fromkeys(BY_SOURCE, SHARE), "swap", True),
    ],
)
def test_what_a_measure_promises(measure, values, symmetry, weighs_gold):
    assert (dict(measure.values), measure.symmetry, measure.weighs_gold) == (values, symmetry, weighs_gold)


def test_the_epsilon_is_always_reported():
    assert str(Concept()) == "concept(epsilon=0.6)"
    assert str(Concept(epsilon=-1.0)) == "concept(epsilon=-1.0)"
    with pytest.raises(goldassay.UsageError, match="epsilon"):
        Concept(epsilon=1.0001)


def test_a_recall_of_two_exceeds_one():
    assert (
        "recall exceeds 1 in 1 of 1 documents" in score(Concept(epsilon=0.7), {"y": ["a", "a1"]}, {"y": ["a"]}).warning
    )
    assert score(Concept(epsilon=0.7), {"y": ["a"]}, {"y": ["a"]}).warning is None


def test_an_epsilon_that_all_pairs_reach_is_reported():
    # All cosines of these texts are exactly 0.
    words = [f"word {number}" for number in range(40)]

    class Corners(Table):
        dimension = 40

        def encode(self, texts, *, progress=None):
            return np.eye(40, dtype=np.float32)[[words.index(text) for text in texts]]

    sides = {"pred": Concepts.from_lists({"x": words[:20]}), "gold": Concepts.from_lists({"x": words[20:]})}
    messages = [Concept(epsilon=e).evaluate(**sides, context=Context(encoder=Corners())).note for e in (0.0, 0.1)]
    assert "accepts 100% of random pairs" in messages[0]
    assert messages[1] is None


def test_the_margin_is_how_far_a_cosine_lies_above_epsilon():
    table = score(Concept(epsilon=0.7), {"x": ["a1", "c"]}, {"x": ["b"]}).matching.table()
    assert table["margin"] == pytest.approx([0.6 - 0.7, 0.0 - 0.7, 0.6 - 0.7], abs=1e-6)
    single = score(Concept(epsilon=0.7), {"x": ["a1"]}, {"y": ["b"]}).matching.table()
    assert single["margin"] == [None, None]


def test_a_concept_of_gold_counts_by_its_weight():
    result = score(ConceptExact(), {"x": ["a", "b"]}, {"x": ["a", "c"]})
    weighed = replace(result.matching, gold_weights=np.array([0.25, 0.5]))
    counts = ConceptExact().per_document(weighed)
    assert (counts["hit_gold"].tolist(), counts["n_gold"].tolist()) == ([0.25], [0.75])


def test_equal_concepts_of_different_documents_do_not_match():
    result = score(ConceptExact(), {"x": ["b"]}, {"x": [], "y": [], "z": ["a"]})
    assert (result.counts["hit_pred"], result.counts["hit_gold"]) == (0, 0)
    for pred, gold in (("ab", "cd"), ("cd", "ab"), ("ab", "ba")):
        placed = [{name: [word] for name, word in zip("xyz", f"{words}c", strict=True)} for words in (pred, gold)]
        hits = sum(a == b for a, b in zip(f"{pred}c", f"{gold}c", strict=True))
        assert score(ConceptExact(), *placed).counts["hit_pred"] == hits


@pytest.mark.parametrize(
    ("ours", "theirs", "match"),
    [
        ([("a", "", "")], [("a", "", "")], 1),
        ([("a", "negated", "")], [("a", "negated", "")], 1),
        ([("a", "negated", "")], [("a", "possible", "")], 0),
        ([("a", "negated", "")], [("a", "", "")], 0),
        ([("a", "", "2 mg")], [("a", "", "2 mg")], 1),
        ([("a", "", "2 mg")], [("a", "", "3 mg")], 0),
        ([("a", "", "2 mg")], [("a", "", "")], 0),
        ([("a", "", "2 mg"), ("b", "", "")], [("a", "", "3 mg"), ("b", "", "")], 1),
        ([("a", "negated", "2 mg")], [("a", "negated", "3 mg")], 0),
        ([("a", "negated", "2 mg")], [("a", "possible", "2 mg")], 0),
    ],
)
def test_equal_concepts_say_the_same_and_have_the_same_value(ours, theirs, match):
    pred, gold = (
        lay_out([("d", "", [Mention(key, key, assertion=messages, value=value) for key, messages, value in side])])
        for side in (ours, theirs)
    )
    assert ConceptExact().evaluate(pred=pred, gold=gold, context=Context()).counts["hit_pred"] == match


def test_only_means_over_documents_are_reported_to_be_means():
    assert (Concept(average="macro").averaged, Concept(average="micro").averaged) == (True, False)
