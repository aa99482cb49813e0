"""Spans as annotation tools and models write them: each shape gives the concepts at its places, and other places other concepts."""

import json

import polars as pl
import pytest

import goldassay
from goldassay.concepts.formats.spans import (
    are_spans,
    are_tags,
    columns_of_spans,
    concept_of,
    document_of,
    documents_of_rows,
    is_span,
    roles_of_rows,
)

TEXT = "The patient took aspirin for fever after a fall."
SPANS = [(17, 24, "DRUG"), (29, 34, "SIGN")]


def task(spans, key="annotations"):
    result = [
        {"type": "labels", "value": {"start": a, "end": b, "text": TEXT[a:b], "labels": [kind]}} for a, b, kind in spans
    ]
    done = [{"id": 9, "was_cancelled": True, "result": []}, {"id": 1, "result": result}]
    return {"id": 7, "data": {"text": TEXT, "doc_id": "q1"}, "predictions": [], key: done}


def members(*names, texts=True, nested=None):
    """Write each span as an object with some names for its begin, end, class and text; nested ones have their place in an object."""

    def write(spans):
        found = []
        for number, (a, b, kind) in enumerate(spans):
            start, end, label, text = names
            places = {start: a, end: b}
            words = {text: TEXT[a:b]} if texts else {}
            found.append({"id": number, **({nested: places} if nested else places), label: kind, **words})
        return found

    return write


def triples(spans):
    return [list(one) for one in spans]


RECORDS = {
    "doccano": lambda spans: {"label": triples(spans)},
    "doccano, plural": lambda spans: {"labels": triples(spans)},
    "doccano with relations": lambda spans: {
        "entities": members("start_offset", "end_offset", "label", "", texts=False)(spans),
        "relations": [],
    },
    "spaCy": lambda spans: {"entities": triples(spans)},
    "Prodigy": lambda spans: {
        "spans": [{"start": a, "end": b, "label": kind} for a, b, kind in spans],
        "tokens": [{"text": "The", "start": 0, "end": 3, "id": 0}],
        "answer": "accept",
    },
    "Label Studio, short": lambda spans: {
        "label": [{"start": a, "end": b, "text": TEXT[a:b], "labels": [kind]} for a, b, kind in spans]
    },
    "LangExtract": lambda spans: {
        "extractions": members("start_pos", "end_pos", "extraction_class", "extraction_text", nested="char_interval")(
            spans
        )
    },
    "LangExtract without places": lambda spans: {
        "extractions": [{"extraction_class": kind, "extraction_text": TEXT[a:b]} for a, b, kind in spans]
    },
    "Hugging Face": lambda spans: {"entities": members("start", "end", "entity_group", "word")(spans)},
    "Hugging Face, predicted": lambda spans: {"prediction": members("start", "end", "entity", "word")(spans)},
    "Hugging Face without places": lambda spans: {
        "predictions": [{"entity": kind, "word": TEXT[a:b]} for a, b, kind in spans]
    },
}
FILES = {
    **{
        name: lambda spans, of=of: (json.dumps({"id": "q1", "text": TEXT, **of(spans)}) + "\n", ".jsonl")
        for name, of in RECORDS.items()
    },
    "Label Studio": lambda spans: (json.dumps([task(spans)], indent=1), ".json"),
    "Label Studio, lines": lambda spans: (json.dumps(task(spans)) + "\n", ".jsonl"),
    "Label Studio, predicted": lambda spans: (json.dumps([task(spans, "predictions")]), ".json"),
    "a row for each span": lambda spans: (
        "doc_id,start,end,text,label\n" + "".join(f"q1,{a},{b},{TEXT[a:b]},{kind}\n" for a, b, kind in spans),
        ".csv",
    ),
    "a row with the text": lambda spans: (
        "doc_id,start,end,text,label\n" + "".join(f"q1,{a},{b},{TEXT},{kind}\n" for a, b, kind in spans),
        ".csv",
    ),
    "a record for each span": lambda spans: (
        "".join(
            json.dumps({"doc": "q1", "start": a, "end": b, "text": TEXT[a:b], "label": kind}) + "\n"
            for a, b, kind in spans
        ),
        ".jsonl",
    ),
}


def write(path, shape, spans):
    text, suffix = FILES[shape](spans)
    path = path.with_suffix(suffix)
    path.write_text(text)
    return path


@pytest.mark.parametrize("shape", FILES)
def test_every_shape_gives_the_concepts_at_its_places(shape, tmp_path):
    gold = goldassay.read(write(tmp_path / "gold", shape, SPANS), kind="concepts")
    assert [gold.item(row) for row in range(len(gold))] == ["q1: aspirin", "q1: fever"]
    assert not gold.warnings
    pred = write(tmp_path / "pred", shape, [(4, 11, "DRUG"), SPANS[1]])
    report = goldassay.evaluate(pred, gold=tmp_path / f"gold{pred.suffix}", kind="concepts", measures="concept_exact")
    assert report["concept_exact"].f1 == 0.5


@pytest.mark.parametrize("shape", RECORDS)
def test_a_document_without_spans_has_no_concept(shape, tmp_path):
    empty = {name: [] for name in RECORDS[shape](SPANS) if name not in ("relations", "tokens", "answer")}
    path = tmp_path / "pred.jsonl"
    rest = {"id": "q2", "text": TEXT, **RECORDS[shape](SPANS)}
    path.write_text(json.dumps({"id": "q1", "text": "No fever.", **empty}) + "\n" + json.dumps(rest) + "\n")
    assert len(goldassay.read(path, kind="concepts").ids) == 2
    if shape != "Hugging Face, predicted":
        path.write_text(json.dumps({"id": "q1", "text": "No fever.", **empty}) + "\n")
        assert len(goldassay.read(path, kind="concepts")) == 0


