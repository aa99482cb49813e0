"""Tables of Neo4j to triples: `apoc.export.csv`, files for admin import, and what its browser writes of a query; each is one graph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from os.path import isfile
from pathlib import Path
from typing import Any, NamedTuple

from goldassay.formats import Source, load
from goldassay.formats.builders import BEGINNING, OF_QUERY, lacks_nodes
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import names_in, records_of
from goldassay.triples.nodes import NO_NODES, Nodes, are_codes, nodes_of
from goldassay.triples.raw import RawDocuments
from goldassay.triples.records import types_of
from goldassay.triples.rows import GRAPH
from goldassay.triples.slots import add_sets, read_set

APOC = frozenset({"_start", "_end", "_type"})
NAMES = ("name", "title", "id")
ADMIN_END = re.compile(r".*:(START_ID|END_ID|ID)(?:\((.*)\))?", re.IGNORECASE)
ADMIN_KIND = re.compile(r".*:(TYPE|LABEL)", re.IGNORECASE)
TABLES = {".csv": "csv", ".tsv": "tsv"}
CELL = r'(?:[^()\[\]"]++|"(?:[^"\\]|\\.)*+"|\[[^\]]*+\])*+'
PART = re.compile(rf"(<?-?)(?:\((?P<node>:{CELL})\)|\[(?P<relation>:{CELL})\])")
"""A node or a relationship as Cypher writes it: ``(:City {name: "Oslo"})``, ``[:CAPITAL_OF]``; behind ``<-`` it points back."""
WORD, TYPE, ESCAPED = re.compile(r"[^\s:{]*"), re.compile(r"[^\s{]*"), re.compile(r"\\(.)")
PROPERTY = re.compile(r'[{,\s]"?(name|title|id)"?\s*:\s*("(?:[^"\\]|\\.)*+"|[^,}"]+)')


class Part(NamedTuple):
    """A node or a relationship as Cypher writes it."""

    is_node: bool
    name: str | None
    kind: str
    is_back: bool


def is_of_neo4j(source: Source, name: str, names: Sequence[str]) -> bool:
    """Return whether a table is one of Neo4j."""
    if _ends(names).keys() >= {"START_ID", "END_ID"}:
        return any(map(ADMIN_KIND.fullmatch, names)) and not lacks_nodes(source, ",".join(names))
    return set(names) >= APOC or (name in TABLES.values() and _is_of_query(source))


def _ends(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the columns of ids in a table for admin import, by what they are, each with its space of ids."""
    found = ((ADMIN_END.fullmatch(name), name) for name in names)
    return {match[1].upper(): (name, match[2] or "") for match, name in found if match}


def _is_of_query(source: Source) -> bool:
    """Return whether the first row below the header has nodes and relationships as Cypher writes them."""
    second = source.data[:BEGINNING].decode(errors="replace").partition("\n")[2].partition("\n")[0]
    return all(mark in second for mark in OF_QUERY)


def read_neo4j(source: Source, names: Sequence[str], raw: RawDocuments) -> None:
    """Read a table of Neo4j."""
    if set(names) >= APOC:
        _apoc(source, raw)
    elif ends := _ends(names):
        _admin(source, names, ends, raw)
    else:
        _read_query(source, names, raw)


def _put_node(raw: RawDocuments, nodes: Nodes, triples: Sequence[tuple[int, list[Any]]]) -> None:
    graph = raw.set_of(GRAPH)
    raw.set_types(graph, *types_of(nodes))
    _put_triples(raw, graph, [(None, *one) for one in triples], nodes)


def _put_triples(
    raw: RawDocuments, graph: int, triples: Sequence[tuple[int | None, int, list[Any]]], nodes: Nodes = NO_NODES
) -> None:
    """Add triples with their lines and rows: together if all are whole."""
    lists, places = [[triple] for _, _, triple in triples], [place for _, place, _ in triples]
    if not add_sets(raw, [graph] * len(lists), lists, places, valued=False, nodes=nodes):
        for line, place, triple in triples:
            read_set(raw, graph, [triple], line=line, nodes=nodes, row=place)


def _node(identifier: object, called: object, kinds: object) -> dict[str, str]:
    """Make a node of its id, its name and its labels, of which the first is its type."""
    kind = re.split(r"[:;]", str(kinds or "").strip(":"))[0]
    return {"id": str(identifier), **({"name": str(called)} if called else {}), **({"type": kind} if kind else {})}


