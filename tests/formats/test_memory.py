"""What a program holds in memory gives the model that its file would give."""

import decimal
import json
import math
import time
from collections import OrderedDict, deque
from typing import NamedTuple

import duckdb
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from tests.draws import times

import goldassay
from goldassay.core.errors import GoldassayError, InputError
from goldassay.core.limits import DIGITS
from goldassay.formats.memory import DEEPEST, _cell, _is_deep, columns_of, is_one, name_of, source_of, table_of

EDGES = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
FRAME = pl.DataFrame(EDGES, schema=["child", "parent"], orient="row")
DIGRAPH = nx.DiGraph()
DIGRAPH.add_edges_from(EDGES)
STATEMENTS = rdflib.Graph()
for child, parent in EDGES:
    STATEMENTS.add((rdflib.URIRef(f"urn:x:{child}"), rdflib.RDFS.subClassOf, rdflib.URIRef(f"urn:x:{parent}")))


def items(given, **reading):
    model = goldassay.read(given, **reading)
    return [model.item(row) for row in range(len(model))]


@pytest.mark.parametrize(
    "given",
    [
        FRAME,
        FRAME.lazy(),
        FRAME.to_dict(as_series=False) and pd.DataFrame(FRAME.to_dict(as_series=False)),
        EDGES,
        [list(edge) for edge in EDGES],
        tuple(EDGES),
        [{"child": child, "parent": parent} for child, parent in EDGES],
        [(child, "is_a", parent) for child, parent in EDGES],
        DIGRAPH,
        nx.MultiDiGraph(DIGRAPH),
    ],
    ids=lambda given: type(given).__module__.partition(".")[0] + type(given).__name__,
)
def test_edges_in_memory_are_those_of_their_file(given, tmp_path):
    FRAME.write_csv(tmp_path / "pets.csv")
    assert sorted(items(given)) == sorted(items(tmp_path / "pets.csv")) == ["cat -> pet", "dog -> pet", "pet -> animal"]


@pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")  # by rdflib, of itself
@pytest.mark.parametrize("make", [rdflib.Graph, rdflib.Dataset])
def test_statements_in_memory_are_those_of_their_file(make, tmp_path):
    made = make()
    for statement in STATEMENTS:
        made.add(statement)
    STATEMENTS.serialize(tmp_path / "pets.ttl", format="turtle")
    assert sorted(items(made)) == sorted(items(tmp_path / "pets.ttl"))


def test_tables_of_duckdb_and_pyarrow_are_read():
    table = pa.table({"child": ["cat"], "parent": ["pet"]})
    assert items(table) == ["cat -> pet"]
    assert items(duckdb.sql("SELECT 'cat' AS child, 'pet' AS parent")) == ["cat -> pet"]


def test_other_columns_of_a_frame_are_not_changed():
    frame = pd.DataFrame({"n": [1], "parent": ["pet"], "child": ["cat"]}, index=["row"])
    assert items(frame) == ["cat -> pet"]


@pytest.mark.parametrize(
    ("kind", "rows", "expected"),
    [
        ("alignment", [("a", "b")], "a = b"),
        ("alignment", [("a", "b", 0.5)], "a = b"),
        ("alignment", [("a", "b", "<", np.float32(0.5))], "a < b"),
        ("axioms", [("Product", "hasBrand", "Brand")], "Product hasBrand Brand"),
        ("axioms", [("Product", "hasBrand", "Brand", "object")], "Product hasBrand Brand"),
        ("triples", [("d1", "Oslo", "capital of", "Norway")], "d1: Oslo | capital of | Norway"),
        ("triples", [{"id": "d1", "triples": [["Oslo", "capital of", "Norway"]]}], "d1: Oslo | capital of | Norway"),
        ("concepts", [{"id": 1, "concepts": ["fever"]}], "1: fever"),
        ("concepts", [("q1", "fever")], "q1: fever"),
        ("concepts", ["He has a fever."], "1: fever"),
        ("sentences", ["The cat sleeps."], "1 The cat sleeps."),
    ],
)
def test_every_family_takes_rows(kind, rows, expected):
    assert goldassay.read(rows, kind=kind).item(0) == expected


