"""Small cases worked out by hand: what counts, what is reported of it, and which of several references is for a document."""

import dataclasses
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

import goldassay
from goldassay.core.context import Context
from goldassay.triples import (
    Conformance,
    Entities,
    Facts,
    GBertscore,
    Ged,
    GraphMatch,
    GRouge,
    Grounding,
    Pive,
    Relations,
    Slots,
    TripleF1,
    TripleSet,
    TriplesReading,
    Webnlg,
    read_triples_of_documents,
)
from goldassay.triples import match as triple_match
from goldassay.triples.measures import scripts, sentences

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning")


def models(pred, gold):
    return {"pred": TripleSet.from_lists(pred), "gold": TripleSet.from_lists(gold)}


@pytest.fixture
def written(tmp_path):
    """Write records, and read them."""

    def write(*records, name="answers.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return read_triples_of_documents(path, TriplesReading(on_error="stop"))

    return write


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "film.json"
    path.write_text(
        '{"concepts": [{"qid": "Q1", "label": "film"}, {"qid": "Q2", "label": "human"}],'
        ' "relations": [{"label": "director", "domain": "Q1", "range": "Q2"}, {"label": "cost", "domain": "", "range": ""}]}'
    )
    return str(path)


def entities(*typed):
    return [{"name": name, "type": kind} for name, kind in typed]


def test_conformance_says_what_it_could_check(written, film):
    measure, nothing = Conformance(ontology=film), TripleSet.from_lists({"d": []})
    pred = written(
        {
            "id": "d",
            "entities": entities(("Up", "film"), ("Pete", "human"), ("Oslo", "city")),
            "triples": [["Up", "director", "Pete"], ["Up", "director", "Ann"], ["Oslo", "director", "Ann"]],
        }
    )
    score = measure.score(pred=pred, gold=nothing)
    assert score.note == "the domain of 3 and the range of 1 triples could be checked"
    assert score.matching.table()["error"] == [None, None, "contradicts the ontology: domain"]
    assert dict(score.counts) == {"conforming": 2, "known_relations": 3, "n_pred": 3}
    untyped = TripleSet.from_lists({"d": [("Up", "director", "Pete")]})
    assert measure.score(pred=untyped, gold=nothing).note.startswith("no domain or range could be checked")


def test_a_name_that_does_not_are_in_the_text_does_not_are_there_by_its_stem():
    gold = TripleSet.from_lists({"d": []}, texts={"d": "Countries of Europe."})
    pred = TripleSet.from_lists({"d": [("country", "in", "Asia"), ("Europe", "in", "countries")]})
    score = Grounding(words="stem").score(pred=pred, gold=gold)
    assert (score.both, score.subjects, score.objects) == (0.5, 1.0, 0.5)


class Table:
    """An encoder of a few known vectors."""

    name, fingerprint, dimension = "table", "0" * 64, 2

    def encode(self, texts, *, progress=None):
        vectors = {"no fact": (0.0, 1.0)}
        return np.array([vectors.get(text, (1.0, 0.0)) for text in texts], dtype=np.float32).reshape(-1, 2)


def facts_of(tmp_path, **facts):
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(json.dumps({"id": name, "facts": some}) + "\n" for name, some in facts.items()))
    return str(path)


def test_a_cosine_equal_to_the_threshold_supports_no_fact(tmp_path):
    path = facts_of(tmp_path, d=["no fact", "a fact"])
    sides = models({"c": [], "d": [("a", "r", "b"), ("c", "r", "d")]}, {"d": []})
    for threshold, supported in ((0.0, 1), (-1e-6, 2)):
        score = Facts(facts=path, threshold=threshold).evaluate(**sides, context=Context(encoder=Table()))
        assert score.counts["supported"] == supported
    # The first of equally near triples supports it.
    assert score.matching.pred.credit.tolist() == [1.0, 0.0]
    assert score.matching.gold.counterpart.tolist() == [0, 0]


def test_the_reference_with_the_greatest_share_of_supported_facts_counts(written):
    triples = [["a", "r", name] for name in "bcde"]
    gold = written({"id": "d", "references": [triples, [["a", "r", "b"]]]})
    pred = TripleSet.from_lists({"d": [("a", "r", name) for name in "bcd"]})
    score = Facts(threshold=0.99).score(pred=pred, gold=gold, encoder="hashing")
    assert (score.supported, score.counts["facts"]) == (1.0, 1)


