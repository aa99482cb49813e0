"""A folder whose files are named as documents of gold is one prediction with a document in each file; other files are predictions each."""

from __future__ import annotations

import json

import pytest

import goldassay
from goldassay.core.errors import InputError

CONCEPTS = {"d1": ["dog", "cat"], "d2": ["ox", "cow"], "d3": ["aspirin"]}
KINDS = {
    "concepts": ("concept_exact", lambda some: {"concepts": some}, lambda some: [f"- {one}" for one in some]),
    "triples": (
        "triples",
        lambda some: {"triples": [[one, "is in", "here"] for one in some]},
        lambda some: [f"({one}, is in, here)" for one in some],
    ),
    "labels": ("flat", lambda some: {"label": some[0]}, lambda some: [f"Label: {some[0]}"]),
}


def folder_and_gold(tmp_path, kind, names=CONCEPTS):
    _, of_gold, lines = KINDS[kind]
    gold = tmp_path / "gold.jsonl"
    key = "instance" if kind == "labels" else "id"
    gold.write_text(
        "".join(json.dumps({key: name, **of_gold(some)}) + "\n" for name, some in CONCEPTS.items()), encoding="utf-8"
    )
    folder = tmp_path / "answers"
    folder.mkdir()
    for suffix, (name, some) in zip([".txt", ".md", ".txt"], zip(names, CONCEPTS.values(), strict=True), strict=True):
        (folder / f"{name}{suffix}").write_text("\n".join(lines(some)) + "\n", encoding="utf-8")
    return folder, gold


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_documents_are_one_prediction(kind, tmp_path, goldassay_command):
    folder, gold = folder_and_gold(tmp_path, kind)
    measure = KINDS[kind][0]
    report = goldassay.evaluate(str(folder), gold=str(gold), kind=kind, measures=measure)
    assert report.scores[0].values["f1"] == 1
    assert "a folder of 3 files" in goldassay.read(folder, kind=kind).notes[0]
    result = goldassay_command(kind, folder, "--gold", gold, "-m", measure, "--format", "json")
    assert len(json.loads(result.out)["runs"]) == 1


def test_files_of_other_names_are_predictions_in_the_command(tmp_path, goldassay_command):
    folder, gold = folder_and_gold(tmp_path, "concepts", ["gpt", "claude", "llama"])
    for file in folder.iterdir():
        file.write_bytes(gold.read_bytes())
        file.rename(file.with_suffix(".jsonl"))
    result = goldassay_command("concepts", folder, "--gold", gold, "-m", "concept_exact", "--format", "json")
    assert len(json.loads(result.out)["runs"]) == 3


def test_whole_predictions_with_numbers_for_names_are_predictions(tmp_path, goldassay_command):
    folder, gold = folder_and_gold(tmp_path, "concepts")
    for file in folder.iterdir():
        file.write_bytes(gold.read_bytes())
        file.rename(file.with_suffix(".jsonl"))
    result = goldassay_command("concepts", folder, "--gold", gold, "-m", "concept_exact", "--format", "json")
    assert [run["scores"][0]["values"]["f1"] for run in json.loads(result.out)["runs"]] == [1, 1, 1]


def test_files_that_name_other_documents_are_predictions(tmp_path):
    folder, gold = folder_and_gold(tmp_path, "concepts", ["gpt", "claude", "llama"])
    with pytest.raises(InputError, match="No file of the folder has the name of a document"):
        goldassay.evaluate(str(folder), gold=str(gold), kind="concepts", measures="concept_exact")


def test_two_files_of_a_document_are_refused(tmp_path):
    folder, gold = folder_and_gold(tmp_path, "concepts")
    (folder / "d1.json").write_text('["dog"]', encoding="utf-8")
    with pytest.raises(InputError, match="Two files are of the same document"):
        goldassay.evaluate(folder, gold=gold, kind="concepts", measures="concept_exact")


def test_a_file_without_anything_is_a_document_without_anything(tmp_path):
    folder, gold = folder_and_gold(tmp_path, "concepts")
    (folder / "d3.txt").write_text("", encoding="utf-8")
    report = goldassay.evaluate(folder, gold=gold, kind="concepts", measures="concept_exact(average=micro)")
    assert report.scores[0].values["recall"] == 4 / 5


@pytest.mark.parametrize(("name", "text"), [("README.md", "Answers of a model."), ("d9.txt", "- fever")])
def test_a_folder_may_have_documents_that_gold_has_not(name, text, tmp_path, goldassay_command):
    folder, gold = folder_and_gold(tmp_path, "concepts")
    (folder / name).write_text(text, encoding="utf-8")
    result = goldassay_command(
        "concepts", folder, "--gold", gold, "-m", "concept_exact(average=micro)", "--format", "json"
    )
    [run] = json.loads(result.out)["runs"]
    assert run["scores"][0]["values"]["recall"] == 1


def test_a_whole_prediction_next_to_a_file_of_a_document_makes_all_predictions(tmp_path, goldassay_command):
    folder, gold = folder_and_gold(tmp_path, "concepts")
    (folder / "all.jsonl").write_bytes(gold.read_bytes())
    result = goldassay_command("concepts", folder, "--gold", gold, "-m", "concept_exact", "--format", "json")
    assert len(json.loads(result.out)["runs"]) == 4
