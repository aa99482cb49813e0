"""What texts say of concepts, and that opposite notes do not match."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import Concept, ConceptExact
from goldassay.concepts.assertions import CATEGORIES, _triggers, asserted, lowered
from goldassay.concepts.chunks import Chunks
from goldassay.concepts.model import Concepts, Found, lay_out

NOTES = {
    "1": ("The patient has no fever.", "The patient has a fever."),
    "2": ("Chest x-ray shows no pneumonia.", "Chest x-ray shows pneumonia."),
    "3": ("Stop metformin.", "Start metformin."),
    "4": ("Lisinopril 20 mg.", "Lisinopril 40 mg."),
    "5": ("Pain in the left knee.", "Pain in the right knee."),
}
"""A gold note and its opposite."""


def said(text):
    return {one.name: one.said for one in asserted(text, Chunks().find(text))}


def model(side):
    return lay_out(
        [(name, pair[side], asserted(pair[side], Chunks().find(pair[side]))) for name, pair in NOTES.items()]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Denies fever, cough, or chills. Nausea.", {"fever": "negated", "cough": "negated", "chills": "negated", "nausea": ""}),
        ("No fever but cough", {"fever": "negated", "cough": ""}),
        ("No fever\nCough", {"fever": "negated", "cough": ""}),
        ("No fever; cough", {"fever": "negated", "cough": ""}),
        ("She doesn\u2019t have asthma.", {"asthma": "negated"}),
        ("Pneumonia was ruled out. Sepsis", {"pneumonia": "negated", "sepsis": ""}),
        ("Fever. Pneumonia ruled out", {"fever": "", "pneumonia": "negated"}),
        ("Neck pain: No.\nBack pain: Yes.", {"neck pain": "negated", "back pain": ""}),
        ("No change in asthma, not only gout", {"change": "", "asthma": "", "gout": ""}),
        ("Possible sepsis, probably gout", {"sepsis": "uncertain", "gout": "uncertain"}),
        ("If he develops fever, call", {"fever": "hypothetical"}),
        ("Mother has diabetes. Asthma", {"mother": "", "diabetes": "family", "asthma": ""}),
        ("Discontinue prednisone and continue methotrexate", {"prednisone": "stopped", "methotrexate": ""}),
        ("Prednisone was discontinued", {"prednisone": "stopped"}),
        ("Left knee, knee on the right", {"left knee": "left", "knee": "right"}),
        ("bilateral elbow pain, right now a cough", {"bilateral elbow pain": "bilateral", "cough": ""}),
        ("no left knee effusion", {"left knee effusion": "left,negated"}),
        ("Dr. Smith denies fever. e.g. No. gout", {"fever": "negated", "gout": ""}),
        ("no more than 20 mg", {"20 mg": ""}),
    ],
)  # fmt: skip
def test_what_is_said(text, expected):
    assert said(text) == expected


def test_every_trigger_is_read():
    _, rules = _triggers()
    assert {rule.category for rule in rules.values()} == {
        "negated",
        "uncertain",
        "hypothetical",
        "family",
        "stopped",
        "end",
        "pseudo",
    }
    assert {rule.category for rule in rules.values() if rule.scope} <= set(CATEGORIES)
    assert all(phrase == lowered(phrase).strip() for phrase in rules)


@given(
    st.text()
    | st.lists(st.sampled_from(["no", "fever", "but", ".", "\n", "left", "if", "is ruled out", "\u0130"])).map(" ".join)
)
def test_any_text(text):
    found = Chunks().find(text)
    stated = asserted(text, found)
    assert [one._replace(said="") for one in stated] == found
    assert {part for one in stated for part in one.said.split(",")} <= {*CATEGORIES, ""}


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_opposite_notes_do_not_match(minilm, average):
    gold, pred = model(0), model(1)
    scores = {
        told: Concept(average=average, assertions=told, numbers=numbers).score(pred=pred, gold=gold, encoder=minilm)
        for told, numbers in (("match", "exact"), ("ignore", "ignore"), ("report", "ignore"))
    }
    assert scores["match"].f1 <= 0.4
    assert scores["ignore"].f1 >= 0.875
    assert scores["report"].values == scores["ignore"].values
    assert "5 of 8 predicted concepts that match differ in what is said of them" in scores["report"].warning
    assert scores["ignore"].warning is None


def test_a_note_matches_itself(minilm):
    gold = model(0)
    assert Concept().score(pred=gold, gold=gold, encoder=minilm).f1 == 1
    assert ConceptExact().score(pred=gold, gold=gold).f1 == 1


def test_numbers_match_by_value():
    one, two, other = (
        lay_out([("d", text, Chunks().find(text))])
        for text in ("metformin 1 g", "metformin 1,000 mg", "metformin 500 mg")
    )
    assert ConceptExact().score(pred=one, gold=two).f1 == 1
    assert ConceptExact().score(pred=one, gold=other).f1 == 0.5
    assert Concept(epsilon=0.9).score(pred=one, gold=two, encoder="hashing").f1 == 1
    assert Concept(epsilon=-1.0).score(pred=one, gold=other, encoder="hashing").f1 == 0.5
    assert Concept(epsilon=-1.0, numbers="ignore").score(pred=one, gold=other, encoder="hashing").f1 == 1


def test_one_concept_of_which_two_things_are_said():
    pred = lay_out([("d", "", [Found("fever", "fever", said="negated"), Found("fever", "fever")])])
    gold = lay_out([("d", "", [Found("fever", "fever")])])
    matched = ConceptExact().score(pred=pred, gold=gold)
    assert (len(pred), matched.precision, matched.recall) == (2, 0.5, 1.0)
    assert ConceptExact(assertions="ignore").score(pred=pred, gold=gold).precision == 1
    report = ConceptExact(assertions="report").score(pred=pred, gold=gold)
    assert "1 of 1 predicted concepts that match differ" in report.warning


LISTS = st.lists(
    st.builds(
        lambda key, said, value: Found(key, key, said=said, value=value),
        st.sampled_from(["cat", "cats", "dog", "violin"]),
        st.sampled_from(["", "negated", "left,negated"]),
        st.sampled_from(["", "20 mg"]),
    ),
    max_size=6,
)
DOCUMENTS = st.dictionaries(st.sampled_from("xyz"), LISTS, max_size=3)


def score(measure, pred, gold):
    sides = {"pred": pred, "gold": gold}
    models = {name: lay_out([(key, "", found) for key, found in side.items()]) for name, side in sides.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        return measure.score(**models, encoder="hashing")


@given(pred=DOCUMENTS, gold=DOCUMENTS, epsilon=st.sampled_from([-1.0, 0.3, 0.9]))
def test_against_the_equations(pred, gold, epsilon):
    """Concepts of which different things are said, or of other values, do not meet; ignored, the plain lists are scored."""
    vectors = {name: goldassay.get_encoder("hashing").encode([name])[0] for name in ("cat", "cats", "dog", "violin")}
    result = score(Concept(epsilon=epsilon), pred, gold)
    hits = 0
    for name in {**pred, **gold}:
        ours, theirs = set(pred.get(name, [])), set(gold.get(name, []))
        for one in ours:
            others = [other for other in theirs if (other.said, other.value) == (one.said, one.value)]
            hits += any(other.key == one.key or vectors[one.key] @ vectors[other.key] >= epsilon for other in others)
    assert result.counts["hit_pred"] == hits
    plain = [
        {name: [Found(one.key, one.name) for one in found] for name, found in side.items()} for side in (pred, gold)
    ]
    ignored = score(Concept(epsilon=epsilon, assertions="ignore", numbers="ignore"), pred, gold)
    assert dict(ignored.counts) == dict(score(Concept(epsilon=epsilon), *plain).counts)


def test_lists_without_assertions_are_as_they_were():
    lists = Concepts.from_lists({"a": ["x", "y"]})
    assert lists.without(said=True, values=True) is lists
