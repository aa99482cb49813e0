"""Several gold standards: hand-worked cases of every rule, the laws, and what cannot be."""

import itertools
import json
import math
from dataclasses import replace
from functools import cache

import jsonschema
import numpy as np
import pytest

import goldassay
from goldassay.alignments import Alignment, Overlap
from goldassay.axioms import Axioms
from goldassay.concepts import Concepts
from goldassay.concepts.model import Mention, lay_out
from goldassay.core.chance import Chance
from goldassay.core.combination import RULES
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import GoldassayError, UsageError
from goldassay.core.units import Units
from goldassay.families import families, family
from goldassay.gold_standards import GoldStandards, choose_best_units
from goldassay.graphs import Graph
from goldassay.labels import Labels
from goldassay.report.shape import report_schema
from goldassay.triples import TripleSet
from goldassay.triples.formats.raw import RawDocuments
from goldassay.unl import Texts, document_of

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")


def texts(*wordings):
    return Texts(ids=tuple(str(row + 1) for row in range(len(wordings))), wordings=tuple((one,) for one in wordings))


def axioms(*rows):
    return Axioms.from_rows([row.split() for row in rows])


def graph(*edges):
    return Graph.from_edges([tuple(edge.split()) for edge in edges])


def alignment(*pairs):
    return Alignment.from_rows([tuple(pair.split()) for pair in pairs])


def triples(*rows):
    return TripleSet.from_lists({"d": [tuple(row.split()) for row in rows]})


def labels(*names):
    edges = [(name, "animal") for name in ("cat", "dog", "cow", "hen", "ant")]
    return Labels.from_rows([("d", name) for name in names], edges=edges)


# In each family the prediction matches 2 of its 3 items in the union of a (3 items) and b (2), which have one in common;
# of a it matches 1, of b both. Worked by hand: max: P 2/3, R 2/2. union: P 2/3, R 2/4. intersection: P 1/3, R 1/1.
# mean: P (1/3 + 2/3) / 2, R (1/3 + 2/2) / 2. votes: P 2/3, R (1 + 1/2) / (1 + 3 * 1/2).
def _with_types(names):
    """Make a document of concepts that have ids and semantic types, which some measures need."""
    return lay_out([("q", "", [Mention(name, name, name, kinds="T047") for name in names])])


CASES = {
    "taxonomy": (graph("cat pet", "dog pet", "cow farm"), graph("cat pet", "hen farm"), graph("cat pet", "hen farm", "x y"), "literal"),
    "axioms": (
        axioms("Cat eats Fish", "Dog eats Meat", "Cow eats Hay"),
        axioms("Cat eats Fish", "Hen eats Corn"),
        axioms("Cat eats Fish", "Hen eats Corn", "Ant eats Wood"),
        "exact",
    ),
    "alignment": (
        alignment("cat chat", "dog chien", "cow vache"),
        alignment("cat chat", "hen poule"),
        alignment("cat chat", "hen poule", "ant fourmi"),
        "overlap",
    ),
    "concepts": (
        _with_types(["cat", "dog", "cow"]),
        _with_types(["cat", "hen"]),
        _with_types(["cat", "hen", "ant"]),
        "concept_exact",
    ),
    "triples": (
        triples("Cat eats Fish", "Dog eats Meat", "Cow eats Hay"),
        triples("Cat eats Fish", "Hen eats Corn"),
        triples("Cat eats Fish", "Hen eats Corn", "Ant eats Wood"),
        "triples",
    ),
    "labels": (labels("cat", "dog", "cow"), labels("cat", "hen"), labels("cat", "hen", "ant"), "hierarchical"),
}  # fmt: skip
BY_HAND = {
    "max": (2 / 3, 1.0, 0.8),
    "union": (2 / 3, 1 / 2, 4 / 7),
    "intersection": (1 / 3, 1.0, 0.5),
    "mean": (1 / 2, 2 / 3, (1 / 3 + 0.8) / 2),
    "votes": (2 / 3, 3 / 5, 12 / 19),
}


def scored(kind, pred, gold_standards, rule, measure, **others):
    report = goldassay.evaluate(
        pred, gold=gold_standards, kind=kind, combine=rule, measures=measure, encoder="hashing", **others
    )
    return report.runs[0].scores[0]


@pytest.mark.parametrize(("kind", "rule"), [*itertools.product(CASES, RULES)])
def test_every_rule_gives_what_was_worked_by_hand(kind, rule):
    a, b, pred, name = CASES[kind]
    score = scored(kind, pred, [a, b], rule, name)
    assert [score.values[name] for name in ("precision", "recall", "f1")] == pytest.approx(BY_HAND[rule])
    assert f"combine:{rule}(2" in str(score.signature)
    assert score.signature.fields["pred"] == str(len(pred))
    # The gold standards have 1 of 3 and 1 of 2 in common: f1 2/5 either way, by every rule, since one gold is left.
    assert score.combined.ceiling["f1"] == pytest.approx(0.4)
    assert score.combined.sizes == (3, 2)