def test_graphs_without_triples_are_the_same():
    score = Ged().score(**models({"d": []}, {"d": []}))
    assert (score.distance, score.note) == (0.0, None)


def test_a_distance_of_one_half():
    # A node is renamed, and an edge is added: 2 edits, of 3 and 5 nodes and edges.
    pred, gold = {"d": [("a", "r", "b")]}, {"d": [("a", "r", "b"), ("a", "r", "c")]}
    found = Ged().match(**models(pred, gold), context=Context())
    assert found.values.tolist() == [2 / 8]
    assert found.pred.credit.tolist() == found.gold.credit.tolist() == [1 - 2 / 8]


def test_of_several_references_the_least_distant_counts(written):
    gold = written({"id": "d", "references": [[["x", "r", "y"]], [["a", "r", "b"]], [["a", "s", "b"]]]})
    assert Ged().score(pred=TripleSet.from_lists({"d": [("a", "r", "b")]}), gold=gold).distance == 0.0


def test_distances_of_large_graphs_are_reported_to_be_bounds():
    path = [(f"a{row}", "r", f"a{row + 1}") for row in range(101)]
    other = [(f"a{row + 1}", "r", f"a{row}") for row in range(101)]
    sides = models({"d": path, "e": [("a", "r", "b")]}, {"d": other, "e": [("a", "r", "b")]})
    score = Ged().score(**sides)
    share = f"distance is between 0.0000 and {score.distance:.4f}"
    assert score.note == f"the graphs of 1 document were too large to compare exactly: {share}"
    columns = score.matching.table()
    assert columns["at_least"] == [0.0] * 4
    assert columns["at_most"] == pytest.approx([2 * score.distance, 0.0] * 2)
    match = GraphMatch(nodes="any").score(**sides)
    assert match.note.endswith("accuracy is between 0.5000 and 1.0000")
    # One node more, and one edge less: other sizes need no search.
    loop = [*path[:-1], ("a0", "s", "a0")]
    assert GraphMatch(nodes="any").score(**models({"d": path}, {"d": loop})).note is None
    score = GraphMatch(nodes="any").score(
        **models({"d": path}, {"d": [*path[:-1], ("a0", "s", "a0"), ("a0", "t", "a1")]})
    )
    assert (score.accuracy, score.note) == (0.0, None)


@pytest.mark.parametrize("measure", [Ged(), GraphMatch(nodes="any"), Pive()], ids=str)
@pytest.mark.parametrize("nodes", [12, 30])
def test_a_distance_whose_search_is_cut_short_does_not_depend_on_the_order_of_triples(monkeypatch, measure, nodes):
    # Twelve nodes are searched for so many steps, and thirty not at all.
    monkeypatch.setattr("goldassay.triples.measures.graphs.TRIED", 500)
    monkeypatch.setattr("goldassay.triples.measures.graphs.SEARCHED", 20)
    rng = np.random.default_rng(7)
    sides = {
        side: [
            (f"{side[0]}{a}", "rst"[label], f"{side[0]}{b}")
            for a, b, label in rng.integers((nodes, nodes, 3), size=(3 * nodes, 3))
        ]
        for side in ("pred", "gold")
    }
    # The script of PiVe keeps the last of parallel edges, so the order of these counts.
    sides = {side: list({(s, o): (s, p, o) for s, p, o in some}.values()) for side, some in sides.items()}
    found = []
    for _ in range(3):
        score = measure.score(**models(*({"d": some} for some in sides.values())))
        found.append((dict(score.values), score.note))
        for some in sides.values():
            rng.shuffle(some)
    assert found[0] == found[1] == found[2]
    assert found[0][1] is not None or isinstance(measure, GraphMatch)


@pytest.mark.parametrize(("there", "accuracy"), [("uv", 1.0), ("uu", 0.0)])
def test_small_shapes_are_compared_exactly(there, accuracy):
    score = GraphMatch(nodes="any").score(**models({"d": [("x", "r", "y")]}, {"d": [(there[0], "r", there[1])]}))
    assert (score.accuracy, score.note) == (accuracy, None)


def test_sentences_with_no_pair_of_words_in_common():
    assert GRouge().score(**models({"d": [("a", "b", "c")]}, {"d": [("x", "y", "z")]})).f1 == 0.0


