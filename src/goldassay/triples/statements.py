"""What a triple says, however it is keyed: as a list or an object, its slots as texts, numbers or nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from goldassay.core.counts import FloatArray
from goldassay.core.errors import RecordError
from goldassay.core.model import NO_ROW
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import bare
from goldassay.formats.rows import OBJECTS
from goldassay.triples.batch import SLOTS, UNWEIGHTED, Documents
from goldassay.triples.nodes import NO_NODES, UNKNOWN, Nodes, is_text

ROLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "id": ("id", "docid", "doc", "documentid", "document", "eid", "exampleid", "sentid", "graph", "chunkid"),
        "text": ("text", "sent", "sentence", "input", "content", "pagecontent"),
        "triples": ("triples", "triplets", "relations", "relationships", "edges", "kg", "facts"),
        "references": ("references", "golds"),
        "entities": ("entities", "nodes"),
        "subject": ("subject", "sub", "subj", "s", "head", "h", "source", "src", "sourceid", "from", "start", "node1"),
        "predicate": ("predicate", "pred", "p", "relation", "rel", "r", "property", "relationship", "label", "type"),
        "object": ("object", "obj", "o", "tail", "t", "target", "dst", "targetid", "to", "end", "node2"),
        "weight": ("weight",),
        "name": ("name", "title", "label", "text", "entity", "id"),
        "type": ("type", "entitytype", "label", "labels", "category"),
    }
)
"""What keys of JSON are called, the likelier first."""

XSD = MappingProxyType({str: "", bool: "xsd:boolean", int: "xsd:integer", float: "xsd:double"})
OTHER_ENDS = frozenset({"child", "head"})
"""The ends of relations in Prodigy and spaCy, which are spans or tokens."""
SHOWN = 60
HALF = "Half a triple: the {} is missing."
UNNAMED = "The {} is an id or an index, and no name."
BAD_WEIGHT = "A weight is not a number of at least 0."
PREDICATE = 1
NAMED = 'a name, or nodes with names: {"id": 1, "name": "Oslo"}'


def role_of(keys: Iterable[str], role: str) -> str | None:
    """Find the key that has a role.

    Example:
        >>> role_of(["rel", "sub", "obj"], "predicate"), role_of(["x"], "predicate")
        ('rel', None)
    """
    return _role_of(tuple(keys), role)


@lru_cache(maxsize=4096)
def _role_of(keys: tuple[str, ...], role: str) -> str | None:
    words = {bare(key): key for key in keys}
    return next((words[name] for name in ROLES[role] if name in words), None)


def claims(name: str, columns: Sequence[str]) -> bool:
    """Say whether a table is one of documents with their triples.

    Example:
        >>> claims("json-lines", ["id", "triples"]), claims("csv", ["child", "parent"])
        (True, False)
    """
    return name in (*OBJECTS, "parquet") and any(column in ("triples", "triplets") for column in columns)


def is_triple(record: object) -> bool:
    """Say whether an object of JSON is one triple, and not a document with its triples.

    Example:
        >>> is_triple({"sub": "Oslo", "rel": "capital of", "obj": "Norway"}), is_triple({"id": 1, "triples": []})
        (True, False)
    """
    return isinstance(record, Mapping) and all(role_of(record, slot) for slot in SLOTS) and not lists_triples(record)


def lists_triples(keys: Iterable[str]) -> bool:
    """Say whether a record with these keys has a list of triples."""
    return any(role_of(keys, role) for role in ("triples", "references"))


class Shapes(dict[Any, Any]):
    """What a function finds for each combination of keys, looked for once."""

    def __init__(self, find: Callable[[tuple[str, ...]], Any]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, keys: tuple[str, ...]) -> Any:
        found = self[keys] = self.find(keys)
        return found

    def common(self, records: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
        """Give what is found for some records, piece by piece: None counts as what the others have; fails if two differ."""
        pieces = [{*some} - {None} for some in zip(*{self[keys] for keys in {*map(tuple, records)}}, strict=True)]
        if max(map(len, pieces)) > 1:
            raise ValueError
        return tuple(next(iter(some), None) for some in pieces)


def _slots_of(keys: tuple[str, ...]) -> tuple[str | None, ...] | None:
    """Return the keys of the slots of an object, and of its weight; None if its ends may be called otherwise."""
    slots = [role_of(keys, slot) for slot in SLOTS]
    return None if None in slots or {*keys} >= OTHER_ENDS else (*slots, role_of(keys, "weight"))


def weights_of(stated: Sequence[Any]) -> FloatArray:
    """Read weights: 1 where there is none, and nan for what is no number of at least 0.

    Example:
        >>> weights_of([None, 2, "0.5", -1, True]).tolist()
        [1.0, 2.0, 0.5, nan, nan]
    """
    if {*map(type, stated)} <= {type(None)}:
        return np.full(len(stated), UNWEIGHTED)
    weights = np.array([_weight_of(weight) for weight in stated])
    return np.where((weights >= 0) & (weights < math.inf), weights, math.nan)


def _weight_of(stated: Any) -> float:
    if type(stated) is float:
        return stated
    if stated is None or stated == "":
        return UNWEIGHTED
    with suppress(TypeError, ValueError, OverflowError):
        return math.nan if isinstance(stated, bool) else float(stated)
    return math.nan


class Slots(NamedTuple):
    """What the cells of one triple say: its slots, the datatype of its object, which end has no name, and types by name."""

    slots: list[str | None]
    datatype: str
    unnamed: str | None
    types: dict[str, str]


def slots_of(cells: Sequence[Any], nodes: Nodes = NO_NODES) -> Slots:
    """Read the three cells of a triple.

    Example:
        >>> slots_of([{"name": "Oslo", "type": "city"}, "population", 7])
        Slots(slots=['Oslo', 'population', '7'], datatype='xsd:integer', unnamed=None, types={'Oslo': 'city'})
    """
    ends = [cells[1] if slot == PREDICATE else nodes.end(cells[slot]) for slot in range(len(SLOTS))]
    if all(type(end) is int for end in (ends[0], ends[2])):
        # Two numbers are ids or indices; one may be a value.
        ends[0] = ends[2] = UNKNOWN
    slots: list[str | None] = []
    datatype, types = "", dict[str, str]()
    for cell, end in zip(cells, ends, strict=True):
        slot, datatype = slot_of(end)
        slots.append(slot)
        if slot is not None and isinstance(cell, Mapping):
            types |= type_of(slot, cell)
    return Slots(
        slots, datatype, next((name for name, end in zip(SLOTS, ends, strict=True) if end is UNKNOWN), None), types
    )


@dataclass
class Reader:
    """Reads triples into documents, and keeps what could not be read."""

    path: str
    bad: BadRecords
    record: int | None = None  # its number in messages, where a line does not tell it
    warnings: tuple[str, ...] = ()
    unnamed: RecordError | None = None  # the first end that is an id, and no name
    by_order: bool = False  # whether documents are called by their numbers, also where they have ids
    numbered: bool = False  # whether they are since none has an id
    unread: Mapping[str, int] = field(default_factory=dict)  # the number of records by key
    left_out: dict[str, int] = field(default_factory=dict)  # by reason
    documents: Documents = field(default_factory=Documents)
    _shapes: Shapes = field(default_factory=lambda: Shapes(_slots_of))

    @property
    def faults(self) -> list[RecordError]:
        """What could not be read so far."""
        return self.bad.errors

    def at(self, lines: Sequence[int | None], place: int, line: int | None) -> None:
        """Name a record by its number where its line does not tell it: several members of an array may be on one line."""
        self.record = None if isinstance(lines, range | list) and line is not None else place + 1

    def fault(self, message: str, *, line: int | None, found: object, expected: str | None = None) -> None:
        """Keep a fault, or raise it."""
        said = found if isinstance(found, str) else repr(found)
        if self.record is not None:
            said = f"record {self.record}: {said}"
        self.bad.add(RecordError(message, path=self.path, line=line, found=said[:SHOWN], expected=expected))

    def document(
        self,
        name: str,
        sets: Sequence[object],
        *,
        line: int | None = None,
        text: str = "",
        types: Mapping[str, str] | None = None,
        nodes: Nodes = NO_NODES,
        row: int = NO_ROW,
    ) -> None:
        """Read the triples of one document."""
        one = self.documents.begin(name, line, text)
        for entity, kind in (types or {}).items():
            self.documents.type(one, entity, kind)
        for number, some in enumerate(sets):
            self.read(self.documents.another() if number else one, some, line=line, nodes=nodes, row=row)

    def unreadable(
        self, name: str, message: str | None = None, *, line: int | None, found: object = None, expected: str = ""
    ) -> None:
        """Keep the place of a document that cannot be read at all; without a message it has been said why."""
        self.documents.unreadable.add(self.documents.owners[self.documents.begin(name, line)])
        if message is not None:
            self.fault(message, line=line, found=found, expected=expected)

    def read(self, one: int, some: object, line: int | None, nodes: Nodes = NO_NODES, row: int = NO_ROW) -> None:
        """Read the triples of a set: at once if each is three texts or values, else one by one."""
        documents, faults = self.documents, len(self.bad.errors)
        if not isinstance(some, list | tuple):
            self.fault(
                "The triples are not a list.", line=line, found=some, expected="[[subject, predicate, object], ...]"
            )
        elif some and (
            nodes.rename
            or (columns := self.slots_in(list(some))) is None
            or not self.at_once([one], [len(some)], [row], *columns, valued=not (nodes.listed or nodes.tokens))
        ):
            for triple in some:
                self._odd(one, triple, line, nodes, row)
        if len(self.bad.errors) > faults:
            documents.unreadable.add(documents.owners[one])

    def at_once(
        self,
        sets: Sequence[int],
        sizes: Sequence[int],
        rows: Sequence[int],
        cells: list[Any],
        weights: FloatArray,
        *,
        valued: bool,
    ) -> bool:
        """Put triples into sets, so many into each, given their slots one after the other; if one is no text or value, put none."""
        kinds: list[type] = []
        if cells and {*map(type, cells)} != {str}:
            kinds = list(map(type, cells[2::3]))
            if not valued or not {*kinds} <= XSD.keys():
                return False
            cells[2::3] = [slot_of(thing)[0] for thing in cells[2::3]] if bool in kinds else map(str, cells[2::3])
            if {*map(type, cells)} != {str}:
                return False
        numbers = self.documents.names.numbers_of_names(cells)
        if numbers is None:
            return False
        self.documents.extend(sets, sizes, rows, numbers, weights=weights, datatypes=list(map(XSD.get, kinds)))
        return True

    def slots_in(self, some: list[Any]) -> tuple[list[Any], FloatArray] | None:
        """List the slots of triples in lists or objects, one after the other, and their weights; None if one has more or fewer."""
        triples, weights = some, np.full(len(some), UNWEIGHTED)
        if not some:
            return [], weights
        try:
            if {*map(type, some)} == {dict}:
                *slots, key = self._shapes.common(some)
                triples = list(map(itemgetter(*slots), some))
                weights = weights_of([triple.get(key) for triple in some]) if key is not None else weights
            elif {*map(type, some)} != {list}:
                return None
        except (KeyError, TypeError, ValueError):
            return None
        cells = list(chain.from_iterable(triples))
        whole = len(cells) == len(SLOTS) * len(some) and max(map(len, triples)) == len(SLOTS)
        return (cells, weights) if whole and not np.isnan(weights).any() else None

    def _cells(self, triple: object, line: int | None) -> tuple[object, list[Any], float] | None:
        """List the slots of a triple, with it as it is shown, and its weight; None if it has no slots, or too many."""
        weight = UNWEIGHTED
        if isinstance(triple, Mapping):
            triple = ends_of(_unwrapped(triple))
            weight = self._weight(triple, line)
            keys = [role_of(triple, slot) for slot in SLOTS]
            cells = [None if key is None else triple[key] for key in keys]
        elif isinstance(triple, list | tuple):
            cells = list(triple)
        else:
            self.fault("A triple is not a list.", line=line, found=triple, expected="[subject, predicate, object]")
            return None
        if len(cells) > len(SLOTS):
            self.fault(
                f"A triple has {len(cells)} slots.", line=line, found=triple, expected="subject, predicate and object"
            )
            return None
        return triple, [*cells, *[None] * (len(SLOTS) - len(cells))], weight

    def _odd(self, one: int, stated: object, line: int | None, nodes: Nodes, row: int) -> None:
        """Read a triple that lacks something, or whose ends refer to something."""
        given = self._cells(stated, line)
        if given is None:
            return
        triple, cells, weight = given
        if nodes is NO_NODES and (text := self.documents.texts[self.documents.owners[one]]):
            nodes = Nodes(text=text)
        found = slots_of(cells, nodes)
        for name, kind in found.types.items():
            self.documents.type(one, name, kind)
        self.documents.add(one, found.slots, datatype=found.datatype, weight=weight, row=row)
        missing = next(
            (name for name, slot in zip(SLOTS, found.slots, strict=True) if not (slot and slot.strip())), None
        )
        if found.unnamed is not None:
            self.fault(UNNAMED.format(found.unnamed), line=line, found=triple, expected=NAMED)
            self.unnamed = self.unnamed or self.faults[-1]
        elif missing is not None:
            self.fault(HALF.format(missing), line=line, found=triple, expected="subject, predicate and object")

    def _weight(self, triple: Mapping[str, Any], line: int | None) -> float:
        key = role_of(triple, "weight")
        [weight] = weights_of([None if key is None else triple[key]]).tolist()
        if math.isnan(weight):
            self.fault(BAD_WEIGHT, line=line, found=triple, expected="for example 0.5")
            return UNWEIGHTED
        return float(weight)


def _unwrapped(triple: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take out what Cytoscape wraps of an edge."""
    inner = triple.get("data")
    return triple if not isinstance(inner, Mapping) or all(role_of(triple, slot) for slot in SLOTS) else inner


