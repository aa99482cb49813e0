"""Tables to answers: one triple a row, or the records of whole documents; also what GraphRAG and Neo4j export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, load
from goldassay.formats.delimited import WHITE
from goldassay.formats.records import json_records
from goldassay.formats.roles import TRIPLES, bare
from goldassay.formats.rows import names_in, records_of
from goldassay.formats.rows import read_table as read_rows
from goldassay.formats.tables import Table
from goldassay.formats.texts import whole
from goldassay.triples.answers import SLOTS, Answer, Batch
from goldassay.triples.batches import batch_of_rows
from goldassay.triples.nodes import nodes_of
from goldassay.triples.reading import TriplesReading
from goldassay.triples.records import answer_of, types_of
from goldassay.triples.statements import Reader, lists_triples, role_of

GRAPH = "1"
TEXT_UNITS = "text_unit_ids"
NEO4J = ("_start", "_end", "_type")
EXPECTED = "id, subject, predicate, object"
Placed: TypeAlias = tuple[int | None, Mapping[str, Any], int]
"""The line of a row, None where there are no lines; its cells by column name; and its place in the table, from 0."""
NATIVE = ("id", *SLOTS, "weight")
"""Numbers of Parquet are read as what they are: the datatype of a value is compared, too."""


def read_table(source: Source, name: str, reader: Reader, reading: TriplesReading) -> Iterator[Answer | Batch]:
    """Read a table: rows of triples, rows of documents with lists of triples, or what a builder of graphs writes.

    Which of these it is, is settled by the names of its columns alone. A row with an id and nothing else is a document without
    triples. Without a column of ids all rows are one graph.

    Raises:
        InputError: If it is not known which columns are which.
    """
    if name == "json-lines":
        yield from _lines(source, reader)
        return
    names = [column.strip() for column in names_in(source, name)]
    if set(NEO4J) <= set(names):
        yield _neo4j(records_of(source, name, reader.bad), reader)
    elif TEXT_UNITS in names:
        roles = _graphrag(names, source.path)
        yield from _grouped(records_of(source, name, reader.bad), roles, reader, _types_beside(source, reader))
    elif has_lists(names) and not any(reading.columns.values()) and not TRIPLES.recognises(names):
        # A row that could not be read keeps its number.
        rows = records_of(source, name, reader.bad)
        yield from (answer_of(_plain(row), at + 1, line, reader, row=at) for line, row, at in rows)
    else:
        yield from _triples(
            read_rows(source, name, reading.chooser(source.path), reader.bad, numbers=NATIVE, lists=NATIVE), reader
        )


def has_lists(names: Iterable[str]) -> bool:
    """Say whether a table has a column with the triples of whole documents.

    Example:
        >>> has_lists(["id", "Triples"]), has_lists(["subject", "object"])
        (True, False)
    """
    return not {"triples", "triplets"}.isdisjoint(map(bare, names))


def _triples(table: Table, reader: Reader) -> Iterator[Answer | Batch]:
    """Read rows of which each is a triple, or an id alone."""
    import polars as pl

    reader.warnings += table.warnings
    frame = table.frame.select(table.roles).with_columns(pl.selectors.string().str.strip_chars(WHITE))
    if "id" not in frame.columns:
        frame = frame.with_columns(pl.lit(GRAPH).alias("id"))
    # Two numbers as ends are ids, and no names.
    ids = all(frame.schema[slot].is_numeric() for slot in ("subject", "object"))
    if not ids and not any(kind.is_nested() for kind in frame.dtypes):
        yield batch_of_rows(frame, table, reader)
        return
    rows = frame.iter_rows(named=True)
    placed = (
        (table.line(at), row, place)
        for at, (row, place) in enumerate(zip(rows, table.input_rows.tolist(), strict=True))
    )
    yield from _grouped(placed, {role: role if role in frame.columns else None for role in NATIVE}, reader, {})


def _lines(source: Source, reader: Reader) -> Iterator[Answer]:
    """Read JSON of which each line, or member of an array, is a triple."""
    records = list(_triple_a_line(source, reader))
    keys = list(dict.fromkeys(key for _, row, _ in records for key in row))
    places = TRIPLES.chosen(keys, path=source.path, always=True).places
    yield from _grouped(iter(records), {role: role if role in places else None for role in NATIVE}, reader, {})


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


def _graphrag(columns: Sequence[str], path: str) -> dict[str, str | None]:
    """Choose the columns of GraphRAG, which has no predicates: what it says of a relationship stands for one."""
    if not {"source", "target"} <= set(columns):
        raise InputError(
            "This table of GraphRAG has no relationships.",
            path=path,
            found=f"the columns {', '.join(columns)}"[:200],
            expected="source, target, description, text_unit_ids",
            hint="name relationships.parquet; the types of entities.parquet beside it are read too",
        )
    weight = next(iter(TRIPLES.called("weight", columns)), None)
    return {"id": TEXT_UNITS, "subject": "source", "predicate": "description", "object": "target", "weight": weight}


def _types_beside(source: Source, reader: Reader) -> dict[str, str]:
    """Read the types of entities from the table that GraphRAG writes beside its relationships, if it is there."""
    path = Path(source.path).with_name("entities.parquet")
    if not path.is_file():
        return {}
    rows = (row for _, row, _ in records_of(load(path), "parquet", reader.bad))
    return {str(row["title"]): str(row["type"]) for row in rows if row.get("title") and row.get("type")}


def _grouped(
    rows: Iterator[Placed],
    roles: Mapping[str, str | None],
    reader: Reader,
    types: Mapping[str, str],
) -> Iterator[Answer]:
    documents: dict[str, list[Any]] = {}
    weight = roles["weight"]
    lines: dict[str, int | None] = {}
    places: dict[str, list[int]] = {}
    for line, row, place in rows:
        identifier = row.get(roles["id"]) if roles["id"] is not None else GRAPH
        triple = [whole(row.get(roles[slot] or "")) for slot in SLOTS]
        names = identifier if isinstance(identifier, list) else [identifier]
        for one in map(whole, names or [GRAPH]):
            name = str(one).strip() if one is not None else ""
            if not name:
                reader.fault("A row has no id.", line=line, found=list(row.values()), expected="the id of a document")
                continue
            lines.setdefault(name, line)
            some = documents.setdefault(name, [])
            if any(slot not in (None, "") for slot in triple):
                places.setdefault(name, []).append(place)
                some.append(
                    triple if weight is None else {**dict(zip(SLOTS, triple, strict=True)), "weight": row.get(weight)}
                )
    for name, triples in documents.items():
        ends = () if not types else (slot for triple in triples for slot in _cells(triple))
        known = {one: types[one] for one in ends if one in types}
        yield reader.answer(name, [triples], line=lines[name], types=known, rows=places.get(name, ()))


def _cells(triple: Any) -> list[Any]:
    return list(triple.values()) if isinstance(triple, Mapping) else triple


def _neo4j(rows: Iterator[Placed], reader: Reader) -> Answer:
    """Read ``apoc.export.csv``: rows of nodes, then rows of relationships; they are one graph."""
    nodes: list[dict[str, str]] = []
    triples, places = [], []
    for _, row, place in rows:
        if row.get("_type"):
            places.append(place)
            triples.append([row.get("_start"), row["_type"], row.get("_end")])
            continue
        name = next((str(row[key]) for key in ("name", "title", "id") if row.get(key)), "")
        kind = str(row.get("_labels") or "").strip(":").partition(":")[0]
        nodes.append(
            {"id": str(row.get("_id")), **({"name": name} if name else {}), **({"type": kind} if kind else {})}
        )
    found = nodes_of(nodes)
    return reader.answer(GRAPH, [triples], types=types_of(found), nodes=found, rows=places)


def _triple_a_line(source: Source, reader: Reader) -> Iterator[Placed]:
    """Read JSON Lines of which each is a triple, by the roles of its keys."""
    for place, line, record in chain.from_iterable(block.numbered() for block in json_records(source)):
        if isinstance(record, RecordError):
            reader.bad.add(record)
        elif not isinstance(record, dict):
            reader.fault("The line is not a JSON object.", line=line, found=record, expected=EXPECTED)
        elif lists_triples(record):
            keys = f"the keys {', '.join(record)}"
            reader.fault("The line is a document among lines of triples.", line=line, found=keys, expected=EXPECTED)
        else:
            keys_of = {role: role_of(record, role) for role in ("id", *SLOTS, "weight")}
            yield line, {role: record[key] for role, key in keys_of.items() if key is not None}, place