def test_the_counterpart_is_one_of_the_same_document():
    pred = {"b": [("Oslo", "in", "Norway"), ("Oslo", "near", "Norway")]}
    gold = {"a": [("Oslo", "near", "Norway")], "b": [("Oslo", "at", "Norway"), ("Oslo", "by", "Norway")]}
    matching = TripleF1().score(**models(pred, gold)).matching
    found = [matching.evidence(side, np.arange(3 if side == "gold" else 2)) for side in ("pred", "gold")]
    # Of equally near triples the first, and none in document a.
    assert [one.counterpart.tolist() for one in found] == [[1, 1], [-1, 0, 0]]
    near = 2 / 3
    assert found[0].similarity.tolist() == pytest.approx([near, near])
    assert found[1].similarity.tolist() == pytest.approx([math.nan, near, near], nan_ok=True)
    assert found[1].details["error"].tolist() == ["missed", "wrong predicate", "wrong predicate"]


def test_a_duplicate_is_one_wherever_its_counterpart_is():
    gold = {"d": [("a", "r", "b"), ("c", "r", "d"), ("New York", "in", "USA")]}
    pred = {"d": [("New York", "in", "USA"), ("York", "in", "USA")]}
    table = TripleF1().score(**models(pred, gold)).matching.table()
    assert table["error"] == [None, "duplicate", "missed", "missed", None]


def test_an_unlike_triple_next_to_one_that_is_matched_is_no_duplicate():
    sides = models({"d": [("a", "r", "b"), ("a", "s", "c")]}, {"d": [("a", "r", "b")]})
    assert TripleF1().score(**sides).matching.table()["error"] == [None, "invented", None]


def test_what_matches_by_equality_can_be_weighed():
    assert all(measure.weighs_gold for measure in (Entities(), Relations(), Slots(), TripleF1()))
    assert TripleF1(names="partial", assignment="none").weighs_gold
    assert not TripleF1(names="partial").weighs_gold


def test_predicted_triples_count_by_their_weights(written):
    pred = written(
        {
            "id": "d",
            "triples": [
                {"sub": "a", "rel": "r", "obj": "b", "weight": 4},
                {"sub": "a", "rel": "r", "obj": "c", "weight": 0.5},
                {"sub": "a", "rel": "r", "obj": "d", "weight": 1.5},
            ],
        }
    )
    gold = TripleSet.from_lists({"d": [("a", "r", "b"), ("a", "r", "c"), ("x", "r", "y")]})
    for average in ("micro", "macro"):
        score = TripleF1(weighted="yes", average=average).score(pred=pred, gold=gold)
        assert (score.precision, score.recall) == (4.5 / 6, 2 / 3)


@pytest.mark.parametrize(
    "references", list(itertools.permutations([[], [["x", "r", "y"]], [["u", "r", "v"], ["u", "s", "v"]]]))
)
def test_of_equally_good_references_the_largest_counts(written, references):
    gold = written({"id": "d", "references": list(references)})
    score = TripleF1().score(pred=TripleSet.from_lists({"d": [("a", "r", "b")]}), gold=gold)
    assert (score.f1, score.counts["n_gold"]) == (0.0, 2)
    # A document that is empty on both sides is right.
    assert TripleF1().score(pred=TripleSet.from_lists({"d": []}), gold=gold).counts["n_gold"] == 0


def test_pive_takes_the_reference_with_the_greatest_f1(written):
    gold = written({"id": "d", "references": [[["a", "r", "b"], ["c", "r", "d"], ["e", "r", "f"]], [["a", "r", "b"]]]})
    score = Pive().score(pred=TripleSet.from_lists({"d": [("a", "r", "b")]}), gold=gold)
    assert (score.triple_match_f1, score.counts["n_gold"]) == (1.0, 1)


def test_the_best_values_of_pive():
    same = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
    assert dict(Pive().score(pred=same, gold=same).values) == dict(Pive().perfect)


def near_bleu():
    """Score rome;country;italy against rome;state;italy: 4 of 5 words, 2 of 4 pairs, and 0.1 for no longer piece."""
    return (4 / 5 * 2 / 4 * 0.1 / 3 * 0.1 / 2) ** 0.25


