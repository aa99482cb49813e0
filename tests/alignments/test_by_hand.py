"""Small alignments worked out by hand: what a step, a relation, a rank and a tie are worth, and what is reported of it."""

import math

import numpy as np
import pytest

import goldassay
from goldassay.alignments import (
    Alignment,
    HitAtK,
    Jaccard,
    MeanAveragePrecision,
    MedianRank,
    Mrr,
    Ndcg,
    NearNdcg,
    Overlap,
    PrecisionAtK,
    RecallAtK,
    RelationChoice,
    Relaxed,
    Residual,
    RPrecision,
    Semantic,
)

PETS = [("kitten", "cat"), ("cat", "animal")]
ANIMAUX = [("chaton", "chat"), ("chat", "bete")]
SECOND = 1 / math.log2(3)
"""What a second place is worth; a first is worth 1, a third 1 / 2."""


def near(measure, pred, gold):
    sides = {"pred": pred, "gold": gold}
    models = {side: Alignment.from_rows(rows, source_edges=PETS, target_edges=ANIMAUX) for side, rows in sides.items()}
    return measure.score(**models)


def ranked(measure, pred, gold, edges=()):
    models = [Alignment.from_rows(rows, target_edges=edges) for rows in (pred, gold)]
    return measure.score(pred=models[0], gold=models[1])


# What a step leaves: of a source that is more specific, of one that is more general, and the same of targets.
STEPS = {
    "symmetric": (0.5, 0.5, 0.5, 0.5),
    "effort": (0.6, 0.4, 0.6, 0.4),
    "precision": (0.5, 1.0, 1.0, 0.5),
    "recall": (1.0, 0.5, 0.5, 1.0),
}


@pytest.mark.parametrize("assignment", ["optimal", "greedy"])
@pytest.mark.parametrize("kind", list(STEPS))
def test_what_a_step_is_worth(kind, assignment):
    gold = [("cat", "chat")]
    found = [("kitten", "chat"), ("animal", "chat"), ("cat", "chaton"), ("cat", "bete")]
    measure = Relaxed(kind=kind, assignment=assignment)
    if assignment == "greedy":
        # The source of gold has to be predicted at all: here with a target that is near nothing.
        earned = [near(measure, [one, ("cat", "fleur")], gold).matching.pred.credit[0] for one in found]
    else:
        earned = [near(measure, [one], gold).precision for one in found]
    assert tuple(earned) == STEPS[kind]
    assert near(measure, gold, gold).f1 == 1.0


@pytest.mark.parametrize(("kind", "up", "down"), [("symmetric", 0.25, 0.25), ("effort", 0.36, 0.16)])
def test_two_steps_are_worth_the_square_of_one(kind, up, down):
    measure = Relaxed(kind=kind)
    assert near(measure, [("kitten", "chat")], [("animal", "chat")]).precision == pytest.approx(up)
    assert near(measure, [("animal", "chat")], [("kitten", "chat")]).precision == pytest.approx(down)


# What relations are worth that differ: of = and <, of = and >, and of any other two.
UNLIKE = {
    "symmetric": (0.5, 0.5, 0.0),
    "effort": (0.5, 0.5, 0.5),
    "precision": (0.5, 1.0, 0.0),
    "recall": (1.0, 0.5, 0.0),
}


@pytest.mark.parametrize("kind", list(UNLIKE))
def test_what_a_relation_is_worth(kind):
    measure = Relaxed(kind=kind, relation="graded")
    known = ("=", "<", ">", "~", "related")
    earned = {
        (one, other): near(measure, [("cat", "chat", one)], [("cat", "chat", other)]).precision
        for one in known
        for other in known
    }
    narrower, broader, other = UNLIKE[kind]
    wanted = {(one, two): 1.0 if one == two else other for one in known for two in known}
    wanted |= {("=", "<"): narrower, ("<", "="): narrower, ("=", ">"): broader, (">", "="): broader}
    assert earned == wanted


@pytest.mark.parametrize(
    ("found", "earned"),
    [
        (("cat", "chat", "="), 1.0),
        (("kitten", "chat", "="), 0.5 * 0.75),
        (("cat", "chaton", "="), 0.5 * 0.75),
        (("kitten", "chaton", "="), 0.25 * 0.75),
        (("cat", "chat", "<"), 0.5 * 0.75),
    ],
)
@pytest.mark.parametrize("scores", [(0.5, 0.75), (0.75, 0.5)])
def test_a_near_miss_loses_the_difference_of_the_scores(found, earned, scores):
    measure = Relaxed(relation="graded", confidence=True)
    assert near(measure, [(*found, scores[0])], [("cat", "chat", "=", scores[1])]).precision == earned


