"""Columns that say whether a row holds: they are not read, and rows that do not hold are warned of, in every family and format."""

import json

import pandas as pd
import polars as pl
import pytest

import goldassay

ROWS = {
    "taxonomy": (("child", "parent"), [("dog", "pet"), ("oak", "pet"), ("cat", "pet")]),
    "alignment": (("source", "target"), [("dog", "Hund"), ("oak", "Hund"), ("cat", "Katze")]),
    "triples": (("subject", "predicate", "object"), [("a", "r", "b"), ("c", "r", "d"), ("e", "r", "f")]),
    "axioms": (("class", "property", "object"), [("A", "r", "B"), ("B", "r", "C"), ("C", "r", "A")]),
}
DECISIONS = {
    "label": [1, 0, 1],
    "match": [True, False, True],
    "answer": ["yes", "no", "yes"],
    "Prediction": ["Yes", "No", ""],
    "response": ["Yes, it is.", "No, it is not.", "Yes"],
    "output": ["true", "false", "true"],
    "is_correct": [1.0, 0.0, 1.0],
    "negated": [False, True, False],
    "status": ["accepted", "rejected", "accepted"],
    "deleted": [False, True, False],
    "verdict": ["supported", "unsupported", "supported"],
}


def csv(names, rows):
    return "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in (names, *rows))


FORMATS = {
    ".csv": csv,
    "large.csv": lambda names, rows: csv(names, rows) + "\n" * 2**14,
    ".tsv": lambda names, rows: "".join("\t".join(map(str, row)) + "\n" for row in (names, *rows)),
    ".jsonl": lambda names, rows: "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows),
    ".json": lambda names, rows: json.dumps([dict(zip(names, row, strict=True)) for row in rows]),
    "answer.txt": lambda names, rows: (
        "Here it is:\n\n"
        + "".join(f"| {' | '.join(map(str, row))} |\n" for row in (names, ["---"] * len(names), *rows))
    ),
    ".parquet": lambda names, rows: pl.DataFrame(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))),
}


def written(path, made):
    if isinstance(made, str):
        path.write_text(made)
    else:
        made.write_parquet(path)
    return path


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("decision", DECISIONS)
def test_rows_that_do_not_hold_are_warned_of_and_stay(decision, kind, form, tmp_path):
    names, rows = ROWS[kind]
    more = [(*row, cell) for row, cell in zip(rows, DECISIONS[decision], strict=True)]
    path = written(tmp_path / f"pred{form}", FORMATS[form]((*names, decision), more))
    model = goldassay.read(path, kind=kind)
    assert len(model) == len(rows)
    (found,) = (line for line in model.warnings if "do not hold" in line)
    assert f"1 of 3 rows do not hold by the column '{decision}'" in found


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize(
    ("decision", "cells"),
    [
        ("label", [1, 1, 1]),  # none says no
        ("label", ["no", "big", "yes"]),  # not all are decisions
        ("label", [0, 1, 2]),
        ("negated", [False, False, False]),
        ("size", [0, 1, 0]),  # no name of a decision
    ],
)
def test_other_columns_are_not_decisions(kind, decision, cells, tmp_path):
    names, rows = ROWS[kind]
    more = [(*row, one) for row, one in zip(rows, cells, strict=True)]
    path = written(tmp_path / "pred.csv", csv((*names, decision), more))
    assert not any("do not hold" in line for line in goldassay.read(path, kind=kind).warnings)


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame])
def test_a_table_in_memory_has_decisions_too(made):
    table = made({"child": ["dog", "oak"], "parent": ["pet", "pet"], "label": [1, 0]})
    with pytest.warns(goldassay.SuspectInputWarning, match="1 of 2 rows do not hold"):
        goldassay.evaluate(table, gold=[("dog", "pet")], kind="taxonomy", measures="literal", selfcheck=False)


def test_an_engine_warns_too(tmp_path):
    pytest.importorskip("duckdb")
    path = written(tmp_path / "pred.csv", "child,parent,label\ndog,pet,1\noak,pet,0\n")
    gold = written(tmp_path / "gold.csv", "child,parent\ndog,pet\n")
    with pytest.warns(goldassay.SuspectInputWarning, match="1 of 2 rows do not hold"):
        goldassay.evaluate(path, gold=gold, kind="taxonomy", measures="literal", engine="duckdb", selfcheck=False)


def test_triples_of_documents_have_decisions(tmp_path):
    path = tmp_path / "pred.jsonl"
    triples = [{"subject": "a", "predicate": "r", "object": "b", "label": label} for label in (0, 1)]
    path.write_text(json.dumps({"id": "d1", "triples": triples}) + "\n")
    assert "1 of 2 rows do not hold by the column 'label'" in goldassay.read(path, kind="triples").warnings[0]


def test_answers_of_a_batch_have_decisions(tmp_path):
    path = tmp_path / "batch.jsonl"
    answers = [{"source": "dog", "target": "Hund", "match": True}, {"source": "oak", "target": "Hund", "match": False}]
    lines = [{"id": f"q{n}", "prompt": "?", "output": json.dumps(answer)} for n, answer in enumerate(answers)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = goldassay.read(path, kind="alignment")
    assert list(map(found.item, range(2))) == ["dog = Hund", "oak = Hund"]
    assert "1 of 2 rows do not hold by the column 'match'" in found.warnings[0]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "name", ["prediction", "predicted_target", "pred", "llm_target", "Best Match", "output", "system"]
)
def test_a_table_with_both_sides_is_refused(name, form, tmp_path):
    names, rows = ROWS["alignment"]
    more = [(*row, cell) for row, cell in zip(rows, ["Hund", "Eiche", "Kater"], strict=True)]
    path = written(tmp_path / f"pred{form}", FORMATS[form]((*names, name), more))
    with pytest.raises(goldassay.InputError, match="a column of each side") as error:
        goldassay.read(path, kind="alignment")
    assert name in str(error.value)
    for column, target in ((name, "Eiche"), ("target", "Hund")):
        assert goldassay.read(path, kind="alignment", target_column=column).item(1) == f"oak = {target}"


@pytest.mark.parametrize("cells", [["exact", "exact", "close"], ["AML", "AML", "AML"], [0.9, 0.1, 0.4], ["x " * 9] * 3])
def test_relations_systems_and_numbers_are_no_other_side(cells, tmp_path):
    names, rows = ROWS["alignment"]
    path = written(
        tmp_path / "pred.csv", csv((*names, "prediction"), [(*row, one) for row, one in zip(rows, cells, strict=True)])
    )
    assert len(goldassay.read(path, kind="alignment")) == len(rows)


def test_rows_that_repeat_others_are_warned_of(tmp_path):
    path = written(
        tmp_path / "pred.csv", csv(("source", "source_id", "target", "target_id"), [("A", x, "B", x) for x in "xyz"])
    )
    with pytest.warns(
        goldassay.SuspectInputWarning,
        match="2 of 3 rows of the prediction repeat others.*not read: source_id, target_id",
    ):
        goldassay.evaluate(path, gold=[("A", "B")], kind="alignment", measures="overlap", selfcheck=False)
