"""What a triple says, however it is keyed: as a list or an object, its slots as texts, numbers or nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Any

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
SHOWN = 60
HALF = "Half a triple: the {} is missing."
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


def lists_triples(record: Mapping[str, Any]) -> bool:
    """Say whether a record has a list of triples."""
    return any(role_of(record, role) for role in ("triples", "references"))


class Shapes(dict[Any, Any]):
    """What a function finds for each combination of keys, looked for once."""

    def __init__(self, find: Callable[[tuple[str, ...]], Any]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, keys: tuple[str, ...]) -> Any:
        found = self[keys] = self.find(keys)
        return found

    def common(self, records: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
        """Give what is found for some records, piece by piece: None counts as what the others have; fails if two differ."""
        pieces = [{*some} - {None} for some in zip(*{self[keys] for keys in {*map(tuple, records)}}, strict=True)]
        if max(map(len, pieces)) > 1:
            raise ValueError
        return tuple(next(iter(some), None) for some in pieces)


def _slots_of(keys: tuple[str, ...]) -> tuple[str | None, ...] | None:
    """Return the keys of the slots of an object, and of its weight; None if its ends may be called otherwise."""
    slots = [role_of(keys, slot) for slot in SLOTS]
    return None if None in slots or {"child", "head"} <= {*keys} else (*slots, role_of(keys, "weight"))


@dataclass
class Reader:
    """Reads triples into documents, and keeps what could not be read.

    Attributes:
        path: The file.
        bad: Receives what cannot be read.
        warnings: What changes what a number means.
        record: The number of the record that is read, from 1: its place where records have no lines; None outside.
        unnamed: The first fault of an end that is an id, and no name.
        by_order: Whether documents are called by their numbers, also where they have ids.
        numbered: Whether documents are called by their numbers since none has an id.
        unread: How many records have each key that is not read.
        left_out: What is left out besides, counted by reason.
        documents: What was read.
    """

    path: str
    bad: BadRecords
    record: int | None = None
    warnings: tuple[str, ...] = ()
    unnamed: RecordError | None = None
    by_order: bool = False
    numbered: bool = False
    unread: Mapping[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    documents: Documents = field(default_factory=Documents)
    _shapes: Shapes = field(default_factory=lambda: Shapes(_slots_of))

    @property
    def faults(self) -> list[RecordError]:
        """What could not be read so far."""
        return self.bad.errors

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
            nodes.rename or not self.at_once([one], [some], [row], valued=not (nodes.listed or nodes.tokens))
        ):
            for triple in some:
                self._odd(one, triple, line, nodes, row)
        if len(self.bad.errors) > faults:
            documents.unreadable.add(documents.owners[one])

    def at_once(
        self, sets: Sequence[int], listed: Sequence[Sequence[Any]], rows: Sequence[int], *, valued: bool
    ) -> bool:
        """Read the triples of some sets that are three texts or values each, in lists or objects; if one says more than that, read none."""
        documents, some = self.documents, list(chain.from_iterable(listed))
        if not some:
            return True
        try:
            cells, weights, kinds = self._columns(some, valued=valued)
        except (KeyError, TypeError, ValueError, OverflowError):
            return False
        numbers = documents.names.numbers_of_names(cells)
        if numbers is None:
            return False
        datatypes = list(map(XSD.__getitem__, kinds))
        documents.extend(sets, list(map(len, listed)), rows, numbers, weights=weights, datatypes=datatypes)
        return True

    def _columns(self, some: list[Any], *, valued: bool) -> tuple[list[str], FloatArray, list[type]]:
        """Write the slots of triples as texts, one after the other, with their weights, and the types of objects if one is no text; fails if one says more than that."""
        triples, weights = some, np.full(len(some), UNWEIGHTED)
        if {*map(type, some)} == {dict}:
            *slots, key = self._shapes.common(some)
            triples = list(map(itemgetter(*slots), some))
            if key is not None:
                said = [triple.get(key) for triple in some]
                weights = np.array([UNWEIGHTED if weight is None else float(weight) for weight in said])
                if bool in map(type, said) or not ((weights >= 0) & (weights < math.inf)).all():
                    raise ValueError
        elif {*map(type, some)} != {list}:
            raise ValueError
        cells, kinds = list(chain.from_iterable(triples)), list[type]()
        if len(cells) != len(SLOTS) * len(some) or max(map(len, triples)) != len(SLOTS):
            raise ValueError
        if {*map(type, cells)} != {str}:
            kinds = list(map(type, cells[2::3]))
            if not valued or not {*kinds} <= XSD.keys():
                raise ValueError
            cells[2::3] = [slot_of(thing)[0] for thing in cells[2::3]] if bool in kinds else map(str, cells[2::3])
            if {*map(type, cells)} != {str}:
                raise ValueError
        return cells, weights, kinds

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
        found = self._cells(stated, line)
        if found is None:
            return
        triple, cells, weight = found
        if nodes is NO_NODES and (text := self.documents.texts[self.documents.owners[one]]):
            nodes = Nodes(text=text)
        ends = [cells[1] if slot == PREDICATE else nodes.end(cells[slot]) for slot in range(len(SLOTS))]
        if all(type(end) is int for end in (ends[0], ends[2])):
            # Two numbers are ids or indices; one may be a value.
            ends[0] = ends[2] = UNKNOWN
        slots: list[str | None] = []
        datatype = ""
        for cell, end in zip(cells, ends, strict=True):
            slot, datatype = slot_of(end)
            slots.append(slot)
            if slot is not None and isinstance(cell, Mapping):
                for name, kind in type_of(slot, cell).items():
                    self.documents.type(one, name, kind)
        self.documents.add(one, slots, datatype=datatype, weight=weight, row=row)
        missing = [name for name, slot in zip(SLOTS, slots, strict=True) if not (slot and slot.strip())]
        if missing:
            self._half(missing[0], ends, triple, line)

    def _half(self, missing: str, ends: Sequence[object], triple: object, line: int | None) -> None:
        """Keep the fault of a triple that lacks a slot, or the name of one."""
        unnamed = next((name for name, end in zip(SLOTS, ends, strict=True) if end is UNKNOWN), None)
        if unnamed is not None:
            self.fault(f"The {unnamed} is an id or an index, and no name.", line=line, found=triple, expected=NAMED)
            self.unnamed = self.unnamed or self.faults[-1]
            return
        self.fault(HALF.format(missing), line=line, found=triple, expected="subject, predicate and object")

    def _weight(self, triple: Mapping[str, Any], line: int | None) -> float:
        key = role_of(triple, "weight")
        said = None if key is None else triple[key]
        if said is None or said == "":
            return UNWEIGHTED
        try:
            weight = math.nan if isinstance(said, bool) else float(said)
        except (TypeError, ValueError, OverflowError):
            weight = math.nan
        if not 0 <= weight < math.inf:
            self.fault(BAD_WEIGHT, line=line, found=triple, expected="for example 0.5")
            return UNWEIGHTED
        return weight


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
    if "child" not in triple or "head" not in triple:
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