@pytest.mark.parametrize(
    ("found", "earned"),
    [
        (("cat", "chat", "="), (1.0, 1.0)),
        (("kitten", "chat", "="), (0.6, 0.0)),
        (("cat", "bete", "="), (0.4, 0.0)),
        (("cat", "chat", ">"), (0.5, 0.0)),
    ],
)
@pytest.mark.parametrize("scores", [(0.0, 0.75), (0.75, 0.0), (0.0, 0.0)])
def test_a_near_miss_without_confidence_takes_no_effort(found, earned, scores):
    measure = Relaxed(kind="effort", relation="graded")
    gold = ("cat", "chat", "=")
    assert near(measure, [(*found, 0.25)], [(*gold, 0.75)]).precision == earned[0]
    assert near(measure, [(*found, scores[0])], [(*gold, scores[1])]).precision == earned[1]


@pytest.mark.parametrize("assignment", ["optimal", "greedy"])
def test_what_earns_nothing_matches_nothing(assignment):
    # The second earns 0 for its relation, and the third is near nothing.
    pred = [("kitten", "chat", "="), ("dog", "chien", "<"), ("cow", "vache", "=")]
    gold = [("kitten", "chaton", "="), ("dog", "chien", ">"), ("hen", "poule", "=")]
    found = near(Relaxed(relation="graded", assignment=assignment), pred, gold).matching
    for side in (found.pred, found.gold):
        assert side.credit.tolist() == [0.5, 0.0, 0.0]
        assert side.counterpart.tolist() == [0, -1, -1]
        assert side.similarity.tolist() == pytest.approx([0.5, math.nan, math.nan], nan_ok=True)


def test_an_assignment_is_one_to_one_and_has_the_greatest_sum():
    # cat earns 1 by itself, or 0.5 by kitten, which earns 0.25 by the third.
    pred = [("kitten", "chat"), ("cat", "chat")]
    gold = [("cat", "chat"), ("animal", "chat")]
    found = near(Relaxed(), pred, gold)
    assert (found.precision, found.recall) == (0.625, 0.625)
    assert found.matching.gold.counterpart.tolist() == [1, 0]
    greedy = near(Relaxed(assignment="greedy"), pred, [*gold, ("kitten", "chaton")])
    assert greedy.matching.gold.credit.tolist() == [1.0, 0.0, 0.5]


@pytest.mark.parametrize(
    ("parameters", "symmetry", "most"),
    [
        ({}, "swap", 1.0),
        ({"threshold": 0.5}, "none", 1.0),
        ({"kind": "effort"}, "none", 1.0),
        ({"assignment": "greedy"}, "none", math.inf),
        ({"kind": "recall", "assignment": "greedy"}, "none", math.inf),
    ],
)
def test_what_relaxed_promises(parameters, symmetry, most):
    measure = Relaxed(**parameters)
    assert measure.symmetry == symmetry
    assert dict(measure.values) == {"precision": (0.0, most), "recall": (0.0, 1.0), "f1": (0.0, most)}


def test_what_sees_hierarchies_is_no_sum_over_records():
    assert [measure.sums_over_records for measure in (Relaxed(), Semantic(), Overlap())] == [False, False, True]


def test_hierarchies_are_of_gold_or_else_of_the_prediction():
    rows, gold_rows = [("kitten", "chat")], [("cat", "chat")]
    bare = {"pred": Alignment.from_rows(rows), "gold": Alignment.from_rows(gold_rows)}
    pets = {
        "pred": Alignment.from_rows(rows, source_edges=PETS),
        "gold": Alignment.from_rows(gold_rows, source_edges=PETS),
    }
    for one in ("pred", "gold"):
        assert Relaxed().score(**{**bare, one: pets[one]}).precision == 0.5
    flat = Alignment.from_rows(gold_rows, source_edges=[("dog", "animal")])
    assert Relaxed().score(pred=pets["pred"], gold=flat).precision == 0.0


@pytest.mark.parametrize(
    ("found", "hits"),
    [
        # cat > chat states that chat is a cat, and so an animal; nothing says that it is a kitten, or that animals are chats.
        (("animal", "chat", ">"), 1),
        (("cat", "chaton", ">"), 1),
        (("kitten", "chat", ">"), 0),
        (("animal", "chat", "<"), 0),
        (("kitten", "chat", "<"), 0),
        (("cat", "bete", ">"), 0),
    ],
)
def test_what_a_broader_entity_entails(found, hits):
    assert near(Semantic(), [found], [("cat", "chat", ">")]).counts["hit_pred"] == hits


