"""A first column without a name, as pandas and R write an index and names of rows: texts are ids, numbers are none."""

import pandas as pd
import pytest

import goldassay

IDS = {
    "labels": (",label", "d1,cat", "d2,dog"),
    "triples": (",subject,predicate,object", "d1,cat,is,animal", "d2,dog,is,animal"),
    "concepts": (",concept", "d1,cat", "d2,dog"),
    "sentences": (",text", "d1,a cat", "d2,a dog"),
}


def items(path, kind, **options):
    model = goldassay.read(path, kind=kind, **options)
    return [str(model.item(row)) for row in range(len(model))]


@pytest.mark.parametrize("kind", IDS)
@pytest.mark.parametrize("separator", [",", ";", "\t", '"",'])
def test_texts_are_ids(kind, separator, tmp_path):
    head, *rows = IDS[kind]
    (tmp_path / "named.csv").write_text("\n".join([f"id{head}", *rows]))
    path = tmp_path / ("index.tsv" if separator == "\t" else "index.csv")
    text = "\n".join([head, *rows]).replace(",", separator[-1])
    path.write_text('""' * (len(separator) > 1) + text)
    assert items(path, kind) == items(tmp_path / "named.csv", kind)


@pytest.mark.parametrize("kind", IDS)
def test_numbers_are_none(kind, tmp_path):
    head, *rows = IDS[kind]
    (tmp_path / "plain.csv").write_text("\n".join(line.partition(",")[2] for line in (head, *rows)) + "\n")
    (tmp_path / "index.csv").write_text("\n".join([head, *(f"{at}{row[2:]}" for at, row in enumerate(rows))]) + "\n")
    found = items(tmp_path / "index.csv", kind)
    assert not any("d1" in item for item in found)
    if kind != "concepts":
        # A table of one column may be a list of names.
        assert found == items(tmp_path / "plain.csv", kind)


def test_another_column_has_the_ids(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",doc,label\nx,d1,cat\ny,d2,dog\n")
    assert items(path, "labels") == ["d1: cat", "d2: dog"]


def test_a_title_in_the_second_cell_is_a_title(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",My animals\nchild,parent\ncat,pet\ndog,pet\n")
    assert items(path, "taxonomy") == ["cat -> pet", "dog -> pet"]


@pytest.mark.parametrize("separator", [",", "\t"])
def test_names_of_rows_of_r_need_no_name(separator, tmp_path):
    path = tmp_path / f"a.{'csv' if separator == ',' else 'tsv'}"
    rows = [("child", "parent"), ("1", "cat", "pet"), ("2", "dog", "pet")]
    path.write_text("".join(separator.join(f'"{cell}"' for cell in row) + "\n" for row in rows))
    assert items(path, "taxonomy") == ["cat -> pet", "dog -> pet"]


def test_a_cell_too_many_without_quotes_is_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,label\n1,sport,art\n2,law,art\n")
    with pytest.raises(goldassay.InputError, match="3 cells where the first has 2"):
        items(path, "labels")


@pytest.mark.parametrize(
    "text", [IDS["triples"][:2], ('"subject","predicate","object"', '"d1","cat","is","animal"'), ()]
)
def test_an_engine_reads_them_alike(text, tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / ("a.csv" if text else "a.parquet")
    if text:
        path.write_text("\n".join(text) + "\n")
    else:
        pd.DataFrame({"subject": ["cat"], "predicate": ["is"], "object": ["animal"]}, index=["d1"]).to_parquet(path)
    gold = [("d1", "cat", "is", "animal")]
    reports = [
        goldassay.evaluate(path, gold=gold, kind="triples", measures="triples", engine=engine, selfcheck=False)
        for engine in (None, "duckdb")
    ]
    assert reports[0]["triples"].f1 == reports[1]["triples"].f1 > 0


@pytest.mark.parametrize("ids", [["d1", "d2"], [7, 3]])
def test_parquet_of_pandas_has_the_index_of_its_frame(ids, tmp_path):
    frame = pd.DataFrame({"subject": ["cat", "dog"], "predicate": "is", "object": "animal"}, index=ids)
    frame.to_parquet(tmp_path / "a.parquet")
    found = items(tmp_path / "a.parquet", "triples")
    assert [item.partition(":")[0] for item in found] == (ids if ids[0] == "d1" else ["1", "1"])


def test_the_first_cell_of_a_row_of_data_is_no_name_of_an_index(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",b\na,c\nd,e\n")
    with pytest.raises(goldassay.InputError, match="The child is empty"):
        goldassay.read(path, kind="taxonomy", header="no")
    graph = goldassay.read(path, kind="taxonomy", header="no", on_error="skip")
    assert sorted(graph.item(row) for row in range(len(graph))) == ["a -> c", "d -> e"]


@pytest.mark.parametrize("levels", [[("edge", "child"), ("edge", "parent")], [("child", "list"), ("parent", "list")]])
def test_names_on_several_levels_are_those_that_differ(levels):
    frame = pd.DataFrame([("cat", "pet"), ("dog", "pet")], columns=pd.MultiIndex.from_tuples(levels))
    assert items(frame, "taxonomy") == ["cat -> pet", "dog -> pet"]