def test_labels_take_rows(tmp_path):
    tmp_path.joinpath("pets.csv").write_text("child,parent\ncat,pet\n", encoding="utf-8")
    found = goldassay.read([("d1", "cat", 0.5)], kind="labels", hierarchy=str(tmp_path / "pets.csv"))
    assert found.item(0) == "d1: cat"
    assert found.scores.tolist() == [0.5]


def test_scores_of_rows_are_kept():
    found = goldassay.read([("a", "b", 0.25), ("c", "d", np.float64(1))], kind="alignment")
    assert found.scores.tolist() == [0.25, 1.0]


@pytest.mark.parametrize(
    ("rows", "messages"),
    [
        ([("cat",)], r"Row 1 of the list has 1 value\..*\(child, parent\) or \(subject, predicate, object\)"),
        ([("cat", "pet"), ("a", "b", "c", "d")], "Row 2 of the list has 4 values"),
        ([("cat", "pet"), 3], "Row 2 of the list cannot be read"),
        ([("cat", math.nan)], "The parent is empty"),
        ([("cat", None)], "The parent is empty"),
        (3, "object cannot be read.*int"),
        (object(), "object cannot be read"),
        ([{"id": 1, "triples": [{1, object()}]}], "Row 1 of the list cannot be read"),
    ],
)
def test_what_is_no_input_is_reported(rows, messages):
    with pytest.raises(goldassay.GoldassayError, match=f"(?s){messages}"):
        goldassay.read(rows)


def test_an_absent_score_is_an_error_and_no_number():
    with pytest.raises(goldassay.GoldassayError, match="not a number"):
        goldassay.read([("a", "b", math.nan), ("c", "d", 0.5)], kind="alignment")
    frame = pd.DataFrame({"source": ["a"], "target": ["b"], "score": [None]})
    with pytest.raises(goldassay.GoldassayError, match="not a number"):
        goldassay.read(frame, kind="alignment")


def test_numbers_and_their_texts_are_reported_apart_as_in_files(tmp_path):
    pl.DataFrame({"child": ["1"], "parent": ["2"]}).write_csv(tmp_path / "a.csv")
    assert items([(1, 2)]) == items([("1", "2")]) == items(tmp_path / "a.csv")


def test_one_input_is_reported_from_several():
    assert is_one(FRAME)
    assert is_one(EDGES)
    assert not is_one([FRAME, FRAME])
    assert not is_one([EDGES, EDGES])
    assert is_one([])
    assert not is_one([[], []])


def test_a_graph_of_networkx_keeps_the_data_of_its_nodes():
    graph = nx.DiGraph()
    graph.add_node(1, label="cat", object=object())
    graph.add_node(2, label="pet")
    graph.add_edge(1, 2)
    assert items(graph) == ["cat -> pet"]
    assert source_of(graph).path == "networkx.DiGraph"


def test_a_graph_of_networkx_keeps_its_root(tmp_path):
    graph = nx.DiGraph([("animal", "pet"), ("pet", "cat")], root="animal", made=object())
    message = nx.node_link_data(nx.DiGraph(graph.edges, root="animal"), edges="links")
    tmp_path.joinpath("pets.json").write_text(json.dumps(message), encoding="utf-8")
    assert sorted(items(graph)) == sorted(items(tmp_path / "pets.json")) == ["cat -> pet", "pet -> animal"]