@pytest.mark.parametrize(
    ("found", "hits"),
    [
        (("kitten", "chat", "<"), 1),
        (("cat", "bete", "<"), 1),
        (("animal", "chat", "<"), 0),
        (("kitten", "chat", ">"), 0),
        (("animal", "chat", ">"), 0),
    ],
)
def test_what_a_narrower_entity_entails(found, hits):
    assert near(Semantic(), [found], [("cat", "chat", "<")]).counts["hit_pred"] == hits


def test_what_jaccard_promises():
    assert (Jaccard().symmetry, dict(Jaccard().perfect)) == ("same", {"jaccard": 1.0})
    assert (Jaccard(threshold=0.5).symmetry, dict(Jaccard(threshold=0.5).perfect)) == ("none", {})


def test_relations_that_cannot_be_compared_are_counted(tmp_path):
    path = tmp_path / "a.sssom.tsv"
    path.write_text(
        "subject_id\tpredicate_id\tobject_id\na\tex:resembles\tb\nc\tskos:exactMatch\td\ne\tskos:exactMatch\tf\n"
    )
    pred = goldassay.read(path, kind="alignment", metadata="none")
    with pytest.raises(goldassay.UsageError) as caught:
        Overlap(relation="exact").score(pred=pred, gold=Alignment.from_rows([("c", "d")]))
    assert caught.value.found == "1 of 3 correspondences with another relation"


def test_what_residual_says_where_nothing_is_left_out(tmp_path):
    both = Alignment.from_rows([("a#Author", "b#Writer")])
    messages = "the baseline finds nothing of gold, so that nothing is left out of it"
    hint = "; names are from identifiers unless ontologies are given: --source-ontology FILE"
    assert Residual().score(pred=both, gold=both).note == messages + hint
    (tmp_path / "baseline.csv").write_text("source,target\nx,y\n")
    assert Residual(baseline=str(tmp_path / "baseline.csv")).score(pred=both, gold=both).note == messages


@pytest.mark.parametrize(
    ("names", "left"),
    [("letters", ["a#Author = b#Writer"]), ("words", ["a#Author = b#Writer", "a#Head%20Cook = b#headCook"])],
)
def test_which_identifiers_are_one_name(names, left):
    # Letters are those of the words, so that %20 is a blank; MELT's words leave out hyphens, and keep the 20.
    rows = [("a#Author", "b#Writer"), ("a#Head%20Cook", "b#headCook"), ("a#co-chair", "b#cochair")]
    both = Alignment.from_rows(rows)
    found = Residual(names=names).score(pred=both, gold=both).matching
    assert [found.gold_items.item(row) for row in range(len(found.gold_items))] == left


def test_what_the_first_k_promise():
    assert (dict(PrecisionAtK().perfect), dict(PrecisionAtK(k=2).perfect)) == ({"precision": 1.0}, {})
    assert (dict(PrecisionAtK(k=3).perfect), dict(RecallAtK().perfect)) == ({}, {})


@pytest.mark.parametrize(
    "measure",
    [
        *(Mrr(), HitAtK(), MeanAveragePrecision(), RPrecision(), Ndcg(), NearNdcg(), PrecisionAtK(), RecallAtK()),
        *(Mrr(first=True), HitAtK(first=True)),
    ],
    ids=str,
)
def test_a_ranking_has_one_value_of_the_unit(measure):
    assert dict(measure.values) == {measure.headline: (0.0, 1.0)}


def test_a_pair_with_two_relations_is_one_reference_or_two():
    gold = [("A", "1", "="), ("A", "1", "<"), ("B", "2", "=")]
    pred = [("A", "1", "<", 0.5), ("B", "2", "=", 0.5)]
    plain, typed = ranked(Mrr(), pred, gold), ranked(Mrr(typed=True), pred, gold)
    assert (plain.mrr, len(plain.matching.gold_items)) == (1.0, 2)
    assert (typed.mrr, len(typed.matching.gold_items)) == (2 / 3, 3)
    assert typed.matching.gold.counterpart.tolist() == [-1, 0, 1]


# Of A, 1 is third and 2 is second; of B, 1 is first; nothing is known of C.
RANKED = [("A", "9", "=", 0.9), ("A", "2", "=", 0.8), ("A", "1", "=", 0.7), ("B", "1", "=", 0.5)]
WANTED = [("A", "1"), ("A", "2"), ("B", "1"), ("C", "1")]


