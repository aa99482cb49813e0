"""The measures of alignments against plain loops written from their formulas, over every order of what is tied."""

import hashlib
import itertools
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import goldassay
from goldassay.alignments import (
    Alignment,
    HitAtK,
    Jaccard,
    MacroOverlap,
    MeanAveragePrecision,
    MeanRank,
    MedianRank,
    Mrr,
    Ndcg,
    Overlap,
    PrecisionAtK,
    RecallAtK,
    RejectionRate,
    Residual,
    RPrecision,
)
from goldassay.alignments.measures import semantic
from goldassay.core.counts import Counts, Division
from goldassay.core.preset import preset_of
from goldassay.families import families

SCORES = [0.0, 0.25, 0.5, 0.5, 1.0]
ROW = st.tuples(
    st.sampled_from("AB"), st.sampled_from("1234"), st.sampled_from(["=", "<", "~", "?"]), st.sampled_from(SCORES)
)
PLAIN = st.tuples(st.sampled_from("AB"), st.sampled_from("1234"), st.just("="), st.sampled_from(SCORES))
ROWS = st.lists(ROW, max_size=10)
LISTS = st.lists(PLAIN, max_size=7)


def score(measure, pred, gold):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.score(pred=Alignment.from_rows(pred), gold=Alignment.from_rows(gold))


def best_scores(rows):
    best = {}
    for source, target, _, value in rows:
        best[source, target] = max(value, best.get((source, target), value))
    return best


def ratio(above, below):
    return above / below if below else 0.0


def stated(pred):
    """What a prediction marks ? states nothing."""
    return [row for row in pred if row[2] != "?"]


def unjudged(gold):
    """A pair that gold marks ? is neutral."""
    return {row[:2] for row in gold if row[2] == "?"}


def preset_measures(name):
    preset = preset_of(families()["alignment"].measures.presets, name, kind="alignment")
    return [goldassay.parse(spec) for spec in preset.measures]


# One sure pair of five, and ? on the other 24 pairs of the grid.
FIVE = [(f"s{n}", f"t{n}", "=", 1.0) for n in range(1, 6)]
GRID = [(f"s{n}", f"t{m}", "=" if n == m == 1 else "?", 1.0) for n, m in itertools.product(range(1, 6), range(1, 6))]


@pytest.mark.parametrize("relation", ["ignore", "exact", "graded"])
def test_a_prediction_marked_unjudged_takes_nothing_from_gold(relation):
    found = score(Overlap(relation=relation), GRID, FIVE)
    assert (found.precision, found.recall) == (1.0, 0.2)
    assert found.signature.fields["unjudged"] == "left_out(24)"
    assert score(Jaccard(relation=relation), GRID, FIVE).jaccard == 0.2
    assert score(MacroOverlap(relation=relation), GRID, FIVE).recall == 0.2
    assert score(Residual(relation=relation), GRID, FIVE).counts["n_gold"] == 5
    assert score(Mrr(), GRID, FIVE).mrr == 0.2


def test_in_melt_a_prediction_marked_unjudged_is_wrong():
    gold = [*FIVE, ("s1", "t2", "?", 1.0)]
    for measure in preset_measures("melt"):
        found = score(measure, GRID, FIVE)
        assert (found.precision, found.recall) == (1 / 25, 1 / 5)
        assert "unjudged" not in found.signature.fields
        # What gold marks is neutral there, too.
        assert score(measure, GRID, gold).precision == 1 / 24


def test_the_coherent_recall_of_bioml():
    pred = [("a", "a", "?", 1.0), ("b", "b", "=", 1.0), ("c", "c", "=", 1.0)]
    gold = [("a", "a", "=", 1.0), ("b", "b", "=", 1.0)]
    for measure in preset_measures("bio-ml-2026"):
        assert score(measure, pred, gold).recall == 0.5


@given(ROWS, ROWS, st.sampled_from([0.5, 1.0, 2.0]), st.sampled_from([None, 0.5]))
def test_overlap_of_pairs(pred, gold, beta, threshold):
    pred, neutral = stated(pred), unjudged(gold)
    here = {pair for pair, value in best_scores(pred).items() if threshold is None or value >= threshold} - neutral
    there = set(best_scores(gold)) - neutral
    precision, recall = ratio(len(here & there), len(here)), ratio(len(here & there), len(there))
    found = score(Overlap(beta=beta, threshold=threshold), pred, gold)
    below = beta**2 * precision + recall
    wanted = (1 + beta**2) * precision * recall / below if below else 0.0
    assert list(found.values.values()) == pytest.approx([precision, recall, wanted])
    assert list(found.values) == ["precision", "recall", f"f{beta:g}"]


# Equivalence is half matched by what nearly is, and what is close by what is related; relation=graded says so.
HALF = {("=", "<"), ("=", ">"), ("=", "~"), ("~", "related")}
EVERY_RELATION = st.sampled_from(["=", "<", ">", "%", "~", "related", "HasInstance", "InstanceOf", "?"])
RELATED_ROWS = st.lists(
    st.tuples(st.just("A"), st.sampled_from("12"), EVERY_RELATION, st.sampled_from(SCORES)), max_size=6
)


@given(RELATED_ROWS, RELATED_ROWS, st.sampled_from(["exact", "graded"]), st.sampled_from([None, 0.5]))
def test_overlap_with_relations(pred, gold, relation, threshold):
    pred, neutral = stated(pred), unjudged(gold)
    here, there = ({row[:3] for row in rows if row[:2] not in neutral} for rows in (pred, gold))
    here &= {row[:3] for row in pred if threshold is None or row[3] >= threshold}
    if relation == "graded":
        # What is reported to be disjoint is no correspondence, unless relations are compared as they are.
        here, there = ({row for row in rows if row[2] != "%"} for rows in (here, there))

    def near(one, other):
        half = relation == "graded" and ((one, other) in HALF or (other, one) in HALF)
        return 1.0 if one == other else 0.5 * half

    def total(mine, others):
        return sum(max((near(a[2], b[2]) for b in others if a[:2] == b[:2]), default=0.0) for a in mine)

    found = score(Overlap(relation=relation, threshold=threshold), pred, gold)
    assert found.precision == pytest.approx(ratio(total(here, there), len(here)))
    assert found.recall == pytest.approx(ratio(total(there, here), len(there)))


