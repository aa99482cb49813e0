"""Continuous and graph scores against brute force, networkx and plain dense code."""

import warnings
from dataclasses import replace
from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.graphs import Continuous, Fuzzy, Graph, GraphF1, Nodes
from goldassay.kernels.edges import assignment
from goldassay.kernels.edges.assignment import assign, least_memory

WORDS = ["cat", "cats", "a cat", "dog", "animal", "animals", "violin", "viola"]
ENCODER = goldassay.get_encoder("hashing")
edges = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), min_size=1, max_size=5, unique=True)


def unit(texts):
    rows = ENCODER.encode(texts).astype(np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def best_by_force(similarity):
    if len(similarity) > len(similarity[0]):
        similarity = similarity.T
    rows = range(len(similarity))
    return max(sum(similarity[r, c] for r, c in zip(rows, some, strict=True))
               for some in permutations(range(similarity.shape[1]), len(similarity)))  # fmt: skip


@given(edges, edges)
def test_continuous_is_the_best_of_all_assignments(pred, gold):
    sources = unit([a for a, _ in pred]) @ unit([a for a, _ in gold]).T
    targets = unit([b for _, b in pred]) @ unit([b for _, b in gold]).T
    best = best_by_force(np.minimum(sources, targets))
    score = Continuous().score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), encoder=ENCODER)
    assert score.precision == pytest.approx(best / len(pred), abs=1e-6)
    assert score.recall == pytest.approx(best / len(gold), abs=1e-6)
    assert score.f1_upper == score.f1


def test_texts_without_an_edge_are_not_encoded():
    graph = Graph.from_edges([("cat", "animal"), ("viola", "violin")])
    part = graph.take(np.array([1]))
    seen = []

    class Watched:
        name, fingerprint, dimension = ENCODER.name, ENCODER.fingerprint, ENCODER.dimension

        def encode(self, texts, **options):
            seen.extend(texts)
            return ENCODER.encode(texts, **options)

    assert Continuous().score(pred=part, gold=part, encoder=Watched()).f1 == pytest.approx(1.0)
    assert sorted(seen) == ["viola", "violin"]


def smoothed_by_networkx(pairs, hops, direction, length=lambda text: 1.0):
    graph = nx.DiGraph([(parent, child) for child, parent in pairs])
    if direction == "reverse":
        graph = graph.reverse()
    if direction == "undirected":
        graph = graph.to_undirected().to_directed()
    nodes = sorted(graph)
    adjacency = nx.to_numpy_array(graph, nodelist=nodes, weight=None)
    np.fill_diagonal(adjacency, 1.0)
    scale = np.diag(adjacency.sum(axis=0) ** -0.5)
    rows = np.linalg.matrix_power((scale @ adjacency @ scale).T, hops) @ (
        unit(nodes) * [[length(node)] for node in nodes]
    )
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@given(edges.filter(lambda e: len({t for p in e for t in p}) < 6), edges.filter(lambda e: len({t for p in e for t in p}) < 6),
       st.integers(0, 3), st.sampled_from(["forward", "reverse", "undirected"]))  # fmt: skip
def test_graph_is_the_definition(pred, gold, hops, direction):
    here, there = (smoothed_by_networkx(side, hops, direction) for side in (pred, gold))
    best = best_by_force(here @ there.T)
    measure = GraphF1(hops=hops, direction=direction)
    score = measure.score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), encoder=ENCODER)
    assert score.precision == pytest.approx(best / len(here), abs=1e-5)
    assert score.recall == pytest.approx(best / len(there), abs=1e-5)


@pytest.mark.parametrize("direction", ["forward", "reverse", "undirected"])
@pytest.mark.parametrize("hops", [0, 1, 2])
def test_smoothing_goes_the_way_that_is_asked_for(direction, hops):
    pred = [("cat", "animal"), ("dog", "animal"), ("animal", "viola")]
    gold = [("cats", "animals"), ("animals", "violin"), ("cats", "violin")]
    here, there = (smoothed_by_networkx(side, hops, direction) for side in (pred, gold))
    models = {"pred": Graph.from_edges(pred), "gold": Graph.from_edges(gold)}
    score = GraphF1(hops=hops, direction=direction).score(**models, encoder=ENCODER)
    assert score.precision == pytest.approx(best_by_force(here @ there.T) / 4, abs=1e-5)
    assert score.recall == pytest.approx(best_by_force(here @ there.T) / 3, abs=1e-5)


