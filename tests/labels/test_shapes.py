"""Labels as people's tools write them: paths, a column for each label, and MeSH."""

import json

import numpy as np
import polars as pl
import pytest

import goldassay
from goldassay.core.errors import InputError
from goldassay.labels import LabelReading, read_labels

MESH = """<?xml version="1.0"?>
<DescriptorRecordSet LanguageCode="eng">
<DescriptorRecord><DescriptorUI>D1</DescriptorUI><DescriptorName><String>Diseases</String></DescriptorName>
<TreeNumberList><TreeNumber>C01</TreeNumber></TreeNumberList></DescriptorRecord>
<DescriptorRecord><DescriptorUI>D2</DescriptorUI><DescriptorName><String>Neoplasms</String></DescriptorName>
<TreeNumberList><TreeNumber>C01.100</TreeNumber><TreeNumber>C02.7</TreeNumber></TreeNumberList></DescriptorRecord>
<DescriptorRecord><DescriptorUI>D3</DescriptorUI><DescriptorName><String>Lymphoma</String></DescriptorName>
<TreeNumberList><TreeNumber>C01.100.5</TreeNumber></TreeNumberList></DescriptorRecord>
</DescriptorRecordSet>"""


def items(found):
    stated = found.identifiers(np.arange(len(found)))
    return sorted(zip(stated["id"], stated["label"], found.scores.tolist(), strict=True))


@pytest.fixture
def read(tmp_path):
    def of(name, text, **options):
        path = tmp_path / name
        path.write_text(text)
        return read_labels(path, LabelReading(**options))

    return of


def above(labels):
    """What lies at or above paths, by their parts."""
    return {tuple(path.split(">")[:size]) for path in labels for size in range(1, path.count(">") + 2)}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mark", [" > ", ">", " » ", "›", " -> ", " → "])  # noqa: RUF001 - as shops write them
def test_paths_are_a_hierarchy_of_their_own(read, mark):
    rng = np.random.default_rng(len(mark))
    sides = [
        {f"i{row}": [">".join(rng.choice(list("abc"), size=rng.integers(2, 5)))] for row in range(20)} for _ in range(2)
    ]
    files = [
        read(
            f"{side}.csv",
            "item,category\n" + "".join(f"{row},{path.replace('>', mark)}\n" for row, [path] in rows.items()),
        )
        for side, rows in enumerate(sides)
    ]
    assert all(found.hierarchy.of_paths for found in files)
    report = goldassay.evaluate(files[0], gold=files[1], measures="hierarchical(root=include)", kind="labels")
    hits = sum(len(above(sides[0][row]) & above(sides[1][row])) for row in sides[1])
    sizes = [sum(len(above(rows[row])) for row in sides[1]) for rows in sides]
    assert report["hierarchical"].precision == pytest.approx(hits / sizes[0])
    assert report["hierarchical"].recall == pytest.approx(hits / sizes[1])


@pytest.mark.filterwarnings("ignore")
def test_a_predicted_path_cannot_change_what_gold_asks_for(read):
    gold = read("gold.csv", "item,category\n1,a > b\n2,a > c\n")
    asked = [
        goldassay.evaluate(
            read("pred.csv", f"item,category\n1,{path}\n"), gold=gold, measures="hierarchical", kind="labels"
        ).runs[0]
        for path in ("a > b", "x > a > b", "a > b > c > d")
    ]
    assert {run.scores[0].counts["n_gold"] for run in asked} == {2}


def test_slashes_separate_where_they_are_named(read):
    text = "item,category\n1,/Arts/Music/\n2,Arts\n"
    assert read("a.csv", text).hierarchy.is_flat
    found = read("a.csv", text, separator="/")
    assert items(found) == [("1", "Arts > Music", 1.0), ("2", "Arts", 1.0)]
    assert found.choices["separator"] == "/"


def test_most_labels_decide_whether_they_are_paths(read):
    assert read("a.csv", "item,label\n1,a > b\n2,b\n3,c\n").hierarchy.is_flat
    assert not read("a.csv", "item,label\n1,a > b\n2,b\n").hierarchy.is_flat
    assert read("a.csv", "item,label\n1,<http://a/b>\n2,<http://a/c>\n").hierarchy.is_flat