def ends_of(triple: Mapping[str, Any]) -> Mapping[str, Any]:
    """Call the ends of a relation between spans or tokens, as Prodigy and spaCy write it, subject and object.

    Example:
        >>> ends_of({"head": 0, "child": 4, "label": "in"})
        {'label': 'in', 'subject': 0, 'object': 4}
    """
    if not triple.keys() >= OTHER_ENDS:
        return triple
    rest = {key: value for key, value in triple.items() if key not in ("head", "child", "head_span", "child_span")}
    return {
        **rest,
        "subject": triple.get("head_span", triple["head"]),
        "object": triple.get("child_span", triple["child"]),
    }


def slot_of(cell: object) -> tuple[str | None, str]:
    """Read one slot: its text, and the datatype of a value.

    Example:
        >>> slot_of("Oslo"), slot_of(True), slot_of([])
        (('Oslo', ''), ('true', 'xsd:boolean'), (None, ''))
    """
    if (datatype := XSD.get(type(cell))) is not None:
        return (str(cell).lower() if type(cell) is bool else str(cell)), datatype
    if isinstance(cell, Mapping):
        key = role_of(cell, "name")
        if key is not None and is_text(cell[key]):
            return str(cell[key]), ""
    return None, ""


def type_of(name: str, node: Mapping[str, Any]) -> dict[str, str]:
    """Read the type of a node, if it says one."""
    key = role_of(node, "type")
    kind = None if key is None else node[key]
    if isinstance(kind, list) and kind:
        kind = kind[0]
    return {name: kind} if isinstance(kind, str) and kind and kind != name else {}
