"""Tasks of Prodigy: those that were rejected or ignored are left out, counted and warned of, in every family that reads them."""

import json

import pytest

import goldassay
from goldassay.formats.source import Source
from goldassay.formats.tasks import accepted, is_task

OPTIONS = [{"id": "arts", "text": "Arts"}, {"id": "sport", "text": "Sport"}]
WORDS = [{"id": at, "text": word} for at, word in enumerate(["Oslo", "is", "in", "Norway"])]
TASKS = {
    "labels": {"text": "t", "options": OPTIONS, "accept": ["arts", "sport"]},
    "concepts": {"text": "Aspirin helps.", "spans": [{"start": 0, "end": 7, "label": "DRUG"}]},
    "triples": {
        "text": "Oslo is in Norway",
        "tokens": WORDS,
        "relations": [
            {
                "head": 0,
                "child": 3,
                "label": "in",
                "head_span": {"start": 0, "end": 4},
                "child_span": {"start": 11, "end": 17},
            }
        ],
    },
}
ITEMS = {"labels": ["{}: arts", "{}: sport"], "concepts": ["{}: Aspirin"], "triples": ["{}: Oslo | in | Norway"]}


def items(model):
    return [model.item(row) for row in range(len(model))]


def tasks(kind, answers):
    return [{"id": f"d{number}", **TASKS[kind], "answer": answer} for number, answer in enumerate(answers, start=1)]


@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("form", ["lines", "array", "memory"])
def test_only_accepted_tasks_are_read(kind, form, tmp_path):
    records = tasks(kind, ["accept", "reject", "accept", "ignore"])
    given = tmp_path / "tasks.jsonl"
    if form == "memory":
        given = records
    else:
        text = "".join(json.dumps(one) + "\n" for one in records) if form == "lines" else json.dumps(records, indent=1)
        given.write_text(text)
    model = goldassay.read(given, kind=kind)
    assert items(model) == [item.format(name) for name in ("d1", "d3") for item in ITEMS[kind]]
    assert model.left_out["rejected_tasks"] == 2
    assert any("2 tasks that were rejected or ignored" in one for one in model.warnings)


@pytest.mark.parametrize("kind", TASKS)
def test_a_file_without_an_accepted_task_is_refused(kind, tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(tasks(kind, ["reject"])[0]))
    with pytest.raises(goldassay.InputError, match="No task of the file was accepted"):
        goldassay.read(path, kind=kind)


def test_a_label_may_be_called_like_a_decision(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "d1", "answer": "accept"}\n{"id": "d2", "answer": "reject"}\n')
    assert items(goldassay.read(path, kind="labels")) == ["d1: accept", "d2: reject"]
    path.write_text(
        '{"id": "d1", "label": "reject", "answer": "accept"}\n{"id": "d2", "label": "accept", "answer": "reject"}\n'
    )
    assert items(goldassay.read(path, kind="labels")) == ["d1: reject", "d2: accept"]


def test_lines_keep_their_numbers(tmp_path):
    path = tmp_path / "tasks.jsonl"
    records = tasks("concepts", ["reject", "accept"])
    path.write_text("".join(json.dumps(one) + "\n" for one in records) + "{\n")
    with pytest.raises(goldassay.InputError, match=":3:"):
        goldassay.read(path, kind="concepts")


def test_example_of_accepted():
    page = b'{"text": "a", "spans": [], "answer": "reject"}\n{"text": "b", "spans": [], "answer": "accept"}\n'
    found = accepted(Source(path="a", name="a", data=page, size=len(page)))
    assert found.lost == 1
    assert found.source.data == b'\n{"text": "b", "spans": [], "answer": "accept"}\n'


def test_example_of_is_task():
    assert is_task({"text": "a", "label": "sport", "answer": "reject"})
    assert not is_task({"id": 1, "answer": "reject"})