def test_pandas_is_read_without_pyarrow_too(monkeypatch):
    frame = pd.DataFrame({"source": ["a", "c"], "target": ["b", "d"], "score": [0.5, 1.0]})
    expected = goldassay.read(frame, kind="alignment")
    monkeypatch.setattr("goldassay.formats.memory.find_spec", lambda name: None)
    found = goldassay.read(frame, kind="alignment")
    assert [found.item(row) for row in range(2)] == [expected.item(row) for row in range(2)] == ["a = b", "c = d"]
    assert found.scores.tolist() == expected.scores.tolist() == [0.5, 1.0]
    with pytest.raises(goldassay.GoldassayError, match="empty"):
        goldassay.read(pd.DataFrame({"child": ["cat", None], "parent": ["pet", "pet"]}))


class Reversed(NamedTuple):
    parent: str
    child: str


def test_a_named_tuple_says_itself_what_its_values_are():
    frame = pd.DataFrame(EDGES, columns=["child", "parent"])
    assert items(list(frame.itertuples())) == items(EDGES)
    assert items([Reversed("pet", "cat")]) == ["cat -> pet"]


def test_batches_of_pyarrow_are_tables():
    table = pa.table({"child": ["cat"], "parent": ["pet"]})
    assert items(table.to_batches()[0]) == items(table.to_reader()) == ["cat -> pet"]


def test_a_column_of_pandas_of_several_types_is_text():
    frame = pd.DataFrame({"child": [1, "cat", decimal.Decimal("2.50"), True], "parent": ["pet"] * 4})
    assert items(frame) == ["1 -> pet", "cat -> pet", "2.5 -> pet", "true -> pet"]
    assert items(frame) == items(list(frame.itertuples(index=False, name=None)))


def test_numbers_too_large_for_a_column_and_truth_values_among_texts_are_texts():
    assert items([(2**70, True), (1, "pet")]) == [f"{2**70} -> true", "1 -> pet"]
    assert items(pd.DataFrame({"child": [2**64], "parent": ["pet"]})) == [f"{2**64} -> pet"]


@pytest.mark.parametrize("nothing", [pd.NA, pd.NaT, np.nan, np.datetime64("NaT"), None])
def test_every_kind_of_nothing_is_an_empty_cell(nothing):
    with pytest.raises(goldassay.GoldassayError, match=r"(?s)The parent is empty.*row 2"):
        goldassay.read([("cat", "pet"), ("dog", nothing)])
    assert goldassay.read([("cat", "pet"), ("dog", nothing)], on_error="skip").left_out == {"skipped_records": 1}
    found = goldassay.read([{"id": 1, "concepts": ["fever"], "note": nothing}], kind="concepts")
    assert found.item(0) == "1: fever"


def test_attributes_of_a_graph_may_be_nothing():
    graph = nx.DiGraph()
    graph.add_node("cat", label=math.nan)
    graph.add_edge("cat", "pet", weight=np.float64("nan"), since=np.array([1.0, math.nan]))
    assert items(graph) == ["cat -> pet"]


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ([("cat", b"pet")], r"The parent of row 1.*b'pet' of the type bytes"),
        ([("cat", "pet"), ("dog", {"pet": object()})], r"Row 2 of the list.*of the type object"),
        ({"pet": [len]}, r"The value of 'pet' cannot be read.*built-in function len"),
        ({("cat", "pet"): 1.0}, r"A name of the dictionary.*of the type tuple"),
        ([("cat", object())], r"The parent of row 1.*of the type object"),
        ([("\ud800", "pet")], r"list: This cannot be read as a table.*surrogates not allowed"),
        (pd.DataFrame([["a", "b", "c"]], columns=["child", "parent", "parent"]), r"pandas.DataFrame.*'parent' 2 times"),
        (pl.LazyFrame({"child": ["cat"]}).select("parent"), r"polars.LazyFrame: .*unable to find column"),
        (
            pl.DataFrame({"child": [object()], "parent": ["pet"]}),
            r"polars.DataFrame: .*'child': Object.*write the column as text",
        ),
        (
            pd.DataFrame({"child": pd.period_range("2020", periods=1), "parent": "pet"}),
            r"period.*write the column as text",
        ),
        (
            pa.table(
                {
                    "child": pa.array(pd.arrays.IntervalArray.from_breaks([0, 1])),
                    "parent": pa.array(["pet"]),
                }
            ),
            r"interval.*write the column as text",
        ),
        (STATEMENTS.query("SELECT ?child ?parent {?child ?p ?parent}"), r"rdflib.SPARQLResult.*list\(\.\.\.\)"),
        (STATEMENTS.query("CONSTRUCT WHERE {?child ?p ?parent}"), r"rdflib.SPARQLResult.*list\(\.\.\.\)"),
        ({"cat", "pet"}, r"object cannot be read.*set.*list\(\.\.\.\)"),
        (b"cat,pet", r"bytes.*write it to a file"),
        ([EDGES, EDGES], "Several inputs are given"),
    ],
)
def test_what_cannot_be_read_is_reported_with_the_row_and_what_to_do(given, messages):
    with pytest.raises(goldassay.GoldassayError, match=f"(?s){messages}"):
        goldassay.read(given)


