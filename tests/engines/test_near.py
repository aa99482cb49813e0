"""Measures by meaning over blocks: the verdicts of one machine, however the items are cut."""

import random
from contextlib import nullcontext
from itertools import chain, pairwise

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from tests.engines.in_process import InProcess

import goldassay
from goldassay import evaluation
from goldassay.concepts.lazy import LAZILY as OF_CONCEPTS
from goldassay.concepts.lazy import LazyConcepts
from goldassay.concepts.measures.concept import Concept
from goldassay.core.context import Context
from goldassay.core.errors import EncoderError, UsageError
from goldassay.encoders import CachedEncoder, HashingEncoder
from goldassay.engines.encoding import encode_batches, making
from goldassay.formats.batches import matrix, tables
from goldassay.formats.lazy import LazyTable
from goldassay.graphs import Fuzzy, Nodes, lazy_near
from goldassay.graphs.lazy import LAZILY as OF_GRAPHS
from goldassay.graphs.lazy import LazyGraph

WORDS = ("cat", "cats", "dog", "dogs", "tree", "trees", "house", "big house", "red cat", "heart", "hearts", "marrow")
ENDINGS = ("", "", " x", "y")
ENCODER = HashingEncoder()
SIZES = [
    pytest.param(1000, 1000, 1000, id="one block"),
    pytest.param(4, 5, 7, id="cells and blocks"),
    pytest.param(1000, 5, 1000, id="one cell in parts"),
]


def drawn_edges(r, size):
    rows = [(r.choice(WORDS) + r.choice(ENDINGS), r.choice(WORDS), r.choice(("eats", "likes"))) for _ in range(size)]
    return list(dict.fromkeys(rows))


def lazy_graph(rows):
    columns = [(child, parent, relation, child, parent) for child, parent, relation in rows]
    names = ["source", "target", "relation", "child", "parent"]
    frame = nw.from_native(pl.DataFrame(columns, schema=names, orient="row").lazy())
    return LazyGraph(frame=frame, size=len(rows), path="memory", format="memory", choices={})


def of_one_machine(rows):
    keys = ("subject", "predicate", "object")
    return goldassay.read(
        [dict(zip(keys, (child, word, parent), strict=True)) for child, parent, word in rows], edges="all"
    )


@pytest.mark.parametrize(("worth_cells", "together", "targets"), SIZES)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "measure",
    [
        Fuzzy(threshold=0.6),
        Fuzzy(threshold=0.6, relation="exact"),
        Fuzzy(threshold=1.0, inclusive=True),
        Nodes(threshold=0.7),
    ],
    ids=str,
)
def test_verdicts_are_those_of_one_machine(measure, seed, worth_cells, together, targets, monkeypatch):
    for name, value in {"EDGES_WORTH_CELLS": worth_cells, "TOGETHER": together, "TARGETS": targets}.items():
        monkeypatch.setattr(lazy_near, name, value)
    r = random.Random(seed)  # noqa: S311 - it draws edges
    pred, gold = drawn_edges(r, 60), drawn_edges(r, 40)
    engine = InProcess()
    counted = OF_GRAPHS.count_near[type(measure)](
        measure, lazy_graph(pred), lazy_graph(gold), engine, Context(encoder=ENCODER)
    )
    here = measure.score(pred=of_one_machine(pred), gold=of_one_machine(gold), encoder=ENCODER)
    assert dict(counted.counts) == dict(here.counts)
    assert 0 < counted.counts["hit_pred"] < counted.counts["n_pred"]
    names = ["side", "verdict", *(("id",) if isinstance(measure, Nodes) else ("source", "target", "relation"))]
    verdicts = counted.evidence().to_native().collect().select(names)
    assert sorted(verdicts.rows()) == sorted(here.matching.to_frame().select(names).rows())