@pytest.mark.parametrize("names", [("start_offset", "end_offset"), ("start", "end")])
def test_a_class_is_no_name(names, tmp_path):
    path = tmp_path / "pred.jsonl"
    spans = members(*names, "label", "", texts=False)(SPANS)
    path.write_text(json.dumps({"id": "q1", "entities": spans}) + "\n")
    with pytest.raises(goldassay.InputError, match="a label is a class"):
        goldassay.read(path, kind="concepts")


def test_tokens_with_tags_are_no_entities(tmp_path):
    path = tmp_path / "pred.jsonl"
    path.write_text(
        json.dumps(
            {"id": "q1", "text": TEXT, "entities": [{"entity": "B-DRUG", "word": "asp", "start": 17, "end": 20}]}
        )
    )
    with pytest.raises(goldassay.InputError, match="aggregation_strategy"):
        goldassay.read(path, kind="concepts")


def test_lists_that_are_not_read_are_warned_of(tmp_path):
    path = tmp_path / "pred.jsonl"
    path.write_text(json.dumps({"id": "q1", "text": TEXT, "found": ["aspirin"], "messages": ["x"]}) + "\n")
    [warning] = goldassay.read(path, kind="concepts").warnings
    assert "'found'" in warning
    assert "--concepts-column found" in warning
    found = goldassay.read(path, kind="concepts", concepts="found")
    assert [found.item(row) for row in range(len(found))] == ["q1: aspirin"]
    assert not found.warnings
    assert not goldassay.read(path, kind="concepts", text="text").warnings


def test_the_annotations_of_the_first_of_several_people_are_read(tmp_path):
    one = task(SPANS)
    one["annotations"].append({"id": 2, "result": []})
    path = tmp_path / "gold.json"
    path.write_text(json.dumps([one]))
    gold = goldassay.read(path, kind="concepts")
    assert len(gold) == 2
    assert "several people" in gold.warnings[0]


def test_documents_with_places_of_their_own_stay_documents(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text(
        "id,start,end,text,type\n"
        "n1,0,58,The doctor says that the fever of the patient is rising now,note\n"
        "n2,58,70,Aspirin helps,note\n"
    )
    notes = goldassay.read(path, kind="concepts")
    assert "n1: fever" in [notes.item(row) for row in range(len(notes))]


@pytest.mark.parametrize("form", ["Parquet", "pandas", "CSV", "CSV of triples"])
@pytest.mark.parametrize("name", ["label", "predictions", "ner_tags"])
def test_columns_of_tables_with_spans_are_concepts(form, name, tmp_path):
    spans = [{"start": a, "end": b, "text": TEXT[a:b], "label": kind} for a, b, kind in SPANS]
    frame = pl.DataFrame({"id": ["q1", "q2"], "text": [TEXT, TEXT], name: [spans, []]})
    given = tmp_path / "a.parquet"
    if form == "Parquet":
        frame.write_parquet(given)
    elif form == "pandas":
        given = frame.to_pandas()
    else:
        given = tmp_path / "a.csv"
        lists = json.dumps(spans if form == "CSV" else triples(SPANS))
        pl.DataFrame({"id": ["q1", "q2"], "text": [TEXT, TEXT], name: [lists, "[]"]}).write_csv(given)
    read = goldassay.read(given, kind="concepts")
    assert [read.item(row) for row in range(len(read))] == ["q1: aspirin", "q1: fever"]


def test_example_of_is_span():
    assert is_span([0, 7, "DRUG"])
    assert is_span({"start": 0, "end": 7, "label": "DRUG"})
    assert not is_span({"start": 0, "end": 7})


def test_example_of_are_tags():
    assert are_tags(["O", "B-DRUG"])
    assert not are_tags(["aspirin"])


def test_example_of_columns_of_spans():
    assert columns_of_spans({"text": "aspirin", "label": [[0, 7, "DRUG"]], "tags": ["a"]}) == ["label"]


def test_example_of_concept_of():
    assert concept_of([0, 7, "DRUG"]) == {"start": 0, "end": 7, "type": "DRUG"}
    assert concept_of({"extraction_text": "fever", "extraction_class": "sign"}) == {"text": "fever", "type": "sign"}


def test_example_of_document_of():
    result = [{"type": "labels", "value": {"start": 0, "end": 7, "text": "Aspirin", "labels": ["DRUG"]}}]
    assert document_of({"id": 1, "data": {"text": "Aspirin helps."}, "annotations": [{"result": result}]}) == {
        "id": 1,
        "text": "Aspirin helps.",
        "concepts": [{"start": 0, "end": 7, "text": "Aspirin", "type": ["DRUG"]}],
    }


def test_example_of_roles_of_rows():
    assert roles_of_rows(("doc_id", "start", "end", "text", "label")) == {
        "start": "start",
        "end": "end",
        "text": "text",
        "type": "label",
        "id": "doc_id",
    }
    assert roles_of_rows(("id", "text", "label")) == {}


def test_example_of_are_spans():
    assert are_spans([{"id": "d1", "start": 0, "end": 7, "text": "Aspirin", "type": "DRUG"}])
    assert not are_spans([{"id": "d1", "start": 0, "end": 14, "text": "Aspirin helps."}])


def test_example_of_documents_of_rows():
    assert documents_of_rows([{"id": "d1", "start": "0", "end": "7", "text": "Aspirin"}]) == [
        {"id": "d1", "concepts": [{"start": 0, "end": 7, "text": "Aspirin"}]}
    ]
