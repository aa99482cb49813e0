"""Records of JSON to documents: those of plain triples many at once, all others one by one."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, islice
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.counts import FloatArray
from goldassay.core.errors import RecordError
from goldassay.core.intern import first_of_each
from goldassay.core.model import NO_ROW
from goldassay.formats.records import Block
from goldassay.triples.answers import MISSING, SLOTS, UNWEIGHTED, Answer, Batch, Numbers, batch_of, joined
from goldassay.triples.nodes import NAMING, Nodes, nodes_of
from goldassay.triples.statements import XSD, Reader, role_of, slot_of, type_of

EXPECTED = '{"id": "1", "triples": [["subject", "predicate", "object"]]}'
TOKENS = ("tokens", "token", "words")
DOCRED = "vertexSet"
OF_DOCRED = (DOCRED, "title", "labels", "sents")
WRAPPED = ("elements", "links")
INNER = frozenset({"source", "metadata", "spans"})
"""Keys that are looked into where a record has no id, text or entities of its own."""
HALF = 32
LARGEST = sys.float_info.max
READ = ("id", "text", "triples", "references", "entities")


class Layout(NamedTuple):
    """Which key of a record is what.

    Attributes:
        triples: The triples.
        id: The id; None where there is none.
        text: The text; None where there is none.
        entities: The entities; None where there are none.
        inner: Keys that have an id or a text, perhaps, which the record itself lacks.
        indexed: Whether a number may be the place of an entity or a token.
    """

    triples: str
    id: str | None
    text: str | None
    entities: str | None
    inner: tuple[str, ...]
    indexed: bool


class _Odd(Exception):  # noqa: N818 - no error, but records that say more than columns do
    """Records that are to be read one by one, by their places."""

    def __init__(self, places: Iterable[int]) -> None:
        super().__init__()
        self.places = set(places)


class _Found(dict[Any, Any]):
    """What a function returns of each combination of keys, looked for once."""

    def __init__(self, find: Callable[[tuple[str, ...]], Any]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, keys: tuple[str, ...]) -> Any:
        found = self[keys] = self.find(keys)
        return found


@dataclass
class Records:
    """Reads the records of one file.

    Attributes:
        reader: Receives what cannot be read.
        names: What the documents are called, by place, where their records do not say so.
    """

    reader: Reader
    names: Sequence[str] | None = None
    _blanks: list[int] = field(default_factory=list)
    _known: int = 0
    _layouts: _Found = field(default_factory=lambda: _Found(_layout))
    _triples: _Found = field(default_factory=lambda: _Found(_keys_of_triple))
    _entities: _Found = field(default_factory=lambda: _Found(_keys_of_entity))
    _seen: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _named: bool = False

    def documents(self, blocks: Iterable[Block]) -> Iterator[Batch]:
        """Read blocks of records.

        A record that cannot be read keeps its number, or, where records have ids, is one that nobody can name: then it is counted, and no
        document.
        """
        waiting: list[Block] = []
        for block in blocks:
            waiting.append(block)
            if self._named or (readable := [one for one in block.values if isinstance(one, dict | list)]):
                self._named = self._named or self._have_ids(readable)
                yield from map(self._block, waiting)
                waiting = []
        yield from map(self._block, waiting)
        self.reader.unread = unread(self._seen)
        self.reader.numbered = not self._named and self.names is None

    def _have_ids(self, values: list[Any]) -> bool:
        return (
            not self.reader.by_order
            and self.names is None
            and any(isinstance(value, dict) and id_of(value) is not None for value in values)
        )

    def _block(self, block: Block) -> Batch:
        """Read records at once, and one by one those that say more than columns do."""
        odd: set[int] = set()
        while True:
            places = [at for at in range(len(block.values)) if at not in odd]
            try:
                batch = self._at_once(block, places)
                break
            except _Odd as found:
                odd.update(map(places.__getitem__, found.places))
        if not odd:
            return batch
        answers = {at: answer for at in sorted(odd) if (answer := self._one(block, at)) is not None}
        others = batch_of(list(answers.values()), self.reader.numbering)
        return joined([batch, others]).take(np.argsort([*places, *answers]))

    def _one(self, block: Block, at: int) -> Answer | None:
        value, place, line = block.values[at], block.first + at, block.lines[at]
        number = place + 1
        # Several members of an array may stand on one line.
        self.reader.record = None if isinstance(block.lines, range | list) and line is not None else number
        if isinstance(value, RecordError):
            self.reader.bad.add(value)
            return None if self._named else Answer(str(number), [[]], "", {}, line, readable=False)
        if self._named and (not isinstance(value, Mapping) or id_of(value) is None):
            self.reader.fault("The record has no id, as others have.", line=line, found=value, expected=EXPECTED)
            return None
        if isinstance(value, Mapping):
            self._seen[tuple(value)] += 1
        answer = answer_of(value, number, line, self.reader, row=place if self.names is None else NO_ROW)
        if self.names is not None:
            return answer._replace(id=self.names[place])
        return answer._replace(id=str(number)) if self.reader.by_order else answer

    def _at_once(self, block: Block, places: list[int]) -> Batch:
        """Read records of which each has triples of three texts or values, and perhaps an id, a text, and typed entities."""
        values = list(map(block.values.__getitem__, places))
        shapes = [tuple(value) if type(value) is dict else () for value in values]
        counted = Counter(shapes)
        layouts = {shape: self._layouts[shape] for shape in counted}
        if None in layouts.values():
            raise _Odd(at for at, shape in enumerate(shapes) if layouts[shape] is None)
        ids, texts, triples, entities = (
            _taken(values, shapes, {shape: getattr(layout, role) for shape, layout in layouts.items()})
            for role in ("id", "text", "triples", "entities")
        )
        if any(layout.inner for layout in layouts.values()):
            _refuse(
                any(type(value[key]) is dict for key in layouts[shape].inner)
                for value, shape in zip(values, shapes, strict=True)
            )
        names = self._ids(ids, [block.first + at for at in places])
        typed = self._entities_of(entities) if any(entities) else None
        _refuse_others(triples, {list})
        sizes = np.fromiter(map(len, triples), dtype=np.int64, count=len(triples))
        flat = list(chain.from_iterable(triples))
        owners = np.repeat(np.arange(len(triples)), sizes)
        cells, weights = self._cells(flat, owners)
        indexed = [layouts[shape].indexed for shape in shapes] if any(one.indexed for one in layouts.values()) else []
        datatypes = self._typed(cells, owners, indexed)
        slots = self._numbers(cells, np.repeat(owners, len(SLOTS))).reshape(-1, len(SLOTS))
        self._seen.update(counted)
        lines = block.lines
        return Batch(
            ids=names,
            texts=[text if type(text) is str else "" for text in texts],
            lines=lambda: [lines[at] for at in places],
            readable=np.ones(len(values), dtype=np.bool_),
            counts=np.ones(len(values), dtype=np.int64),
            sizes=sizes,
            slots=slots,
            rows=np.array(places, dtype=np.int64)[owners] + block.first
            if self.names is None
            else np.full(len(flat), NO_ROW),
            weights=weights,
            datatypes=datatypes,
            types=np.zeros((0, 3), dtype=np.int64) if typed is None else self._types(*typed),
        )

    def _ids(self, ids: list[Any], places: list[int]) -> list[str]:
        """Name documents: by their ids, or by their numbers where none has one."""
        if self.names is not None:
            return list(map(self.names.__getitem__, places))
        if self._named:
            _refuse_others(ids, {str, int})
            names = [str(one).strip() for one in ids]
            if not all(names):
                _refuse(not name for name in names)
            return names
        if not self.reader.by_order:
            _refuse(one is not None for one in ids)
        return [str(at + 1) for at in places]

    def _cells(self, triples: list[Any], owners: Numbers) -> tuple[list[Any], FloatArray]:
        """List the slots of triples, each a list or an object, and their weights."""
        kinds = set(map(type, triples))
        if kinds == {list}:
            if set(map(len, triples)) != {len(SLOTS)}:
                _refuse((len(triple) != len(SLOTS) for triple in triples), owners)
            return list(chain.from_iterable(triples)), np.ones(len(triples))
        _refuse_others(triples, {dict, list}, owners)
        shapes = [tuple(triple) if type(triple) is dict else len(triple) for triple in triples]
        keys_of = {shape: self._triples[shape] for shape in set(shapes)}
        if None in keys_of.values():
            _refuse((keys_of[shape] is None for shape in shapes), owners)
        if len(keys_of) == 1:
            [(getter, _)] = keys_of.values()
            cells = list(chain.from_iterable(map(getter, triples)))
        else:
            cells = [cell for triple, shape in zip(triples, shapes, strict=True) for cell in keys_of[shape][0](triple)]
        if not any(key for _, key in keys_of.values()):
            return cells, np.ones(len(triples))
        weights = _taken(triples, shapes, {shape: key for shape, (_, key) in keys_of.items()})
        _refuse_others(weights, {int, float, type(None)}, owners)
        try:
            found = np.array(weights, dtype=np.float64)
        except OverflowError:
            _refuse((type(weight) is int and weight > LARGEST for weight in weights), owners)
        _refuse((found < 0) | (found == np.inf), owners)
        return cells, np.nan_to_num(found, nan=UNWEIGHTED)

    def _typed(self, cells: list[Any], owners: Numbers, indexed: list[bool]) -> Numbers:
        """Write values among the objects of triples as texts, in place, and give the number of the datatype of each."""
        kinds = set(map(type, cells))
        if kinds <= {str}:
            return np.full(len(owners), MISSING)
        for slot in range(len(SLOTS) - 1):
            _refuse_others(cells[slot::3], {str}, owners)
        ends = cells[2::3]
        _refuse_others(ends, set(XSD), owners)
        if indexed:
            _refuse(
                (type(end) is not str and indexed[at] for end, at in zip(ends, owners.tolist(), strict=True)), owners
            )
        cells[2::3] = [end if type(end) is str else slot_of(end)[0] for end in ends]
        return self.reader.numbering.datatypes.numbers([XSD[type(end)] or None for end in ends])

    def _entities_of(self, entities: list[Any]) -> tuple[Numbers, list[str], list[str]]:
        """List typed entities: the record, the name and the type of each."""
        _refuse_others(entities, {list, type(None)})
        listed = [some or () for some in entities]
        owners = np.repeat(np.arange(len(listed)), list(map(len, listed)))
        every = list(chain.from_iterable(listed))
        _refuse_others(every, {dict, str}, owners)
        if str in set(map(type, every)):
            objects = [type(one) is dict for one in every]
            every, owners = list(compress(every, objects)), owners[objects]
        shapes = list(map(tuple, every))
        keys_of = {shape: self._entities[shape] for shape in set(shapes)}
        if None in keys_of.values():
            _refuse((keys_of[shape] is None for shape in shapes), owners)
        names, kinds = (_taken(every, shapes, {shape: keys[at] for shape, keys in keys_of.items()}) for at in range(2))
        _refuse_others(names, {str}, owners)
        found = set(names)
        if not all(map(str.strip, found)):
            _refuse((not name.strip() for name in names), owners)
        if set(map(type, kinds)) == {str} and "" not in (distinct := set(kinds)) and found.isdisjoint(distinct):
            return owners, names, kinds
        kinds = [kind[0] if type(kind) is list and kind else kind for kind in kinds]
        typed = [type(kind) is str and kind not in ("", name) for kind, name in zip(kinds, names, strict=True)]
        return owners[typed], list(compress(names, typed)), list(compress(kinds, typed))

    def _types(self, owners: Numbers, names: list[str], kinds: list[str]) -> Numbers:
        """Number typed entities; of several types of one name in a record the last stays."""
        numbers, types = self.reader.numbering.names.numbers(names), self.reader.numbering.kinds.numbers(kinds)
        if len(first_of_each(owners << HALF | numbers)) < len(owners):
            last = dict(zip(zip(owners.tolist(), numbers.tolist(), strict=True), types.tolist(), strict=True))
            return np.array([(*key, kind) for key, kind in last.items()], dtype=np.int64)
        return np.column_stack([owners, numbers, types])

    def _numbers(self, cells: list[str], owners: Numbers) -> Numbers:
        """Number the slots of triples, none of which may be blank."""
        names = self.reader.numbering.names
        numbers = names.numbers(cells)
        new = islice(reversed(names), len(names) - self._known)
        self._blanks += [names[text] for text in new if text is not None and not text.strip()]
        self._known = len(names)
        if self._blanks:
            _refuse(np.isin(numbers, self._blanks), owners)
        return numbers


def _refuse(bad: Iterable[bool], owners: Numbers | None = None) -> None:
    """Leave records to be read one by one, by which items of theirs are bad."""
    places = np.flatnonzero(np.fromiter(bad, dtype=np.bool_))
    if len(places):
        raise _Odd((places if owners is None else owners[places]).tolist())


def _refuse_others(items: Sequence[Any], kinds: set[type], owners: Numbers | None = None) -> None:
    """Leave records to be read one by one that have an item of another type."""
    if not set(map(type, items)) <= kinds:
        _refuse((type(one) not in kinds for one in items), owners)


def _taken(values: list[Any], shapes: list[Any], key_of: Mapping[Any, str | None]) -> list[Any]:
    """Take one key out of objects, by their keys; None where one has it not."""
    if len(keys := set(key_of.values())) == 1:
        [key] = keys
        return [None] * len(values) if key is None else list(map(itemgetter(key), values))
    keys_of = map(key_of.__getitem__, shapes)
    return [None if key is None else value[key] for value, key in zip(values, keys_of, strict=True)]


def _layout(keys: tuple[str, ...]) -> Layout | None:
    """Find the keys of a record; None if its triples are not in one list of its own."""
    triples, name, text, entities = (role_of(keys, role) for role in ("triples", "id", "text", "entities"))
    if triples is None or role_of(keys, "references") or not {DOCRED, "elements"}.isdisjoint(keys):
        return None
    inner = tuple(key for key in INNER.intersection(keys) if name is None or text is None)
    return Layout(triples, name, text, entities, inner, entities is not None or not set(TOKENS).isdisjoint(keys))


def _keys_of_triple(shape: tuple[str, ...] | int) -> tuple[Callable[[Any], Iterable[Any]], str | None] | None:
    """Return what takes the slots out of a triple, and the key of its weight; None if it may say more than these."""
    if isinstance(shape, int):
        return (iter, None) if shape == len(SLOTS) else None
    slots = [role_of(shape, slot) for slot in SLOTS]
    more = None in slots or not {"child", "data"}.isdisjoint(shape)
    return None if more else (itemgetter(*slots), role_of(shape, "weight"))


def _keys_of_entity(keys: tuple[str, ...]) -> tuple[str, str | None] | None:
    """Return the keys of the name and the type of an entity; None if triples may name it otherwise."""
    name = next((key for key in (*NAMING, "text", "entity") if key in keys), None)
    return None if name is None or not {"id", "data", "properties"}.isdisjoint(keys) else (name, role_of(keys, "type"))


def answer_of(record: Any, number: int, line: int | None, reader: Reader, *, row: int = NO_ROW) -> Answer:
    """Read the record of one document."""
    if line is None:
        reader.record = number
    if isinstance(record, list):
        return reader.answer(str(number), [record], line=line, rows=row)
    if not isinstance(record, Mapping):
        return reader.unreadable(
            str(number), "The record is not an object.", line=line, found=record, expected="an object with triples"
        )
    record = unwrapped(record)
    name = id_of(record) or str(number)
    sets = _sets(record)
    if sets is None:
        keys = f"the keys {', '.join(map(str, record))}"
        return reader.unreadable(name, "The record has no triples.", line=line, found=keys, expected=EXPECTED)
    text = _text(record)
    nodes = _nodes(record, text)
    return reader.answer(name, sets, line=line, text=text, types=types_of(nodes), nodes=nodes, rows=row)


def _sets(record: Mapping[str, Any]) -> list[Any] | None:
    """Find the sets of triples of a record: its references, or its one set."""
    several = role_of(record, "references")
    if several is not None and isinstance(record[several], list) and record[several]:
        return list(record[several])
    one = role_of(record, "triples")
    if one is None:
        return None
    some = [] if record[one] is None else record[one]
    # Cytoscape wraps what it says of an edge; property graphs keep relations by key.
    some = list(some.values()) if isinstance(some, Mapping) else some
    return [[_unwrapped(triple) for triple in some] if isinstance(some, list) else some]


def _unwrapped(triple: Any) -> Any:
    inner = triple.get("data") if isinstance(triple, Mapping) else None
    return inner if isinstance(inner, Mapping) else triple


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


def _text(record: Mapping[str, Any]) -> str:
    """Find the text of a record, which may be in its source (LangChain), or in sentences of words (DocRED)."""
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
