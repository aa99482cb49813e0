"""The same content is read alike: in memory, as JSON however it is laid out, and where it is rows, as JSON Lines, CSV, Parquet and data frames."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import warnings
from collections import deque

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

import goldassay

LAYOUTS = {
    "one line": json.dumps,
    "pretty": lambda value: json.dumps(value, indent=1),
    "a member a line": lambda value: (
        "[" + ",\n".join(map(json.dumps, value)) + "]" if isinstance(value, list) else json.dumps(value, indent=0)
    ),
}
LISTS = {
    "triples of a document": ("triples", [["a", "p", "b"], ["c", "p", "d"]], ["1: a | p | b", "1: c | p | d"]),
    "triples by document": (
        "triples",
        {"1": [["a", "p", "b"]], "2": [["c", "p", "d"], ["e", "p", "f"]]},
        ["1: a | p | b", "2: c | p | d", "2: e | p | f"],
    ),
    "labels by instance": ("labels", {"d1": "x", "d2": "y"}, ["d1: x", "d2: y"]),
    "labels": ("labels", ["cat", "dog"], ["1: cat", "2: dog"]),
    "sentences by id": ("sentences", {"1": "Hello", "2": "Wrong"}, ["1 Hello", "2 Wrong"]),
    "more sentences by id": ("sentences", {"a": "Hi", "b": "No", "c": "So"}, ["a Hi", "b No", "c So"]),
    "sentences": ("sentences", ["Hello", "Wrong"], ["1 Hello", "2 Wrong"]),
    "answers by id": ("concepts", {"q1": "Take aspirin.", "q2": "An x-ray."}, ["q1: aspirin", "q2: x-ray"]),
    "concepts by id": ("concepts", {"q1": ["aspirin", "fever"], "q2": ["x"]}, ["q1: aspirin", "q1: fever", "q2: x"]),
    "a tree": ("taxonomy", {"name": "pet", "children": [{"name": "cat"}]}, ["cat -> pet"]),
    "a map": ("taxonomy", {"animal": {"pet": ["cat"]}}, ["cat -> pet", "pet -> animal"]),
    "edges": ("taxonomy", [["cat", "pet"], ["pet", "animal"]], ["cat -> pet", "pet -> animal"]),
    "axioms": ("axioms", [["Cat", "eats", "Fish"]], ["Cat eats Fish"]),
    "correspondences": ("alignment", [["a", "b", 0.5], ["c", "d", 0.4]], ["a = b", "c = d"]),
    "correspondences with relations": ("alignment", [["a", "b", "=", 0.5]], ["a = b"]),
    "relations between names": ("alignment", [["a", "=", "b", 0.5]], ["a = b"]),
    "relations without scores": ("alignment", [["a", "=", "b"], ["c", "<", "d"]], ["a = b", "c < d"]),
    "a tree in a list": ("taxonomy", [{"name": "pet", "children": [{"name": "cat"}]}], ["cat -> pet"]),
    "a forest": (
        "taxonomy",
        [{"name": "pet", "children": [{"name": "cat"}]}, {"name": "plant", "children": [{"name": "tree"}]}],
        ["cat -> pet", "tree -> plant"],
    ),
}
ROWS = {
    "edges": ("taxonomy", [{"child": "cat", "parent": "pet"}], ["cat -> pet"]),
    "a text in a singular": ("taxonomy", [{"child": "a", "parent": "x;y"}], ["a -> x;y"]),
    "a text in a plural": ("taxonomy", [{"child": "a", "parents": "x;y"}], ["a -> x", "a -> y"]),
    "a list of parents": ("taxonomy", [{"child": "a", "parents": ["x", "y"]}], ["a -> x", "a -> y"]),
    "labels": ("labels", [{"id": "d1", "label": "x"}, {"id": "d2", "label": "y"}], ["d1: x", "d2: y"]),
    "labels in a plural": (
        "labels",
        [{"id": "a", "labels": "x;y"}, {"id": "b", "labels": "z"}],
        ["a: x", "a: y", "b: z"],
    ),
    "a list of labels": ("labels", [{"id": "a", "labels": ["x", "y"]}], ["a: x", "a: y"]),
    "labels of no instance": ("labels", [{"label": "A", "score": 0.9}, {"label": "B", "score": 0.8}], ["1: A", "2: B"]),
    "only labels": ("labels", [{"label": "cat"}, {"label": "dog"}], ["1: cat", "2: dog"]),
    "sentences": ("sentences", [{"id": "a", "text": "Hi"}, {"id": "b", "text": "No"}], ["a Hi", "b No"]),
    "concepts": ("concepts", [{"id": "q1", "concepts": ["aspirin", "fever"]}], ["q1: aspirin", "q1: fever"]),
    "concepts as a text": ("concepts", [{"id": "q1", "concepts": "aspirin;fever"}], ["q1: aspirin", "q1: fever"]),
    "a concept a row": (
        "concepts",
        [{"id": "q1", "concept": "x, y"}, {"id": "q1", "concept": "(a) b"}, {"id": "q2", "concept": "[c]"}],
        ["q1: (a) b", "q1: x, y", "q2: [c]"],
    ),
    "decimal commas": ("labels", [{"id": "d1", "label": "x", "score": "0,9"}], ["d1: x"]),
    "confidence in words": ("alignment", [{"source": "a", "target": "b", "confidence": "high"}], ["a = b"]),
    "triples": ("triples", [{"id": "1", "subject": "a", "predicate": "p", "object": "b"}], ["1: a | p | b"]),
    "axioms": ("axioms", [{"class": "Cat", "property": "eats", "object": "Fish"}], ["Cat eats Fish"]),
    "correspondences": ("alignment", [{"source": "a", "target": "b", "score": 0.5}], ["a = b"]),
    "a list of targets": ("alignment", [{"source": "a", "target": ["b", "c"]}], ["a = b", "a = c"]),
    "a list of objects": (
        "axioms",
        [{"class": "Cat", "property": "eats", "object": ["Fish", "Meat"]}],
        ["Cat eats Fish", "Cat eats Meat"],
    ),
    "answers with edges": (
        "taxonomy",
        [{"output": "cat -> pet"}, {"output": "dog -> pet"}],
        ["cat -> pet", "dog -> pet"],
    ),
    "answers with triples": (
        "triples",
        [{"output": "(a, p, b)"}, {"output": "(c, p, d)"}],
        ["1: a | p | b", "2: c | p | d"],
    ),
    "answers with labels": ("labels", [{"output": "Label: x"}, {"output": "Label: y"}], ["1: x", "2: y"]),
    "answers with correspondences": ("alignment", [{"output": "a = b"}, {"output": "c = d"}], ["a = b", "c = d"]),
    "answers with axioms": (
        "axioms",
        [{"output": "Cat | eats | Fish"}, {"output": "Cat | eats | Meat"}],
        ["Cat eats Fish", "Cat eats Meat"],
    ),
    "answers with concepts": ("concepts", [{"output": "- aspirin"}, {"output": "- fever"}], ["1: aspirin", "2: fever"]),
    "targets": ("alignment", [{"source": "a", "targets": "b;c"}], ["a = b", "a = c"]),
}


def items(given, kind):
    model = goldassay.read(given, kind=kind)
    return sorted(model.item(row) for row in range(len(model)))


def as_cells(rows):
    """Write lists as JSON: a cell of CSV has a text."""
    return [{key: json.dumps(one) if isinstance(one, list) else one for key, one in row.items()} for row in rows]


CONTAINERS = {
    "JSON Lines": lambda rows, path: (path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows)),
    "CSV": lambda rows, path: pl.DataFrame(as_cells(rows)).write_csv(path / "a.csv"),
    "TSV": lambda rows, path: pl.DataFrame(as_cells(rows)).write_csv(
        path / "a.tsv", separator="\t", quote_style="never"
    ),
    "Parquet": lambda rows, path: pl.DataFrame(rows).write_parquet(path / "a.parquet"),
}
FRAMES = {"polars": pl.DataFrame, "pandas": pd.DataFrame, "Arrow": lambda rows: pl.DataFrame(rows).to_arrow()}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("suffix", [".json", ""])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*LISTS, *(f"rows: {name}" for name in ROWS)])
def test_json_is_read_alike_however_it_is_laid_out_and_in_memory(name, layout, suffix, tmp_path):
    kind, value, expected = LISTS[name] if name in LISTS else ROWS[name.removeprefix("rows: ")]
    (tmp_path / f"a{suffix}").write_text(LAYOUTS[layout](value))
    assert items(tmp_path / f"a{suffix}", kind) == expected
    assert items(value, kind) == expected


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("name", ROWS)
def test_rows_are_read_alike_in_every_file(name, container, tmp_path):
    kind, rows, expected = ROWS[name]
    CONTAINERS[container](rows, tmp_path)
    [file] = tmp_path.iterdir()
    assert items(file, kind) == expected


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", ROWS)
def test_rows_are_read_alike_in_every_frame(name, frame):
    kind, rows, expected = ROWS[name]
    assert items(FRAMES[frame](rows), kind) == expected


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("write", [json.dumps, lambda value: json.dumps(value, indent=1), repr])
@pytest.mark.parametrize("suffix", [".json", ".txt", ".jsonl"])
def test_documents_that_are_lists_of_triples_are_read_alike(write, suffix, tmp_path):
    documents = [[["a", "p", "b"]], [], [["c", "p", "d"], ["e", "p", "f"]]]
    (tmp_path / f"a{suffix}").write_text(write(documents))
    model = goldassay.read(tmp_path / f"a{suffix}", kind="triples")
    assert list(model.ids) == ["1", "2", "3"]
    assert [model.item(row) for row in range(len(model))] == ["1: a | p | b", "3: c | p | d", "3: e | p | f"]


ANSWERS = {
    "taxonomy": "Here it is:\n\n- animal\n  - pet\n",
    "alignment": "**Answer:**\n\n```csv\nsource,target\ncat,chat\n```\n",
    "labels": "The labels:\n\n| id | label |\n|---|---|\n| d1 | x |\n",
    "triples": "The triples:\n\n(a, p, b)\n(c, p, d)\n",
    "axioms": "The axioms:\n\nCat | eats | Fish\nCat | eats | Meat\n",
    "concepts": "- aspirin\n- fever\n",
    "sentences": "The cat sleeps.\nThe dog barks.\n",
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_an_answer_is_read_alike_with_any_line_ends(kind, end, tmp_path):
    (tmp_path / "a.txt").write_text(ANSWERS[kind])
    whole = items(tmp_path / "a.txt", kind)
    assert whole
    (tmp_path / "b.txt").write_bytes(ANSWERS[kind].replace("\n", end).encode())
    assert items(tmp_path / "b.txt", kind) == whole


PAIRS = [("cat", "pet"), ("pet", "animal")]
TABLE = pd.DataFrame(PAIRS, columns=["child", "parent"])
CSV = "parent,child\npet,cat\nanimal,pet\n"
HOLDING = {
    "a set": lambda: set(PAIRS),
    "a frozen set": lambda: frozenset(PAIRS),
    "a generator": lambda: (pair for pair in PAIRS),
    "zip": lambda: zip(*zip(*PAIRS, strict=True), strict=True),
    "map": lambda: map(list, PAIRS),
    "a deque": lambda: deque(PAIRS),
    "items": lambda: dict(PAIRS).items(),
    "values": lambda: dict(enumerate(PAIRS)).values(),
    "itertuples": TABLE.itertuples,
    "an array of texts": lambda: np.array(PAIRS),
    "an array of objects": lambda: np.array(PAIRS, dtype=object),
    "an array with names": lambda: np.array(PAIRS, dtype=[("child", "U9"), ("parent", "U9")]),
    "records of NumPy": TABLE.to_records,
    "edges": lambda: nx.DiGraph(PAIRS).edges,
    "edges without direction": lambda: nx.Graph(PAIRS).edges(),
    "rows of Polars": lambda: pl.DataFrame(TABLE).iter_rows(named=True),
    "tuples of Polars": lambda: pl.DataFrame(TABLE).iter_rows(),
    "csv.reader": lambda: csv.reader(io.StringIO(CSV)),
    "csv.DictReader": lambda: csv.DictReader(io.StringIO(CSV)),
    "a cursor": lambda: sqlite3.connect(":memory:").execute("VALUES ('cat', 'pet'), ('pet', 'animal')"),
}
LABELS = {
    "a column of pandas": lambda: pd.Series(["x", "y"]),
    "a part of a column": lambda: pd.Series(["a", "x", "y"])[1:],
    "a column of Polars": lambda: pl.Series(["x", "y"]),
    "an array of Arrow": lambda: pl.Series(["x", "y"]).to_arrow(),
    "an array": lambda: np.array(["x", "y"]),
    "values": {"a": "x", "b": "y"}.values,
    "a column with ids": lambda: pd.Series(["x", "y"], index=pd.Index(["1", "2"], name="id"), name="label"),
    "csv.reader": lambda: csv.reader(io.StringIO("label,id\nx,1\ny,2\n")),
}


@pytest.mark.parametrize("name", HOLDING)
def test_what_holds_rows_is_read_as_their_list(name):
    make = HOLDING[name]
    assert items(make(), "taxonomy") == ["cat -> pet", "pet -> animal"]
    report = goldassay.evaluate({"one": make(), "other": make()}, gold=make(), measures="literal")
    assert [score.f1 for score in report["literal"].values()] == [1, 1]
    report = goldassay.evaluate(make(), gold=[make(), PAIRS], measures="literal")
    assert report["literal"].f1 == 1


@pytest.mark.parametrize("name", LABELS)
def test_a_column_is_read_as_its_list(name):
    assert items(LABELS[name](), "labels") == ["1: x", "2: y"]


@pytest.mark.parametrize("given", [{"cat", "dog"}, nx.MultiDiGraph(PAIRS).edges, nx.DiGraph(PAIRS).nodes])
def test_what_does_not_say_which_is_whose_is_refused(given):
    with pytest.raises(goldassay.UsageError, match="cannot be read"):
        goldassay.read(given, kind="labels")


@pytest.mark.parametrize("kind", ["taxonomy", "labels", "triples", "alignment", "axioms"])
def test_a_column_with_a_known_name_is_read_by_no_place(kind):
    known = {
        "taxonomy": [{"parent": "pet", "foo": "cat"}],
        "labels": [{"label": "x", "foo": "d1"}],
        "triples": [{"object": "b", "foo": "p", "bar": "a"}],
        "alignment": [{"target": "b", "foo": "a"}],
        "axioms": [{"object": "b", "foo": "p", "bar": "a"}],
    }
    with pytest.raises(goldassay.InputError, match=r"no header that names them|No column is recognised"):
        goldassay.read(known[kind], kind=kind)


OF_IDS = {
    "sentences": pd.DataFrame({"text": ["a dog ran", "the cat sat", "no"]}),
    "labels": pd.DataFrame({"label": ["x", "y", "z"]}),
    "triples": pd.DataFrame({"subject": ["a", "c", "e"], "predicate": ["p"] * 3, "object": ["b", "d", "f"]}),
    "concepts": pd.DataFrame({"concepts": [["aspirin"], ["fever"], ["cough"]]}),
}
"""Tables without a column of ids, of the families that have ids."""


def headline(pred, gold, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = goldassay.evaluate(pred, gold=gold, kind=kind)
    first = report.runs[0].scores[0]
    return first.merit(first.measure.headline), report.warnings


@pytest.mark.parametrize("kind", OF_IDS)
def test_an_index_of_texts_is_the_ids_of_rows(kind):
    gold = OF_IDS[kind].set_index(pd.Index(["d1", "d2", "d3"]))
    for pred in (gold.iloc[::-1], gold.rename_axis("id")[::-1], gold.rename_axis("id").reset_index()[::-1]):
        assert headline(pred, gold, kind)[0] == 1
    # The same rows in the same order, called otherwise.
    assert headline(gold.set_axis(["d2", "d3", "d1"]), gold, kind)[0] < 1
    model = goldassay.read(gold, kind=kind)
    assert "ids of its rows" in model.notes[-1]
    assert not goldassay.read(OF_IDS[kind], kind=kind).notes
    # A column of ids is better than an index.
    named = gold.assign(id=["3", "2", "1"])
    assert items(named, kind) == items(named.reset_index(drop=True), kind)


@pytest.mark.parametrize("kind", OF_IDS)
def test_numbers_of_rows_that_are_not_in_order_pair_no_rows_without_a_warning(kind):
    table = OF_IDS[kind]
    for pred in (table[::-1], table[1:], table.set_axis([0, 0, 1]), table.set_axis([0.0, 2.0, 1.0])):
        single = kind == "triples" and pred.index.is_unique
        warned = any("the index of the table" in line for line in headline(pred, table, kind)[1])
        assert warned != single, pred
    warned = headline(table, table.reset_index(drop=True), kind)
    assert warned[0] == 1
    assert not any("index" in line for line in warned[1])


@pytest.mark.parametrize("kind", ["sentences", "labels", "concepts"])
def test_a_column_of_pandas_has_the_ids_of_its_index(kind):
    table = OF_IDS[kind].set_axis(["d1", "d2", "d3"])
    column = table.iloc[:, 0]
    for pred in (
        column,
        column[::-1],
        column.rename(None),
        column.rename_axis("id"),
        column.rename_axis("id").rename(None),
    ):
        assert headline(pred, table, kind)[0] == 1
    column = OF_IDS[kind].iloc[:, 0]
    if kind != "concepts":
        assert any("the index of the table" in line for line in headline(column[::-1], column.to_list(), kind)[1])


def test_lists_of_triples_in_a_column_are_those_of_the_id():
    table = OF_IDS["triples"].assign(id=["d1", "d2", "d2"])
    groups = table.groupby("id")[["subject", "predicate", "object"]]
    lists = groups.apply(lambda group: group.to_numpy().tolist())
    for pred in (lists, lists.rename_axis(None), lists.rename("triples"), lists.reset_index()):
        assert headline(pred.rename(columns={0: "triples"}) if pred.ndim == 2 else pred, table, "triples")[0] == 1


@pytest.mark.parametrize("kind", ["taxonomy", "alignment"])
def test_rows_with_their_numbers_are_refused(kind):
    names = ["child", "parent"] if kind == "taxonomy" else ["source", "target"]
    table = pd.DataFrame(PAIRS, columns=names)
    for given in (table.iterrows(), enumerate(PAIRS), dict(enumerate(PAIRS)).items(), list(table.groupby(names[1]))):
        with pytest.raises(goldassay.InputError, match="rows with their numbers"):
            goldassay.evaluate(given, gold=PAIRS, kind=kind)
    assert items(table.itertuples(index=False), kind) == items(PAIRS, kind)


def test_an_id_may_have_a_list_of_labels():
    assert items([(0, ["x", "y"]), (1, ["x"])], "labels") == ["0: x", "0: y", "1: x"]
    groups = pd.DataFrame({"id": ["a", "a", "b"], "label": ["x", "y", "x"]}).groupby("id")["label"]
    assert items(list(groups), "labels") == ["a: x", "a: y", "b: x"]


GUESSES, TRUTH = ["sport", "law", "law"], ["sport", "art", "art"]


@pytest.mark.filterwarnings("ignore:prediction and gold have no label in common")
@pytest.mark.parametrize(
    "make", [list, tuple, np.array, pd.Series, pl.Series, lambda labels: pl.Series(labels).to_arrow(), iter]
)
@pytest.mark.parametrize(
    ("pred", "gold", "expected"),
    [
        (GUESSES, TRUTH, 1 / 3),
        ([0, 1, 1], [0, 1, 2], 2 / 3),
        ([True, False], [True, True], 1 / 2),
        ([1.0, 2.0], [1, 2], 1),
        (["a"], ["b"], 0),
        (["sci.space", "alt.atheism", "alt.atheism"], ["sci.space"] * 3, 1 / 3),
        (["C/C++", "x", "x"], ["C/C++", "x", "y"], 2 / 3),
    ],
)
def test_labels_in_a_list_are_scored_as_scikit_learn_scores_them(make, pred, gold, expected):
    assert goldassay.evaluate(make(pred), gold=make(gold), kind="labels", measures="flat")["flat"].f1 == pytest.approx(
        expected
    )
    for given in ({"one": pred, "other": gold}, {"d1": [1, 2]}):
        # Names of predictions, or of instances that have several labels.
        with pytest.raises(goldassay.InputError, match=r"(?s)name it.*goldassay.read"):
            goldassay.evaluate(given, gold=gold, kind="labels")
    several = {name: goldassay.read(labels, kind="labels") for name, labels in {"one": pred, "other": gold}.items()}
    scores = goldassay.evaluate(several, gold=gold, kind="labels", measures="flat")["flat"].values()
    assert [one.f1 for one in scores] == [pytest.approx(expected), 1]


def test_labels_that_look_like_paths_are_files_unless_one_is_there_twice(tmp_path):
    for given in (["sci.space", "alt.atheism"], ["sport/football"]):
        with pytest.raises(goldassay.InputError, match=r"(?s)File not found.*read\(\[...\], kind=.labels.\)"):
            goldassay.evaluate(given, gold=given, kind="labels")
    assert items(["sci.space", "alt.atheism"], "labels") == ["1: sci.space", "2: alt.atheism"]
    (tmp_path / "a.csv").write_text("instance,label\n1,x\n")
    path = str(tmp_path / "a.csv")
    assert len(goldassay.evaluate([path, path], gold=path, kind="labels", measures="flat")) == 2
    with pytest.raises(goldassay.UsageError, match="given twice"):
        goldassay.evaluate(path, gold=[path, path], kind="labels")


@pytest.mark.parametrize("kind", ["taxonomy", "triples", "axioms", "alignment"])
def test_lines_in_a_list_are_read_by_read(kind):
    lines = ["a | p | b", "a | p | b"]
    rows = [("a", "p", "b")] if kind in ("triples", "axioms") else [("a", "b")]
    for pred, gold in ((lines, rows), (rows, lines)):
        with pytest.raises(goldassay.InputError, match=r"read\(\[...\], kind="):
            goldassay.evaluate(pred, gold=gold, kind=kind)
