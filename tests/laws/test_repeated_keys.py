"""A key that occurs twice in JSON: one of its values would be lost, so no reader takes it without a word, at any depth and in any wrapping."""

import json
import warnings

import pytest

import goldassay
from goldassay.core.errors import GoldassayError

WRITTEN = {
    "taxonomy": [
        '{"cat": "pet", "cat": "animal", "dog": "pet"}',
        '[{"child": "cat", "parent": "pet", "parent": "animal"}, {"child": "dog", "parent": "pet"}]',
        '{"animal": {"pet": {"cat": {}}, "pet": {"dog": {}}}}',
    ],
    "labels": [
        '{"d1": "sport", "d1": "art", "d2": "law"}',
        '[{"id": "d1", "label": "sport", "label": "art"}, {"id": "d2", "label": "law"}]',
    ],
    "alignment": [
        '{"cat": "chat", "cat": "chatte", "dog": "chien"}',
        '[{"source": "cat", "target": "chat", "target": "chatte"}, {"source": "dog", "target": "chien"}]',
    ],
    "axioms": [
        '[{"class": "A", "property": "p", "object": "B", "object": "C"}, {"class": "A", "property": "q", "object": "B"}]',
        '{"classes": {"A": {"subClassOf": "B", "subClassOf": "C"}}}',
    ],
    "triples": [
        '[{"subject": "a", "predicate": "b", "object": "c", "object": "d"}, {"subject": "a", "predicate": "b", "object": "e"}]',
        '{"triples": [["a", "b", "c"]], "triples": [["a", "b", "d"]]}',
    ],
    "concepts": [
        '{"q1": ["aspirin"], "q1": ["fever"], "q2": ["insulin"]}',
        '[{"id": "q1", "concepts": ["aspirin"], "concepts": ["fever"]}, {"id": "q2", "concepts": ["insulin"]}]',
    ],
}
WRAPPINGS = {
    "bare": lambda text: text,
    "fence": lambda text: f"```json\n{text}\n```\n",
    "prose": lambda text: f"Here is the result:\n\n{text}\n",
    "words below": lambda text: f"{text}\n\nLet me know!\n",
    "Python": lambda text: f"```\n{text.replace(chr(34), chr(39))}\n```\n",
    "response": lambda text: json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}),
    "batch": lambda text: "".join(
        json.dumps({"id": name, "output": one}) + "\n" for name, one in (("x", text), ("y", text), ("z", text))
    ),
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("kind", WRITTEN)
def test_no_value_of_a_repeated_key_is_lost_silently(kind, wrapping, tmp_path):
    for number, text in enumerate(WRITTEN[kind]):
        for suffix in (".txt", ".json", ".out"):
            path = tmp_path / f"{number}{suffix}"
            path.write_text(WRAPPINGS[wrapping](text), encoding="utf-8")
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model = goldassay.read(path, kind=kind)
                shown = " ".join((*model.warnings, *model.notes))
            except GoldassayError as error:
                shown = str(error)
            assert "occurs twice" in shown or "not read" in shown or "no statement" in shown, (text, suffix)


def test_of_a_batch_the_other_answers_are_read(tmp_path):
    twice, once = '{"label": "a", "label": "b"}', '{"label": "c"}'
    path = tmp_path / "answers.jsonl"
    rows = (("d1", twice), ("d2", once), ("d3", once), ("d4", once))
    path.write_text("".join(json.dumps({"id": name, "output": one}) + "\n" for name, one in rows), encoding="utf-8")
    labels = goldassay.read(path, kind="labels")
    assert [labels.item(row) for row in range(len(labels))] == ["d2: c", "d3: c", "d4: c"]
    assert labels.left_out == {"lines_of_prose": 1}