def test_sentences_by_hand():
    a, b = (
        texts("The cat sleeps.", "The dog barks.", "It rains."),
        texts("The cat sleeps.", "A hound is loud.", "Nothing."),
    )
    pred = texts("The cat sleeps.", "A hound is loud.", "It rains.")
    found = {rule: scored("sentences", pred, [a, b], rule, "levenshtein") for rule in RULES}
    assert found["max"].f1 == found["union"].f1 == 1
    assert found["max"].counts.sums == {"hit_pred": 3, "hit_gold": 3, "n_pred": 3, "n_gold": 3}
    assert found["mean"].f1 == pytest.approx(2 / 3)
    assert (found["intersection"].precision, found["intersection"].recall) == (pytest.approx(1 / 3), 1)
    assert found["votes"].f1 == 1
    # A sentence that one gold only has weighs half: hits (1 + 1) of 1 + 1 + 1/2.
    short = Texts(ids=("1", "2"), wordings=(("The cat sleeps.",), ("The dog barks.",)))
    half = scored("sentences", texts("The cat sleeps.", "The dog barks.", "No."), [a, short], "votes", "levenshtein")
    assert half.recall == pytest.approx(2 / 2.5)


DEEP = [("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("oak", "tree"), ("tree", "plant")]


def deep(*rows):
    return Labels.from_rows([(instance, name) for instance, name in map(str.split, rows)], edges=DEEP)


def test_a_node_above_labels_weighs_by_the_golds_whose_labels_lie_below_it():
    a, b, pred = deep("d cat"), deep("d dog", "d tree"), deep("d cat", "d oak")
    # Of the union cat weighs 1/2, dog 1/2, tree 1/2, and pet 1, which lies above a label of either.
    found = scored("labels", pred, [a, b], "votes", "hierarchical")
    assert dict(found.counts)["n_gold"] == 2.5
    assert dict(found.counts)["hit_gold"] == 2  # cat, pet, tree
    assert (found.precision, found.recall) == (3 / 4, pytest.approx(2 / 2.5))
    # With the roots: animal weighs 1, plant 1/2; all three roots are matched, the artificial one weighs 1.
    found = scored("labels", pred, [a, b], "votes", "hierarchical(root=include)")
    assert (dict(found.counts)["hit_gold"], dict(found.counts)["n_gold"]) == (3.5, 4)
    found = scored("labels", pred, [a, b], "votes", "hierarchical(root=artificial)")
    assert (dict(found.counts)["hit_gold"], dict(found.counts)["n_gold"]) == (4.5, 5)
    # Labels as they are: cat, dog and tree weigh 1/2 each, and cat is matched.
    found = scored("labels", pred, [a, b], "votes", "hierarchical(ancestors=given)")
    assert (found.precision, found.recall) == (1 / 2, pytest.approx(1 / 3))


def test_a_label_of_gold_weighs_by_its_votes_in_wu_palmer():
    a, b, pred = deep("d cat", "e oak"), deep("d cat", "d oak", "e oak"), deep("d dog", "e oak")
    # d: cat weighs 1, and dog is 2 * 2 / (2 * 2 + 1 + 1) from it; oak weighs 1/2, and nothing is near it. e: 1.
    found = scored("labels", pred, [a, b], "votes", "wu_palmer")
    assert (found.precision, found.recall) == (pytest.approx((2 / 3 + 1) / 2), pytest.approx((2 / 3 / 1.5 + 1) / 2))


def test_scores_of_labels_are_no_votes():
    unsure = Labels.from_rows([("d", "cat", 0.1)], edges=DEEP)
    found = scored("labels", deep("d cat"), [unsure, unsure], "votes", "hierarchical")
    assert found.recall == 1


def test_references_of_triples_in_one_file_are_golds(tmp_path):
    file = tmp_path / "gold.jsonl"
    file.write_text(
        '{"id": "d", "references": [[["Cat", "eats", "Fish"], ["Dog", "eats", "Meat"], ["Cow", "eats", "Hay"]], '
        '[["Cat", "eats", "Fish"], ["Hen", "eats", "Corn"]]]}\n{"id": "e", "references": [[]]}\n'
    )
    *_, pred, name = CASES["triples"]
    for rule in RULES:
        score = scored("triples", pred, str(file), rule, name)
        assert [score.values[one] for one in ("precision", "recall", "f1")] == pytest.approx(BY_HAND[rule])
        assert score.combined.sizes == (3, 2)
    # Without --combine the best reference of a document is for it, as it always did.
    assert scored("triples", pred, str(file), None, name).f1 == pytest.approx(0.8)


def test_golds_of_triples_with_several_references_are_not_merged():
    documents = RawDocuments()
    documents.add(documents.begin("d"), ("a", "r", "b"))
    documents.add(documents.another(), ("a", "r", "c"))
    several = TripleSet(**documents.columns(str))
    with pytest.raises(UsageError, match="several references"):
        scored("triples", several.only(np.array([0])), [several, several], "union", "triples")


def test_merged_triples_keep_texts_types_and_the_first_spelling():
    gold_standards = []
    for slots, kind in ((("oslo", "in", "Norway"), "City"), (("Oslo", "in", "norway"), "Place")):
        documents = RawDocuments()
        only = documents.begin("d", text="Oslo.")
        documents.add(only, slots)
        documents.set_types(only, [slots[0]], [kind])
        gold_standards.append(TripleSet(**documents.columns(str.lower)))
    both = family("triples").trust.merged(gold_standards, 2)
    assert both.item(0) == "d: Oslo | in | norway"
    assert (both.texts.tolist(), both.type_names.tolist()) == (["Oslo."], ["City"])


def test_merged_labels_join_their_hierarchies_and_keep_instances_without_labels():
    one = Labels.from_rows([("d", "cat", 0.5)], edges=[("cat", "pet")], ids=["d", "e"])
    two = Labels.from_rows([("d", "pet", 0.9), ("f", "animal")], edges=[("pet", "animal")], ids=["e", "d"])
    union, shared = (family("labels").trust.merged([one, two], least) for least in (1, 2))
    assert [union.item(row) for row in range(len(union))] == ["d: cat", "d: pet", "f: animal"]
    assert (union.scores.tolist(), len(union.hierarchy)) == ([0.5, 0.9, 1.0], 3)
    assert (len(shared), sorted(shared.ids.tolist())) == (0, ["d", "e"])
    again = family("labels").trust.merged([one, Labels.from_rows([("d", "cat", 0.9)], hierarchy=one.hierarchy)], 2)
    assert again.scores.tolist() == [0.9]


@pytest.mark.parametrize(
    ("rule", "rows", "edges"),
    [
        ("union", (0, 1), "abc"),
        ("union", (0, 1, 2), "abcd"),
        ("intersection", (0, 1), "a"),
        ("intersection", (0, 2), "ab"),
        # What two of three gold standards have is not what all have.
        ("intersection", (0, 1, 2), "a"),
        ("max", (1, 2), "ac"),
        ("union", (1,), "ac"),
    ],
)
def test_golds_are_merged_from_two_on_and_to_what_all_have(rule, rows, edges):
    gold_standards = [graph(*(f"{child} x" for child in children)) for children in ("ab", "ac", "abd")]
    pool = GoldStandards(family("taxonomy"), tuple(gold_standards[row] for row in rows), rule)
    assert sorted(map(pool.gold.item, range(len(pool.gold)))) == [f"{child} -> x" for child in edges]


@pytest.mark.parametrize(("rule", "edges"), [("union", "abc"), ("intersection", "a"), ("max", "abc"), ("mean", "abc")])
def test_null_models_know_the_names_of_all_golds_or_of_what_they_are_merged_to(rule, edges):
    pool = GoldStandards(family("taxonomy"), (graph("a x", "b x"), graph("a x", "c x")), rule)
    assert sorted(map(pool.known.item, range(len(pool.known)))) == [f"{child} -> x" for child in edges]


def test_what_is_reported_of_every_gold_is_reported_once():
    pool = GoldStandards(family("taxonomy"), (graph("a x"), graph("b x"), graph("c x")), "max")
    found = [*pool._score_each([["all", "one"], ["all", "two"], ["two", "all"]])]
    assert found == ["all", "against gold 1: one", "against gold 2: two", "against gold 3: two"]


def test_the_ceiling_of_a_mean_is_the_mean_over_all_pairs_of_golds():
    gold_standards = [graph(*(f"{child} x" for child in children)) for children in ("ab", "acd", "abdef")]
    score = scored("taxonomy", gold_standards[0], gold_standards, "mean", "literal")
    pairs = [
        goldassay.evaluate(a, gold=b, measures="literal")["literal"]
        for a, b in itertools.permutations(gold_standards, 2)
    ]
    for name in ("precision", "recall", "f1"):
        assert score.combined.ceiling[name] == pytest.approx(np.mean([one.values[name] for one in pairs]))


def test_the_ceiling_of_a_mean_is_over_the_documents_that_each_pair_shares():
    gold_standards = [{"p": ["cat"], "q": ["dog"]}, {"p": ["cat"]}, {"p": ["hen"], "q": ["dog"]}]
    a, b, c = map(Concepts.from_lists, gold_standards)
    # a and b share p, on which they agree; a and c share both, and agree on one; b and c share p, and do not agree.
    score = scored("concepts", a, [a, b, c], "mean", "concept_exact")
    assert score.combined.ceiling["f1"] == pytest.approx(((1 + 1 / 2) / 2 + (1 + 0) / 2 + (1 / 2 + 0) / 2) / 3)


@pytest.mark.parametrize(("rule", "single"), [("max", True), ("union", True), ("intersection", True), ("mean", False)])
def test_what_is_diagnosed_is_the_score_itself_unless_it_is_of_no_single_gold(rule, single):
    pool = GoldStandards(family("taxonomy"), (graph("a x", "b x"), graph("c x", "a x")), rule)
    found = pool.judge(goldassay.parse("literal"), graph("a x"), Context())
    assert (found.plain is found.score, found.plain.combined is not None) == (single, single)


@pytest.mark.filterwarnings("error")
def test_only_what_is_undefined_is_warned_of():
    pool = GoldStandards(family("taxonomy"), (graph("a x", "b x"), graph("c x", "a x")), "max")
    assert pool.judge(goldassay.parse("literal"), graph("a x"), Context()).score.warning
    with pytest.warns(goldassay.UndefinedWarning, match="precision 0/0"):
        pool.judge(goldassay.parse("literal"), graph(), Context())


@pytest.mark.parametrize("order", [1, -1])
def test_of_golds_that_are_alike_the_path_decides(order):
    gold_standards = [replace(graph("a x"), path=name) for name in ("a.csv", "b.csv", None)][::order]
    assert (
        scored("taxonomy", graph("a x"), gold_standards, "max", "literal").note
        == "b.csv is the best of the gold standards"
    )


def test_of_golds_of_one_size_and_value_the_one_with_fewer_to_find_is_the_best():
    chain, apart = graph("a b", "b c"), graph("a b", "c d")
    for gold_standards in ([chain, apart], [apart, chain]):
        assert scored("taxonomy", graph("x y"), gold_standards, "max", "closure").counts["n_gold"] == 2


def test_one_gold_is_merged_with_none():
    one = graph("a x")
    assert GoldStandards(family("taxonomy"), (one,), "intersection").gold is one


def test_two_measures_are_named_in_place_of_one_that_takes_no_votes():
    with pytest.raises(UsageError) as caught:
        scored("taxonomy", graph("a x"), [graph("a x"), graph("b x")], "votes", "motif")
    assert caught.value.hint == "-m literal -m fuzzy; or --combine max"


def test_a_score_against_several_golds_says_how_it_was_drawn_and_which_is_the_best():
    a, b = (Concepts.from_lists({"p": [one], "q": [other]}) for one, other in (("cat", "dog"), ("hen", "bee")))
    pred = Concepts.from_lists({"p": ["cat"], "q": ["bee"]})
    drawn = scored("concepts", pred, [a, b], "max", "concept_exact", intervals=True)
    assert drawn.signature.fields["ci"].startswith("bca(level=0.95,resamples=10000,seed=0)/")
    assert "as a whole; the items are those of it" in drawn.note
    assert (drawn.combined.mixed, drawn.f1) == (True, 1)
    edges = scored("taxonomy", graph("a x"), [graph("a x", "b x"), graph("c x")], "max", "literal")
    assert edges.note == "gold 1 is the best of the gold standards"
    assert "ci" not in edges.signature.fields


def test_panels_show_one_gold_or_what_several_are_merged_to():
    golds = [graph("a x", "b x"), graph("c x")]
    for chosen, rule, shown in ((golds[:1], None, 2), (golds, "union", 3), (golds, "max", None)):
        report = goldassay.evaluate(graph("a x"), gold=chosen, combine=rule, measures="literal")
        trees = [panel for panel in report.plot.panels() if panel.title == "The two taxonomies"]
        assert [len(one.gold.edges) for one in trees] == ([] if shown is None else [shown])


def test_the_best_is_taken_for_each_document():
    a = Concepts.from_lists({"p": ["cat"], "q": ["dog", "cow"]})
    b = Concepts.from_lists({"p": ["hen", "ant"], "q": ["bee"]})
    pred = Concepts.from_lists({"p": ["cat"], "q": ["bee", "fly"]})
    score = scored("concepts", pred, [a, b], "max", "concept_exact(average=micro)")
    assert dict(score.counts)["n_gold"] == 2  # a for p, b for q
    assert (score.precision, score.recall) == (pytest.approx(2 / 3), 1)
    assert scored("concepts", pred, [a], None, "concept_exact(average=micro)").recall == pytest.approx(1 / 3)
    macro = scored("concepts", pred, [a, b], "max", "concept_exact", intervals=True)
    assert macro.f1 == pytest.approx((1 + 2 / 3) / 2)
    assert "f1" in macro.intervals
    assert len(macro.units) == 2


def test_a_document_that_one_gold_lacks_is_judged_by_the_other_only():
    a = Concepts.from_lists({"p": ["cat"], "q": ["dog"]})
    b = Concepts.from_lists({"p": ["cat"]})
    wrong = Concepts.from_lists({"p": ["cat"], "q": ["fly"]})
    score = scored("concepts", wrong, [a, b], "max", "concept_exact(average=micro)")
    assert dict(score.counts)["n_gold"] == 2
    assert score.combined.ceiling["f1"] == 1  # on p, which both have
    mean = scored("concepts", wrong, [a, b], "mean", "concept_exact(average=micro)")
    assert mean.f1 == pytest.approx((0.5 + 1) / 2)
    assert mean.combined.ceiling["f1"] == 1


def test_lower_is_better_takes_the_least():
    a, b = graph("a b", "b c", "c d"), graph("a c", "b c")
    pred = graph("x z", "y z")
    assert scored("taxonomy", pred, [a, b], "max", "motif").distance == 0
    assert scored("taxonomy", pred, [b, a], "max", "motif").distance == 0
    assert scored("taxonomy", pred, [a, b], "mean", "motif").distance == pytest.approx(0.5)


NO_VOTES = {
    "taxonomy": "anchored nodes continuous graph motif taxonomic closure ancestor_f1 fowlkes_mallows edges",
    "axioms": "coverage",
    "alignment": "macro_overlap relaxed semantic hit_at_k mrr mean_rank median_rank map ndcg near_ndcg r_precision "
    "precision_at_k recall_at_k rejection_rate relation_choice",
    "concepts": "concept",
    "triples": "conformance grounding graph_match g_bleu g_rouge g_bertscore ged facts webnlg edc full_triples text2kgbench pive stages",
    "labels": "lca weighted_fmax smin flat exact_match",
    "unl": "unl_relations unl_uws unl_attributes",
    "sentences": "",
}
"""Measures that do not count single items of gold, each for itself, at their defaults."""


@pytest.mark.parametrize("kind", families())
def test_which_measures_weigh_gold_by_votes(kind):
    assert {measure.name for measure in family(kind).measures.classes if not measure().weighs_gold} == {
        *NO_VOTES[kind].split()
    }


SINGLE = [
    (kind, measure)
    for kind in families()
    for measure in family(kind).measures.classes
    if measure.name != "g_bertscore"  # which needs a language model
]
UNL = document_of("[S:1] agt(go(icl>do), he) obj(go(icl>do), it(icl>thing)) [/S] [S:2] agt(eat(icl>do), she) [/S]")
UNL_PRED = document_of(
    "[S:1] agt(go(icl>do), he) [/S] [S:2] agt(eat(icl>do), she) obj(eat(icl>do), hay(icl>thing)) [/S]"
)
PAIRS = {
    **{kind: (case[0], case[2]) for kind, case in CASES.items()},
    "sentences": (texts("The cat sleeps.", "It rains."), texts("The cat sleeps.", "No.")),
    "unl": (UNL, UNL_PRED),
}


def possible(kind, measure, rule):
    if kind == "unl":
        return rule in {"max", "mean"}
    return rule != "votes" or measure().weighs_gold


@cache
def of_one_gold(kind, measure):
    """Score a prediction against one gold standard, and this against itself: what all rules are compared with."""
    gold, pred = PAIRS[kind]
    return scored(kind, pred, gold, None, measure()), scored(kind, gold, gold, None, measure())


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("kind", "measure"), SINGLE, ids=lambda one: getattr(one, "name", one))
def test_copies_of_one_gold_give_its_score_and_a_ceiling_that_is_perfect(kind, measure, rule):
    if not possible(kind, measure, rule):
        with pytest.raises(UsageError):
            scored(kind, PAIRS[kind][1], [PAIRS[kind][0]] * 3, rule, measure())
        return
    gold, pred = PAIRS[kind]
    single, itself = of_one_gold(kind, measure)
    score = scored(kind, pred, [gold] * 3, rule, measure())
    assert score.values == pytest.approx(single.values, nan_ok=True, abs=1e-6)
    times = 3 if rule == "mean" else 1
    assert dict(score.counts) == pytest.approx({name: times * one for name, one in single.counts.items()}, abs=1e-5)
    if score.combined.ceiling:
        assert score.combined.ceiling == pytest.approx(itself.values, nan_ok=True, abs=1e-6)
    if kind not in {"alignment", "labels", "triples", "unl"}:
        assert score.combined.ceiling[score.headline] == pytest.approx(score.measure.perfect[score.headline], abs=1e-6)


def perturbed(rng, edges):
    kept = [edge for edge in edges if rng.random() < 0.7]
    return Graph.from_edges([*kept, *((f"n{a}", f"n{b}") for a, b in rng.integers(0, 9, (3, 2)).tolist())])


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("measure", ["literal", "fuzzy(threshold=0.3)", "nodes", "taxonomic"])
def test_the_order_of_golds_moves_nothing(rule, measure):
    rng = np.random.default_rng(4)
    edges = [(f"n{i}", f"n{i // 2}") for i in range(1, 20)]
    gold_standards, pred = [perturbed(rng, edges) for _ in range(3)], perturbed(rng, edges)
    if not possible("taxonomy", type(family("taxonomy").measures.parse(measure)), rule):
        return
    found = [scored("taxonomy", pred, list(some), rule, measure) for some in itertools.permutations(gold_standards)]
    assert all(one.values == found[0].values for one in found)
    assert all(dict(one.counts) == dict(found[0].counts) for one in found)
    assert all(one.combined.ceiling == pytest.approx(found[0].combined.ceiling) for one in found)
    assert len({str(one.signature) for one in found}) == 1


@pytest.mark.parametrize("rule", RULES)
def test_the_order_of_golds_moves_nothing_in_documents(rule):
    rng = np.random.default_rng(1)
    words = np.array(["cat", "dog", "cow", "hen", "ant"])

    def some():
        return Concepts.from_lists(
            {f"q{i}": rng.choice(words, rng.integers(0, 5), replace=False).tolist() for i in range(6)}
        )

    gold_standards, pred = [some() for _ in range(3)], some()
    for measure in ("concept_exact", "concept_exact(average=micro)"):
        found = [scored("concepts", pred, list(one), rule, measure) for one in itertools.permutations(gold_standards)]
        assert all(one.values == found[0].values for one in found)
        assert all(dict(one.counts) == dict(found[0].counts) for one in found)


def _lists(**documents):
    return {name: items.split() for name, items in documents.items()}


# p is right by every gold. Of q every gold gives the prediction 0: it asks for nothing, one thing or two. Of r the two that have it
# agree with nothing that is predicted, and the third does not have it.
DIFFERENT = [_lists(p="cat", q="", r="ant"), _lists(p="cat", q="dog", r="ant bee"), _lists(p="cat", q="dog cow")]
ANSWER = _lists(p="cat", q="hen", r="hen")


def _as_concepts(lists):
    return Concepts.from_lists(lists)


def _as_triples(lists):
    return TripleSet.from_lists({name: [(item, "is", "animal") for item in items] for name, items in lists.items()})


def _as_labels(lists):
    rows = [(name, item) for name, items in lists.items() for item in items]
    return Labels.from_rows(
        rows, edges=[(name, "animal") for name in ["ant", "bee", "cat", "cow", "dog", "hen"]], ids=list(lists)
    )


def _as_unl(lists):
    graphs = {name: " ".join(f"agt({item}(icl>do), he)" for item in items) for name, items in lists.items()}
    return document_of("".join(f"[S:{name}] {graph} [/S]" for name, graph in graphs.items()))


@pytest.mark.parametrize("gold_standards", list(itertools.permutations(DIFFERENT)))
@pytest.mark.parametrize(
    ("kind", "model", "measure"),
    [
        ("concepts", _as_concepts, "concept_exact(average=micro)"),
        ("triples", _as_triples, "triples"),
        ("labels", _as_labels, "hierarchical(ancestors=given)"),
        ("unl", _as_unl, "unl_relations"),
    ],
)
def test_of_golds_that_give_the_same_the_one_with_most_items_judges_a_document(kind, model, measure, gold_standards):
    score = scored(kind, model(ANSWER), [model(one) for one in gold_standards], "max", measure)
    assert dict(score.counts)["n_gold"] == 1 + 2 + 2
    assert score.combined.mixed


def test_a_document_that_is_empty_in_a_gold_and_in_the_prediction_is_judged_by_that_gold():
    pred = Concepts.from_lists(_lists(p="cat", q="", r="hen"))
    gold_standards = [_as_concepts(one) for one in DIFFERENT]
    score = scored("concepts", pred, gold_standards, "max", "concept_exact(average=micro)")
    assert dict(score.counts)["n_gold"] == 1 + 0 + 2


def test_of_golds_that_give_the_same_as_a_whole_the_largest_is_named_the_best():
    gold_standards = [graph("a b"), graph("a b", "c d"), graph("a b", "c d", "e f")]
    for some in itertools.permutations(gold_standards):
        assert dict(scored("taxonomy", graph("x y"), list(some), "max", "literal").counts)["n_gold"] == 3


def test_max_by_document_is_what_a_plain_loop_finds():
    rng = np.random.default_rng(7)
    words = np.array(["cat", "dog", "cow", "hen", "ant"])
    lists = [
        {f"q{i}": rng.choice(words, rng.integers(1, 5), replace=False).tolist() for i in range(30)} for _ in range(4)
    ]
    *gold_standards, pred = lists

    def f1(found, wanted):
        return 2 * len({*found} & {*wanted}) / (len(found) + len(wanted))

    expected = math.fsum(max(f1(pred[name], gold[name]) for gold in gold_standards) for name in pred) / len(pred)
    models = [Concepts.from_lists(one) for one in lists]
    assert scored("concepts", models[3], models[:3], "max", "concept_exact").f1 == pytest.approx(expected)


def test_votes_are_what_a_plain_loop_finds():
    rng = np.random.default_rng(8)
    gold_standards = [{(f"n{a}", f"n{b}") for a, b in rng.integers(0, 6, (15, 2)).tolist()} for _ in range(3)]
    pred = {(f"n{a}", f"n{b}") for a, b in rng.integers(0, 6, (15, 2)).tolist()}
    weights = {edge: sum(edge in gold for gold in gold_standards) / 3 for edge in set.union(*gold_standards)}
    recall = math.fsum(weights[edge] for edge in pred & weights.keys()) / math.fsum(weights.values())
    score = scored(
        "taxonomy", Graph.from_edges(pred), [Graph.from_edges(one) for one in gold_standards], "votes", "literal"
    )
    assert (score.precision, score.recall) == pytest.approx((len(pred & weights.keys()) / len(pred), recall))


def test_golds_of_different_relations_keep_them_apart():
    lines = [("a", "likes", "b"), ("a", "hates", "b")]
    one = Graph(
        **{
            **vars(graph("a b")),
            "edges": np.array([[0, 1], [0, 1]]),
            "relations": np.array([0, 1]),
            "relation_names": ("likes", "hates"),
        }
    )
    merged = family("taxonomy").trust.merged([one, one], 2)
    assert len(merged) == len(lines)
    assert sorted(merged.relation_names[row] for row in merged.relations) == ["hates", "likes"]


def test_homonyms_stay_apart():
    one = Graph.from_edges([("1", "3"), ("2", "3")], texts={"1": "bank", "2": "bank", "3": "thing"})
    merged = family("taxonomy").trust.merged([one, one], 2)
    assert (len(merged), len(merged.ids)) == (2, 3)


def test_a_family_or_measure_that_cannot_says_what_can():
    a, b, pred, _ = CASES["taxonomy"]
    with pytest.raises(UsageError, match="single items of gold") as refused:
        scored("taxonomy", pred, [a, b], "votes", "motif")
    assert "literal" in str(refused.value)
    with pytest.raises(UsageError, match="cannot be merged") as refused:
        scored("unl", UNL_PRED, [UNL, UNL], "union", "unl_relations")
    assert "max" in str(refused.value)
    for rule in RULES:
        with pytest.raises(UsageError, match="at least two"):
            scored("taxonomy", pred, [a], rule, "literal")
    with pytest.raises(UsageError, match="rule for several gold standards"):
        scored("taxonomy", pred, [a, b], "best", "literal")
    with pytest.raises(UsageError, match="several gold standards"):
        scored("taxonomy", pred, [a, b], "mean", "literal", by="depth")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("kind", "measure"), [("taxonomy", "literal"), ("concepts", "concept_exact"), ("triples", "triples")]
)
def test_draws_are_scored_by_the_rule_as_the_prediction_is(rule, kind, measure):
    a, b, pred, _ = CASES[kind]
    score = scored(kind, pred, [a, b], rule, measure, chance=Chance(draws=12))
    chosen, rng = family(kind), np.random.default_rng(0)
    null = next(iter(chosen.trust.nulls))
    drawn = [scored(kind, chosen.trust.nulls[null].draw(pred, a, rng), [a, b], rule, measure).values for _ in range(12)]
    if score.chance is None:
        # There is no level only where no draw changes anything.
        assert drawn == [score.values] * len(drawn)
        return
    for name in score.values:
        assert score.chance.expected[name] == pytest.approx(np.mean([one[name] for one in drawn]))
    assert f"{null}(draws=12,seed=0)" in str(score.signature)


