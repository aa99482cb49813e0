"""A long table of several systems, runs or annotators is not read as one set, in any family and any format."""

import json
import warnings
from pathlib import Path

import polars as pl
import pytest

import goldassay

LABELS = ["Sports", "World", "Business"]
ROWS = {
    "labels": ("id,label", lambda row, system: f"{row},{LABELS[(row + system) % 3]}"),
    "taxonomy": ("child,parent", lambda row, system: f"c{row},{LABELS[(row + system) % 3]}"),
    "alignment": ("source,target", lambda row, system: f"http://a#{row},http://b#{row + system}"),
    "triples": ("id,subject,predicate,object", lambda row, system: f"d{row // 3},s{row},likes,o{row + system}"),
    "concepts": ("id,concept", lambda row, system: f"d{row // 3},x{row + system}"),
    "axioms": ("class,property,object", lambda row, system: f"C{row},hasPart,{LABELS[(row + system) % 3]}"),
}
MEASURES = {"taxonomy": "literal", "alignment": "overlap", "triples": "triples", "axioms": "exact"}
FORMATS = ["csv", "jsonl", "parquet", "frame"]
SEPARATED = "rows of several systems, runs or annotators"


def table(tmp_path, kind, column, form, values=("A", "B")):
    head, row_of = ROWS[kind]
    rows = [f"{value},{row_of(row, system)}" for system, value in enumerate(values) for row in range(30)]
    path = tmp_path / "long.csv"
    path.write_text("\n".join([f"{column},{head}", *rows, ""]))
    if form == "csv":
        return path
    frame = pl.read_csv(path)
    if form == "frame":
        return frame
    path = tmp_path / f"long.{form}"
    (frame.write_ndjson if form == "jsonl" else frame.write_parquet)(path)
    return path


def read(given, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        return goldassay.read(given, kind=kind)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("column", ["model", "Run ID", "annotator"])
def test_rows_of_several_systems_are_refused(tmp_path, kind, form, column):
    with pytest.raises(goldassay.InputError, match=SEPARATED) as error:
        read(table(tmp_path, kind, column, form), kind)
    assert f"{column!r}" in str(error.value)
    assert "'A', 'B'" in str(error.value)


@pytest.mark.parametrize("kind", MEASURES)
def test_an_engine_refuses_them_too(tmp_path, kind):
    path = table(tmp_path, kind, "model", "csv")
    with pytest.raises(goldassay.InputError, match=SEPARATED):
        goldassay.evaluate(path, gold=path, kind=kind, engine="duckdb", measures=MEASURES[kind])


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ["labels", "taxonomy", "alignment", "concepts", "axioms"])
def test_a_column_of_another_name_is_warned_of(tmp_path, kind, form):
    found = [line for line in read(table(tmp_path, kind, "frobnicator", form), kind).warnings if "as one set" in line]
    assert len(found) == 1
    assert "'frobnicator'" in found[0]


@pytest.mark.parametrize("values", [("1", "2"), ("yes", "no"), ("A", "")])
def test_numbers_decisions_and_gaps_separate_no_sets(tmp_path, values):
    found = read(table(tmp_path, "labels", "frobnicator", "csv", values), "labels").warnings
    assert not [line for line in found if "as one set" in line]


def test_parts_of_one_data_set_are_one_set(tmp_path):
    path = tmp_path / "parts.csv"
    path.write_text(
        "split,id,label\n"
        + "".join(
            f"{'train' if row < 20 else 'test'},{row},a\n{'train' if row < 20 else 'test'},{row},b\n"
            for row in range(30)
        )
    )
    assert len(read(path, "labels")) == 60


def test_labels_of_another_aspect_are_one_set(tmp_path):
    path = tmp_path / "aspects.csv"
    path.write_text(
        "part,id,label\n" + "".join(f"{part},{row},{part}{row % 3}\n" for row in range(30) for part in ("PX", "FX"))
    )
    assert not [line for line in read(path, "labels").warnings if "as one set" in line]


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("labels", "Label: **Sports**"),
        ("taxonomy", "- animal\n  - dog"),
        ("triples", '("Oslo", "capital of", "Norway")\n("a", "b", "c")'),
        ("concepts", "- Oslo\n- x"),
    ],
)
def test_answers_of_several_systems_are_refused(tmp_path: Path, kind: str, answer: str):
    path = tmp_path / "answers.jsonl"
    rows = [{"model": model, "id": f"d{row}", "output": answer} for model in "AB" for row in range(5)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(goldassay.InputError, match=SEPARATED) as error:
        read(path, kind)
    assert error.value.path == str(path)