def test_pooled_smooths_vectors_of_their_own_lengths():
    class Long:
        name, fingerprint, dimension, encode = "long", ENCODER.fingerprint, ENCODER.dimension, ENCODER.encode

        @staticmethod
        def lengths(texts, *, progress=None):
            return np.array([len(text) for text in texts], dtype=np.float32)

    pred, gold = [("cat", "animal"), ("a cat", "animal")], [("cats", "animals"), ("violin", "animals")]
    here, there = (smoothed_by_networkx(side, 1, "undirected", length=len) for side in (pred, gold))
    models = {"pred": Graph.from_edges(pred), "gold": Graph.from_edges(gold)}
    score = GraphF1(hops=1, direction="undirected", pooled=True).score(**models, encoder=Long())
    assert score.precision == pytest.approx(best_by_force(here @ there.T) / 3, abs=1e-5)


@pytest.mark.parametrize("measure", [Continuous(), GraphF1()])
def test_the_order_of_the_input_moves_no_row(measure):
    pred = [("cat", "animal"), ("dog", "animal"), ("cats", "animal"), ("violin", "viola")]
    gold = Graph.from_edges([("cats", "animals"), ("dog", "animals")])
    tables = [
        repr(measure.score(pred=Graph.from_edges(order), gold=gold, encoder=ENCODER).matching.table())
        for order in (pred, pred[::-1], [*pred[1:], pred[0]])
    ]
    assert tables[0] == tables[1] == tables[2]