def test_random_edges_are_drawn_from_the_names_of_all_golds():
    a, b = Graph.from_edges([("a", "b")]), Graph.from_edges([("c", "d")])
    score = scored("taxonomy", Graph.from_edges([("a", "b")]), [a, b], "max", "literal", chance="random-edges")
    assert 0 < score.chance.expected["f1"] < 0.5  # two of twelve pairs, not one of two
    assert not score.chance.exact


def test_chance_and_groups_of_a_merged_gold():
    a, b, pred, _ = CASES["taxonomy"]
    score = scored("taxonomy", pred, [a, b], "union", "literal", chance="random-edges", by="depth")
    assert score.chance.exact
    assert sum(score.breakdowns[0].counts["n_gold"]) == 4
    weighed = scored("taxonomy", pred, [a, b], "votes", "literal", by="depth")
    assert sum(weighed.breakdowns[0].counts["n_gold"]) == 2.5


def test_every_layout_has_the_ceiling_and_a_saved_report_keeps_it(tmp_path):
    a, b, pred, _ = CASES["taxonomy"]
    report = goldassay.evaluate([pred, a], gold=[a, b], measures="literal", combine="union", intervals=True)
    for layout in ("text", "markdown", "latex"):
        written = report.format(layout, places=2)
        assert "eiling" in written
        assert "0.40" in written
    assert "f1_ceiling" in report.format("csv")
    document = json.loads(report.format("json"))
    shape = report_schema()
    jsonschema.Draft202012Validator(shape).validate(document)
    assert document["runs"][0]["scores"][0]["combined"]["ceiling"]["f1"] == pytest.approx(0.4)
    assert [gold["items"] for gold in document["gold_standards"]] == [3, 2]
    report.save(tmp_path / "report.json")
    loaded = goldassay.load(tmp_path / "report.json")
    assert loaded.format("json") == report.format("json")
    chart = report.plot.values().to_json()
    assert '"ceiling_low"' in chart
    assert "tick" in chart


