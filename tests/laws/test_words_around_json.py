"""JSON with words around it has the items of the JSON, in every family and under every name of a file; broken JSON is refused as before."""

import json
import re

import pytest

import goldassay
from goldassay.core.errors import GoldassayError

ROWS = {
    "taxonomy": [{"child": "cat", "parent": "pet"}, {"child": "dog", "parent": "pet"}],
    "triples": [
        {"subject": "Oslo", "predicate": "capital of", "object": "Norway"},
        {"subject": "Bergen", "predicate": "in", "object": "Norway"},
    ],
    "labels": [{"id": "d1", "label": "sport"}, {"id": "d2", "label": "art"}],
    "alignment": [{"source": "cat", "target": "chat"}, {"source": "dog", "target": "chien"}],
    "axioms": [
        {"class": "Product", "property": "hasBrand", "object": "Brand"},
        {"class": "Person", "property": "livesIn", "object": "City"},
    ],
    "concepts": [{"id": "q1", "concepts": ["aspirin", "fever"]}, {"id": "q2", "concepts": ["insulin"]}],
}
MAPS = {
    "taxonomy": {"animal": {"pet": {"cat": {}, "dog": {}}}},
    "labels": {"d1": "sport", "d2": "art"},
    "alignment": {"cat": "chat", "dog": "chien"},
    "concepts": {"q1": ["aspirin", "fever"], "q2": ["insulin"]},
}
AROUND = {
    "token": lambda text: f"{text}</s>",
    "chat": lambda text: f"{text}<|im_end|>\n",
    "words below": lambda text: f"{text}\n\nLet me know!\n",
    "notes below": lambda text: f"{text}\n\nThis is the result: two items.\nNote that x is y, and [z].\n",
    "bracket below": lambda text: f"{text}\n\nFor example: [x]\n",
    "semicolon": lambda text: f"{text};\n",
    "quotation": lambda text: "".join(f"> {line}\n" for line in text.split("\n")),
    "code": lambda text: f"`{text}`\n",
    "page": lambda text: f"<pre><code>{text}</code></pre>\n",
    "entities": lambda text: text.replace('"', "&quot;"),
    "name": lambda text: f"JSON: {text}\n",
    "return": lambda text: f"return {text}\n",
    "const": lambda text: f"const data = {text};\n",
    "print": lambda text: f"print({text})\n",
    "Python": lambda text: text.replace('"', "'"),
    "comment": lambda text: re.sub(r",(?=[^,]*\Z)", ", // the last\n", text),
    "comma": lambda text: f"{text[:-1]},{text[-1]}",
    "typographic": lambda text: re.sub(r'"([^"]*)"', r"“\1”", text),
}
SUFFIXES = (".txt", ".json", ".out")


def items(path, text, kind):
    path.write_text(text, encoding="utf-8")
    model = goldassay.read(path, kind=kind)
    return sorted(model.item(row) for row in range(len(model)))


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("kind", ROWS)
def test_words_around_json_change_no_item(kind, around, tmp_path):
    for value in filter(None, (ROWS[kind], MAPS.get(kind))):
        for text in (json.dumps(value), json.dumps(value, indent=2)):
            for suffix in SUFFIXES:
                path = tmp_path / f"answer{suffix}"
                assert items(path, AROUND[around](text), kind) == items(path, text, kind), (text, suffix)


@pytest.mark.parametrize("kind", ROWS)
def test_words_below_lines_of_json_change_no_item(kind, tmp_path):
    path, text = tmp_path / "answer.txt", "\n".join(map(json.dumps, ROWS[kind]))
    for around in ("{}</s>", "{}\n\nLet me know!\n", "{};"):
        assert items(path, around.format(text), kind) == items(path, text, kind)
    assert items(path, text.replace('"', "'"), kind) == items(path, text, kind)


@pytest.mark.parametrize("kind", sorted({*ROWS} - {"triples"}))
def test_broken_json_is_refused(kind, tmp_path):
    text, lines = json.dumps(ROWS[kind], indent=2), [json.dumps(row) for row in ROWS[kind]]
    for broken in (
        text[:-2],
        f"{text}}}",
        f"{text}\n{text}",
        f"{lines[0]}\n{lines[1][:-2]}",
        f"{lines[0][:-2]}\n{lines[1]}",
    ):
        with pytest.raises(GoldassayError):
            items(tmp_path / "answer.json", broken, kind)


@pytest.mark.parametrize("suffix", ["", ".txt", ".text", ".out"])
def test_records_and_tables_of_concepts_are_no_prose(suffix, tmp_path):
    expected = ["q1: aspirin", "q1: fever", "q2: insulin"]
    rows = "\n".join(map(json.dumps, ROWS["concepts"]))
    table = "id,concepts\nq1,aspirin;fever\nq2,insulin\n"
    for text in (rows, table, table.replace(",", "\t"), f"Here:\n{rows}\n", f"<think>x</think>\n{rows}\n"):
        assert items(tmp_path / f"answer{suffix}", text, "concepts") == expected
    response = json.dumps({"choices": [{"message": {"role": "assistant", "content": rows}}]})
    assert items(tmp_path / f"answer{suffix}", response, "concepts") == expected
