"""JSON to documents: lines and arrays of records, of which each is a document or a triple, and what graph builders write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, compress, repeat
from operator import eq
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from goldassay.core.errors import InputError, RecordError
from goldassay.core.model import NO_ROW
from goldassay.core.text import list_first
from goldassay.formats import Source
from goldassay.formats.answers.json import LISTING, REFERRED, document_in
from goldassay.formats.answers.means import OF_TRIPLES
from goldassay.formats.builders import are_tuples
from goldassay.formats.column_names import SPLITS, bare
from goldassay.formats.decisions import Decisions
from goldassay.formats.documents import json_of
from goldassay.formats.json_tables import rows_of_lists, table_objects
from goldassay.formats.records import (
    Block,
    Lines,
    blocks_in,
    json_lines,
    json_members,
    json_records,
    members_of,
    objects_in,
)
from goldassay.formats.roles import TRIPLES
from goldassay.formats.source import strip_byte_order_mark, utf8_of
from goldassay.formats.synonyms import CLUSTERS, clusters_in
from goldassay.triples.formats.builders import (
    KEYS,
    entity_error,
    is_neo4j_record,
    no_predicates_error,
    parts_of_neo4j,
    shape_of,
    to_document,
)
from goldassay.triples.formats.extractions import Tuples, add_tuples
from goldassay.triples.formats.nodes import CODE, NAMING, Nodes, Objects, nodes_of, texts_in
from goldassay.triples.formats.raw import Cluster, Numbers, RawDocuments
from goldassay.triples.formats.rows import GRAPH, other_sides, rows_of_records
from goldassay.triples.formats.slots import (
    add_sets,
    are_documents,
    are_names,
    column,
    columns_of,
    common,
    first_types,
    is_triple,
    keys_of_entity,
    lists_triples,
    read_document,
    read_unreadable,
    role_of,
)

EXPECTED = '{"id": "1", "triples": [["subject", "predicate", "object"]]}'
EXPECTED_RECORD = f"{EXPECTED}, or a triple with its id"
WITHOUT_TRIPLES = "The record has no triples."
TOKENS = ("tokens", "token", "words")
DOCRED = "vertexSet"
OF_DOCRED = (DOCRED, "title", "labels", "sents")
WRAPPED = ("elements", "links")
ELSEWHERE = frozenset({DOCRED, "lc", *WRAPPED, *KEYS})
"""Keys of a record whose triples are not where those of others are."""
GRAPH_DOCUMENT = frozenset({"nodes", "relationships", "source"})
GRAPH_NODE, GRAPH_EDGE = frozenset({"id", "type", "properties"}), frozenset({"source", "target", "type", "properties"})
"""The keys of what LangChain writes."""
OF_ONE = LISTING | REFERRED | {"knowledgegraph", "kg"}
"""Keys of an object that is one document."""
INNER = frozenset({"source", "metadata", "spans"})
"""Keys that are looked into where a record has no id, text or entities of its own."""
CALLED = ("name", "title", "id", "label")
"""The properties of a node of Neo4j that may name it, the likelier first."""
NOTHING = (None, None)
"""The name and the labels of a node of which nothing is known."""
READ = ("id", "text", "triples", "references", "entities")


Typed: TypeAlias = tuple[Numbers, list[str], list[str]]
"""Documents, names and types of entities."""


class Layout(NamedTuple):
    """Which key of a record is what; None where there is none."""

    id: str | None
    text: str | None
    triples: str | None
    entities: str | None
    tokens: str | None
    elsewhere: bool  # whether any of these may be elsewhere, or triples have references


@lru_cache(maxsize=1024)
def _layout(keys: tuple[str, ...]) -> Layout:
    name, text, triples, several, entities = (role_of(keys, role) for role in READ)
    tokens = next((key for key in TOKENS if key in keys), None)
    elsewhere = several is not None or not (ELSEWHERE | {"source"}).isdisjoint(keys)
    return Layout(name, text, triples, entities, tokens, elsewhere)


def name_columns(names: Sequence[str]) -> bool:
    """Return whether keys name the columns of triples, or of documents with triples; a graph of entities and relations has no ids."""
    return TRIPLES.recognises(names) or (lists_triples(names) and role_of(names, "id") is not None)


def read_json(source: Source, raw: RawDocuments) -> None:
    """Read lines or an array of records, of which each is a document, a triple, or a part of a graph of Neo4j; or one JSON object."""
    is_array = strip_byte_order_mark(source).lstrip().startswith(b"[")
    lines = raw.format == "json-lines"
    if raw.format == "json-table":
        blocks = table_objects(source, name_columns)
    elif lines or is_array:
        blocks = (json_lines if lines and is_array else json_records)(source, expected=EXPECTED_RECORD)
    else:
        _read_object(source, raw)
        return
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        if block.values and (error := entity_error(block.values[0])):
            raise error
        # The first record that shows what it is decides.
        if read := next(filter(None, map(_reader_of, block.values)), None):
            read(chain(waiting, blocks), raw)
            return
    read_documents(waiting, raw)


def _reader_of(value: object) -> Callable[[Iterable[Block], RawDocuments], None] | None:
    """Return the function that reads records like this one; None if it does not show what it is."""
    if isinstance(value, list) or (isinstance(value, dict) and (lists_triples(value) or shape_of(value))):
        return read_documents
    if is_neo4j_record(value):
        return _read_neo4j
    return rows_of_records if is_triple(value) else None


def read_documents(blocks: Iterable[Block], raw: RawDocuments) -> None:
    """Read records of which each is a document."""
    Records(raw).documents(blocks)


def _read_object(source: Source, raw: RawDocuments) -> None:
    """Read an object of documents by id, or one graph."""
    records, keys = Records(raw), members_of(utf8_of(source), dict) or {}
    if role_of(keys, "triples") or not ELSEWHERE.isdisjoint(keys):
        found = to_document(json_of(source))
        if role_of(unwrap_graph(found), "triples"):
            records.read(found, 1, None)
            records.finish()
            return
    members = json_members(source)
    every = list(members.values())
    first: Any = next(blocks_in(source, every[:1])).values[0] if every else None
    if error := no_predicates_error(first):
        raise error
    wrapped = members_of(every[0]) if len(every) == 1 and isinstance(first, list) else None
    of_splits = SPLITS.issuperset(map(bare, members)) and _has_ids(first)
    tables = [members_of(one) for one in every] if every and of_splits else [None]
    if None not in tables:
        if len(every) > 1:
            raw.warnings += (f"the tables {list_first([*map(repr, members)])} are read as one",)
        blocks = blocks_in(source, [*chain.from_iterable(filter(None, tables))])
        (rows_of_records if is_triple(first[0]) else read_documents)(blocks, raw)
    elif wrapped and are_documents(first):
        # A wrapper such as {"graph_documents": [...]}.
        records.documents(blocks_in(source, wrapped))
    elif document := _one_document(source, members, first):
        records.read(document, 1, None)
        records.finish()
    elif every and all(bytes(one).startswith((b"[", b"{")) for one in every):
        records.names = list(members)
        records.documents(blocks_in(source, every))
    else:
        raise InputError(
            "This JSON contains no triples.",
            found=f"the keys {', '.join(list(members)[:8])}" if members else type(json_of(source)).__name__,
            expected='an array of {"id": ..., "triples": [...]}, or a graph with "relations" or "relationships"',
        )


def _has_ids(table: object) -> bool:
    """Return whether a list has records that say which document they are of."""
    return isinstance(table, list) and all(
        isinstance(one, dict) and (is_triple(one) or lists_triples(one)) and id_of(one) is not None for one in table
    )


def _one_document(source: Source, members: Mapping[str, Any], first: object) -> Mapping[str, Any] | None:
    """Return the one document of an object as in a batch of answers; None if its keys are the ids of documents, or no key leads to triples."""
    by_id = all(bytes(one).startswith((b"[", b"{")) for one in members.values())
    if by_id and not is_triple(first) and not OF_ONE.issuperset(map(bare, members)):
        return None
    whole = json_of(source)
    found = document_in(whole, OF_TRIPLES)
    return {"id": id_of(whole), **found} if role_of(unwrap_graph(found), "triples") else None


def _read_neo4j(blocks: Iterable[Block], raw: RawDocuments) -> None:
    """Read what ``apoc.export.json`` and the browser of Neo4j write: nodes and relationships in any record; they are one graph."""
    known: dict[str | None, tuple[str | None, Any]] = {}
    whole: set[str | None] = {None}  # of which name and labels are known
    triples: list[tuple[Any, ...]] = []
    for block in objects_in(blocks):
        for error in (one for one in block.values if type(one) is not dict):
            raw.bad.add(error)
        nodes, relationships = parts_of_neo4j(block.values)
        starts, ends = (_ids_of([one[key] for one in relationships]) for key in ("start", "end"))
        triples += zip(starts, (one.get("label") or one.get("type") for one in relationships), ends, strict=True)
        # What is written of the end of a relationship may be less than what is written of the node.
        some = [
            (node, name)
            for node, name in zip(nodes, _ids_of(nodes), strict=True)
            if name not in whole or (name is not None and node.get("type") == "node")
        ]
        entries = Objects([node for node, _ in some])
        columns = _called(entries), entries.column("labels"), entries.column("type")
        for (_, name), called, labels, kind in zip(some, *columns, strict=True):
            before = known.get(name, NOTHING)
            if None in before or kind == "node":
                known[name] = called or before[0], before[1] if labels is None else labels
                if None not in known[name]:
                    whole.add(name)
    found = nodes_of([{"id": name, "name": called, "labels": kinds} for name, (called, kinds) in known.items()])
    read_document(raw, GRAPH, [triples], types=types_of(found), nodes=found)


def _ids_of(ends: Sequence[Any]) -> list[str | None]:
    """List the ids of nodes, or of ends that are ids."""
    return texts_in([end.get("identity", end.get("id")) if type(end) is dict else end for end in ends])


def _called(nodes: Objects) -> list[str | None]:
    """List the names of nodes, which are among their properties."""
    inner = Objects([one if type(one) is dict else {} for one in nodes.column("properties")])
    found: list[str | None] = [None] * len(nodes)
    for key in CALLED:
        if None in found:
            texts = texts_in(inner.column(key))
            found = [one or other for one, other in zip(found, texts, strict=True)] if any(found) else texts
    return found


@dataclass
class Records:
    """Reads the records of one file, of which each is a document."""

    raw: RawDocuments
    names: Sequence[str] | None = None  # of documents by place, where their records have none
    _seen: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _named: bool = False
    _judged: Decisions = field(default_factory=Decisions)
    _tuples: list[Tuples] = field(default_factory=list)

    def documents(self, blocks: Iterable[Block]) -> None:
        """Read blocks of records."""
        # An unreadable record keeps its number; where records have ids, it has no name, is counted, and is no document.
        blocks, waiting = iter(blocks), list[Block]()
        # The first record with an id shows that records have ids.
        for block in blocks:
            waiting.append(block)
            self._named = self._have_ids(block)
            if self._named:
                break
        for block in chain(waiting, blocks):
            self._read_all(block)
            self._judge(block)
        self.finish()
        self.raw.unread = count_unread(self._seen)
        self.raw.warnings += tuple(self._judged.warnings())
        self.raw.numbered = not self._named and self.names is None

    def finish(self) -> None:
        """Read what is read for all documents together."""
        if self._tuples:
            add_tuples(self._tuples, self.raw)

    def _judge(self, block: Block) -> None:
        """Count what triples say of whether they hold."""
        records = (value for value in block.values if type(value) is dict)
        lists = [value[key] for value in records if (key := _layout(tuple(value)).triples)]
        every = [*chain.from_iterable(some for some in lists if type(some) is list)]
        triples = [one for one in every if type(one) is dict] if dict in {*map(type, every)} else []
        self._judged.see_records(triples)
        self.raw.warnings += () if block.first else tuple(other_sides(triples))

    def _have_ids(self, block: Block) -> bool:
        if self.raw.by_order or self.names is not None:
            return False
        return any(type(value) is dict and id_of(value) is not None for value in block.values)

    def _read_all(self, block: Block) -> None:
        """Read some records at once; where one has more than columns have, each half, and so on down to that record."""
        if not block.values or self._at_once(block) or self._graphs_at_once(block):
            return
        if len(block.values) == 1:
            self._one(block)
            return
        half = len(block.values) // 2
        self._read_all(Block(block.first, block.lines[:half], block.values[:half]))
        self._read_all(Block(block.first + half, block.lines[half:], block.values[half:]))

    def _at_once(self, block: Block) -> bool:
        """Read records with lists of triples whose ends are names; return False and read none if one has more than that."""
        values, raw = block.values, self.raw
        if {*map(type, values)} != {dict}:
            return False
        shapes = Counter(map(tuple, values))
        found = common(_layout, list(shapes))
        layout = None if found is None else Layout(*found)
        if layout is None or layout.elsewhere or layout.triples is None:
            return False
        names, triples = self._names_of(block, column(values, layout.id)), column(values, layout.triples)
        entities = [] if layout.entities is None else column(values, layout.entities)
        if names is None or {*map(type, triples)} != {list} or not {*map(type, entities)} <= {list, type(None)}:
            return False
        typed = self._typed([some or () for some in entities])
        texts, valued = column(values, layout.text), layout.entities is layout.tokens is None
        if typed is None or not self._put(block, names, triples, texts, typed, valued=valued):
            return False
        if any(not CLUSTERS.keys().isdisjoint(shape) for shape in shapes):
            first = len(raw.ids) - len(values)
            raw.clusters += [one for at, value in enumerate(values, first) for one in _clusters(value, at)]
        self._seen.update(shapes)
        return True

    def _put(
        self,
        block: Block,
        names: Sequence[str],
        triples: Sequence[Sequence[Any]],
        texts: Sequence[Any],
        typed: Typed,
        *,
        valued: bool,
    ) -> bool:
        """Begin the documents of a block with their triples; return False and begin none if one has more than that."""
        raw, size = self.raw, len(names)
        rows = range(block.first, block.first + size) if self.names is None else [NO_ROW] * size
        if not add_sets(raw, range(len(raw.owners), len(raw.owners) + size), triples, rows, valued=valued):
            return False
        found_later = map(partial, repeat(block.lines.__getitem__), range(size))
        lines = found_later if isinstance(block.lines, Lines) else block.lines
        raw.begin_all(names, lines, [text if type(text) is str else "" for text in texts])
        raw.add_types(*typed)
        return True

    def _graphs_at_once(self, block: Block) -> bool:
        """Read graph documents of LangChain whose nodes are named by their ids; return False and read none if one has more than that."""
        values = block.values
        if {*map(type, values)} != {dict} or {*map(frozenset, values)} != {GRAPH_DOCUMENT} or self.names is not None:
            return False
        nodes, edges, sources = (column(values, key) for key in ("nodes", "relationships", "source"))
        if {*map(type, nodes), *map(type, edges)} != {list} or {*map(type, sources)} != {dict}:
            return False
        of_edges = _columns_of_all(GRAPH_EDGE, list(chain.from_iterable(edges)))
        if of_edges is None:
            return False
        count, pairs = sum(map(len, nodes)), zip(of_edges["source"], of_edges["target"], strict=True)
        of_nodes = _columns_of_all(GRAPH_NODE, [*chain.from_iterable(nodes), *chain.from_iterable(pairs)])
        if of_nodes is None or any(map(_may_name, filter(None, of_nodes["properties"]))):
            return False
        ids, sizes, first = of_nodes["id"], np.array(list(map(len, edges))), len(self.raw.ids)
        begins = np.cumsum([0, *map(len, nodes)])[: len(nodes)]
        coded = (CODE.fullmatch(ids[at].strip()) for at, some in zip(begins, nodes, strict=True) if some)
        names = self._names_of(block, list(map(id_of, sources)))
        if names is None or not are_names(ids) or any(coded):
            return False
        triples = list(zip(ids[count::2], of_edges["type"], ids[count + 1 :: 2], strict=True))
        ends = np.cumsum(sizes)
        lists = [triples[begin:end] for begin, end in zip(ends - sizes, ends, strict=True)]
        documents = np.arange(first, first + len(values))
        owners = np.concatenate([np.repeat(documents, list(map(len, nodes))), np.repeat(documents, 2 * sizes)])
        texts = [source.get("page_content") for source in sources]
        return self._put(block, names, lists, texts, _typed_of(owners, ids, of_nodes["type"]), valued=False)

    def _names_of(self, block: Block, ids: Sequence[Any]) -> list[str] | None:
        """Return the ids of documents; None if one has no plain id."""
        places = range(block.first, block.first + len(block.values))
        if self.names is not None:
            names = list(map(self.names.__getitem__, places))
        elif not self._named:
            names = [str(place + 1) for place in places]
        else:
            kinds = {*map(type, ids)}
            if not kinds <= {str, int}:
                return None
            names = list(map(str.strip, ids if kinds == {str} else map(str, ids)))
        return names if all(names) else None

    def _typed(self, listed: Sequence[Sequence[Any]]) -> Typed | None:
        """Return documents, names and types of entities to which triples refer by name only; None if one may be called otherwise."""
        first = len(self.raw.ids)
        every = list(chain.from_iterable(listed))
        kinds = {*map(type, every)}
        if not kinds <= {dict, str}:
            return None
        owners = np.repeat(np.arange(first, first + len(listed)), list(map(len, listed)))
        if kinds != {dict}:
            owners = owners[[type(one) is dict for one in every]] if every else owners
            every = [one for one in every if type(one) is dict]
        names, stated = columns_of(keys_of_entity, every) or (None, None) if every else ([], [])
        if names is None or not are_names(names):
            return None
        return _typed_of(owners, names, stated or [""] * len(names))

    def _one(self, block: Block) -> None:
        """Read a record by itself."""
        raw, [(place, line, value)] = self.raw, block.enumerate_values()
        raw.number_record(block.lines, place, line)
        name = self.names[place] if self.names is not None else str(place + 1) if raw.by_order else None
        if isinstance(value, RecordError):
            raw.bad.add(value)
            if not self._named:
                read_unreadable(raw, name or str(place + 1), line=line)
            return
        if self._named:
            name = id_of(value) if type(value) is dict else None
            if name is None:
                raw.fault("The record has no id, as others have.", line=line, found=value, expected=EXPECTED)
                return
        self.read(value, place + 1, line, name=name, row=place if self.names is None else NO_ROW)

    def read(self, record: Any, number: int, line: int | None, *, name: str | None = None, row: int = NO_ROW) -> None:
        """Read the record of one document, whose name is in it if it is not given."""
        raw = self.raw
        if line is None:
            raw.record = number
        if type(record) is not dict:
            name = name or str(number)
            if isinstance(record, list):
                read_document(raw, name, [record], line=line, row=row)
                return
            expected = "an object with triples"
            read_unreadable(raw, name, "The record is not an object.", line=line, found=record, expected=expected)
            return
        self._seen[tuple(record)] += 1
        record = to_document(record)
        record = unwrap_graph(record) if _layout(tuple(record)).elsewhere else record
        layout = _layout(tuple(record))
        name = name or id_of(record) or str(number)
        sets = _sets(record, layout)
        if sets is None:
            found = f"the keys {', '.join(map(str, record))}"
            read_unreadable(raw, name, WITHOUT_TRIPLES, line=line, found=found, expected=EXPECTED)
            return
        text = _text(record, layout)
        if isinstance(sets[0], str) and are_tuples(sets[0]):
            self._tuples.append(Tuples(raw.begin(name, line, text), sets[0], row, line, raw.record))
            return
        nodes = _nodes(record, text)
        raw.clusters += _clusters(record, len(raw.ids))
        read_document(raw, name, sets, line=line, text=text, types=types_of(nodes), nodes=nodes, row=row)


def _typed_of(owners: Numbers, names: Sequence[Any], stated: list[Any]) -> Typed:
    """Keep the entities that have a name and a type, which is not their name."""
    types = first_types(stated)
    if "" not in types and None not in names and not any(map(eq, types, names)):
        return owners, list(names), types
    typed = [name is not None and kind not in ("", name) for kind, name in zip(types, names, strict=True)]
    return owners[typed], list(compress(names, typed)), list(compress(types, typed))


def _columns_of_all(keys: frozenset[str], some: list[Any]) -> dict[str, list[Any]] | None:
    """List the values of objects under each of their keys; None if one is no object or has others."""
    names = tuple(keys)

    def find(found: tuple[str, ...]) -> tuple[str, ...] | None:
        return names if {*found} == keys else None

    columns = columns_of(find, some) if {*map(type, some)} == {dict} else None if some else [[]] * len(names)
    return None if columns is None else {name: found or [] for name, found in zip(names, columns, strict=True)}


def _may_name(properties: Any) -> bool:
    """Return whether the properties of a node may be what it is called by."""
    return bool(properties) and (type(properties) is not dict or not properties.keys().isdisjoint(NAMING))


def _sets(record: Mapping[str, Any], layout: Layout) -> list[Any] | None:
    """Find the sets of triples of a record: its references, or its one set."""
    several = role_of(record, "references") if layout.elsewhere else None
    if several is not None and isinstance(record[several], list) and record[several]:
        return list(record[several])
    if layout.triples is None:
        return None
    some = [] if record[layout.triples] is None else record[layout.triples]
    if type(some) is dict and not is_triple(some):
        # Property graphs keep relations by key.
        return [list(some.values())]
    if type(some) is dict:
        rows = rows_of_lists(some)
        # Columns of different lengths are no triples; an object without lists is one.
        some = some if rows is None and list in map(type, some.values()) else [some] if rows is None else rows
    return [some]


def unwrap_graph(graph: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take a graph out of the elements of Cytoscape, and call the links of node-link JSON and the labels of DocRED edges."""
    inner = graph.get("elements")
    if isinstance(inner, Mapping):
        graph = {**{key: value for key, value in graph.items() if key != "elements"}, **inner}
    name = "links" if "nodes" in graph else "labels" if DOCRED in graph else ""
    if name not in graph or "edges" in graph:
        return graph
    return {"edges" if key == name else key: value for key, value in graph.items()}