def test_the_sentences_of_pive():
    pred = {"d": [("Rome", "country", "Italy"), ("Rome", "state", "Italy")]}
    score = Pive().score(**models(pred, {"d": [("Rome", "state", "Italy")]}))
    for name in ("g_bleu", "g_rouge"):
        assert [score.values[f"{name}_{share}"] for share in ("precision", "recall", "f1")] == [0.5, 1.0, 2 / 3]
    one = Pive().score(**models({"d": pred["d"][:1]}, {"d": [("Rome", "state", "Italy")]}))
    assert one.g_bleu_f1 == pytest.approx(near_bleu(), rel=1e-12)
    assert one.g_rouge_f1 == 0.0


@pytest.mark.parametrize(("pred", "gold"), [([], [("a", "r", "b")]), ([("a", "r", "b")], [])])
def test_no_sentence_is_no_number_to_pive(pred, gold):
    score = Pive().score(**models({"d": pred}, {"d": gold}))
    precision, recall = (math.nan, 0.0) if gold else (0.0, math.nan)
    assert score.g_bleu_precision == pytest.approx(precision, nan_ok=True)
    assert score.g_rouge_recall == pytest.approx(recall, nan_ok=True)
    assert score.g_bleu_f1 == score.g_rouge_f1 == 0.0
    messages = "1 empty predictions turn precision into nan, as in the script"
    assert score.note == (messages if gold else None)
    # The graph of one side has 3 nodes and edges, which the distance is; 30 is what the script adds to those of gold.
    assert score.ged == (3 / 33 if gold else 3 / 30)


def test_the_graphs_of_pive():
    right = [("a", "r", "b"), ("b", "s", "c")]
    sides = models(
        {"a": right, "b": [("x", "r", "y"), ("y", "s", "z")], "c": right, "d": right[:1]},
        {"a": right, "b": right, "c": [("a", "r", "b"), ("b", "t", "c")], "d": right},
    )
    seen = []
    found = Pive().match(**sides, context=Context(progress=lambda *messages: seen.append(messages)))
    assert seen == [("comparing graphs", done, 4) for done in (1, 2, 3, 4)]
    # Shape and relations only; then edits: 3 nodes renamed, an edge renamed, a node and an edge added.
    assert found.sums["graph_match_accuracy"].tolist() == [1, 1, 0, 0]
    assert found.sums["ged"].tolist() == pytest.approx([0, 3 / 35, 1 / 35, 2 / 35])
    assert Pive().score(**sides).graph_match_accuracy == 0.5


def test_what_pive_divides_by_nothing_is_named():
    asked = []
    Pive().divide(
        dict.fromkeys((*Pive().values, "matched", "n_pred", "n_gold", "documents"), 0.0),
        lambda *messages: asked.append(messages),
    )
    assert [messages[0] for messages in asked] == list(Pive().values)


def test_the_evidence_of_pive():
    pred = {"d": [("a", "r", "b"), ("c", "r", "d")], "e": [("u", "r", "v"), ("A", "r", "b "), ("x", "r", "y")]}
    gold = {"d": [("c", "r", "d")], "e": [("p", "r", "q"), ("x", "r", "y"), ("s", "r", "t"), ("a", "r", "b")]}
    score = Pive().score(**models(pred, gold))
    assert score.matching.pred.counterpart.tolist() == [-1, 0, -1, 4, 2]
    assert score.matching.gold.counterpart.tolist() == [1, -1, 4, -1, 3]
    assert score.matching.pred.credit.tolist() == [0, 1, 0, 1, 1]
    assert (score.counts["matched"], score.counts["n_pred"], score.counts["n_gold"]) == (3, 5, 5)
    assert score.triple_match_f1 == 2 * 3 / 10


def test_distances_that_pive_only_bounds_are_reported(monkeypatch):
    # Two paths that differ in direction only: nothing of names and labels shows them apart.
    there, back = [("a", "r", "b"), ("b", "r", "c")], [("b", "r", "a"), ("c", "r", "b")]
    sides = models({"d": there, "e": there}, {"d": back, "e": there})
    assert Pive().score(**sides).note is None
    monkeypatch.setattr("goldassay.triples.measures.graphs.SEARCHED", 0)
    score = Pive().score(**sides)
    assert score.note == (
        f"the edit distances of 1 large graph are bounds: ged is between 0.0000 and {score.ged:.4f}; "
        "whether 1 large graph match is not known: they count as different"
    )
    assert score.ged == (4 / 35 + 0) / 2
    sides["pred"] = TripleSet.from_lists({"d": [], "e": []})
    assert Pive().score(**sides).note == "2 empty predictions turn precision into nan, as in the script"