@pytest.mark.parametrize(
    ("measure", "counted", "gains", "shares"),
    [
        (Mrr(), "references", [1 / 3, 1 / 2, 1, 0], [1, 1, 1, 1]),
        (Mrr(first=True), "queries", [1 / 2, 1, 0], [1, 1, 1]),
        (HitAtK(k=2, first=True), "queries", [1, 1, 0], [1, 1, 1]),
        (RPrecision(), "queries", [1 / 2, 1, 0], [1, 1, 1]),
    ],
    ids=str,
)
def test_what_gains_are_averaged_over(measure, counted, gains, shares):
    found = ranked(measure, RANKED, WANTED)
    (part,) = measure.parts(found.matching)
    assert len(part.items) == len(shares)
    assert {name: np.asarray(column).tolist() for name, column in part.counts.items()} == {
        "gain": pytest.approx(gains),
        counted: shares,
    }
    assert found.values[found.headline] == pytest.approx(sum(gains) / len(shares))


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
@pytest.mark.parametrize("measure", [Mrr(first=True), HitAtK(first=True)], ids=str)
def test_first_references_that_no_list_has_gain_nothing(measure):
    for pred in ([], [("C", "1", "=", 0.5)], [("A", "9", "=", 0.5)]):
        assert dict(ranked(measure, pred, [("A", "1"), ("A", "2"), ("B", "1")]).counts) == {"gain": 0, "queries": 2}


@pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")
def test_the_median_of_one_rank_of_two_and_of_none():
    medians = [
        ranked(MedianRank(undefined=math.nan), RANKED, gold).median_rank
        for gold in (WANTED[:1], WANTED[:2], WANTED[:3], WANTED[3:])
    ]
    assert medians == pytest.approx([3.0, 2.5, 2.0, math.nan], nan_ok=True)


EDGES = [("1", "5"), ("5", "6"), ("2", "1")]
"""5 is one step above 1, 6 is two, and 2 is one step below."""


def test_what_the_reference_adds_at_its_rank():
    # The item itself earns by its rank, what else of its list earns; the fourth is not listed.
    gold = [("A", "1", "<"), ("B", "1", "<"), ("C", "1", "<"), ("D", "1", "<")]
    pred = [
        *(("A", "1", "<", 0.9), ("B", "7", "<", 0.9), ("B", "1", "<", 0.8)),
        *(("C", "7", "<", 0.9), ("C", "8", "<", 0.8), ("C", "1", "<", 0.7)),
    ]
    for k, credit in ((1, [1, 0, 0, 0]), (2, [1, SECOND, 0, 0]), (3, [1, SECOND, 1 / 2, 0])):
        found = ranked(NearNdcg(k=k), pred, gold)
        assert found.matching.gold.credit.tolist() == pytest.approx(credit)
        assert found.near_ndcg == pytest.approx(sum(credit) / 4)


@pytest.mark.parametrize(
    ("relation", "earned"),
    [
        ("=", {("1", "="): 1, ("1", "<"): 0.6, ("1", ">"): 0.6, ("5", "<"): 0.3, ("6", "<"): 0.2, ("2", ">"): 0.3}),
        ("<", {("1", "<"): 1, ("5", "<"): 1 / 2, ("6", "<"): 1 / 3}),
        (">", {("1", ">"): 1, ("2", ">"): 1 / 2}),
        ("~", {}),
    ],
)
def test_what_a_near_candidate_earns(relation, earned):
    for target in "12567":
        for kind in "=<>~":
            found = ranked(NearNdcg(k=1), [("A", target, kind, 0.5)], [("A", "1", relation)], EDGES)
            # The best of all candidates earns 1; candidates are entities with =, < or >, so that nothing can be earned for ~.
            assert found.near_ndcg == pytest.approx(earned.get((target, kind), 0)), (target, kind)


def test_only_the_first_k_are_discounted():
    # What is a step above comes first: 1 / 2, and then 1 at the second place; the best order is the other one, with 6 behind.
    pred = [("A", "5", "<", 0.9), ("A", "1", "<", 0.5)]
    gold = [("A", "1", "<")]
    assert ranked(NearNdcg(k=1), pred, gold, EDGES).near_ndcg == 1 / 2
    assert ranked(NearNdcg(k=2), pred, gold, EDGES).near_ndcg == pytest.approx((1 / 2 + SECOND) / (1 + SECOND / 2))
    ideal = 1 + SECOND / 2 + 1 / 2 / 3
    assert ranked(NearNdcg(), pred, gold, EDGES).near_ndcg == pytest.approx((1 / 2 + SECOND) / ideal)


