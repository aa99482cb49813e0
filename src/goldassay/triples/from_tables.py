"""Tables to answers: one triple a row, or the records of whole documents; also what GraphRAG and Neo4j export."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from goldassay.core.errors import InputError
from goldassay.formats import Source, first_row
from goldassay.formats.source import text_of
from goldassay.formats.tables import parquet_frame, separator_of
from goldassay.triples.from_lines import answer_of
from goldassay.triples.model import SLOTS, Answer
from goldassay.triples.statements import Reader, role_of

GRAPH = "1"
TEXT_UNITS = "text_unit_ids"
NEO4J = ("_start", "_end", "_type")
LONGEST_CELL = 2**31 - 1


def read_table(source: Source, name: str, reader: Reader) -> Iterator[Answer]:
    """Read a table: columns id, subject, predicate, object by name or in this order, or the columns of a builder.

    A row with an id and nothing else is a document without triples. Without a column of ids all rows are one graph.

    Raises:
        InputError: If it is not known which columns are which.
    """
    if name == "parquet":
        frame = parquet_frame(source)
        rows: Iterator[tuple[int | None, Mapping[str, Any]]] = ((None, row) for row in frame.iter_rows(named=True))
        columns = frame.columns
    else:
        columns, rows = _rows(source, name)
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
    missing = [slot for slot in SLOTS if roles[slot] is None]
    if missing:
        raise InputError(
            f"No column is known to be the {missing[0]}.",
            path=path,
            line=1,
            found=", ".join(columns),
            expected="columns id, subject, predicate, object",
            hint="name them in the first row",
        )
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


def _rows(source: Source, name: str) -> tuple[list[str], Iterator[tuple[int | None, Mapping[str, Any]]]]:
    columns = first_row(source, name)
    named = all(role_of(columns, slot) for slot in SLOTS) or set(NEO4J) <= set(columns)
    if not named:
        by_order = {3: [*SLOTS], 4: ["id", *SLOTS]}
        if len(columns) not in by_order:
            raise InputError(
                f"The table has {len(columns)} columns, and no header says which is which.",
                path=source.path,
                line=1,
                found=repr(columns)[:120],
                expected="subject, predicate, object; or id, subject, predicate, object",
                hint="name the columns in the first row",
            )
        columns = by_order[len(columns)]
    return columns, _cells(source, name, columns, skip=named)


def _cells(
    source: Source, name: str, columns: Sequence[str], *, skip: bool
) -> Iterator[tuple[int | None, Mapping[str, Any]]]:
    csv.field_size_limit(LONGEST_CELL)
    rows = csv.reader(
        io.StringIO(text_of(source), newline="\n"),
        delimiter=separator_of(source, name),
        quoting=csv.QUOTE_MINIMAL if name == "csv" else csv.QUOTE_NONE,
    )
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if skip:
            skip = False
            continue
        if len(row) > len(columns):
            raise InputError(
                f"The row has {len(row)} cells where the table has {len(columns)} columns.",
                path=source.path,
                line=rows.line_num,
                found=repr(row)[:120],
                expected=", ".join(columns),
                hint="put a cell that holds the separator in quotes",
            )
        yield rows.line_num, dict(zip(columns, (cell.strip() for cell in row), strict=False))