def test_a_table_where_text_is_read_is_no_matter_of_an_encoding():
    with pytest.raises(goldassay.InputError, match=r"polars.DataFrame: The input is a table"):
        goldassay.read(FRAME, kind="unl")


def test_a_graph_that_rdflib_cannot_write_is_reported():
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef("urn:x:a b"), rdflib.RDFS.subClassOf, rdflib.URIRef("urn:x:c")))
    with pytest.raises(goldassay.InputError, match=r"(?s)rdflib.Graph: .*a b"):
        goldassay.read(graph)


def test_an_error_in_memory_names_the_prediction():
    preds = {"good": EDGES, "bad": [("cat",)], "worse": pd.DataFrame([["a", "b"]], columns=["child", "child"])}
    report = goldassay.evaluate(preds, gold=EDGES, measures="literal", unreadable="keep")
    assert [failure.label for failure in report.failures] == ["bad", "worse"]


def test_a_row_may_hold_a_list_next_to_its_texts(tmp_path):
    assert is_one([("d1", ["fever"])])
    assert not is_one([[("d1", ["fever"])], [("d1", ["cough"])]])
    found = goldassay.read([("d1", ["fever", "cough"]), ("d2", [])], kind="concepts")
    assert (found.ids.tolist(), len(found)) == (["d1", "d2"], 2)
    tmp_path.joinpath("pets.csv").write_text("child,parent\ncat,pet\n", encoding="utf-8")
    found = goldassay.read([("d1", ["cat", "pet"])], kind="labels", hierarchy=tmp_path / "pets.csv")
    assert len(found) == 2


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset])
def test_lists_of_concepts_are_of_documents_in_order(kind):
    lists = [kind(one) for one in (["aspirin", "fever", "pain"], ["asthma"], [])]
    report = goldassay.evaluate(
        lists, gold=[["aspirin", "fever"], ["cough"], []], kind="concepts", measures="concept_exact"
    )
    assert report.runs[0].pred.ids.tolist() == ["1", "2", "3"]
    assert report["concept_exact"].counts["hit_pred"] == 2


def test_pairs_of_texts_are_ids_with_texts_or_refused():
    for pairs in ([("intro", "a text"), ("end", "b")], [["d1", "a text"], ["d2", "b"]]):
        assert [*goldassay.read(pairs, kind="concepts").ids] == [one for one, _ in pairs]
    with pytest.raises(goldassay.InputError, match="two concepts, or an id and a text") as caught:
        goldassay.read([["aspirin", "fever"], ["asthma", "cough"]], kind="concepts")
    assert "name the documents" in caught.value.hint


