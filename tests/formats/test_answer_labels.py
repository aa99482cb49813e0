"""The labels of answers to one item: what models write around them is no part of them, and what is no label is counted."""

import json

import pytest

import goldassay

PLAIN = (
    "{}",
    "**{}**",
    "{}.",
    "```\n{}\n```",
    "\\boxed{{{}}}",
    "So the answer is $\\boxed{{\\text{{{}}}}}$.",
    "Label: {}",
    "The label is {}.",
    "The most likely category is **{}**.",
    "{}\n\nReason: it mentions a ball: that is why.",
    "{}\n\n**Explanation**: the players run.",
    "{}\nThe text describes a match between two teams, and who won it in the end.",
    "{} because it mentions a ball",
    '{{"label": "{}"}}',
    '["{}"]',
    '[{{"label": "{}"}}]',
    '{{"classes": ["{}"], "reason": "a ball"}}',
)
SCORED = (
    "{} (0.95)",
    "{} - 95%",
    "{}, 0.95",
    "{} (confidence: 95%)",
    "Label: {} (0.95)",
    '{{"label": "{}", "confidence": 0.95}}',
    '[{{"label": "{}", "score": 0.95}}]',
)
NO_LABELS = (
    "The text is about sport.",
    "This text belongs to the arts.",
    "I think it could be either of the two.",
    "Here is what I found\nThe text has players, a ball and two teams, so it may be one.",
    "**Analysis**\nThe text has players, a ball and two teams, so it may be one.",
)


def read(path, answers):
    path.write_text("".join(json.dumps({"id": f"d{at}", "output": one}) + "\n" for at, one in enumerate(answers)))
    return goldassay.read(path, kind="labels")


def items(model):
    return [model.item(row) for row in range(len(model))]


@pytest.mark.parametrize("label", ["sport", "ball games"])
@pytest.mark.parametrize("form", PLAIN)
def test_an_answer_has_its_label(form, label, tmp_path):
    model = read(tmp_path / "batch.jsonl", [form.format(label), "arts"])
    assert items(model) == [f"d0: {label}", "d1: arts"]
    assert not model.warnings


@pytest.mark.parametrize("form", SCORED)
def test_a_share_behind_a_label_is_its_score(form, tmp_path):
    model = read(tmp_path / "batch.jsonl", [form.format("sport"), "arts"])
    assert items(model) == ["d0: sport", "d1: arts"]
    assert model.scores.tolist() == [0.95, 1]
    assert model.warnings == ("1 of 2 statements have no score, and get 1",)


@pytest.mark.parametrize("text", NO_LABELS)
def test_a_sentence_is_no_label(text, tmp_path):
    model = read(tmp_path / "batch.jsonl", ["arts", text])
    assert items(model) == ["d0: arts"]
    assert model.left_out["lines_of_prose"]


@pytest.mark.parametrize("label", ["phase (1)", "type 2", "the arts", "No. 5"])
def test_a_number_in_a_label_stays(label, tmp_path):
    assert items(read(tmp_path / "batch.jsonl", [label, "arts"])) == [f"d0: {label}", "d1: arts"]


@pytest.mark.parametrize(
    "value",
    [
        {"d1": "sport", "d2": "arts", "d3": None},
        {"d1": "sport", "d2": ["arts"], "d3": []},
        {"model": "m", "labels": {"d1": "sport", "d2": "arts"}},
        {"labels": {"d1": "sport", "d2": "arts"}},
        {"classifications": [{"document": "d1", "category": "sport"}, {"document": "d2", "category": "arts"}]},
    ],
)
def test_names_with_labels_may_be_below_a_key_or_have_none(value, tmp_path):
    path = tmp_path / "labels.json"
    for indent in (None, 1):
        path.write_text(json.dumps(value, indent=indent))
        model = goldassay.read(path, kind="labels")
        assert items(model) == ["d1: sport", "d2: arts"]
        assert not model.warnings
