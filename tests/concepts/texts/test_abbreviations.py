"""Abbreviations that a text explains."""

import pytest

import goldassay
from goldassay.concepts import Chunks, Concept, ConceptReading, Dictionary, Name, read_concepts

pytest.importorskip("abbreviation_extractor")

from goldassay.concepts.texts.abbreviations import WithAbbreviations, find_abbreviations

NAMES = [(0, "D:1", "chronic kidney disease"), (0, "D:2", "heart rate"), (0, "D:3", "ASA"), (1, "D:3", "aspirin")]


@pytest.fixture
def known():
    return Dictionary([Name(*one) for one in NAMES])


def found(extractor, text):
    return [
        (one.id or one.key, text[one.start : one.end]) for one in next(WithAbbreviations(extractor).find_all([text]))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Chronic kidney disease (CKD). CKD, no CKDs.",
            [("D:1", "Chronic kidney disease"), ("D:1", "CKD"), ("D:1", "CKD")],
        ),
        ("HR (heart rate) was 60. The HR.", [("D:2", "HR"), ("D:2", "heart rate"), ("D:2", "HR")]),
        ("A heart rate (see below). HR?", [("D:2", "heart rate")]),
        ("Anterior spinal artery (ASA): ASA.", [("D:3", "ASA"), ("D:3", "ASA")]),
        ("Chronic kidney diseases (CKD).", [("D:1", "Chronic kidney diseases"), ("D:1", "CKD")]),
        ("(", []),
    ],
)
def test_short_forms_are_their_long_forms(known, text, expected):
    assert found(known, text) == expected


def test_chunks():
    text = "Chronic kidney disease (CKD) and acute CKD. CKD?"
    expected = [
        ("chronic kidney diseas", "Chronic kidney disease"),
        ("chronic kidney diseas", "CKD"),
        ("acute ckd", "acute CKD"),
    ]
    assert found(Chunks(), text) == [*expected, ("chronic kidney diseas", "CKD")]


def test_texts_do_not_share_abbreviations(known):
    texts = ["Heart rate (HR).", "HR."]
    assert [[one.id for one in some] for some in WithAbbreviations(known).find_all(texts)] == [["D:2", "D:2"], []]


def test_from_a_file(tmp_path):
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text('{"id": 1, "text": "No chronic kidney disease (CKD)."}\n')
    pred.write_text('{"id": 1, "text": "The CKD (chronic kidney disease) is absent. No CKD."}\n')
    reading = ConceptReading(abbreviations=True)
    concepts = read_concepts(gold, reading)
    assert [concepts.item(row) for row in range(len(concepts))] == ["1: chronic kidney disease (negated)"]
    assert len(concepts.mentions.items) == 2
    assert concepts.choices["concepts"].startswith("chunks-3:5,abbreviations-")
    score = Concept().score(pred=read_concepts(pred, reading), gold=concepts, encoder="hashing")
    assert score.recall == 1


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "abbreviation_extractor", None)
    with pytest.raises(goldassay.MissingDependencyError, match="abbreviations"):
        _ = ConceptReading(abbreviations=True).extractor


def test_example_of_with_abbreviations():
    from goldassay.concepts.texts.chunks import Chunks

    text = "Chronic kidney disease (CKD) was found. The CKD is stable."
    assert [
        (one.name, text[one.start : one.end])
        for [*some] in WithAbbreviations(Chunks()).find_all([text])
        for one in some
    ] == [
        ("chronic kidney disease", "Chronic kidney disease"),
        ("chronic kidney disease", "CKD"),
        ("chronic kidney disease", "CKD"),
    ]


def test_example_of_find_abbreviations():
    from abbreviation_extractor import extract_abbreviation_definition_pairs

    assert find_abbreviations(
        "A heart rate (HR) of 60, and COPD (chronic obstructive pulmonary disease).",
        extract_abbreviation_definition_pairs,
    ) == {"HR": "heart rate", "COPD": "chronic obstructive pulmonary disease"}
