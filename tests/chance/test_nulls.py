"""Null models keep what they promise; closed forms agree with draws and with what others computed."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import goldassay
from goldassay.alignments import Alignment, HitAtK, MeanRank, Mrr
from goldassay.alignments.trust import permute_targets, random_order, random_ranks
from goldassay.axioms import Axioms
from goldassay.chance.level import draws_of
from goldassay.concepts import Concepts
from goldassay.core.chance import Chance
from goldassay.core.context import Context
from goldassay.families import family
from goldassay.graphs import Graph, Literal
from goldassay.graphs.nulls import NULLS, hypergeometric, random_edges, reverse_edges, rewire, shuffle_texts
from goldassay.unl import document_of

EDGES = [("a", "b"), ("a", "c"), ("b", "c"), ("d", "c"), ("d", "e"), ("f", "e"), ("g", "a"), ("h", "a"), ("h", "h")]


def texts_of(graph):
    return Counter(zip(graph.texts[graph.edges[:, 0]].tolist(), graph.texts[graph.edges[:, 1]].tolist(), strict=True))


@pytest.mark.parametrize("seed", range(5))
def test_shuffled_texts_keep_the_shape_and_the_vocabulary(seed):
    pred = Graph.from_edges(EDGES)
    drawn = shuffle_texts(pred, pred, np.random.default_rng(seed))
    assert drawn.edges.tolist() == pred.edges.tolist()
    assert sorted(drawn.texts.tolist()) == sorted(pred.texts.tolist())


def test_shuffled_texts_leave_nodes_without_edges_only():
    pred = Graph.from_edges(EDGES).take(np.array([0]))
    drawn = shuffle_texts(pred, pred, np.random.default_rng(3))
    assert {text for edge in texts_of(drawn) for text in edge} == {"a", "b"}


@pytest.mark.parametrize("seed", range(5))
def test_rewiring_keeps_degrees_loops_and_simple_edges(seed):
    pred = Graph.from_edges(EDGES)
    drawn = rewire(pred, pred, np.random.default_rng(seed))
    for end in (0, 1):
        assert np.bincount(drawn.edges[:, end]).tolist() == np.bincount(pred.edges[:, end]).tolist()
    assert len({tuple(edge) for edge in drawn.edges.tolist()}) == len(pred)
    loops = [edge for edge in drawn.edges.tolist() if edge[0] == edge[1]]
    assert [drawn.texts[edge[0]] for edge in loops] == ["h"]


def test_rewiring_changes_edges():
    pred = Graph.from_edges(EDGES)
    drawn = [texts_of(rewire(pred, pred, np.random.default_rng(seed))) for seed in range(5)]
    assert any(one != texts_of(pred) for one in drawn)


@pytest.mark.parametrize("count", [0, 1, 5, 9])
def test_random_edges_are_as_many_as_predicted_between_texts_of_gold(count):
    pred = Graph.from_edges(EDGES).take(np.arange(count))
    gold = Graph.from_edges([("x", "y"), ("y", "z")])
    drawn = random_edges(pred, gold, np.random.default_rng(0))
    assert len(drawn) == min(count, 6)
    assert len(texts_of(drawn)) == len(drawn)
    assert {text for edge in texts_of(drawn) for text in edge} <= {"x", "y", "z"}
    assert all(source != target for source, target in texts_of(drawn))


def test_random_edges_reach_every_pair_alike():
    gold = Graph.from_edges([("x", "y"), ("y", "z")])
    rng = np.random.default_rng(0)
    seen = sum((texts_of(random_edges(gold, gold, rng)) for _ in range(3000)), Counter())
    assert len(seen) == 6
    assert all(abs(count - 1000) < 4 * np.sqrt(3000 * (1 / 3) * (2 / 3)) for count in seen.values())


def test_reversing_turns_every_edge():
    pred = Graph.from_edges(EDGES)
    assert texts_of(reverse_edges(pred, pred, np.random.default_rng(0))) == Counter((b, a) for a, b in EDGES)


def test_permuted_parts_keep_kinds_names_and_distinct_axioms():
    rows = [(f"C{i % 4}", f"p{i % 3}", f"D{i % 5}", "object") for i in range(20)]
    rows += [(f"C{i}", "name", "xsd:string", "datatype") for i in range(4)]
    pred = Axioms.from_rows(rows)
    for seed in range(5):
        drawn = family("axioms").trust.nulls["permute-parts"].draw(pred, pred, np.random.default_rng(seed))
        assert drawn.kinds.tolist() == pred.kinds.tolist()
        assert drawn.rows[:, 0].tolist() == pred.rows[:, 0].tolist()
        for part in (1, 2):
            for kind in set(pred.kinds.tolist()):
                here = drawn.kinds == kind
                assert sorted(drawn.rows[here, part].tolist()) == sorted(pred.rows[here, part].tolist())
        assert len(np.unique(drawn.rows, axis=0)) == len(pred)
        names = [str(pred.spelling.fold(drawn.spellings[one])) for one in drawn.spelt[:, 2]]
        assert names == [str(drawn.keys[one]) for one in drawn.rows[:, 2]]


def test_permuted_targets_keep_cases_sources_targets_and_kinds():
    pred = Alignment.from_rows([(f"s{i // 2}", f"t{(i * 7) % 12}", "<" if i % 5 == 0 else "=") for i in range(20)])
    drawn = permute_targets(pred, pred, np.random.default_rng(0))
    assert drawn.sources.tolist() == pred.sources.tolist()
    for relation in set(pred.relations.tolist()):
        here = pred.relations == relation
        assert sorted(drawn.targets[here].tolist()) == sorted(pred.targets[here].tolist())
    assert len(np.unique(drawn.keys * 100 + drawn.relations)) == len(pred)
    assert drawn.targets.tolist() != pred.targets.tolist()


def test_documents_and_sentences_keep_their_ids_and_answers():
    pred = Concepts.from_lists([(f"d{i}", [f"c{i}"]) for i in range(10)])
    drawn = family("concepts").trust.nulls["permute-documents"].draw(pred, pred, np.random.default_rng(0))
    assert sorted(drawn.ids.tolist()) == sorted(pred.ids.tolist())
    assert drawn.ids.tolist() != pred.ids.tolist()
    document = document_of("".join(f"[S:{i}] agt(go{i}(icl>do), he) [/S]" for i in range(10)))
    drawn = family("unl").trust.nulls["permute-sentences"].draw(document, document, np.random.default_rng(0))
    assert drawn.ids == document.ids
    graphs = [[one.relations for one in model.sentences] for model in (drawn, document)]
    assert graphs[0] != graphs[1]
    assert sorted(map(str, graphs[0])) == sorted(map(str, graphs[1]))


# ---- closed forms


def without_loops(path):
    rows = [tuple(line.split("\t")) for line in path.read_text("utf-8").splitlines()[1:]]
    return Graph.from_edges([row for row in rows if row[0] != row[1]])


@pytest.mark.filterwarnings("ignore:1 name differs from one of the other side only in blanks")
@pytest.mark.parametrize("name", ["taxonomy2_vs_taxonomy1", "taxonomy3_vs_symbolic"])
def test_the_hypergeometric_moments_are_those_that_others_computed(reference_data, name):
    folder = reference_data / "graphs" / "chance"
    wanted = json.loads((folder / "expected" / "overlap_chance.json").read_text())[name]
    pred, gold = (without_loops(folder / f"{name}.{side}.tsv") for side in ("pred", "gold"))
    found = goldassay.evaluate(pred, gold=gold, measures="literal", chance=Chance(null="random-edges", draws=20))
    score = found["literal"]
    assert score.counts["hit_pred"] == wanted["tp"]
    assert score.chance.exact
    for value in ("precision", "recall", "f1"):
        assert score.chance.expected[value] == pytest.approx(wanted["expected"][value], rel=1e-12)
        assert score.chance.adjusted[value] == pytest.approx(wanted["chance_corrected"][value], rel=1e-9)
    assert score.chance.sd["precision"] * wanted["n_pred"] == pytest.approx(wanted["expected"]["tp_sd"], rel=1e-9)


@pytest.mark.parametrize("name", ["taxonomy2_vs_taxonomy1", "taxonomy3_vs_symbolic"])
def test_the_hypergeometric_mean_agrees_with_100_000_draws_of_others(reference_data, name):
    folder = reference_data / "graphs" / "chance"
    drawn = json.loads((folder / "expected" / "overlap_chance.json").read_text())[name]["simulation"]
    pred, gold = (without_loops(folder / f"{name}.{side}.tsv") for side in ("pred", "gold"))
    moments = hypergeometric(Literal(), Literal().match(pred=pred, gold=gold, context=Context()))
    assert abs(moments.expected["hit_pred"] - drawn["tp_mean"]) < 3 * drawn["standard_error_of_mean"]


def test_the_hypergeometric_moments_agree_with_draws():
    gold = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c"), ("e", "e")])
    pred = Graph.from_edges([(f"x{i}", "y") for i in range(4)])
    context = Context()
    moments = hypergeometric(Literal(), Literal().match(pred=pred, gold=gold, context=context))
    chance = Chance(null="random-edges", draws=2000)
    (values,) = draws_of(family("taxonomy"), [Literal()], pred=pred, gold=gold, context=context, chance=chance)
    assert moments.expected["n_pred"] == 4
    assert_moments(4 * values["precision"], moments.expected["hit_pred"], moments.sd["hit_pred"])


def assert_moments(draws, mean, sd):
    """Mean and variance agree to three standard errors."""
    assert abs(draws.mean() - mean) < 3 * draws.std() / np.sqrt(len(draws))
    fourth = ((draws - draws.mean()) ** 4).mean()
    assert abs(draws.var() - sd**2) < 3 * np.sqrt((fourth - draws.var() ** 2) / len(draws))


def test_there_is_no_closed_form_where_none_holds():
    twice = Graph.from_edges([("1", "2"), ("3", "2")], texts={"1": "a", "2": "b", "3": "a"})
    match = Literal().match(pred=twice, gold=twice, context=Context())
    assert hypergeometric(Literal(), match) is None
    plain = Graph.from_edges(EDGES)
    exact = Literal(relation="exact")
    assert hypergeometric(exact, exact.match(pred=plain, gold=plain, context=Context())) is None
    assert hypergeometric(Literal(), Literal().match(pred=plain, gold=plain, context=Context())) is not None


def ranked(ranks, pools):
    rows = []
    for query, (_rank, pool) in enumerate(zip(ranks, pools, strict=True)):
        rows += [(f"s{query}", f"t{query}.{place}", "=", 1.0 - place / 1000) for place in range(1, pool + 1)]
    gold = [(f"s{query}", f"t{query}.{rank}") for query, rank in enumerate(ranks)]
    return Alignment.from_rows(rows), Alignment.from_rows(gold)


def test_adjusted_ranks_are_those_that_others_computed(reference_data):
    path = reference_data / "alignments" / "rank_chance" / "expected" / "rank_chance.json"
    wanted = json.loads(path.read_text())["unequal_pools"]
    pred, gold = ranked(wanted["ranks"], wanted["pools"])
    metrics = wanted["metrics"]
    specs = ["mrr", "mean_rank", *(f"hit_at_k(k={k})" for k in (1, 3, 5, 10))]
    report = goldassay.evaluate(pred, gold=gold, kind="alignment", measures=specs, chance=Chance(draws=5))
    assert report["mean_rank"].mean_rank == metrics["mean_rank"]
    assert report["mean_rank"].chance.expected["mean_rank"] == pytest.approx(metrics["expected_mean_rank"])
    assert report["mean_rank"].chance.adjusted["mean_rank"] == pytest.approx(metrics["AMRI"])
    assert report["mrr"].chance.expected["mrr"] == pytest.approx(metrics["expected_MRR"])
    assert report["mrr"].chance.adjusted["mrr"] == pytest.approx(metrics["adjusted_MRR"])
    z = (report["mrr"].mrr - report["mrr"].chance.expected["mrr"]) / report["mrr"].chance.sd["mrr"]
    assert z == pytest.approx(metrics["z_MRR"])
    for k in (1, 3, 5, 10):
        level = report[f"hit_at_k(k={k})"].chance
        assert level.exact
        assert level.expected["hit"] == pytest.approx(metrics[f"expected_hits@{k}"])
        assert level.adjusted["hit"] == pytest.approx(metrics[f"adjusted_hits@{k}"])


def test_rank_moments_agree_with_100_000_draws_of_others(reference_data):
    path = reference_data / "alignments" / "rank_chance" / "expected" / "rank_chance.json"
    messages = json.loads(path.read_text())["unequal_pools"]
    pred, gold = ranked(messages["ranks"], messages["pools"])
    simulated = messages["simulation_100000_seed_8"]
    for measure, name in ((MeanRank(), "mean_rank"), (Mrr(), "MRR"), (HitAtK(k=10), "hits@10")):
        moments = random_ranks(measure, measure.match(pred=pred, gold=gold, context=Context()))
        mean, sd = (sums["gain"] / sums["references"] for sums in (moments.expected, moments.sd))
        assert abs(mean - simulated[name]["mean"]) < 3 * sd / np.sqrt(100_000)
        # The standard error of a standard deviation is at most about this where the tails are no heavier than normal.
        assert abs(sd - simulated[name]["sd"]) < 3 * sd / np.sqrt(2 * 100_000)


def test_candidate_lists_are_adjusted_as_others_computed(reference_data):
    folder = reference_data / "alignments" / "rank_chance"
    name = "deeponto_example_scored_candidate_mappings.tsv"
    wanted = json.loads((folder / "expected" / "rank_chance.json").read_text())[name]["realistic"]
    pred = goldassay.read(folder / name, kind="alignment")
    queries = pred.candidates.queries
    gold = Alignment.from_rows(
        [
            (str(pred.terms[s]), str(pred.terms[t]))
            for s, t in zip(queries.sources.tolist(), queries.targets.tolist(), strict=True)
        ]
    )
    report = goldassay.evaluate(
        pred, gold=gold, kind="alignment", measures=["mrr", "mean_rank"], chance=Chance(draws=3)
    )
    assert report["mean_rank"].mean_rank == wanted["mean_rank"]
    assert report["mean_rank"].chance.adjusted["mean_rank"] == pytest.approx(wanted["AMRI"])
    assert report["mrr"].chance.adjusted["mrr"] == pytest.approx(wanted["adjusted_MRR"])


def test_random_ranks_agree_with_draws():
    # Two references of one list are not independent; one list is short, and one reference is in none.
    rows = [("A", f"{i}", "=", 0.5) for i in range(6)] + [
        ("B", "1", "=", 1.0),
        ("C", "1", "=", 1.0),
        ("C", "2", "=", 0.3),
    ]
    gold = Alignment.from_rows([("A", "0"), ("A", "3"), ("A", "0"), ("B", "1"), ("C", "2"), ("D", "1")])
    pred, context = Alignment.from_rows(rows), Context()
    measures = [
        Mrr(),
        HitAtK(k=2),
        MeanRank(),
        Mrr(duplicates="count"),
        Mrr(first=True),
        HitAtK(k=2, first=True),
        MeanRank(first=True),
    ]
    draws = draws_of(
        family("alignment"),
        measures,
        pred=pred,
        gold=gold,
        context=context,
        chance=Chance(null="random-order", draws=400),
    )
    for measure, values in zip(measures, draws, strict=True):
        moments = random_ranks(measure, measure.match(pred=pred, gold=gold, context=context))
        counted = moments.expected[measure.counted]
        assert counted == measure.count(measure.match(pred=pred, gold=gold, context=context))[measure.counted], measure
        assert_moments(values[measure.headline] * counted, moments.expected["gain"], moments.sd["gain"])


def test_a_random_order_has_no_ties():
    pred = Alignment.from_rows([("A", f"{i}", "=", 0.5) for i in range(6)])
    assert len(set(random_order(pred, pred, np.random.default_rng(0)).scores.tolist())) == 6


# ---- every family


def test_a_null_model_changes_neither_side():
    pred, gold = Graph.from_edges(EDGES), Graph.from_edges(EDGES[:5])
    before = [(graph.texts.tolist(), graph.edges.tolist()) for graph in (pred, gold)]
    for null in NULLS.values():
        null.draw(pred, gold, np.random.default_rng(0))
    assert [(graph.texts.tolist(), graph.edges.tolist()) for graph in (pred, gold)] == before


def test_how_lists_are_numbered_moves_no_bit_of_their_moments():
    rng = np.random.default_rng(0)
    rows = [
        (f"s{row}", f"t{place}", "=", place / 30)
        for row, size in enumerate(rng.integers(2, 30, size=200))
        for place in range(size)
    ]
    gold = Alignment.from_rows([(f"s{row}", f"t{row % 2}") for row in range(200)])
    matching = Mrr().match(pred=Alignment.from_rows(rows), gold=gold, context=Context())
    ranks, found = matching.ranks, set()
    for _ in range(20):
        numbered = replace(ranks, queries=rng.permutation(200)[ranks.queries])
        moments = random_ranks(Mrr(), replace(matching, ranks=numbered))
        found.add((moments.expected["gain"], moments.sd["gain"]))
    assert len(found) == 1
