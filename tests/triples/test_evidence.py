"""Evidence and page show what the score counted: what a measure takes for the same is never called different."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context
from goldassay.core.panel import Diagrams
from goldassay.encoders import HashingEncoder
from goldassay.report.evidence import collect_evidence
from goldassay.triples import GBleu, GRouge, TripleF1, TripleSet
from goldassay.triples.match import SLOTS

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.UndefinedWarning", "ignore::goldassay.SuspectInputWarning")

NAMES = st.sampled_from(["Oslo", "Norway", "Oslo Norway", "Norway Oslo", "Rome", "r", "in Rome"])
PREDICATES = st.sampled_from(["in", "located in", "lies in", "married to", "wed", "lies at"])
DOCUMENTS = st.dictionaries(st.sampled_from("ab"), st.lists(st.tuples(NAMES, PREDICATES, NAMES), max_size=6))
TABLE = "predicate,synonym\nin,located in\nplace,lies in\nplace,lies at\n"
"""Predicates and synonyms of them; neither side uses "place"."""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("synonyms") / "synonyms.csv"
    path.write_text(TABLE)
    return str(path)


MEASURES = {
    "strict": {},
    "synonyms": {"synonyms": TABLE},
    "symmetric": {"symmetric": ("married to", "in")},
    "both": {"symmetric": ("married to", "in"), "synonyms": TABLE},
    "partial": {"names": "partial", "synonyms": TABLE, "symmetric": ("wed",)},
    "fuzzy": {"names": "fuzzy", "threshold": 0.3, "synonyms": TABLE, "symmetric": ("in",)},
    "fuzzy, exact relation": {"names": "fuzzy", "threshold": 0.3, "relation": "exact", "synonyms": TABLE},
    "each its best": {"names": "partial", "assignment": "none"},
}


@pytest.mark.parametrize("options", MEASURES.values(), ids=MEASURES)
@given(pred=DOCUMENTS, gold=DOCUMENTS)
def test_what_is_hit_is_the_same_in_all_slots(table, options, pred, gold):
    options = options | ({"synonyms": table} if "synonyms" in options else {})
    sides = {"pred": TripleSet.from_lists(pred), "gold": TripleSet.from_lists(gold)}
    context = Context(encoder=HashingEncoder()) if options.get("names") == "fuzzy" else Context()
    found = TripleF1(**options).match(**sides, context=context).table()
    for row, verdict in enumerate(found["verdict"]):
        slots = [found[slot][row] for slot in SLOTS]
        error = found["error"][row]
        assert (error is None) == (verdict == "hit")
        same = slots == ["same"] * 3
        # A triple that is not hit is the same in all slots only if another one has its counterpart.
        assert same if verdict == "hit" else not same or error in ("duplicate", "missed", "invented", "not in the text")
        if error and error.startswith("wrong"):
            assert [name for name, slot in zip(SLOTS, slots, strict=True) if slot == "other"] == [error.split()[1]]


def scored(table, pred, gold, **options):
    sides = {"pred": TripleSet.from_lists({"d": pred}), "gold": TripleSet.from_lists({"d": gold})}
    return TripleF1(synonyms=table, **options).score(**sides)


def test_a_synonym_is_the_same_predicate(table):
    score = scored(table, [("Oslo", "located in", "Sweden"), ("Rome", "in", "Italy")], [("Oslo", "in", "Norway")])
    columns = score.matching.table()
    assert columns["predicate"][0] == "same"
    assert columns["error"][0] == "wrong object"
    assert score.matching.missed()[0].details["predicate"] == "same"


def test_a_synonym_whose_predicate_neither_side_uses_is_compared_by_its_words(table):
    # The number of "place" was taken for that of another name.
    score = scored(table, [("a", "lies in", "b")], [("a", "lies at", "b")], names="partial")
    assert score.f1 == 1
    score = scored(table, [("a", "lies in", "b")], [("a", "place of", "b")], names="partial")
    assert score.f1 == pytest.approx((2 + 2 / 3) / 3)


@pytest.mark.parametrize("sides", [([("Norway", "in", "Oslo")], "same"), ([("Norway", "wed", "Oslo")], "other")])
def test_the_ends_of_symmetric_predicates_are_the_same_either_way(table, sides):
    pred, word = sides
    score = scored(table, pred, [("Oslo", pred[0][1], "Norway")], symmetric=("in",))
    columns = score.matching.table()
    assert {columns["subject"][0], columns["object"][0]} == {word}
    assert columns["error"][0] == (None if word == "same" else "swapped")


@pytest.mark.parametrize("measure", [GBleu(), GRouge()])
def test_sentences_have_evidence_slot_by_slot(measure):
    sides = {
        "pred": TripleSet.from_lists({"d": [("Oslo", "in", "Sweden")]}),
        "gold": TripleSet.from_lists({"d": [("Oslo", "in", "Norway")]}),
    }
    columns = measure.score(**sides).matching.table()
    assert [columns[slot][0] for slot in SLOTS] == ["same", "same", "other"]


def test_predicates_of_synonyms_are_shared(table):
    score = scored(table, [("Oslo", "located in", "Norway")], [("Oslo", "in", "Norway"), ("Oslo", "wed", "Norway")])
    groups = goldassay.breakdown(score, by="shared").select("group", "n_pred", "n_gold").rows()
    assert groups == [("predicate of one side", 0, 1), ("shared predicate", 1, 1)]


def test_the_page_marks_an_entity_as_the_score_counts_it():
    gold = TripleSet.from_lists({"d": [("Oslo city", "in", "Norway"), ("x", "r", "y")]})
    pred = TripleSet.from_lists({"d": [("city Oslo", "in", "Norway"), ("z", "r", "w")]})
    report = goldassay.evaluate(pred, gold=gold, kind="triples", measures="triples(names=partial)")
    panels = report.panels(collect_evidence(report.runs[0]), pred=pred, gold=gold)
    [pair] = next(panel for panel in panels if isinstance(panel, Diagrams)).entries
    assert pair.pred.nodes == [("city Oslo", "hit"), ("Norway", "hit"), ("z", "invented"), ("w", "invented")]


@given(
    gold=st.lists(st.tuples(NAMES, PREDICATES, NAMES), max_size=8),
    pred=st.lists(st.tuples(NAMES, PREDICATES, NAMES), max_size=8),
)
def test_the_nearest_triple_is_that_of_a_plain_search(gold, pred):
    sides = {"pred": TripleSet.from_lists({"d": pred}), "gold": TripleSet.from_lists({"d": gold})}
    matching = TripleF1().score(**sides).matching
    found = matching.evidence("pred", np.arange(len(sides["pred"])))
    for row, counterpart in enumerate(found.counterpart.tolist()):
        here = sides["pred"].slots(row)
        near = [
            max(plain(here, there), plain(here, there[::-1]))
            for there in map(sides["gold"].slots, range(len(sides["gold"])))
        ]
        best = max(near, default=0)
        assert near[counterpart] == best if best else counterpart == -1
        assert best == 0 or found.similarity[row] == pytest.approx(plain(here, sides["gold"].slots(counterpart)))


def plain(here, there):
    total = 0.0
    for one, other in zip(here, there, strict=True):
        ours, theirs = one.split(), other.split()
        common = sum(min(ours.count(word), theirs.count(word)) for word in set(ours))
        total += 2 * common / (len(ours) + len(theirs))
    return total / 3
