"""Files of JSON: lines and arrays of records, and what graph builders write (KGGen, LangChain, LlamaIndex, Neo4j)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, cast

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source
from goldassay.formats.documents import json_of
from goldassay.formats.records import Block, json_lines, json_records, objects_in
from goldassay.formats.source import marked_off
from goldassay.triples.batch import Batch
from goldassay.triples.nodes import is_text, nodes_of
from goldassay.triples.records import EXPECTED, GRAPH, Records, read_documents, types_of, unwrapped
from goldassay.triples.rows import rows_of_records
from goldassay.triples.statements import Reader, is_triple, lists_triples, role_of

NEO4J_TYPES, NEO4J_KEYS = ("node", "relationship"), frozenset({"properties", "labels", "start", "end"})
EXPECTED_RECORD = f"{EXPECTED}, or a triple with its id"


def read_json(source: Source, reader: Reader, *, lines: bool) -> Batch:
    """Read lines or an array of records, of which each is a document, a triple, or a part of a graph of Neo4j; or one JSON object."""
    is_array = marked_off(source).lstrip().startswith(b"[")
    if not (lines or is_array):
        return _read_object(source, reader)
    blocks = (json_lines if lines and is_array else json_records)(source, expected=EXPECTED_RECORD)
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        # The first record that says what it is decides.
        if read := next(filter(None, map(_reader_of, block.values)), None):
            return read(chain(waiting, blocks), reader)
    return read_documents(waiting, reader)


def _reader_of(value: object) -> Callable[[Iterable[Block], Reader], Batch] | None:
    """Return what reads records like this one; None if it does not say what it is."""
    if isinstance(value, list) or (isinstance(value, dict) and lists_triples(value)):
        return read_documents
    if isinstance(value, dict) and value.get("type") in NEO4J_TYPES and not NEO4J_KEYS.isdisjoint(value):
        return _read_neo4j
    return rows_of_records if is_triple(value) else None


def _read_object(source: Source, reader: Reader) -> Batch:
    """Read an object of documents by id, or one graph."""
    records, found = Records(reader), json_of(source)
    if isinstance(found, Mapping) and role_of(unwrapped(found), "triples"):
        records.read(found, 1, None)
    elif isinstance(found, Mapping) and len(found) == 1 and _are_documents(next(iter(found.values()))):
        # These have no lines. A wrapper such as {"graph_documents": [...]}.
        [some] = found.values()
        records.documents([Block(0, cast("list[int]", [None] * len(some)), some)])
    elif isinstance(found, Mapping) and found and all(isinstance(one, list | Mapping) for one in found.values()):
        records.names = list(found)
        records.documents([Block(0, cast("list[int]", [None] * len(found)), list(found.values()))])
    else:
        keys = ", ".join(map(str, list(found)[:8])) if isinstance(found, Mapping) else ""
        raise InputError(
            "This JSON contains no triples.",
            path=source.path,
            found=f"the keys {keys}" if keys else type(found).__name__,
            expected='an array of {"id": ..., "triples": [...]}, or a graph with "relations" or "relationships"',
        )
    return reader.documents.batch()


def _are_documents(some: object) -> bool:
    """Say whether a list is one of documents, and not the triples of one."""
    if not isinstance(some, list) or not some:
        return False
    first = some[0]
    if isinstance(first, list):
        return all(isinstance(one, list) or is_triple(one) for one in first)
    return isinstance(first, Mapping) and not is_triple(first)


def _read_neo4j(blocks: Iterable[Block], reader: Reader) -> Batch:
    """Read what ``apoc.export.json`` of Neo4j writes: nodes and relationships, one a line; they are one graph."""
    nodes: list[Mapping[str, Any]] = []
    ends: list[Mapping[str, Any]] = []
    triples = []
    for record in chain.from_iterable(block.values for block in objects_in(blocks, reader.path)):
        if isinstance(record, RecordError):
            reader.bad.add(record)
            continue
        if record.get("type") == "node":
            nodes.append(_neo4j_node(record))
            continue
        some = [_neo4j_node(end) if isinstance(end := record.get(key), Mapping) else {} for key in ("start", "end")]
        ends += [end for end in some if is_text(end.get("id"))]
        cells = [end.get("name") or str(end["id"]) if is_text(end.get("id")) else None for end in some]
        triples.append([cells[0], record.get("label") or record.get("type"), cells[1]])
    listed = {str(node.get("id")) for node in nodes}
    found = nodes_of([*nodes, *(end for end in ends if str(end["id"]) not in listed)])
    reader.document(GRAPH, [triples], types=types_of(found), nodes=found)
    return reader.documents.batch()


def _neo4j_node(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take the id, the labels and the name of a node; the latter from its properties."""
    properties = node.get("properties")
    inner = properties if isinstance(properties, Mapping) else {}
    name = next((inner[key] for key in ("name", "title", "id", "label") if is_text(inner.get(key))), None)
    found = {"id": node.get("id"), "labels": node.get("labels"), "name": name}
    return {key: value for key, value in found.items() if value is not None}
