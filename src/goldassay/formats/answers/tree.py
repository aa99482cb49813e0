"""Trees in nested JSON and YAML: names within names, and objects whose keys are fields, such as ``name`` and ``children``.

Which keys are names and which are fields is decided by these rules, the first that fits:

- An object with a name of its own (``name``, ``label``, or the only other text next to children) is a node; its other keys are fields.
- What is inside of a name, and says what is above or below it (``is_a``, ``children``), has fields of that name; so do its siblings.
- Anything else maps names to what is below them.

A key is no name where it describes (``description``), or where it has a text in two objects or more: the same name may well be below
several parents, but with a text below each it is a field. Where such a field says nothing about parents or children, the file is
refused: its keys would become concepts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import LISTED, singular
from goldassay.formats.answers.lines import RawStatement
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.notes import REASONS, REMARKS, keys_of
from goldassay.formats.answers.outline import BEGIN_ENDLESS, ENDLESS
from goldassay.formats.column_names import NAMES as COLUMNS
from goldassay.formats.column_names import bare, words
from goldassay.formats.roles import EDGES

WRAPPERS = words(
    "alignment alignments annotations answer axioms classifications correspondences data edges facts graph "
    "hierarchy items mappings matches ontology output pairs predictions relations relationships result results root "
    "statements taxonomy tree triples triplets"
).names
"""Keys that name what is below them, and are not concepts."""
LABELS = ("name", "label", "preflabel", "title", "concept", "term")
NAMES = (*LABELS, "class", "node", "text", "nombre", "nom", "id")
IDS = ("id", "iri", "uri", "identifier", "code", "notation", "uuid", "key")
BELOW = words(
    "child subclass subtype subcategory subconcept subterm subgroup subtopic narrower hyponym "
    "kinder unterklassen unterkategorien unterbegriffe enfant souscat\u00e9gory hijo subclase subcategor\u00eda \u5b50\u7c7b \u5b50\u8282\u70b9"
).names
"""Keys of what is below a name, as singulars."""
ABOVE = frozenset[str]().union(*(one.names for one in COLUMNS["nodes"]["target"] if not one.ids))
"""Keys of what is above a name, as singulars."""
DESCRIBING = words(
    "alias altlabel annotation attribute comment data definition description example explanation gloss import "
    "metadata note prefix property rationale slot state synonym"
).names
"""Keys that describe a name, as singulars."""
NOTES = keys_of(REMARKS, REASONS, "thought|confidence|metadata|usage")
"""Keys of what a model says next to what was asked for, as singulars."""
BEGIN_NOTES = frozenset({word[:3] for word in NOTES})
"""How such keys begin: of many names few are looked at."""
ABOUT_ALL = DESCRIBING | NOTES | {"id", "name", "title", "version"}
"""Keys that describe a file, and are hardly names."""
ABOUT_HELD = ABOUT_ALL | {"author", "date", "domain", "language", "license", "model", "source"}
"""Keys that describe a file next to a key that names what is below it."""
HOLDERS = words("class concept term category type topic taxa node entity item").names
"""Keys that name what records are, as singulars."""
GRAPHS = words("nodes links context graph id type").names
"""Keys of other formats, whose objects are not names of concepts."""
LEVEL = pattern_of(r"(?:level|depth|tier)[ _-]?\d{1,3}", re.IGNORECASE)
ARTICLES = ("a ", "an ", "the ")
LONG_NAME = 6
"""Words of the longest name that is no description, if it does not end as a sentence does."""
SCALARS = (str, int, float, bool, type(None))
TWICE = 2


class Left(Counter[str]):
    """How often fields occur that are not read; those that hold lists or objects may hold names."""

    def __init__(self) -> None:
        super().__init__()
        self.holding = Counter[str]()

    def see(self, one: Mapping[str, Any], keys: Iterable[str]) -> None:
        """Count fields of an object."""
        for key in keys:
            self[key] += 1
            if isinstance(one[key], dict | list) and one[key] and _word(key) not in DESCRIBING | NOTES:
                self.holding[key] += 1


def _word(key: str) -> str:
    return singular(bare(key))


# The keys of an object are asked about several times: when a tree is looked at, and when it is read.
@lru_cache(maxsize=2**15)
def is_below(key: str) -> bool:
    """Return whether a key names what is below its object."""
    return _word(key) in BELOW


@lru_cache(maxsize=2**15)
def is_above(key: str) -> bool:
    """Return whether a key names what is above its object."""
    return _word(key) in ABOVE


def is_heading(key: str) -> bool:
    """Return whether a key only says what is below it, or what records are."""
    return bare(key) in WRAPPERS or _word(key) in HOLDERS


def is_of_graph(one: Mapping[str, Any]) -> bool:
    """Return whether an object has keys of another format."""
    return not GRAPHS.isdisjoint(map(bare, one))


@lru_cache(maxsize=2**15)
def _is_kin(key: str) -> bool:
    return is_above(key) or is_below(key)


class _Named(NamedTuple):
    """A key that is a name, and what is inside of it."""

    name: str
    inner: Any
    described: bool = False
    """Whether its siblings have fields, so that texts inside are such."""
    single: bool = False
    """Whether it is the one root."""


class _Node(NamedTuple):
    """A node that an object is: its name, or the empty text for the name that the object is inside of."""

    name: str
    below: Sequence[Any]
    above: Sequence[Any]


class _NotATreeError(Exception):
    pass


def read_tree(value: Any, left: Left | None = None) -> list[RawStatement]:
    """List the edges of nested JSON; none if it is other data. Fields that are not read are counted."""
    counts = Left() if left is None else left
    inner = without_holder(value, counts)
    reader = _Reader(left=counts)
    reader.look(inner)
    try:
        reader.walk(inner)
    except _NotATreeError:
        return []
    reader.check()
    return reader.rows


def has_fields(value: Any) -> bool:
    """Return whether objects have a name next to what is above or below it, or are inside of a name and say that."""
    waiting = [(value, False)]
    while waiting:
        one, inside = waiting.pop()
        if isinstance(one, dict):
            if inside and (_says_kin(one) or (text_in(one, NAMES) and any(map(_is_kin, one)))):
                return True
            nested = any(isinstance(end, dict | list) for end in one.values())
            if nested and any(map(_is_kin, one)) and (text_in(one, NAMES) or _head_of(one)):
                return True
            waiting += [(end, True) for end in one.values() if isinstance(end, dict | list)]
        else:
            waiting += [(end, True) for end in one if isinstance(end, dict | list)]
    return False


def is_held(value: Any) -> bool:
    """Return whether names within names are below a key that says what they are, or next to what describes the file."""
    reader, inner = _Reader(Left()), without_holder(value, Left())
    with suppress(_NotATreeError):
        reader.walk(inner)
    described = bool(reader.fields)
    reader.fields = {key: texts for key, texts in reader.fields.items() if len({*map(str, texts)}) >= TWICE}
    reader.check()
    return inner is not value and not described and bool(reader.rows)


def without_holder(value: Any, left: Left) -> Any:
    """Return records of nodes without the key that says what they are, and without what describes the file."""
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and (deeper := _nodes_below(next(iter(value.values())))):
        return deeper
    inside = {key: inner for key, inner in value.items() if isinstance(inner, dict | list)}
    described = all(key in inside or _word(key) in ABOUT_HELD for key in value)
    held = [key for key, inner in inside.items() if _holds(key, inner, single=len(inside) == 1, described=described)]
    if len(held) == 1:
        left.see(value, (key for key in value if key != held[0]))
        return value[held[0]]
    return without_about(value, left)


def is_note(key: str, inner: Any) -> bool:
    """Return whether a key next to what was asked for says more of it: by its name, with nothing nested below it."""
    if isinstance(inner, SCALARS):
        return _word(key) in ABOUT_HELD
    flat = inner.values() if isinstance(inner, dict) else inner
    return _word(key) in NOTES and all(isinstance(one, SCALARS) for one in flat)


def without_about(value: Any, left: Left, meaning: Meaning = OF_EDGES) -> Any:
    """Return names with what is below them without what describes the file."""
    if not isinstance(value, dict) or (meaning.nested != "list" and any(map(_is_kin, value))):
        return value
    if meaning.nested == "list":
        likely = (key for key in value if key[:3].lower() in BEGIN_NOTES)
        about = [key for key in likely if _word(key) in NOTES and is_note(key, value[key])]
        shared = Counter(str(value[key]) for key in value) if about else {}
        # An entity may be called so: that its label occurs elsewhere shows it, and a sentence is no name.
        about = [
            key for key in about if (shared[str(value[key])] == 1 if meaning.documents else describes(str(value[key])))
        ]
    else:
        about = [key for key, inner in value.items() if isinstance(inner, SCALARS) and _word(key) in ABOUT_ALL]
        about = about if any(isinstance(inner, dict | list) for inner in value.values()) else []
    if not about or len(about) == len(value):
        return value
    left.see(value, about)
    return {key: inner for key, inner in value.items() if key not in about}


def refuse_levels(value: Any) -> None:
    """Refuse names listed by level: none of them has a parent."""
    if isinstance(value, dict) and len(value) >= TWICE and all(map(LEVEL.fullmatch, value)):
        raise fields_error(list(value), "levels, without a parent of any name")


def _nodes_below(inner: Any) -> list[Any] | None:
    """Return the nodes below a key that only names them, such as ``{"data": [{"name": "dog"}]}``."""
    if not isinstance(inner, dict) or len(inner) != 1:
        return None
    [(key, nodes)] = inner.items()
    named = isinstance(nodes, list) and all(isinstance(one, dict) and text_in(one, NAMES) is not None for one in nodes)
    return nodes if named and bare(key) in WRAPPERS else None


def _holds(key: str, inner: Any, *, single: bool, described: bool) -> bool:
    """Return whether a key is no name: nodes below it that have parents of their own are not below it."""
    if single and described and bare(key) in WRAPPERS:
        return True
    known = _word(key) in HOLDERS
    if isinstance(inner, list):
        some = all(isinstance(one, dict) and text_in(one, NAMES) is not None for one in inner)
        relates = _is_kin if known else is_above
        return some and (known or single) and any(relates(key) for one in inner for key in one)
    records = [one for one in inner.values() if isinstance(one, dict)]
    return known and any(map(_says_kin, records))


def text_in(one: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    """Return the key of the first of some fields that has a text."""
    known = {bare(key): key for key, inner in one.items() if isinstance(inner, str) and inner.strip()}
    return next((known[name] for name in keys if name in known), None)


def _is_names(value: Any) -> bool:
    if isinstance(value, dict):
        return text_in(value, NAMES) is not None
    return (
        value is None
        or isinstance(value, str)
        or (isinstance(value, list) and not any(isinstance(one, list) for one in value))
    )


def _says_kin(one: Mapping[str, Any]) -> bool:
    """Return whether an object inside of a name says what is above or below that; a parent that is a text says it of any object."""
    if not any(map(_is_kin, one)):
        return False
    above = [key for key, inner in one.items() if is_above(key) and _is_names(inner)]
    below = [key for key, inner in one.items() if is_below(key) and _may_be_below(key, inner)]
    others = (inner for key, inner in one.items() if key not in (*above, *below) and _word(key) not in DESCRIBING)
    stated = any(isinstance(one[key], str) and one[key] for key in above)
    return stated or (bool(above or below) and all(isinstance(inner, SCALARS) for inner in others))


def _may_be_below(key: str, inner: Any) -> bool:
    """Return whether a key is a field of children: a child may be a concept, children in an object are few."""
    return _is_names(inner) or (isinstance(inner, dict) and bare(key) != _word(key))


@dataclass
class _Reader:
    """Reads a tree."""

    left: Left
    rows: list[RawStatement] = field(default_factory=list)
    heads: set[str] = field(default_factory=set)
    """Keys of names that are called in another way than usual."""
    labels: dict[str, str] = field(default_factory=dict)
    """The names of nodes by their ids."""
    fields: dict[str, list[Any]] = field(default_factory=dict)
    """The texts that objects have below a key."""
    kin: Counter[str] = field(default_factory=Counter)
    """How many objects have a key of children."""
    attributes: set[str] = field(default_factory=set)
    """Keys that objects have next to what is above or below them."""
    children: set[str] = field(default_factory=set)
    """Keys of children in objects that have fields."""
    describes: bool = False
    """Whether texts below names describe these."""

    def look(self, value: Any) -> None:
        """Find names by ids, what names are called, and how often there are children."""
        waiting, texts = [(value, False)], Counter[bool]()
        while waiting:
            one, inside = waiting.pop()
            if isinstance(one, list):
                waiting += [(member, False) for member in one]
            elif isinstance(one, dict) and one:
                if below := [*filter(is_below, one)]:
                    self.kin.update(below)
                if _says_kin(one):
                    self.children.update(below)
                    self.attributes.update(key for key, inner in one.items() if isinstance(inner, SCALARS))
                if (label := text_in(one, LABELS)) is not None:
                    ids = {bare(key): inner for key, inner in one.items() if isinstance(inner, str | int)}
                    if (identifier := next((ids[name] for name in IDS if name in ids), None)) is not None:
                        self.labels.setdefault(str(identifier), one[label])
                if not inside and text_in(one, NAMES) is None and (head := _head_of(one)):
                    self.heads.add(bare(head))
                texts.update(describes(inner) for inner in one.values() if isinstance(inner, str) and inner)
                waiting += [(inner, not is_below(key)) for key, inner in one.items()]
        self.describes = texts[True] >= max(texts[False], 1)

    def walk(self, value: Any) -> None:
        """Visit objects and lists in the order of the file."""
        waiting: list[tuple[Any, str, _Named | None]] = [(value, "", None)]
        while waiting:
            one, parent, named = waiting.pop()
            if isinstance(one, _Named):
                self._add(one.name, parent)
                waiting.append((self._without_fields(one), one.name, one))
            elif isinstance(one, list):
                waiting += [(member, parent, None) for member in reversed(one)]
            elif isinstance(one, str):
                self._add(self.labels.get(one, one), parent)
            elif isinstance(one, dict) and one:
                waiting += reversed(list(self._inner(one, parent, named)))
            elif one is not None and not isinstance(one, dict):
                if str(one) not in self.labels:
                    raise _NotATreeError
                self._add(self.labels[str(one)], parent)

    def _inner(self, one: Mapping[str, Any], parent: str, named: _Named | None) -> Iterator[tuple[Any, str, None]]:
        node = self._node(one, named)
        if node is None:
            if is_of_graph(one) or (not parent and EDGES.recognises(list(one))):
                raise _NotATreeError
            if isinstance(one.get(parent), dict | list):
                raise fields_error([parent], "one inside of another")
            yield from ((name, parent, None) for name in self._names(one, named, single=not parent and len(one) == 1))
            return
        name = node.name or parent
        if node.name:
            self._add(name, parent)
        for end in self._ends(node.above):
            self._add(name, end)
        yield from ((below, name, None) for below in node.below)

    def _node(self, one: Mapping[str, Any], named: _Named | None) -> _Node | None:
        """Return the node that an object is; None if it maps names to what is below them."""
        below = [inner for key, inner in one.items() if is_below(key)]
        above = {key: inner for key, inner in one.items() if is_above(key)}
        others = [key for key in one if not is_below(key) and key not in above]
        head = text_in(one, NAMES)
        plain = all(isinstance(one[key], SCALARS) or _word(key) in DESCRIBING for key in others)
        if named is not None and self._has_fields(one, single=named.single):
            self.left.see(one, others)
            return _Node("", below, list(above.values()))
        if head is None and named is None:
            head = text_in(one, self.heads) or _head_of(one)
        if head is not None and named is not None and plain and bare(one[head]) == bare(named.name):
            self.left.see(one, others)
            return _Node("", below, list(above.values()))
        if head is not None and (below or above or plain):
            self.left.see(one, (key for key in others if key != head))
            return _Node(one[head], below, [inner for key, inner in above.items() if key != head])
        return _Node("", below, ()) if named is None and below and len(one) == len(below) else None

    def _has_fields(self, one: Mapping[str, Any], *, single: bool) -> bool:
        """Return whether what is inside of a name are its fields: children in an object, and nothing else, may also be a name."""
        if not _says_kin(one):
            return False
        [key, *more] = one
        return bool(more) or is_above(key) or not isinstance(one[key], dict) or self.kin[key] >= TWICE or single

    def _names(self, one: Mapping[str, Any], named: _Named | None, *, single: bool) -> Iterator[_Named]:
        """List the names of an object; texts below keys that several objects have are counted."""
        inside = named is not None
        if inside and len(one) > 1 and not self.children.isdisjoint(one):
            raise fields_error([key for key in one if key not in self.children], "next to children")
        described = any(isinstance(inner, dict) and self._has_fields(inner, single=single) for inner in one.values())
        for key, inner in one.items():
            if isinstance(inner, SCALARS) and inner and (inside or len(one) > 1):
                if inside and (key in self.attributes or _word(key) in DESCRIBING):
                    self.left[key] += 1
                    continue
                if self.describes and isinstance(inner, str):
                    self.left["description"] += 1
                    yield _Named(key, None)
                    continue
                self.fields.setdefault(key, []).append(inner)
            yield _Named(key, inner, described, single)

    def _without_fields(self, named: _Named) -> Any:
        """Return what is inside of a name; where siblings have fields, an object of texts has only such."""
        inner = named.inner
        if not named.described or not isinstance(inner, dict) or _says_kin(inner):
            return inner
        if not all(isinstance(one, SCALARS) for one in inner.values()):
            return inner
        self.left.see(inner, inner)
        return None

    def _ends(self, above: Sequence[Any]) -> Iterator[str]:
        for ends in above:
            for end in ends if isinstance(ends, list) else [ends]:
                name = end[key] if isinstance(end, dict) and (key := text_in(end, NAMES)) else end
                if isinstance(name, str | int) and not isinstance(name, bool):
                    yield self.labels.get(str(name), str(name))

    def _add(self, name: str, parent: str) -> None:
        if name[:1] in BEGIN_ENDLESS and ENDLESS.fullmatch(name):
            self.left[name] += 1
        elif name.strip() and parent.strip():
            self.rows.append(RawStatement(0, name, OF_EDGES.is_a, parent))

    def check(self) -> None:
        """Refuse keys that several objects have a text below: they are no names."""
        if unknown := [key for key, texts in self.fields.items() if len(texts) >= TWICE]:
            raise fields_error(unknown)


def describes(text: str) -> bool:
    """Return whether a text is more than a name."""
    words = text.split(None, LONG_NAME + 1)
    return (
        text.endswith(".")
        or len(words) > LONG_NAME
        or (len(words) > TWICE and text.lower().startswith(ARTICLES))
        or text.startswith(("a ", "an "))
    )


def _head_of(one: Mapping[str, Any]) -> str | None:
    """Return the key of the name of an object that says what is below it: a parent, or its only other text."""
    texts = [
        key for key, inner in one.items() if isinstance(inner, str) and inner.strip() and _word(key) not in DESCRIBING
    ]
    above = [key for key in texts if is_above(key)]
    others = [key for key in texts if not is_above(key) and not is_below(key)]
    related = others if any(map(is_above, one)) else []
    found = (above or others) if any(map(is_below, one)) else related
    return found[0] if len(found) == 1 else None


def fields_error(keys: Sequence[str], where: str = "with a text in several objects") -> InputError:
    """Build the error for keys that are fields, and say nothing about parents or children."""
    listed = ", ".join(map(repr, keys[:LISTED])) + (", ..." if len(keys) > LISTED else "")
    return InputError(
        "Keys of nested objects are fields, and not known.",
        found=f"{listed}, {where}",
        expected="names within names, or objects with a name and fields such as 'children' or 'parent'",
        hint="call the fields name, parent and children, and leave out the others",
    )
