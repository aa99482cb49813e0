"""Records of JSON to documents: each has an id, a text, triples, and what their ends refer to; or each is one triple."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, compress, repeat
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.errors import RecordError
from goldassay.core.model import NO_ROW
from goldassay.formats.records import Block
from goldassay.triples.batch import Batch
from goldassay.triples.nodes import NAMING, Nodes, nodes_of
from goldassay.triples.statements import Reader, Shapes, role_of, type_of

EXPECTED = '{"id": "1", "triples": [["subject", "predicate", "object"]]}'
EXPECTED_ROW = "id, subject, predicate, object"
GRAPH = "1"
TOKENS = ("tokens", "token", "words")
DOCRED = "vertexSet"
OF_DOCRED = (DOCRED, "title", "labels", "sents")
WRAPPED = ("elements", "links")
INNER = frozenset({"source", "metadata", "spans"})
"""Keys that are looked into where a record has no id, text or entities of its own."""
READ = ("id", "text", "triples", "references", "entities")


class Layout(NamedTuple):
    """Which key of a record is what; None where there is none."""

    id: str | None
    text: str | None
    triples: str | None
    entities: str | None
    tokens: str | None
    elsewhere: bool  # whether any of these may be elsewhere, or triples have references


def _layout(keys: tuple[str, ...]) -> Layout:
    name, text, triples, several, entities = (role_of(keys, role) for role in READ)
    tokens = next((key for key in TOKENS if key in keys), None)
    elsewhere = several is not None or not {DOCRED, "source", *WRAPPED}.isdisjoint(keys)
    return Layout(name, text, triples, entities, tokens, elsewhere)


def keys_of_entity(keys: tuple[str, ...]) -> tuple[str, str | None] | None:
    """Return the keys of the name and the type of an entity; None if triples may name it otherwise."""
    name = next((key for key in (*NAMING, "text", "entity") if key in keys), None)
    return None if name is None or not {"id", "data", "properties"}.isdisjoint(keys) else (name, role_of(keys, "type"))


def settled(blocks: Iterable[Block], have_ids: Callable[[Block], bool]) -> Iterator[tuple[Block, bool]]:
    """List blocks, each with whether records of the file have ids: those before the first that has one wait for it."""
    waiting: list[Block] = []
    named = False
    for block in blocks:
        waiting.append(block)
        named = named or have_ids(block)
        if named:
            yield from ((one, True) for one in waiting)
            waiting = []
    yield from ((one, False) for one in waiting)


def by_halves(block: Block, at_once: Callable[[Block], bool], one: Callable[[Block], None]) -> None:
    """Read some records at once; where one says more than columns do the halves, down to that record."""
    if not block.values or at_once(block):
        return
    if len(block.values) == 1:
        one(block)
        return
    half = len(block.values) // 2
    by_halves(Block(block.first, block.lines[:half], block.values[:half]), at_once, one)
    by_halves(Block(block.first + half, block.lines[half:], block.values[half:]), at_once, one)


@dataclass
class Records:
    """Reads the records of one file, of which each is a document."""

    reader: Reader
    names: Sequence[str] | None = None  # of documents by place, where their records have none
    _layouts: Shapes = field(default_factory=lambda: Shapes(_layout))
    _entities: Shapes = field(default_factory=lambda: Shapes(keys_of_entity))
    _seen: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _named: bool = False

    def documents(self, blocks: Iterable[Block]) -> None:
        """Read blocks of records.

        A record that cannot be read keeps its number, or, where records have ids, is one that nobody can name: then it is counted, and no
        document.
        """
        for block, named in settled(blocks, self._have_ids):
            self._named = named
            by_halves(block, self._at_once, self._one)
        self.reader.unread = unread(self._seen)
        self.reader.numbered = not self._named and self.names is None

    def _have_ids(self, block: Block) -> bool:
        return (
            not self.reader.by_order
            and self.names is None
            and any(type(value) is dict and id_of(value) is not None for value in block.values)
        )

    def _at_once(self, block: Block) -> bool:
        """Read records that have lists of triples, and nothing that their ends could refer to but by its name; if one says more than that, read none."""
        values, documents = block.values, self.reader.documents
        if {*map(type, values)} != {dict}:
            return False
        try:
            layout = Layout(*self._layouts.common(values))
        except ValueError:
            return False
        if layout.elsewhere or layout.triples is None:
            return False
        names, triples = self._names_of(block, layout.id), _column(values, layout.triples)
        entities = [] if layout.entities is None else _column(values, layout.entities)
        if names is None or {*map(type, triples)} != {list} or not {*map(type, entities)} <= {list, type(None)}:
            return False
        typed = self._typed([some or () for some in entities])
        rows = range(block.first, block.first + len(values)) if self.names is None else [NO_ROW] * len(values)
        sets = range(len(documents.owners), len(documents.owners) + len(values))
        valued = layout.entities is layout.tokens is None
        columns = self.reader.slots_in(list(chain.from_iterable(triples)))
        if (
            typed is None
            or columns is None
            or not self.reader.at_once(sets, list(map(len, triples)), rows, *columns, valued=valued)
        ):
            return False
        texts = [text if type(text) is str else "" for text in _column(values, layout.text)]
        documents.begin_all(names, map(partial, repeat(block.lines.__getitem__), range(len(values))), texts)
        for column, found in zip(documents.typed, typed, strict=True):
            column.extend(found)
        self._seen.update(map(tuple, values))
        return True

    def _names_of(self, block: Block, key: str | None) -> list[str] | None:
        """Say what documents are called; None if one of them has no plain id."""
        places = range(block.first, block.first + len(block.values))
        if self.names is not None:
            names = list(map(self.names.__getitem__, places))
        elif not self._named:
            names = [str(place + 1) for place in places]
        else:
            ids = _column(block.values, key)
            kinds = {*map(type, ids)}
            if not kinds <= {str, int}:
                return None
            names = list(map(str.strip, ids if kinds == {str} else map(str, ids)))
        return names if all(names) else None

    def _one(self, block: Block) -> None:
        """Read a record by itself."""
        reader, [(place, line, value)] = self.reader, block.numbered()
        reader.at(block.lines, place, line)
        name = self.names[place] if self.names is not None else str(place + 1) if reader.by_order else None
        if isinstance(value, RecordError):
            reader.bad.add(value)
            if not self._named:
                reader.unreadable(name or str(place + 1), line=line)
            return
        if self._named:
            name = id_of(value) if type(value) is dict else None
            if name is None:
                reader.fault("The record has no id, as others have.", line=line, found=value, expected=EXPECTED)
                return
        self.read(value, place + 1, line, name=name, row=place if self.names is None else NO_ROW)

    def read(self, record: Any, number: int, line: int | None, *, name: str | None = None, row: int = NO_ROW) -> None:
        """Read the record of one document, whose name is in it if it is not given."""
        reader = self.reader
        if line is None:
            reader.record = number
        if type(record) is not dict:
            name = name or str(number)
            if isinstance(record, list):
                reader.document(name, [record], line=line, row=row)
                return
            expected = "an object with triples"
            reader.unreadable(name, "The record is not an object.", line=line, found=record, expected=expected)
            return
        self._seen[tuple(record)] += 1
        record = unwrapped(record) if self._layouts[tuple(record)].elsewhere else record
        layout = self._layouts[tuple(record)]
        name = name or id_of(record) or str(number)
        sets = _sets(record, layout)
        if sets is None:
            found = f"the keys {', '.join(map(str, record))}"
            reader.unreadable(name, "The record has no triples.", line=line, found=found, expected=EXPECTED)
            return
        text = _text(record, layout)
        nodes = _nodes(record, text)
        reader.document(name, sets, line=line, text=text, types=types_of(nodes), nodes=nodes, row=row)

    def _typed(self, listed: Sequence[Sequence[Any]]) -> tuple[Iterable[int], ...] | None:
        """Give the documents, names and types of entities that triples can only call by their names; None if one may be called otherwise."""
        documents, first = self.reader.documents, len(self.reader.documents.ids)
        every = list(chain.from_iterable(listed))
        if not {*map(type, every)} <= {dict, str}:
            return None
        owners = np.repeat(np.arange(first, first + len(listed)), list(map(len, listed))).tolist()
        if str in map(type, every):
            owners = [owner for owner, one in zip(owners, every, strict=True) if type(one) is dict]
            every = [one for one in every if type(one) is dict]
        if not every:
            return (), (), ()
        try:
            own, key = self._entities.common(every)
        except (ValueError, TypeError):
            return None
        names, kinds = _column(every, own), plain_types(_column(every, key))
        numbers = documents.names.numbers_of_names(names) if {*map(type, names)} == {str} else None
        if numbers is None:
            return None
        typed = [kind not in ("", name) for kind, name in zip(kinds, names, strict=True)]
        known = map(documents.known_types.__getitem__, compress(kinds, typed))
        return compress(owners, typed), compress(numbers.tolist(), typed), list(known)


def plain_types(stated: list[Any]) -> list[str]:
    """Return the types of entities, of several the first; the empty text where there is none."""
    if {*map(type, stated)} == {str}:
        return stated
    kinds = [kind[0] if type(kind) is list and kind else kind for kind in stated]
    return [kind if type(kind) is str else "" for kind in kinds]


def _column(records: Sequence[Mapping[str, Any]], key: str | None) -> list[Any]:
    """Give what each record has under a key; None where it lacks it."""
    return [None] * len(records) if key is None else [record.get(key) for record in records]


def read_documents(blocks: Iterable[Block], reader: Reader) -> Batch:
    """Read records of which each is a document."""
    Records(reader).documents(blocks)
    return reader.documents.batch()


def _sets(record: Mapping[str, Any], layout: Layout) -> list[Any] | None:
    """Find the sets of triples of a record: its references, or its one set."""
    several = role_of(record, "references") if layout.elsewhere else None
    if several is not None and isinstance(record[several], list) and record[several]:
        return list(record[several])
    if layout.triples is None:
        return None
    some = [] if record[layout.triples] is None else record[layout.triples]
    # Property graphs keep relations by key.
    return [list(some.values()) if type(some) is dict else some]


def unwrapped(graph: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take a graph out of the elements of Cytoscape, and call the links of node-link JSON and the labels of DocRED edges.

    Example:
        >>> unwrapped({"nodes": [], "links": []})
        {'nodes': [], 'edges': []}
    """
    inner = graph.get("elements")
    if isinstance(inner, Mapping):
        graph = {**{key: value for key, value in graph.items() if key != "elements"}, **inner}
    name = "links" if "nodes" in graph else "labels" if DOCRED in graph else ""
    if name not in graph or "edges" in graph:
        return graph
    return {"edges" if key == name else key: value for key, value in graph.items()}