def test_a_mean_says_why_it_has_no_interval():
    a, b, pred, _ = CASES["taxonomy"]
    report = goldassay.evaluate(pred, gold=[a, b], measures="literal", combine="mean", intervals=True)
    assert any("mean over gold standards" in line for line in report.runs[0].warnings)
    assert "ci" not in report["literal"].signature.fields


def test_a_measure_that_takes_no_gold_for_a_prediction_says_so(tmp_path):
    a, _, pred, _ = CASES["axioms"]
    table = tmp_path / "aligned.tsv"
    table.write_text("pred\tgold\tscore\nAnt,eats,Wood\tCat,eats,Fish\t1\n")
    report = goldassay.evaluate(pred, gold=[a, a], kind="axioms", measures=f"weighted(alignment='{table}')")
    assert report["weighted"].combined.ceiling == {}
    (expected_message,) = (line for line in report.runs[0].warnings if "no human ceiling" in line)
    with pytest.raises(GoldassayError) as caught:
        goldassay.evaluate(a, gold=a, kind="axioms", measures=f"weighted(alignment='{table}')")
    assert expected_message.endswith(f"since a gold is no prediction here: {str(caught.value).splitlines()[0]}")
    assert "ceiling" not in report.format("csv")


def test_the_ceiling_of_perturbed_copies_of_a_real_gold(reference_data):
    gold = goldassay.read(reference_data / "graphs" / "breast_neoplasm_taxonomy.owl")
    rng = np.random.default_rng(3)
    drawn = [np.sort(rng.permutation(len(gold))[: round(share * len(gold))]) for share in (0.9, 0.8, 0.7)]
    gold_standards = [gold.take(rows) for rows in drawn]
    pairs = [{(str(gold.texts[s]), str(gold.texts[t])) for s, t in gold.edges[rows].tolist()} for rows in drawn]

    def f1(pred, rest):
        return 2 * len(pred & rest) / (len(pred) + len(rest))

    plain = {
        "max": lambda row: max(f1(pairs[row], pairs[other]) for other in range(3) if other != row),
        "mean": lambda row: sum(f1(pairs[row], pairs[other]) for other in range(3) if other != row) / 2,
        "union": lambda row: f1(pairs[row], set().union(*(pairs[:row] + pairs[row + 1 :]))),
        "intersection": lambda row: f1(pairs[row], set.intersection(*(pairs[:row] + pairs[row + 1 :]))),
    }
    for rule, expected in plain.items():
        score = scored("taxonomy", gold, gold_standards, rule, "literal")
        assert score.combined.ceiling["f1"] == pytest.approx(sum(map(expected, range(3))) / 3)
        assert 0.5 < score.combined.ceiling["f1"] < 1


