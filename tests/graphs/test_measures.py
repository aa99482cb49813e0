"""Literal, fuzzy and nodes against naive oracles written straight from the definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay import families
from goldassay.core.context import Context
from goldassay.graphs import Fuzzy, Graph, Literal, Nodes
from goldassay.kernels.edges.best import find_best_of_both
from goldassay.kernels.near import find_near_texts

WORDS = ["cat", "cats", "a cat", "dog", "animal", "animals", "violin", "viola"]
ENCODER = goldassay.get_encoder("hashing")
edges = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), min_size=1, max_size=10)
thresholds = st.floats(-0.5, 0.99)


def cosine(left, right):
    a, b = (row.astype(np.float64) for row in ENCODER.encode([left, right]))
    return 1.0 if left == right else float(a @ b / np.sqrt((a @ a) * (b @ b)))


def prf(hit_pred, n_pred, hit_gold, n_gold):
    p, r = hit_pred / n_pred, hit_gold / n_gold
    return {"precision": p, "recall": r, "f1": 2 * p * r / (p + r) if p + r else 0.0}


@given(edges, edges)
def test_literal_is_set_overlap(pred, gold):
    ours = Literal().score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold))
    common = len(set(pred) & set(gold))
    assert ours.values == pytest.approx(prf(common, len(set(pred)), common, len(set(gold))))


@given(edges, edges, thresholds, st.booleans())
def test_fuzzy_is_the_definition(pred, gold, threshold, inclusive):
    def matches(left, right):
        cosines = [cosine(a, b) for a, b in zip(left, right, strict=True)]
        return all(c >= threshold if inclusive else c > threshold for c in cosines)

    measure = Fuzzy(threshold=threshold, inclusive=inclusive)
    ours = measure.score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), encoder=ENCODER)
    hit_pred = sum(any(matches(e, f) for f in set(gold)) for e in set(pred))
    hit_gold = sum(any(matches(e, f) for f in set(pred)) for e in set(gold))
    assert dict(ours.counts) == {
        "hit_pred": hit_pred,
        "hit_gold": hit_gold,
        "n_pred": len(set(pred)),
        "n_gold": len(set(gold)),
    }
    assert ours.values == pytest.approx(prf(hit_pred, len(set(pred)), hit_gold, len(set(gold))))


@given(edges, edges, thresholds)
def test_nodes_is_the_definition(pred, gold, threshold):
    here, there = ({text for edge in side for text in edge} for side in (pred, gold))
    ours = Nodes(threshold=threshold).score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), encoder=ENCODER)
    hit_pred = sum(any(cosine(u, v) > threshold for v in there) for u in here)
    hit_gold = sum(any(cosine(u, v) > threshold for v in here) for u in there)
    assert ours.values == pytest.approx(prf(hit_pred, len(here), hit_gold, len(there)))


@given(edges, edges, thresholds)
def test_evidence_is_the_best_counterpart_and_agrees_with_the_verdict(pred, gold, threshold):
    score = Fuzzy(threshold=threshold).score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), encoder=ENCODER)
    table = score.matching.table()
    other = {"pred": set(gold), "gold": set(pred)}
    for side, item, verdict, similarity in zip(
        table["side"], table["item"], table["verdict"], table["similarity"], strict=True
    ):
        edge = tuple(item.split(" -> "))
        best = max(min(cosine(edge[0], f[0]), cosine(edge[1], f[1])) for f in other[side])
        assert similarity == pytest.approx(best, abs=1e-12)
        assert (verdict == "hit") == (similarity > threshold)


def test_distinct_counts_a_pair_of_texts_once():
    pred = Graph.from_edges([("a", "x"), ("b", "x")], texts={"a": "cat", "b": "cat", "x": "animal"})
    gold = Graph.from_edges([("cat", "animal"), ("dog", "animal")])
    assert Literal().score(pred=pred, gold=gold).counts["n_pred"] == 2
    assert Literal(distinct=True).score(pred=pred, gold=gold).counts["n_pred"] == 1


def test_the_nearest_misses_come_first():
    gold = Graph.from_edges([("violins", "instrument"), ("locomotive", "machine"), ("dog", "animal")])
    pred = Graph.from_edges([("violin", "instrument"), ("dog", "animal")])
    misses = Fuzzy(threshold=0.95).score(pred=pred, gold=gold, encoder=ENCODER).matching.missed()
    assert [miss.item for miss in misses] == ["violins -> instrument", "locomotive -> machine"]
    assert misses[0].counterpart == "violin -> instrument"
    assert misses[0].details["parent_cosine"] == 1.0
    assert misses[0].details["child_cosine"] == pytest.approx(cosine("violins", "violin"))
    assert misses[0].details["child_cosine"] == misses[0].similarity < 1.0
    assert misses[0].details["margin"] == pytest.approx(misses[0].similarity - 0.95)
    assert "nearest violin -> instrument" in str(misses[0])


def test_a_literal_miss_says_which_end_the_other_side_lacks():
    score = Literal().score(pred=Graph.from_edges([("a", "b")]), gold=Graph.from_edges([("c", "b")]))
    (miss,) = score.matching.missed()
    assert miss.counterpart is None
    assert miss.details == {"child_present": False, "parent_present": True, "error": "child unknown"}
    assert str(miss) == "missed    c -> b\n  no counterpart (child_present no, parent_present yes, error child unknown)"
    assert score.matching.invented(1)[0].verdict == "invented"


def test_the_matching_of_a_hit_names_its_counterpart():
    pred, gold = Graph.from_edges([("q", "r"), ("a", "b")]), Graph.from_edges([("a", "b"), ("c", "d")])
    table = Literal().score(pred=pred, gold=gold).matching.table()
    rows = dict(zip(zip(table["side"], table["item"], strict=True), table["counterpart"], strict=True))
    assert rows["pred", "a -> b"] == "a -> b" == rows["gold", "a -> b"]
    assert rows["gold", "c -> d"] is None
    assert table["similarity"] == pytest.approx([np.nan, 1.0, 1.0, np.nan], nan_ok=True)


def test_best_looks_every_counterpart_up():
    gold = Graph.from_edges([("violins", "instrument"), ("dog", "animal")])
    pred = Graph.from_edges([("dog", "animal"), ("violin", "instrument")])
    matching = Fuzzy(threshold=0.95).score(pred=pred, gold=gold, encoder=ENCODER).matching
    assert matching.gold.counterpart.tolist() == [-1, -1]
    best = matching.best()
    assert best.gold.counterpart.tolist() == [1, 0]
    assert best.gold.similarity[1] == 1.0
    assert best.gold.credit.tolist() == matching.gold.credit.tolist()


@given(edges, edges, st.sampled_from([-1.0, 1.0]) | thresholds, st.booleans(), st.data())
def test_best_counterparts_decide_as_the_join_does(pred, gold, threshold, inclusive, data):
    pred, gold = (Graph.from_edges([(a, WORDS[n % 2], b) for n, (a, b) in enumerate(side)]) for side in (pred, gold))
    if data.draw(st.booleans()):
        # At a tie: the similarity of two edges that may match.
        a, b = data.draw(st.sampled_from(WORDS)), data.draw(st.sampled_from(WORDS))
        threshold = cosine(a, b)
    options = {"threshold": threshold, "inclusive": inclusive}
    measures = [Nodes(**options), *(Fuzzy(relation=how, **options) for how in ("ignore", "exact", "fuzzy"))]
    for measure in measures:
        plain = measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODER))
        with Context(encoder=ENCODER).looking_up() as context:
            looked_up = measure.evaluate(pred=pred, gold=gold, context=context)
        assert dict(looked_up.counts) == dict(plain.counts)
        assert looked_up.matching.to_frame().equals(plain.matching.to_frame(), null_equal=True)


def test_with_evidence_the_join_is_not_made(monkeypatch):
    monkeypatch.setattr("goldassay.graphs.match.edge_join", None)
    graph = Graph.from_edges([("violin", "instrument"), ("dog", "animal")])
    found = goldassay.evaluate(graph, gold=graph, measures="fuzzy", encoder=ENCODER, evidence=True)
    assert found["fuzzy"].values["f1"] == 1.0
    assert found["fuzzy"].matching.gold.counterpart.tolist() == [0, 1]
    with pytest.raises(TypeError, match="NoneType"):
        goldassay.evaluate(graph, gold=graph, measures="fuzzy", encoder=ENCODER)


def test_draws_look_nothing_up(monkeypatch):
    gold = Graph.from_edges([(f"violin {n}", f"instrument {n % 3}") for n in range(30)])
    pred = Graph.from_edges([(f"viola {n}", f"instrument {n % 3}") for n in range(30)])
    asked = {"gold": gold, "measures": "fuzzy", "encoder": ENCODER, "chance": True, "intervals": True}
    plain = goldassay.evaluate(pred, **asked).with_evidence()
    calls = []
    monkeypatch.setattr(
        "goldassay.graphs.match.find_best_of_both",
        lambda *rows, **options: calls.append(len(rows[1])) or find_best_of_both(*rows, **options),
    )
    report = goldassay.evaluate(pred, evidence=True, **asked).with_evidence()
    assert calls == [30]
    assert report["fuzzy"].to_dict() == plain["fuzzy"].to_dict()
    assert report.runs[0].warnings == plain.runs[0].warnings
    (ours,), (theirs,) = (one.runs[0].view.items.values() for one in (report, plain))
    assert ours.columns.keys() == theirs.columns.keys()
    assert all(np.array_equal(ours.columns[name], theirs.columns[name]) for name in ours.columns)


def test_literal_evidence_is_about_the_ends_of_each_side():
    pred = Graph.from_edges([("a", "b"), ("x", "y")])
    gold = Graph.from_edges([("a", "b"), ("a", "c"), ("z", "y")])
    table = Literal().score(pred=pred, gold=gold).matching.table()
    rows = list(zip(table["item"], table["child_present"], table["parent_present"], strict=True))
    assert rows[:2] == [("a -> b", True, True), ("x -> y", False, True)]
    assert rows[2:] == [("a -> b", True, True), ("a -> c", True, False), ("z -> y", False, True)]


@pytest.mark.parametrize("measure", [Fuzzy(threshold=0.3), Fuzzy(threshold=0.3, inclusive=True), Nodes(threshold=0.3)])
def test_what_is_kept_between_predictions_moves_no_number(measure, monkeypatch):
    calls = []
    monkeypatch.setattr(
        "goldassay.graphs.match.find_near_texts",
        lambda *rows, **options: calls.append(1) or find_near_texts(*rows, **options),
    )
    gold = Graph.from_edges([("cat", "animal"), ("viola", "violin")])
    others = [[("cats", "animals"), ("dog", "cats")], [("dog", "animals"), ("cats", "cats")], [("violin", "violin")]]
    context = Context(encoder=ENCODER, repeats=True)
    for number, pred in enumerate([*others, *others[::-1]]):
        kept = measure.evaluate(pred=Graph.from_edges(pred), gold=gold, context=context)
        single = measure.evaluate(pred=Graph.from_edges(pred), gold=gold, context=Context(encoder=ENCODER))
        assert dict(kept.counts) == dict(single.counts)
        # The first two have the same texts; the last two too.
        assert len(calls) == (0 if isinstance(measure, Nodes) else [1, 1, 2, 2, 3, 3][number])


def test_without_memory_for_what_is_kept_the_numbers_are_the_same():
    gold = Graph.from_edges([("cat", "animal"), ("viola", "violin")])
    pred = Graph.from_edges([("cats", "animals"), ("dog", "cats")])
    tight, usual = (
        Context(encoder=ENCODER, repeats=repeats, memory=memory) for repeats, memory in ((True, 1), (False, 2**29))
    )
    measure = Fuzzy(threshold=0.3)
    counts = [dict(measure.evaluate(pred=pred, gold=gold, context=context).counts) for context in (tight, usual)]
    assert counts[0] == counts[1]


OTHERS = (("cats", "animals"), ("cat", "animal"), ("dog", "cats"), ("violin", "violas"), ("dogs", "pet"), ("a", "b"))


def counting(monkeypatch):
    """Count which texts are compared with those of gold."""
    calls = []
    monkeypatch.setattr(
        "goldassay.graphs.match.find_near_texts",
        lambda vectors, left, *rest, **options: (
            calls.append(len(left)) or find_near_texts(vectors, left, *rest, **options)
        ),
    )
    return calls


def score_one_after_another():
    """Score predictions against one gold, and compare each score with that of the prediction by itself."""
    gold = Graph.from_edges([("cat", "animal"), ("viola", "violin")])
    context = Context(encoder=ENCODER, shared=(gold,))
    for edge in OTHERS:
        kept = Fuzzy(threshold=0.3).evaluate(pred=Graph.from_edges([edge]), gold=gold, context=context)
        single = Fuzzy(threshold=0.3).score(pred=Graph.from_edges([edge]), gold=gold, encoder=ENCODER)
        assert dict(kept.counts) == dict(single.counts)


def test_texts_that_gold_or_the_prediction_before_has_are_compared_once(monkeypatch):
    calls = counting(monkeypatch)
    score_one_after_another()
    # Gold has four texts and the first prediction two more. The second has none of its own, the third and fourth have one.
    assert calls == [6, 1, 1, 2, 2]


@pytest.mark.parametrize(("pairs", "compared"), [(23, []), (24, [6])])
def test_a_prediction_of_many_new_texts_is_matched_by_its_edges(pairs, compared, monkeypatch):
    calls = counting(monkeypatch)
    monkeypatch.setattr("goldassay.graphs.match.WORTH_COMPARING", pairs)
    gold = Graph.from_edges([("cat", "animal"), ("viola", "violin")])
    Fuzzy().evaluate(pred=Graph.from_edges([OTHERS[0]]), gold=gold, context=Context(encoder=ENCODER, shared=(gold,)))
    assert calls == compared


def test_after_too_many_pairs_for_the_memory_all_texts_are_compared_anew(monkeypatch):
    refused = iter([True])
    monkeypatch.setattr(
        "goldassay.graphs.match.find_near_texts",
        lambda *rows, **options: None if next(refused, False) else find_near_texts(*rows, **options),
    )
    score_one_after_another()


@pytest.mark.parametrize(("predictions", "compared"), [(4, 0), (5, 1)])
def test_from_five_predictions_on_gold_is_laid_out_once(predictions, compared, monkeypatch):
    calls = counting(monkeypatch)
    gold = Graph.from_edges([("cat", "animal"), ("viola", "violin")])
    goldassay.evaluate([gold] * predictions, gold=gold, measures="fuzzy", encoder=ENCODER)
    assert len(calls) == compared


def test_a_usual_score_has_no_remark_and_a_lenient_threshold_has_one():
    words = [f"{one}{other}" for one in "abcdefgh" for other in "stuvwxyz"]
    graphs = [Graph.from_edges(list(zip(some[::2], some[1::2], strict=True))) for some in (words[:32], words[32:])]
    usual, lenient = (
        Fuzzy(threshold=threshold).score(pred=graphs[0], gold=graphs[1], encoder=ENCODER) for threshold in (0.9, -0.9)
    )
    assert usual.note is None
    assert (
        lenient.note
        == "the threshold accepts 100% of random pairs of these texts: goldassay calibrate PRED --gold GOLD --against-chance 0.01"
    )


@pytest.mark.parametrize(
    ("pred", "messages"),
    [
        ([("cat", "cat")], "1 self-loop of the prediction scores, and gold has no such edge"),
        ([("cat", "cat"), ("cats", "cats")], "2 self-loops of the prediction score, and gold has no such edge"),
        (
            [("cat", "cat"), ("dog", "dog"), ("violin", "violin")],
            "1 self-loop of the prediction scores, and gold has no such edge",
        ),
        ([("cat", "cats")], None),
    ],
)
def test_self_loops_that_score_are_counted(pred, messages):
    gold = Graph.from_edges([("cat", "cats"), ("dog", "dog")])
    assert Fuzzy(threshold=0.3).score(pred=Graph.from_edges(pred), gold=gold, encoder=ENCODER).note == messages
    assert Nodes(threshold=0.3).score(pred=Graph.from_edges(pred), gold=gold, encoder=ENCODER).note is None


def test_which_measures_sum_over_records():
    kinds = {measure.name: measure() for measure in families.family("taxonomy").measures.classes}
    assert [name for name in ("literal", "fuzzy") if not kinds[name].sums_over_records] == []
    assert [name for name in ("nodes", "continuous", "graph", "closure") if kinds[name].sums_over_records] == []


def test_terms_that_may_be_matched_otherwise_have_no_symmetry():
    assert goldassay.parse("edges(terms=exact)").symmetry == "swap"
    assert goldassay.parse("edges(terms=meaning)").symmetry == "none"