def random_problem(seed, texts=60, left=90, right=130, dimension=8):
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(texts, dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, random.integers(0, texts, (left, 2)), random.integers(0, texts, (right, 2))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("gap", [1e-1, 1e-2, 1e-3])
@pytest.mark.parametrize("turned", [False, True])
def test_the_bounds_hold_the_best(seed, gap, turned, monkeypatch):
    vectors, left, right = random_problem(seed, left=40 + 11 * seed)
    if turned:
        left, right = right, left
    exact = assign(vectors, left, right, gap=gap)
    monkeypatch.setattr(assignment, "CANDIDATES", 4)
    memory = assignment.DENSE_BYTES * len(left) * len(right) - 1
    found = assign(vectors, left, right, gap=gap, memory=memory)
    few = min(len(left), len(right))
    assert found.total <= exact.total + 1e-9 <= found.upper + 2e-9
    assert found.upper - found.total <= gap * few
    matched = found.counterpart[found.counterpart >= 0]
    assert len(matched) == len(set(matched.tolist())) == few
    assert exact.upper == exact.total


@pytest.mark.parametrize("seed", range(4))
def test_bounds_hold_where_memory_is_too_small_for_the_gap(seed):
    vectors, left, right = random_problem(seed, left=60, right=60)
    exact = assign(vectors, left, right, gap=1e-3)
    found = assign(vectors, left, right, gap=1e-3, memory=least_memory(60, 60))
    assert found.total <= exact.total + 1e-9 <= found.upper + 2e-9
    assert sorted(found.counterpart.tolist()) == list(range(60))


def test_ties_by_the_hundred():
    """A star whose hub is less alike than any leaf: every pair is as good as any other."""
    vectors = np.eye(6, dtype=np.float32)
    left, right = np.tile([[0, 1]], (300, 1)), np.tile([[0, 2]], (400, 1))
    found = assign(vectors, left, right, gap=1e-3, memory=100_000)
    assert (found.total, found.upper) == (0.0, pytest.approx(0.0, abs=300 * 1e-3))


def test_nothing_on_one_side():
    none = np.empty((0, 2), dtype=np.int64)
    found = assign(np.eye(2, dtype=np.float32), none, np.array([[0, 1]]), gap=1e-3)
    assert (found.total, found.upper, len(found.counterpart)) == (0.0, 0.0, 0)


@pytest.mark.parametrize(("gap", "memory"), [(0.0, 2**20), (float("nan"), 2**20), (1e-3, 1)])
def test_a_gap_or_a_memory_that_no_one_can_work_with(gap, memory):
    with pytest.raises(ValueError, match="expected"):
        assign(np.eye(2, dtype=np.float32), np.array([[0, 1]]), np.array([[0, 1]]), gap=gap, memory=memory)


@pytest.mark.parametrize("measure", [Continuous(), GraphF1()])
def test_a_memory_too_small_says_how_much_is_needed(measure):
    graph = Graph.from_edges([(f"leaf {i}", "root") for i in range(300)])
    context = goldassay.core.context.Context(encoder=ENCODER, memory=1000)
    with pytest.raises(goldassay.UsageError, match="memory limit is too small") as caught:
        measure.evaluate(pred=graph, gold=graph, context=context)
    assert caught.value.hint == "--memory 1"
    assert (caught.value.found, caught.value.expected) == ("0.000954 MB", "at least 1 MB")


def test_the_memory_that_is_needed_is_reported_in_whole_megabytes(monkeypatch):
    monkeypatch.setattr("goldassay.graphs.measures.assigned.least_memory", lambda left, right: 5 * 2**19)
    context = goldassay.core.context.Context(encoder=ENCODER, memory=3 * 2**19)
    with pytest.raises(goldassay.UsageError) as caught:
        Continuous().evaluate(pred=tree(2), gold=tree(2), context=context)
    messages = (caught.value.found, caught.value.expected, caught.value.hint)
    assert messages == ("1.5 MB", "at least 3 MB", "--memory 3")


def tree(leaves, name="leaf"):
    return Graph.from_edges([(f"{name} {number}", "root") for number in range(leaves)])


def test_the_distance_from_the_best_is_a_mean_over_the_smaller_side():
    context = goldassay.core.context.Context(encoder=ENCODER, memory=least_memory(1, 40))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        found = Continuous().evaluate(pred=tree(1), gold=tree(40, "leaves"), context=context)
    assert found.counts["slack"] > 0
    assert found.signature.fields["assignment"] == f"within {found.counts['slack']:.1e}"
    assert found.f1_upper == pytest.approx(2 * (found.counts["hit_pred"] + found.counts["slack"]) / 41)


@pytest.mark.parametrize("sizes", [(10, 300), (300, 10)])
def test_the_least_memory_is_that_of_the_smaller_side(sizes):
    pred, gold = tree(sizes[0]), tree(sizes[1], "leaves")
    least = least_memory(10, 300)
    assert least == 2 * 24 * 10
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        enough = goldassay.core.context.Context(encoder=ENCODER, memory=least)
        assert Continuous().evaluate(pred=pred, gold=gold, context=enough).f1 > 0
        few = goldassay.core.context.Context(encoder=ENCODER, memory=least - 1)
        with pytest.raises(goldassay.UsageError, match="memory limit is too small"):
            Continuous().evaluate(pred=pred, gold=gold, context=few)


@pytest.mark.parametrize("measure", [Continuous(), GraphF1()])
def test_a_bounded_score_says_so(measure):
    pred = Graph.from_edges([(f"leaf {i}", f"branch {i % 7}") for i in range(90)])
    gold = Graph.from_edges([(f"leave {i}", f"branches {i % 9}") for i in range(110)])
    exact = measure.score(pred=pred, gold=gold, encoder=ENCODER)
    context = goldassay.core.context.Context(encoder=ENCODER, memory=150_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        bounded = measure.evaluate(pred=pred, gold=gold, context=context)
    assert bounded.f1 <= exact.f1 + 1e-9 <= bounded.f1_upper + 2e-9
    few = min(bounded.counts["n_pred"], bounded.counts["n_gold"])
    assert bounded.signature.fields["assignment"] == f"within {bounded.counts['slack'] / few:.1e}"
    assert measure.units(bounded.matching) is None
    assert measure.units(exact.matching) is not None
    assert goldassay.Signature.parse(str(bounded.signature)) == bounded.signature


def test_the_evidence_names_the_counterpart():
    pred, gold = (
        Graph.from_edges([("violins", "instrument")]),
        Graph.from_edges([("dog", "pet"), ("violin", "instrument")]),
    )
    table = Continuous().score(pred=pred, gold=gold, encoder=ENCODER).matching.table()
    rows = dict(zip(table["item"], zip(table["verdict"], table["counterpart"], strict=True), strict=True))
    assert rows["violins -> instrument"] == ("partial", "violin -> instrument")
    assert rows["dog -> pet"] == ("missed", None)


def test_pooled_needs_an_encoder_that_knows():
    graph = Graph.from_edges([("cat", "pet")])
    with pytest.raises(goldassay.UsageError, match="does not provide the lengths"):
        GraphF1(pooled=True).score(pred=graph, gold=graph, encoder=ENCODER)


HUB = Graph.from_edges([("a", "a")])
SPOKES = Graph.from_edges([(f"a {number}", f"a {number + 1}") for number in range(500)])


def test_a_self_loop_that_matches_all_of_gold_serves_once():
    many = Fuzzy(threshold=0.1).score(pred=HUB, gold=SPOKES, encoder=ENCODER)
    assert (many.precision, many.recall) == (1.0, 0.904)
    one = Fuzzy(threshold=0.1, assignment="one").score(pred=HUB, gold=SPOKES, encoder=ENCODER)
    assert (one.precision, one.recall) == (1.0, 1 / 500)
    assert one.counts["hit_pred"] == one.counts["hit_gold"] == 1
    assert one.f1_upper == one.f1
    assert len(one.measure.units(one.matching)) == 501
    assert one.measure.units(replace(one.matching, slack=1)) is None
    assert one.signature.fields["assignment"] == "exact"
    assert str(one.measure) == "fuzzy(threshold=0.1, assignment=one)"
    assert Fuzzy(assignment="one", threshold=0.1).sums_over_records is False
    assert Fuzzy().sums_over_records is True
    back = Fuzzy(threshold=0.1, assignment="one").score(pred=SPOKES, gold=HUB, encoder=ENCODER)
    assert (back.precision, back.recall) == (1 / 500, 1.0)


def test_a_node_serves_once():
    pred, gold = Graph.from_edges([("cat", "cats")]), Graph.from_edges([("cats", "the cats"), ("a cat", "violin")])
    assert Nodes(threshold=0.3).score(pred=pred, gold=gold, encoder=ENCODER).recall == 0.75
    one = Nodes(threshold=0.3, assignment="one").score(pred=pred, gold=gold, encoder=ENCODER)
    assert (one.precision, one.recall) == (1.0, 0.5)


@given(edges, edges, st.sampled_from([0.1, 0.3, 0.6]), st.booleans())
def test_one_to_one_is_the_definition(pred, gold, threshold, inclusive):
    sources = unit([a for a, _ in pred]) @ unit([a for a, _ in gold]).T
    targets = unit([b for _, b in pred]) @ unit([b for _, b in gold]).T
    best = best_by_force((np.minimum(sources, targets) > threshold).astype(int))
    measure = Fuzzy(threshold=threshold, inclusive=inclusive, assignment="one")
    score = measure.score(pred=Graph.from_edges(pred), gold=Graph.from_edges(gold), encoder=ENCODER)
    assert score.precision == pytest.approx(best / len(pred))
    assert score.recall == pytest.approx(best / len(gold))


def test_relations_decide_who_may_match_one_to_one():
    pred = Graph.from_edges([("cat", "animal"), ("cats", "animal")], relation="is a")
    gold = Graph.from_edges([("cat", "animal"), ("a cat", "animals")], relation="is a kind of")
    values = {
        relation: Fuzzy(threshold=0.2, assignment="one", relation=relation)
        .score(pred=pred, gold=gold, encoder=ENCODER)
        .f1
        for relation in ("ignore", "exact", "fuzzy")
    }
    assert values == {"ignore": 1.0, "exact": 0.0, "fuzzy": 1.0}


def test_one_to_one_beyond_memory_has_a_bound_and_no_units():
    pred = Graph.from_edges([(f"leaf {i}", f"branch {i % 7}") for i in range(90)])
    gold = Graph.from_edges([(f"leave {i}", f"branches {i % 9}") for i in range(110)])
    measure = Fuzzy(threshold=0.3, assignment="one")
    exact = measure.score(pred=pred, gold=gold, encoder=ENCODER)
    context = goldassay.core.context.Context(encoder=ENCODER, memory=0)
    bounded = measure.evaluate(pred=pred, gold=gold, context=context)
    assert bounded.f1 <= exact.f1 <= bounded.f1_upper
    assert bounded.f1 < bounded.f1_upper
    slack = bounded.counts["slack"]
    assert bounded.signature.fields["assignment"] == f"within {slack}"
    assert bounded.f1_upper == pytest.approx(2 * (bounded.counts["hit_pred"] + slack) / 200)
    assert measure.units(bounded.matching) is None
    assert measure.units(exact.matching) is not None


def test_the_evidence_of_one_to_one_names_the_partner():
    pred, gold = Graph.from_edges([("a", "a")]), Graph.from_edges([("a", "a b"), ("b", "c"), ("a", "a c")])
    table = Fuzzy(threshold=0.1, assignment="one").score(pred=pred, gold=gold, encoder=ENCODER).matching.table()
    rows = list(zip(table["side"], table["item"], table["verdict"], table["counterpart"], strict=True))
    [partner] = [counterpart for side, _, _, counterpart in rows if side == "pred"]
    assert ("gold", partner, "hit", "a -> a") in rows
    assert [verdict for side, _, verdict, _ in rows if side == "gold"].count("missed") == 2


def test_there_is_no_curve_one_to_one():
    with pytest.raises(goldassay.UsageError, match="curves are not supported with one-to-one matching"):
        Fuzzy(assignment="one").curve(pred=HUB, gold=HUB, encoder=ENCODER)
