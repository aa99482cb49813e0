"""Several tables in one object, such as train and test, are read as one: what a table is called is no item and no id."""

import json

import pytest

import goldassay

TABLES = {
    "labels": ([{"id": "d1", "label": "a"}, {"id": "d2", "label": "b"}], [{"id": "d3", "label": "b"}], ["d1: a", "d2: b", "d3: b"]),
    "taxonomy": ([{"child": "a", "parent": "b"}], [{"child": "c", "parent": "b"}, {"child": "d", "parent": "c"}], ["a -> b", "c -> b", "d -> c"]),
    "alignment": ([{"source": "a", "target": "b"}], [{"source": "c", "target": "d"}], ["a = b", "c = d"]),
    "triples": ([{"id": "d1", "subject": "a", "predicate": "p", "object": "b"}], [{"id": "d2", "subject": "c", "predicate": "p", "object": "d"}], ["d1: a | p | b", "d2: c | p | d"]),
    "triples of documents": ([{"id": "d1", "triples": [["a", "p", "b"]]}], [{"id": "d2", "triples": []}, {"id": "d3", "triples": [["c", "p", "d"]]}], ["d1: a | p | b", "d3: c | p | d"]),
}  # fmt: skip


def items(tmp_path, value, kind):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value))
    model = goldassay.read(path, kind=kind.partition(" ")[0])
    return sorted(model.item(row) for row in range(len(model))), model


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_one_object_are_read_as_one(kind, tmp_path):
    train, test, expected = TABLES[kind]
    found, model = items(tmp_path, {"train": train, "test": test}, kind)
    assert found == expected
    assert any("train" in note and "test" in note for note in [*model.warnings, *model.notes])


def test_what_has_no_id_of_its_own_is_called_by_its_key(tmp_path):
    triple = {"subject": "a", "predicate": "p", "object": "b"}
    assert items(tmp_path, {"d1": [triple], "d2": [triple]}, "triples")[0] == ["d1: a | p | b", "d2: a | p | b"]
    assert items(tmp_path, {"d1": [{"label": "a"}], "d2": [{"label": "b"}]}, "labels")[0] == ["d1: a", "d2: b"]


def test_a_table_without_rows_is_none(tmp_path):
    train = [{"id": "d1", "triples": [["a", "p", "b"]]}]
    assert items(tmp_path, {"train": train, "test": []}, "triples")[0] == ["d1: a | p | b"]


def test_one_table_is_not_called_several(tmp_path):
    found, model = items(tmp_path, {"train": [{"id": "d1", "triples": [["a", "p", "b"]]}]}, "triples")
    assert found == ["d1: a | p | b"]
    assert not [note for note in [*model.warnings, *model.notes] if "train" in note]
