"""Records of JSON to documents: those of plain triples many at once, all others one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.errors import RecordError
from goldassay.core.intern import numbered
from goldassay.core.model import NO_ROW
from goldassay.formats.quoted import Codes
from goldassay.formats.records import Block
from goldassay.triples.answers import SLOTS, Answer, Batch
from goldassay.triples.nodes import Nodes, nodes_of
from goldassay.triples.statements import Reader, role_of, slot_of, type_of

EXPECTED = '{"id": "1", "triples": [["subject", "predicate", "object"]]}'
TOKENS = ("tokens", "token", "words")
DOCRED = "vertexSet"
INNER = frozenset({"source", "metadata", "spans"})
"""Keys that are looked into where a record has no id, text or entities of its own."""
FEW = 8
NUMBERS = frozenset({str, int, float, bool})
READ = ("id", "text", "triples", "references", "entities")


class Numbering(dict[str, int]):
    """Numbers texts in the order in which they first occur.

    Example:
        >>> numbers = Numbering()
        >>> list(map(numbers.__getitem__, ["cat", "dog", "cat"])), numbers.texts
        ([0, 1, 0], ['cat', 'dog'])
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self.texts)
        self.texts.append(text)
        return number


class Layout(NamedTuple):
    """Which key of a record of plain triples is what.

    Attributes:
        triples: The triples.
        id: The id; None where there is none.
        text: The text; None where there is none.
    """

    triples: str
    id: str | None
    text: str | None


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
    """

    reader: Reader
    _names: Numbering = field(default_factory=Numbering)
    _blanks: list[int] = field(default_factory=list)
    _layouts: _Found = field(default_factory=lambda: _Found(_layout))
    _getters: _Found = field(default_factory=lambda: _Found(_getter))
    _seen: Counter[tuple[str, ...]] = field(default_factory=Counter)
    _named: bool = False

    def documents(self, blocks: Iterable[Block]) -> Iterator[Answer | Batch]:
        """Read blocks of records.

        A record that cannot be read keeps its number, or, where records have ids, is one that nobody can name: then it is counted, and no
        document.
        """
        waiting: list[Block] = []
        for block in blocks:
            waiting.append(block)
            readable = [value for value in block.values if isinstance(value, dict | list)]
            if not readable:
                continue
            self._named = self._named or self._have_ids(readable)
            yield from chain.from_iterable(map(self._block, waiting))
            waiting = []
        yield from chain.from_iterable(map(self._block, waiting))
        self.reader.unread = unread(self._seen)
        self.reader.numbered = not self._named

    def _have_ids(self, values: list[Any]) -> bool:
        return not self.reader.by_order and any(
            isinstance(value, dict) and id_of(value) is not None for value in values
        )

    def _block(self, block: Block) -> Iterator[Answer | Batch]:
        return self._some(block, 0, len(block.values))

    def _some(self, block: Block, start: int, end: int) -> Iterator[Answer | Batch]:
        """Read some records at once if they are plain, else half of them each; few ones one by one."""
        batch = self._at_once(block, start, end)
        if batch is not None:
            yield batch
        elif end - start > FEW:
            middle = (start + end) // 2
            yield from self._some(block, start, middle)
            yield from self._some(block, middle, end)
        else:
            for at in range(start, end):
                found = self._one(block, at)
                if found is not None:
                    yield found

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
        answer = answer_of(value, number, line, self.reader, row=place)
        return answer._replace(id=str(number)) if self.reader.by_order else answer

    def _at_once(self, block: Block, start: int, end: int) -> Batch | None:
        """Read records of which each has triples of three texts, and perhaps an id and a text; None if one is of another shape."""
        values = block.values[start:end]
        if set(map(type, values)) != {dict}:
            return None
        shapes = list(map(tuple, values))
        counted = Counter(shapes)
        if None in map(self._layouts.__getitem__, counted):
            return None
        triples, ids, texts = (self._column(values, shapes, set(counted), role) for role in ("triples", "id", "text"))
        numbers = range(block.first + start + 1, block.first + end + 1)
        ids = (
            _ids(ids or [None])
            if self._named
            else list(map(str, numbers))
            if ids is None or self.reader.by_order
            else []
        )
        if not ids or triples is None or set(map(type, triples)) != {list}:
            return None
        cells = self._cells(list(chain.from_iterable(triples)))
        datatypes = [] if cells is None else _typed(cells, indices=any(map(set(TOKENS).intersection, counted)))
        slots = None if cells is None or datatypes is None else self._slots(cells)
        if slots is None:
            return None
        self._seen.update(counted)
        sizes = np.fromiter(map(len, triples), dtype=np.int64, count=len(triples))
        return Batch(
            ids=ids,
            texts=[text if type(text) is str else "" for text in texts] if texts else [""] * len(values),
            lines=block.lines[start:end],
            sizes=sizes,
            slots=slots,
            datatypes=_coded(datatypes) if datatypes else None,
            rows=np.repeat(np.arange(block.first + start, block.first + end), sizes),
        )

    def _column(
        self, values: list[Any], shapes: list[tuple[str, ...]], distinct: set[tuple[str, ...]], role: str
    ) -> list[Any] | None:
        """Take what has a role out of records, None where a record has it not; None if none has it."""
        key_of = {shape: getattr(self._layouts[shape], role) for shape in distinct}
        if len(keys := set(key_of.values())) == 1:
            [key] = keys
            return None if key is None else list(map(itemgetter(key), values))
        keys_of = map(key_of.__getitem__, shapes)
        return [None if key is None else value[key] for value, key in zip(values, keys_of, strict=True)]

    def _cells(self, triples: list[Any]) -> list[Any] | None:
        """List the slots of triples; None if one is no list of three, and no object of them."""
        shapes = set(map(type, triples))
        if shapes <= {list} and set(map(len, triples)) <= {len(SLOTS)}:
            return list(chain.from_iterable(triples))
        if shapes == {dict} and len(keys := set(map(tuple, triples))) == 1 and (getter := self._getters[keys.pop()]):
            return list(chain.from_iterable(map(getter, triples)))
        return None

    def _slots(self, cells: list[str]) -> Codes | None:
        """Number the slots of triples; None if one says nothing."""
        known = len(self._names.texts)
        codes = np.fromiter(map(self._names.__getitem__, cells), dtype=np.int64, count=len(cells))
        self._blanks += [known + at for at, text in enumerate(self._names.texts[known:]) if not text.strip()]
        return None if self._blanks and np.isin(codes, self._blanks).any() else Codes(self._names.texts, codes)


def _coded(texts: list[str]) -> Codes:
    names, (codes,) = numbered(texts)
    return Codes(names, codes.astype(np.int64))


def _typed(cells: list[Any], *, indices: bool) -> list[str] | None:
    """Write numbers among the objects of triples as texts, in place.

    Args:
        cells: Subject, predicate and object of each triple, one after the other.
        indices: Whether numbers may be places of tokens.

    Returns:
        The datatype of the object of each triple; empty if all are texts; None if another slot is no text, or a number may be an index.

    Example:
        >>> cells = ["Ada", "born in", 1815]
        >>> _typed(cells, indices=False), cells
        (['xsd:integer'], ['Ada', 'born in', '1815'])
    """
    kinds = set(map(type, cells))
    if kinds <= {str}:
        return []
    ends = cells[2::3]
    if indices or not kinds <= NUMBERS or {*map(type, cells[::3]), *map(type, cells[1::3])} != {str}:
        return None
    pairs = [(end, "") if type(end) is str else slot_of(end) for end in ends]
    cells[2::3] = [text for text, _ in pairs]
    return [datatype for _, datatype in pairs]


def _layout(keys: tuple[str, ...]) -> Layout | None:
    """Find the keys of a record; None if it may say more than an id, a text and triples."""
    triples, name, text = (role_of(keys, role) for role in ("triples", "id", "text"))
    more = role_of(keys, "references") or role_of(keys, "entities") or DOCRED in keys
    inner = not INNER.isdisjoint(keys) and (name is None or text is None)
    return None if triples is None or more or inner else Layout(triples, name, text)


def _getter(keys: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]] | None:
    """Make the function that takes the slots out of an object; None if it may say more than these."""
    slots = [role_of(keys, slot) for slot in SLOTS]
    return None if None in slots or role_of(keys, "weight") or "child" in keys else itemgetter(*slots)


def _ids(written: list[Any]) -> list[str]:
    """Return ids as texts; none at all if one is no text and no whole number."""
    ids = [str(one).strip() for one in written] if set(map(type, written)) <= {str, int} else []
    return ids if all(ids) else []


def answer_of(record: Any, number: int, line: int | None, reader: Reader, *, row: int = NO_ROW) -> Answer:
    """Read the record of one document.

    Args:
        record: A list of triples, or an object with them: ``triples``, ``relations``, ``relationships``, or
            ``references`` for several sets; perhaps ``id``, ``text``, and ``nodes`` or ``entities``.
        number: Which record it is; its id where it has none.
        line: Its line.
        reader: Receives what cannot be read.
        row: The row of the input that it is, from 0; -1 if it is none.
    """
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

    Args:
        seen: How often each combination of keys occurs.

    Example:
        >>> unread({("id", "triples", "relations"): 2, ("id", "triples"): 5})
        {'relations': 2}
    """
    counts: Counter[str] = Counter()
    for keys, times in seen.items():
        read = {role_of(keys, role) for role in READ} | INNER | {*TOKENS, DOCRED}
        counts.update({key: times for key in keys if key not in read})
    return dict(counts)
