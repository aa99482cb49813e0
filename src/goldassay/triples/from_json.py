"""JSON files read whole: arrays of records, and what graph builders write (KGGen, LangChain, LlamaIndex, Neo4j)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.core.errors import InputError
from goldassay.formats import Source
from goldassay.formats.documents import json_of, parse_json
from goldassay.formats.rows import lines_of
from goldassay.triples.answers import Answer
from goldassay.triples.from_lines import answer_of
from goldassay.triples.statements import Reader, role_of

GRAPH = "1"
EXPECTED = '{"type": "node", ...} or {"type": "relationship", ...}'


def read_json(source: Source, reader: Reader) -> Iterator[Answer]:
    """Read a JSON file: an array of documents, an object of documents by id, or one graph.

    Raises:
        InputError: If it is of no known shape.
    """
    found = json_of(source)
    if isinstance(found, Mapping) and len(found) == 1 and isinstance(next(iter(found.values())), list):
        # A wrapper such as {"graph_documents": [...]}, unless it is itself the list of a graph's triples.
        [(key, inner)] = found.items()
        found = found if role_of([key], "triples") else inner
    if isinstance(found, list):
        for number, record in enumerate(found, start=1):
            yield answer_of(record, number, None, reader, row=number - 1)
    elif isinstance(found, Mapping) and role_of(found, "triples"):
        yield answer_of(_as_record(found), 1, None, reader)
    elif isinstance(found, Mapping) and found and all(isinstance(one, list | Mapping) for one in found.values()):
        for number, (name, record) in enumerate(found.items(), start=1):
            yield answer_of(record, number, None, reader)._replace(id=str(name))
    else:
        keys = ", ".join(map(str, list(found)[:8])) if isinstance(found, Mapping) else ""
        raise InputError(
            "This JSON contains no triples.",
            path=source.path,
            found=f"the keys {keys}" if keys else type(found).__name__,
            expected='an array of {"id": ..., "triples": [...]}, or a graph with "relations" or "relationships"',
        )


def _as_record(graph: Mapping[str, Any]) -> Mapping[str, Any]:
    """Write one graph as a record: relations that a property graph keeps by key as a list of them."""
    record = {"id": GRAPH, **graph}
    for key in ("relations", "relationships", "edges"):
        if isinstance(record.get(key), Mapping):
            record[key] = list(record[key].values())
    return record


def read_neo4j(source: Source, reader: Reader) -> Iterator[Answer]:
    """Read what ``apoc.export.json`` of Neo4j writes: nodes and relationships, one a line; they are one graph."""
    names: dict[str, str] = {}
    types: dict[str, str] = {}
    relationships = []
    for line, text in lines_of(source, reader.bad):
        if not text.strip():
            continue
        try:
            record = parse_json(text)
        except (ValueError, RecursionError) as error:
            reader.fault("The line is not JSON.", line=line, found=f"{text[:30]!r} ({error})", expected=EXPECTED)
            continue
        if not isinstance(record, Mapping):
            reader.fault("The line is not an object.", line=line, found=record, expected=EXPECTED)
        elif record.get("type") == "node":
            identifier = str(record.get("id"))
            names[identifier] = _name(record, identifier)
            labels = record.get("labels")
            if isinstance(labels, list) and labels:
                types[names[identifier]] = str(labels[0])
        else:
            relationships.append(record)
    triples = [[_end(one, "start"), one.get("label") or one.get("type"), _end(one, "end")] for one in relationships]
    yield reader.answer(GRAPH, [triples], types=types, names=names)


def _end(relationship: Mapping[str, Any], end: str) -> str | None:
    node = relationship.get(end)
    return str(node["id"]) if isinstance(node, Mapping) and "id" in node else None


def _name(node: Mapping[str, Any], identifier: str) -> str:
    said = node.get("properties")
    found = said if isinstance(said, Mapping) else {}
    return str(next((found[key] for key in ("name", "title", "id", "label") if found.get(key)), identifier))