def id_of(record: Mapping[str, Any]) -> str | None:
    """Find the id of a record: its own, that of its source (LangChain), or one in the metadata of either; None if it has none.

    Example:
        >>> id_of({"id": 7}), id_of({"source": {"metadata": {"doc_id": "d1"}}}), id_of({"triples": []})
        ('7', 'd1', None)
    """
    inner = [record[key] for key in ("source", "metadata") if isinstance(record.get(key), Mapping)]
    key = role_of(record, "id") or ("title" if DOCRED in record else None)
    found = None if key is None else record.get(key)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, str | int) and not isinstance(found, bool) and str(found).strip():
        return str(found).strip()
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


def _nodes(record: Mapping[str, Any], text: str) -> Nodes:
    """Read what the ends of the triples of a record may refer to."""
    key = role_of(record, "entities") or (DOCRED if DOCRED in record else None)
    tokens = next((record[name] for name in TOKENS if name in record), None)
    return nodes_of(None if key is None else record[key], tokens=tokens, text=text)


def types_of(nodes: Nodes) -> dict[str, str]:
    """Return the types of the entities of a record by name."""
    types: dict[str, str] = {}
    for name, node in zip(nodes.listed, nodes.entries, strict=True):
        if name is not None and node is not None:
            types.update(type_of(name, node))
    return types


def unread(seen: Mapping[tuple[str, ...], int]) -> dict[str, int]:
    """Count the records that have each key that is not read.

    Example:
        >>> unread({("id", "triples", "relations"): 2, ("id", "triples"): 5})
        {'relations': 2}
    """
    counts: Counter[str] = Counter()
    for keys, times in seen.items():
        read = (
            {role_of(keys, role) for role in READ} | INNER | {*TOKENS, *WRAPPED, *(OF_DOCRED if DOCRED in keys else ())}
        )
        counts.update({key: times for key in keys if key not in read})
    return dict(counts)
