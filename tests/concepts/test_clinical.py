"""What a clinician would mark: 60 annotated paragraphs, and rules one by one."""

import json
from collections import Counter
from pathlib import Path

import pytest

import goldassay
from goldassay.concepts import ConceptReading, read_concepts
from goldassay.concepts.texts.chunks import Chunks, is_clinical
from goldassay.concepts.texts.words import LISTS, is_general, is_measured

ANNOTATED = Path(__file__).resolve().parents[2] / "examples" / "clinical"
SIDES = {"left", "right", "bilateral"}


def mentions(concepts):
    """Map document and place to the assertion there, without sides."""
    documents, found = concepts.documents(), {}
    for item, (start, end) in zip(concepts.mentions.items.tolist(), concepts.mentions.spans.tolist(), strict=True):
        stated = {*concepts.assertions[concepts.words[item]].split(",")} - SIDES
        found[str(concepts.ids[documents[item]]), start, end] = ",".join(sorted(stated - {""}))
    return found


@pytest.fixture(params=["development", "test"])
def sides(request, tmp_path):
    """Return the annotations of one half, and what is found in its texts only."""
    path = ANNOTATED / f"{request.param}.jsonl"
    texts = tmp_path / "texts.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    texts.write_text("".join(json.dumps({"id": one["id"], "text": one["text"]}) + "\n" for one in records))
    found = read_concepts(texts)
    assert found.choices == {"concepts": "chunks-3:5,clinical", "assertions": "context-2"}
    return mentions(read_concepts(path)), mentions(found)


def test_concepts_and_assertions_of_annotated_paragraphs(sides):
    """The bars of docs/concepts.md."""
    gold, found = sides
    both = gold.keys() & found.keys()
    assert len(both) >= 0.88 * len(found)
    assert len(both) >= 0.93 * len(gold)
    wrong = Counter((gold[place], found[place]) for place in both if gold[place] != found[place])
    assert wrong.total() * 12 <= sum(bool(gold[place]) for place in both), wrong
    assert {*"".join(f"{one}," for one in gold.values()).split(",")} == {
        "",
        "negated",
        "uncertain",
        "hypothetical",
        "family",
        "stopped",
    }


def test_places_are_those_of_the_annotated_texts():
    for half in ("development", "test"):
        records = [json.loads(line) for line in (ANNOTATED / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]
        assert len(records) == 30
        for one in records:
            assert all(one["text"][found["start"] : found["end"]] == found["text"] for found in one["concepts"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Medical Reasoning: The knee hurts despite rest.", ["knee"]),
        ("Christina will be back on Friday. Do you have any questions?", []),
        ("Andrea Powell says her back hurts; Lee reports fatigue", ["back", "fatigue"]),
        ("Allen test normal, Addison disease", ["Allen test", "Addison disease"]),
        ("Pt c/o SOB, s/p CABG w/ HTN; denies N/V/D", ["SOB", "CABG", "HTN", "N/V/D"]),
        ("72F and a 34 y/o M with a 45-year-old son, 29 years old", []),
        ("Asthma management plan, surgical follow-up, knee problems", ["Asthma", "knee problems"]),
        ("Medications: none. Other medications\nTests: MRI", ["medications", "MRI"]),
        ("T wave inversion, vitamin D, group B strep", ["T wave inversion", "vitamin D", "group B strep"]),
        ("Lipase 1,240 U/L", ["Lipase", "1,240 U/L"]),
        ("a renal plan, an acute plan, well-known issues, renal function", ["renal function"]),
    ],
)  # fmt: skip
def test_what_a_clinician_would_mark(text, found):
    assert [text[one.start : one.end] for one in Chunks(scope="clinical").find(text)] == found


def test_the_scope_of_a_file_is_found_by_its_words(tmp_path):
    note = "Patient denies pain; exam normal. Plan: lisinopril 20 mg daily."
    assert is_clinical([note])
    assert not is_clinical(["The council met. A plan for the patient was pending, and the exam was long ago."])
    assert not is_clinical([])
    # Four different ones, and one in forty words.
    first = sorted(LISTS["markers"])[:4]
    assert [
        is_clinical([" ".join([*words, *["cat"] * others])])
        for words, others in ((first, 156), (first, 157), (first[:3] * 9, 0))
    ] == [
        True,
        False,
        False,
    ]
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 1, "text": f"{note} The visit was long."}))
    found = {scope: read_concepts(path, ConceptReading(scope=scope)) for scope in (None, "clinical", "all")}
    assert sorted(found[None].names) == sorted(found["clinical"].names) == ["20 mg", "exam", "lisinopril", "pain"]
    assert "visit" in found["all"].names.tolist()
    assert found["all"].choices["concepts"] == "chunks-3:5"


def test_sides_of_different_scopes_are_a_warning(tmp_path):
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text(json.dumps({"id": 1, "text": "Patient denies pain; exam normal. Lisinopril 20 mg daily."}))
    pred.write_text(json.dumps({"id": 1, "text": "The council has no lisinopril."}))
    with pytest.warns(goldassay.SuspectInputWarning, match="--scope clinical or all is for both sides"):
        goldassay.evaluate(pred, gold=gold, kind="concepts", measures="concept_exact")


@pytest.mark.parametrize(
    ("name", "measured"),
    [
        ("left foot", True), ("x-ray", True), ("knee X-rays", True), ("range of motion", True), ("biopsies", True), ("laparoscopic cholecystectomy", True),
        ("foot pain", False), ("high blood pressure", False), ("swollen joints", False), ("low back", True), ("loss of vision", False), ("", False),
    ],
)  # fmt: skip
def test_what_has_no_assertion(name, measured):
    assert is_measured(name) == measured


def test_lists_of_words_do_not_contradict_each_other():
    assert LISTS["sites"].isdisjoint(LISTS["names"] | LISTS["tests"] | LISTS["headings"])
    assert LISTS["markers"].isdisjoint(LISTS["names"])
    assert {name for name in LISTS["tails"] if not is_general(name)} == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("CT shows mild hepatomegaly.", {"CT", "mild hepatomegaly"}),
        ("Cardiomegaly with mildly reduced function.", {"Cardiomegaly"}),
        ("Multiple sclerosis, fever x3 days and weight gain.", {"Multiple sclerosis", "fever", "weight gain"}),
        ("She has multiple nodules.", {"nodules"}),
    ],
)
def test_words_that_look_like_others_are_findings(text, found, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "1", "text": text}) + "\n")
    concepts = read_concepts(tmp_path / "a.jsonl", ConceptReading(scope="clinical"))
    assert {text[start:end] for start, end in concepts.mentions.spans.tolist()} >= found