def _apoc(source: Source, raw: RawDocuments) -> None:
    """Read rows of nodes, then rows of relationships."""
    nodes, triples = [], []
    for _, row, place in records_of(source, raw.format, raw.bad):
        if row.get("_type"):
            triples.append((place, [row.get("_start"), row["_type"], row.get("_end")]))
            continue
        called = next((row[key] for key in NAMES if row.get(key)), None)
        nodes.append(_node(row.get("_id"), called, row.get("_labels")))
    _put_node(raw, nodes_of(nodes), triples)


def _admin(source: Source, names: Sequence[str], ends: Mapping[str, tuple[str, str]], raw: RawDocuments) -> None:
    """Read relationships for admin import, and the nodes of the tables next to them."""
    kind = next(column for column in names if ADMIN_KIND.fullmatch(column))
    columns = [ends["START_ID"], ends["END_ID"]]
    triples = []
    for _, row, place in records_of(source, raw.format, raw.bad):
        start, end = (_write_id(row.get(column), space) for column, space in columns)
        triples.append((place, [start, row.get(kind) or None, end]))
    nodes = list(_admin_nodes(source, raw.bad))
    _put_node(raw, nodes_of(nodes), triples)


def _write_id(identifier: object, space: str) -> str | None:
    """Write an id with its space of ids, if it has one."""
    return None if identifier in (None, "") else f"{space} {identifier}".strip()


def _admin_nodes(source: Source, bad: BadRecords) -> Iterator[dict[str, str]]:
    """Read the tables of nodes in the folder of a table of relationships."""
    path = Path(source.path)
    for other in sorted(path.parent.iterdir()) if isfile(path) else ():
        kind = TABLES.get(other.suffix.lower())
        if kind is None or other == path:
            continue
        nodes = load(other)
        names = [column.strip() for column in names_in(nodes, kind)]
        if "ID" not in (ends := _ends(names)):
            continue
        column, space = ends["ID"]
        label = next((one for one in names if ADMIN_KIND.fullmatch(one)), "")
        called = next((one for key in NAMES[:2] for one in names if one.partition(":")[0] == key), column)
        rows = [row for _, row, _ in records_of(nodes, kind, bad)]
        codes = called == column and are_codes([row.get(column) or "" for row in rows])
        for row in rows:
            yield _node(_write_id(row.get(column), space), None if codes else row.get(called), row.get(label))


def _read_query(source: Source, names: Sequence[str], raw: RawDocuments) -> None:
    """Read rows of nodes and relationships as Cypher writes them."""
    graph, types, known = raw.set_of(GRAPH), dict[str, str](), dict[str, list[Part]]()
    triples: list[tuple[int | None, int, list[Any]]] = []
    for line, row, place in records_of(source, raw.format, raw.bad):
        cells = list(filter(None, row.values()))
        # Few cells differ: a node has one text in every row.
        for cell in cells:
            if cell not in known:
                known[cell] = list(map(_read_part, PART.finditer(str(cell))))
                types.update((part.name, part.kind) for part in known[cell] if part.is_node and part.name and part.kind)
        parts = list(chain.from_iterable(map(known.__getitem__, cells)))
        names_in_row = [part.name for part in parts if part.is_node]
        relations = [part for part in parts if not part.is_node]
        if len(names_in_row) != len(relations) + 1:
            raw.fault(
                "The row is not a relationship between nodes.",
                line=line,
                found=" ".join(map(str, cells)),
                expected='(:A {name: "x"}) [:R] (:B)',
            )
            continue
        for start, relation, end in zip(names_in_row, relations, names_in_row[1:], strict=False):
            ends = (end, relation.kind, start) if relation.is_back else (start, relation.kind, end)
            triples.append((line, place, list(ends)))
    _put_triples(raw, graph, triples)
    raw.set_types(graph, types, types.values())
    if not _arrows(source):
        shown = ", ".join(names)
        raw.warnings += (
            f"the columns do not say which end is which: of {shown} the first node is read as the subject",
        )


def _arrows(source: Source) -> bool:
    return b")-[" in source.data or b"]->" in source.data or b")<-[" in source.data


def _read_part(part: re.Match[str]) -> Part:
    """Read a node with its name and its first label, or a relationship, as Cypher writes them."""
    node = part["node"]
    if not node:
        kind = TYPE.match(part["relation"].strip(": "))[0]  # type: ignore[index]
        return Part(is_node=False, name=None, kind=kind.strip("`"), is_back=part[1].startswith("<"))
    found = {match[1]: match[2].strip() for match in PROPERTY.finditer(node)}
    written = next((found[key] for key in NAMES if key in found), None)
    if written is not None and written.startswith('"'):
        written = ESCAPED.sub(r"\1", written[1:-1]) if "\\" in written else written[1:-1]
    kind = WORD.match(node.strip(": "))[0].strip("`")  # type: ignore[index]
    return Part(is_node=True, name=written, kind=kind, is_back=False)
