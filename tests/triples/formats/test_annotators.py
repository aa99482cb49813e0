"""Relations as annotation tools and WebNLG write them: the same triples in every layout."""

from __future__ import annotations

import json

import pytest

import goldassay
from goldassay.formats.source import Source
from goldassay.triples.formats.annotators import as_documents

DOCUMENTS = {
    "1": [("Oslo", "capital of", "Norway"), ("Oslo", "located in", "Europe")],
    "2": [("Bergen", "located in", "Norway")],
    "3": [],
}


def names_of(triples):
    return list(dict.fromkeys(end for a, _, b in triples for end in (a, b)))


def doccano(name, triples):
    names = names_of(triples)
    text = " ".join(names)
    entities = [
        {"id": 7 + at, "label": "E", "start_offset": text.index(one), "end_offset": text.index(one) + len(one)}
        for at, one in enumerate(names)
    ]
    relations = [
        {"id": at, "from_id": 7 + names.index(a), "to_id": 7 + names.index(b), "type": r}
        for at, (a, r, b) in enumerate(triples)
    ]
    return {"id": int(name), "text": text, "entities": entities, "relations": relations}


def label_studio(name, triples):
    result = []
    for at, (a, r, b) in enumerate(triples):
        result += [
            {"id": f"{end}{at}", "type": "labels", "value": {"start": 0, "end": 4, "text": text, "labels": ["E"]}}
            for end, text in (("a", a), ("b", b))
        ]
        ends = (f"a{at}", f"b{at}") if at == 0 else (f"b{at}", f"a{at}")
        direction = "right" if at == 0 else "left"
        result.append({"type": "relation", "from_id": ends[0], "to_id": ends[1], "direction": direction, "labels": [r]})
    return {"id": int(name), "data": {"text": "x"}, "annotations": [{"id": 1, "result": result}]}


def itext2kg(name, triples):
    relations = [
        {"startEntity": {"name": a, "label": "E"}, "endEntity": {"name": b, "label": "E"}, "name": r}
        for a, r, b in triples
    ]
    return {"id": name, "relationships": relations}


@pytest.mark.parametrize("form", ["array", "lines"])
@pytest.mark.parametrize("write", [doccano, label_studio, itext2kg])
def test_relations_of_annotation_tools_are_triples(write, form, tmp_path):
    some = [write(name, triples) for name, triples in DOCUMENTS.items() if triples]
    path = tmp_path / f"export.{'json' if form == 'array' else 'jsonl'}"
    path.write_text(json.dumps(some) if form == "array" else "".join(json.dumps(one) + "\n" for one in some))
    triples = goldassay.read(path, kind="triples")
    expected = [f"{name}: {a} | {r} | {b}" for name, some in DOCUMENTS.items() for a, r, b in some]
    assert [triples.item(row) for row in range(len(triples))] == expected


def test_what_an_annotator_cancelled_is_not_read(tmp_path):
    record = label_studio("1", DOCUMENTS["1"])
    cancelled = {**label_studio("1", DOCUMENTS["2"])["annotations"][0], "was_cancelled": True}
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{**record, "annotations": [cancelled, *record["annotations"]]}]))
    triples = goldassay.read(path, kind="triples")
    assert [triples.item(row) for row in range(len(triples))] == [f"1: {a} | {r} | {b}" for a, r, b in DOCUMENTS["1"]]


def test_entries_of_webnlg_in_json_are_documents(tmp_path):
    path = tmp_path / "webnlg.json"
    entries = [
        {
            name: {
                "category": "City",
                "modifiedtripleset": [dict(zip(("subject", "property", "object"), one, strict=True)) for one in some],
            }
        }
        for name, some in DOCUMENTS.items()
    ]
    path.write_text(json.dumps({"entries": entries}))
    triples = goldassay.read(path, kind="triples")
    assert triples.ids.tolist() == ["1", "2", "3"]
    assert triples.item(2) == "2: Bergen | located in | Norway"


def test_a_relation_to_a_span_that_is_not_there_is_an_incomplete_triple(tmp_path):
    path = tmp_path / "export.jsonl"
    good, bad = doccano("1", DOCUMENTS["1"]), doccano("2", DOCUMENTS["2"])
    bad["relations"][0]["to_id"] = 99
    path.write_text(json.dumps(good) + "\n\n" + json.dumps(bad) + "\n")
    triples = goldassay.read(path, kind="triples")
    assert len(triples.faults) == 1
    assert triples.faults[0].line == 3


def test_example_of_as_documents():
    page = b'{"id": 1, "text": "Oslo, Norway", "entities": [{"id": 5, "start_offset": 0, "end_offset": 4}, {"id": 6, "start_offset": 6, "end_offset": 12}], "relations": [{"from_id": 5, "to_id": 6, "type": "in"}]}'
    assert (
        as_documents(Source(path="a", name="a.jsonl", data=page, size=len(page))).data[1:-1]
        == b'{"id": 1, "text": "Oslo, Norway", "triples": [["Oslo", "in", "Norway"]]}'
    )


CORPORA = {
    "tacred": {"id": "e1", "docid": "d", "relation": "per:title", "token": ["Bob", "Lee", "is", "boss"], "subj_start": 0, "subj_end": 1, "obj_start": 3, "obj_end": 3},
    "tacred_none": {"id": "e2", "relation": "no_relation", "token": ["Bob", "is"], "subj_start": 0, "subj_end": 0, "obj_start": 1, "obj_end": 1},
    "scierc": {"doc_key": "X", "sentences": [["We", "run"], ["deep", "nets", "on", "images"]], "ner": [[], [[2, 3, "Method"]]], "relations": [[], [[2, 3, 5, 5, "USED-FOR"]]]},
    "webnlg": {"eid": "Id1", "modified_triple_sets": {"mtriple_set": [["Oslo | capital | Norway"]]}},
}  # fmt: skip
TRIPLES = {
    "tacred": ["e1: Bob Lee | per:title | boss"],
    "tacred_none": [],
    "scierc": ["X: deep nets | USED-FOR | images"],
    "webnlg": ["1: Oslo | capital | Norway"],
}


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_records_of_corpora_are_documents(name, suffix, tmp_path):
    path = tmp_path / f"a.{suffix}"
    path.write_text(json.dumps([CORPORA[name]] if suffix == "json" else CORPORA[name]) + "\n")
    read = goldassay.read(path, kind="triples")
    assert [read.item(row) for row in range(len(read))] == TRIPLES[name]
    assert len(read.ids) == 1
