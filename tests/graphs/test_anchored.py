"""Anchored edges against an oracle written from the definition, and what its variants refuse."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context
from goldassay.formats.labels import split_local_name
from goldassay.graphs import Anchored, Graph, anchors
from goldassay.graphs.measures.anchored import CELL
from goldassay.kernels.cosine import pair_cosines

WORDS = ["cat", "cats", "CAT", "a cat", "dog", "dogs", "animal", "animals", "violin", "Viola", "viola"]
RELATIONS = ["is a", "isA", "eats"]


class Coarse:
    """An encoder with few vectors, so that many texts tie: equal vectors, and equal cosines of other ones."""

    name, fingerprint, dimension = "coarse", "c0", 3

    def encode(self, texts, *, progress=None):
        rows = [[len(text) % 3 + 1, sum(map(ord, text.lower())) % 3, len(text) % 2] for text in texts]
        rows = np.array(rows, dtype=np.float64).reshape(-1, 3)
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


ENCODERS = [goldassay.get_encoder("hashing"), Coarse()]
edges = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(RELATIONS), st.sampled_from(WORDS)), min_size=1, max_size=9
)
thresholds = st.floats(-0.5, 0.99)


def cosine(left, right, encoder):
    return 1.0 if left == right else float(pair_cosines(encoder.encode([left, right]), np.array([0]), np.array([1]))[0])


def anchors_of(text, others, threshold, encoder):
    if text in others:
        return {text} if threshold < 1 else set()
    cosines = {other: cosine(text, other, encoder) for other in others}
    best = max(cosines.values())
    return {other for other, value in cosines.items() if value == best > threshold}


def closed(some):
    """All pairs that follow by transitivity."""
    found = set(some)
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return found


def naive(asking, answering, *, threshold, encoder, of="edges", mutual=False, relation="ignore"):
    """Which of some edges (child, relation, parent) are right."""
    here, there = ({text for a, _, b in side for text in (a, b)} for side in (asking, answering))
    forth = {text: anchors_of(text, there, threshold, encoder) for text in here}
    if mutual:
        back = {text: anchors_of(text, here, threshold, encoder) for text in there}
        forth = {text: {a for a in found if text in back[a]} for text, found in forth.items()}

    def alike(left, right):
        if relation == "fuzzy":
            return cosine(split_local_name(left), split_local_name(right), encoder) > threshold
        return relation == "ignore" or left == right

    right = set()
    for u, messages, v in asking:
        known = {(a, b) for a, other, b in answering if alike(messages, other)}
        known = closed(known) if of == "closure" else known
        if any(pair in known for pair in product(forth[u], forth[v])):
            right.add((u, messages, v))
    return right


VARIANTS = [
    {},
    {"of": "closure"},
    {"mutual": True},
    {"mutual": True, "of": "closure"},
    {"relation": "exact"},
    {"relation": "exact", "of": "closure"},
    {"relation": "fuzzy"},
]


@pytest.mark.parametrize("encoder", ENCODERS, ids=["hashing", "coarse"])
@pytest.mark.parametrize("options", VARIANTS, ids=str)
@given(edges, edges, thresholds)
def test_it_is_the_definition(encoder, options, pred, gold, threshold):
    by_relation = options.get("relation", "ignore") != "ignore"
    score = Anchored(threshold=threshold, **options).score(
        pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), encoder=encoder
    )

    def key(edge):
        return edge if by_relation else (edge[0], edge[2])

    hits = [
        {key(edge) for edge in naive(here, there, threshold=threshold, encoder=encoder, **options)}
        for here, there in ((pred, gold), (gold, pred))
    ]
    assert dict(score.counts) == {
        "hit_pred": len(hits[0]),
        "hit_gold": len(hits[1]),
        "n_pred": len({key(edge) for edge in pred}),
        "n_gold": len({key(edge) for edge in gold}),
    }
    # Whether all texts are anchored, or those only whose anchor can make an edge right, changes no hit.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anchors, "MANY", 1)
        models = {"pred": Graph.from_edges(pred), "gold": Graph.from_edges(gold)}
        for evidence in (False, True):
            context = Context(encoder=encoder, evidence=evidence)
            again = Anchored(threshold=threshold, **options).evaluate(**models, context=context)
            assert dict(again.counts) == dict(score.counts)
            np.testing.assert_array_equal(again.matching.pred.similarity, score.matching.pred.similarity)
            np.testing.assert_array_equal(again.matching.gold.counterpart, score.matching.gold.counterpart)
    # A hit names an edge of the other side: where one is matched directly.
    table = score.matching.table()
    for verdict, counterpart in zip(table["verdict"], table["counterpart"], strict=True):
        if options.get("of") != "closure":
            assert (verdict == "hit") == (counterpart is not None)


@pytest.mark.parametrize("encoder", ENCODERS, ids=["hashing", "coarse"])
@given(edges, edges, st.floats(-0.5, 0.9))
def test_one_to_one_anchors_add_up_to_most(encoder, pred, gold, threshold):
    from scipy.optimize import linear_sum_assignment

    measure = Anchored(threshold=threshold, assignment="one")
    matching = measure.score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), encoder=encoder).matching
    here, there = ({text for a, _, b in side for text in (a, b)} for side in (pred, gold))
    worth = np.array([[cosine(a, b, encoder) for b in sorted(there)] for a in sorted(here)])
    worth = np.where(worth > max(threshold, 0), worth, 0)
    best = worth[linear_sum_assignment(worth, maximize=True)].sum()
    for found in matching.anchors:
        assert np.nansum(found.similarity) == pytest.approx(best, abs=1e-6)
        assert len(set(found.codes.tolist())) == len(found.codes) == np.count_nonzero(found.similarity > threshold)


def test_an_equal_text_wins_over_an_equal_vector():
    gold = Graph.from_edges([("Cat", "pet"), ("cat", "animal")])
    encoder = goldassay.get_encoder("hashing")
    assert cosine("Cat", "cat", encoder) == 1.0
    right = Anchored().score(pred=Graph.from_edges([("cat", "animal")]), gold=gold, encoder=encoder)
    wrong = Anchored().score(pred=Graph.from_edges([("cat", "pet")]), gold=gold, encoder=encoder)
    either = Anchored().score(pred=Graph.from_edges([("CAT", "pet")]), gold=gold, encoder=encoder)
    assert (right.precision, wrong.precision, either.precision) == (1.0, 0.0, 1.0)


def test_a_text_without_edges_is_an_anchor_too():
    gold = Graph.from_edges([("cats", "animal"), ("cat", "top")]).take(np.array([0]))
    score = Anchored().score(pred=Graph.from_edges([("cat", "animal")]), gold=gold, encoder="hashing")
    assert score.precision == 0.0


def test_evidence_names_the_anchors_of_a_miss():
    gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
    pred = Graph.from_edges([("leukemias", "disease"), ("traffic", "cancer")])
    score = Anchored().score(pred=pred, gold=gold, encoder="hashing")
    first, second = sorted(score.matching.invented(), key=lambda one: one.item)
    assert (first.details["child_anchor"], first.details["parent_anchor"]) == ("leukemia", "disease")
    assert first.details["child_cosine"] == pytest.approx(cosine("leukemias", "leukemia", ENCODERS[0]))
    assert (second.details["child_anchor"], second.details["parent_cosine"]) == (None, 1.0)
    assert first.counterpart is None
    assert "child_anchor leukemia" in str(first)


def test_edges_of_the_same_texts_count_once_and_by_their_relation_where_that_counts():
    pred = Graph.from_edges(
        [("a", "is", "x"), ("b", "is", "x"), ("b", "has", "x")], texts={"a": "cat", "b": "cat", "x": "pet"}
    )
    gold = Graph.from_edges([("cat", "is", "pet")])
    counts = [
        Anchored(relation=how).score(pred=pred, gold=gold, encoder="hashing").counts for how in ("ignore", "exact")
    ]
    assert [(one["n_pred"], one["hit_pred"]) for one in counts] == [(1, 1), (2, 1)]


def test_what_follows_on_a_cycle_follows_in_both_directions_and_is_warned_of():
    gold = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")])
    pred = Graph.from_edges([("b", "a"), ("a", "a"), ("a", "d"), ("d", "c")])
    score = Anchored(of="closure").score(pred=pred, gold=gold, encoder="hashing")
    assert score.matching.pred.credit.tolist() == [1, 1, 0, 1]
    assert score.warning == (
        "anchored(threshold=0.436, of=closure): 3 texts of gold lie on cycles, where every edge "
        "follows in both directions"
    )
    assert Anchored().score(pred=pred, gold=gold, encoder="hashing").warning is None


def test_blocks_of_targets_change_nothing():
    rng = np.random.default_rng(0)
    pred, gold = (
        Graph.from_edges([(str(a), str(b)) for a, b in rng.integers(0, 200, (300, 2)).tolist()]) for _ in range(2)
    )
    measure = Anchored(of="closure", threshold=0.9)
    whole, parts = (
        measure.evaluate(pred=pred, gold=gold, context=Context(encoder=ENCODERS[0], memory=memory))
        for memory in (2**29, 1)
    )
    assert dict(whole.counts) == dict(parts.counts)
    assert 0 < whole.counts["hit_pred"] < whole.counts["n_pred"]


def test_predictions_of_the_same_texts_are_anchored_once(monkeypatch):
    calls = []
    monkeypatch.setattr(
        anchors, "nearest_rows", lambda *a, real=anchors.nearest_rows, **k: calls.append(1) or real(*a, **k)
    )
    gold = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    context = Context(encoder=ENCODERS[0], repeats=True)
    first, turned = (
        Graph.from_edges([("cats", "pet"), ("dog", "cats")]),
        Graph.from_edges([("pet", "cats"), ("cats", "dog")]),
    )
    scores = [Anchored().evaluate(pred=pred, gold=gold, context=context) for pred in (first, turned, first)]
    assert len(calls) == 2
    assert [score.precision for score in scores] == [0.5, 0.0, 0.5]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mutual": True, "assignment": "one"}, "one-to-one anchors are always mutual"),
        ({"of": "closure", "relation": "fuzzy"}, "transitivity needs edges of one relation"),
    ],
)
def test_what_has_no_effect_is_refused(options, message):
    with pytest.raises(goldassay.UsageError, match=message):
        Anchored(**options)


def test_too_many_texts_to_assign_are_refused():
    pred, gold = (Graph.from_edges([(str(a), "x") for a in range(size)]) for size in (50, 99))
    sides = {"pred": pred, "gold": gold}
    needed = 51 * 100 * CELL
    with pytest.raises(goldassay.UsageError, match="need more memory than the limit") as caught:
        Anchored(assignment="one").evaluate(**sides, context=Context(encoder=ENCODERS[0], memory=needed - 1))
    assert f"51 x 100 texts, {needed / 1024 / 1024:.3g} MB" in str(caught.value)
    assert Anchored(assignment="one").evaluate(**sides, context=Context(encoder=ENCODERS[0], memory=needed)).values


@pytest.mark.parametrize("options", [{"assignment": "one"}, {"relation": "fuzzy"}])
def test_where_there_is_no_curve(options):
    assert not Anchored(**options).swept
    with pytest.raises(goldassay.UsageError, match="curves are not supported"):
        Anchored(**options).curve(
            pred=Graph.from_edges([("a", "b")]), gold=Graph.from_edges([("a", "b")]), encoder="hashing"
        )
