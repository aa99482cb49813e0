"""Tables in one JSON object, as pandas and others write them; what looks alike and is none."""

from __future__ import annotations

import json

import polars as pl
import pytest
from tests.registry import LAYOUTS

import goldassay
from goldassay.formats import Source
from goldassay.formats.json_tables import is_json_table, rows_in, table_objects

FRAME = pl.DataFrame({"child": ["dog", "cat", None], "parent": ["pet", "pet", "thing"], "weight": [1, 2, 3]})


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_has_the_rows(layout):
    assert rows_in(LAYOUTS[layout](FRAME)) == FRAME.rows(named=True)


def test_rows_may_have_other_numbers():
    # What is left of a frame that was filtered.
    columns = {"child": {"3": "dog", "17": "cat"}, "parent": {"3": "pet", "17": "pet"}}
    assert rows_in(columns) == [{"child": "dog", "parent": "pet"}, {"child": "cat", "parent": "pet"}]


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        {"animal": {"dog": {}}},
        {"child": ["dog"], "parent": ["pet", "thing"]},
        {"child": {"0": "dog"}, "parent": {"1": "pet"}},
        {"child": {"0": {"x": 1}}, "parent": {"0": {"x": 1}}},
        {"columns": ["child", "parent"], "data": [["dog"]]},
        {"1": {"child": "dog", "parent": "pet"}},
        {"schema": {}, "data": []},
    ],
)
def test_what_looks_alike_is_no_table(value):
    assert rows_in(value) == []


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("kind", ["taxonomy", "axioms", "triples", "alignment", "labels", "concepts"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_family_reads_each_layout(kind, layout, indent, tmp_path):
    frame = {
        "taxonomy": {"child": ["dog", "cat"], "parent": ["pet", "pet"]},
        "axioms": {
            "class": ["dog", "cat"],
            "property": ["eats", "eats"],
            "object": ["meat", "fish"],
            "kind": ["object", "object"],
        },
        "triples": {"subject": ["Oslo", "Rome"], "predicate": ["in", "in"], "object": ["Norway", "Italy"]},
        "alignment": {"source": ["a", "b"], "target": ["c", "d"]},
        "labels": {"instance": ["d1", "d2"], "label": ["x", "y"]},
        "concepts": {"id": ["d1", "d2"], "concepts": [["dog", "cat"], ["fish"]]},
    }[kind]
    table = pl.DataFrame(frame)
    (tmp_path / "table.json").write_text(json.dumps(LAYOUTS[layout](table), indent=indent), encoding="utf-8")
    (tmp_path / "table.jsonl").write_text(table.write_ndjson(), encoding="utf-8")
    here, there = (goldassay.read(tmp_path / name, kind=kind) for name in ("table.json", "table.jsonl"))
    assert sorted(map(here.item, range(len(here)))) == sorted(map(there.item, range(len(there))))
    assert here.ids.tolist() == there.ids.tolist() if kind in ("labels", "concepts") else len(here)


def test_maps_of_names_stay_a_taxonomy(tmp_path):
    (tmp_path / "a.json").write_text('{"pet": ["dog", "cat"], "tree": ["oak", "elm"]}')
    assert len(goldassay.read(tmp_path / "a.json")) == 4


def test_documents_by_number_stay_documents(tmp_path):
    (tmp_path / "a.json").write_text('{"0": {"triples": [["a", "b", "c"]]}, "1": {"triples": [["d", "e", "f"]]}}')
    assert goldassay.read(tmp_path / "a.json", kind="triples").ids.tolist() == ["0", "1"]


def test_another_file_is_refused_by_name(tmp_path):
    page = b'{"animal": {"dog": {}}}'
    source = Source(path="a.json", name="a.json", data=page, size=len(page))
    assert not is_json_table(source, lambda names: True)
    with pytest.raises(goldassay.InputError, match=r"no table of columns or rows"):
        list(table_objects(source))


def test_example_of_rows_in():
    assert rows_in({"child": {"0": "dog", "1": "cat"}, "parent": {"0": "pet", "1": "pet"}}) == [
        {"child": "dog", "parent": "pet"},
        {"child": "cat", "parent": "pet"},
    ]
    assert rows_in({"columns": ["child", "parent"], "data": [["dog", "pet"]]}) == [{"child": "dog", "parent": "pet"}]
    assert rows_in({"animal": {"dog": {}}}) == []


def test_example_of_is_json_table():
    from goldassay.formats.source import Source

    page = b'{"child": ["dog"], "parent": ["pet"]}'
    assert is_json_table(Source(path="a", name="a", data=page, size=37), lambda names: "child" in names)


def test_example_of_table_objects():
    from goldassay.formats.source import Source

    [block] = table_objects(Source(path="a", name="a", data=b'{"id": [1, 2], "text": ["a", "b"]}', size=34))
    assert block.values == [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]


OF_FAMILIES = {
    "taxonomy": {"child": ["dog", "cat"], "parent": ["pet", "pet"]},
    "axioms": {"class": ["dog", "cat"], "property": ["eats", "eats"], "object": ["meat", "fish"]},
    "triples": {"subject": ["Oslo", "Rome"], "predicate": ["in", "in"], "object": ["Norway", "Italy"]},
    "alignment": {"source": ["a", "b"], "target": ["c", "d"]},
    "labels": {"label": ["x", "y"]},
    "concepts": {"concepts": [["dog", "cat"], ["fish"]]},
    "sentences": {"text": ["A dog.", "A cat."]},
}


@pytest.mark.parametrize("kind", OF_FAMILIES)
@pytest.mark.parametrize("orient", ["columns", "index", "split", "table"])
def test_an_index_of_texts_is_that_of_the_frame(kind, orient, tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(OF_FAMILIES[kind], index=["d1", "d2"])
    path = tmp_path / "a.json"
    path.write_text(frame.to_json(orient=orient))
    here, there = goldassay.read(path, kind=kind), goldassay.read(frame, kind=kind)
    assert sorted(map(here.item, range(len(here)))) == sorted(map(there.item, range(len(there))))


@pytest.mark.parametrize("names", [("id", "parent"), ("skill", "parent_skill"), ("member", "group")])
def test_numbered_rows_are_those_of_json_lines(names, tmp_path):
    frame = pl.DataFrame(dict(zip(names, (["dog", "cat"], ["pet", "pet"]), strict=True)))
    (tmp_path / "a.json").write_text(json.dumps(LAYOUTS["columns"](frame)))
    frame.write_ndjson(tmp_path / "b.jsonl")
    here, there = (goldassay.read(tmp_path / name) for name in ("a.json", "b.jsonl"))
    assert sorted(map(here.item, range(len(here)))) == sorted(map(there.item, range(len(there))))


def test_scores_of_classes_by_number_are_labels(tmp_path):
    (tmp_path / "a.json").write_text('{"d1": {"0": 0.9, "1": 0.1}, "d2": {"0": 0.2, "1": 0.8}}')
    labels = goldassay.read(tmp_path / "a.json", kind="labels")
    assert {labels.item(row)[:2] for row in range(len(labels))} == {"d1", "d2"}


OBJECTS = {
    "triples": (
        "triples",
        [
            {"subject": "Oslo", "predicate": "in", "object": "Norway"},
            {"subject": "Rome", "predicate": "in", "object": "Italy"},
        ],
    ),
    "triples, other keys": (
        "triples",
        [{"head": "Oslo", "type": "in", "tail": "Norway"}, {"head": "Rome", "type": "in", "tail": "Italy"}],
    ),
    "concepts": ("concepts", [{"text": "dog", "label": "ANIMAL"}, {"text": "oak", "label": "TREE"}]),
    "labels": ("labels", [{"label": "dog", "score": 0.9}, {"label": "oak", "score": 0.8}]),
}
"""The key, and the objects, that a record of a family may list."""


@pytest.mark.parametrize("case", OBJECTS)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_lists_by_column_are_the_objects(case, count, tmp_path):
    # What a Sequence of a dictionary is in Hugging Face's datasets.
    key, objects = OBJECTS[case]
    columns = {name: [one[name] for one in objects[:count]] for name in objects[0]}
    here, there = (
        [{"id": "d1", key: some}, {"id": "d2", key: other}]
        for some, other in (
            (columns, {name: [one[name] for one in objects] for name in objects[0]}),
            (objects[:count], objects),
        )
    )
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, here)))
    pl.DataFrame(here).write_parquet(tmp_path / "a.parquet")
    kind = case.partition(",")[0]
    wanted = goldassay.read(there, kind=kind)
    for given in (here, tmp_path / "a.jsonl", tmp_path / "a.parquet", pl.DataFrame(here)):
        found = goldassay.read(given, kind=kind)
        assert sorted(map(found.item, range(len(found)))) == sorted(map(wanted.item, range(len(wanted))))


@pytest.mark.parametrize("case", ["triples", "concepts"])
def test_lists_of_other_lengths_are_no_objects(case):
    key, objects = OBJECTS[case]
    columns = {name: [one[name] for one in objects] for name in objects[0]}
    columns[next(iter(columns))].append("more")
    with pytest.raises(goldassay.InputError):
        goldassay.evaluate([], gold=[{"id": "d1", key: columns}], kind=case)
