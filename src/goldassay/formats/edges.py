"""Edges from tables, node-link graphs and TExEval's taxonomies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.libraries import pl
from goldassay.core.patterns import pattern_of
from goldassay.core.text import LISTED
from goldassay.formats.choose_columns import Chooser, not_read, warn_of_node_ids
from goldassay.formats.column_names import PERHAPS, name_in, nodes_in
from goldassay.formats.documents import json_of, line_of_value, lines_of_members
from goldassay.formats.edge_tables import ENDS, EdgeList, edges_of_table
from goldassay.formats.list_cells import may_hold_lists
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import EDGES
from goldassay.formats.rows import cell_of, lines_of, name_cell, read_table
from goldassay.formats.source import Source
from goldassay.formats.tables import Table

TEXT_KEYS = ("title", "label", "name", "entity_id")
INSIDE = ("properties", "data", "attributes")
"""What tools wrap what they know of a node in."""
OPAQUE = pattern_of(r"(?=\D*\d)\S+")
"""An id that is hardly a name: it has a digit, and no blank."""
RELATION_KEYS = ("relation", "predicate", "label", "type", "key")
PLAIN = "is-a"
"""The relation of an arrow without a name, if others have one."""
UNDIRECTED = (
    "the graph is undirected: an edge is read from child to parent as it is listed, which may not be as it was added"
)
PAIR = 2
CELLS = ("number", "hyponym", "hypernym")


def read_node_link(source: Source, bad: BadRecords | None = None) -> EdgeList:
    """Read a node-link graph.

    An arrow runs from child to parent, unless the graph names a root (``{"graph": {"root": ...}}``, as OLLM's files do) and
    more arrows leave that root than reach it: then it runs from parent to child, and is reversed.

    Source:
        https://networkx.org/documentation/stable/reference/readwrite/generated/networkx.readwrite.json_graph.node_link_data.html
    """
    bad = bad or BadRecords()
    document = json_of(source)
    nodes = [{"id": node} if isinstance(node, str) else node for node in _list_of(document, ("nodes",), source)]
    if not {"links", "edges"} & document.keys() and (places := parents_in(nodes)):
        listing = {"target"} if any(isinstance(node.get(places["target"]), list | dict) for node in nodes) else set()
        cells = {
            role: [(name_cell if role in listing else cell_of)(node.get(name)) for node in nodes]
            for role, name in places.items()
        }
        lines = _Places(source, "nodes", bad)
        names = list(dict.fromkeys(key for node in nodes for key in node))
        warnings = warn_of_node_ids(names, {role: names.index(name) for role, name in places.items()})
        table = Table.of(source.path, cells, line_of=lambda row: lines.lines[row], called=places, warnings=warnings)
        return edges_of_table(replace(table, listing=listing), bad)
    records = list(map(_edge, _list_of(document, ("links", "edges"), source)))
    texts = dict(_nodes(nodes, _Places(source, "nodes", bad)))
    texts, unread = _name_by_others(nodes, texts)
    rows = list(_edges(records, texts, _Places(source, "links" if "links" in document else "edges", bad)))
    turned = _note_turned(document, rows)
    columns = ["target", "source"] if turned else ["source", "target"]
    edges = pl.DataFrame(rows, schema=dict.fromkeys([*columns, "relation"], pl.String), orient="row")
    named_relations = edges["relation"].null_count() < len(edges)
    edges = edges.select("source", "target", *([pl.col("relation").fill_null(PLAIN)] if named_relations else []))
    undirected = (UNDIRECTED,) if document.get("directed") is False and rows else ()
    named = {node: text for node, text in texts.items() if text is not None}
    warnings = unread or tuple(_warn_of_ids(texts))
    return EdgeList(edges=edges, texts=named, nodes=tuple(texts), warnings=(*turned, *undirected, *warnings))


def parents_in(nodes: Any) -> dict[str, str]:
    """Return which keys of a list of nodes are the node, its name and its parent; none if the nodes have no parents."""
    if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
        return {}
    names = list(dict.fromkeys(key for node in nodes for key in node))
    return {role: names[at] for role, at in nodes_in(names).items()}


def _edge(record: Any) -> Any:
    """Call the ends of an edge that is a list: two names, or a relation between them."""
    if not isinstance(record, list) or len(record) not in (PAIR, PAIR + 1):
        return record
    return dict(
        zip(("source", "target") if len(record) == PAIR else ("source", "relation", "target"), record, strict=True)
    )


def _warn_of_ids(texts: Mapping[str, str | None]) -> Iterator[str]:
    """Warn that nodes are compared by ids that are numbers, as `Roles` warns about columns of ids."""
    numbers = [node for node, text in texts.items() if text is None and node.isdecimal()]
    if numbers:
        some = ", ".join(map(repr, numbers[:LISTED]))
        count = f"{len(numbers):,} of {len(texts):,} nodes"
        yield f"ids are compared, and no names: {count} have a number and no {', '.join(TEXT_KEYS)} ({some})"


def _name_by_others(
    nodes: Sequence[Any], texts: dict[str, str | None]
) -> tuple[dict[str, str | None], tuple[str, ...]]:
    """Name nodes with opaque ids by what a column of names may be called; what else differs between them is not read, with a warning."""
    if not texts or any(texts.values()) or not all(map(OPAQUE.fullmatch, texts)):
        return texts, ()
    columns: dict[str, dict[str, str]] = {}
    for node in nodes:
        identifier = _identifier(node.get("id", node.get("key"))) if isinstance(node, dict) else None
        for key, value in ((key, value) for some in _parts(node) for key, value in some.items()):
            if identifier in texts and isinstance(value, str) and value.strip() and value != identifier:
                columns.setdefault(key, {}).setdefault(identifier, value)
    others = {key: found for key, found in columns.items() if 2 * len({*found.values()}) > len(texts)}
    if name := name_in(list(others)):
        return {**texts, **others[name]}, ()
    return texts, not_read(list(others))


def _parts(node: Any) -> list[Mapping[str, Any]]:
    """List what a node says of itself, and what it wraps of that."""
    if not isinstance(node, dict):
        return []
    return [node, *(node[key] for key in INSIDE if isinstance(node.get(key), dict))]


def _list_of(document: Any, keys: tuple[str, ...], source: Source) -> list[Any]:
    given = [key for key in keys if key in document] if isinstance(document, dict) else []
    found = document[given[0]] if given else None
    if not isinstance(found, list):
        shown = _show_edge(found if given else document)
        raise InputError(
            "Not a node-link graph.",
            line=line_of_value(source, *given[:1]),
            found=f'"{given[0]}": {shown}' if given else shown,
            expected=" or ".join(f'{{"{key}": [...]}}' for key in keys),
            hint="write the file again, for example with node_link_data of NetworkX",
        )
    return found


def _identifier(value: Any) -> str | None:
    if isinstance(value, str):
        return value or None
    if isinstance(value, bool) or value is None or isinstance(value, dict):
        return None
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class _Places:
    """The records of a list in the document, and the receiver of bad records."""

    source: Source
    name: str
    bad: BadRecords

    @cached_property
    def lines(self) -> list[int]:
        return lines_of_members(self.source, self.name)

    def complain(self, number: int, message: str, **details: Any) -> None:
        line = self.lines[number]
        self.bad.refuse(message, line=line, **details)


def _nodes(nodes: list[Any], places: _Places) -> Iterator[tuple[str, str | None]]:
    seen: dict[str, Any] = {}
    for number, node in enumerate(nodes):
        identifier = _identifier(node.get("id", node.get("key"))) if isinstance(node, dict) else None
        if identifier is None:
            places.complain(number, "A node has no id.", found=_show_edge(node), expected='{"id": ...}')
            continue
        if identifier in seen:
            own = node.get("id", node.get("key"))
            same_type = isinstance(seen[identifier], str) == isinstance(own, str)
            places.complain(
                number,
                "Two nodes have the same id." if same_type else "The ids of two nodes differ only in type.",
                found=f"{json.dumps(seen[identifier])} and {json.dumps(own)}",
                expected="unique ids of one type",
                hint="rename one of the two nodes",
            )
            continue
        seen[identifier] = node.get("id", node.get("key"))
        texts = (
            some[key]
            for some in _parts(node)
            for key in TEXT_KEYS
            # NetworkX writes ids for labels into GML.
            if isinstance(some.get(key), str) and some[key].strip() not in ("", identifier)
        )
        yield identifier, next(texts, None)


def _edges(records: list[Any], known: Mapping[str, object], places: _Places) -> Iterator[tuple[str, str, str | None]]:
    for number, record in enumerate(records):
        keys = _keys_of_ends(tuple(record)) if isinstance(record, dict) else ()
        source, target = [_identifier(record[key]) for key in keys] or (None, None)
        if source is None or target is None:
            places.complain(
                number, "An edge has no source or no target.", found=_show_edge(record), expected="source and target"
            )
        elif source not in known or target not in known:
            stranger = source if source not in known else target
            places.complain(
                number,
                f"An edge refers to the unknown node {stranger!r}.",
                found=_show_edge(record),
                expected="ids from the list of nodes",
            )
        else:
            yield source, target, _relation(record)


@lru_cache(maxsize=1024)
def _keys_of_ends(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of the child and of the parent of an edge; none if one of them is missing."""
    found = [next(iter(EDGES.called(role, keys)), None) for role in ("source", "target")]
    return tuple(key for key in found if key is not None) if None not in found else ()


def _relation(record: Mapping[str, Any]) -> str | None:
    # graphology writes what it says of an edge into its attributes.
    record = {**record["attributes"], **record} if isinstance(record.get("attributes"), dict) else record
    return next((record[key] for key in RELATION_KEYS if isinstance(record.get(key), str) and record[key]), None)


def _note_turned(document: Mapping[str, Any], rows: list[tuple[str, str, str | None]]) -> tuple[str, ...]:
    attributes = document.get("graph")
    root = _identifier(attributes.get("root")) if isinstance(attributes, dict) else None
    leaving, reaching = Counter(row[0] for row in rows), Counter(row[1] for row in rows)
    if root is None or leaving[root] <= reaching[root]:
        return ()
    return (f"the arrows lead away from the root {root!r}, so they are read from parent to child",)


def _show_edge(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False)[:120]


def read_edge_list(source: Source, name: str, bad: BadRecords | None = None, choose: Chooser | None = None) -> EdgeList:
    """Read the edges of a table, a node-link graph or a TExEval taxonomy; ``source`` is the child, ``target`` the parent."""
    bad = bad or BadRecords()
    if name == "node-link":
        return read_node_link(source, bad)
    if name == "taxo":
        return read_taxo(source, bad)
    choose = choose or EDGES.chooser()
    table = read_table(source, name, choose, bad, lists=(*ENDS, PERHAPS), names=ENDS)
    return edges_of_table(table, bad, may_list=may_hold_lists(source, name))


def read_taxo(source: Source, bad: BadRecords | None = None) -> EdgeList:
    r"""Read lines of number, hyponym and hypernym, separated by tabs.

    Source:
        SemEval-2016 Task 13, https://alt.qcri.org/semeval2016/task13/
    """
    bad = bad or BadRecords()
    edges = []
    blank = 0
    for number, line in lines_of(source, bad):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) == len(CELLS) and all(cells):
            edges.append((cells[1], cells[2], number - 1 - blank))
        elif not line.strip():
            blank += 1
        else:
            bad.add_line(
                line,
                number=number,
                message="The line is not an edge.",
                expected=", ".join(CELLS) + ", separated by tabs",
            )
    schema = {"source": pl.String, "target": pl.String, "row": pl.Int64}
    return EdgeList(edges=pl.DataFrame(edges, schema=schema, orient="row"))