@pytest.mark.parametrize("parent", [[["pet"]], {"id": "pet"}, [{"id": "pet"}]])
def test_a_list_where_a_text_belongs_is_a_bad_row(parent):
    rows = [{"child": "cat", "parent": "pet"}, {"child": "dog", "parent": parent}]
    with pytest.raises(goldassay.RecordError, match="list:2: The parent is an object, or a list of others"):
        goldassay.read(rows)
    assert items(rows, on_error="skip") == ["cat -> pet"]


CELLS = st.one_of(st.sampled_from(["cat", " dog ", "pet", "caf\u00e9", "cafe\u0301", "owl:Thing"]), st.integers(0, 3))


@times(3)
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), kind=st.sampled_from(["taxonomy", "alignment"]))
def test_a_list_of_tuples_is_read_as_the_table_that_it_is(rows, kind):
    names = ("child", "parent") if kind == "taxonomy" else ("source", "target")
    check_same_reading([dict(zip(names, row, strict=True)) for row in rows], rows, kind)


@times(3)
@given(
    rows=st.lists(
        st.tuples(CELLS, st.sampled_from(["is_a", "skos:narrower", "eats", " is_a"]), CELLS), min_size=1, max_size=6
    ),
    kind=st.sampled_from(["taxonomy", "axioms", "triples"]),
    edges=st.sampled_from(["taxonomy", "all", ("eats",)]),
)
def test_tuples_with_a_relation_are_read_as_the_table_that_they_are(rows, kind, edges):
    names = ("class", "property", "object") if kind == "axioms" else ("subject", "predicate", "object")
    options = {"edges": edges} if kind == "taxonomy" else {}
    check_same_reading([dict(zip(names, row, strict=True)) for row in rows], rows, kind, **options)


def check_same_reading(table, rows, kind, **options):
    """Check that a list of tuples, or its error, is that of the table of its rows."""

    def described(given):
        try:
            model = goldassay.read(given, kind=kind, **options)
        except goldassay.GoldassayError as error:
            # A list has no column that an option could leave out.
            return str(error).replace("; if that column has no relations: --relation-column none", "")
        every = np.arange(len(model))
        return [model.item(row) for row in every], model.identifiers(every), model.left_out, model.facts, model.choices

    assert described(rows) == described(table)


def test_many_tuples_and_few_are_read_alike():
    few = [(f"http://a/b#Some_{row}Cat", f"http://a/{row % 7}/DNABinding") for row in range(20)]
    many = [*few, *((f"http://c/_{row}", f"x:{row}") for row in range(4000))]
    graphs = [goldassay.read(rows) for rows in (few, many)]
    assert [graphs[1].item(row) for row in range(20)] == [graphs[0].item(row) for row in range(20)]


def test_a_score_of_a_list_may_be_a_whole_number():
    alignment = goldassay.read([("cat", "chat", 1), ("dog", "chien", 0.5)], kind="alignment")
    assert alignment.scores.tolist() == [1.0, 0.5]


TUPLES = {
    "taxonomy": ("child", [("cat", "pet")]),
    "alignment": ("source", [("cat", "chat")]),
    "axioms": ("class", [("cat", "eats", "fish")]),
    "triples": ("subject", [("cat", "eats", "fish")]),
}


@pytest.mark.parametrize("kind", TUPLES)
def test_a_column_that_a_list_does_not_have_is_refused(kind):
    role, rows = TUPLES[kind]
    with pytest.raises(goldassay.InputError, match="no column 'absent'"):
        goldassay.read(rows, kind=kind, **{f"{role}_column": "absent"})


# Triples count lines that cannot be read as missing documents.
@pytest.mark.parametrize("kind", sorted(TUPLES.keys() - {"triples"}))
def test_a_list_is_refused_as_a_format_that_it_does_not_have(kind):
    with pytest.raises(goldassay.InputError):
        goldassay.read(TUPLES[kind][1], kind=kind, input_format="json-lines")