def test_the_edges_of_one_child_are_cut_over_several_blocks(monkeypatch):
    for name, value in {"EDGES_WORTH_CELLS": 1000, "TOGETHER": 5, "TARGETS": 10}.items():
        monkeypatch.setattr(lazy_near, name, value)
    sizes, block_of = [], lazy_near.Block.of
    monkeypatch.setattr(
        lazy_near.Block, "of", staticmethod(lambda table, near: sizes.append(len(table)) or block_of(table, near))
    )
    parents = [f"{word}{ending} {number}" for number, word in enumerate(WORDS) for ending in ("", "s", "y", " x", "ly")]
    gold = [("animal", parent, "is") for parent in parents]
    pred = [("animals", f"{parent}s", "is") for parent in parents[::2]] + [("plant", "animal", "is")]
    engine, measure = InProcess(batch=3), Fuzzy(threshold=0.5)
    sides = lazy_graph(list(dict.fromkeys(pred))), lazy_graph(gold)
    counted = OF_GRAPHS.count_near[Fuzzy](measure, *sides, engine, Context(encoder=ENCODER))
    here = measure.score(pred=of_one_machine(pred), gold=of_one_machine(gold), encoder=ENCODER)
    names = ["side", "verdict", "source", "target"]
    verdicts = counted.evidence().to_native().collect().select(names)
    assert sorted(verdicts.rows()) == sorted(here.matching.to_frame().select(names).rows())
    assert {"hit", "missed", "invented"} == set(verdicts["verdict"])
    # No more than the blocks and two batches are in memory.
    assert max(sizes) < 10 + 2 * 3
    assert len(engine.shown) > len(gold) // 10
    assert max(engine.shown) < len(gold) // 2


@pytest.mark.parametrize("relation", ["ignore", "exact"])
def test_self_loops_that_score_are_reported(relation):
    pred = [
        ("cat", "cat", "is"),
        ("cats", "cats", "is"),
        ("dog", "dog", "is"),
        ("tree", "tree", "is"),
        ("cat", "cats", "is"),
    ]
    gold = [("cat", "cats", "is"), ("dog", "dog", "has"), ("house", "house", "is")]
    measure = Fuzzy(threshold=0.5, relation=relation)
    graphs = lazy_graph(pred), lazy_graph(gold)
    counted = OF_GRAPHS.count_near[Fuzzy](measure, *graphs, InProcess(), Context(encoder=ENCODER))
    here = measure.score(pred=of_one_machine(pred), gold=of_one_machine(gold), encoder=ENCODER)
    assert counted.note == here.note
    assert "2 self-loops of the prediction score" in counted.note


class InProcessWithTables(InProcess):
    """A cluster that reads frames of Polars, too."""

    runs_python = True

    def table(self, given, chosen, *, asked, name):
        placed = given.rename({name: str(place) for place, name in enumerate(given.columns)})
        return LazyTable(
            path="memory",
            format="memory",
            names=tuple(given.columns),
            scan=lambda _: nw.from_native(placed.lazy()),
            with_absent=lambda: nw.from_native(placed.lazy()),
        )

    def explain_errors(self, path):
        return nullcontext()


def test_a_threshold_of_another_encoder_is_reported(monkeypatch):
    rows = pl.DataFrame({"child": ["cat"], "parent": ["dog"]})
    engine, measures = InProcessWithTables(), [Fuzzy(), Fuzzy(threshold=0.5)]
    monkeypatch.setattr(evaluation, "engine_of", lambda *_, **__: engine)
    report = goldassay.evaluate(rows, gold=rows, measures=measures, encoder=ENCODER, engine="spark")
    here = goldassay.evaluate(rows, gold=rows, measures=measures, encoder=ENCODER)
    assert report.warnings == [line for line in here.warnings if "calibrated for" in line]
    assert len(report.warnings) == 1


