"""Given concepts of documents on an engine: lists in cells, and exact matching within documents as joins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from goldassay.concepts.formats.given import (
    describe_place,
    duplicate_id_error,
    id_of,
    key_of,
    missing,
    parse_lists,
    unreadable,
)
from goldassay.concepts.formats.parts import DocumentColumns, columns_of, sides_of
from goldassay.concepts.measures.concept import Concept, note_recall_above_1
from goldassay.concepts.model import Concepts
from goldassay.concepts.reading import ConceptReading
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import EmptyInputError, InputError, RecordError, UsageError
from goldassay.core.lazy import Cluster, Engine, EngineCounts, EngineScoring, Frame, LazyDocuments, sums_of
from goldassay.core.libraries import nw
from goldassay.formats.batches import GivenVectors, matrix, tables
from goldassay.formats.choose_columns import Choice
from goldassay.formats.lazy import SIDES, LazyTable, nonzero_counts, sum_documents, verdicts
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import check_names
from goldassay.formats.tables import RowCheck, distinct_rows, map_texts, rows_in, validate_rows

KEYS = ("id", "concept")
TOGETHER = 65_536
"""Concepts that a worker holds at once, beyond those of one document."""
BETWEEN, BROKEN = "\x1f", "\ufffe"
"""The separator of the concepts of a cell, which is white space, and the mark before one that cannot be read."""


class LazyConcepts(LazyDocuments):
    """Concepts on an engine, each once a document: the columns id and concept, as it is compared."""


def read_lazily(table: LazyTable, reading: ConceptReading, engine: Engine) -> LazyConcepts:
    """Make documents of a table with a column of ids and one of lists of texts."""
    columns = _columns(table, reading)
    given, identifier = table.names.index(columns.concepts or ""), table.names.index(columns.id or "")
    _refuse_absent(table, columns, engine)
    places = {"id": identifier, "concepts": given}
    called, sides = {role: table.names[at] for role, at in places.items()}, sides_of(places, reading, None)
    unread = {name: at for at, name in enumerate(table.names) if sides and at not in places.values()}
    frame = table.chosen(Choice(places, called=called, sides=sides, unread=unread), engine, lists=("concepts",))
    empty = RowCheck(nw.col("id") == "", lambda row: _unreadable("id", columns, repr(row["id"])))
    frame, sums = validate_rows(frame, [empty], bad=BadRecords(), engine=engine)
    long = map_texts(_expand_lists(frame, engine, fold=reading.fold), ["id"], id_of, engine)
    ids = engine.materialize(map_texts(frame.select("id"), ["id"], id_of, engine))
    repeated = engine.rows(distinct_rows(ids, "id", n=nw.len()).filter(nw.col("n") > 1).head(1))
    if repeated:
        error = duplicate_id_error(repeated[0]["id"], path=table.path)
        error.hint = "leave out --engine if each row has one concept"
        raise error
    broken = RowCheck(
        nw.col("concept").str.starts_with(BROKEN),
        lambda row: _unreadable("concepts", columns, row["concept"].removeprefix(BROKEN)),
    )
    long, found = validate_rows(long, [broken], bad=BadRecords(), engine=engine)
    items = engine.materialize(distinct_rows(long, *KEYS))
    size = rows_in(items, engine)
    if not sums["rows"]:
        raise EmptyInputError("The file contains no document.", expected="at least one record")
    return LazyConcepts(
        frame=items,
        size=size,
        documents=ids,
        path=table.path,
        format=table.format,
        left_out=nonzero_counts(duplicates=found["rows"] - size),
        facts={"documents": sums["rows"]},
        choices={"concepts": "given,folded" if reading.fold else "given"},
        warnings=tuple(table.warnings),
    )


def _columns(table: LazyTable, reading: ConceptReading) -> DocumentColumns:
    names = check_names(table.names)
    columns = columns_of(dict.fromkeys(names, ""), reading, chosen=None, path=table.path)
    if columns.concepts is None or columns.id is None or columns.text is not None:
        raise InputError(
            "On an engine, concepts must be given; extraction from text is not supported.",
            found=", ".join(table.names)[:200],
            expected="the columns id and concepts, and no texts",
            hint="leave out --engine",
        )
    return columns


def _unreadable(role: str, columns: DocumentColumns, fault: str) -> RecordError:
    return unreadable(role, getattr(columns, role), fault, "a row")


def _refuse_absent(table: LazyTable, columns: DocumentColumns, engine: Engine) -> None:
    """Refuse a row without concepts: an empty list is written as such."""
    identifier, given = (str(table.names.index(name or "")) for name in (columns.id, columns.concepts))
    frame = table.with_absent().select(id=nw.col(identifier), given=nw.col(given)).filter(nw.col("given").is_null())
    # A blank line is no row.
    rows = engine.rows((frame.filter(nw.col("id").str.strip_chars() != "") if table.lines else frame).head(1))
    if rows:
        error = _unreadable("concepts", columns, "null")
        if table.lines:
            error = missing("concepts", columns.concepts or "", f"the row of {rows[0]['id']!r} has", [columns.id or ""])
        error.path, error.hint = table.path, "an empty list is []"
        raise error


def _expand_lists(frame: Frame, engine: Engine, *, fold: bool) -> Frame:
    """Return a row for each concept of each list, which may be written as text in a cell."""
    kind = frame.collect_schema()["concepts"]
    if isinstance(kind, nw.List) and kind.inner == nw.String:
        long = frame.filter(nw.col("concepts").list.len() > 0).explode("concepts")
        concept = nw.col("concepts").fill_null(f"{BROKEN}{describe_place(None)}")
        return map_texts(long.select("id", concept=concept), ["concept"], _keys(fold=fold), engine)
    if isinstance(kind, nw.List):
        frame = frame.with_columns(concepts=nw.lit(f"{BROKEN}among them a value of the type {kind.inner}"))
    parsed = engine.map_rows(frame, "concepts", "listed", _keys(fold=fold, in_cell=True))
    long = parsed.with_columns(concept=nw.col("listed").str.split(BETWEEN)).explode("concept")
    return long.select("id", "concept").filter(nw.col("concept") != "")


def _keys(*, fold: bool, in_cell: bool = False) -> Callable[[str], str]:
    """Return what writes the concepts of a cell one after the other as they are compared, or what is wrong with them."""

    def keys(cell: str) -> str:
        if cell.startswith(BROKEN):
            return cell
        lists, faults = parse_lists([cell]) if in_cell else ([[cell]], {})
        if faults:
            return BROKEN + faults[0]
        odd = [one for one in lists[0] if not isinstance(one, str)]
        if odd:
            return f"{BROKEN}{describe_place(odd[0])}, which no engine reads"
        try:
            return BETWEEN.join(key_of(one.replace(BETWEEN, " "), fold=fold) for one in lists[0])
        except ValueError as error:
            return f"{BROKEN}{error}"

    return keys


def count_near(
    measure: Concept, pred: LazyConcepts, gold: LazyConcepts, engine: Cluster, context: Context
) -> EngineCounts:
    """Count the concepts that are near one of the other side in the same document: each worker scores whole documents."""
    if measure.assignment == "one":
        raise UsageError(f"{measure}: one-to-one matching is not supported on an engine.", hint="leave out --engine")
    if "given" not in {side.choices["concepts"] for side in (pred, gold)} or pred.choices != gold.choices:
        raise UsageError("Folded concepts cannot be compared by meaning on an engine.", hint="leave out --engine")
    both = nw.concat([
        side.frame.select(*KEYS, side=nw.lit(name)) for name, side in zip(SIDES, (pred, gold), strict=True)
    ])  # fmt: skip
    texts = distinct_rows(both.select(text=nw.col("concept")), "text")
    vectors = engine.encode_texts(texts, context.require_encoder()).select("vector", concept=nw.col("text"))
    found = engine.materialize(
        engine.through(
            both.join(vectors, on="concept", how="inner"),
            partial(_near_concepts, measure=measure, memory=context.memory),
            dict.fromkeys(("side", *KEYS), "string"),
            together=("id",),
        )
    )
    here, there = (found.filter(nw.col("side") == name).select(*KEYS) for name in SIDES)
    documents, times = sum_documents(measure, pred, gold, (here, there), engine)
    return EngineCounts(
        counts=Counts(sums_of(documents, times)),
        evidence=partial(verdicts, pred.frame, gold.frame, (here, there), KEYS, KEYS),
        note=note_recall_above_1(documents["sum_recall"], times),
    )


def _near_concepts(batches: Iterator[Any], measure: Concept, memory: int) -> Iterator[Any]:
    """List the concepts of documents that are hit."""
    import pyarrow as pa

    for table in tables(batches, "id", TOGETHER, parted=False):
        rows = table.select(["side", *KEYS]).to_pylist()
        models = []
        for name in SIDES:
            documents: dict[str, list[str]] = {}
            for row in rows:
                documents.setdefault(row["id"], []).extend([row["concept"]] if row["side"] == name else [])
            models.append(Concepts.from_lists(documents))
        context = Context(
            encoder=GivenVectors([row["concept"] for row in rows], matrix(table.column("vector"))), memory=memory
        )
        matching = measure.match(pred=models[0], gold=models[1], context=context)
        for name, model, side in zip(SIDES, models, (matching.pred, matching.gold), strict=True):
            hit = np.flatnonzero(side.credit > 0)
            keys = [model.ids[model.documents()[hit]].tolist(), model.keys[model.words[hit]].tolist()]
            columns = [pa.array([name] * len(hit), pa.string()), *(pa.array(one, pa.string()) for one in keys)]
            yield pa.RecordBatch.from_arrays(columns, names=["side", *KEYS])


LAZILY = EngineScoring(
    read=read_lazily,
    count_near={Concept: count_near},
    idle=("dictionary", "spacy", "abbreviations", "longest", "terms", "on_unpaired", "header", "on_error"),
)
"""How concepts of documents are scored on an engine."""
