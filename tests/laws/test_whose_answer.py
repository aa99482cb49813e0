"""Each answer is of the id of its record: answers that are rotated over the ids are other labels, in every file of answers."""

import csv
import io
import json

import polars as pl
import pytest

import goldassay

LABELS = ("sport", "art", "law")
RECORDS = {
    "output": lambda name, text: {"id": name, "output": text},
    "question": lambda name, text: {"id": name, "question": "What is it?", "response": text},
    "llama.cpp": lambda name, text: {"id": name, "prompt": "What is it?", "content": text},
    "parts": lambda name, text: {"id": name, "content": [{"type": "text", "text": text}]},
    "HELM": lambda name, text: {"instance_id": name, "train_trial_index": 0, "predicted_text": text},
    "Bedrock": lambda name, text: _job(name, {"content": [{"type": "text", "text": text}]}),
    "Bedrock, Claude 2": lambda name, text: _job(name, {"completion": text, "stop_reason": "stop_sequence"}),
    "Bedrock, Titan": lambda name, text: _job(name, {"results": [{"tokenCount": 2, "outputText": text}]}),
    "Bedrock, Llama": lambda name, text: _job(name, {"generation": text, "stop_reason": "stop"}),
    "Vertex AI": lambda name, text: {"key": name, "instance": {"content": "x"}, "prediction": {"content": text}},
    "PaLM": lambda name, text: {"key": name, "instance": {"prompt": "x"}, "predictions": [{"content": text}]},
}
ROWS = ("output", "question", "HELM")
"""Records that may be rows of a table."""
STATED = ("{}", "**{}**", "Answer: {}", '{{"label": "{}"}}')


def _job(name, answer):
    return {"recordId": name, "modelInput": {"prompt": "What is it?"}, "modelOutput": answer}


def write(records, suffix, folder):
    path = folder / f"answers{suffix}"
    if suffix == ".parquet":
        pl.DataFrame(records).write_parquet(path)
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps(one) + "\n" for one in records))
    else:
        writer = csv.DictWriter(text := io.StringIO(), list(records[0]), delimiter="\t" if suffix == ".tsv" else ",")
        writer.writeheader()
        writer.writerows(records)
        path.write_text(text.getvalue())
    return path


def read(kind, stated, labels, suffix, folder):
    records = [RECORDS[kind](f"d{at}", stated.format(label)) for at, label in enumerate(labels)]
    model = goldassay.read(write(records, suffix, folder), kind="labels")
    return [model.item(at) for at in range(len(model))]


@pytest.mark.parametrize(
    ("kind", "suffix", "stated"),
    [
        (kind, suffix, stated)
        for kind in RECORDS
        for suffix in (".jsonl", *((".csv", ".tsv", ".parquet") if kind in ROWS else ()))
        for stated in STATED
    ],
)
def test_an_answer_is_a_label_of_the_id_of_its_record(kind, suffix, stated, tmp_path):
    assert read(kind, stated, LABELS, suffix, tmp_path) == [f"d{at}: {label}" for at, label in enumerate(LABELS)]
    turned = (*LABELS[1:], LABELS[0])
    assert read(kind, stated, turned, suffix, tmp_path) == [f"d{at}: {label}" for at, label in enumerate(turned)]


@pytest.mark.parametrize(
    ("record", "label", "unread"),
    [
        (lambda name, text: {"id": name, "type": "message", "text": text}, "type", "text"),
        (lambda name, text: {"id": name, "type": "completion", "content": text}, "type", "content"),
        (lambda name, text: {"id": name, "type": "completion", "answer": text}, "type", "answer"),
        (lambda name, text: {"id": name, "category": "closed_qa", "response": text}, "category", "response"),
        (lambda name, text: {"id": name, "label": text, "output": text}, "label", "output"),
    ],
)
def test_another_column_that_may_have_the_answers_is_warned_of(record, label, unread, tmp_path):
    # Few labels recur: a column in which almost each differs is refused.
    path = write([record(f"d{at}", one) for at, one in enumerate(LABELS * 3)], ".jsonl", tmp_path)
    [warning] = goldassay.read(path, kind="labels").warnings
    assert warning.startswith(f"labels are those of {label!r}")
    assert f"{unread!r} is not read" in warning
    assert [*goldassay.read(path, kind="labels", label_column=unread).warnings] == []


@pytest.mark.parametrize(
    "asked", [{"content": [{"type": "text", "text": "What is it?"}]}, {"prompt": "What is it?", "content": "A text."}]
)
def test_what_is_next_to_a_label_is_what_was_asked(asked, tmp_path):
    records = [{"id": f"d{at}", **asked, "label": one} for at, one in enumerate(LABELS)]
    model = goldassay.read(write(records, ".jsonl", tmp_path), kind="labels")
    assert [model.item(at) for at in range(len(model))] == ["d0: sport", "d1: art", "d2: law"]


def test_the_texts_of_spans_are_no_answers(tmp_path):
    records = [{"id": f"d{at}", "type": "T047", "text": one, "start": 0, "end": 3} for at, one in enumerate(LABELS)]
    warnings = goldassay.read(write(records, ".jsonl", tmp_path), kind="labels").warnings
    assert not any("is not read: if" in one for one in warnings)


def test_the_column_that_is_proposed_for_instances_is_an_id(tmp_path):
    (path := tmp_path / "table.csv").write_text("FooID,label,aspect\nq1,a,b\nq2,b,b\n")
    with pytest.raises(goldassay.GoldassayError, match="--instance-column FooID"):
        goldassay.read(path, kind="labels")