def test_the_last_part_of_a_path_is_looked_up_in_a_hierarchy(read, tmp_path):
    (tmp_path / "h.csv").write_text("child,parent\ncat,pet\ndog,pet\n")
    found = read("a.csv", "item,label\n1,pet > cat\n2,pet > cow\n", hierarchy=str(tmp_path / "h.csv"))
    assert (items(found), found.left_out) == ([("1", "cat", 1.0)], {"unknown_labels": 1})


WIDE = {"id": ["p1", "p2", "p3"], "cat": [0.7, 0.1, 0.4], "dog": [0.2, 0.3, 0.4], "bird": [0.1, 0.6, 0.2]}
BEST = [("p1", "cat", 1.0), ("p2", "bird", 1.0), ("p3", "cat", 1.0), ("p3", "dog", 1.0)]


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_a_column_for_each_label_gives_the_most_likely_one(form, tmp_path):
    frame, path = pl.DataFrame(WIDE), tmp_path / f"a.{form}"
    if form in {"csv", "tsv"}:
        frame.write_csv(path, separator="," if form == "csv" else "\t")
    elif form == "jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_parquet(path)
    found = read_labels(path)
    assert items(found) == BEST
    assert found.choices["keep"] == "best"
    assert "rows sum to 1" in found.warnings[0]
    every = read_labels(path, LabelReading(keep="all"))
    assert items(every) == sorted(
        (name, label, WIDE[label][row]) for row, name in enumerate(WIDE["id"]) for label in list(WIDE)[1:]
    )


@pytest.mark.parametrize("word", ["prob_{}", "p({})", "{}_score", "Class {}"])
def test_words_around_the_names_of_labels_are_left_out(word, read):
    if word == "p({})":
        word = "p {}"
    names = ",".join(word.format(label) for label in list(WIDE)[1:])
    rows = "".join(f"{','.join(map(str, row))}\n" for row in zip(*WIDE.values(), strict=True))
    assert items(read("a.csv", f"id,{names}\n{rows}")) == BEST


def test_columns_of_ones_are_the_labels_of_an_instance(read):
    found = read("gold.csv", "id,cat,dog\n1,1,0\n2,1,1\n3,0,0\n")
    assert items(found) == [("1", "cat", 1.0), ("2", "cat", 1.0), ("2", "dog", 1.0)]
    assert (found.ids.tolist(), found.choices.get("keep")) == (["1", "2", "3"], None)


def test_scores_of_several_labels_are_all_kept(read):
    found = read("pred.csv", "id,cat,dog\n1,0.9,0.8\n2,0.1,\n")
    assert items(found) == [("1", "cat", 0.9), ("1", "dog", 0.8), ("2", "cat", 0.1)]


@pytest.mark.parametrize("text", ["id,cat,dog\n1,yes,perhaps\n", "id,cat,dog\n1,0.5,x\n", "id,cat\n1,0.5\n"])
def test_other_tables_are_refused_as_before(text, read):
    with pytest.raises(InputError, match="No column is recognised"):
        read("a.csv", text)


def test_scores_beyond_1_of_a_column_are_refused(read, goldassay_command, tmp_path):
    read("gold.csv", "id,label\n1,cat\n")
    read("pred.csv", "id,cat,dog\n1,3,0.5\n")
    result = goldassay_command("labels", tmp_path / "pred.csv", "--gold", tmp_path / "gold.csv")
    assert result.code == 2
    assert "pred.csv:2" in result.err
    assert "3" in result.err