def test_columns_that_are_not_needed_may_hold_anything():
    odd = FRAME.with_columns(pl.Series("odd", [object()] * len(FRAME), dtype=pl.Object))
    assert items(odd) == items(FRAME)
    assert goldassay.read(odd).format == goldassay.read(EDGES).format == "memory"


class Mine(list):
    """A list of a program."""


def in_an_array(cell):
    array = np.empty(2, dtype=object)
    array[0] = cell
    return array


def in_a_list_of_ones_own(cell):
    made = Mine()
    made += [made, cell]
    return made


@pytest.mark.parametrize(
    "holding",
    [
        in_an_array,
        in_a_list_of_ones_own,
        lambda cell: deque([cell]),
        lambda cell: pd.Series([cell, 1]),
        lambda cell: OrderedDict(a=cell),
    ],
)
def test_what_holds_a_cell_that_holds_itself_is_refused(holding):
    cell = []
    cell.append(cell)
    with pytest.raises(InputError, match="nested too deeply"):
        goldassay.read(pd.DataFrame({"child": ["cat", "dog"], "parent": [holding(cell), "pet"]}))


@pytest.mark.parametrize(("levels", "deep"), [(DEEPEST, False), (DEEPEST + 1, True)])
def test_a_cell_may_be_nested_up_to_a_limit(levels, deep):
    cell = []
    for _ in range(levels):
        cell = [cell]
    assert _is_deep(cell) is deep


def test_a_number_may_have_as_many_digits_as_is_bearable():
    largest = 2 ** (4 * DIGITS.value)
    assert _cell(largest - 1, "weight", 7) == largest - 1
    with pytest.raises(InputError, match="The weight of row 7 is too long"):
        _cell(largest, "weight", 7)


@pytest.mark.parametrize("before", [0, 20_000])
def test_a_cell_of_pandas_that_holds_itself_is_refused(before):
    cell = ["x"] * before
    cell += [cell, cell]
    with pytest.raises(InputError, match="nested too deeply"):
        goldassay.read(pd.DataFrame({"child": ["cat", cell], "parent": ["pet", "pet"]}), kind="taxonomy")


DEEP = pa.string()
for _ in range(950):
    DEEP = pa.list_(DEEP)


@pytest.mark.parametrize(
    ("column", "text"),
    [(pa.array([1], pa.decimal256(76, 2)), "decimal256"), (pa.nulls(1, DEEP), "list<item: list"), (pa.array([b"\xff"]).view(pa.string()), "UTF8")],
    ids=["decimal256", "deep", "no UTF-8"],
)  # fmt: skip
@pytest.mark.parametrize("library", [pa.table, lambda columns: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype)])
def test_a_column_of_arrow_that_polars_cannot_read_is_refused(column, text, library):
    table = library({"child": ["cat"], "parent": column})
    with pytest.raises(InputError, match=text):
        goldassay.read(table, kind="taxonomy")


def test_a_panic_of_a_library_is_an_error():
    intervals = pa.table({"child": ["cat"], "parent": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})
    with pytest.raises(InputError, match="cannot be read as a table"):
        goldassay.read(intervals.to_reader(), kind="taxonomy")


class Closed:
    def __getattr__(self, name):
        raise RuntimeError("no connection")


class Lost(list):
    def __iter__(self):
        raise RuntimeError("no connection")


class Wordless:
    def __str__(self):
        raise RuntimeError("no text")


class Unwritable(str):
    __slots__ = ()

    def __str__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    "make",
    [
        Closed,
        lambda: Lost([1]),
        lambda: [Lost([1]), ("cat", "pet")],
        lambda: Unwritable("x.csv"),
        lambda: {Wordless(): EDGES},
        lambda: [Closed(), Closed()],
    ],
)
@pytest.mark.parametrize("side", ["pred", "gold"])
def test_an_object_that_cannot_be_looked_at_is_refused(make, side):
    with pytest.raises(GoldassayError) as refused:
        goldassay.evaluate(**{"pred": EDGES, "gold": EDGES, side: make()}, kind="taxonomy", measures="literal")
    assert str(refused.value)


