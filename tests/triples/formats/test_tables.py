"""Examples of `goldassay.triples.formats.tables`: what its functions give."""

import json

import pytest

import goldassay
from goldassay.formats.roles import TRIPLES
from goldassay.triples.formats.raw import SLOTS
from goldassay.triples.formats.slots import ROLES, role_of
from goldassay.triples.formats.tables import has_lists


def test_example_of_has_lists():
    assert has_lists(["id", "Triples"])
    assert not has_lists(["subject", "object"])


def _written(rows, suffix, path):
    """Write rows as a file, or give them as they are."""
    if suffix == "memory":
        return rows
    sign = {"csv": ",", "tsv": "\t"}.get(suffix)
    lines = (
        [sign.join(rows[0]), *(sign.join(map(str, row.values())) for row in rows)] if sign else map(json.dumps, rows)
    )
    (file := path / f"a.{suffix}").write_text(json.dumps(rows) if suffix == "json" else "\n".join(lines) + "\n")
    return file


FORMS = ["csv", "tsv", "json", "jsonl", "memory"]
NAMES = [
    "subject_name predicate object_name", "head_entity relation tail_entity", "entity1 relationship entity2", "e1 rel e2",
    "start edge end", "from_node edge_label to_node", "source_id relation_id target_id", "subject_id relation object_id",
]  # fmt: skip


@pytest.mark.parametrize("suffix", [*FORMS, "batch.jsonl"])
@pytest.mark.parametrize("names", NAMES)
def test_names_of_columns_are_the_same_in_every_format(names, suffix, tmp_path):
    rows = [dict(zip(names.split(), row, strict=True)) for row in (("a", "p", "b"), ("c", "q", "d"))]
    if suffix == "batch.jsonl":
        rows, suffix = [{"id": "1", "output": json.dumps(rows)}], "jsonl"
    found = goldassay.read(_written(rows, suffix, tmp_path), kind="triples")
    assert [*map(found.item, range(len(found)))] == ["1: a | p | b", "1: c | q | d"]


def test_every_name_of_a_column_is_one_of_a_key():
    assert all(words.names <= {*ROLES[slot]} for slot in SLOTS for words in TRIPLES.names[slot])
    assert role_of(["label", "edge_name"], "predicate") == "edge_name"
    assert role_of(["source_id", "source_name"], "subject") == "source_name"


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("suffix", FORMS)
def test_rows_with_ids_of_their_own_are_warned_of(suffix, weighted, tmp_path):
    rows = [
        {"id": f"{n}", "subject": a, "predicate": "p", "object": "b", **({"weight": 0.5} if weighted else {})}
        for n, a in enumerate("acd")
    ]
    found = goldassay.read(file := _written(rows, suffix, tmp_path), kind="triples")
    assert [warning.partition(" (")[0] for warning in found.warnings] == ["every row has an id of its own"]
    assert "--unit corpus" in found.warnings[0]
    found = goldassay.read(file, kind="triples", unit="corpus")
    assert not found.warnings
    assert [found.item(row).partition(": ")[2] for row in range(3)] == ["a | p | b", "c | p | b", "d | p | b"]
    for ids in ("001", "xyz"):
        rows = [{**row, "id": name} for row, name in zip(rows, ids, strict=True)]
        assert not goldassay.read(_written(rows, suffix, tmp_path), kind="triples").warnings


@pytest.mark.parametrize("suffix", FORMS)
def test_the_id_of_kgtk_is_that_of_an_edge(suffix, tmp_path):
    rows = [{"id": f"e{n}", "node1": a, "label": "p", "node2": "b"} for n, a in enumerate("acd")]
    found = goldassay.read(_written(rows, suffix, tmp_path), kind="triples")
    assert [*map(found.item, range(3))] == ["1: a | p | b", "1: c | p | b", "1: d | p | b"]
    assert not found.warnings