def test_what_is_matched_is_as_similar_as_its_relations_are_near():
    pred = [("A", "1", "="), ("A", "2", "<"), ("A", "3", "<"), ("B", "4", "="), ("C", "5", "=")]
    gold = [("A", "1", "="), ("A", "2", "="), ("A", "3", ">"), ("B", "5", "="), ("D", "6", "=")]
    found = score(Overlap(relation="graded"), pred, gold).matching
    nothing = [math.nan] * 3
    assert found.pred.credit.tolist() == found.gold.credit.tolist() == [1, 0.5, 0, 0, 0]
    assert found.pred.counterpart.tolist() == found.gold.counterpart.tolist() == [0, 1, -1, -1, -1]
    for side in (found.pred, found.gold):
        assert side.similarity.tolist() == pytest.approx([1, 0.5, *nothing], nan_ok=True)
    plain = score(Overlap(), pred, gold).matching
    assert plain.pred.similarity.tolist() == pytest.approx([1, 1, 1, math.nan, math.nan], nan_ok=True)
    # Whoever matched nothing is shown the one of the other side with its source, or else with its target.
    table = plain.table()
    assert table["counterpart"][3:5] == ["B = 5", "B = 5"]
    assert table["similarity"][3:5] == [0.5, 0.5]
    assert table["counterpart"][8:] == ["B = 4", None]


@pytest.mark.parametrize(
    ("options", "symmetry", "perfect"),
    [
        ({}, "swap", {"precision", "recall", "f1"}),
        ({"threshold": 0.5}, "none", {"precision"}),
        ({"beta": 2.0}, "swap", {"precision", "recall", "f2"}),
    ],
)
def test_what_overlap_promises(options, symmetry, perfect):
    measure = Overlap(**options)
    assert (measure.symmetry, dict(measure.perfect)) == (symmetry, dict.fromkeys(perfect, 1.0))
    assert (measure.cut.value, measure.cut.inclusive) == (options.get("threshold", -math.inf), True)


