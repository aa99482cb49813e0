"""Tables to documents: one triple a row, or the records of whole documents; also what GraphRAG and Neo4j export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from os.path import isfile
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.core.errors import EmptyInputError, InputError, RecordError, UsageError, name_file
from goldassay.core.lazy import Engine, EngineScoring, LazyDocuments
from goldassay.core.libraries import nw, pl
from goldassay.formats import Source, load, texts
from goldassay.formats.choose_columns import Choice, Chooser
from goldassay.formats.column_names import bare
from goldassay.formats.lazy import LazyTable, nonzero_counts
from goldassay.formats.literals import parse_if_literal
from goldassay.formats.records import BadRecords, group_blocks
from goldassay.formats.roles import TRIPLES
from goldassay.formats.rows import header_below, names_in, records_of, title_warning, warn_of_repeated_heads
from goldassay.formats.rows import read_table as read_rows
from goldassay.formats.tables import (
    HERE,
    ROW,
    Table,
    distinct_rows,
    how_many,
    map_texts,
    numbers_of,
    rows_in,
    texts_of,
    validate_rows,
)
from goldassay.triples.formats.extractions import missing_predicates_warning
from goldassay.triples.formats.neo4j import APOC, has_columns_of_neo4j, is_of_neo4j, read_neo4j
from goldassay.triples.formats.raw import SLOTS, RawDocuments
from goldassay.triples.formats.records import Records
from goldassay.triples.formats.rows import CODES, COLUMNS, GRAPH, add_rows, add_texts, check_rows, rows_of_records
from goldassay.triples.reading import TriplesReading

TEXT_UNITS = "text_unit_ids"
ONE_MACHINE = "leave out --engine: a single machine scores what can be read, and counts the rest"
TANGLED = r"[^!-~ ]|  "
"""What the name of a text may differ in from the text, where nothing but letters and blanks is left out of account."""
NATIVE = (*COLUMNS, "weight")
"""Numbers of Parquet are read as what they are: the datatype of a value is compared, too."""


def read_table(source: Source, raw: RawDocuments) -> None:
    """Read a table: rows of triples, rows of documents with lists of triples, or what a builder of graphs writes."""
    # Which of these it is, depends only on the names of its columns. A row with an id and nothing else is a document
    # without triples. Without a column of ids all rows are one graph.
    name, chosen = raw.format, any(raw.reading.columns.values())
    names = [column.strip() for column in names_in(source, name)]
    known = _is_of_builder(names)
    if name in ("csv", "tsv") and (below := header_below(source, name, names, _is_of_builder, known=known)):
        # The lines above become blank ones, so that those below keep their numbers.
        source = replace(below.source, data=b"\n" * below.before + below.source.data)
        names = [column.strip() for column in below.first.cells]
        raw.warnings += (title_warning(below.before),)
    if not chosen and is_of_neo4j(source, name, names):
        read_neo4j(source, names, raw)
    elif TEXT_UNITS in names:
        _graphrag(source, names, raw)
    elif has_lists(names) and not chosen and not TRIPLES.recognises(names):
        Records(raw).documents(group_blocks(_rows_with_lists(source, raw)))
    else:
        rows_of_table(_table(source, raw.reading.chooser(), raw), raw)


def _table(source: Source, choose: Chooser, raw: RawDocuments) -> Table:
    table = read_rows(source, raw.format, choose, raw.bad, numbers=NATIVE, lists=NATIVE)
    raw.warnings += table.warnings
    return table


def _rows_with_lists(source: Source, raw: RawDocuments) -> Iterator[tuple[int | None, dict[str, Any], int]]:
    """Read rows of documents; in CSV and TSV lists are written as JSON or as Python writes them, and rows may repeat the header."""
    if raw.format not in ("csv", "tsv"):
        for line, row, at in records_of(source, raw.format, raw.bad):
            yield line, {key: value for key, value in row.items() if value is not None}, at
        return
    repeated: list[int] = []
    for line, row, at in records_of(source, raw.format, raw.bad, repeated=repeated):
        yield line, {key: _value_in(cell) for key, cell in row.items() if cell}, at
    if repeated:
        raw.warnings += (warn_of_repeated_heads(len(repeated)),)


def _value_in(cell: str) -> Any:
    """Parse a list or an object; anything else stays as it is."""
    found = parse_if_literal(cell) if cell.lstrip().startswith(("[", "{")) else None
    return cell if found is None else found


def _is_of_builder(names: Iterable[str]) -> bool:
    """Return whether columns are those of documents with lists of triples, of GraphRAG or of Neo4j, which have readers of their own."""
    stripped = [name.strip() for name in names]
    return has_lists(stripped) or TEXT_UNITS in stripped or has_columns_of_neo4j(stripped)


def has_lists(names: Iterable[str]) -> bool:
    """Return whether a table has a column with the triples of whole documents."""
    return not {"triples", "triplets"}.isdisjoint(map(bare, names))


def _graphrag(source: Source, columns: Sequence[str], raw: RawDocuments) -> None:
    """Read relationships of GraphRAG, which has no predicates: what it says of one stands for it, unless another column is named."""
    defaults = dict(zip(COLUMNS, (TEXT_UNITS, "source", "description", "target"), strict=True))
    roles = defaults | {role: column for role, column in raw.reading.columns.items() if column is not None}
    if raw.reading.predicate_column is None:
        raw.warnings += (missing_predicates_warning("column 'description'"),)
    if not set(roles.values()) <= set(columns):
        raise InputError(
            "This table of GraphRAG has no relationships.",
            found=f"the columns {', '.join(columns)}"[:200],
            expected="source, target, description, text_unit_ids",
            hint="name relationships.parquet; the types of entities.parquet in the same folder are read too",
        )
    table = _table(source, TRIPLES.chooser(roles), raw)
    rows_of_table(table, raw, _types_next_to(source, raw))


def _types_next_to(source: Source, raw: RawDocuments) -> dict[str, str]:
    """Read the types of entities from the table that GraphRAG writes next to its relationships, if it is there."""
    path = Path(source.path).with_name("entities.parquet")
    if not isfile(path):
        return {}
    with name_file(path):
        rows = (row for _, row, _ in records_of(load(path), "parquet", raw.bad))
        return {str(row["title"]): str(row["type"]) for row in rows if row.get("title") and row.get("type")}


def rows_of_table(table: Table, raw: RawDocuments, types: Mapping[str, str] | None = None) -> None:
    """Read a table; where slots are nodes, or both ends ids, its rows are records. Types of entities are given by name."""
    kinds = table.frame.schema
    if any(kinds[slot].is_nested() for slot in SLOTS) or all(kinds[end].is_numeric() for end in SLOTS[::2]):
        given: Any = table.frame
        rows = zip(repeat(None), given.drop(ROW).rows(named=True), given[ROW], strict=False)
        rows_of_records(group_blocks(rows), raw)
        return
    if isinstance(kinds.get("id"), pl.List):
        # A row of several documents is one of each.
        ids = pl.when(pl.col("id").list.len() == 0).then(pl.lit([GRAPH])).otherwise("id")
        table = replace(table, frame=table.frame.with_columns(ids.cast(pl.List(pl.String))).explode("id"))
    if not types and {*table.roles} <= {*COLUMNS} and table.is_plain():
        cells = {role: table.frame[role].to_list() for role in table.roles}
        add_texts(raw, cells, table.input_rows.tolist(), table.line)
        return
    given = table.frame if "id" in table.roles else table.frame.with_columns(pl.lit(GRAPH).alias("id"))
    objects, numbers = given["object"], np.full(len(given), np.nan)
    if objects.dtype != pl.String:
        numbers = texts.numbers_of(objects, absent=np.nan)
    # A whole number is an integer, as in JSON.
    datatypes = np.where(np.isnan(numbers), CODES[str], np.where(numbers % 1 == 0, CODES[int], CODES[float]))
    names: Any = given.select(COLUMNS)
    names = texts_of(names, dict(zip(COLUMNS, COLUMNS, strict=True)), engine=HERE)
    frame = names.with_columns(*given.drop(COLUMNS).get_columns(), pl.Series("datatype", datatypes))
    typed = []
    if types:
        ends = map(str.strip, chain.from_iterable(names.select(SLOTS[::2]).iter_rows()))
        typed = [(at // 2, name, types[name]) for at, name in enumerate(ends) if name in types]
    add_rows(replace(table, frame=frame), raw, typed)


class LazyTriples(LazyDocuments):
    """Triples on an engine, each once a document: columns id, subject, predicate and object, as they are compared."""


def read_lazily(table: LazyTable, reading: TriplesReading, engine: Engine) -> LazyTriples:
    """Make triples of a table."""
    if reading.ids == "order":
        raise UsageError("An engine does not keep the order of rows.", found="--ids order", hint="leave out --engine")
    choice = _choice(table, reading)
    frame = table.chosen(choice, engine)
    if "id" not in choice.places or reading.unit == "corpus":
        frame = frame.with_columns(id=nw.lit(GRAPH))
    frame, flaws = check_rows(frame, engine)
    try:
        frame, sums = validate_rows(frame, flaws, bad=BadRecords(), engine=engine, kinds=["only_id"])
    except RecordError as error:
        error.hint = ONE_MACHINE
        raise
    documents = distinct_rows(frame, "id")
    stated = frame.filter(~nw.col("only_id")) if sums["only_id"] else frame
    tangled = nw.any_horizontal(*(nw.col(slot).str.contains(TANGLED) for slot in SLOTS), ignore_nulls=True)
    if reading.rules or numbers_of(stated, engine, n=how_many(tangled))["n"]:
        stated = map_texts(stated, SLOTS, reading.normaliser, engine)
    items = engine.materialize(distinct_rows(stated, *COLUMNS))
    size = rows_in(items, engine)
    if not sums["rows"]:
        raise EmptyInputError("The file contains no document.", expected="at least one")
    return LazyTriples(
        frame=items,
        size=size,
        documents=documents,
        path=table.path,
        format=table.format,
        left_out=nonzero_counts(duplicates=sums["rows"] - sums["only_id"] - size),
        facts={"rows": sums["rows"]},
        warnings=tuple(table.warnings),
        choices=reading.choices,
    )


def _choice(table: LazyTable, reading: TriplesReading) -> Choice:
    """Choose the columns of triples, of which an engine reads one a row."""
    names = table.names
    of_documents = has_lists(names) and not TRIPLES.recognises(names)
    if set(names) >= APOC or TEXT_UNITS in names or TRIPLES.called("weight", names) or of_documents:
        raise InputError(
            "This table of a graph builder is not supported on an engine.",
            found=", ".join(names)[:200],
            expected="id, subject, predicate, object",
            hint="leave out --engine",
        )
    return table.choice(reading.chooser())


LAZILY = EngineScoring(read=read_lazily)
"""How triples of documents are scored on an engine."""
