"""What texts say of concepts, and that opposite notes do not match."""

import re
import warnings
from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import Concept, ConceptExact
from goldassay.concepts.model import Concepts, Mention, RawConcepts, lay_out
from goldassay.concepts.texts.assertions import (
    AFTER_SIDE,
    BEFORE_SIDE,
    CATEGORIES,
    COLON,
    LONGEST_SENTENCE,
    SIDE,
    STOP,
    _triggers,
    add_assertions,
    lower_text,
)
from goldassay.concepts.texts.chunks import Chunks
from goldassay.concepts.texts.words import is_measured

NOTES = {
    "1": ("The patient has no fever.", "The patient has a fever."),
    "2": ("Chest x-ray shows no pneumonia.", "Chest x-ray shows pneumonia."),
    "3": ("Stop metformin.", "Start metformin."),
    "4": ("Lisinopril 20 mg.", "Lisinopril 40 mg."),
    "5": ("Pain in the left knee.", "Pain in the right knee."),
}
"""A gold note and its opposite."""


def assertions(texts, documents):
    """List the assertion of each concept of each document."""
    stated = add_assertions(RawConcepts.of(documents), texts)
    column = stated.words[3].listed or [""] * len(stated.words[0])
    every = iter(column[code] for code in stated.codes.tolist())
    return [[next(every) for _ in found] for found in documents]


def found_in(text):
    found = Chunks().find(text)
    return [
        one._replace(assertion=messages) for one, messages in zip(found, assertions([text], [found])[0], strict=True)
    ]


def messages(text):
    return {one.name: one.assertion for one in found_in(text)}


def model(side):
    return lay_out([(name, pair[side], found_in(pair[side])) for name, pair in NOTES.items()])


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
        ("Possible: gout. Suspected note: asthma", {"gout": "uncertain", "asthma": ""}),
        ("No known allergies: asthma", {"allergies": "negated", "asthma": ""}),
        ("No edema, and her gait is stable; no rash and has fever", {"edema": "negated", "gait": "", "rash": "negated", "fever": ""}),
        ("No numbness in the foot, no sputum on auscultation", {"numbness": "negated", "foot": "", "sputum": "", "auscultation": ""}),
        ("No swollen ankle, no high blood pressure", {"swollen ankle": "negated", "high blood pressure": "negated"}),
        ("The cough is likely due to reflux", {"cough": "", "reflux": "uncertain"}),
        ("This could also be gout; eczema cannot be excluded", {"gout": "uncertain", "eczema": "uncertain"}),
        ("not consistent with gout. Sepsis is unlikely", {"gout": "negated", "sepsis": "negated"}),
        ("Gout was ruled out, eczema is possible", {"gout": "negated", "eczema": "uncertain"}),
        ("Call if fever or rash occurs, she has asthma", {"fever": "hypothetical", "rash": "hypothetical", "asthma": ""}),
        ("Mother says that he has gout. Father: eczema", {"mother": "", "gout": "", "father": "", "eczema": "family"}),
        ("Warfarin was held before the biopsy", {"warfarin": "stopped", "biopsy": ""}),
        ("Her pain is not relieved by ibuprofen", {"pain": "", "ibuprofen": ""}),
        ("There is no evidence of a fracture in this radiograph, dislocation,\nerosion", {"fracture": "negated", "radiograph": "", "dislocation": "negated", "erosion": "negated"}),
    ],
)  # fmt: skip
def test_what_is_reported(text, expected):
    assert messages(text) == expected


def test_every_trigger_is_read():
    _, rules, _ = _triggers()
    assert {rule.category for rule in rules.values()} == {
        "negated",
        "uncertain",
        "hypothetical",
        "family",
        "stopped",
        "end",
        "pseudo",
    }
    assert {
        name for rule in rules.values() if rule.category == "end" and rule.scope for name in rule.scope.split(",")
    } <= set(CATEGORIES)
    assert {rule.scope for rule in rules.values() if rule.category in CATEGORIES} == {"after", "before", "both"}
    assert all(phrase == lower_text(phrase).strip() for phrase in rules)


def scopes_in(text):
    """List the scopes of one text: each from a phrase to the nearest end of a sentence, colon of a label or phrase that ends scopes."""
    pattern, rules, _ = _triggers()
    lower = lower_text(text)
    found = [(match.start(), match.end(), rules[" ".join(match[0].split())]) for match in pattern.finditer(lower)]
    opened = {end for _, end, rule in found if rule.scope in {"after", "both"}}
    colons = [match.start() for match in COLON.finditer(text) if match.start() not in opened]
    stops = [match.end() for match in STOP.finditer(text)]
    for start, end, rule in found:
        if rule.category in CATEGORIES:
            ends = [
                one for one in found if one[2].category == "end" and rule.category in (one[2].scope or rule.category)
            ]
            opens = [*stops, *colons, *(one[0] for one in ends), len(text)]
            earlier = [other[1] for other in found if other[2].scope == "before"]
            closes = [0, *stops, *(at + 1 for at in colons), *(one[1] for one in ends), *earlier]
            if rule.scope in {"after", "both"}:
                yield end, min(border for border in opens if border >= end), rule.category
            if rule.scope in {"before", "both"}:
                yield max(border for border in closes if border <= start), start, rule.category


