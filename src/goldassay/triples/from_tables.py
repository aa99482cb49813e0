"""Tables to documents: one triple a row, or the records of whole documents; also what GraphRAG and Neo4j export.

Rows of triples are checked by the same expressions in this process and on an engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.core.errors import InputError, RecordError
from goldassay.core.intern import as_names, numbered
from goldassay.core.lazy import Engine, Frame
from goldassay.formats import Source, load, texts
from goldassay.formats.records import Lines, in_blocks
from goldassay.formats.roles import TRIPLES, Chooser, bare
from goldassay.formats.rows import names_in, records_of
from goldassay.formats.rows import read_table as read_rows
from goldassay.formats.tables import HERE, ROW, Flaw, Table, expressions, sifted, stripped, texts_of
from goldassay.triples.batch import MISSING, SLOTS, UNWEIGHTED, Batch, Numbers
from goldassay.triples.nodes import nodes_of
from goldassay.triples.reading import TriplesReading
from goldassay.triples.records import GRAPH, Records, Rows, types_of
from goldassay.triples.statements import BAD_WEIGHT, HALF, XSD, Reader

if TYPE_CHECKING:
    import polars as pl

TEXT_UNITS = "text_unit_ids"
NEO4J = ("_start", "_end", "_type")
COLUMNS = ("id", *SLOTS)
NO_TYPES: Mapping[str, str] = MappingProxyType({})
NATIVE = (*COLUMNS, "weight")
"""Numbers of Parquet are read as what they are: the datatype of a value is compared, too."""


def read_table(source: Source, name: str, reader: Reader, reading: TriplesReading) -> Batch:
    """Read a table: rows of triples, rows of documents with lists of triples, or what a builder of graphs writes.

    Which of these it is, is settled by the names of its columns alone. A row with an id and nothing else is a document without
    triples. Without a column of ids all rows are one graph.

    Raises:
        InputError: If it is not known which columns are which.
    """
    names = [column.strip() for column in names_in(source, name)]
    if set(NEO4J) <= set(names):
        _neo4j(source, name, reader)
    elif TEXT_UNITS in names:
        return _graphrag(source, name, names, reader)
    elif has_lists(names) and not any(reading.columns.values()) and not TRIPLES.recognises(names):
        rows = (
            (line, {key: value for key, value in row.items() if value is not None}, at)
            for line, row, at in records_of(source, name, reader.bad)
        )
        Records(reader).documents(in_blocks(rows))
    else:
        return _batch_of(_table(source, name, reading.chooser(source.path), reader), reader)
    return reader.documents.batch()


def _table(source: Source, name: str, choose: Chooser, reader: Reader) -> Table:
    """Read rows of triples; a row with several ids is one of each document."""
    import polars as pl

    table = read_rows(source, name, choose, reader.bad, numbers=NATIVE, lists=NATIVE)
    reader.warnings += table.warnings
    if isinstance(table.frame.schema.get("id"), pl.List):
        some = pl.when(pl.col("id").list.len() == 0).then(pl.lit([GRAPH])).otherwise("id")
        table = replace(table, frame=table.frame.with_columns(some.cast(pl.List(pl.String))).explode("id"))
    return table


def has_lists(names: Iterable[str]) -> bool:
    """Say whether a table has a column with the triples of whole documents.

    Example:
        >>> has_lists(["id", "Triples"]), has_lists(["subject", "object"])
        (True, False)
    """
    return not {"triples", "triplets"}.isdisjoint(map(bare, names))


def checked(frame: Frame, engine: Engine) -> tuple[Frame, list[Flaw]]:
    """Mark rows that have only an id (``alone``), and list what makes rows bad."""
    ex = expressions(engine)
    empty = {slot: ex.col(slot) == "" for slot in SLOTS}
    alone = empty["subject"] & empty["predicate"] & empty["object"]
    halves = [Flaw(empty[slot] & ~ex.col("alone"), partial(_half, slot)) for slot in SLOTS]
    return frame.with_columns(alone=alone), [Flaw(ex.col("id") == "", _nameless), *halves]


def _nameless(row: Mapping[str, Any]) -> RecordError:
    found = [row[name] for name in COLUMNS]
    return RecordError("A row has no id.", found=repr(found), expected="the id of a document")


def _half(missing: str, row: Mapping[str, Any]) -> RecordError:
    found = [row[slot] for slot in SLOTS]
    return RecordError(HALF.format(missing), found=repr(found), expected="subject, predicate and object")


def _bad_weight(row: Mapping[str, Any]) -> RecordError:
    found = {name: row[name] for name in (*SLOTS, "weight")}
    return RecordError(BAD_WEIGHT, found=repr(found), expected="for example 0.5")


def _batch_of(table: Table, reader: Reader, types: Mapping[str, str] = NO_TYPES) -> Batch:
    """Read rows of which each is a triple, or only an id, column by column; if a slot is a node, or both ends are ids, row by row."""
    import polars as pl

    kinds = table.frame.schema
    if any(kinds[slot].is_nested() for slot in SLOTS) or all(kinds[end].is_numeric() for end in SLOTS[::2]):
        here: Any = table.frame
        rows: Any = stripped(here, HERE)
        placed = zip(map(table.line, range(len(rows))), rows.rows(named=True), table.input_rows.tolist(), strict=True)
        Rows(reader).read(in_blocks(placed))
        return reader.documents.batch()
    given = table.frame if "id" in table.roles else table.frame.with_columns(pl.lit(GRAPH).alias("id"))
    names: Any = given.select(COLUMNS)
    frame: Any = stripped(texts_of(names, {}, path=table.path, engine=HERE), HERE)
    numbers = texts.numbers_of(given["weight"], absent=UNWEIGHTED) if "weight" in table.roles else np.ones(len(given))
    bad_weight = ~((numbers >= 0) & (numbers < np.inf))
    frame = (
        frame.with_columns(given.drop(COLUMNS)).with_row_index("at").with_columns(pl.Series("bad_weight", bad_weight))
    )
    marked: Any
    marked, flaws = checked(frame, HERE)
    flaws.insert(1, Flaw(pl.col("bad_weight") & ~pl.col("alone"), _bad_weight))
    good: Any = sifted(marked, flaws, path=table.path, bad=reader.bad, engine=HERE, line_of=table.line_of)[0]
    # A half triple is an answer, and no right one; a document without triples is one, too.
    rows = marked.filter(pl.col("id") != "")
    ids, (owners,) = numbered(rows["id"])
    readable = np.ones(len(ids), dtype=np.bool_)
    readable[owners[~rows["at"].is_in(good["at"].implode()).to_numpy()]] = False
    firsts = np.zeros(len(ids), dtype=np.int64)
    firsts[owners[::-1]] = np.arange(len(rows))[::-1]
    order = np.flatnonzero(~rows["alone"].to_numpy())
    order = order[np.argsort(owners[order], kind="stable")]
    spelt, codes = texts.numbered_by_rows(*(rows[slot] for slot in SLOTS), rows=order)
    at = rows["at"].to_numpy()[order]
    numbers_of_types = {name: number for number, name in enumerate(types)}
    kind_of = np.array([numbers_of_types.get(text, MISSING) for text in spelt], dtype=np.int64)
    ends = np.column_stack([np.repeat(owners[order], 2), codes[:, ::2].ravel()])
    ends = np.unique(ends[kind_of[ends[:, 1]] > MISSING], axis=0)
    return Batch(
        ids=as_names(ids).tolist(),
        texts=[""] * len(ids),
        lines=Lines(cache(lambda: [table.line(row) or 0 for row in rows["at"].gather(firsts)]), range(len(ids))),
        readable=readable,
        counts=np.ones(len(ids), dtype=np.int64),
        sizes=np.bincount(owners[order], minlength=len(ids)),
        slots=codes,
        rows=rows[ROW].to_numpy()[order],
        weights=np.where(bad_weight, UNWEIGHTED, numbers)[at],
        datatypes=_datatypes(given["object"])[at],
        types=np.column_stack([ends, kind_of[ends[:, 1]]]),
        names=spelt,
        known_datatypes=(XSD[int], XSD[float]),
        known_types=list(types.values()),
    )


def _datatypes(objects: pl.Series) -> Numbers:
    """Give each number the datatype that it has in JSON: a whole one is an integer."""
    import polars as pl

    if objects.dtype == pl.String:
        return np.full(len(objects), MISSING)
    numbers = texts.numbers_of(objects, absent=np.nan)
    return np.where(np.isnan(numbers), MISSING, np.where(numbers % 1 == 0, 0, 1))


def _graphrag(source: Source, name: str, columns: Sequence[str], reader: Reader) -> Batch:
    """Read relationships of GraphRAG, which has no predicates: what it says of one stands for it."""
    roles = dict(zip(COLUMNS, (TEXT_UNITS, "source", "description", "target"), strict=True))
    if not set(roles.values()) <= set(columns):
        raise InputError(
            "This table of GraphRAG has no relationships.",
            path=source.path,
            found=f"the columns {', '.join(columns)}"[:200],
            expected="source, target, description, text_unit_ids",
            hint="name relationships.parquet; the types of entities.parquet beside it are read too",
        )
    table = _table(source, name, TRIPLES.chooser(source.path, roles), reader)
    return _batch_of(table, reader, _types_beside(source, reader))


def _types_beside(source: Source, reader: Reader) -> dict[str, str]:
    """Read the types of entities from the table that GraphRAG writes beside its relationships, if it is there."""
    path = Path(source.path).with_name("entities.parquet")
    if not path.is_file():
        return {}
    rows = (row for _, row, _ in records_of(load(path), "parquet", reader.bad))
    return {str(row["title"]): str(row["type"]) for row in rows if row.get("title") and row.get("type")}


def _neo4j(source: Source, name: str, reader: Reader) -> None:
    """Read ``apoc.export.csv``: rows of nodes, then rows of relationships; they are one graph."""
    nodes: list[dict[str, str]] = []
    triples = []
    for _, row, place in records_of(source, name, reader.bad):
        if row.get("_type"):
            triples.append((place, [row.get("_start"), row["_type"], row.get("_end")]))
            continue
        called = next((str(row[key]) for key in ("name", "title", "id") if row.get(key)), "")
        kind = str(row.get("_labels") or "").strip(":").partition(":")[0]
        nodes.append(
            {"id": str(row.get("_id")), **({"name": called} if called else {}), **({"type": kind} if kind else {})}
        )
    found = nodes_of(nodes)
    graph = reader.documents.called(GRAPH)
    for entity, kind in types_of(found).items():
        reader.documents.type(graph, entity, kind)
    for place, triple in triples:
        reader.read(graph, [triple], line=None, nodes=found, row=place)
