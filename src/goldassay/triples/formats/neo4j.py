"""Tables of Neo4j to triples: `apoc.export.csv`, files for admin import, and what its browser writes of a query; each is one graph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from os.path import isfile
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.core.errors import name_file
from goldassay.core.patterns import pattern_of
from goldassay.formats import Source, load
from goldassay.formats.builders import BEGINNING, OF_QUERY, lacks_nodes
from goldassay.formats.delimited import TextTable
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import check_names, names_in, records_of
from goldassay.formats.texts import number_by_rows
from goldassay.kernels.ragged import ranges, starts_of
from goldassay.triples.formats.nodes import NO_NODES, Nodes, are_codes, nodes_of
from goldassay.triples.formats.raw import RawDocuments
from goldassay.triples.formats.records import types_of
from goldassay.triples.formats.rows import GRAPH
from goldassay.triples.formats.slots import add_sets, read_set

APOC = frozenset({"_start", "_end", "_type"})
NAMES = ("name", "title", "id")
ADMIN_END = pattern_of(r".*:(START_ID|END_ID|ID)(?:\((.*)\))?", re.IGNORECASE)
ADMIN_KIND = pattern_of(r".*:(TYPE|LABEL)", re.IGNORECASE)
TABLES = {".csv": "csv", ".tsv": "tsv"}
TEXT = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
CELL = rf'(?:[^()\[\]"]++|{TEXT}|\[[^\]]*+\])*+'
PART = pattern_of(rf"(<?-?)(?:\((:{CELL})\)|\[(:{CELL})\])")
"""A node or a relationship as Cypher writes it: ``(:City {name: "Oslo"})``, ``[:CAPITAL_OF]``; behind ``<-`` it points back."""
WORD, TYPE, ESCAPED = pattern_of(r"[: ]*+([^\s:{]*)"), pattern_of(r"[: ]*+([^\s{]*)"), pattern_of(r"\\(.)")
PROPERTY = pattern_of(rf'[{{,\s]"?(name|title|id)"?\s*:\s*({TEXT}|[^,}}"]+)')


def is_of_neo4j(source: Source, name: str, names: Sequence[str]) -> bool:
    """Return whether a table is one of Neo4j."""
    if _ends(names).keys() >= {"START_ID", "END_ID"}:
        return any(map(ADMIN_KIND.fullmatch, names)) and not lacks_nodes(source, ",".join(names))
    return set(names) >= APOC or (name in TABLES.values() and _is_of_query(source))


def has_columns_of_neo4j(names: Sequence[str]) -> bool:
    """Return whether names of columns are those of APOC, or of relationships for admin import."""
    return set(names) >= APOC or _ends(names).keys() >= {"START_ID", "END_ID"}


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
        with name_file(other):
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
    graph, shown = raw.set_of(GRAPH), ", ".join(check_names(names))
    table = TextTable.opened(source, raw.format)
    if table is None:
        return
    rows = table.columns({str(at): at for at in range(table.width)}, raw.bad)
    # Few cells differ: a node has one text in every row.
    cells, codes = number_by_rows(*rows.frame.get_columns())
    found = list(map(PART.findall, cells))
    parts, sizes = list(chain.from_iterable(found)), np.array(list(map(len, found)), dtype=np.int64)
    read = [_read_node(node) if node else (TYPE.match(kind)[1].strip("`"), "") for _, node, kind in parts]  # type: ignore[index]
    types = {name: kind for name, kind in read if name and kind}
    raw.set_types(graph, types, types.values())
    is_node = np.array([bool(node) for _, node, _ in parts], dtype=np.bool_)
    is_back = np.array([arrow.startswith("<") for arrow, _, _ in parts], dtype=np.bool_)
    # The parts of each row, one row after the other.
    at, row = ranges(starts_of(sizes)[codes.ravel()], sizes[codes.ravel()]), sizes[codes].sum(axis=1)
    row = np.arange(len(codes)).repeat(row)
    nodes, others = (np.bincount(row[some], minlength=len(codes)) for some in (is_node[at], ~is_node[at]))
    odd = nodes != others + 1
    for one in np.flatnonzero(odd).tolist():
        raw.fault(
            "The row is not a relationship between nodes.",
            line=int(rows.lines[one]),
            found=" ".join(filter(None, rows.frame.row(one))),
            expected='(:A {name: "x"}) [:R] (:B)',
        )
    at, row = at[~odd[row]], row[~odd[row]]
    ends, edges, row = at[is_node[at]], at[~is_node[at]], row[~is_node[at]]
    # Each row has one node more than relationships.
    start = np.arange(len(edges)) + (np.cumsum(~odd) - 1)[row]
    start, end = (np.where(is_back[edges], *some) for some in ((start + 1, start), (start, start + 1)))
    slots = ([read[one][0] for one in some.tolist()] for some in (ends[start], edges, ends[end]))
    lines, places = rows.lines[row].tolist(), rows.places[row].tolist()
    _put_triples(raw, graph, list(zip(lines, places, map(list, zip(*slots, strict=True)), strict=True)))
    if not _arrows(source):
        raw.warnings += (
            f"the columns do not say which end is which: of {shown} the first node is read as the subject",
        )


def _arrows(source: Source) -> bool:
    return b")-[" in source.data or b"]->" in source.data or b")<-[" in source.data


def _read_node(node: str) -> tuple[str | None, str]:
    """Read the name and the first label of a node as Cypher writes it."""
    found = dict(PROPERTY.findall(node))
    written: str | None = next(filter(None, map(found.get, NAMES)), None)
    if written is not None and (written := written.strip()).startswith('"'):
        written = ESCAPED.sub(r"\1", written[1:-1]) if "\\" in written else written[1:-1]
    return written, _first_label(node.partition("{")[0])


@lru_cache(maxsize=1024)
def _first_label(labels: str) -> str:
    return WORD.match(labels)[1].strip("`")  # type: ignore[index]
