"""Answers are read alike in an object of texts by id, as records, as a table, and in memory, in every spelling that a family has."""

import csv
import io
import json

import pytest
from tests.formats.answers.test_families import AROUND, ROWS, SHAPES

import goldassay

SPELLINGS = {
    **{kind: [write(ROWS[kind]) for write in shapes.values()] for kind, shapes in SHAPES.items() if kind in ROWS},
    "taxonomy": [
        "dog is an animal",
        "- animal\n  - dog\n  - cat",
        "```\ndog -> animal\ncat -> animal\n```",
        "| child | parent |\n|---|---|\n| dog | animal |",
        '[{"child": "dog", "parent": "animal"}]',
        '{"animal": ["dog"]}',
    ],
    "concepts": [
        "- aspirin\n- fever",
        '["aspirin", "fever"]',
        "Take aspirin for fever.",
        "Concepts: aspirin, fever",
        "```json\n['aspirin']\n```",
    ],
    "sentences": ["Hello you.", "**Hello**", "```\nHello\n```", '{"text": "Hello"}', "Here is the sentence:\nHello"],
}
SPELLINGS["labels"] += [
    "Sports",
    "Sports.",
    "**Sports**",
    "The article belongs to the category **Sports**.",
    '```json\n{"label": "World"}\n```',
    "Label: x",
    "- a\n- b",
    "Sport -> Football",
]


def as_table(answers):
    writer = csv.writer(text := io.StringIO())
    writer.writerows([("id", "response"), *answers.items()])
    return text.getvalue()


WRITE = {
    "a.json": lambda answers: json.dumps(answers, indent=1),
    "b.json": json.dumps,
    "a.txt": lambda answers: json.dumps(answers, ensure_ascii=False),
    "a.jsonl": lambda answers: "".join(json.dumps({"id": name, "output": one}) + "\n" for name, one in answers.items()),
    "a.csv": as_table,
}


def items(given, kind):
    model = goldassay.read(given, kind=kind)
    return [model.item(row) for row in range(len(model))], list(getattr(model, "ids", ()))


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    ("kind", "number"), [(kind, number) for kind, every in SPELLINGS.items() for number in range(len(every))]
)
def test_an_object_of_answers_is_read_as_their_records(kind, number, tmp_path):
    for form in AROUND.values() if kind == "triples" else ("{}",):
        text = form.replace("{}", SPELLINGS[kind][number])
        answers = {"d1": text, "d2": text}
        found = {"memory": items(answers, kind)}
        for name, write in WRITE.items():
            (tmp_path / name).write_text(write(answers))
            found[name] = items(tmp_path / name, kind)
        assert found["a.jsonl"][0]
        assert [*map(str, found.values())] == [str(found["a.jsonl"])] * len(found)


def test_an_item_without_an_answer_is_one_without_items(tmp_path):
    answers = {"d1": "(Oslo, capital of, Norway)", "d2": None, "d3": ""}
    (tmp_path / "a.json").write_text(json.dumps(answers))
    for given in (answers, tmp_path / "a.json"):
        assert items(given, "triples") == (["d1: Oslo | capital of | Norway"], ["d1", "d2", "d3"])


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("taxonomy", {"cat": "pet", "pet": "animal"}, ["cat -> pet", "pet -> animal"]),
        ("triples", {"reasoning": "A cat.", "triples": "(a, p, b)"}, ["1: a | p | b"]),
        ("triples", {"triples": "(a, p, b)\n(c, p, d)"}, ["1: a | p | b", "1: c | p | d"]),
        ("alignment", {"Author": "Writer", "Book": "Volume"}, ["Author = Writer", "Book = Volume"]),
        ("alignment", {"dog": "Hund", "fish": "(no equivalent)"}, ["dog = Hund"]),
    ],
)
def test_an_object_of_names_or_of_one_answer_is_none_of_answers(kind, value, expected, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(value))
    assert items(tmp_path / "a.json", kind)[0] == expected