def test_a_name_of_a_column_may_have_any_length():
    table = pl.DataFrame({"n" * 20_000_000: ["cat"], "parent": ["pet"]})
    begin = time.process_time()
    [warned] = goldassay.read(table, kind="taxonomy").warnings
    assert time.process_time() - begin < 2
    assert len(warned) < 1000


def deep(levels):
    found = "x"
    for _ in range(levels):
        found = [found]
    return found


RECORDS = [
    {"id": "a", "concepts": ["fever"]},
    {"id": "b", "concepts": [{"text": "asthma", "id": "C1"}, {"text": "fever"}]},
    {"id": 3, "concepts": []},
]


@pytest.mark.parametrize(
    "more",
    [
        {"more": True, "score": 0.5},
        {"more": ("x", "y")},
        {"more": {"x", "y"}},
        {"more": 3**60},
        {"more": np.float64(1)},
        {"more": {1: "x"}},
    ],
)
def test_records_in_memory_are_those_of_their_file(more, tmp_path):
    records = [*RECORDS, {"id": "d", "concepts": ["cough"], **more}]
    source = source_of(records)
    (tmp_path / "records.jsonl").write_bytes(source.data)
    assert source.records is not None
    assert items(records, kind="concepts") == items(tmp_path / "records.jsonl", kind="concepts")


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_record_in_memory_that_is_nested_too_deeply_is_refused_as_in_its_file(at, tmp_path):
    records = [{**one, "more": deep(600 if row == at else 3)} for row, one in enumerate(RECORDS)]
    (tmp_path / "records.jsonl").write_bytes(source_of(records).data)
    errors = []
    for one in (records, tmp_path / "records.jsonl"):
        with pytest.raises(InputError, match="is not a JSON object") as refused:
            goldassay.read(one, kind="concepts")
        errors.append((refused.value.message, refused.value.line, refused.value.found))
    assert errors[0] == errors[1]
    assert errors[0][1] == at + 1


def test_answers_in_memory_are_read_from_what_was_written_in_them():
    answers = [
        {"id": "a", "output": "(Oslo, capital of, Norway)", "usage": [1]},
        {"id": "b", "output": "(Rome, capital of, Italy)\n(Rome, on, Tiber)", "usage": [2]},
    ]
    found = items(answers, kind="triples")
    assert found == ["a: Oslo | capital of | Norway", "b: Rome | capital of | Italy", "b: Rome | on | Tiber"]


def test_example_of_source_of():
    assert source_of([("cat", ["pet"])], [("child", "parents")]).data == b'[{"child":"cat","parents":["pet"]}]'
    assert source_of(["a cat is a pet"], [("child", "parent")]).data == b"a cat is a pet"


def test_example_of_columns_of():
    assert columns_of([("cat", "pet"), ("dog", "pet ")], [("child", "parent")]).cells == {
        "child": ["cat", "dog"],
        "parent": ["pet", "pet"],
    }
    assert columns_of([("cat", "")], [("child", "parent")]) is None


def test_example_of_table_of():
    assert table_of([("cat", "pet")], [("child", "parent")]).rows() == [("cat", "pet")]


def test_example_of_is_one():
    assert is_one([("cat", "pet")])
    assert not is_one(["a.csv", "b.csv"])
    assert not is_one([[("cat", "pet")], [("dog", "pet")]])


def test_example_of_name_of():
    assert name_of([("cat", "pet")]) == "list"


@pytest.mark.parametrize("kind", [ox.Store, ox.Dataset])
def test_statements_of_pyoxigraph_are_those_of_a_file(kind):
    below = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#subClassOf")
    held = kind()
    held.add(ox.Quad(ox.NamedNode("http://x/dog"), below, ox.NamedNode("http://x/pet")))
    assert goldassay.read(held).item(0) == "dog -> pet"