def test_what_is_suspicious_of_one_gold_names_it():
    a, b, pred, _ = CASES["taxonomy"]
    strange = graph("oak tree")
    report = goldassay.evaluate(pred, gold=[a, strange], measures="literal")
    assert any(line.startswith("against gold 2: ") and "no text in common" in line for line in report.runs[0].warnings)
    report = goldassay.evaluate(pred, gold=[a, b], measures="literal")
    assert not any("no text in common" in line for line in report.runs[0].warnings)


def test_what_is_undefined_is_reported_of_the_score_only():
    a, _, pred, _ = CASES["taxonomy"]
    with pytest.warns(goldassay.UndefinedWarning) as messages:
        scored("taxonomy", graph(), [a, a], "mean", "literal")
    assert sum("precision 0/0" in str(one.message) for one in messages) == 1
    assert scored("taxonomy", pred, [a, graph()], "max", "literal").undefined == ()


def test_votes_take_the_measures_of_the_default_that_count_them():
    a, b, pred, _ = CASES["axioms"]
    report = goldassay.evaluate(pred, gold=[a, b], kind="axioms", combine="votes")
    assert [score.name for score in report.runs[0].scores] == ["weighted", "exact"]
    a, b, pred, _ = CASES["labels"]
    report = goldassay.evaluate(pred, gold=[a, b], kind="labels", combine="votes")
    assert [score.name for score in report.runs[0].scores] == ["hierarchical", "wu_palmer"]


def test_the_example_of_choose_best_units():
    names = ("hit_pred", "n_pred", "hit_gold", "n_gold")
    rows = ((1, 2, 1, 4), (1, 2, 1, 2))
    gold_standards = [
        Units.of("case", ["a"], Counts({name: [n] for name, n in zip(names, row, strict=True)})) for row in rows
    ]
    assert choose_best_units(Overlap(), gold_standards, [{"a"}, {"a"}], [{"a": 4}, {"a": 2}], {"a": 2}).counts[
        "n_gold"
    ].tolist() == [2.0]
