"""Axioms in JSON that lists properties and subclasses apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from goldassay.formats.answer_diagrams import DATATYPES
from goldassay.formats.answer_lines import RawStatement, local_name
from goldassay.formats.answer_means import OF_AXIOMS, Meaning
from goldassay.formats.roles import AXIOMS, EDGES, bare

SUBCLASS = "subclass"
KINDS = {"object": "object", "data": "datatype", "attribute": "datatype"}
"""How the key of a list of properties begins, and the kind of these."""
OF_PROPERTIES = frozenset(
    {
        *(f"{kind}propert{end}" for kind in ("object", "data", "datatype") for end in ("y", "ies")),
        "properties",
        "attributes",
    }
)
OF_SUBCLASSES = frozenset(
    [
        "subclass",
        "subclasses",
        "subclassof",
        "subclassrelations",
        "subclassaxioms",
        "taxonomy",
        "hierarchy",
        "classhierarchy",
    ]
)
OF_CLASSES = frozenset({"class", "classes"})


def read_ontology(value: Any, meaning: Meaning) -> list[RawStatement]:
    """List the axioms of an object of lists of properties, subclasses and classes; none if something in it says another thing.

    Example:
        >>> some = {"object_properties": [{"name": "hasBrand", "domain": "Product", "range": "Brand"}], "classes": ["Product"]}
        >>> [one[1:4] for one in read_ontology(some, OF_AXIOMS)]
        [('Product', 'hasBrand', 'Brand')]
    """
    lists = _lists_in(value) if meaning is OF_AXIOMS else {}
    if not lists.keys() & (OF_PROPERTIES | OF_SUBCLASSES):
        return []
    found: list[RawStatement] = []
    for key, some in lists.items():
        for one in some:
            if isinstance(one, str) and key in OF_CLASSES:
                # A class is no axiom.
                continue
            axioms = (
                list(_property(one, key) if key in OF_PROPERTIES else _subclasses(one, meaning.is_a))
                if isinstance(one, dict)
                else []
            )
            if not axioms and key not in OF_CLASSES:
                return []
            found += axioms
    return found


def _lists_in(value: Any) -> dict[str, list[Any]]:
    """Return the lists of an object, or of the one that it wraps, by their keys; none if it has another key."""
    while isinstance(value, dict) and len(value) == 1 and isinstance(inner := next(iter(value.values())), dict):
        value = inner
    lists = {bare(key): some for key, some in value.items()} if isinstance(value, dict) else {}
    known = OF_PROPERTIES | OF_SUBCLASSES | OF_CLASSES
    return lists if all(key in known and isinstance(some, list) for key, some in lists.items()) else {}


def _property(one: Mapping[str, Any], key: str) -> Iterator[RawStatement]:
    """Read a property with its domains and ranges."""
    names = [AXIOMS.called(role, one) for role in ("class", "property", "object")]
    if all(len(some) == 1 for some in names):
        classes, properties, objects = (_names(one[some[0]]) for some in names)
        kind = next((kind for begin, kind in KINDS.items() if key.startswith(begin)), "")
        for axiom in product(classes, properties, objects):
            of_data = local_name(axiom[-1]).lower() in DATATYPES
            yield RawStatement(0, *axiom, extra=kind or ("datatype" if of_data else "object"))


def _subclasses(one: Mapping[str, Any], is_a: str) -> Iterator[RawStatement]:
    """Read a class and what is above it."""
    above = EDGES.called("target", one)
    rest = [name for name in one if name not in above]
    below = EDGES.called("source", rest) or AXIOMS.called("class", rest) or AXIOMS.called("property", rest)
    if len(above) == len(below) == 1:
        pairs = product(_names(one[below[0]]), _names(one[above[0]]))
        yield from (RawStatement(0, child, is_a, parent, extra=SUBCLASS) for child, parent in pairs)


def _names(value: Any) -> list[str]:
    """List the names in a cell: a text, or a list of texts."""
    return [
        one.strip() for one in (value if isinstance(value, list) else [value]) if isinstance(one, str) and one.strip()
    ]