@pytest.mark.parametrize("name", ["pive", "webnlg", "edc"])
def test_the_largest_document_of_a_preset(name, monkeypatch):
    for module in ("pive", "scripts"):
        monkeypatch.setattr(f"goldassay.triples.measures.{module}.LARGEST", 2)
    some = {"d": [("a", "r", str(row)) for row in range(3)]}
    two = {"d": some["d"][:2]}
    assert goldassay.parse(name).score(**models(two, two)).format()
    for pred, gold in ((some, two), (two, some)):
        with pytest.raises(goldassay.InputError, match="too many triples") as caught:
            goldassay.parse(name).score(**models(pred, gold))
        assert (caught.value.found, caught.value.expected) == ("3 triples", "at most 2")


def test_the_counts_of_webnlg():
    # The subject has a word too many: its span overlaps that of gold. The second triple matched nothing, and has three spans.
    right = ("alpha beta", "city", "oslo")
    sides = models({"d": [("alpha beta gamma", "city", "oslo"), ("p", "q", "t")]}, {"d": [right]})
    shares = {"strict": (2, 1, 0), "exact": (2, 1, 0), "partial": (2, 0, 1), "ent_type": (3, 0, 0)}
    for mode, (correct, incorrect, partial) in shares.items():
        counts = goldassay.parse(f"webnlg(mode={mode})").score(**sides).counts
        assert [counts[name] for name in ("correct", "incorrect", "partial")] == [correct, incorrect, partial], mode
        assert (counts["missed"], counts["spurious"], counts["pairs"]) == (0, 3, 2)


def test_the_evidence_of_webnlg():
    gold = {"c": [("a", "b", "c")], "d": [("alpha", "city", "oslo"), ("rome", "in", "italy")], "e": []}
    pred = {"c": [], "d": [("rome", "in", "italy"), ("x", "y", "z"), ("alpha", "city", "oslo")], "e": [("a", "b", "c")]}
    matching = goldassay.parse("webnlg").score(**models(pred, gold)).matching
    assert matching.pred.counterpart.tolist() == [2, -1, 1, -1]
    assert matching.gold.counterpart.tolist() == [-1, 2, 0]
    assert matching.pred.credit.tolist() == [1, 0, 1, 0]
    assert matching.gold.credit.tolist() == [0, 1, 1]
    assert np.isnan(matching.pred.similarity).tolist() == [False, True, False, True]
    assert np.isnan(matching.gold.similarity).tolist() == [True, False, False]
    assert matching.table()["item"][:3] == ["d: rome | in | italy", "d: x | y | z", "d: alpha | city | oslo"]
    assert matching.gold_items.item(0) == "c: a | b | c"


def test_half_a_triple_of_webnlg_is_shown(written):
    half = read_half(written)
    assert goldassay.parse("webnlg").score(pred=half, gold=half).matching.pred_items.item(0) == "d: a | r | "


def read_half(written):
    """Read half a triple, which an answer may hold."""
    return dataclasses.replace(TripleSet.from_lists({"d": [("a", "r", "b")]}), written=np.array([[0, 1, -1]]))


def test_webnlg_takes_the_reference_with_the_greatest_mean(written):
    gold = written({"id": "d", "references": [[["a", "r", "b"], ["x", "s", "y"]], [["a", "r", "b"]]]})
    seen = []
    context = Context(progress=lambda *messages: seen.append(messages))
    score = goldassay.parse("webnlg").evaluate(
        pred=TripleSet.from_lists({"d": [("a", "r", "b")]}), gold=gold, context=context
    )
    assert (score.f1, score.counts["pairs"]) == (1.0, 1)
    assert set(seen) == {("matching", 1, 1)}


def test_the_division_of_counts():
    counts = {"correct": 3.0, "incorrect": 1.0, "partial": 2.0, "missed": 2.0, "spurious": 4.0}
    measure = goldassay.parse("webnlg(mode=partial, average=counts)")
    found = measure.divide(counts, lambda name, above, below: above / below)
    assert found["precision"] == (3 + 0.5 * 2) / (3 + 1 + 2 + 4)
    assert found["recall"] == (3 + 0.5 * 2) / (3 + 1 + 2 + 2)
    assert found["f1"] == pytest.approx(2 * 0.4 * 0.5 / 0.9)


