"""What is around the content of an answer is none of it: keys above records, notes next to them, and fields that every answer of a batch has."""

import json

import pytest

import goldassay

NOTES = (
    {},
    {"reasoning": "Dogs bark."},
    {"notes": ["a", "b"]},
    {"metadata": {"model": "gpt", "tokens": 12}},
    {"confidence": 0.9},
    {"model": "gpt", "usage": {"tokens": 3}},
)
EDGES = [{"child": "dog", "parent": "animal"}, {"child": "cat", "parent": "animal"}]
PROPERTIES = [{"domain": "Dog", "property": "hasOwner", "range": "Person"}]
LABELS = [{"id": "d1", "label": "sport"}, {"id": "d2", "label": "art"}]
PAIRS = [{"source": "cat", "target": "Katze"}, {"source": "dog", "target": "Hund"}]
READ = {
    "taxonomy": ["dog -> animal", "cat -> animal"],
    "axioms": ["Dog hasOwner Person"],
    "labels": ["d1: sport", "d2: art"],
    "alignment": ["cat = Katze", "dog = Hund"],
}
WRAPPED = [
    *(("taxonomy", {key: EDGES}) for key in ("is_a_relations", "hypernym_pairs", "edges", "answer")),
    *(("taxonomy", {key: {"animal": ["dog", "cat"]}}) for key in ("taxonomy", "hierarchy")),
    *(("axioms", {key: PROPERTIES}) for key in ("object_property_axioms", "object_properties", "found", "axioms")),
    ("axioms", {"ontology": {"object_properties": PROPERTIES}}),
    *(("labels", {key: LABELS}) for key in ("document_labels", "labels", "results")),
    ("labels", {"document_labels": {"d1": "sport", "d2": ["art"]}}),
    *(("alignment", {key: PAIRS}) for key in ("matched_pairs", "mappings")),
    ("alignment", {"mappings": {"cat": "Katze", "dog": ["Hund"]}}),
]


def items(path, kind):
    found = goldassay.read(path, kind=kind)
    return [found.item(row) for row in range(len(found))]


@pytest.mark.parametrize("fence", ["{}", "Sure!\n```json\n{}\n```\n"])
@pytest.mark.parametrize("notes", NOTES, ids=str)
@pytest.mark.parametrize(("kind", "value"), WRAPPED, ids=str)
def test_keys_and_notes_around_the_content_are_none_of_it(kind, value, notes, fence, tmp_path):
    path = tmp_path / ("answer.json" if fence == "{}" else "answer.md")
    for shown in ({**notes, **value}, {**value, **notes}):
        path.write_text(fence.format(json.dumps(shown)))
        assert items(path, kind) == READ[kind]
    assert all(repr(key) in "".join(goldassay.read(path, kind=kind).notes) for key in notes)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("taxonomy", {"data": ["table"], "metadata": ["title"]}, ["table -> data", "title -> metadata"]),
        ("taxonomy", {"data": {"kinds": ["table"]}, "model": ["tree"]}, ["kinds -> data", "table -> kinds", "tree -> model"]),
        ("taxonomy", {"notes": [{"name": "dog", "children": ["poodle"]}]}, ["dog -> notes", "poodle -> dog"]),
        ("labels", {"note": "noun", "dog": "noun"}, ["note: noun", "dog: noun"]),
        ("labels", {"d1": [{"id": "Q1", "label": "sport"}], "d2": [{"id": "Q2", "label": "art"}]}, READ["labels"]),
        ("alignment", {"notes": "remarks", "id": "key"}, ["notes = remarks", "id = key"]),
    ],
    ids=str,
)  # fmt: skip
def test_names_that_are_words_for_notes_stay_names(kind, value, expected, tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(value))
    assert items(path, kind) == expected


NAMES = (
    "Label", "Sentiment", "Verdict", "Diagnosis", "Document class", "ICD-10 code", "Kategorie", "\u00c9tiquette", "R\u00e9ponse", "\u30e9\u30d9\u30eb",
)  # fmt: skip
STATED = (
    *(f"{name}{mark}{{}}" for name in NAMES for mark in (": ", " -> ", " = ")),
    *(f"**{name}:** {{}}\n\n**Reasoning:** It says so." for name in NAMES),
    *(f'{{{{"{name}": "{{}}"}}}}' for name in NAMES),
    '```json\n{{"sentiment": "{}", "reasoning": "because"}}\n```',
    '{{"result": {{"label": "{}"}}}}',
    '{{"primary": "{}", "secondary": null}}',
    "<labels><label>{}</label></labels>",
    "<sentiment>{}</sentiment>",
)


@pytest.mark.parametrize("stated", STATED)
def test_what_every_answer_of_a_batch_names_is_a_field(stated, tmp_path):
    path = tmp_path / "answers.jsonl"
    labels = ("positive", "negative", "positive")
    records = [{"id": f"d{at}", "output": stated.format(label)} for at, label in enumerate(labels)]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    assert items(path, "labels") == ["d0: positive", "d1: negative", "d2: positive"]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (['{"a": "x", "b": "y"}', '{"c": "x", "a": "z"}'], ["a: x", "b: y", "c: x", "a: z"]),
        (['{"a": "x"}', '{"b": "y"}'], ["a: x", "b: y"]),
        (["d1: x", "d1: y"], ["d1: x", "d1: y"]),
        ([json.dumps({f"e{n}": "x" for n in range(9)})] * 2, [f"e{n}: x" for n in range(9)]),
    ],
)
def test_answers_with_several_instances_are_read(answers, expected, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{n}", "output": one}) + "\n" for n, one in enumerate(answers, 1)))
    assert sorted(items(path, "labels")) == sorted(expected)
