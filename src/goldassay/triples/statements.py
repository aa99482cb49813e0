"""What a record says, however it is keyed: triples as lists or objects, their slots as texts, numbers or nodes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from goldassay.core.errors import RecordError
from goldassay.core.model import NO_ROW
from goldassay.formats.records import BadRecords
from goldassay.triples.answers import SLOTS, UNWEIGHTED, Answer, Statement

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
"""What keys and columns are called, letters alone, the likelier first."""

XSD = ((bool, "xsd:boolean"), (int, "xsd:integer"), (float, "xsd:double"))
SHOWN = 60


def role_of(keys: Iterable[str], role: str) -> str | None:
    """Find the key that has a role.

    Example:
        >>> role_of(["rel", "sub", "obj"], "predicate"), role_of(["x"], "predicate")
        ('rel', None)
    """
    return _role_of(tuple(keys), role)


@lru_cache(maxsize=4096)
def _role_of(keys: tuple[str, ...], role: str) -> str | None:
    words = {re.sub(r"[^a-z0-9]", "", key.lower()): key for key in keys}
    return next((words[name] for name in ROLES[role] if name in words), None)


def claims(name: str, columns: Sequence[str]) -> bool:
    """Say whether a table is one of documents with their triples.

    Example:
        >>> claims("json-lines", ["id", "triples"]), claims("csv", ["child", "parent"])
        (True, False)
    """
    return name in ("json-lines", "parquet") and any(column in ("triples", "triplets") for column in columns)


@dataclass
class Reader:
    """Turns records into answers, and keeps what could not be read.

    Attributes:
        path: The file.
        bad: Receives what cannot be read.
        record: The number of the record that is read, from 1: its place where records have no lines; None outside.
    """

    path: str
    bad: BadRecords
    record: int | None = None

    @property
    def faults(self) -> list[RecordError]:
        """What could not be read so far."""
        return self.bad.errors

    def fault(self, message: str, *, line: int | None, found: object, expected: str | None = None) -> None:
        """Keep a fault, or raise it.

        Raises:
            RecordError: The fault, if the first ends reading.
        """
        said = found if isinstance(found, str) else repr(found)
        if line is None and self.record is not None:
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
        names: Mapping[str, str] | None = None,
        rows: int | Sequence[int] = NO_ROW,
    ) -> Answer:
        """Make the answer of one document.

        Args:
            name: Its id.
            sets: Its sets of triples, each a list of lists or of objects.
            line: Where it stands.
            text: Its text.
            types: Types of entities by name.
            names: Names of nodes by the ids that triples may use.
            rows: The row or line of the input that has all of them, from 0, -1 if none has; or that of each.
        """
        before = len(self.faults)
        found_types = dict(types or {})
        made = [self._statements(some, line, names or {}, found_types) for some in sets]
        each = [rows] * sum(map(len, made)) if isinstance(rows, int) else rows
        return Answer(name, made, text, found_types, line, len(self.faults) == before, each)

    def unreadable(self, name: str, message: str, *, line: int | None, found: object, expected: str) -> Answer:
        """Make the empty answer of a record that cannot be read at all."""
        self.fault(message, line=line, found=found, expected=expected)
        return Answer(name, [[]], "", {}, line, readable=False)

    def _statements(
        self, some: object, line: int | None, names: Mapping[str, str], types: dict[str, str]
    ) -> list[Statement]:
        if not isinstance(some, list | tuple):
            self.fault(
                "The triples are not a list.", line=line, found=some, expected="[[subject, predicate, object], ...]"
            )
            return []
        made = []
        for triple in some:
            if not names and _plain(triple):
                made.append(Statement(*triple))
                continue
            statement = self._statement(triple, line, names, types)
            if statement is not None:
                made.append(statement)
        return made

    def _statement(
        self, triple: object, line: int | None, names: Mapping[str, str], types: dict[str, str]
    ) -> Statement | None:
        weight = UNWEIGHTED
        if isinstance(triple, Mapping):
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
        slots: list[str | None] = []
        datatype = ""
        for cell in [*cells, *[None] * (len(SLOTS) - len(cells))]:
            text, datatype = _slot(cell, types)
            slots.append(names.get(text, text) if text is not None else None)
        statement = Statement(slots[0], slots[1], slots[2], datatype, weight)
        if not statement.whole:
            missing = next(name for name, slot in zip(SLOTS, slots, strict=True) if not (slot and slot.strip()))
            self.fault(
                f"Half a triple: the {missing} is missing.",
                line=line,
                found=triple,
                expected="subject, predicate and object",
            )
        return statement

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
            self.fault("A weight is not a number of at least 0.", line=line, found=triple, expected="for example 0.5")
            return UNWEIGHTED
        return weight


def _slot(cell: object, types: dict[str, str]) -> tuple[str | None, str]:
    """Read one slot: its text, and the datatype of a value."""
    if isinstance(cell, str):
        return cell, ""
    for kind, datatype in XSD:
        if isinstance(cell, kind):
            return (str(cell).lower() if kind is bool else str(cell)), datatype
    if isinstance(cell, Mapping):
        key = role_of(cell, "name")
        name = None if key is None else cell[key]
        if isinstance(name, str | int | float) and not isinstance(name, bool):
            types.update(type_of(str(name), cell))
            return str(name), ""
    return None, ""


def _plain(triple: object) -> bool:
    """Say whether a triple is a list of three texts that say something, as nearly all are."""
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