ONTOLOGY = {
    "concepts": [{"qid": "Q1", "label": "big city"}],
    "relations": [{"label": "located in", "domain": "Q1", "range": ""}, {"label": "near", "domain": "", "range": ""}],
}


def test_text2kgbench_by_hand(tmp_path):
    ontology, ids = tmp_path / "o.json", tmp_path / "ids.txt"
    ontology.write_text(json.dumps(ONTOLOGY))
    ids.write_text("a\n\n c \n")
    gold = TripleSet.from_lists(
        {"a": [("Oslo", "located in", "Norway"), ("Rome", "near", "sea")], "b": [("x", "near", "y")], "c": [], "e": []},
        texts=dict.fromkeys("abc", "Oslo is in Norway"),
    )
    pred = TripleSet.from_lists(
        {
            "a": [("Oslo", "located_in", "Norway"), ("Rome", "smells_of", "sea"), ("cities", "near", "Rome")],
            "c": [],
            "e": [("x", "y", "z")],
            "z": [("x", "near", "y")],
        }
    )
    score = goldassay.parse(f"text2kgbench(ontology='{ontology}')").score(pred=pred, gold=gold)
    of_a = {"precision": 1 / 2, "recall": 1 / 2, "f1": 1 / 2}
    of_a |= {"onto_conf": 2 / 3, "rel_halluc": 1 - 2 / 3, "sub_halluc": 1 / 3, "obj_halluc": 2 / 3}
    assert {name: column[0] for name, column in score.matching.sums.items() if name in of_a} == pytest.approx(of_a)
    # An empty answer conforms; no answer does not.
    assert score.matching.sums["onto_conf"].tolist() == pytest.approx([2 / 3, 0, 1, 0, 0])
    assert score.matching.sums["rel_halluc"].tolist() == pytest.approx([1 / 3, 0, 0, 1, 0])
    assert score.onto_conf == pytest.approx((2 / 3 + 0 + 1 + 0) / 4)
    assert score.counts["documents"] == 4
    assert goldassay.parse("text2kgbench").perfect == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert goldassay.parse(f"text2kgbench(ontology='{ontology}')").perfect["sub_halluc"] == 0.0
    assert score.matching.pred.counterpart.tolist() == [0, -1, -1, -1, -1]
    assert score.matching.gold.counterpart.tolist() == [0, -1, -1]
    some = goldassay.parse(f"text2kgbench(ids='{ids}')").score(pred=pred, gold=gold)
    assert (some.counts["documents"], some.f1) == (2, 0.25)
    ids.write_text("a\nz\n")
    with pytest.raises(goldassay.InputError, match="no document of this id") as caught:
        goldassay.parse(f"text2kgbench(ids='{ids}')").score(pred=pred, gold=gold)
    assert caught.value.line == 2


def test_the_evidence_of_text2kgbench():
    pred = {"d": [("a", "r", "b"), ("c", "r", "d")], "e": [("x", "r", "y"), ("p", "t", "q"), ("u", "r", "v")]}
    gold = {"d": [("c", "r", "d")], "e": [("u", "r", "v"), ("p", "r", "q"), ("X", "r", "y ")]}
    matching = goldassay.parse("text2kgbench").score(**models(pred, gold)).matching
    assert matching.pred.counterpart.tolist() == [-1, 0, 3, -1, 1]
    assert matching.gold.counterpart.tolist() == [1, 4, -1, 2]


def test_text2kgbench_without_anything_in_common():
    sides = models({"d": [("a", "r", "b")], "e": []}, {"d": [("a", "r", "c")], "e": []})
    assert dict(goldassay.parse("text2kgbench").score(**sides).values) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_text2kgbench_takes_the_reference_with_the_greatest_f1(written):
    gold = written(
        {"id": "d", "references": [[["a", "r", "b"], ["c", "r", "d"]], [["a", "r", "b"]], [["a", "r", "x"]]]}
    )
    assert (
        goldassay.parse("text2kgbench").score(pred=TripleSet.from_lists({"d": [("a", "r", "b")]}), gold=gold).f1 == 1.0
    )