def test_few_items_match_in_one_wave_and_many_are_shown_only_what_may_matter(monkeypatch):
    r = random.Random(3)  # noqa: S311 - it draws edges
    sides = [lazy_graph(drawn_edges(r, size)) for size in (60, 40)]
    engine = InProcess()
    OF_GRAPHS.count_near[Fuzzy](Fuzzy(threshold=0.6), *sides, engine, Context(encoder=ENCODER))
    assert engine.shown == []
    monkeypatch.setattr(lazy_near, "TOGETHER", 5)
    counted = OF_GRAPHS.count_near[Fuzzy](Fuzzy(threshold=0.6), *sides, engine, Context(encoder=ENCODER))
    # Pairs of texts: all of gold for the prediction, and for gold what of the prediction is hit.
    distinct = len({row[:2] for row in sides[1].frame.select("child", "parent").to_native().collect().rows()})
    assert engine.shown[0] == distinct
    assert sum(engine.shown[1:]) <= counted.counts["hit_pred"]


@pytest.mark.parametrize(
    "measure", [Fuzzy(relation="fuzzy"), Fuzzy(assignment="one"), Nodes(assignment="one")], ids=str
)
def test_what_is_for_one_machine_is_refused(measure):
    side = lazy_graph([("a", "b", "is")])
    with pytest.raises(UsageError, match="not supported on an engine"):
        OF_GRAPHS.count_near[type(measure)](measure, side, side, InProcess(), Context(encoder=ENCODER))


def test_duckdb_says_which_engine_scores_it():
    pytest.importorskip("duckdb")
    with pytest.raises(UsageError, match="use --engine spark"):
        goldassay.evaluate([("a", "b")], gold=[("a", "b")], measures="fuzzy", encoder="hashing", engine="duckdb")


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
@pytest.mark.parametrize(
    ("kind", "measure"),
    [
        ("taxonomy", "anchored(threshold=0.436)"),
        ("taxonomy", "anchored(threshold=0.5, of=closure, relation=exact)"),
        ("taxonomy", "anchored(threshold=0.5, mutual=true)"),
        ("taxonomy", "anchored(threshold=0.5, assignment=one)"),
        ("triples", "triples(names=anchored)"),
    ],
)
def test_anchors_need_all_texts_at_once_and_are_refused_by_name_before_a_file_is_read(
    kind, measure, engine, monkeypatch
):
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    else:
        monkeypatch.setattr(evaluation, "engine_of", lambda *_, **__: InProcessWithTables())
    with pytest.raises(UsageError) as caught:
        goldassay.evaluate(
            "nowhere.csv", gold="nowhere.csv", kind=kind, measures=measure, encoder="hashing", engine=engine
        )
    assert str(caught.value).startswith(f"{measure} is not supported on this engine.")
    known = {"duckdb": "literal", "spark": "fuzzy, literal, nodes"}[engine] if kind == "taxonomy" else "triples"
    assert (caught.value.expected, caught.value.hint) == (known, "leave out --engine")


def lazy_concepts(documents):
    rows = [(name, one) for name, some in documents.items() for one in dict.fromkeys(some)]
    frame = pl.DataFrame(rows, schema={"id": pl.String, "concept": pl.String}, orient="row")
    return LazyConcepts(
        frame=nw.from_native(frame.lazy()),
        size=len(rows),
        documents=nw.from_native(pl.DataFrame({"id": [*documents]}).lazy()),
        path="memory",
        format="memory",
        choices={"concepts": "given"},
    )


