"""Superclasses in definitions: A is a B, where A is defined as B with something more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeGuard

from goldassay.core.limits import MEMBERS
from goldassay.formats.labels import OWL, RDF, RDFS
from goldassay.formats.obo import GENUS

if TYPE_CHECKING:
    from pyoxigraph import NamedNode, Triple

SUBCLASS, EQUIVALENT, INTERSECTION = f"{RDFS}subClassOf", f"{OWL}equivalentClass", f"{OWL}intersectionOf"
FIRST, REST = f"{RDF}first", f"{RDF}rest"
DEFINING = frozenset({EQUIVALENT, INTERSECTION, FIRST, REST, GENUS})
"""Predicates of definitions, beside rdfs:subClassOf, which names what a class is below."""


def defined(statements: Mapping[str, list[Triple]], path: str | None) -> Iterator[tuple[str, str]]:
    """Find the named classes that definitions and class expressions put a named class below.

    These are the named members of intersections, also of intersections in intersections. A class that is equivalent to
    a named class, or to a union, is defined by none of them alone.

    Source:
        OWL 2 Structural Specification, section 8.1.1 (intersections); OWL 2 Mapping to RDF Graphs, table 13.
    """
    from pyoxigraph import NamedNode

    members = _Members(statements, path)
    for child, expression, is_list in _expressions(statements):
        for parent in members.of(expression, is_list=is_list):
            if isinstance(parent, NamedNode) and parent != child:
                yield child.value, parent.value


class _Members:
    """The lists and intersections of a file."""

    def __init__(self, statements: Mapping[str, list[Triple]], path: str | None) -> None:
        self.path, self.steps = path, 0
        self.lists, self.first, self.rest = (_objects(statements, name) for name in (INTERSECTION, FIRST, REST))

    def of(self, expression: object, *, is_list: bool) -> Iterator[object]:
        """List the members of a list, or of an intersection, with those of the intersections among them."""
        rest, seen = [(expression, is_list)], set()
        while rest:
            term, is_cell = rest.pop()
            if (term, is_cell) in seen:
                continue
            seen.add((term, is_cell))
            self.steps += 1
            MEMBERS.check(self.steps, "The definitions have too many members.", path=self.path)
            if is_cell:
                rest += [(one, False) for one in self.first.get(term, ())]
                rest += [(one, True) for one in self.rest.get(term, ())]
            else:
                yield term
                # What a named class is an intersection of defines that class, and not this one.
                rest += [(one, True) for one in self.lists.get(term, ()) if not _is_named(term)]


def _expressions(statements: Mapping[str, list[Triple]]) -> Iterator[tuple[NamedNode, object, bool]]:
    """List what defines a named class, or is above it: a term, and whether it is the list of an intersection."""
    for triple in statements.get(GENUS, ()):
        if _is_named(triple.subject):
            yield triple.subject, triple.object, False
    if INTERSECTION not in statements:
        return
    for triple in statements[INTERSECTION]:
        if _is_named(triple.subject):
            yield triple.subject, triple.object, True
    for predicate in (EQUIVALENT, SUBCLASS):
        for triple in statements.get(predicate, ()):
            subject, target = triple.subject, triple.object
            if _is_named(subject) and not _is_named(target):
                yield subject, target, False
            elif predicate == EQUIVALENT and _is_named(target) and not _is_named(subject):
                yield target, subject, False


def _objects(statements: Mapping[str, list[Triple]], predicate: str) -> dict[object, list[object]]:
    found: dict[object, list[object]] = {}
    for triple in statements.get(predicate, ()):
        found.setdefault(triple.subject, []).append(triple.object)
    return found


def _is_named(term: object) -> TypeGuard[NamedNode]:
    from pyoxigraph import NamedNode

    return isinstance(term, NamedNode)
