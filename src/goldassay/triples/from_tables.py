"""Tables to answers: one triple a row, or the records of whole documents; also what GraphRAG and Neo4j export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from goldassay.formats import Source
from goldassay.formats.rows import delimited, no_columns, records_of
from goldassay.triples.answers import SLOTS, Answer
from goldassay.triples.from_lines import answer_of
from goldassay.triples.statements import Reader, role_of

GRAPH = "1"
TEXT_UNITS = "text_unit_ids"
NEO4J = ("_start", "_end", "_type")
EXPECTED = "id, subject, predicate, object"
BY_ORDER: Mapping[int, Sequence[str]] = {3: SLOTS, 4: ("id", *SLOTS)}


def read_table(source: Source, name: str, reader: Reader) -> Iterator[Answer]:
    """Read a table: columns id, subject, predicate, object by name or in this order, or the columns of a builder.

    A row with an id and nothing else is a document without triples. Without a column of ids all rows are one graph.

    Raises:
        InputError: If it is not known which columns are which.
    """
    rows = iter(records_of(source, name, reader.bad) if name == "parquet" else _rows(source, name, reader))
    first = next(rows, None)
    if first is None:
        return
    rows, columns = chain([first], rows), list(first[1])
    if set(NEO4J) <= set(columns):
        yield _neo4j(rows, reader)
        return
    if "triples" in (column.lower() for column in columns):
        yield from (answer_of(_plain(row), number, line, reader) for number, (line, row) in enumerate(rows, start=1))
        return
    roles = _roles(columns, source.path)
    yield from _grouped(rows, roles, reader)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


def _roles(columns: Sequence[str], path: str) -> dict[str, str | None]:
    if TEXT_UNITS in columns:
        # GraphRAG has no predicates: what it says of a relationship stands for one.
        return {"id": TEXT_UNITS, "subject": "source", "predicate": "description", "object": "target"}
    roles = {role: role_of(columns, role) for role in ("id", *SLOTS)}
    if any(roles[slot] is None for slot in SLOTS):
        raise no_columns(columns, EXPECTED, path)
    return roles


def _grouped(
    rows: Iterator[tuple[int | None, Mapping[str, Any]]], roles: Mapping[str, str | None], reader: Reader
) -> Iterator[Answer]:
    documents: dict[str, list[list[Any]]] = {}
    lines: dict[str, int | None] = {}
    for line, row in rows:
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
                some.append(triple)
    for name, triples in documents.items():
        yield reader.answer(name, [triples], line=lines[name])


def _neo4j(rows: Iterator[tuple[int | None, Mapping[str, Any]]], reader: Reader) -> Answer:
    """Read ``apoc.export.csv``: rows of nodes, then rows of relationships; they are one graph."""
    names: dict[str, str] = {}
    types: dict[str, str] = {}
    triples = []
    for _, row in rows:
        if row.get("_type"):
            triples.append([row["_start"], row["_type"], row["_end"]])
            continue
        identifier = str(row.get("_id"))
        names[identifier] = str(row.get("name") or row.get("title") or row.get("id") or identifier)
        kind = str(row.get("_labels") or "").strip(":").partition(":")[0]
        if kind:
            types[names[identifier]] = kind
    return reader.answer(GRAPH, [triples], types=types, names=names)


def _rows(source: Source, name: str, reader: Reader) -> Iterator[tuple[int | None, Mapping[str, Any]]]:
    """Read the rows of CSV or TSV by the names of the columns, or by their order where none is a known name."""
    rows = delimited(source, name, reader.bad)
    line, cells = next(rows, (0, []))
    columns: Sequence[str] = [cell.strip() for cell in cells]
    if not (all(role_of(columns, slot) for slot in SLOTS) or set(NEO4J) <= set(columns)):
        if len(columns) not in BY_ORDER:
            raise no_columns(columns, EXPECTED, source.path)
        columns, rows = BY_ORDER[len(columns)], chain([(line, cells)], rows)
    yield from ((line, dict(zip(columns, map(str.strip, row), strict=False))) for line, row in rows)
