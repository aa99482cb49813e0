"""What a record says, however it is keyed: triples as lists or objects, their slots as texts, numbers or nodes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from goldassay.core.errors import RecordError
from goldassay.core.model import NO_ROW
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import bare
from goldassay.triples.answers import SLOTS, UNWEIGHTED, Answer, Numbering, Statement
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
    return name in ("json-lines", "parquet") and any(column in ("triples", "triplets") for column in columns)


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


@dataclass
class Reader:
    """Turns records into answers, and keeps what could not be read.

    Attributes:
        path: The file.
        bad: Receives what cannot be read.
        warnings: What changes what a number means.
        record: The number of the record that is read, from 1: its place where records have no lines; None outside.
        unnamed: The first fault of an end that is an id, and no name.
        by_order: Whether documents are called by their numbers, also where they have ids.
        numbered: Whether documents are called by their numbers since none has an id.
        unread: How many records have each key that is not read.
        numbering: The texts of the file.
    """

    path: str
    bad: BadRecords
    record: int | None = None
    warnings: tuple[str, ...] = ()
    unnamed: RecordError | None = None
    by_order: bool = False
    numbered: bool = False
    unread: Mapping[str, int] = field(default_factory=dict)
    numbering: Numbering = field(default_factory=Numbering)

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

    def answer(
        self,
        name: str,
        sets: Sequence[object],
        *,
        line: int | None = None,
        text: str = "",
        types: Mapping[str, str] | None = None,
        nodes: Nodes = NO_NODES,
        rows: int | Sequence[int] = NO_ROW,
    ) -> Answer:
        """Make the answer of one document."""
        before = len(self.faults)
        found_types = dict(types or {})
        made = [self._statements(some, line, nodes, found_types) for some in sets]
        each = [rows] * sum(map(len, made)) if isinstance(rows, int) else rows
        return Answer(name, made, text, found_types, line, len(self.faults) == before, each)

    def unreadable(self, name: str, message: str, *, line: int | None, found: object, expected: str) -> Answer:
        """Make the empty answer of a record that cannot be read at all."""
        self.fault(message, line=line, found=found, expected=expected)
        return Answer(name, [[]], "", {}, line, readable=False)

    def _statements(self, some: object, line: int | None, nodes: Nodes, types: dict[str, str]) -> list[Statement]:
        if not isinstance(some, list | tuple):
            self.fault(
                "The triples are not a list.", line=line, found=some, expected="[[subject, predicate, object], ...]"
            )
            return []
        made = []
        renamed = nodes.rename
        for triple in some:
            if not renamed and _plain(triple):
                made.append(Statement(*triple))
                continue
            statement = self._statement(triple, line, nodes, types)
            if statement is not None:
                made.append(statement)
        return made

    def _statement(self, triple: object, line: int | None, nodes: Nodes, types: dict[str, str]) -> Statement | None:
        weight = UNWEIGHTED
        if isinstance(triple, Mapping):
            triple = ends_of(triple)
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
        cells = [*cells, *[None] * (len(SLOTS) - len(cells))]
        ends = [cells[1] if slot == PREDICATE else nodes.end(cells[slot]) for slot in range(len(SLOTS))]
        if all(type(end) is int for end in (ends[0], ends[2])):
            # Two numbers are ids or indices; one may be a value.
            ends[0] = ends[2] = UNKNOWN
        slots: list[str | None] = []
        datatype = ""
        for cell, end in zip(cells, ends, strict=True):
            text, datatype = slot_of(end)
            slots.append(text)
            if text is not None and isinstance(cell, Mapping):
                types.update(type_of(text, cell))
        statement = Statement(slots[0], slots[1], slots[2], datatype, weight)
        if not statement.whole:
            self._half(statement, ends, triple, line)
        return statement

    def _half(self, statement: Statement, ends: Sequence[object], triple: object, line: int | None) -> None:
        """Keep the fault of a triple that lacks a slot, or the name of one."""
        unnamed = next((name for name, end in zip(SLOTS, ends, strict=True) if end is UNKNOWN), None)
        if unnamed is not None:
            self.fault(f"The {unnamed} is an id or an index, and no name.", line=line, found=triple, expected=NAMED)
            self.unnamed = self.unnamed or self.faults[-1]
            return
        missing = next(name for name, slot in zip(SLOTS, statement[:3], strict=True) if not (slot and slot.strip()))
        self.fault(
            HALF.format(missing),
            line=line,
            found=triple,
            expected="subject, predicate and object",
        )

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


def _plain(triple: object) -> bool:
    """Say whether a triple is a list of two names and a name or number, as nearly all are."""
    return (
        type(triple) is list
        and len(triple) == len(SLOTS)
        and all(type(slot) is str and slot and not slot.isspace() for slot in triple)
    )


def type_of(name: str, node: Mapping[str, Any]) -> dict[str, str]:
    """Read the type of a node, if it says one."""
    key = role_of(node, "type")
    kind = None if key is None else node[key]
    if isinstance(kind, list) and kind:
        kind = kind[0]
    return {name: kind} if isinstance(kind, str) and kind and kind != name else {}
