"""Noun phrases found by rules: what separates them, and how many of the annotated ones are found."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.concepts.texts.chunks import QUANTITY, Chunks, chunk, is_clinical, is_concept, quantity

ANNOTATED = Path(__file__).resolve().parents[3] / "benchmarks" / "chunks.jsonl"


def names(text, longest=5):
    return [text[one.start : one.end] for one in Chunks(longest).find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Aspirin\n- Ibuprofen\r\n* Tylenol\r1. Advil", ["Aspirin", "Ibuprofen", "Tylenol", "Advil"]),
        ("She has asthma. Fever since Monday; cough", ["asthma", "Fever", "cough"]),
        ("He hasn't a cough, the medication doesn\u2019t help, it's gout", ["cough", "medication", "gout"]),
        ("The patient states that she thinks half of it is due to stress", ["stress"]),
        ("The abdomen is soft and unremarkable. Normal. Respiratory: clear", ["abdomen"]),
        ("PHYSICAL EXAM\n\nHeart murmur.\nRESULTS\nAnemia", ["Heart murmur", "Anemia"]),
        ("ASPIRIN\nIBUPROFEN", ["ASPIRIN", "IBUPROFEN"]),
        ("The patient's 2 red blood cells, 12 and 3.5 were counted. DNA repair!", ["red blood cells", "DNA repair"]),
        ("Type 2 diabetes, diabetes type 2, stage 3", ["Type 2 diabetes", "diabetes type 2", "stage 3"]),
        ("lisinopril 20 mg daily for two weeks", ["lisinopril", "20 mg", "two weeks"]),
        ("a pleasant 45-year-old male with left-sided pain", ["pleasant 45-year-old male", "left-sided pain"]),
        ("Crohn's disease of her mother's bowel", ["Crohn's disease", "bowel"]),
        ("Dr. Nelson and Mrs. Melissa Sanchez saw a fracture", ["fracture"]),
        ("history of smoking, evidence of pneumonia, the history", ["smoking", "pneumonia", "history"]),
        ("shortness of breath and full range of motion", ["shortness of breath", "full range of motion"]),
        ("nausea/vomiting and x-rays, blood pressure 120/80 mmHg", ["nausea", "vomiting", "x-rays", "blood pressure", "120/80 mmHg"]),
        ("Reports sleep apnea. She will sleep; poor sleep hygiene", ["sleep apnea", "poor sleep hygiene"]),
        ("with associated symptoms, and the doctor associated bleeding", ["associated symptoms", "bleeding"]),
        ("", []),
        ("the and of ...", []),
    ],
)  # fmt: skip
def test_what_separates_chunks(text, found):
    assert names(text) == found


def test_of_common_words_no_clinical_phrase_is_made_even_with_of():
    text = "She gave a range of visits, range of motion, lack of time and shortness of breath."
    assert names(text) == ["range of visits", "range of motion", "shortness of breath"]
    assert [one.name for one in Chunks(scope="clinical").find(text)] == ["range of motion", "shortness of breath"]


def test_a_long_run_is_split():
    assert names("right shoulder rotator cuff tendon tear repair", 3) == [
        "right shoulder rotator",
        "cuff tendon tear",
        "repair",
    ]


@given(st.text() | st.text(alphabet="ab1 .,-'\u2019/\n%mgDr", max_size=40))
def test_chunks_of_any_text(text):
    last = 0
    for one in Chunks().find(text):
        assert last <= one.start < one.end <= len(text)
        assert "\n" not in text[one.start : one.end]
        assert one.name
        assert one.key
        last = one.end


def test_annotated_chunks(reference_data):
    """The figures of docs/concepts.md."""
    path = reference_data / "longform" / "test1ChatGPT_.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        texts = {row["encounter_id"]: row for row in csv.DictReader(stream)}
    right = found = wanted = 0
    for line in ANNOTATED.read_text(encoding="utf-8").splitlines():
        passage = json.loads(line)
        text, at, gold = texts[passage["id"]][passage["column"]], passage["start"], set()
        for concept in passage["concepts"]:
            start = text.index(concept, at, passage["end"])
            at = start + len(concept)
            gold.add((start, at))
        chunks = {(one.start, one.end) for one in Chunks().find(text)}
        inside = {span for span in chunks if span[0] < passage["end"] and span[1] > passage["start"]}
        right, found, wanted = right + len(gold & inside), found + len(inside), wanted + len(gold)
    assert wanted == 234
    assert (right / found, right / wanted) > (0.9, 0.9)


def test_example_of_quantity():
    text = "1,000 mg, 1 g, 0.5mg, 120/80 mmHg, five days, a 4-year-old"
    assert [quantity(text, match.start()).value for match in QUANTITY.finditer(text)] == [
        "1000 mg",
        "1000 mg",
        "1/2 mg",
        "120/80 mmhg",
        "7200 minute",
    ]


def test_example_of_chunk():
    assert (
        repr(chunk("Two  Heart Attacks", 5, 18))
        == "Mention(key='heart attack', name='heart attacks', id='', start=5, end=18, assertion='', value='', kinds='', way=0)"
    )


def test_example_of_is_clinical():
    assert is_clinical(["The patient denies fever; exam normal. Lisinopril 20 mg daily."])
    assert not is_clinical(["A cat sat on a mat."])


def test_example_of_is_concept():
    assert is_concept("knee")
    assert not is_concept("a")
    assert not is_concept("12")
