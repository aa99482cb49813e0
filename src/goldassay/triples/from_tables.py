"""Tables to documents: one triple a row, or the records of whole documents; also what GraphRAG and Neo4j export."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from goldassay.core.errors import InputError
from goldassay.formats import Source, load
from goldassay.formats.records import in_blocks
from goldassay.formats.roles import TRIPLES, Chooser, bare
from goldassay.formats.rows import names_in, records_of
from goldassay.formats.rows import read_table as read_rows
from goldassay.formats.tables import Table
from goldassay.triples.batch import Batch
from goldassay.triples.nodes import nodes_of
from goldassay.triples.reading import TriplesReading
from goldassay.triples.records import GRAPH, Records, types_of
from goldassay.triples.rows import COLUMNS, rows_of_table
from goldassay.triples.statements import Reader

TEXT_UNITS = "text_unit_ids"
NEO4J = ("_start", "_end", "_type")
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
        return rows_of_table(_table(source, name, reading.chooser(source.path), reader), reader)
    return reader.documents.batch()


def _table(source: Source, name: str, choose: Chooser, reader: Reader) -> Table:
    table = read_rows(source, name, choose, reader.bad, numbers=NATIVE, lists=NATIVE)
    reader.warnings += table.warnings
    return table


def has_lists(names: Iterable[str]) -> bool:
    """Say whether a table has a column with the triples of whole documents.

    Example:
        >>> has_lists(["id", "Triples"]), has_lists(["subject", "object"])
        (True, False)
    """
    return not {"triples", "triplets"}.isdisjoint(map(bare, names))


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
    return rows_of_table(table, reader, _types_beside(source, reader))


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