def id_of(record: Mapping[str, Any]) -> str | None:
    """Find the id of a record: its own, that of its source (LangChain), or one in the metadata of either; None if it has none."""
    key = role_of(record, "id") or ("title" if DOCRED in record else None)
    found = None if key is None else record.get(key)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, str | int) and not isinstance(found, bool) and str(found).strip():
        return str(found).strip()
    inner = (record[key] for key in ("source", "metadata") if isinstance(record.get(key), dict))
    return next(filter(None, map(id_of, inner)), None)


def _text(record: Mapping[str, Any], layout: Layout) -> str:
    """Find the text of a record, which may be in its source (LangChain), or in sentences of words (DocRED)."""
    if not layout.elsewhere:
        text = "" if layout.text is None else record[layout.text]
        return text if isinstance(text, str) else ""
    source = record.get("source")
    for some in (record, source if isinstance(source, Mapping) else {}):
        key = role_of(some, "text")
        if key is not None and isinstance(some[key], str):
            return str(some[key])
    sentences = record.get("sents") if DOCRED in record else None
    words = (
        (word for some in sentences if isinstance(some, list) for word in some) if isinstance(sentences, list) else ()
    )
    return " ".join(map(str, words))


def _clusters(record: Mapping[str, Any], document: int) -> Iterator[Cluster]:
    """List the clusters and the mentions of a record, which are one entity if they have one name."""
    return (Cluster(document, of, tuple(names)) for of, names in clusters_in(record))


