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


@pytest.mark.parametrize("head", ["Parent | Children", "Class | Subclasses"])
def test_commas_in_a_column_with_a_plural_are_between_names_in_markdown(head, tmp_path):
    text = f"| {head} |\n|---|---|\n| Animal | Cat, Dog |\n| Plant | Oak |\n"
    found, model = items(tmp_path / "answer.txt", text)
    assert found == ["Cat -> Animal", "Dog -> Animal", "Oak -> Plant"]
    assert any("commas are between names" in line for line in model.warnings)
    assert (
        items(tmp_path / "one.txt", text.replace("Children", "Child").replace("sses", "ss"))[0][0]
        == "Cat, Dog -> Animal"
    )


@pytest.mark.parametrize("mark", ["{}. ", "{}: ", "**{}.** "])
def test_a_numbered_list_of_labels_is_of_the_instances_1_2_3(mark, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("".join(f"{mark.format(place)}{name}\n" for place, name in enumerate(("x", "y", "x"), start=1)))
    model = goldassay.read(path, kind="labels")
    assert sorted(map(model.item, range(len(model)))) == ["1: x", "2: y", "3: x"]


def test_that_there_is_no_match_is_no_correspondence(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("No matches found.\n")
    with pytest.raises(goldassay.InputError, match="not recognised"):
        goldassay.read(path, kind="alignment")


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
