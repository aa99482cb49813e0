"""Records of JSON to documents: each has an id, a text, triples, and what their ends refer to; or each is one triple."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, repeat
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from goldassay.core.errors import RecordError
from goldassay.core.model import NO_ROW
from goldassay.formats.records import Block
from goldassay.formats.texts import whole
from goldassay.triples.batch import SLOTS
from goldassay.triples.nodes import NAMING, Nodes, nodes_of
from goldassay.triples.statements import Reader, Shapes, lists_triples, role_of, type_of

EXPECTED = '{"id": "1", "triples": [["subject", "predicate", "object"]]}'
EXPECTED_ALONE = "id, subject, predicate, object"
GRAPH = "1"
TOKENS = ("tokens", "token", "words")
DOCRED = "vertexSet"
OF_DOCRED = (DOCRED, "title", "labels", "sents")
WRAPPED = ("elements", "links")
INNER = frozenset({"source", "metadata", "spans"})
"""Keys that are looked into where a record has no id, text or entities of its own."""
READ = ("id", "text", "triples", "references", "entities")
TOGETHER = 500
"""So many rows are read at once."""
NO_TYPES: Mapping[str, str] = MappingProxyType({})


class Layout(NamedTuple):
    """Which key of a record is what; None where there is none.

    Attributes:
        id: The id.
        text: The text.
        triples: The triples.
        entities: The entities.
        tokens: The words of the text.
        elsewhere: Whether any of these may stand elsewhere, or triples have references.
        plain: Whether triples have nothing that their ends could refer to.
    """

    id: str | None
    text: str | None
    triples: str | None
    entities: str | None
    tokens: str | None
    elsewhere: bool
    plain: bool


def _layout(keys: tuple[str, ...]) -> Layout:
    name, text, triples, several, entities = (role_of(keys, role) for role in READ)
    tokens = next((key for key in TOKENS if key in keys), None)
    elsewhere = several is not None or not {DOCRED, "source", *WRAPPED}.isdisjoint(keys)
    plain = entities is tokens is None and DOCRED not in keys
    return Layout(name, text, triples, entities, tokens, elsewhere, plain)


def _keys_of_entity(keys: tuple[str, ...]) -> tuple[str, str | None] | None:
    """Return the keys of the name and the type of an entity; None if triples may name it otherwise."""
    name = next((key for key in (*NAMING, "text", "entity") if key in keys), None)
    return None if name is None or not {"id", "data", "properties"}.isdisjoint(keys) else (name, role_of(keys, "type"))


_Waiting: TypeAlias = tuple[int, Any, int, Any, bool, int | None, int | None, dict[str, Any]]
"""A record whose triples are read with those of others: the set, the triples, the place, the entities, whether nothing is there that ends could
refer to; the line, the number in messages, and the record."""


@dataclass
class Records:
    """Reads the records of one file.

    Attributes:
        reader: Receives what is read, and what cannot be read.
        names: What the documents are called, by place, where their records do not say so.
    """

    reader: Reader
    names: Sequence[str] | None = None
    _layouts: Shapes = field(default_factory=lambda: Shapes(_layout))
    _entities: Shapes = field(default_factory=lambda: Shapes(_keys_of_entity))
    _seen: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _named: bool = False
    _waiting: list[_Waiting] = field(default_factory=list)

    def documents(self, blocks: Iterable[Block]) -> None:
        """Read blocks of records.

        A record that cannot be read keeps its number, or, where records have ids, is one that nobody can name: then it is counted, and no
        document.
        """
        waiting: list[Block] = []
        for block in blocks:
            waiting.append(block)
            if self._named or (readable := [one for one in block.values if isinstance(one, dict | list)]):
                self._named = self._named or self._have_ids(readable)
                for some in waiting:
                    self._block(some)
                waiting = []
        for some in waiting:
            self._block(some)
        self.reader.unread = unread(self._seen)
        self.reader.numbered = not self._named and self.names is None

    def _have_ids(self, values: list[Any]) -> bool:
        return (
            not self.reader.by_order
            and self.names is None
            and any(isinstance(value, dict) and id_of(value) is not None for value in values)
        )

    def _block(self, block: Block) -> None:
        reader, layouts, by_order = self.reader, self._layouts, self.reader.by_order
        # Several members of an array may stand on one line.
        has_lines = isinstance(block.lines, range | list)
        for place, (line, value) in enumerate(zip(block.lines[:], block.values, strict=True), start=block.first):
            name = self.names[place] if self.names is not None else str(place + 1) if by_order else None
            reader.record = None if has_lines and line is not None else place + 1
            if isinstance(value, RecordError):
                self._finish()
                reader.bad.add(value)
                if not self._named:
                    reader.unreadable(name or str(place + 1), line=line)
                continue
            if self._named:
                key = layouts[tuple(value)].id if type(value) is dict else None
                found = None if key is None else value[key]
                name = (found.strip() if type(found) is str else None) or (
                    id_of(value) if type(value) is dict else None
                )
                if name is None:
                    self._finish()
                    reader.fault("The record has no id, as others have.", line=line, found=value, expected=EXPECTED)
                    continue
            self._begin(value, place + 1, line, name, place if self.names is None else NO_ROW)
        self._finish()

    def read(self, record: Any, number: int, line: int | None, *, row: int = NO_ROW) -> None:
        """Read the record of one document."""
        self._begin(record, number, line, None, row)
        self._finish()

    def _begin(self, record: Any, number: int, line: int | None, name: str | None, row: int) -> None:
        """Begin the document of a record, whose triples wait; its name is in it if it is not given."""
        reader = self.reader
        if line is None:
            reader.record = number
        if type(record) is not dict:
            self._finish()
            name = name or str(number)
            if isinstance(record, list):
                reader.document(name, [record], line=line, row=row)
                return
            expected = "an object with triples"
            reader.unreadable(name, "The record is not an object.", line=line, found=record, expected=expected)
            return
        keys = tuple(record)
        self._seen[keys] += 1
        layout = self._layouts[keys]
        if layout.elsewhere:
            record = unwrapped(record)
            layout = self._layouts[tuple(record)]
        name = name or id_of(record) or str(number)
        documents, key, text = reader.documents, layout.triples, layout.text
        plain = not layout.elsewhere and key is not None and type(record[key]) is list
        sets = [record[key]] if plain else _sets(record, layout)
        if sets is None:
            self._finish()
            found = f"the keys {', '.join(map(str, record))}"
            reader.unreadable(name, "The record has no triples.", line=line, found=found, expected=EXPECTED)
            return
        one = documents.begin(name, line, "" if text is None and not layout.elsewhere else _text(record, layout))
        entities = None if layout.plain else record.get(layout.entities or DOCRED)
        for place, some in enumerate(sets):
            one = documents.another() if place else one
            self._waiting.append((one, some, row, entities, layout.plain, line, reader.record, record))

    def _finish(self) -> None:
        """Read the triples that wait."""
        waiting, self._waiting = self._waiting, []
        number = self.reader.record
        self._read(waiting)
        self.reader.record = number

    def _read(self, some: list[_Waiting]) -> None:
        """Read the triples of some records at once; where one says more than columns do the halves, down to that record."""
        if not some:
            return
        reader = self.reader
        ones, triples, rows, entities, plain = list(zip(*some, strict=True))[:5]
        typed = self._typed(ones, entities) if {*map(type, triples)} == {list} else None
        if typed is not None and reader.at_once(ones, triples, rows, valued=all(plain)):
            for column, found in zip(reader.documents.typed, typed, strict=True):
                column.extend(found)
        elif len(some) > 1:
            half = len(some) // 2
            self._read(some[:half])
            self._read(some[half:])
        else:
            [(one, listed, row, _, _, line, reader.record, record)] = some
            nodes = _nodes(record, reader.documents.texts[reader.documents.owners[one]])
            for name, kind in types_of(nodes).items():
                reader.documents.type(one, name, kind)
            reader.read(one, listed, line, nodes, row)

    def _typed(self, ones: Sequence[int], entities: Sequence[Any]) -> tuple[Iterable[int], ...] | None:
        """Give the documents, names and types of entities that triples can only call by their names; None if one may be called otherwise."""
        if not {*map(type, entities)} <= {list, type(None)}:
            return None
        documents, listed = self.reader.documents, [some or () for some in entities]
        owners = chain.from_iterable(map(repeat, map(documents.owners.__getitem__, ones), map(len, listed)))
        pairs = [
            (owner, one) for owner, one in zip(owners, chain.from_iterable(listed), strict=True) if type(one) is not str
        ]
        try:
            keys = [self._entities[tuple(one)] for _, one in pairs]
            names = [one[own] for (own, _), (_, one) in zip(keys, pairs, strict=True)]
            kinds = [one.get(key) for (_, key), (_, one) in zip(keys, pairs, strict=True)]
            kinds = [kind[0] if type(kind) is list and kind else kind for kind in kinds]
            if not {*map(type, names)} <= {str}:
                return None
            typed = [type(kind) is str and kind not in ("", name) for kind, name in zip(kinds, names, strict=True)]
            known = list(map(documents.known_types.__getitem__, compress(kinds, typed)))
        except (KeyError, TypeError, AttributeError):
            return None
        numbers = documents.names.numbers_of_names(names)
        return (
            None
            if numbers is None
            else (compress((owner for owner, _ in pairs), typed), compress(numbers.tolist(), typed), known)
        )


def read_triples_alone(
    rows: Iterable[tuple[int, int | None, dict[str, Any]]],
    reader: Reader,
    *,
    named: bool = True,
    types: Mapping[str, str] = NO_TYPES,
) -> None:
    """Read records of which each is a triple, or an id alone, each with its place and its line; without ids all are one graph."""
    waiting: list[_Row] = []
    shapes = Shapes(lambda keys: (role_of(keys, "id"), [key for slot in SLOTS if (key := role_of(keys, slot))]))
    for place, line, row in rows:
        if line is None:
            reader.record = place + 1
        if float in map(type, row.values()):
            # A gap makes floats of whole numbers.
            row = {key: whole(cell) for key, cell in row.items()}  # noqa: PLW2901
        key, slots = shapes[tuple(row)]
        identifier = (None if named else GRAPH) if key is None else row[key]
        cells = [row[slot] for slot in slots]
        for one in (identifier or [GRAPH]) if isinstance(identifier, list) else [identifier]:
            found = whole(one)
            name = "" if found is None else str(found).strip()
            if not name:
                _read_rows(waiting, reader)
                waiting = []
                reader.fault("A row has no id.", line=line, found=list(row.values()), expected="the id of a document")
                continue
            document = reader.documents.called(name, line)
            if any(cell not in (None, "") for cell in cells):
                waiting.append((document, (row,), place, line, reader.record))
                if len(waiting) == TOGETHER:
                    _read_rows(waiting, reader)
                    waiting = []
                for end in cells if types else ():
                    if end in types:
                        reader.documents.type(document, end, types[end])

    _read_rows(waiting, reader)


_Row: TypeAlias = tuple[int, tuple[dict[str, Any]], int, int | None, int | None]
"""A row that waits: its set, itself, its place, its line, and its number in messages."""


def _read_rows(some: list[_Row], reader: Reader) -> None:
    """Read rows at once; where one says more than texts and values, the halves, down to that row."""
    if not some:
        return
    ones, rows, places, *_ = zip(*some, strict=True)
    if len(some) > 1 and not reader.at_once(ones, rows, places, valued=True):
        _read_rows(some[: len(some) // 2], reader)
        _read_rows(some[len(some) // 2 :], reader)
    elif len(some) == 1:
        [(one, row, place, line, number)] = some
        before, reader.record = reader.record, number
        reader.read(one, row, line, row=place)
        reader.record = before


def alone_in(blocks: Iterable[Block], reader: Reader) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """List records of JSON of which each is a triple, with their places and lines."""
    for block in blocks:
        for place, (line, record) in enumerate(zip(block.lines[:], block.values, strict=True), start=block.first):
            if isinstance(record, RecordError):
                reader.bad.add(record)
            elif not isinstance(record, dict):
                reader.fault("The line is not a JSON object.", line=line, found=record, expected=EXPECTED_ALONE)
            elif lists_triples(record):
                keys = f"the keys {', '.join(record)}"
                reader.fault(
                    "The line is a document among lines of triples.", line=line, found=keys, expected=EXPECTED_ALONE
                )
            else:
                yield place, line, record


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