def _nodes(record: Mapping[str, Any], text: str) -> Nodes:
    """Read what the ends of the triples of a record may refer to."""
    key = role_of(record, "entities") or (DOCRED if DOCRED in record else None)
    tokens = next((record[name] for name in TOKENS if name in record), None)
    return nodes_of(None if key is None else record[key], tokens=tokens, text=text)


def types_of(nodes: Nodes) -> tuple[list[str], list[str]]:
    """Return the names and the types of the entities of a record that have both."""
    if not nodes.entries:
        return [], []
    keys = {shape: role_of(shape, "type") or "type" for shape in nodes.entries.shapes}
    [key, *others] = {*keys.values()}
    stated = [node.get(keys[tuple(node)]) for node in nodes.entries.objects] if others else nodes.entries.column(key)
    return _typed_of(np.arange(len(stated)), nodes.listed, stated)[1:]


def count_unread(seen: Mapping[tuple[str, ...], int]) -> dict[str, int]:
    """Count the records that have each key that is not read."""
    counts: Counter[str] = Counter()
    for keys, times in seen.items():
        read = (
            {role_of(keys, role) for role in READ}
            | INNER
            | {*TOKENS, *WRAPPED, *CLUSTERS, *(OF_DOCRED if DOCRED in keys else ())}
        )
        counts.update({key: times for key in keys if key not in read})
    return dict(counts)
