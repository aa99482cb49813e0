"""Answers that state nothing, and refusals, add no item in any family; one that states something does."""

import json

import pytest

import goldassay
from goldassay.formats.answers.empty import is_nothing, is_refusal, says_nothing

STATED = {
    "labels": "sport",
    "alignment": "chien",
    "triples": "(a, r, b)",
    "concepts": '["fever"]',
    "axioms": "(a, subClassOf, b)",
    "taxonomy": "A dog is an animal.",
}
NOTHING = (
    "[]", "{}", "null", "None", "none.", "N/A", "nil", "No match", "No match found.", '{"labels": []}', '{"label": null}',
    '{"target": null}', '{"triples": []}', "```json\n[]\n```", "Label: None", "**None**", '[""]',
)  # fmt: skip
REFUSALS = (
    "I cannot classify this.",
    "I\u2019m sorry, but I can\u2019t help with that.",
    "There are no triples in this text.",
    "There are no relations to extract.",
    "The text does not say what it is.",
    "Unfortunately, it is not possible to say.",
)


def read(path, kind, answers):
    path.write_text("".join(json.dumps({"id": f"d{at}", "output": one}) + "\n" for at, one in enumerate(answers)))
    model = goldassay.read(path, kind=kind)
    return [model.item(row) for row in range(len(model))], model


@pytest.mark.parametrize("kind", STATED)
@pytest.mark.parametrize("text", [*NOTHING, *REFUSALS])
def test_an_answer_without_a_statement_adds_no_item(kind, text, tmp_path):
    path = tmp_path / "batch.jsonl"
    items, _ = read(path, kind, [STATED[kind]])
    found, model = read(path, kind, [STATED[kind], text])
    assert found == items
    if text in REFUSALS:
        assert model.left_out["lines_of_prose"] == 1
    elif kind in ("labels", "alignment"):
        assert any("1 answer states nothing: d1" in one for one in model.warnings)


@pytest.mark.parametrize("label", ["No finding", "Nile", "IT", "unknown", "no relation"])
def test_a_label_that_begins_alike_is_one(label, tmp_path):
    items, _ = read(tmp_path / "batch.jsonl", "labels", ["sport", label])
    assert items == ["d0: sport", f"d1: {label}"]


def test_a_tuple_in_a_sentence_is_read_as_one(tmp_path):
    items, _ = read(tmp_path / "batch.jsonl", "triples", ["The text states (Seine; flows through; Paris)."])
    assert items == ["d0: Seine | flows through | Paris"]
    items, model = read(tmp_path / "batch.jsonl", "triples", ["(a, r, b)", "Seine (river; flows through; Paris)."])
    assert items == ["d0: a | r | b"]
    assert model.left_out["lines_of_prose"] == 1


@pytest.mark.parametrize(
    "answer",
    [
        "- **aspirin**: a drug\n- **fever** (symptom)",
        "1. aspirin: a drug\n2. fever - a sign",
        '{"drugs": ["aspirin"], "signs": ["fever"]}',
        '```json\n{"drugs": ["aspirin"], "signs": [{"name": "fever"}]}\n```',
    ],
)
def test_an_answer_with_a_list_has_its_names(answer, tmp_path):
    items, _ = read(tmp_path / "batch.jsonl", "concepts", [answer])
    assert items == ["d0: aspirin", "d0: fever"]


def test_example_of_is_nothing():
    from goldassay.formats.answers.means import OF_LABELS

    assert [
        is_nothing(text, OF_LABELS) for text in ("[]", "None.", '{"label": null}', "```json\n[]\n```", "sport")
    ] == [True, True, True, True, False]


def test_example_of_says_nothing():
    assert says_nothing("(no equivalent)")
    assert says_nothing("No suitable match.")
    assert not says_nothing("Nonesuch")


def test_example_of_is_refusal():
    assert is_refusal("I cannot classify this.")
    assert not is_refusal("No finding")
