"""Files of JSON: lines and arrays of records, and what graph builders write (KGGen, LangChain, LlamaIndex, Neo4j)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from goldassay.core.errors import InputError
from goldassay.formats import Source
from goldassay.formats.documents import json_of
from goldassay.formats.records import Block, json_lines, json_records
from goldassay.formats.rows import objects_of
from goldassay.formats.source import marked_off
from goldassay.triples.nodes import is_text, nodes_of
from goldassay.triples.records import EXPECTED, GRAPH, Records, alone_in, read_triples_alone, types_of, unwrapped
from goldassay.triples.statements import Reader, is_triple, lists_triples, role_of


def read_json_lines(source: Source, reader: Reader) -> None:
    """Read lines of which each is a JSON object with the triples of a document, or a list of them."""
    lists = marked_off(source).lstrip().startswith(b"[")
    Records(reader).documents((json_lines if lists else json_records)(source, expected=EXPECTED))


def read_json(source: Source, reader: Reader) -> None:
    """Read a JSON file: an array of documents, an object of documents by id, or one graph."""
    records = Records(reader)
    if marked_off(source).lstrip().startswith(b"["):
        records.documents(json_records(source, expected=EXPECTED))
        return
    found = json_of(source)
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


def read_single_triples(source: Source, reader: Reader) -> None:
    """Read records of which each is a triple, or only an id; without ids all are one graph."""
    # Whether records have ids is known before the first of them is read.
    named = any(
        role_of(row, "id") and not lists_triples(row)
        for block in json_records(source)
        for row in block.values
        if isinstance(row, dict)
    )
    read_triples_alone(alone_in(json_records(source), reader), reader, named=named)


def _are_documents(some: object) -> bool:
    """Say whether a list is one of documents, and not the triples of one."""
    if not isinstance(some, list) or not some:
        return False
    first = some[0]
    if isinstance(first, list):
        return all(isinstance(one, list) or is_triple(one) for one in first)
    return isinstance(first, Mapping) and not is_triple(first)


def read_neo4j(source: Source, reader: Reader) -> None:
    """Read what ``apoc.export.json`` of Neo4j writes: nodes and relationships, one a line; they are one graph."""
    nodes: list[Mapping[str, Any]] = []
    ends: list[Mapping[str, Any]] = []
    triples = []
    for _, record, _ in objects_of(source, reader.bad):
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


def _neo4j_node(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take the id, the labels and the name of a node; the latter from its properties."""
    properties = node.get("properties")
    inner = properties if isinstance(properties, Mapping) else {}
    name = next((inner[key] for key in ("name", "title", "id", "label") if is_text(inner.get(key))), None)
    found = {"id": node.get("id"), "labels": node.get("labels"), "name": name}
    return {key: value for key, value in found.items() if value is not None}
