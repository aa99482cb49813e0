"""Names of a dictionary in other ways, next to a plain search."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import ConceptReading, Dictionary, Name, read_concepts
from goldassay.concepts.show import mention_frame
from goldassay.concepts.texts.fold import fold, pieces_of
from goldassay.concepts.texts.variants import (
    LONGEST,
    MOST_SKIPPED,
    NUMERALS,
    USUAL,
    WAYS,
    bits_of,
    names_of,
    number,
    stem,
)
from goldassay.concepts.texts.words import LISTS

NAMES = [
    "Blood Pressure, High",
    "Type 2 diabetes",
    "Abnormality of the liver",
    "Clotting disorder",
    "Hypertension",
    "Enlarged kidney",
    "ALL",
]


def found(text, variants, names=NAMES):
    dictionary = Dictionary([Name(0, name, name) for name in names], variants=variants)
    return [(text[one.start : one.end], one.id, ",".join(names_of(one.way))) for one in dictionary.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("High blood pressure", ("Blood Pressure, High", "order")),
        ("type two diabetes", ("Type 2 diabetes", "numbers")),
        ("Type II diabetes", ("Type 2 diabetes", "numbers")),
        ("liver abnormalities", ("Abnormality of the liver", "order,stop-words")),
        ("disorders of clotting", ("Clotting disorder", "order,stop-words")),
        ("clotted disorder", ("Clotting disorder", "inflection")),
        ("enlarging of his kidneys", ("Enlarged kidney", "inflection,stop-words")),
        ("hypertention", ("Hypertension", "misspelling")),
        ("hypertensoin", ("Hypertension", "misspelling")),
        ("hypertension", ("Hypertension", "")),
    ],
)
def test_each_way_is_named_and_can_be_switched_off(text, expected):
    assert found(text, WAYS[:-1]) == [(text, *expected)]
    for way in expected[1].split(","):
        without = [one for one in WAYS[:-1] if one != way]
        assert found(text, without) == ([] if way else [(text, *expected)])


@pytest.mark.parametrize(
    "text",
    ["blood, high pressure", "kidney was not enlarged", "liver and abnormality", "aLL", "hypotention", "blood pressure", "high of the blood of his pressure"],
)  # fmt: skip
def test_what_is_no_name_in_any_way(text):
    assert found(text, WAYS[:-1]) == []


def bag(words):
    return Counter(stem(NUMERALS.get(one, one)) for one in words if one not in LISTS["skipped"])


def plain(text, names):
    """Try all runs of words from left to right, the longest first; a name as it is wins over another way."""
    words = [fold(one) for one in pieces_of(text)]
    known = {one for name in names for one in bag(map(fold, pieces_of(name)))}
    at, matches = 0, []
    while at < len(words):
        for end in range(len(words), at, -1):
            run = words[at:end]
            content = [one for one in run if one not in LISTS["skipped"]]
            if any([fold(piece) for piece in pieces_of(name)] == run for name in names):
                break
            if (
                content
                and content[0] == run[0]
                and content[-1] == run[-1]
                and len(content) <= LONGEST
                and len(run) <= len(content) + MOST_SKIPPED
                and bag(run).keys() <= known
                and any(bag(map(fold, pieces_of(name))) == bag(run) for name in names)
            ):
                break
        else:
            at += 1
            continue
        matches.append((at, end))
        at = end
    return matches


WORDS = st.sampled_from(
    ["liver", "livers", "of", "the", "cancer", "two", "2", "ii", "clotting", "clotted", "and", "fat"]
)


@given(
    names=st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=5),
    text=st.lists(WORDS, max_size=14),
)
def test_against_a_plain_search(names, text):
    names = [name for name in names if set(name.split()) - {"of", "the", "two", "and", "2"}] or ["liver"]
    dictionary = Dictionary([Name(0, name, name) for name in names], variants=USUAL)
    joined, starts = " ".join(text), []
    for word in text:
        starts.append(starts[-1][1] + 1 if starts else 0)
        starts[-1] = (starts[-1], starts[-1] + len(word))
    places = [(starts[first][0], starts[end - 1][1]) for first, end in plain(joined, names)]
    assert [(one.start, one.end) for one in dictionary.find(joined)] == places


def test_ways_are_in_the_signature_and_in_the_rows(tmp_path):
    names, text = tmp_path / "names.csv", tmp_path / "a.jsonl"
    names.write_text("id,name\nD:1,Type 2 diabetes\n")
    text.write_text(json.dumps({"id": 1, "text": "Type two diabetes, type 2 diabetes."}))
    made = read_concepts(text, ConceptReading(dictionary=str(names)))
    assert made.choices["concepts"].endswith(",variants-1:inflection+order+stop-words+numbers")
    assert mention_frame(made)["way"].to_list() == ["numbers", ""]
    assert made.take(made.words >= 0).mentions.ways.tolist() == [bits_of(["numbers"]), 0]
    none = read_concepts(text, ConceptReading(dictionary=str(names), variants="none"))
    assert "variants" not in none.choices["concepts"]
    assert mention_frame(none)["surface"].to_list() == ["type 2 diabetes"]
    with pytest.raises(goldassay.UsageError, match="variant of names"):
        ConceptReading(dictionary=str(names), variants="guess")


def test_a_compiled_dictionary_keeps_its_variants(tmp_path):
    made = Dictionary([Name(0, name, name) for name in NAMES])
    made.save(tmp_path / "kept", {})
    opened = Dictionary.load(tmp_path / "kept", WAYS[:-1])
    text = "High blood pressure, hypertention and type two diabetes"
    assert [one.id for one in opened.find(text)] == ["Blood Pressure, High", "Hypertension", "Type 2 diabetes"]
    assert made.find(text) == []


def test_example_of_bits_of():
    assert bits_of(["order", "inflection"]) == 3
    assert names_of(3) == ["inflection", "order"]


def test_example_of_number():
    assert number("heart") == number("heart")
    assert number("heart") != number("hearts")


def test_example_of_stem():
    assert [
        stem(word) for word in ("abnormally", "clotting", "clotted", "clot", "enlarged", "enlarge", "bed", "string")
    ] == ["abnormal", "clot", "clot", "clot", "enlarg", "enlarg", "bed", "string"]
