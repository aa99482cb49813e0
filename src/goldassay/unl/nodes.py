"""Nodes and relations of a graph of universal words (UWs)."""

from __future__ import annotations

import re
from typing import NamedTuple

NULL = "00"
CUT_SENSE_KEY = re.compile(r".*%\d(?::\d\d){1,2}", re.DOTALL)
"""A sense key that ends early: its last digits are no identifier."""


class Node(NamedTuple):
    """One argument of a relation, or one node on its own.

    Attributes:
        uw: The universal word, normalised; empty for a reference to a scope.
        id: The node identifier; for a reference to a scope, the scope's. Empty if there is none.
        attributes: Its attributes without ``.@``, in the order of the file.
    """

    uw: str
    id: str
    attributes: tuple[str, ...]

    @property
    def is_scope(self) -> bool:
        """Whether this refers to a scope, and is not a UW."""
        return not self.uw

    def __str__(self) -> str:
        named = f":{self.id}" if self.id else ""
        attributes = "".join(f".@{name}" for name in self.attributes)
        # Right behind such a word an identifier would be read as the end of its sense key.
        last = named and CUT_SENSE_KEY.fullmatch(self.uw + named)
        return self.uw + (attributes + named if last else named + attributes)


class Relation(NamedTuple):
    """One labelled relation between two nodes.

    Attributes:
        label: The relation label, for example ``agt``.
        scope: The scope that the relation belongs to; empty for the whole sentence.
        source: The first argument.
        target: The second argument.
    """

    label: str
    scope: str
    source: Node
    target: Node

    def __str__(self) -> str:
        return f"{self.label}{':' + self.scope if self.scope else ''}({self.source}, {self.target})"
