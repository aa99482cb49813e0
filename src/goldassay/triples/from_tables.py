"""Tables to answers: one triple a row, or the records of whole documents; also what GraphRAG and Neo4j export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from goldassay.core.errors import InputError
from goldassay.formats import Source, load
from goldassay.formats.parquet import BAD_PARQUET, scan_parquet
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import WHITE, at_once, delimited, no_columns, objects_of, records_of
from goldassay.formats.trouble import polars_errors
from goldassay.triples.answers import SLOTS, Answer, Batch
from goldassay.triples.batches import rows_at_once
from goldassay.triples.from_lines import answer_of
from goldassay.triples.statements import Reader, role_of

GRAPH = "1"
TEXT_UNITS = "text_unit_ids"
NEO4J = ("_start", "_end", "_type")
EXPECTED = "id, subject, predicate, object"
Placed: TypeAlias = tuple[int | None, Mapping[str, Any], int]
"""The line of a row, None where there are no lines; its cells by column name; and its place in the table, from 0."""
BY_ORDER: Mapping[int, Sequence[str]] = {3: SLOTS, 4: ("id", *SLOTS)}


def read_table(source: Source, name: str, reader: Reader) -> Iterator[Answer | Batch]:
    """Read a table: columns id, subject, predicate, object by name or in this order, or the columns of a builder.

    A row with an id and nothing else is a document without triples. Without a column of ids all rows are one graph.

    Raises:
        InputError: If it is not known which columns are which.
    """
    if name == "json-lines":
        records = list(_triple_a_line(source, reader))
        keys = dict.fromkeys(key for _, row, _ in records for key in row)
        yield from _grouped(iter(records), _roles(list(keys), source.path), reader, {})
        return
    batch = _at_once(source, name)
    if batch is not None:
        yield batch
        return
    rows = iter(records_of(source, name, reader.bad) if name == "parquet" else _rows(source, name, reader))
    first = next(rows, None)
    if first is None:
        return
    rows, columns = chain([first], rows), list(first[1])
    if set(NEO4J) <= set(columns):
        yield _neo4j(rows, reader)
        return
    if "triples" in (column.lower() for column in columns):
        numbered = enumerate(rows, start=1)
        yield from (answer_of(_plain(row), number, line, reader, row=at) for number, (line, row, at) in numbered)
        return
    roles = _roles(columns, source.path)
    yield from _grouped(rows, roles, reader, _types_beside(source, reader) if TEXT_UNITS in columns else {})


def _at_once(source: Source, name: str) -> Batch | None:
    """Read a table of which each row is a whole triple, or an id alone; None if it is no such table."""
    import polars as pl

    if name == "parquet":
        with polars_errors(source.path, BAD_PARQUET):
            frame = scan_parquet(source).collect()
        lines: Sequence[int | None] = [None] * len(frame)
    else:
        _, cells, _ = next(delimited(source, name, BadRecords(on_error="skip")), (0, [], 0))
        whole = at_once(source, name, len(cells))
        if whole is None:
            return None
        names = [cell.strip() for cell in cells]
        named = all(role_of(names, slot) for slot in SLOTS)
        columns = names if named else BY_ORDER.get(len(names), ())
        if len(set(columns)) != whole.width:
            return None
        frame = whole[int(named) :].select(pl.all().str.strip_chars(WHITE))
        frame.columns = list(columns)
        lines = range(1 + named, 1 + len(whole))
    roles = {role: role_of(frame.columns, role) for role in ("id", *SLOTS)}
    if role_of(frame.columns, "weight") or set(NEO4J) <= set(frame.columns) or TEXT_UNITS in frame.columns:
        return None
    if any(column is None or frame.schema[column] != pl.String for column in roles.values()):
        return None
    return rows_at_once(frame.select(pl.col(column or "").alias(role) for role, column in roles.items()), lines)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


def _roles(columns: Sequence[str], path: str) -> dict[str, str | None]:
    if TEXT_UNITS in columns and not {"source", "target"} <= set(columns):
        raise InputError(
            "This table of GraphRAG has no relationships.",
            path=path,
            found=f"the columns {', '.join(columns)}"[:200],
            expected="source, target, description, text_unit_ids",
            hint="name relationships.parquet; the types of entities.parquet beside it are read too",
        )
    if TEXT_UNITS in columns:
        # GraphRAG has no predicates: what it says of a relationship stands for one.
        graphrag = {"id": TEXT_UNITS, "subject": "source", "predicate": "description", "object": "target"}
        return {**graphrag, "weight": role_of(columns, "weight")}
    roles = {role: role_of(columns, role) for role in ("id", *SLOTS, "weight")}
    if any(roles[slot] is None for slot in SLOTS):
        raise no_columns(columns, EXPECTED, path)
    return roles


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
        triple = [row.get(roles[slot] or "") for slot in SLOTS]
        names = identifier if isinstance(identifier, list) else [identifier]
        for one in names or [GRAPH]:
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
    names: dict[str, str] = {}
    types: dict[str, str] = {}
    triples, places = [], []
    for _, row, place in rows:
        if row.get("_type"):
            places.append(place)
            triples.append([row.get("_start"), row["_type"], row.get("_end")])
            continue
        identifier = str(row.get("_id"))
        names[identifier] = str(row.get("name") or row.get("title") or row.get("id") or identifier)
        kind = str(row.get("_labels") or "").strip(":").partition(":")[0]
        if kind:
            types[names[identifier]] = kind
    return reader.answer(GRAPH, [triples], types=types, names=names, rows=places)


def is_triple(record: object) -> bool:
    """Say whether an object of JSON is one triple, and not a document with its triples.

    Example:
        >>> is_triple({"sub": "Oslo", "rel": "capital of", "obj": "Norway"}), is_triple({"id": 1, "triples": []})
        (True, False)
    """
    return isinstance(record, Mapping) and all(role_of(record, slot) for slot in SLOTS) and not _lists_triples(record)


def _lists_triples(record: Mapping[str, Any]) -> bool:
    return any(role_of(record, role) for role in ("triples", "references"))


def _triple_a_line(source: Source, reader: Reader) -> Iterator[Placed]:
    """Read JSON Lines of which each is a triple, by the roles of its keys."""
    for line, record, place in objects_of(source, reader.bad):
        if _lists_triples(record):
            keys = f"the keys {', '.join(record)}"
            reader.fault("The line is a document among lines of triples.", line=line, found=keys, expected=EXPECTED)
            continue
        keys_of = {role: role_of(record, role) for role in ("id", *SLOTS, "weight")}
        yield line, {role: record[key] for role, key in keys_of.items() if key is not None}, place


def _rows(source: Source, name: str, reader: Reader) -> Iterator[Placed]:
    """Read the rows of CSV or TSV by the names of the columns, or by their order where none is a known name."""
    rows = delimited(source, name, reader.bad)
    line, cells, _ = next(rows, (0, [], 0))
    head = 1
    columns: Sequence[str] = [cell.strip() for cell in cells]
    if not (all(role_of(columns, slot) for slot in SLOTS) or set(NEO4J) <= set(columns)):
        if len(columns) not in BY_ORDER:
            raise no_columns(columns, EXPECTED, source.path)
        columns, rows, head = BY_ORDER[len(columns)], chain([(line, cells, 0)], rows), 0
    yield from (
        (line, dict(zip(columns, map(str.strip, row), strict=False)), place - head) for line, row, place in rows
    )
