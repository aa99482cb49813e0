"""What one text of an answer holds, in whichever shape it is: statements, a table, or a value of JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any, NamedTuple

from goldassay.formats.answers.lines import RawStatement


class Unclear(NamedTuple):
    """A node of a relationship whose name is not written."""

    line: int
    found: str


class Parsed(NamedTuple):
    """What one text holds.

    Attributes:
        shape: What it is, for people.
        statements: Its statements, unless it is a table or a value.
        taken: The numbers of the lines that were read.
        table: The header and the rows of a table; an empty row is a line between two parts of it.
        rows: The lines of the header and of the first row, if each row is a line.
        down: Whether arrows lead from parents to children, as far as the layout says so.
        value: JSON that the reader of the family takes as it is; None if there is none.
        cut: The line where JSON is cut off; 0 if it is whole.
        fields: How often fields occur that are not read.
        unclear: What does not say which node it is; there are no statements then.
        members: The members of the classes of a diagram: class, name, type, and as their extra whether the type is a class.
        more: What else is in the text.
        warnings: What is not read of it.
        aside: The numbers of lines that are known to state nothing: titles, notes, lists of mere names.
    """

    shape: str
    statements: Sequence[RawStatement]
    taken: set[int]
    table: Sequence[Sequence[Any]] = ()
    rows: tuple[int, int] | None = None
    down: bool | None = None
    value: Any = None
    cut: int = 0
    fields: Mapping[str, int] = MappingProxyType({})
    unclear: Unclear | None = None
    members: Sequence[RawStatement] = ()
    more: tuple[Parsed, ...] = ()
    warnings: tuple[str, ...] = ()
    aside: AbstractSet[int] = frozenset()
