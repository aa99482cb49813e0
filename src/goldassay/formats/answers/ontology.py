"""Axioms in JSON that lists properties and subclasses apart, or the properties of each class with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product, starmap
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.text import singular
from goldassay.formats.answers.diagrams import DATATYPES
from goldassay.formats.answers.lines import RawStatement
from goldassay.formats.answers.means import KIND_WORDS, OF_AXIOMS, Meaning
from goldassay.formats.answers.names import local_name
from goldassay.formats.answers.tree import ABOUT_HELD, NAMES, WRAPPERS, Left, is_above, is_below, is_note, text_in
from goldassay.formats.column_names import bare, words
from goldassay.formats.roles import AXIOMS, EDGES

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
OF_A_CLASS = OF_PROPERTIES | {"relations", "relationships", "slots", "fields"}
"""Keys of the properties of a class, with it."""
OF_SUBCLASSES = words(
    "subclass subclasses subclassof subclassrelations subclassaxioms taxonomy hierarchy classhierarchy"
).names
OF_CLASSES = frozenset({"class", "classes"})
AROUND_CLASSES = WRAPPERS | {"schema"}
"""Keys that may be around a list of classes, and are no classes."""
KNOWN = OF_A_CLASS | OF_SUBCLASSES | OF_CLASSES
ABOUT = ABOUT_HELD | {"prefixes", "type", "enum", "subset"}
"""Keys that describe a schema, as singulars."""


def read_ontology(value: Any, meaning: Meaning, left: Left | None = None) -> list[RawStatement]:
    """List the axioms of an object of lists of properties, subclasses and classes; none if something in it says another thing."""
    parts = _parts_in(value) if meaning is OF_AXIOMS else {}
    classes = [one for key in parts.keys() & OF_CLASSES for one in parts[key] if isinstance(one, dict)]
    if parts.keys() <= KNOWN - OF_PROPERTIES - OF_SUBCLASSES and not any(map(_has_properties, classes)):
        return []
    known = {name for one in classes if (name := _name(one))}
    seen = Left() if left is None else left
    if isinstance(value, dict):
        seen.see(value, (key for key, some in value.items() if key not in seen and is_note(key, some)))
    found = [axiom for one in classes for axiom in _class(one, meaning.is_a, known, seen)]
    for key in parts:
        for one in parts[key] if key not in OF_CLASSES else ():
            axioms = _axioms(one, key, meaning.is_a)
            if not axioms:
                return []
            found += axioms
    return found


def _axioms(one: Any, key: str, is_a: str) -> list[RawStatement]:
    """Read a record of a list: a property, or a subclass with what is above it, as its key says, if it is known."""
    if not isinstance(one, dict):
        return []
    properties = [] if key in OF_SUBCLASSES else list(_property(one, key))
    return properties or ([] if key in OF_A_CLASS else list(_subclasses(one, is_a)))


def below_classes(value: Any) -> Any:
    """Return what is below a key that only says that it lists classes: it is none of them."""
    inside = (
        [(key, one) for key, one in value.items() if isinstance(one, dict | list)] if isinstance(value, dict) else []
    )
    if len(inside) != 1:
        return value
    [(key, inner)] = inside
    if bare(key) not in AROUND_CLASSES:
        return inner if bare(key) == "classes" else value
    found = below_classes(inner)
    return value if found is inner else found


def _parts_in(value: Any) -> dict[str, list[Any]]:
    """Return the lists of an object, or of the one that it wraps, by their keys; none if it has another key."""
    if isinstance(value, dict):
        value = {key: some for key, some in value.items() if not is_note(key, some)}
    records = value if isinstance(value, list) else [*value.values()] if isinstance(value, dict) else []
    if records and all(isinstance(one, dict) for one in records):
        if isinstance(value, dict) and len(records) == 1 and any(starmap(_lists_axioms, records[0].items())):
            # Each property says what it is of.
            return _parts_in(records[0])
        if any(map(_has_properties, records)):
            return {"classes": _records(value)}
        if isinstance(value, list) and all(any(_property(one, "")) for one in value):
            return {"properties": value}
    lists = {bare(key): some for key, some in value.items() if _is_part(key, some)} if isinstance(value, dict) else {}
    if lists and all(key in KNOWN or _lists_axioms(key, some) for key, some in lists.items()):
        return {key: _records(some) for key, some in lists.items()}
    return _parts_in(*lists.values()) if len(lists) == 1 else {}


def _lists_axioms(key: str, value: Any) -> bool:
    """Return whether a list has records of axioms, by the first of them."""
    return isinstance(value, list) and bool(value) and bool(_axioms(value[0], bare(key), ""))


def _is_part(key: str, value: Any) -> bool:
    """Return whether a key does not only describe a schema."""
    return bare(key) in KNOWN or (bool(value) and ABOUT.isdisjoint({bare(key), singular(bare(key))}))


def _records(value: Any) -> list[Any]:
    """Return objects in a list; those of an object have its keys as names."""
    if isinstance(value, dict):
        return [
            {"name": name, **(one if isinstance(one, dict) else {} if one is None else {"range": one})}
            for name, one in value.items()
        ]
    return value if isinstance(value, list) else [value]


def _has_properties(one: Mapping[str, Any]) -> bool:
    """Return whether an object is a class with its properties: objects, or names with their ranges."""
    # An object with a list of classes wraps a schema.
    return (
        not AXIOMS.recognises(list(one))
        and not any(bare(key) in OF_CLASSES and isinstance(some, dict | list) for key, some in one.items())
        and any(
            bare(key) in OF_A_CLASS
            and isinstance(some, dict | list)
            and some
            and all(map(_is_property, _records(some)))
            for key, some in one.items()
        )
    )


def _is_property(one: Any) -> bool:
    return isinstance(one, str) or (isinstance(one, dict) and bool(AXIOMS.called("property", one)))


def _name(one: Mapping[str, Any]) -> str:
    """Return the name of a class."""
    key = text_in(one, NAMES)
    return "" if key is None else str(one[key]).strip()


def _class(one: Mapping[str, Any], is_a: str, known: set[str], left: Left) -> Iterator[RawStatement]:
    """Read what is stated of a class: what is above and below it, and its properties."""
    name, others = _name(one), []
    for key, some in one.items():
        if bare(key) in OF_A_CLASS:
            for each in _records(some):
                yield from _property_of(name, each, bare(key), known)
        elif is_above(key):
            yield from (RawStatement(0, name, is_a, parent, extra=SUBCLASS) for parent in _names(some))
        elif is_below(key):
            yield from (RawStatement(0, child, is_a, name, extra=SUBCLASS) for child in _names(some))
        elif not isinstance(some, str) or some.strip() != name:
            others.append(key)
    left.see(one, others)


def _property_of(owner: str, one: Any, key: str, known: set[str]) -> Iterator[RawStatement]:
    """Read a property with its ranges, which is below its class."""
    stated = one if isinstance(one, dict) else {}
    names = [end for some in AXIOMS.called("property", stated)[:1] for end in _names(stated[some])]
    keys = [some for some in (*AXIOMS.called("object", stated), *AXIOMS.called("kind", stated)) if stated[some]]
    ranges = [end for some in keys[:1] for end in _names(stated[some]) if bare(end) not in KIND_WORDS]
    if not owner or not names or not ranges:
        raise InputError(
            "A property of a class has no range.",
            found=f"{owner}: {names[0] if names else one}",
            expected='{"name": "Book", "properties": [{"name": "hasAuthor", "range": "Author"}]}',
            hint="an axiom is a class, a property and its range: leave out properties without one",
        )
    for axiom in product([owner], names, ranges):
        yield RawStatement(0, *axiom, extra=_kind(axiom[-1], "" if axiom[-1] in known else key))


def _property(one: Mapping[str, Any], key: str) -> Iterator[RawStatement]:
    """Read a property with its domains and ranges."""
    names = [AXIOMS.called(role, one) for role in ("class", "property", "object")]
    if all(len(some) == 1 for some in names):
        classes, properties, objects = (_names(one[some[0]]) for some in names)
        for axiom in product(classes, properties, objects):
            yield RawStatement(0, *axiom, extra=_kind(axiom[-1], key))


def _kind(end: str, key: str) -> str:
    """Return the kind of a property, by the key of its list or by its range."""
    kind = next((kind for begin, kind in KINDS.items() if key.startswith(begin)), "")
    return kind or ("datatype" if local_name(end).lower() in DATATYPES else "object")


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
