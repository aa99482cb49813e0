"""Sentences that a model wrote as JSON, as a table or as a list, with words around them: those words are no sentences."""

import pytest

import goldassay

SENTENCES = ["1 The cat sat.", "2 The dog ran."]
JSON = '["The cat sat.", "The dog ran."]'
RECORDS = '[{"id": "s1", "sentence": "The cat sat."}, {"id": "s2", "sentence": "The dog ran."}]'
NAMED = ["s1 The cat sat.", "s2 The dog ran."]
TABLE = "| id | sentence |\n|----|:------|\n| s1 | The cat sat. |\n| s2 | The dog ran. |\n"
SHAPES = {
    "JSON in a fence": (f"Here are the sentences:\n\n```json\n{JSON}\n```\n", SENTENCES, {"lines_of_prose": 1}),
    "records in a fence": (f"```json\n{RECORDS}\n```", NAMED, {}),
    "an object in a fence": ('```\n{"s1": "The cat sat.", "s2": "The dog ran."}\n```', NAMED, {}),
    "a table": (TABLE, NAMED, {}),
    "a table with words": (f"Here you are.\n\n{TABLE}\nI hope this helps.\n", NAMED, {"lines_of_prose": 2}),
    "a numbered list": ("Here are the sentences:\n\n1. The cat sat.\n2. The dog ran.\n", SENTENCES, {"lines_of_prose": 1}),
    "a list with blank lines": ("Here are the sentences:\n\n- The cat sat.\n\n- The dog ran.\n", SENTENCES, {"lines_of_prose": 1}),
    # What is no list below a line that introduces it is sentence by sentence as it is written.
    "one item": ("Here are the sentences:\n- The cat sat.\n", ["1 Here are the sentences:", "2 - The cat sat."], {}),
    "no colon": ("The cat sat.\n- The dog ran.\n- The cat ran.\n", ["1 The cat sat.", "2 - The dog ran.", "3 - The cat ran."], {}),
    "a line that is no item": ("They spoke as follows:\n- Yes.\n- No.\nIt rained.\n", ["1 They spoke as follows:", "2 - Yes.", "3 - No.", "4 It rained."], {}),
    "a table of other columns": ("| a | b |\n|---|---|\n| 1 | 2 |\n", ["1 | a | b |", "2 |---|---|", "3 | 1 | 2 |"], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_sentences_are_what_an_answer_states(name, tmp_path):
    text, expected, left_out = SHAPES[name]
    path = tmp_path / "a.txt"
    path.write_text(text)
    model = goldassay.read(path, kind="sentences")
    assert [model.item(row) for row in range(len(model))] == expected
    assert dict(model.left_out) == left_out