@pytest.mark.parametrize(
    ("ties", "first", "second"),
    [
        # 9, 7 and 1 have equal scores behind 8 in the first list; 4, 1 and 0 in the second one.
        ("expected", (SECOND + 1 / 2 + 1 / math.log2(5)) / 3, (1 + SECOND + 1 / 2) / 3),
        ("optimistic", SECOND, 1),
        ("pessimistic", 1 / math.log2(5), 1 / 2),
        ("order", 1 / 2, SECOND),
        ("name", SECOND, SECOND),
    ],
)
def test_ties_of_near_candidates(ties, first, second):
    gold = [("A", "1", "<"), ("B", "1", "<")]
    pred = [
        *(("A", "8", "<", 0.9), ("A", "9", "<", 0.5), ("A", "1", "<", 0.5), ("A", "7", "<", 0.5)),
        *(("B", "4", "<", 0.5), ("B", "1", "<", 0.5), ("B", "0", "<", 0.5)),
    ]
    found = ranked(NearNdcg(ties=ties), pred, gold)
    assert found.matching.gains.tolist() == pytest.approx([first, second])


def test_scores_that_differ_by_rounding_are_tied_only_by_name():
    pred = [("A", "2", "<", 0.1 + 0.2), ("A", "1", "<", 0.3)]
    gold = [("A", "1", "<")]
    found = {ties: ranked(NearNdcg(ties=ties), pred, gold).near_ndcg for ties in ("expected", "order", "name")}
    assert found == pytest.approx({"expected": SECOND, "order": SECOND, "name": 1})
    pred = [("A", "1", "<", 0.1 + 0.2), ("A", "1", "=", 0.3)]
    chosen = {ties: ranked(RelationChoice(ties=ties), pred, gold).accuracy for ties in ("expected", "name")}
    assert chosen == {"expected": 1.0, "name": 0.0}


def test_which_relations_are_chosen():
    # B has two relations with equal scores, of which the right one is chosen by half; C has a wrong one, and D none.
    pred = [
        *(("A", "1", "=", 0.5), ("A", "1", "<", 0.4), ("B", "2", "<", 0.5), ("B", "2", ">", 0.5)),
        *(("C", "3", "<", 0.5), ("C", "3", "=", 0.4), ("D", "9", "=", 0.5)),
    ]
    gold = [("A", "1", "="), ("B", "2", ">"), ("C", "3", "="), ("D", "4", "=")]
    found = ranked(RelationChoice(), pred, gold)
    assert found.accuracy == 1.5 / 3
    assert found.matching.chosen[:, :3].tolist() == [[1, 0, 0], [0, 0.5, 0.5], [0, 1, 0], [0, 0, 0]]
    side = found.matching.gold
    assert side.credit.tolist() == [1.0, 0.5, 0.0, 0.0]
    assert side.counterpart.tolist() == [0, 3, -1, -1]
    assert side.similarity.tolist() == pytest.approx([1.0, 0.5, math.nan, math.nan], nan_ok=True)
    by_name = ranked(RelationChoice(ties="name"), pred, gold).matching.gold
    assert by_name.credit.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert by_name.counterpart.tolist()[1:] == [-1, -1, -1]


@pytest.mark.parametrize(
    ("row", "messages"),
    [
        (("a",), "Row 2 cannot be used"),
        (("a", "b", "=", 1.0, "x"), "Row 2 cannot be used"),
        ("ab", "Row 2 cannot be used"),
        ({"source": "a", "target": "b"}, "Row 2 cannot be used"),
        (("a", "b", 0.5), "Unknown relation 0.5"),
        (("a", "b", "=", "high"), "The score of row 2 is not a number"),
        (("a", "b", "=", math.nan), "The score of row 2 is not a number"),
    ],
)
def test_a_row_that_is_no_correspondence_is_named(row, messages):
    with pytest.raises(goldassay.UsageError, match=messages):
        Alignment.from_rows([("c", "d"), row])


def test_tied_candidates_are_named_only_where_they_are_ranked():
    gold = Alignment.from_rows([("a", "x"), ("b", "y")])
    tied = Alignment.from_rows([("a", "x"), ("a", "y"), ("b", "y")])
    message = {
        spec: " ".join(goldassay.evaluate(tied, gold=gold, kind="alignment", measures=spec).warnings)
        for spec in (
            "overlap",
            "jaccard",
            "macro_overlap",
            "mrr",
            "mean_rank",
            "hit_at_k(k=1)",
            "hit_at_k(k=1,ties=order)",
        )
    }
    named = {spec for spec, lines in message.items() if "ranking is meaningless" in lines}
    assert named == {"mrr", "mean_rank", "hit_at_k(k=1)"}
    # One candidate a source is no ranking.
    single = Alignment.from_rows([("a", "x"), ("b", "x")])
    assert not goldassay.evaluate(single, gold=gold, kind="alignment", measures="mrr").warnings
