"""Tables with a column of answers: the same answers in JSON Lines, in any table and in memory are the same items."""

import json
from itertools import cycle

import pandas as pd
import polars as pl
import pytest
from tests.formats.answers.test_families import ROWS, SHAPES

import goldassay
from goldassay.core.errors import InputError
from goldassay.formats.answers.cells import as_batch
from goldassay.formats.answers.means import OF_LABELS, OF_TRIPLES
from goldassay.formats.source import Source
from goldassay.triples.reading import AS_USUAL

TREE = [json.dumps({"animal": ["dog", "cat"]}), "plant\n  tree\n  flower", "- oak is a tree"]
ANSWERS = {
    "taxonomy": [TREE, [f"```\n{text}\n```" for text in TREE]],
    **{kind: [[f"Sure:\n```\n{write(ROWS[kind])}\n```", write(ROWS[kind][:2])] for write in SHAPES[kind].values()] for kind in ("triples", "axioms", "alignment")},
}  # fmt: skip
TABLES = {
    "csv": lambda table: table.to_csv(index=False),
    "txt": lambda table: table.to_csv(index=False, sep=";", quoting=1),
    "columns.json": lambda table: table.to_json(),
    "split.json": lambda table: table.to_json(orient="split"),
}


def _items(given, kind):
    try:
        model = goldassay.read(given, kind=kind)
    except InputError as error:
        return error.message
    return list(map(model.item, range(len(model))))


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_table_of_answers_is_read_as_a_batch(kind, tmp_path):
    for name, answers in zip(cycle(["output", "Model response", "generated_text"]), ANSWERS[kind], strict=False):
        rows = [{"id": f"d{n}", name: answer, "seconds": 0.5} for n, answer in enumerate(answers, start=1)]
        (batch := tmp_path / "batch.jsonl").write_text(
            "".join(json.dumps({"id": row["id"], "output": row[name]}) + "\n" for row in rows)
        )
        expected = _items(batch, kind)
        assert isinstance(expected, list) or kind == "axioms"
        table = pd.DataFrame(rows)
        for suffix, write in TABLES.items():
            (path := tmp_path / f"table.{suffix}").write_text(write(table))
            assert _items(path, kind) == expected
        pl.DataFrame(rows).write_parquet(path := tmp_path / "table.parquet")
        for given in (path, rows, table, pl.DataFrame(rows)):
            assert _items(given, kind) == expected


def _source(text, name="table.csv"):
    return Source(path=name, name=name, data=text.encode(), size=len(text))


def test_each_record_is_on_the_line_of_its_row():
    made = as_batch(_source('id,output\nd1,"a\nb"\n\nd2,"[[1]]"\n'), AS_USUAL, OF_TRIPLES)
    assert made.data.split(b"\n") == [
        b"", b'{"id": "d1", "output": "a\\nb"}', b"", b"", b'{"id": "d2", "output": "[[1]]"}',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("id,output\nd1,cat\nd2,dog\n", OF_TRIPLES),  # plain names
        ("output,note\ncat,x\ndog,x\n", OF_LABELS),  # no id
        ('instance,label,output\nd1,cat,"[1]"\n', OF_LABELS),  # what the family calls its columns
        ('id,triples,output\nd1,"[]","[1]"\n', OF_TRIPLES),
        ("Here is the output:\n(a, b, c)\n", OF_TRIPLES),
    ],
)
def test_other_tables_stay(text, meaning):
    assert as_batch(source := _source(text), AS_USUAL, meaning) is source


def test_a_table_whose_columns_are_asked_for_stays(tmp_path):
    (path := tmp_path / "table.csv").write_text('id,rel,output,answer\nd1,p,"[a]","[b]"\n')
    read = goldassay.read(path, kind="triples", subject_column="output", predicate_column="rel", object_column="answer")
    assert read.item(0) == "d1: [a] | p | [b]"


@pytest.mark.parametrize("form", ["csv", "parquet", "memory"])
def test_answers_in_a_column_of_labels_are_read_alike_in_every_format(form, tmp_path):
    rows = {"id": ["d1", "d2"], "prediction": ["```\nsport\n```", '```json\n["art"]\n```']}
    path = tmp_path / f"table.{form}"
    if form != "memory":
        getattr(pl.DataFrame(rows), f"write_{form}")(path)
    read = goldassay.read(pl.DataFrame(rows) if form == "memory" else path, kind="labels")
    assert [read.item(row) for row in range(len(read))] == ["d1: sport", "d2: art"]
