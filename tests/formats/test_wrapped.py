"""Rows that a service or a driver wraps: they are read as the rows themselves, in a file and in memory, in every family."""

from __future__ import annotations

import json

import pytest

import goldassay
from goldassay.formats.wrapped import unwrapped

ROWS = {
    "taxonomy": [{"child": "dog", "parent": "animal"}, {"child": "cat", "parent": "animal"}],
    "triples": [{"subject": "Oslo", "predicate": "in", "object": "Norway"}],
    "labels": [{"instance": "i1", "label": "sport"}, {"instance": "i2", "label": "art"}],
    "concepts": [{"id": "d1", "concepts": ["aspirin", "fever"]}, {"id": "d2", "concepts": []}],
    "alignment": [{"source": "dog", "target": "Hund"}],
    "axioms": [{"class": "Dog", "property": "eats", "object": "Cat"}],
}
RECORDS = [
    {"a": {"name": "Oslo"}, "r": [{"name": "Oslo"}, "IN", {"name": "Norway"}], "b": {"name": "Norway"}},
    {"a": {"title": "Bergen"}, "r": [{"title": "Bergen"}, "IN", {"name": "Norway"}], "b": None},
]
TRIPLES = [("Oslo", "IN", "Norway"), ("Bergen", "IN", "Norway")]


def page(rows):
    wrapped = [{"row_idx": number, "row": row, "truncated_cells": []} for number, row in enumerate(rows)]
    return {"features": [{"feature_idx": 0, "name": "x"}], "rows": wrapped, "num_rows_total": len(rows)}


def items(model):
    return sorted(map(model.item, range(len(model))))


@pytest.mark.parametrize("kind", ROWS)
def test_a_page_of_the_dataset_viewer_is_its_rows(kind, tmp_path):
    expected = items(goldassay.read(ROWS[kind], kind=kind))
    path = tmp_path / "page.json"
    for value in (page(ROWS[kind]), page(ROWS[kind])["rows"]):
        for indent in (None, 2):
            path.write_text(json.dumps(value, indent=indent))
            assert items(goldassay.read(path, kind=kind)) == expected
        assert items(goldassay.read(value, kind=kind)) == expected


@pytest.mark.parametrize("memory", [True, False])
def test_cells_that_are_cut_off_are_refused(memory, tmp_path):
    value = page(ROWS["taxonomy"])
    value["rows"][1]["truncated_cells"] = ["parent"]
    path = tmp_path / "page.json"
    path.write_text(json.dumps(value))
    with pytest.raises(goldassay.InputError, match=r"Cells are cut off.*\n.*row 1: parent") as caught:
        goldassay.read(value if memory else path)
    assert "to_json" in caught.value.hint
    assert caught.value.path


@pytest.mark.parametrize("kind", ["taxonomy", "triples"])
def test_records_of_neo4j_are_triples(kind, tmp_path):
    options = {"edges": "all"} if kind == "taxonomy" else {}
    expected = items(goldassay.read(TRIPLES, kind=kind, **options))
    path = tmp_path / "records.json"
    path.write_text(json.dumps(RECORDS, indent=2))
    assert items(goldassay.read(path, kind=kind, **options)) == expected
    # The driver has tuples.
    rows = [{**record, "r": tuple(record["r"])} for record in RECORDS]
    assert items(goldassay.read(rows, kind=kind, **options)) == expected


@pytest.mark.parametrize(
    "value",
    [
        [{"id": "d1", "triple": [{"name": "Oslo"}, "in", {"name": "Norway"}]}],
        [{"r": [{"name": "Oslo"}, "IN", {}]}],
        [{"p": [{"name": "a"}, "R", {"name": "b"}, "S", {"name": "c"}]}],
        [[{"name": "Oslo"}, "in", {"name": "Norway"}]],
        {"rows": [{"row_idx": 1}]},
        {"row_idx": 1},
    ],
)
def test_anything_else_stays(value):
    data = json.dumps(value).encode()
    assert unwrapped(data) == data
    assert unwrapped(data[:-1]) == data[:-1]