def test_mesh_is_a_hierarchy_whose_names_are_shown(read, tmp_path):
    (tmp_path / "mesh.xml").write_text(MESH)
    options = {"hierarchy": str(tmp_path / "mesh.xml")}
    found = read("a.csv", "id,label\n1,D3\n2,C02.7\n3,Diseases\n", **options)
    assert items(found) == [("1", "D3", 1.0), ("2", "D2", 1.0), ("3", "D1", 1.0)]
    pets = found.hierarchy
    edges = {(pets.names[row], pets.names[up]) for row in range(len(pets)) for up in pets.parents_of(row)}
    assert edges == {("D2", "D1"), ("D3", "D2")}
    assert found.item(0) == "1: D3 Lymphoma"
    assert found.identifiers(np.array([1]))["name"] == ["Neoplasms"]
    assert items(read("b.csv", "id,label\n1,Lymphoma\n", **options, names="label")) == [("1", "Lymphoma", 1.0)]


def test_descriptors_of_mesh_that_lie_below_each_other_are_a_warning(read, tmp_path):
    extra = MESH.replace("<TreeNumber>C01</TreeNumber>", "<TreeNumber>C01</TreeNumber><TreeNumber>C02.7.1</TreeNumber>")
    (tmp_path / "mesh.xml").write_text(extra)
    found = read("a.csv", "id,label\n1,D3\n", hierarchy=str(tmp_path / "mesh.xml"))
    assert found.warnings == ("hierarchy: edges that lead back to where they begin are left out: 1",)


@pytest.mark.parametrize("text", [MESH[:200], MESH.replace("<DescriptorUI>D2</DescriptorUI>", "")])
def test_a_damaged_mesh_is_refused(text, read, tmp_path):
    (tmp_path / "mesh.xml").write_text(text)
    with pytest.raises(InputError):
        read("a.csv", "id,label\n1,D3\n", hierarchy=str(tmp_path / "mesh.xml"))