def test_a_symmetric_predicate_that_matches_in_part_either_way():
    sides = models(
        {
            "d": [("Ann Lee", "married to", "Ann Lee")],
            "e": [("Bob", "married to", "Ann")],
            "f": [("Bob", "knows", "Ann")],
        },
        {"d": [("Ann", "married to", "Lee")], "e": [("Ann", "married to", "Bob Lee")], "f": [("Ann", "knows", "Bob")]},
    )
    matching = TripleF1(names="partial", symmetric=("married to", "likes")).match(**sides, context=Context())
    assert matching.pred.credit.tolist() == pytest.approx([(2 / 3 + 1 + 2 / 3) / 3, (1 + 1 + 2 / 3) / 3, 1 / 3])


def test_equal_triples_need_no_words_compared():
    sides = models({"d": [("a", "r", "b")]}, {"d": [("a", "r", "b")]})
    assert TripleF1(names="partial").score(**sides).f1 == 1.0
    assert dataclasses.replace(TripleF1(), names="partial", assignment="none").score(**sides).f1 == 1.0


class Cosines:
    """An encoder whose vectors have known cosines: y and y2 0.8, x and y2 0.6, all else 1 or 0."""

    name, fingerprint, dimension = "cosines", "1" * 64, 2

    def encode(self, texts, *, progress=None):
        vectors = {"y": (0.0, 1.0), "y2": (0.6, 0.8)}
        return np.array([vectors.get(text, (1.0, 0.0)) for text in texts], dtype=np.float32).reshape(-1, 2)


def test_a_fuzzy_triple_that_matches_the_other_way_round_counts_whole():
    sides = models({"d": [("x", "m", "y")]}, {"d": [("y2", "m", "x")]})
    context = Context(encoder=Cosines())
    matching = TripleF1(names="fuzzy", threshold=0.7, symmetric=("m",)).match(**sides, context=context)
    assert matching.pred.credit.tolist() == matching.gold.credit.tolist() == [1.0]
    assert matching.pred.similarity.tolist() == pytest.approx([0.8])
    assert TripleF1(names="fuzzy", threshold=0.7).match(**sides, context=context).pred.credit.tolist() == [0.0]


def test_predicates_only_may_have_to_be_equal():
    sides = models({"d": [("x", "m", "z")]}, {"d": [("v", "m", "w")]})
    context = Context(encoder=Cosines())
    assert TripleF1(names="fuzzy", relation="exact").evaluate(**sides, context=context).f1 == 1.0


def test_only_ends_of_symmetric_predicates_may_be_swapped():
    sides = models(
        {"d": [("Ann", "married to", "Bob"), ("Ann", "child of", "Eve")]},
        {"d": [("Bob", "married to", "Ann"), ("Eve", "child of", "Ann")]},
    )
    matching = TripleF1(symmetric=("married to",)).score(**sides).matching
    assert matching.pred.counterpart.tolist() == matching.gold.counterpart.tolist() == [0, -1]


def test_letters_are_what_they_are_to_webnlg():
    sides = models({"d": [("Mulhausen", "in", "France")]}, {"d": [("Mülhausen", "in", "France")]})
    assert goldassay.parse("webnlg").score(**sides).f1 < goldassay.parse("edc").score(**sides).f1 == 1.0


def test_bertscore_of_one_pair_of_sentences(monkeypatch):
    class Package:
        @staticmethod
        def score(candidates, references):
            return (
                None,
                None,
                np.array(
                    [1.0000001 if one == other else -0.5 for one, other in zip(candidates, references, strict=True)]
                ),
            )

    monkeypatch.setattr("goldassay.triples.measures.sentences._scorer", lambda folder, layer: Package)
    measure = GBertscore(folder=".")
    assert measure.alike("a;b;c", "a;b;c") == 1.0
    assert measure.alike("a;b;c", "a;b;d") == 0.0


