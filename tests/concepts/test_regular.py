"""Lines that are read at once give what record by record gives, and what is not regular is left to that."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import ConceptReading, read, read_concepts, regular
from goldassay.concepts.read import read_references
from goldassay.concepts.regular import regular_concepts
from goldassay.formats import Source

NAMES = st.text("aAbé\u0301 s\x7f", max_size=4) | st.sampled_from(
    ["aspirin", "Aspirins", " x ", "e\u0301", "\u00e9", '"', "\\"]
)
GOOD = st.fixed_dictionaries({"id": NAMES, "concepts": st.lists(NAMES, max_size=4)})
ODD = st.sampled_from(
    [
        '{"id": 7, "concepts": ["x"]}',
        '{"id": "o", "concepts": [{"text": "x"}]}',
        '{"id": "o", "concepts": "x"}',
        '{"id": "o", "concepts": ["x"], "text": "y"}',
        '{"concepts": ["x"], "id": "o"}',
        '{"id": "o", "concepts": [["x"]]}',
        '{"id": "o", "concepts": ["x"]} ',
        "",
        "[]",
    ]
)
FIELDS = ("ids", "starts", "keys", "names", "concept_ids", "said", "values", "kinds", "texts")


def told(path, monkeypatch, at_once, **options):
    """Say what is read, or what is wrong."""
    with monkeypatch.context() as patch:
        if not at_once:
            patch.setattr(read, "regular_concepts", lambda *given: None)
        try:
            found = read_concepts(path, ConceptReading(**options))
        except goldassay.GoldassayError as error:
            return str(error)
    rows = [[(one.key, one.name, one.id) for one in found.found(row)] for row in range(len(found.ids))]
    return found.ids.tolist(), rows, found.left_out, found.notes, dict(found.choices), dict(found.facts)


@pytest.mark.parametrize("fold", [False, True])
@given(
    st.lists(
        GOOD.map(json.dumps) | GOOD.map(lambda one: json.dumps(one, ensure_ascii=False)) | ODD, min_size=1, max_size=5
    ),
    st.booleans(),
)
def test_at_once_is_one_by_one(tmp_path_factory, fold, lines, skip):
    path = tmp_path_factory.getbasetemp() / "regular.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    options = {"fold": fold, "on_error": "skip" if skip else "stop"}
    monkeypatch = pytest.MonkeyPatch()
    assert told(path, monkeypatch, at_once=True, **options) == told(path, monkeypatch, at_once=False, **options)


def source(text):
    return Source(path="a.jsonl", name="a.jsonl", data=text.encode(), size=len(text))


@pytest.mark.parametrize("written", [json.dumps, lambda one: json.dumps(one, separators=(",", ":"))])
def test_what_is_regular_is_read_at_once(written, monkeypatch):
    records = [{"qid": str(row), "keyphrases": [f"c{row % 3}", "c1"] if row else []} for row in range(5)]
    text = "\n".join(map(written, records))
    for at_once in (1, 60, 2**25):
        monkeypatch.setattr(regular, "AT_ONCE", at_once)
        concepts, columns = regular_concepts(source(text), ConceptReading(), None)
        assert (columns.id, columns.concepts) == ("qid", "keyphrases")
        assert [[one.key for one in concepts.found(row)] for row in range(5)] == [
            [],
            ["c1"],
            ["c1", "c2"],
            ["c0", "c1"],
            ["c1"],
        ]
        assert concepts.left_out == {"duplicates": 2}
        assert all(len(getattr(concepts, name)) == len(concepts.keys) for name in FIELDS[2:8])


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "a", "concepts": ["x"]}\n{"id": "a", "concepts": []}',
        '{"id": "a", "concepts": ["x"]}\n{"id": "b", "concept": []}',
        '{"id": "a", "concepts": ["x"]}\n{"id": "b", "concepts": [""]}',
        '{"id": "a", "concepts": ["x"]}\n{"id": "", "concepts": ["y"]}',
        '{"id": "a", "concepts": ["x", "y"]}\n{"id": "b"}',
        '{"id": "a", "concepts": [],\n"x": []}',
        '{"id": "a", "concepts": ["x", ["y"]]}',
        '{"id", "a", "concepts": ["x"]}',
        '{"id": "a": "concepts": ["x"]}',
        '{"id": "a", "concepts": ["x": "y"]}',
    ],
)  # fmt: skip
def test_what_is_not_regular_is_left(text):
    assert regular_concepts(source(text), ConceptReading(), None) is None


def test_a_list_over_the_limit_is_left(monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_LIST", "2")
    assert regular_concepts(source('{"id": "a", "concepts": ["x", "y"]}'), ConceptReading(), None) is not None
    assert regular_concepts(source('{"id": "a", "concepts": ["x", "y", "z"]}'), ConceptReading(), None) is None


def test_several_answers_of_one_id(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "concepts": ["x"]}\n{"id": "a", "concepts": ["y", "z"]}\n')
    assert [len(gold) for gold in read_references(path)] == [1, 2]
    path.write_text('{"id": "a", "concepts": ["x"]}\n{"id": "b", "concepts": ["y", "z"]}\n')
    assert [len(gold) for gold in read_references(path)] == [3]


def test_keys_that_meet_by_accident_are_left_to_the_reader_of_records(monkeypatch):
    monkeypatch.setattr("goldassay.formats.quoted.MIXING", np.uint64(0))
    assert (
        regular_concepts(source('{"id": "a", "concepts": ["same begin x", "same begin y"]}'), ConceptReading(), None)
        is None
    )
