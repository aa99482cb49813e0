"""Whole numbers have no point, in columns of floats either, in every family, format and layout."""

import warnings

import polars as pl
import pytest

import goldassay

TABLES = {
    "labels": "id,label\n1.0,1.0\n2.0,0.0\n3.0,1.0\n",
    "taxonomy": "child,parent\n2.0,1.0\n3.0,1.0\n",
    "triples": "id,subject,predicate,object\n1.0,Oslo,population,700000.0\n2.0,Rome,height,10.5\n",
    "sentences": "id,text\n1.0,Hello you\n2.0,You too\n",
    "concepts": 'id,concepts\n1.0,"[""a""]"\n',
    "alignment": "source,target,score\n1.0,2.0,1.0\n",
    "axioms": "class,property,object\na,b,1.0\n",
}
MEASURES = {"taxonomy": "literal", "alignment": "overlap", "triples": "triples", "axioms": "exact"}


def items(given, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        model = goldassay.read(given, kind=kind)
    return [model.item(row) for row in range(len(model))]


def without_points(text):
    return text.replace(".0", "")


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("kind", TABLES)
def test_all_formats_read_the_same(tmp_path, kind, large):
    head, *rows = TABLES[kind].splitlines()
    text = "\n".join([head, *rows * (500 if large and kind not in {"concepts", "sentences"} else 1), ""])
    table, whole = tmp_path / "table.csv", tmp_path / "whole.csv"
    table.write_text(text)
    whole.write_text(without_points(text))
    frame = pl.read_csv(table)
    frame.write_ndjson(tmp_path / "table.jsonl")
    frame.write_parquet(tmp_path / "table.parquet")
    expected = items(whole, kind)
    assert not [item for item in expected if ".0" in item]
    for given in (table, tmp_path / "table.jsonl", tmp_path / "table.parquet", frame):
        assert items(given, kind) == expected


@pytest.mark.parametrize("kind", MEASURES)
def test_an_engine_reads_them_too(tmp_path, kind):
    table, whole = tmp_path / "table.csv", tmp_path / "whole.csv"
    table.write_text(TABLES[kind])
    whole.write_text(without_points(TABLES[kind]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        report = goldassay.evaluate(table, gold=whole, kind=kind, engine="duckdb", measures=MEASURES[kind])
    assert report.runs[0].scores[0].values["f1"] == 1


@pytest.mark.parametrize(
    "text",
    [
        '{"triples": [["Oslo", "population", 700000.0]]}',
        '{"id": "1", "triples": [{"subject": "Oslo", "predicate": "population", "object": 700000.0}]}',
        '[["Oslo", "population", 700000.0]]',
        '{"subject": "Oslo", "predicate": "population", "object": 700000.0}',
    ],
)
def test_numbers_in_lists_are_those_of_records(tmp_path, text):
    path = tmp_path / "triples.jsonl"
    path.write_text(text + "\n")
    assert [item.split(": ")[1] for item in items(path, "triples")] == ["Oslo | population | 700000"]


def test_a_column_with_words_stays_as_it_is(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("id,label\n1,1.0\n2,version 2.0\n3,1.0\n")
    assert items(path, "labels") == ["1: 1.0", "2: version 2.0", "3: 1.0"]