@given(LISTS, LISTS, st.sampled_from(["complete", "source", "target", "partial", "judged"]))
def test_partial_gold(pred, gold, completeness):
    assume(gold)
    there = set(best_scores(gold))
    sources, targets = {source for source, _ in there}, {target for _, target in there}
    judged = {
        "complete": lambda pair: True,
        "source": lambda pair: pair[0] in sources,
        "target": lambda pair: pair[1] in targets,
        "partial": lambda pair: pair[0] in sources or pair[1] in targets,
        "judged": lambda pair: pair in there,
    }[completeness]
    here = {pair for pair in best_scores(pred) if judged(pair)}
    sides = {"gold": Alignment.from_rows(gold), "kind": "alignment", "measures": "overlap"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        found = goldassay.evaluate(Alignment.from_rows(pred), **sides, completeness=completeness)["overlap"]
    assert found.counts["n_pred"] == len(here)
    assert found.counts["hit_pred"] == len(here & there)


@given(LISTS, LISTS)
def test_duplicates_in_the_denominators(pred, gold):
    found = score(Overlap(duplicates="count"), pred, gold)
    matched = len(set(best_scores(pred)) & set(best_scores(gold)))
    assert dict(found.counts) == {"hit_pred": matched, "hit_gold": matched, "n_pred": len(pred), "n_gold": len(gold)}


def orders(candidates):
    """Every order of the candidates of a source that descends by score."""
    groups = [
        [target for target, value in candidates.items() if value == level]
        for level in sorted(set(candidates.values()), reverse=True)
    ]
    for parts in itertools.product(*map(itertools.permutations, groups)):
        yield list(itertools.chain.from_iterable(parts))


def average_precision(order, wanted):
    places = [place for place, target in enumerate(order, start=1) if target in wanted]
    return sum(number / place for number, place in enumerate(places, start=1)) / len(wanted)


def ndcg_at(k):
    def gain(order, wanted):
        most = len(order) if k is None else max(k, 0)
        ideal = sum(
            1 / math.log2(1 + place) for place in range(1, (len(wanted) if k is None else min(len(wanted), most)) + 1)
        )
        found = sum(1 / math.log2(1 + place) for place, target in enumerate(order[:most], start=1) if target in wanted)
        return found / ideal if ideal else 0.0

    return gain


QUERY_MEASURES = {
    MeanAveragePrecision: average_precision,
    Ndcg: ndcg_at(None),
    RPrecision: lambda order, wanted: len(set(order[: len(wanted)]) & wanted) / len(wanted),
}


def by_source(pairs):
    lists = {}
    for (source, target), value in pairs.items():
        lists.setdefault(source, {})[target] = value
    return lists


@pytest.mark.parametrize("measure", QUERY_MEASURES, ids=lambda measure: measure.name)
@given(pred=LISTS, gold=LISTS)
def test_ties_give_the_expectation_over_all_orders(measure, pred, gold):
    lists, wanted = by_source(best_scores(pred)), by_source(best_scores(gold))
    gain = QUERY_MEASURES[measure]
    values = [
        [gain(order, set(targets)) for order in orders(lists.get(source, {}))] or [0.0]
        for source, targets in wanted.items()
    ]
    means = [sum(each) / len(each) for each in values]
    found = score(measure(), pred, gold)
    assert found.values[found.headline] == pytest.approx(ratio(sum(means), len(means)))
    for ties, choose in (("optimistic", max), ("pessimistic", min)):
        extreme = score(measure(ties=ties), pred, gold)
        assert extreme.values[found.headline] == pytest.approx(ratio(sum(map(choose, values)), len(values)))


@given(LISTS, LISTS, st.integers(-1, 5))
def test_ndcg_at_k(pred, gold, k):
    lists, wanted = by_source(best_scores(pred)), by_source(best_scores(gold))
    values = [
        [ndcg_at(k)(order, set(targets)) for order in orders(lists.get(source, {}))] or [0.0]
        for source, targets in wanted.items()
    ]
    expected = ratio(sum(sum(each) / len(each) for each in values), len(values))
    assert score(Ndcg(k=k), pred, gold).ndcg == pytest.approx(expected)


@given(LISTS, LISTS, st.integers(-1, 5), st.booleans())
def test_hits_and_reciprocal_ranks(pred, gold, k, filtered):
    lists, wanted = by_source(best_scores(pred)), by_source(best_scores(gold))
    ranks = []
    for source, targets in wanted.items():
        for target in targets:
            candidates = {
                other: value
                for other, value in lists.get(source, {}).items()
                if not filtered or other == target or other not in targets
            }
            ranks.append([order.index(target) + 1 if target in order else math.inf for order in orders(candidates)])
    count = len(ranks)
    hit, reciprocal = HitAtK(k=k, filtered=filtered), Mrr(filtered=filtered)
    mean = {
        "hit": sum(sum(rank <= k for rank in each) / len(each) for each in ranks if each),
        "mrr": sum(sum(1 / rank for rank in each) / len(each) for each in ranks if each),
    }
    assert score(hit, pred, gold).hit == pytest.approx(ratio(mean["hit"], count))
    assert score(reciprocal, pred, gold).mrr == pytest.approx(ratio(mean["mrr"], count))
    for ties, choose in (("optimistic", min), ("pessimistic", max)):
        found = score(Mrr(filtered=filtered, ties=ties), pred, gold).mrr
        assert found == pytest.approx(ratio(sum(1 / choose(each) for each in ranks if each), count))


@given(LISTS, LISTS)
def test_the_order_of_the_file_breaks_ties(pred, gold):
    lists, wanted = by_source(best_scores(pred)), best_scores(gold)
    gains = []
    for source, target in wanted:
        candidates = lists.get(source, {})
        order = sorted(candidates, key=candidates.get, reverse=True)
        gains.append(1 / (order.index(target) + 1) if target in order else 0.0)
    assert score(Mrr(ties="order"), pred, gold).mrr == pytest.approx(ratio(sum(gains), len(gains)))


@given(LISTS, LISTS)
def test_the_sweep_is_what_every_threshold_gives(pred, gold):
    curve = Overlap().curve_of(score(Overlap(), pred, gold).matching)
    assert curve.thresholds.tolist() == sorted(set(best_scores(pred).values()), reverse=True)
    for row, threshold in enumerate(curve.thresholds.tolist()):
        there = score(Overlap(threshold=threshold), pred, gold)
        assert (curve.precision[row], curve.recall[row], curve.values["f1"][row]) == pytest.approx(
            tuple(there.values.values())
        )


@given(ROWS, ROWS, st.sampled_from(["relation", "case", "namespace"]))
def test_groups_add_up(pred, gold, by):
    found = score(Overlap(), pred, gold)
    table = goldassay.breakdown(found, by=by)
    for name, total in found.counts.items():
        assert table[name].sum() == pytest.approx(total)


def test_a_target_that_is_the_first_name_of_gold_is_found_among_those_of_the_prediction():
    assert dict(score(Overlap(), [("x", "y"), ("a", "a")], [("a", "a")]).counts)["hit_pred"] == 1


@pytest.mark.parametrize(
    ("source", "target", "named"),
    [
        ("class", "class", "class"),
        ("unknown", "unknown", "class"),
        ("unknown", "object property", "object property"),
        ("annotation property", "annotation property", None),
        ("annotation property", "unknown", None),
        ("class", "object property", None),
    ],
)
def test_entities_of_which_entailment_is_asked_are_of_one_kind(source, target, named):
    entities = semantic._Entities(
        ["http://a", "http://b"], [semantic.TYPES.index(one) for one in (source, target)], [""]
    )
    found = entities.named(0, 1)
    assert found == (named and (semantic.TYPES.index(named), "http://a", "http://b"))


def test_what_a_string_comparison_finds_is_left_out(tmp_path):
    gold = [("a#Paper", "b#paper"), ("a#Author", "b#Writer"), ("a#Chair", "b#Head")]
    pred = [("a#Paper", "b#paper"), ("a#Author", "b#Writer")]
    assert dict(score(Residual(), pred, gold).counts) == {"hit_pred": 1, "hit_gold": 1, "n_pred": 1, "n_gold": 2}
    (tmp_path / "baseline.csv").write_text("source,target\na#Author,b#Writer\nx,y\n")
    named = Residual(baseline=str(tmp_path / "baseline.csv"))
    assert dict(score(named, pred, gold).counts) == {"hit_pred": 1, "hit_gold": 1, "n_pred": 1, "n_gold": 2}
    digest = hashlib.sha256(b"source,target\na#Author,b#Writer\nx,y\n").hexdigest()[:8]
    assert score(named, pred, gold).signature.fields["baseline"] == f"sha256-{digest}"


def test_negatives_are_no_items_and_say_so(tmp_path):
    path = tmp_path / "gold.sssom.tsv"
    path.write_text(
        "#curie_map:\n#  a: http://a/\nsubject_id\tpredicate_id\tpredicate_modifier\tobject_id\n"
        "a:1\tskos:exactMatch\t\ta:2\na:3\tskos:exactMatch\tNot\ta:4\n"
    )
    gold = goldassay.read(path, kind="alignment")
    assert (len(gold), gold.facts["denied"]) == (1, 1)
    pred = Alignment.from_rows(
        [("http://a/1", "http://a/2"), ("http://a/3", "http://a/4"), ("http://a/5", "http://a/6")]
    )
    sides = {"gold": gold, "kind": "alignment", "measures": "overlap"}
    found = goldassay.evaluate(pred, **sides, completeness="source")["overlap"]
    assert (found.counts["hit_pred"], found.counts["n_pred"]) == (1, 2)
    assert found.matching.table()["verdict"] == ["hit", "denied", "hit"]
    with path.open("a") as file:
        file.write("a:7\tskos:exactMatch\t\ta:8\n")
    denied = Alignment.from_rows([("http://a/3", "http://a/4")])
    fewer = Overlap().score(pred=denied, gold=goldassay.read(path, kind="alignment"))
    assert fewer.matching.table()["verdict"] == ["denied", "missed", "missed"]


@pytest.mark.parametrize("relation", ["ignore", "graded"])
def test_what_gold_says_is_disjoint_is_wrong(relation):
    gold = Alignment.from_rows([("A", "1"), ("B", "2", "%")])
    pred = Alignment.from_rows([("A", "1"), ("B", "2"), ("C", "3")])
    found = Overlap(relation=relation).score(pred=pred, gold=gold)
    assert dict(found.counts) == {"hit_pred": 1, "hit_gold": 1, "n_pred": 3, "n_gold": 1}
    assert found.matching.table()["verdict"][:3] == ["hit", "denied", "invented"]
    sides = {"gold": gold, "kind": "alignment", "measures": f"overlap(relation={relation})"}
    judged = goldassay.evaluate(pred, **sides, completeness="judged").runs[0].scores[0]
    assert (judged.counts["hit_pred"], judged.counts["n_pred"]) == (1, 2)
    same = Overlap(relation="exact").score(pred=gold, gold=gold)
    assert same.counts["hit_gold"] == 2


def test_unknown_relations_stop_only_what_compares_relations(tmp_path):
    path = tmp_path / "a.sssom.tsv"
    path.write_text("subject_id\tpredicate_id\tobject_id\na\tex:resembles\tb\nc\tskos:exactMatch\td\n")
    pred = goldassay.read(path, kind="alignment", metadata="none")
    assert [pred.item(row) for row in range(2)] == ["a other b", "c = d"]
    assert "kept as other: ex:resembles (1)" in " ".join(pred.notes)
    assert Overlap().score(pred=pred, gold=pred).f1 == 1
    for relation in ("exact", "graded"):
        with pytest.raises(goldassay.UsageError, match="Relations of the prediction cannot be compared"):
            Overlap(relation=relation).score(pred=pred, gold=pred)


def test_scores_beyond_the_unit_stop_only_what_uses_scores(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("source,target,score\nA,1,0.5\nB,2,7\n")
    pred = goldassay.read(path, kind="alignment")
    assert pred.notes == ("scores outside of [0, 1]: 1",)
    assert Overlap().score(pred=pred, gold=pred).f1 == 1
    for use in (
        lambda: Overlap(threshold=0.5).score(pred=pred, gold=pred),
        lambda: Mrr().score(pred=pred, gold=pred),
        lambda: Overlap().curve(pred=pred, gold=pred),
        lambda: RejectionRate(threshold=0.5).score(pred=pred, gold=pred),
    ):
        with pytest.raises(goldassay.InputError, match="not in") as caught:
            use()
        assert caught.value.line == 3
    free = goldassay.read(path, kind="alignment", scores="any")
    assert Overlap(threshold=0.6).score(pred=free, gold=free).counts["n_pred"] == 1


def test_what_is_skipped_is_in_the_signature(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("source,target,score\nA,1,0.5\nB,2,x\n")
    pred = goldassay.read(path, kind="alignment", on_error="skip")
    signature = Overlap().score(pred=pred, gold=Alignment.from_rows([("A", "1")])).signature
    assert signature.fields["skipped"] == "pred=1"
    assert Overlap().score(pred=pred, gold=pred).signature.fields["skipped"] == "gold=1,pred=1"


def test_a_skipped_list_is_not_found_and_leaves_no_reference_out(tmp_path):
    path = tmp_path / "lists.tsv"
    path.write_text("SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t['1', '2']\nB\t3\t['4', '5']\nC\t6\tnothing\n")
    both = goldassay.read(path, kind="alignment", on_error="skip")
    assert (len(both), both.stated, both.left_out) == (3, 3, {"skipped_records": 2})
    found = Mrr().score(pred=both, gold=both)
    assert found.mrr == pytest.approx(1 / 3)
    assert found.signature.fields["skipped"] == "gold=2,pred=2"


def test_accepted_candidates_are_counted(tmp_path):
    path = tmp_path / "verdicts.tsv"
    path.write_text(
        "SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t[('1', 0.9, True), ('2', 0.8, True), ('3', 0.7, False)]\n"
        "B\t4\t[('4', 0.2, False)]\nC\tUnMatched\t[('9', 0.9, True)]\n"
    )
    both = goldassay.read(path, kind="alignment")
    found = Overlap().score(pred=both, gold=both)
    assert dict(found.counts) == {"hit_pred": 1, "hit_gold": 1, "n_pred": 3, "n_gold": 2}
    assert Overlap(threshold=0.85).score(pred=both, gold=both).counts["n_pred"] == 2
    assert [found.matching.pred_items.item(row) for row in range(3)] == ["A = 1", "A = 2", "C = 9"]


def test_residual_names_its_labels_and_says_if_it_leaves_nothing_out(tmp_path):
    (tmp_path / "o.ttl").write_text(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        '<http://a/1> rdfs:label "cat"@en . <http://b/7> rdfs:label "Cat"@en . <http://a/2> rdfs:label "dog"@en .'
    )
    (tmp_path / "a.csv").write_text("source,target\nhttp://a/1,http://b/7\nhttp://a/2,http://b/8\n")
    bare = goldassay.read(tmp_path / "a.csv", kind="alignment")
    found = Residual().score(pred=bare, gold=bare)
    assert found.counts["n_gold"] == 2
    assert "finds nothing of gold" in found.note
    assert found.signature.fields["labels"] == "identifiers"
    named = {"source_ontology": str(tmp_path / "o.ttl"), "target_ontology": str(tmp_path / "o.ttl")}
    labelled = goldassay.read(tmp_path / "a.csv", kind="alignment", **named)
    found = Residual().score(pred=labelled, gold=labelled)
    assert (found.counts["n_gold"], found.note) == (1, None)
    assert found.signature.fields["labels"].startswith("en@sha256-")


def test_residual_as_melt_takes_it():
    gold = [("a#Paper", "b#paper"), ("a#MemberOfBoard", "b#board_memberOf"), ("a#Author", "b#Writer")]
    pred = [("a#Paper", "b#paper"), ("a#Chair", "b#chair"), ("a#Author", "b#Writer")]
    counts = {
        (): {"n_pred": 1, "n_gold": 2},
        (("names", "words"),): {"n_pred": 1, "n_gold": 1},
        (("names", "words"), ("trivial", "correct")): {"n_pred": 2, "n_gold": 1},
    }
    for parameters, wanted in counts.items():
        found = score(Residual(**dict(parameters)), pred, gold).counts
        assert {name: found[name] for name in wanted} == wanted, parameters
        assert found["hit_gold"] == 1


def test_what_is_trivial_in_melt_is_equivalent_and_of_one_kind():
    rows = [("a#Paper", "b#paper", "=", 1.0), ("a#Topic", "b#topic", "<", 1.0)]
    measure = goldassay.parse("residual(relation=exact, names=words, trivial=correct)")
    found = score(measure, rows, rows)
    assert [found.matching.gold_items.item(row) for row in range(len(found.matching.gold_items))] == [
        "a#Topic < b#topic"
    ]
    model = Alignment.from_rows(rows)
    kinds = [1 if term == "b#paper" else 2 for term in model.terms]
    typed = replace(model, types=np.array(kinds, dtype=np.int8))
    assert measure.score(pred=typed, gold=typed).counts["n_gold"] == 2


def test_kinds_of_both_ends_and_of_individuals(tmp_path):
    (tmp_path / "o.ttl").write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix : <http://a/> .\n"
        ":C a owl:Class . :P a owl:ObjectProperty . :i a :C . :n a :C, owl:NamedIndividual . :u owl:sameAs :v ."
    )
    rows = ["C,C", "C,P", "i,n", "u,i", "P,u", "u,u"]
    (tmp_path / "a.csv").write_text(
        "source,target\n" + "".join(",".join(f"http://a/{end}" for end in row.split(",")) + "\n" for row in rows)
    )
    both = goldassay.read(tmp_path / "a.csv", kind="alignment", source_ontology=str(tmp_path / "o.ttl"))
    table = goldassay.breakdown(Overlap().score(pred=both, gold=both), by="type")
    assert dict(zip(table["group"], table["n_gold"], strict=True)) == {
        "class": 1, "class - object property": 1, "individual": 2, "object property": 1, "unknown": 1,
    }  # fmt: skip


def test_entities_of_no_use_in_an_alignment(tmp_path):
    (tmp_path / "o.ttl").write_text(
        '<http://a/1> <http://oaei.ontologymatching.org/bio-ml/ann/use_in_alignment> "false" .\n'
        '<http://a/2> <http://oaei.ontologymatching.org/bio-ml/ann/use_in_alignment> "true" .'
    )
    (tmp_path / "a.csv").write_text("source,target\nhttp://a/1,x\nhttp://a/2,y\nz,http://a/1\n")
    found = goldassay.read(tmp_path / "a.csv", kind="alignment", source_ontology=str(tmp_path / "o.ttl"))
    assert (len(found), found.left_out["not_for_alignment"]) == (1, 2)
    assert Overlap().score(pred=found, gold=found).signature.fields["not_for_alignment"] == "2"


def test_rejection_by_verdicts_and_by_scores(tmp_path):
    path = tmp_path / "candidates.tsv"
    path.write_text(
        "SrcEntity\tTgtEntity\tTgtCandidates\n"
        "A\tUnMatched\t[('1', 0.9, False), ('2', 0.1, False)]\n"
        "B\tUnMatched\t[('1', 0.9, True)]\nC\t3\t[('3', 0.9, True)]\n"
    )
    pred = goldassay.read(path, kind="alignment")
    assert (len(pred), pred.facts["nulls"]) == (1, 2)
    assert RejectionRate().score(pred=pred, gold=pred).rejection_rate == 0.5
    plain = Alignment.from_rows([("A", "7", "=", 0.2), ("C", "3", "=", 0.9)])
    assert RejectionRate().score(pred=plain, gold=pred).rejection_rate == 0.5
    assert RejectionRate(threshold=0.5).score(pred=plain, gold=pred).rejection_rate == 1


def test_pools_of_gold_narrow_a_global_ranking(tmp_path):
    path = tmp_path / "pool.tsv"
    path.write_text("SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t['1', '2']\nA\t3\t['2', '3']\nB\t5\t['5']\n")
    gold = goldassay.read(path, kind="alignment")
    pred = Alignment.from_rows(
        [("A", "9", "=", 0.9), ("A", "2", "=", 0.8), ("A", "1", "=", 0.7), ("A", "3", "=", 0.85)]
    )
    found = Mrr().score(pred=pred, gold=gold)
    assert found.mrr == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert found.matching.missed(1)[0].details["best_wrong"] == "9"


def test_candidate_lists_are_not_counted(tmp_path):
    path = tmp_path / "pool.tsv"
    path.write_text("SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t[('1', 0.2), ('2', 0.7)]\n")
    pred = goldassay.read(path, kind="alignment")
    with pytest.raises(goldassay.UsageError, match="ranked and not counted"):
        Overlap().score(pred=pred, gold=pred)
    found = Mrr().score(pred=pred, gold=pred)
    assert found.mrr == 0.5
    assert found.matching.table()["item"] == ["A = 1", "A = 2", "A = 1"]


def test_unscored_candidates_are_ranked_by_their_order(tmp_path):
    path = tmp_path / "pool.tsv"
    path.write_text("SrcEntity\tTgtEntity\tTgtCandidates\nA\t1\t['2', '1', '3']\n")
    pred = goldassay.read(path, kind="alignment")
    assert Mrr().score(pred=pred, gold=pred).mrr == 0.5


def test_test_cases_keep_their_pairs_apart(tmp_path):
    for folder, files in {
        "gold": {"a-B.csv": "A,1", "c-d.csv": "A,2", "e-f.csv": "A,3"},
        "pred": {"a-b.csv": "A,1", "c-d.csv": "A,1"},
    }.items():
        (tmp_path / folder).mkdir()
        for name, row in files.items():
            (tmp_path / folder / name).write_text(f"source,target\n{row}\n")
    gold, pred = (goldassay.read(tmp_path / side, kind="alignment") for side in ("gold", "pred"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        micro, macro = (measure.score(pred=pred, gold=gold) for measure in (Overlap(), MacroOverlap()))
        report = goldassay.evaluate(pred, gold=gold, kind="alignment")
    assert dict(micro.counts) == {"hit_pred": 1, "hit_gold": 1, "n_pred": 2, "n_gold": 3}
    assert (macro.precision, macro.recall, macro.mean_f1) == pytest.approx((1 / 3,) * 3)
    assert "1 test case has no prediction" in report.runs[0].warnings[0]
    (tmp_path / "pred" / "c-d.csv").unlink()
    with pytest.warns(goldassay.SuspectInputWarning, match="2 test cases have no prediction"):
        goldassay.evaluate(tmp_path / "pred", gold=gold, kind="alignment")
    units = MacroOverlap().units(macro.matching)
    assert sorted(units.keys.tolist()) == ["a-b", "c-d", "e-f"]
    assert goldassay.breakdown(micro, by="case")["hit_gold"].to_list() == [1, 0, 0]


@pytest.mark.parametrize(
    ("pred", "hint"),
    [
        ([("b#1", "a#1")], "swapped"),
        ([("http://other/a_1", "http://other/b_1")], "no pair of gold was predicted, for example"),
        ([("http://new/x#1", "http://new/y#1")], "if only local names were compared"),
    ],
)
def test_why_nothing_matches(pred, hint):
    gold = Alignment.from_rows([("a#1", "b#1")])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = goldassay.evaluate(Alignment.from_rows(pred), gold=gold, kind="alignment")
    assert hint in " ".join(report.runs[0].warnings)


def test_prefixes_are_named_when_they_only_differ():
    from goldassay.alignments.trust import find_warnings

    pred = Alignment.from_rows([("MP:1", "HP:2")])
    gold = Alignment.from_rows([("http://purl.obolibrary.org/obo/MP_1", "http://purl.obolibrary.org/obo/HP_2")])
    (messages,) = find_warnings(pred, gold)
    assert "MP: - HP: against http://purl.obolibrary.org/obo/MP_ - http://purl.obolibrary.org/obo/HP_" in messages


def test_a_missed_reference_names_the_best_wrong_candidate():
    pred = Alignment.from_rows([("A", "9", "=", 0.4), ("A", "8", "=", 0.7), ("B", "2", "=", 0.1)])
    gold = Alignment.from_rows([("A", "1"), ("B", "2"), ("C", "3")])
    found = Overlap().score(pred=pred, gold=gold)
    first, second = found.matching.missed()
    assert (first.counterpart, first.similarity, first.details["best_wrong_score"]) == ("A = 8", 0.5, 0.7)
    assert (second.item, second.counterpart) == ("C = 3", None)


CASED = st.lists(
    st.tuples(st.sampled_from("xyz"), st.sampled_from("AB"), st.sampled_from("12")), max_size=8, unique=True
)


def in_cases(rows):
    """Make an alignment of (case, source, target); the name of a source begins with its case."""
    found = Alignment.from_rows([(f"{case}{source}", target) for case, source, target in rows])
    cases = [found.name(source)[0] for source in found.sources.tolist()]
    names = list(dict.fromkeys(cases))
    return replace(
        found, case_names=tuple(names), cases=np.array([names.index(one) for one in cases], dtype=found.cases.dtype)
    )


@given(CASED, CASED, st.sampled_from([0.0, 1.0, math.nan]), st.sampled_from([0.5, 1.0, 2.0]))
def test_the_macro_average_is_the_mean_over_cases(pred, gold, undefined, beta):
    def f(precision, recall):
        below = beta**2 * precision + recall
        return (1 + beta**2) * precision * recall / below if below else 0.0

    rows = []
    for case in {row[0] for row in pred + gold}:
        here, there = ({row for row in rows if row[0] == case} for rows in (pred, gold))
        hits = len(here & there)
        rows.append((hits / len(here) if here else undefined, hits / len(there) if there else undefined))
    means = [sum(column) / len(column) for column in zip(*rows, strict=True)] or [undefined] * 2
    mean_f = sum(f(*row) for row in rows) / len(rows) if rows else undefined
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        found = MacroOverlap(undefined=undefined, beta=beta).score(pred=in_cases(pred), gold=in_cases(gold))
    wanted = [*means, f(*means), mean_f]
    assert list(found.values.values()) == pytest.approx(wanted, nan_ok=True)


# Of A, 2, 3, 4 and 5 are tied behind 1, of which 2 and 3 are references, and so is 6 behind them; of B, all are tied.
TIED = [
    *(("A", target, "=", value) for target, value in zip("123456", [0.9, 0.5, 0.5, 0.5, 0.5, 0.2], strict=True)),
    *(("B", target, "=", 0.5) for target in "123"),
    ("C", "1", "=", 0.5),
]
TIED_GOLD = [("A", "2"), ("A", "3"), ("A", "6"), ("B", "1"), ("B", "2"), ("C", "9")]
# Two tied references behind a wrong one.
PAIR = [("A", "9", "=", 0.9), ("A", "1", "=", 0.5), ("A", "2", "=", 0.5)]


@pytest.mark.parametrize("k", [None, 1, 2, 3, 7])
def test_tied_references_by_every_order(k):
    lists = by_source(best_scores(TIED))
    wanted = {source: {target for one, target in TIED_GOLD if one == source} for source in "ABC"}

    def mean(gain, choose):
        return sum(choose([gain(order, wanted[source]) for order in orders(lists[source])]) for source in "ABC") / 3

    measures = {Ndcg(k=k): ndcg_at(k)} if k else {measure(): gain for measure, gain in QUERY_MEASURES.items()}
    for measure, gain in measures.items():
        for ties, choose in (
            ("expected", lambda all_: sum(all_) / len(all_)),
            ("optimistic", max),
            ("pessimistic", min),
        ):
            found = score(replace(measure, ties=ties), TIED, TIED_GOLD)
            assert found.values[found.headline] == pytest.approx(mean(gain, choose), rel=1e-12)


def test_two_tied_references_behind_a_wrong_one():
    assert score(MeanAveragePrecision(), PAIR, [("A", "1"), ("A", "2")]).map == pytest.approx((1 / 2 + 2 / 3) / 2)
    ideal = 1 + 1 / math.log2(3)
    assert score(Ndcg(), PAIR, [("A", "1"), ("A", "2")]).ndcg == pytest.approx((1 / math.log2(3) + 1 / 2) / ideal)


def test_the_mean_rank_by_hand():
    # Of A, 2 and 3 are on average at 1 + 2.5 and 6 is the sixth; of B, 1 and 2 are second on average; 9 has no rank.
    found = score(MeanRank(), TIED, TIED_GOLD)
    ranks = [3.5, 3.5, 6.0, 2.0, 2.0]
    assert found.mean_rank == pytest.approx(sum(ranks) / 5)
    assert dict(found.counts) == {"gain": sum(ranks), "references": 5}
    assert found.matching.gold.credit.tolist() == pytest.approx([*(1 / rank for rank in ranks), 0.0])
    assert found.matching.gold.similarity.tolist() == pytest.approx([1.0] * 5 + [math.nan], nan_ok=True)
    assert found.matching.table()["rank"][-6:] == [*ranks, None]
    assert found.note == "1 of 6 references are in no list: they have no rank and are left out of the mean"
    assert score(MeanRank(ties="optimistic"), TIED, TIED_GOLD).mean_rank == (2 + 2 + 6 + 1 + 1) / 5
    assert score(MeanRank(ties="pessimistic"), TIED, TIED_GOLD).mean_rank == (5 + 5 + 6 + 3 + 3) / 5
    assert score(MeanRank(filtered=True), TIED, TIED_GOLD).mean_rank == pytest.approx((3 + 3 + 4 + 1.5 + 1.5) / 5)
    first = score(MeanRank(), [("A", "1")], [("A", "1")])
    assert (first.mean_rank, first.note, first.matching.gold.credit.tolist()) == (1.0, None, [1.0])


@pytest.mark.parametrize("ties", ["expected", "optimistic", "pessimistic"])
@given(
    drawn=st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from("12345"), st.sampled_from([0.2, 0.5])), max_size=9)
)
def test_the_median_rank_is_the_median_of_the_ranks(ties, drawn):
    pred = [(source, target, "=", number) for source, target, number in drawn]
    gold = [("A", "1"), ("A", "3"), ("B", "2"), ("B", "5")]
    mean = score(MeanRank(ties=ties), pred, gold)
    ranks = (mean.matching.gains / np.maximum(mean.matching.shares, 1))[mean.matching.shares > 0]
    found = score(MedianRank(ties=ties), pred, gold)
    assert found.median_rank == pytest.approx(np.median(ranks) if len(ranks) else math.nan, abs=0, rel=0, nan_ok=True)
    assert (found.counts["references"], found.note) == (len(ranks), mean.note)


def test_a_reference_stated_twice_has_its_rank_twice():
    pred = [("A", "2", "=", 0.9), ("A", "1", "=", 0.5), ("B", "3", "=", 0.8)]
    gold = [("A", "1"), ("A", "1"), ("B", "3")]
    assert score(MedianRank(), pred, gold).median_rank == 1.5
    found = score(MedianRank(duplicates="count"), pred, gold)
    sums = {"references": np.array([2, 0, 3]), "rank_1.0": np.array([2, 0, 1]), "rank_2.0": np.array([0, 0, 2])}
    assert found.measure.divide(Counts(sums), Division(0.0))["median_rank"].tolist() == [1.0, 0.0, 2.0]
    assert (found.median_rank, dict(found.counts)) == (2.0, {"references": 3, "rank_1.0": 1, "rank_2.0": 2})


def test_the_units_of_a_ranking_are_its_queries():
    for measure in (Mrr(), Ndcg()):
        units = measure.units(score(measure, TIED, TIED_GOLD).matching)
        assert [key.strip() for key in units.keys.tolist()] == ["A", "B", "C"]
        assert units.counts[measure.per].tolist() == ([3, 2, 1] if measure.per == "references" else [1, 1, 1])


def test_a_stricter_threshold_curves_as_it_scores():
    gold = [("A", "1", "="), ("A", "2", "<"), ("B", "3", "="), ("B", "3", "<")]
    pred = [
        ("A", "1", "<", 0.9),
        ("A", "1", "=", 0.5),
        ("A", "2", "=", 0.7),
        ("B", "3", "=", 0.5),
        ("C", "4", "=", 0.2),
    ]
    for relation in ("ignore", "exact", "graded"):
        curve = Overlap(relation=relation).curve_of(score(Overlap(relation=relation), pred, gold).matching)
        for threshold in (0.2, 0.5, 0.7, 0.9, 1.0):
            there = score(Overlap(relation=relation, threshold=threshold), pred, gold)
            assert dict(curve.at(threshold).values) == pytest.approx(dict(there.values))


def test_without_ties_a_reciprocal_is_exact():
    for rank in range(1, 40):
        pred = [("A", str(place), "=", 1 / place) for place in range(1, 41)]
        assert score(Mrr(), pred, [("A", str(rank))]).mrr == 1 / rank
        assert score(Ndcg(), pred, [("A", str(rank))]).ndcg == 1 / np.log2(rank + 1)


def test_a_score_at_the_threshold_is_no_rejection():
    gold = [("A", None), ("B", None), ("C", None), ("D", "4")]
    pred = [("A", "1", "=", 0.2), ("A", "2", "=", 0.1), ("B", "2", "=", 0.5), ("D", "4", "=", 0.9)]
    rates = {
        threshold: score(RejectionRate(threshold=threshold), pred, gold).rejection_rate
        for threshold in (0.1, 0.2, 0.3, 0.5, 0.6)
    }
    assert rates == {0.1: 1 / 3, 0.2: 1 / 3, 0.3: 2 / 3, 0.5: 2 / 3, 0.6: 1.0}
    matching = score(RejectionRate(), pred, gold).matching
    assert len(matching.pred.credit) == 0
    curve = RejectionRate().curve_of(matching)
    assert {threshold: curve.at(threshold).values["rejection_rate"] for threshold in rates} == rates


@pytest.mark.parametrize(
    "measure", [Mrr(), HitAtK(k=1), MeanAveragePrecision(), Ndcg(), RPrecision(), MeanRank(), RejectionRate()], ids=str
)
def test_what_a_ranking_promises(measure):
    is_rank = measure.name == "mean_rank"
    assert dict(measure.values) == {measure.headline: (0.0, math.inf if is_rank else 1.0)}
    assert dict(measure.perfect) == {measure.headline: 1.0}
    assert (measure.higher_is_better, measure.defined_one_sided, measure.symmetry) == (not is_rank, not is_rank, "none")
    assert measure.cut is None or (measure.cut.value, measure.cut.inclusive) == (-math.inf, True)


def test_what_a_mean_over_cases_promises():
    assert not MacroOverlap().sums_over_records
    assert Overlap().sums_over_records
    assert dict(MacroOverlap(beta=2.0).values) == dict.fromkeys(("precision", "recall", "f2", "mean_f2"), (0.0, 1.0))
    assert Overlap(threshold=0.0).symmetry == "none"
    assert Overlap(beta=1e6).beta == 1e6
    for beta in (-0.1, 1_000_000.5):
        with pytest.raises(goldassay.UsageError, match="beta"):
            Overlap(beta=beta)
    for measure in (Ndcg, HitAtK):
        assert measure(k=2**53).k == -measure(k=-(2**53)).k == 2**53
        for k in (2**53 + 1, -(2**53) - 1):
            with pytest.raises(goldassay.UsageError, match="'k'"):
                measure(k=k)


def firsts(pred, gold, gain):
    """The expected gain of the first reference of each source, over every order of what is tied."""
    lists, wanted = by_source(best_scores(pred)), by_source(best_scores(gold))
    total = 0.0
    for source, references in wanted.items():
        every = list(orders(lists.get(source, {})))
        total += sum(
            max((gain(place) for place, target in enumerate(order, start=1) if target in references), default=0.0)
            for order in every
        ) / len(every)
    return ratio(total, len(wanted))


@given(LISTS, LISTS, st.sampled_from([1, 2, 3]))
def test_the_first_reference_of_each_source(pred, gold, k):
    assert score(Mrr(first=True), pred, gold).mrr == pytest.approx(firsts(pred, gold, lambda place: 1 / place))
    assert score(HitAtK(k=k, first=True), pred, gold).hit == pytest.approx(firsts(pred, gold, lambda place: place <= k))


@pytest.mark.parametrize(("ties", "rank"), [("optimistic", 2), ("pessimistic", 4), ("order", 3)])
def test_the_first_reference_by_other_conventions_of_ties(ties, rank):
    pred = [
        ("A", "9", "=", 0.9),
        ("A", "8", "=", 0.5),
        ("A", "1", "=", 0.5),
        ("A", "7", "=", 0.5),
        ("A", "2", "=", 0.5),
    ]
    gold = [("A", "1"), ("A", "2"), ("A", "6")]
    assert score(Mrr(first=True, ties=ties), pred, gold).mrr == 1 / rank


@given(LISTS, LISTS, st.sampled_from([1, 2, 3]))
def test_precision_and_recall_of_the_first_k(pred, gold, k):
    lists, wanted = by_source(best_scores(pred)), by_source(best_scores(gold))
    precision = recall = 0.0
    for source, references in wanted.items():
        every = list(orders(lists.get(source, {})))
        hits = sum(len(set(order[:k]) & set(references)) for order in every) / len(every)
        precision += hits / k
        recall += hits / len(references)
    assert score(PrecisionAtK(k=k), pred, gold).precision == pytest.approx(ratio(precision, len(wanted)))
    assert score(RecallAtK(k=k), pred, gold).recall == pytest.approx(ratio(recall, len(wanted)))


def test_the_first_reference_has_no_filter():
    for parameters in ({"filtered": True}, {"duplicates": "count"}):
        with pytest.raises(goldassay.UsageError, match="has no effect on the first reference"):
            Mrr(first=True, **parameters)


@given(ROWS, ROWS, st.sampled_from(["ignore", "exact"]))
def test_jaccard(pred, gold, relation):
    pred, neutral = stated(pred), unjudged(gold)
    length = 2 if relation == "ignore" else 3
    here, there = ({row[:length] for row in rows if row[:2] not in neutral} for rows in (pred, gold))
    found = score(Jaccard(relation=relation), pred, gold)
    assert found.jaccard == pytest.approx(ratio(len(here & there), len(here | there)))


def test_the_bounds_of_rankings():
    for measure in (Mrr(), HitAtK(k=1), MeanAveragePrecision(), Ndcg(), RPrecision(), RejectionRate()):
        assert list(measure.values.values()) == [(0.0, 1.0)]


def test_only_accepted_candidates_are_answers(tmp_path):
    path = tmp_path / "verdicts.tsv"
    path.write_text(
        "source\tcandidates\nA\t[('1', 0.9, False), ('2', 0.1, False)]\nB\t[('1', 0.2, True), ('3', 0.1, False)]\n"
    )
    pred = goldassay.read(path, kind="alignment")
    gold = Alignment.from_rows([("C", "1"), ("B", None), ("A", None)])
    found = RejectionRate().score(pred=pred, gold=gold)
    assert found.matching.gold.credit.tolist() == [0.0, 1.0]


def test_precision_and_recall_at_2_are_those_of_melts_own_test():
    # EvaluatorRankGroupTest: equal confidences in the order of names, K = 2; P@2 and R@2 of its F1.
    pred = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "c"), ("b", "d")]
    gold = [("a", "b"), ("b", "c"), ("b", "d")]
    found = score(PrecisionAtK(k=2, ties="name"), pred, gold), score(RecallAtK(k=2, ties="name"), pred, gold)
    assert [next(iter(one.values.values())) for one in found] == [0.5, 0.75]