def test_the_fingerprint_of_a_model_has_eight_digits(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    assert len(sentences._digest(str(tmp_path))) == 8


RIGHT = ("Oslo", "capital of", "Norway")
OF_UNIVERSITY = ("University_of_Oslo", "city", "Oslo"), ("University_of_Bergen", "county", "Vestland")


# The rows of the table "what your script does" of docs/triples.md.
@pytest.mark.parametrize(
    ("measure", "value", "gold", "pred"),
    [
        ("webnlg(mode=strict)", 0.2222, OF_UNIVERSITY[:1], OF_UNIVERSITY[1:]),
        ("webnlg(mode=ent_type)", 0.4444, OF_UNIVERSITY[:1], OF_UNIVERSITY[1:]),
        ("triples", 0.0, OF_UNIVERSITY[:1], OF_UNIVERSITY[1:]),
        ("webnlg(mode=strict)", 0.3333, [("A", "B", "C")], [("C", "A", "B")]),
        ("webnlg(mode=exact)", 0.6667, [("A", "B", "C")], [("C", "A", "B")]),
        ("triples", 0.0, [("A", "B", "C")], [("C", "A", "B")]),
        ("webnlg(mode=exact)", 1.0, [("A", "B", "C")], [("C", "B", "A")]),
        ("triples", 0.0, [("A", "B", "C")], [("C", "B", "A")]),
        ("text2kgbench", 0.0, [RIGHT], [RIGHT]),
        ("triples", 1.0, [RIGHT], [RIGHT]),
        ("graph_match", 0.0, [("a", "r", "b")], [("x", "r", "y")]),
    ],
)
def test_what_scripts_do(measure, value, gold, pred):
    score = goldassay.parse(measure).score(**models({"d": pred}, {"d": gold}))
    assert round(score.values[score.headline], 4) == value


def test_one_empty_prediction_among_many():
    sides = models({"a": [RIGHT], "b": []}, {"a": [RIGHT], "b": [RIGHT]})
    assert math.isnan(Pive().score(**sides).g_bleu_precision)
    assert all(goldassay.parse(name).score(**sides).precision == 1.0 for name in ("g_bleu", "g_rouge"))


def test_the_bounds_are_those_of_the_page():
    page = " ".join((Path(__file__).parents[2] / "docs" / "triples.md").read_text("utf-8").split())
    assert f"at most {triple_match.LARGEST:,} triples per document" in page
    assert f"at most {scripts.LARGEST}. Larger documents are refused" in page


def test_choices_that_say_what_is_measured_are_always_shown():
    shown = [str(measure) for measure in (Slots(), Webnlg(), GBertscore())]
    assert shown == ["slots(slot=predicate)", "webnlg(mode=strict)", "g_bertscore(folder=none)"]


def test_all_shares_of_text2kgbench_lie_between_0_and_1():
    values = goldassay.parse("text2kgbench(ontology=o.json)").values
    assert list(values.values()) == [(0.0, 1.0)] * 7


def test_a_cosine_lies_between_minus_1_and_1():
    for threshold in (-1.0, 1.0):
        assert TripleF1(names="fuzzy", threshold=threshold).threshold == threshold
    for threshold in (-1.5, 1.5):
        with pytest.raises(goldassay.UsageError, match="threshold"):
            TripleF1(names="fuzzy", threshold=threshold)


def test_a_search_for_the_same_shape_ends_where_labels_differ(monkeypatch):
    monkeypatch.setattr("goldassay.triples.measures.graphs.TRIED", 1)
    sides = models({"d": [("a", "r", "b"), ("b", "s", "c")]}, {"d": [("a", "r", "b"), ("a", "q", "c")]})
    score = GraphMatch(nodes="any").score(**sides)
    assert (score.accuracy, score.note) == (0.0, None)


def test_the_predicate_only_must_be_equal_next_to_names_that_match_in_part():
    sides = models({"d": [("Big New York", "is in", "USA")]}, {"d": [("New York", "in", "USA")]})
    credit = TripleF1(names="partial", relation="exact").match(**sides, context=Context()).pred.credit
    assert credit.tolist() == pytest.approx([(4 / 5 + 0 + 1) / 3])


def test_the_curve_at_a_cosine():
    sides = models({"d": [("x", "m", "y2")]}, {"d": [("y2", "m", "x")]})
    context = Context(encoder=Cosines())
    measure = TripleF1(names="fuzzy", assignment="none")
    cosine = float(measure.match_widest(**sides, context=context).pred.similarity[0])
    assert cosine == pytest.approx(0.6)
    for threshold, precision in ((cosine, 0.0), (np.nextafter(cosine, 0), 1.0)):
        assert measure.curve(**sides, context=context).at(threshold).precision == precision
