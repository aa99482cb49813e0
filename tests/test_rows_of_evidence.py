"""Evidence says in which row of the input an item first is: ``input.iloc[row]`` has what the evidence calls it."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.families import family, measure_of
from goldassay.formats import records
from goldassay.graphs import Graph
from goldassay.labels import Labels

Row = dict[str, Any]
pytestmark = pytest.mark.filterwarnings("ignore")


def identity(row: Row, *, names: Sequence[str]) -> tuple[str, ...] | None:
    """Give what identifies the item of a row; None if the row has none, since a cell is empty."""
    cells = tuple(str(row[name]).strip() for name in names)
    return cells if all(cells) else None


def of_alignment(row: Row) -> tuple[str, ...] | None:
    good = row["relation"] in ("=", "<") and row["score"] in ("0.1", "0.9")
    return identity(row, names=("source", "target", "relation")) if good else None


def of_axiom(row: Row) -> tuple[str, ...] | None:
    return identity(row, names=("class", "property", "object")) if row["kind"] == "object" else None


def of_graph(row: Row) -> tuple[str, ...] | None:
    chosen = row["relation"] == "is_a" and row["parent"].strip() != "owl:Thing"
    return identity(row, names=("child", "parent")) if chosen else None


def of_label(row: Row) -> tuple[str, ...] | None:
    known = row["label"].strip() != "unknown" and row["score"] != "high"
    return identity(row, names=("id", "label")) if known else None


@dataclass(frozen=True)
class Case:
    """A family: the cells of its tables, and what of them identifies an item."""

    kind: str
    measure: str
    cells: Mapping[str, Sequence[str]]
    identity: Callable[[Row], tuple[str, ...] | None]
    keys: Sequence[str]
    lines: bool = True
    """Whether a line of JSON Lines may be a row."""


NAMES = ("a", "b", " a", "", "a")
TRIPLES = Case(
    "triples",
    "triples",
    {"id": ("d1", "d2", ""), "subject": ("a", "b", " a"), "predicate": ("p",), "object": ("x", "y")},
    partial(identity, names=("id", "subject", "predicate", "object")),
    ("document", "item_subject", "item_predicate", "item_object"),
    lines=False,
)
CASES = [
    Case(
        "taxonomy",
        "literal",
        {"child": ("a", "b", " a", ""), "relation": ("is_a", "is_a", "eats"), "parent": ("x", "y", "owl:Thing", "")},
        of_graph,
        ("source", "target"),
    ),
    Case(
        "taxonomy",
        "literal",
        {"child": NAMES, "parent": ("x", "y", "")},
        partial(identity, names=("child", "parent")),
        ("source", "target"),
    ),
    Case(
        "axioms",
        "exact",
        {"class": NAMES, "property": ("p",), "object": ("x", "y", ""), "kind": ("object", "object", "odd")},
        of_axiom,
        ("item_class", "item_property", "item_object"),
    ),
    Case(
        "alignment",
        "overlap(relation=exact)",
        {
            "source": NAMES,
            "target": ("x", "y", ""),
            "relation": ("=", "<", "odd"),
            "score": ("0.1", "0.9", "high", "2"),
        },
        of_alignment,
        ("source", "target", "relation"),
    ),
    Case(
        "labels",
        "hierarchical",
        {"id": ("i1", "i2", ""), "label": ("a", "b", " a", "unknown"), "score": ("0.1", "0.9", "high")},
        of_label,
        ("id", "label"),
    ),
    TRIPLES,
    replace(TRIPLES, cells={**TRIPLES.cells, "subject": ("a", "b"), "weight": ("1", "2")}),
    Case(
        "sentences",
        "levenshtein",
        {"id": ("1", "2", "3", ""), "text": ("A cat.", "A dog.", "")},
        lambda row: identity(row, names=("id",)) and (row["id"],),
        ("id",),
    ),
]


def delimited(rows: Sequence[Row], path: str, separator: str, blank: str) -> pd.DataFrame:
    """Write a table with blank lines in it, and read it as pandas does."""
    with Path(path).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=separator, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            stream.write(blank)
            writer.writerow(row)
    return pd.read_csv(path, sep=separator, dtype=str, keep_default_na=False)


def json_lines(rows: Sequence[Row], path: str, blank: str) -> pd.DataFrame:
    with Path(path).open("w", encoding="utf-8") as stream:
        stream.writelines(f"{blank}{json.dumps(row)}\n" for row in rows)
    return pd.read_json(path, lines=True, dtype=False)


def parquet(rows: Sequence[Row], path: str) -> pd.DataFrame:
    pl.DataFrame(rows).write_parquet(path)
    return pd.read_parquet(path)


WAYS: dict[str, Callable[[Sequence[Row], str], tuple[Any, pd.DataFrame]]] = {
    "dictionaries": lambda rows, _: (list(rows), pd.DataFrame(rows)),
    "polars": lambda rows, _: (pl.DataFrame(rows), pd.DataFrame(rows)),
    # The index says nothing of the place.
    "pandas": lambda rows, _: (pd.DataFrame(rows, index=range(7, 7 + len(rows))), pd.DataFrame(rows)),
    "csv": lambda rows, path: (f"{path}.csv", delimited(rows, f"{path}.csv", ",", "")),
    "csv with blank lines": lambda rows, path: (f"{path}.csv", delimited(rows, f"{path}.csv", ",", "\n  \n")),
    "tsv": lambda rows, path: (f"{path}.tsv", delimited(rows, f"{path}.tsv", "\t", "")),
    "json lines": lambda rows, path: (f"{path}.jsonl", json_lines(rows, f"{path}.jsonl", "")),
    "json lines with blank lines": lambda rows, path: (f"{path}.jsonl", json_lines(rows, f"{path}.jsonl", "\n")),
    "parquet": lambda rows, path: (f"{path}.parquet", parquet(rows, f"{path}.parquet")),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    (folder / "labels.csv").write_text("child,parent\na,top\nb,top\n")
    return folder


def tables(case: Case) -> st.SearchStrategy[list[Row]]:
    rows = st.fixed_dictionaries({name: st.sampled_from(cells) for name, cells in case.cells.items()})
    # A row without anything, as spreadsheets write them.
    nothing = st.just(dict.fromkeys(case.cells, ""))
    # The first row says what the columns are where they have no names; the first of its cells are good.
    first = {name: cells[0] for name, cells in case.cells.items()}
    return st.lists(st.one_of(rows, rows, rows, nothing), max_size=8).map(lambda some: [first, *some])


def evidence_of(kind: str, measure: str, *, pred: Any, gold: Any, folder: Any) -> pl.DataFrame:
    """List the evidence on the prediction, whose bad rows are left out."""
    hierarchy = {"hierarchy": str(folder / "labels.csv")} if kind == "labels" else {}
    sides = {
        "pred": goldassay.read(pred, kind=kind, on_error="skip", **hierarchy),
        "gold": goldassay.read(gold, kind=kind, **hierarchy),
    }
    frame: pl.DataFrame = measure_of(family(kind), measure).score(**sides).matching.to_frame()
    return frame.filter(side="pred")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind} {' '.join(case.cells)}")
@given(data=st.data(), way=st.sampled_from(sorted(WAYS)))
def test_the_row_of_each_item_is_the_first_that_has_it(folder, case, data, way):
    rows = data.draw(tables(case))
    found = [case.identity(row) for row in rows]
    assume(case.lines or not way.startswith("json"))
    given, table = WAYS[way](rows, str(folder / f"table {case.kind}"))
    good = [row for row, item in zip(rows, found, strict=True) if item is not None]
    frame = evidence_of(case.kind, case.measure, pred=given, gold=good, folder=folder)
    places = frame["row"].to_list()
    expected = {item: found.index(item) for item in found if item is not None}
    assert dict(zip(frame.select(case.keys).rows(), places, strict=True)) == expected
    assert [case.identity(row) for row in table.iloc[places].to_dict("records")] == [found[place] for place in places]


RECORDS = {
    "concepts": ("concept_exact", "concepts", st.sampled_from(["a", "b", "c"]), lambda item: item, ("text",)),
    "triples": (
        "triples",
        "triples",
        st.tuples(st.sampled_from("ab"), st.just("p"), st.sampled_from("xy")).map(list),
        tuple,
        ("item_subject", "item_predicate", "item_object"),
    ),
    "labels": ("hierarchical", "label", st.sampled_from(["a", "b"]), lambda item: item, ("label",)),
}


@pytest.mark.parametrize("kind", RECORDS)
@given(data=st.data(), way=st.sampled_from([way for way in WAYS if "json" in way or way == "dictionaries"]))
def test_the_row_of_an_item_of_a_list_is_that_of_its_record(folder, kind, data, way):
    measure, column, items, item_of, keys = RECORDS[kind]
    lists = data.draw(st.lists(st.lists(items, min_size=1, max_size=3), min_size=1, max_size=5))
    rows = [{"id": f"d{place}", column: some} for place, some in enumerate(lists)]
    rows[1:1] = [{"id": f"bad {place}", column: "none"} for place in range(data.draw(st.integers(0, 2)))]
    given, _ = WAYS[way](rows, str(folder / f"records {kind}"))
    good = [row for row in rows if row[column] != "none"]
    frame = evidence_of(kind, measure, pred=given, gold=good, folder=folder)
    found = [(place, *one) for place, *one in frame.select("row", *keys).rows()]
    assert found
    assert {place for place, *_ in found} == {place for place, row in enumerate(rows) if row[column] != "none"}
    for place, *one in found:
        assert (one[0] if len(one) == 1 else tuple(one)) in map(item_of, rows[place][column])


def rows_in(file: Any, kind: str = "taxonomy", **options: Any) -> list[int | None] | None:
    """List the rows of the items of a file, in their order; None if there are none."""
    model = goldassay.read(file, kind=kind, **options)
    return model.identifiers(np.arange(len(model))).get("row")


TOO_WIDE = "child,parent\ncat,pet,x\ndog,pet\n"
FILES: dict[str, tuple[str, bytes, dict[str, Any], list[int | None] | None]] = {
    "a row that is too wide counts": ("a.csv", TOO_WIDE.encode(), {"on_error": "skip"}, [1]),
    "so does one whose quotes are broken": ("a.csv", b'child,parent\n"cat,pet\ndog,pet\n', {"on_error": "skip"}, [1]),
    "and one with separators only": ("a.csv", b"child,parent\n,\n , \ndog,pet\n", {}, [2]),
    "but not where there is but white space": ("a.tsv", b"child\tparent\n \n\n\t\ndog\tpet\n", {}, [1]),
    "a line break in a cell is of one row": ("a.csv", b'child,parent\n"c\nat",pet\ndog,pet\n', {}, [0, 1]),
    "the first row counts where it has no names": ("a.csv", b"cat,pet\n\ndog,pet\n", {}, [0, 1]),
    "nothing before the first row counts": ("a.csv", b"\n,\nchild,parent\ncat,pet\n", {}, [0]),
    "a line that is no object counts": (
        "a.jsonl",
        b'{"child": "cat", "parent": "pet"}\n\n"x"\n\xff\n{"child": "dog", "parent": "pet"}\n',
        {"on_error": "skip"},
        [0, 3],
    ),
    "lines of TExEval are rows": ("a.taxo", b"0\tcat\tpet\n\n1\todd\n2\tdog\tpet\n", {"on_error": "skip"}, [0, 2]),
    "an edge may be turned": ("a.csv", b"subject,predicate,object\npet,narrower,cat\ndog,is_a,pet\n", {}, [0, 1]),
    "statements are no rows": ("a.ttl", b"<x:cat> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <x:pet> .", {}, None),
    "nor are the edges of a graph": ("a.json", b'{"nodes": [{"id": "cat"}, {"id": "pet"}], "links": [{"source": "cat", "target": "pet"}]}', {}, None),
    "rows of Markdown": (
        "a.md",
        b"| class | property | object |\n|---|---|---|\n| Cat | eats | Fish | x |\n| Dog | eats | Meat |\n",
        {"kind": "axioms", "on_error": "skip"},
        [1],
    ),
    "rows of SSSOM begin behind its metadata": (
        "a.tsv",
        b"#curie_map:\n#  a: http://a/\nsubject_id\tpredicate_id\tobject_id\nz:1\tskos:exactMatch\ta:2\na:1\tskos:exactMatch\ta:2\n",
        {"kind": "alignment", "on_error": "skip"},
        [1],
    ),
    "the entries of a JSON list are rows": (
        "a.json",
        b'{"mappings": [1, {"subject_id": "a", "predicate_id": "skos:exactMatch", "object_id": "b"}], "@context": {}}',
        {"kind": "alignment", "on_error": "skip", "metadata": "none"},
        [1],
    ),
    "so are the records of a JSON array": (
        "a.json",
        b'[{"id": "e", "triples": []}, {"id": "d", "triples": [["Oslo", "in", "Norway"], ["Rome", "in", "Italy"]]}]',
        {"kind": "triples"},
        [1, 1],
    ),
    "an OAEI file has none": (
        "a.rdf",
        b"""<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment#"
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Alignment><map><Cell><entity1 rdf:resource="a"/>
            <entity2 rdf:resource="b"/><relation>=</relation><measure>1.0</measure></Cell></map></Alignment></rdf:RDF>""",
        {"kind": "alignment"},
        None,
    ),
    "nor do mappings that are statements": (
        "a.ttl",
        b"<http://a/1> <http://www.w3.org/2004/02/skos/core#exactMatch> <http://b/1> .",
        {"kind": "alignment"},
        None,
    ),
    "lines of lists of triples": ("a.txt", b"[['a','r','b']]\n\n[['c','r','d']]\n", {"kind": "triples", "on_error": "skip"}, [0, 2]),
    "lines of linearised triples": (
        "a.txt",
        b"<triplet> Rome <subj> Italy <obj> country\n<triplet> Oslo <subj> Norway <obj> country\n",
        {"kind": "triples"},
        [0, 1],
    ),
    "blank lines between records": (
        "a.jsonl",
        b'{"id": "d", "triples": [["a", "r", "b"]]}\n\n \n{"id": "e", "triples": [["a", "r", "b"], ["a", "r", 1]]}\n',
        {"kind": "triples"},
        [0, 1, 1],
    ),
    "references are of one record": (
        "a.jsonl",
        b'{"id": "d", "references": [[["a", "r", "b"]], [["a", "r", "b"], ["c", "r", "d"]]]}\n',
        {"kind": "triples"},
        [0, 0, 0],
    ),
    "documents made one keep their rows": (
        "a.csv",
        b"id,subject,predicate,object\nd,a,r,b\ne,a,r,b\ne,c,r,d\n",
        {"kind": "triples", "unit": "corpus"},
        [0, 2],
    ),
    "columns of triples without names": ("a.csv", b"a,r,b\n,,\nc,r,d\n", {"kind": "triples"}, [0, 2]),
    "relationships of Neo4j": (
        "a.csv",
        b"_id,_labels,name,_start,_end,_type\n0,:City,Oslo,,,\n1,:Country,Norway,,,\n,,,0,1,IN\n",
        {"kind": "triples"},
        [2],
    ),
    "lines of sentences": ("a.txt", b"A cat.\n\nA dog.\n", {"kind": "sentences"}, [0, 1, 2]),
    "lines of documents": ("a.txt", b"He has asthma.\n\nHe has a severe cough.\n", {"kind": "concepts"}, [0, 2]),
    "concepts in cells": (
        "a.csv",
        b'id,concepts\na,"[""x"", ""y""]"\n,\nb,x\nc,"[""y""]"\n',
        {"kind": "concepts", "on_error": "skip"},
        [0, 0, 2, 3],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_what_counts_as_a_row(tmp_path, case):
    name, data, options, expected = FILES[case]
    (tmp_path / name).write_bytes(data)
    assert rows_in(tmp_path / name, **options) == expected


def test_a_file_that_is_read_in_pieces_has_rows_throughout(tmp_path, monkeypatch):
    record = '{"id": "%d", "triples": [["a", "r", "b"]]}\n'
    (tmp_path / "a.jsonl").write_text(record % 0 + "\n" + record % 1 + record % 2)
    for size in (1, 2**25):
        monkeypatch.setattr(records, "AT_ONCE", size)
        assert rows_in(tmp_path / "a.jsonl", "triples") == [0, 1, 2]


def test_an_item_of_several_test_cases_has_the_row_of_its_file(tmp_path):
    (tmp_path / "first.csv").write_text("source,target\na,x\nb,y\n")
    (tmp_path / "second.csv").write_text("source,target\na,x\na,x\nc,z\n")
    (tmp_path / "third.rdf").write_bytes(FILES["an OAEI file has none"][1])
    assert rows_in(tmp_path, "alignment") == [0, 1, 0, 2, None]


def test_an_alignment_keeps_its_rows_when_it_is_changed(tmp_path):
    pairs = [("b", "a", "="), ("c", "d", "%"), ("a", "b", "="), ("c", "d", "="), ("e", "f", "?"), ("g", "h", "=")]
    rows = [(*pair, 1.0) for pair in pairs]
    assert rows_in(rows, "alignment", unordered=True) == [0, 1, 3, 4, 5]
    assert rows_in(rows, "alignment", relations=("=",)) == [0, 2, 3, 5]
    found = goldassay.evaluate(rows, gold=rows, kind="alignment", measures="overlap", ignore=[("b", "a")])["overlap"]
    assert found.matching.to_frame().filter(side="pred")["row"].to_list() == [2, 3, 5]


def test_candidates_have_the_row_of_their_list(tmp_path):
    lists = (
        "SrcEntity\tTgtEntity\tTgtCandidates\n"
        "a\t\t[]\n"
        "b\ty\t[('x', 0.9, False), ('y', 0.2, False)]\n"
        "c\tz\t[('z', 0.2, True)]\n"
    )
    (tmp_path / "pred.tsv").write_text(lists)
    (tmp_path / "gold.tsv").write_text("SrcEntity\tTgtEntity\nq\tz\nb\ty\n")
    for measure, expected in (("mrr", {("b", "x"): 1, ("b", "y"): 1, ("c", "z"): 2}), ("overlap", {("c", "z"): 2})):
        report = goldassay.evaluate(
            tmp_path / "pred.tsv", gold=tmp_path / "gold.tsv", kind="alignment", measures=measure, on_error="skip"
        )
        frame = report[measure].matching.to_frame()
        found = frame.filter(side="pred").select("source", "target", "row").rows()
        assert {(source, target): row for source, target, row in found} == expected
        assert frame.filter(side="gold")["row"].to_list() == [0, 1]


def test_candidates_of_blocks_have_the_rows_of_their_scores():
    pred = [("a", "x", "=", 0.2), ("a", "x", "=", 0.9), ("b", "x", "=", 0.1), ("b", "y", "=", 0.4)]
    report = goldassay.evaluate(pred, gold=[("b", "y")], kind="alignment", measures="mrr", block=2)
    frame = report["mrr"].matching.to_frame().filter(side="pred")
    assert sorted(frame.select("source", "target", "row").rows()) == [("a", "x", 1), ("b", "x", 2), ("b", "y", 3)]


PARTS = {
    "taxonomy": ("literal", [("cat", "pet"), ("dog", "pet"), ("ape", "beast")]),
    "axioms": ("exact", [("Cat", "eats", "Fish"), ("Dog", "eats", "Meat"), ("Ape", "eats", "Fruit")]),
    "labels": ("hierarchical", [("1", "a"), ("2", "b"), ("3", "a")]),
    "concepts": ("concept_exact", [{"id": name, "concepts": ["x"]} for name in "123"]),
    "triples": ("triples", [("1", "a", "r", "b"), ("2", "a", "r", "b"), ("3", "a", "r", "b")]),
    "sentences": ("levenshtein", [("1", "A cat."), ("2", "A dog."), ("3", "An ape.")]),
}  # fmt: skip


@pytest.mark.parametrize("kind", PARTS)
def test_what_is_left_of_a_side_keeps_its_rows(folder, kind):
    measure, rows = PARTS[kind]
    options = {"hierarchy": str(folder / "labels.csv")} if kind == "labels" else {}
    given = {"gold": rows, "kind": kind, "measures": measure, "ignore": rows[1:2], **options}
    frame = goldassay.evaluate(rows, **given)[measure].matching.to_frame()
    assert frame["row"].to_list() == [0, 2] * 2
    inside = {**given, "scope": frozenset(("ape", "beast", "Ape", "2", "3"))}
    assert goldassay.evaluate(rows, **inside)[measure].matching.to_frame()["row"].to_list() == [2, 2]


@pytest.mark.parametrize("kind", [*PARTS, "alignment"])
def test_several_golds_made_one_have_no_rows(folder, kind):
    measure, rows = PARTS.get(kind, ("overlap", [("a", "x"), ("b", "y")]))
    options = {"hierarchy": str(folder / "labels.csv")} if kind == "labels" else {}
    report = goldassay.evaluate(rows, gold=[rows, rows], kind=kind, measures=measure, combine="union", **options)
    frame = report[measure].matching.to_frame()
    assert frame.filter(side="pred")["row"].to_list() == list(range(len(rows)))
    assert frame.filter(side="gold")["row"].null_count() == len(rows)


def test_models_made_of_rows_count_them_too():
    assert Graph.from_edges([("a", "b"), ("a", "b"), ("b", "c")]).input_rows.tolist() == [0, 2]
    assert Axioms.from_rows([("A", "p", "B"), ("A", "p", "B"), ("B", "p", "C")]).input_rows.tolist() == [0, 2]
    assert Alignment.from_rows([("a", None), ("b", "y"), ("b", "y"), ("c", "z")]).input_rows.tolist() == [1, 3]
    labels = Labels.from_rows(
        [("1", "a", 0.1), ("1", "b"), ("1", "a", 0.9), ("1", "?")], edges=[("a", "t"), ("b", "t")]
    )
    assert list(zip(labels.scores.tolist(), labels.input_rows.tolist(), strict=True)) == [(1.0, 1), (0.9, 0)]
    assert Labels.from_arrays([["t", "a"], ["t", ""], ["t", "b"]]).input_rows.tolist() == [0, 0, 1, 2, 2]


def test_an_engine_has_no_rows():
    rows = pl.DataFrame({"source": ["a"], "target": ["x"]})
    report = goldassay.evaluate(rows, gold=rows, kind="alignment", measures="overlap", engine="duckdb")
    assert "row" not in report["overlap"].matching.frame.columns