def test_identifiers_are_next_to_labels_where_items_are_named_by_these(tmp_path):
    (tmp_path / "o.ttl").write_text(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        '<http://a/1> rdfs:label "cat"@en . <http://b/7> rdfs:label "Cat"@en .'
    )
    (tmp_path / "a.csv").write_text("source,target\nhttp://a/1,http://b/7\n")
    ontologies = {"source_ontology": str(tmp_path / "o.ttl"), "target_ontology": str(tmp_path / "o.ttl")}
    named, bare = (goldassay.read(tmp_path / "a.csv", kind="alignment", **options) for options in (ontologies, {}))
    details = [
        Overlap().score(pred=one, gold=one).matching.evidence("pred", np.array([0])).details for one in (named, bare)
    ]
    assert (details[0]["source"].tolist(), details[0]["target"].tolist()) == (["http://a/1"], ["http://b/7"])
    assert not {"source", "target"} & details[1].keys()


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_what_ranks_nothing_has_no_rank_and_says_so():
    pred, gold = (Alignment.from_rows(rows) for rows in ([("z", "9", "=", 0.5)], [("a", "1"), ("b", "2")]))
    for name in ("mean_rank", "median_rank"):
        report = goldassay.evaluate(
            {"none": pred, "good": gold}, gold=gold, kind="alignment", measures=name, intervals=True
        )
        none, good = (run[name] for run in report.runs)
        assert (math.isnan(none.values[name]), good.values[name]) == (True, 1.0)
        assert (dict(none.intervals), list(report.comparisons)) == ({}, [])
        assert none.no_interval == f"{name}: no interval, since its values are undefined"
        assert "2 of 2 references are in no list" in none.warning
        shown = " ".join([*report.warnings, *report.runs[0].warnings, none.warning])
        assert "both sides are empty" not in shown
        assert "gold has nothing" not in shown


def test_a_rank_that_no_resample_gives_is_not_in_its_interval():
    rows = [(f"a{row}", f"b{row}") for row in range(3)]
    for measure in (MeanRank(), MedianRank(), MedianRank(first=True)):
        pred, gold = Alignment.from_rows(rows[:2]), Alignment.from_rows(rows)
        report = goldassay.evaluate(pred, gold=gold, kind="alignment", measures=measure, intervals=True)
        [ends] = report.runs[0].scores[0].intervals.values()
        assert (ends.low, ends.high) == (1.0, 1.0)
