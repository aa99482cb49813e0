"""Calls of tools as text, words before JSON, and what describes the items of an outline."""

from __future__ import annotations

import json

import pytest

import goldassay

EDGES = {"edges": [{"child": "Cat", "parent": "Animal"}, {"child": "Dog", "parent": "Animal"}]}
CALL = json.dumps({"name": "save", "arguments": EDGES})


def items(path, text):
    path.write_text(text)
    model = goldassay.read(path)
    return sorted(map(model.item, range(len(model)))), model


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>\n{CALL}\n</tool_call>",
        CALL,
        json.dumps({"name": "save", "parameters": json.dumps(EDGES)}),
        'save(edges=[("Cat", "Animal"), ("Dog", "Animal")])',
        'Final Answer: {"Animal": ["Cat", "Dog"]}',
        '**Answer:** {"Animal": ["Cat", "Dog"]}',
        "Animals include:\n- Cat\n- Dog".replace("Animals", "Animal"),
        "- **Animal** includes:\n  - Cat\n  - Dog",
        "- Animal\n  - Cat\n    - Definition: a feline\n  - Dog\n    - **Examples:** Poodle, Beagle",
        "Cat -> Animal\n~~Dog -> Plant~~\nDog -> Animal",
    ],
)
def test_the_items_of_an_answer_are_read(text, tmp_path):
    assert items(tmp_path / "answer.txt", text)[0] == ["Cat -> Animal", "Dog -> Animal"]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("text", ["- A\n  - B\n    - Definition: the second\n", "B -> A\n~~C -> A~~\n"])
def test_what_is_left_out_is_counted(text, tmp_path):
    assert items(tmp_path / "answer.txt", text)[1].left_out["lines_of_prose"] == 1


def test_a_class_may_be_called_definition(tmp_path):
    assert items(tmp_path / "answer.txt", "- Text\n  - Definition\n  - Example\n    - Picture\n")[0] == [
        "Definition -> Text",
        "Example -> Text",
        "Picture -> Example",
    ]
