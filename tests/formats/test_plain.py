"""The same content as any object that people have is the same items as in a list of tuples, or an error that shows it."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import uuid
from typing import NamedTuple

import attrs
import msgspec
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pydantic
import pytest
import rdflib

import goldassay
from goldassay.formats.plain import plain

LABELS = [("d1", "a"), ("d1", "b"), ("d2", "c")]
OTHER_LABELS = [("d1", "p"), ("d1", "q"), ("d2", "r")]
TRIPLES = [("d1", "Oslo", "in", "Norway"), ("d1", "Rome", "in", "Italy"), ("d2", "Paris", "in", "France")]
OTHER_TRIPLES = [("d1", "O", "x", "N"), ("d1", "R", "y", "I"), ("d2", "P", "z", "F")]
CONCEPTS = [("d1", "fever"), ("d1", "cough"), ("d2", "asthma")]
OTHER_CONCEPTS = [("d1", "cat"), ("d1", "dog"), ("d2", "tree")]
MIDNIGHT = dt.datetime(2020, 1, 31)  # noqa: DTZ001 - as columns of tables have it
SLOTS = ("subject", "predicate", "object")


class Tuple(NamedTuple):
    object: str  # in another order than a row has
    subject: str
    predicate: str


@dataclasses.dataclass
class Data:
    subject: str
    predicate: str
    object: str


@attrs.define
class Attributes:
    subject: str
    predicate: str
    object: str


class Struct(msgspec.Struct):
    subject: str
    predicate: str
    object: str


class Model(pydantic.BaseModel):
    subject: str
    predicate: str
    object: str


class Label(pydantic.BaseModel):
    label: str
    score: float | None = None


class Name(pydantic.BaseModel):
    text: str


@dataclasses.dataclass
class Named:
    label: str


class Choice(enum.Enum):
    A, B, C, P, Q, R = "abcpqr"


class OfTexts(enum.StrEnum):
    A, B, C, P, Q, R = "abcpqr"


LISTS = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "deque": collections.deque,
    "keys": lambda some: dict.fromkeys(some).keys(),
    "values": lambda some: dict(enumerate(some)).values(),
    "generator": lambda some: (one for one in some),
    "map": lambda some: map(str, some),
    "array": np.array,
    "array of objects": lambda some: np.array(some, dtype=object),
    "series": pd.Series,
    "index": pd.Index,
    "categorical": pd.Categorical,
    "series of polars": pl.Series,
    "array of pyarrow": pa.array,
    "texts of numpy": lambda some: [*map(np.str_, some)],
}
OF_LABELS = LISTS | {
    "scores": lambda some: dict.fromkeys(some, 1.0),
    "scores and nulls": lambda some: dict.fromkeys(some, 1.0) | {"absent": None},
    "truth values": lambda some: dict.fromkeys(some, True) | {"absent": False},
    "scores of numpy": lambda some: {one: np.float64(0.75) for one in some},
    "decimals": lambda some: {one: decimal.Decimal("0.9") for one in some},
    "enums": lambda some: [*map(Choice, some)],
    "texts of enums": lambda some: [*map(OfTexts, some)],
    "models": lambda some: [Label(label=one) for one in some],
    "dataclasses": lambda some: [Named(one) for one in some],
}
OF_TRIPLES = {
    "tuples": list,
    "lists": lambda some: [*map(list, some)],
    "set": set,
    "array": np.array,
    "named tuples": lambda some: [Tuple(subject=s, predicate=p, object=o) for s, p, o in some],
    "dataclasses": lambda some: [Data(*one) for one in some],
    "attrs": lambda some: [Attributes(*one) for one in some],
    "structs": lambda some: [Struct(*one) for one in some],
    "models": lambda some: [Model(**dict(zip(SLOTS, one, strict=True))) for one in some],
    "pandas": lambda some: pd.DataFrame(some, columns=SLOTS),
    "polars": lambda some: pl.DataFrame(some, schema=SLOTS, orient="row"),
    "pyarrow": lambda some: pl.DataFrame(some, schema=SLOTS, orient="row").to_arrow(),
}
OF_CONCEPTS = LISTS | {"models": lambda some: [Name(text=one) for one in some]}
TABLES = {
    "dictionary": lambda some, name: some,
    "records": lambda some, name: [{"id": key, name: one} for key, one in some.items()],
    "pandas": lambda some, name: pd.DataFrame({"id": [*some], name: pd.Series([*some.values()], dtype=object)}),
    "polars": lambda some, name: pl.DataFrame({"id": [*some], name: pl.Series([*some.values()], dtype=pl.Object)}),
    "index": lambda some, name: pd.DataFrame({name: pd.Series([*some.values()], dtype=object, index=pd.Index([*some], name="id"))}),
}  # fmt: skip
FAMILIES = {
    "labels": ("flat", OF_LABELS, LABELS, OTHER_LABELS),
    "triples": ("triples", OF_TRIPLES, TRIPLES, OTHER_TRIPLES),
    "concepts": ("concept_exact", OF_CONCEPTS, CONCEPTS, OTHER_CONCEPTS),
}
SHAPES = [
    (kind, table, shape)
    for kind, (_, shapes, *_) in FAMILIES.items()
    for table in TABLES
    for shape in shapes
]  # fmt: skip


def by_document(rows):
    """Return the items of each document."""
    found = collections.defaultdict(list)
    for name, *one in rows:
        found[name].append(one[0] if len(one) == 1 else tuple(one))
    return found


def f1(kind, pred, gold):
    measure = FAMILIES[kind][0]
    return goldassay.evaluate({"mine": pred}, gold=gold, kind=kind, measures=measure)[measure].f1


def rows_of(kind, rows):
    return rows if kind != "concepts" else [{"id": name, "concepts": some} for name, some in by_document(rows).items()]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "table", "shape"), SHAPES)
def test_the_same_content_in_any_object_has_the_same_items(kind, table, shape):
    _, shapes, rows, others = FAMILIES[kind]

    def made(some):
        return TABLES[table]({name: shapes[shape](one) for name, one in by_document(some).items()}, kind)

    assert f1(kind, made(rows), rows_of(kind, rows)) == 1
    assert f1(kind, rows_of(kind, rows), made(rows)) == 1
    assert f1(kind, made(others), rows_of(kind, rows)) == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (np.bool_(True), "true"),
        (1.0, "1"),
        (decimal.Decimal("10.00"), "10"),
        (decimal.Decimal("12345678901234567890.10"), "12345678901234567890.1"),
        (fractions.Fraction(4, 2), "2"),
        (dt.date(2020, 1, 31), "2020-01-31"),
        (MIDNIGHT, "2020-01-31"),
        (pd.Timestamp("2020-01-31 12:00"), "2020-01-31 12:00:00"),
        (np.datetime64("2020-01-31"), "2020-01-31"),
        (np.datetime64("2020-01-31T00:00:00.000000000"), "2020-01-31"),
        (uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        (rdflib.URIRef("urn:a"), "urn:a"),
        (rdflib.Literal("a"), "a"),
        (Choice.A, "a"),
        (OfTexts.A, "a"),
        (np.array("a"), "a"),
        (pa.scalar("a"), "a"),
    ],
)
def test_a_scalar_has_one_text_in_a_cell_a_list_and_a_column(value, text):
    for given in (
        [("d1", value), ("d1", "x")],
        [{"id": "d1", "labels": [value, "x"]}],
        {"d1": [value, "x"]},
        pd.DataFrame({"id": ["d1", "d1"], "label": pd.Series([value, "x"], dtype=object)}),
    ):
        found = goldassay.read(given, kind="labels")
        assert sorted(map(found.item, range(2))) == sorted([f"d1: {text}", "d1: x"])


@pytest.mark.parametrize("value", [decimal.Decimal("2.50"), MIDNIGHT, dt.date(2020, 1, 31), True, 3.0])
def test_a_column_of_a_type_has_the_texts_of_its_values(value, tmp_path):
    pl.DataFrame({"id": ["d1"], "label": [value]}).write_parquet(tmp_path / "labels.parquet")
    found = goldassay.read(tmp_path / "labels.parquet", kind="labels")
    assert found.item(0) == goldassay.read([("d1", value), ("d2", "x")], kind="labels").item(0)


class OnlyShown:
    def __repr__(self):
        return "shown"


@pytest.mark.parametrize(
    "value",
    [len, lambda: 0, int, ..., slice(1), object(), OnlyShown(), b"a", memoryview(b"a"), ValueError("a"), 1j, pytest, rdflib.Graph()],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_has_no_text_is_an_error_that_shows_it_wherever_it_is(value):
    for given in (
        [("d1", "x"), ("d2", value)],
        [{"id": "d1", "labels": ["x"]}, {"id": "d2", "labels": ["x", value]}],
        {"d1": ["x"], "d2": ["x", value]},
        {"d1": "x", "d2": value},
        pd.DataFrame({"id": ["d1", "d2"], "label": pd.Series(["x", value], dtype=object)}),
    ):
        with pytest.raises(goldassay.InputError, match=r"(?s)(ow 2|'d2').*cannot be read.*of the type.*its text"):
            goldassay.read(given, kind="labels")


@pytest.mark.parametrize(
    "nothing", [None, np.nan, pd.NA, pd.NaT, np.ma.masked, np.float64("nan"), np.datetime64("NaT")]
)
def test_nothing_is_nothing_at_any_depth(nothing):
    assert plain({"a": [nothing, {"b": nothing}]}) == {"a": [None, {"b": None}]}


EDGES = [("Oslo", "in", "Norway"), ("Rome", "in", "Italy")]


def multigraph():
    graph = nx.MultiDiGraph()
    for subject, predicate, target in EDGES:
        graph.add_edge(subject, target, key=predicate)
    return graph


def statements():
    graph = rdflib.Graph()
    for one in EDGES:
        graph.add(tuple(rdflib.URIRef(f"http://example.org/{part}") for part in one))
    return graph


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", [multigraph, statements, lambda: nx.node_link_data(multigraph())])
def test_a_graph_without_documents_has_the_triples_of_a_table_without_ids(make):
    assert f1("triples", make(), EDGES) == f1("triples", EDGES, make()) == 1
    assert goldassay.read(make(), kind="triples").ids.tolist() == ["1"]


@pytest.mark.filterwarnings("ignore")
def test_numbers_of_edges_are_no_predicates():
    graph = nx.MultiDiGraph([("Oslo", "Norway")])
    for given in (graph, nx.node_link_data(graph)):
        report = goldassay.evaluate({"mine": given}, gold=EDGES, kind="triples", measures="triples")
        assert report["triples"].f1 == 0
        assert "could not be read completely" in str(report.warnings)


SCORED = {"d1": {"a": 1.0, "b": 0.9}, "d2": {"c": 1.0}, "d3": {"a": 1.0, "b": 0.0}}
OF_SCORED = [("d1", "a"), ("d1", "b"), ("d2", "c"), ("d3", "a")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("column", ["labels", "prediction", "cats", "scores"])
def test_objects_of_scores_are_labels_in_any_table(column, tmp_path):
    records = [{"id": name, column: scores} for name, scores in SCORED.items()]
    frame = pl.DataFrame(records, infer_schema_length=None)
    frame.write_parquet(tmp_path / "labels.parquet")
    frame.with_columns(odd=pl.lit(b"x")).write_parquet(tmp_path / "odd.parquet")
    frame.write_ndjson(tmp_path / "labels.jsonl")
    files = (tmp_path / "labels.parquet", tmp_path / "odd.parquet", tmp_path / "labels.jsonl")
    for given in (records, pd.DataFrame(records), frame, frame.to_arrow(), frame.to_pandas(), *files):
        assert f1("labels", given, OF_SCORED) == f1("labels", OF_SCORED, given) == 1
        assert f1("labels", given, OTHER_LABELS) == 0
    assert len(goldassay.read(files[0], kind="labels", input_format="parquet")) == 4


@pytest.mark.parametrize("scores", [{}, {"a": None}, {"a": 0.0, "b": None}, {"a": False}])
def test_an_object_without_a_score_is_an_instance_without_labels(scores):
    given = [{"id": "d1", "labels": {"a": 1.0, "b": None}}, {"id": "d2", "labels": scores}]
    found = goldassay.read(given, kind="labels")
    assert (found.item(0), len(found), found.ids.tolist()) == ("d1: a", 1, ["d1", "d2"])


@pytest.mark.parametrize(
    ("given", "items"),
    [
        ({"d1": 0, "d2": 1}, ["d1: 0", "d2: 1"]),
        (pd.Series([0.0, 2.0], index=["d1", "d2"]).to_dict(), ["d1: 0", "d2: 2"]),
        ({7: np.int64(3)}, ["7: 3"]),
        ({"d1": True, "d2": False}, ["d1: true", "d2: false"]),
        ({"d1": [1, 2], "d2": [3, 4]}, ["d1: 1", "d1: 2", "d2: 3", "d2: 4"]),
        ({"d1": [1, "x"]}, ["d1: 1", "d1: x"]),
        ({"d1": {"a": 0.9, "b": None}, "d2": {"b": 0.0}}, ["d1: a"]),
        ({"id": 5, "label": 3}, ["5: 3"]),
        ({"id": ["d1", "d2"], "label": [3, 4]}, ["d1: 3", "d2: 4"]),
        ([("d1", '["a", "b"]'), ("d2", "{c}")], ["d1: a", "d1: b", "d2: {c}"]),
    ],
)
def test_numbers_by_instance_are_labels(given, items, tmp_path):
    found = goldassay.read(given, kind="labels")
    assert [found.item(row) for row in range(len(found))] == items


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ({"d1": [0.9, 0.1], "d2": [0.2, 0.8]}, r"\[0.9, 0.1\].*expected"),
        ([{"id": "d1", "labels": [0.9, 0.1]}], "not a list of texts"),
        ({"a": 0.9, "b": 0.1}, r"Names with numbers.*a: 0.9.*\{\"d1\": \{\"cat\": 0.9"),
        ([[1, 0], [0, 1], [1, 1]], "matrix of labels.*and 2 other rows.*pandas.DataFrame"),
        ([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], "matrix of labels.*pandas.DataFrame"),
        ([(True, False), (True, True)], "matrix of labels.*pandas.DataFrame"),
        (np.eye(3, dtype=int), "pandas.DataFrame"),
    ],
)
def test_numbers_without_names_are_refused(given, messages):
    with pytest.raises(goldassay.GoldassayError, match=f"(?s){messages}"):
        goldassay.read(given, kind="labels")


def test_a_matrix_with_names_is_read_as_the_message_says():
    found = goldassay.read(
        pd.DataFrame([[1, 0], [1, 1]], columns=["a", "b"], index=pd.Index(["d1", "d2"], name="id")), kind="labels"
    )
    assert [found.item(row) for row in range(len(found))] == ["d1: a", "d2: a", "d2: b"]
    assert len(goldassay.read([*enumerate([0, 1])], kind="labels")) == 2


@pytest.mark.filterwarnings("ignore")
def test_scores_of_0_in_gold_are_warned_of():
    rows = [("d1", "a", 1), ("d1", "b", 0), ("d2", "b", 1)]
    report = goldassay.evaluate(rows, gold=rows, kind="labels", measures="flat")
    assert any("1 labels of gold have the score 0" in str(one) for one in report.warnings)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", FAMILIES)
def test_a_named_index_is_a_column(kind):
    _, _, rows, others = FAMILIES[kind]
    columns = {"labels": ["id", "label"], "triples": ["id", *SLOTS], "concepts": ["id", "concept"]}[kind]
    frame, other = (pd.DataFrame(some, columns=columns) for some in (rows, others))
    moved = frame.assign(id=frame["id"].map({"d1": "d2", "d2": "d1"}))
    for names in (["id"], ["id", columns[1]], columns):
        for gold in (frame, frame.set_index(names)):
            assert f1(kind, frame.set_index(names), gold) == 1
            assert f1(kind, other.set_index(names), gold) == f1(kind, moved.set_index(names), gold) == 0


def test_an_index_does_not_hide_a_column():
    frame = pd.DataFrame({"child": ["cat"], "parent": ["pet"]}, index=pd.Index(["dog"], name="child"))
    assert goldassay.read(frame).item(0) == "cat -> pet"


def test_what_a_graph_of_networkx_says_may_have_no_text():
    graph = nx.DiGraph()
    graph.add_node("cat", label=object(), age=[len])
    graph.add_edge("cat", "pet", made_by=print)
    assert goldassay.read(graph).item(0) == "cat -> pet"