@pytest.mark.parametrize("together", [1, 1000])
@pytest.mark.parametrize("measure", [Concept(), Concept(average="micro", recall="symmetric", epsilon=0.5)], ids=str)
def test_concepts_are_those_of_one_machine(measure, together, monkeypatch):
    monkeypatch.setattr("goldassay.concepts.lazy.TOGETHER", together)
    r = random.Random(5)  # noqa: S311 - it draws concepts
    sides = [{f"d{n}": r.sample(WORDS, r.randrange(5)) for n in range(first, first + 8)} for first in (0, 2)]
    sides[0]["several"], sides[1]["several"] = ["dog", "dogs"], ["dog"]
    models = [goldassay.concepts.Concepts.from_lists(side) for side in sides]
    here = measure.score(pred=models[0], gold=models[1], encoder=ENCODER)
    engine, context = InProcess(batch=2), Context(encoder=ENCODER)
    counted = OF_CONCEPTS.count_near[Concept](measure, *map(lazy_concepts, sides), engine, context)
    assert dict(counted.counts) == dict(here.counts)
    assert counted.note == here.note
    assert (here.note is not None) is (measure.recall == "source")
    found = counted.evidence().to_native().collect().select("side", "id", "concept", "verdict").rows()
    table = here.matching.to_frame()
    assert sorted(found) == sorted(
        table.select("side", "document", pl.col("item").str.split(": ").list.last(), "verdict").rows()
    )


def test_folded_concepts_are_refused():
    side = lazy_concepts({"a": ["x"]})
    side.choices["concepts"] = "given,folded"
    with pytest.raises(UsageError, match="Folded concepts"):
        OF_CONCEPTS.count_near[Concept](Concept(), side, side, InProcess(), Context(encoder=ENCODER))


def batches_of(values, size):
    table = pa.table({"cell": values})
    return iter(table.to_batches(max_chunksize=size))


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("most", [1, 2, 4, 100])
def test_equal_rows_stay_together(size, most):
    values = [0, 0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 3]
    given = [table.column("cell").to_pylist() for table in tables(batches_of(values, size), "cell", most, parted=False)]
    assert list(chain(*given)) == values
    assert all(given)
    assert all(before[-1] != after[0] for before, after in pairwise(given))
    parted = [table.column("cell").to_pylist() for table in tables(batches_of(values, size), "cell", most, parted=True)]
    assert list(chain(*parted)) == values
    assert max(map(len, parted)) < most + 2 * size


def test_no_batch_gives_no_table():
    assert list(tables(iter([]), "cell", 3, parted=True)) == []
    assert list(tables(batches_of([], 3), "cell", 3, parted=True)) == []


def test_lists_of_numbers_are_rows():
    column = pa.chunked_array([[[1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]])
    assert matrix(column).tolist() == [[1, 2], [3, 4], [5, 6]]
    assert matrix(column.chunk(1).slice(1)).tolist() == [[5, 6]]


def test_a_worker_makes_an_encoder_once_and_refuses_another_one():
    made = []

    def make():
        made.append(1)
        return ENCODER

    batch = pa.RecordBatch.from_pydict({"text": ["cat", "dog"]})
    given = list(encode_batches(iter([batch, batch]), make, ENCODER.fingerprint))
    given += list(encode_batches(iter([batch]), make, ENCODER.fingerprint))
    assert len(made) <= 1
    assert np.array_equal(matrix(given[2].column("vector")), ENCODER.encode(["cat", "dog"]))
    with pytest.raises(EncoderError, match="A worker has a different encoder") as caught:
        list(encode_batches(iter([batch]), make, "0123456789abcdef" * 4))
    assert caught.value.found == f"hashing-256, {ENCODER.fingerprint[:12]}"
    assert caught.value.expected == "0123456789ab"


def test_the_cache_of_this_machine_is_not_sent(tmp_path):
    assert making(CachedEncoder(ENCODER, tmp_path / "c.sqlite"))() is ENCODER


@pytest.mark.parametrize(
    ("flag", "engine"), [("spark_remote", None), ("spark_vectors", None), ("spark_vectors", "spark-tasks")]
)
def test_what_has_no_effect_on_an_engine_is_refused(flag, engine):
    with pytest.raises(UsageError, match="needs --engine spark"):
        goldassay.evaluate([("a", "b")], gold=[("a", "b")], measures="literal", engine=engine, **{flag: "x"})