def test_names_are_next_to_ids_in_groups_and_evidence(tmp_path, goldassay_command):
    (tmp_path / "mesh.xml").write_text(MESH)
    (tmp_path / "gold.csv").write_text("id,label\n1,D3\n2,D2\n")
    (tmp_path / "pred.csv").write_text("id,label\n1,D2\n2,D2\n")
    line = ["labels", tmp_path / "pred.csv", "--gold", tmp_path / "gold.csv", "--hierarchy", tmp_path / "mesh.xml"]
    result = goldassay_command(*line, "-m", "hierarchical", "--by", "branch", "--misses", "1")
    assert result.code == 0, result.err
    assert "D2 Neoplasms" in result.out
    assert "D3 Lymphoma" in result.out
    found = goldassay_command(*line, "-m", "hierarchical", "--explain", tmp_path / "items.jsonl")
    assert found.code == 0
    rows = [json.loads(row) for row in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert "Lymphoma" in {row.get("name") for row in rows}


def test_an_object_with_a_number_for_each_label_is_read(tmp_path):
    path = tmp_path / "cats.jsonl"
    records = [
        {"id": "d1", "text": "a", "cats": {"sport": 0.9, "arts": 0.1}},
        {"id": "d2", "text": "b", "cats": {"sport": 0.25, "arts": 0.75}},
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    labels = goldassay.read(path, kind="labels")
    assert [labels.item(row) for row in range(len(labels))] == ["d1: sport", "d2: arts"]
    assert "most likely label" in labels.warnings[0]
    labels = goldassay.read(path, kind="labels", keep="all")
    assert labels.scores.tolist() == [0.9, 0.1, 0.25, 0.75]
    for name in ("scores", "label_scores"):
        some = [{"id": one["id"], name: {"sport": 1.0, "arts": 1.0, "law": 0.0}} for one in records]
        path.write_text(json.dumps(some))
        labels = goldassay.read(path, kind="labels")
        assert [labels.item(row) for row in range(len(labels))] == ["d1: sport", "d1: arts", "d2: sport", "d2: arts"]
        assert not labels.warnings


def test_choices_of_label_studio_are_labels(tmp_path):
    path = tmp_path / "tasks.json"
    result = [{"type": "choices", "value": {"choices": ["sport", "arts"]}}]
    done = [{"was_cancelled": True, "result": []}, {"result": result}]
    path.write_text(json.dumps([{"id": 1, "data": {"text": "a"}, "annotations": done, "predictions": []}]))
    labels = goldassay.read(path, kind="labels")
    assert [labels.item(row) for row in range(len(labels))] == ["1: sport", "1: arts"]
    assert not labels.warnings
    path.write_text(json.dumps([{"id": 1, "data": {"text": "a"}, "annotations": [*done, {"result": []}]}]))
    assert "several people" in goldassay.read(path, kind="labels").warnings[0]
    path.write_text(json.dumps([{"id": 1, "text": "a", "topic": {"choices": ["sport", "arts"]}, "annotator": 2}]))
    labels = goldassay.read(path, kind="labels")
    assert [labels.item(row) for row in range(len(labels))] == ["1: sport", "1: arts"]


def test_a_table_with_labels_of_both_sides_is_refused(tmp_path):
    path = tmp_path / "both.jsonl"
    path.write_text('{"id": "d1", "gold": "sport", "pred": "arts"}\n')
    with pytest.raises(goldassay.InputError, match="one of gold labels"):
        goldassay.read(path, kind="labels")
    labels = goldassay.read(path, kind="labels", label_column="pred")
    assert labels.item(0) == "d1: arts"


CELLS = {"python": str, "JSON": json.dumps, "semicolons": "; ".join, "bars": "|".join, "breaks": "<br>".join}
LINES = {"lines": "\n".join, "bullets": lambda names: "\n".join(f"- {name}" for name in names)}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("write", CELLS)
@pytest.mark.parametrize("form", ["csv", "frame", "md", "two.md"])
def test_lists_in_cells_are_labels(tmp_path, write, form):
    rows = {"d1": ["sport", "arts, crafts"], "d2": ["sport"]}
    table = pl.DataFrame({"id": list(rows), "labels": [CELLS[write](row) for row in rows.values()]})
    path = tmp_path / f"labels.{form}"
    if form.endswith("md"):
        cells = [table.columns, ["---"] * 2, *table.rows()]
        text = "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in cells)
        path.write_text(f"Here they are:\n\n{text}")
    elif form == "csv":
        table.write_csv(path)
    found = goldassay.read(table if form == "frame" else path, kind="labels")
    assert items(found) == sorted((name, label, 1.0) for name, some in rows.items() for label in some)


@pytest.mark.parametrize("write", LINES.values())
@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
def test_lines_of_a_cell_are_labels(tmp_path, write, form, recwarn):
    path = tmp_path / f"labels.{form}"
    table = pl.DataFrame({"id": ["d1", "d2"], "labels": [write(["sport", "arts"]), write(["sport"])]})
    getattr(table, f"write_{form}")(path)
    found = goldassay.read(path, kind="labels")
    assert items(found) == [("d1", "arts", 1.0), ("d1", "sport", 1.0), ("d2", "sport", 1.0)]
    assert not [one for one in recwarn if "marks" in str(one.message)]


@pytest.mark.parametrize("scores", ['"[0.5, 0.25]"', "0.5; 0.25", "0.5|0.25"])
@pytest.mark.parametrize("labels", ["\"['a', 'b']\"", "a;b"])
def test_scores_of_lists_in_cells(read, labels, scores):
    found = read("labels.csv", f"id,labels,scores\nd1,{labels},{scores}\n")
    assert items(found) == [("d1", "a", 0.5), ("d1", "b", 0.25)]


def test_a_list_without_labels_and_marks_in_a_column_of_single_labels(read):
    found = read("labels.csv", "id,labels\nd1,['a']\nd2,[]\n")
    assert items(found) == [("d1", "a", 1.0)]
    assert len(found.ids) == 2
    assert items(read("single.csv", "id,label\nd1,a|b\n")) == [("d1", "a|b", 1.0)]


@pytest.mark.parametrize(("cell", "warned"), [("2", True), ("1", False), ("0.7", False), ("2.5", False)])
def test_classes_by_number_in_columns_are_warned_of(cell, warned, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"text,Y1,Y2\nhello,0,1\nyou,1,{cell}\n")
    found = goldassay.read(path, kind="labels")
    assert any("--label-column" in line and "'Y2'" in line for line in found.warnings) is warned