def plain_assertion(text, one):
    """Follow the rules for one concept, without any look at others."""
    scopes = sorted(scope for scope in scopes_in(text) if scope[0] <= one.start)
    messages = set()
    for start, end, category in reversed([] if is_measured(lower_text(text[one.start : one.end])) else scopes):
        messages |= {category} if one.end <= end else set()
        if one.start - start > LONGEST_SENTENCE:
            break
    sides = [(match.start(), match.end(), CATEGORIES[4 + match.lastindex]) for match in SIDE.finditer(text)]
    place = bisect_left([start for start, _, _ in sides], one.end)
    before = [
        side
        for start, end, side in sides[max(0, place - 3) : place]
        if start >= one.start or BEFORE_SIDE.fullmatch(text, end, one.start)
    ]
    after = AFTER_SIDE.match(text, one.end)
    if before:
        messages.add(before[-1])
    elif place < len(sides) and after and after.end() == sides[place][0]:
        messages.add(sides[place][2])
    return ",".join(sorted(messages))


PIECES = [
    "no",
    "fever",
    "but",
    ".",
    "\n",
    "left",
    "right knee",
    "on the left",
    "if",
    "is ruled out",
    "\u0130",
    "dr. smith",
    "no evidence\nof",
    "20 mg",
]
TEXTS = st.text() | st.lists(
    st.sampled_from([*PIECES, *map(re.escape, ("mother", "denies", "stop", "history of"))])
).map(" ".join)


@given(st.lists(TEXTS, max_size=4))
def test_many_texts_at_once_are_read_as_each_is_by_a_plain_loop(texts):
    documents = list(map(Chunks().find, texts))
    plain = [
        ["" if one.value else plain_assertion(text, one) for one in found]
        for text, found in zip(texts, documents, strict=True)
    ]
    assert assertions(texts, documents) == plain
    assert {part for found in plain for messages in found for part in messages.split(",")} <= {*CATEGORIES, ""}


def test_no_scope_goes_beyond_a_long_sentence():
    text = "no " + "cough " * 400
    [[first, *_, last]] = assertions(
        [text], [[Mention(str(start), "cough", start=start, end=start + 5) for start in range(3, 2400, 6)]]
    )
    assert (first, last) == ("negated", "negated")
    text = f"no x {'no y ' * 3}{'but ' * 300}no " + "z " * 900
    spans = [Mention(str(at), "z", start=at, end=at + 1) for at in range(len(text) - 1800, len(text), 2)]
    assert assertions([text], [spans]) == [[plain_assertion(text, one) for one in spans]]


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_opposite_notes_do_not_match(minilm, average):
    gold, pred = model(0), model(1)
    scores = {
        message: Concept(average=average, assertions=message, numbers=numbers).score(
            pred=pred, gold=gold, encoder=minilm
        )
        for message, numbers in (("match", "exact"), ("ignore", "ignore"), ("report", "ignore"))
    }
    assert scores["match"].f1 <= 0.4
    assert scores["ignore"].f1 >= 0.875
    assert scores["report"].values == scores["ignore"].values
    assert "5 of 8 predicted concepts that match differ in their assertions" in scores["report"].warning
    assert scores["ignore"].warning is None


def test_a_difference_is_counted_among_the_concepts_that_match():
    gold = lay_out([("d", "", [Mention("cough", "cough")])])
    pred = lay_out([("d", "", [Mention("cough", "cough", assertion="negated"), Mention("rash", "rash")])])
    note = ConceptExact(assertions="report").score(pred=pred, gold=gold).warning
    assert "1 of 1 predicted concepts that match differ in their assertions" in note


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


def test_one_concept_of_which_two_things_are_reported():
    pred = lay_out([("d", "", [Mention("fever", "fever", assertion="negated"), Mention("fever", "fever")])])
    gold = lay_out([("d", "", [Mention("fever", "fever")])])
    matched = ConceptExact().score(pred=pred, gold=gold)
    assert (len(pred), matched.precision, matched.recall) == (2, 0.5, 1.0)
    assert ConceptExact(assertions="ignore").score(pred=pred, gold=gold).precision == 1
    report = ConceptExact(assertions="report").score(pred=pred, gold=gold)
    assert "1 of 1 predicted concepts that match differ" in report.warning


LISTS = st.lists(
    st.builds(
        lambda key, messages, value: Mention(key, key, assertion=messages, value=value),
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
    """Concepts of which different things are reported, or of other values, do not match; ignored, the plain lists are scored."""
    vectors = {name: goldassay.get_encoder("hashing").encode([name])[0] for name in ("cat", "cats", "dog", "violin")}
    result = score(Concept(epsilon=epsilon), pred, gold)
    hits = 0
    for name in {**pred, **gold}:
        ours, theirs = set(pred.get(name, [])), set(gold.get(name, []))
        for one in ours:
            others = [other for other in theirs if (other.assertion, other.value) == (one.assertion, one.value)]
            hits += any(other.key == one.key or vectors[one.key] @ vectors[other.key] >= epsilon for other in others)
    assert result.counts["hit_pred"] == hits
    plain = [
        {name: [Mention(one.key, one.name) for one in found] for name, found in side.items()} for side in (pred, gold)
    ]
    ignored = score(Concept(epsilon=epsilon, assertions="ignore", numbers="ignore"), pred, gold)
    assert dict(ignored.counts) == dict(score(Concept(epsilon=epsilon), *plain).counts)


def test_lists_without_assertions_are_as_they_were():
    lists = Concepts.from_lists({"a": ["x", "y"]})
    assert lists.without(assertions=True, values=True) is lists


def test_example_of_add_assertions():
    from goldassay.concepts.texts.chunks import Chunks

    text = "Denies fever, but has a possible fracture of the left wrist. Stop metformin."
    stated = add_assertions(RawConcepts.of([Chunks().find(text)]), [text])
    assert [(stated.words[1][code], stated.words[3][code]) for code in stated.codes.tolist()] == [
        ("fever", "negated"),
        ("fracture", "uncertain"),
        ("left wrist", "left"),
        ("metformin", "stopped"),
    ]


def test_example_of_lower_text():
    assert lower_text("He DOESN\u2019T; İ") == "he doesn't; İ"
