"""Examples of labels/formats/tools.py."""

import json

import pytest

import goldassay
from goldassay.labels.formats.tools import labelled


def test_the_example_of_labelled():
    assert labelled({"text": "a", "cats": {"sport": 0.9, "arts": 0.1}}) == {
        "text": "a",
        "label": ["sport", "arts"],
        "score": [0.9, 0.1],
    }
    assert labelled({"id": 1, "topic": {"choices": ["sport", "arts"]}}) == {"id": 1, "label": ["sport", "arts"]}


@pytest.mark.parametrize(
    "record",
    [
        {"id": 1, "text": "a b", "choice": "sport", "annotator": 1, "lead_time": 2.5},
        {"id": 1, "text": "a b", "choice": {"choices": ["sport"]}, "annotator": 1},
        {
            "id": "1",
            "text": "a b",
            "label.responses": ["sport"],
            "label.responses.users": ["u"],
            "label.suggestion": None,
        },
    ],
    ids=str,
)
def test_choices_of_annotators_are_labels(record, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(record) + "\n")
    labels = goldassay.read(path, kind="labels")
    assert list(map(labels.item, range(len(labels)))) == ["1: sport"]


def test_a_column_of_texts_is_the_last_that_is_proposed(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text,chosen\n1,a b,sport\n")
    with pytest.raises(goldassay.InputError) as refused:
        goldassay.read(path, kind="labels")
    assert refused.value.hint.endswith("--label-column chosen")
