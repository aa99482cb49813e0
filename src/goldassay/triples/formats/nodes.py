"""What the ends of triples refer to: nodes by their ids, entities by their place, tokens and characters of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, compress, repeat
from operator import itemgetter, ne
from typing import Any

from goldassay.core.patterns import pattern_of

PREFIX, OTHER_CODE = r"[A-Za-z]{0,8}[-_:#]?", r"[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}|\d+:\S+"
CODE = pattern_of(rf"(?P<prefix>{PREFIX})\d+|{OTHER_CODE}")
"""A text that may be a code: 7, n7, node_7, a UUID, 4:5c6e:7."""
NAMING = ("name", "title", "entity_id")
TYPES = ("type", "labels", "category", "entity_type")
IDS = ("id", "uuid", "identity")
INSIDE = ("data", "attributes")
"""What Cytoscape and React Flow, and graphology, wrap of a node or an edge; the ids of the last are keys."""
NUMBERS = frozenset({int, float})
NAMED = frozenset({*NAMING, *IDS, "label", "text", "entity"})
"""Keys of what is wrapped of a node."""
UNKNOWN = object()
"""An end that is an id or an index of something without a name."""


def name_of(node: Mapping[str, Any]) -> str | None:
    """Find the name of a node: its name or title, or that among its properties; None if it has none."""
    properties = node.get("properties")
    for some in (node, properties if isinstance(properties, dict) else {}):
        for key in NAMING:
            if is_text(some.get(key)):
                return str(some[key])
    return None


def is_text(value: object) -> bool:
    """Return whether a value of JSON can be a name: a text that is not blank, or a number."""
    if isinstance(value, str):
        return bool(value) and not value.isspace()
    return type(value) in NUMBERS


def are_codes(ids: Sequence[object]) -> bool:
    """Return whether all ids of a list are numbers or codes of one kind, and no names."""
    first = CODE.fullmatch(str(ids[0]).strip()) if ids else None
    if first is None:
        return False
    kind = OTHER_CODE if first["prefix"] is None else rf"{re.escape(first['prefix'])}\d+"
    # One match of all takes half the time of one of each.
    every = "\n".join(map(str, ids))
    one = rf"[^\S\n]*+(?:{kind})[^\S\n]*+"
    whole = re.fullmatch(rf"{one}(?:\n{one})*+", every)
    return whole is not None and every.count("\n") == len(ids) - 1


class Objects:
    """Objects of JSON by their keys."""

    def __init__(self, objects: Sequence[dict[str, Any]]) -> None:
        self.objects = objects
        self._alike: dict[str, tuple[Any, ...]] = {}
        names = tuple(objects[0]) if objects else ()
        if names and {*map(len, objects)} == {len(names)}:
            # Objects of so many keys that have all of these have no others.
            with suppress(KeyError):
                # Of one key there would be no rows.
                rows = map(itemgetter(*names, names[0]), objects)
                self._alike = dict(zip(names, zip(*rows, strict=True), strict=False))

    @cached_property
    def shapes(self) -> set[tuple[str, ...]]:
        """The keys of the objects, those of each in their order, or in that of the first one if all have the same."""
        return {tuple(self._alike)} if self._alike else {*map(tuple, self.objects)}

    @cached_property
    def keys(self) -> frozenset[str]:
        """All keys."""
        return frozenset(self._alike) or frozenset().union(*self.objects)

    def column(self, key: str | None) -> list[Any]:
        """List the values of a key; None where an object does not have it."""
        if key is None or (self._alike and key not in self._alike):
            return [None] * len(self)
        return [*self._alike[key]] if self._alike else [one.get(key) for one in self.objects]

    def __len__(self) -> int:
        return len(self.objects)


@dataclass(frozen=True, kw_only=True)
class Nodes:
    """What the ends of the triples of a record may refer to."""

    names: Mapping[str, str] = field(default_factory=dict)  # of nodes by id, without those that are named by their id
    nameless: frozenset[str] = frozenset()  # ids of nodes that nothing names
    ids: Sequence[str] = ()
    listed: Sequence[str | None] = ()  # the names of entities by place
    entries: Objects = field(default_factory=lambda: Objects(()))  # the entities; one that is no object has no keys
    tokens: Sequence[str] = ()  # the words of the text
    text: str = ""

    @property
    def rename(self) -> bool:
        """Whether an end that is a text may be an id."""
        return bool(self.names) or self.code is not None

    @cached_property
    def code(self) -> str | None:
        """One of the ids if they are codes."""
        return self.ids[0] if are_codes(self.ids) else None

    @cached_property
    def known(self) -> frozenset[str | None]:
        """The names of entities."""
        return frozenset(self.listed)

    def ends(self, cells: Sequence[Any]) -> list[Any]:
        """Return what each of some ends refers to; of texts each is looked at once."""
        with suppress(KeyError, TypeError):  # most ends are ids
            return list(map(self.names.__getitem__, cells))
        if {*map(type, cells)} != {str}:
            return list(map(self.end, cells))
        found = {**self.names, **{cell: self.end(cell) for cell in {*cells} - self.names.keys()}}
        return list(map(found.__getitem__, cells))

    def end(self, cell: object) -> object:
        """Return the name that an end of a triple refers to, `UNKNOWN` where it refers to nothing with a name, else the end itself."""
        if isinstance(cell, dict):
            return self._of_object(cell)
        if not isinstance(cell, str | int) or isinstance(cell, bool):
            return cell
        known = str(cell)
        if known in self.names or known in self.nameless:
            return self.names.get(known, UNKNOWN)
        if isinstance(cell, int) and (self.listed or self.tokens):
            found = self.at(cell)
            return UNKNOWN if found is None else found
        if self.code is not None and cell not in self.known and are_codes([self.code, cell]):
            return UNKNOWN
        return cell

    def _of_object(self, cell: Mapping[str, Any]) -> object:
        own = cell.get("id")
        found = name_of(cell) or next((cell[key] for key in ("text", "entity") if is_text(cell.get(key))), None)
        if found is None and is_text(own) and (str(own) in self.names or str(own) in self.nameless):
            found = self.names.get(str(own), UNKNOWN)
        if found is None and "start" in cell and "end" in cell:
            found = self.span(cell) or UNKNOWN
        if found is None and is_text(cell.get("label")) and (own is None or are_codes([own])):
            found = cell["label"]
        if found is None and is_text(own):
            found = UNKNOWN if isinstance(own, int) else own
        return cell if found is None else found

    def at(self, place: int) -> str | None:
        """Return the entity at a place, or the token where there are no entities; None if there is none."""
        some = self.listed or self.tokens
        return some[place] if 0 <= place < len(some) else None

    def span(self, cell: Mapping[str, Any]) -> str | None:
        """Return the words that a span covers; None if it covers none."""
        # Characters of the text are meant where tokens have places of their own, or where there is only a text; else
        # tokens.
        start, end = cell.get("start"), cell.get("end")
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end):
            return None
        if self.text and end <= len(self.text):
            return self.text[start:end]
        return " ".join(self.tokens[start:end]) if not self.text and end <= len(self.tokens) else None


NO_NODES = Nodes()


def nodes_of(listed: object, *, tokens: object = None, text: str = "") -> Nodes:
    """Read the nodes or entities that a record lists, and the tokens of its text."""
    if not isinstance(listed, dict | list) and not isinstance(tokens, list):
        return Nodes(text=text) if text else NO_NODES
    words = [_word(one, text) for one in tokens] if isinstance(tokens, list) else []
    # Words without places of their own: spans count words.
    counted = isinstance(tokens, list) and all(isinstance(one, str) for one in tokens) and bool(words)
    plain = Nodes(tokens=words, text="" if counted else text)
    if isinstance(listed, list) and {*map(type, listed)} == {str}:
        # Names without ids, as KGGen lists them.
        return replace(plain, listed=[one if one.strip() else None for one in listed])
    keys, nodes = _entries(listed if isinstance(listed, dict | list) else [])
    kinds = {*map(type, nodes)}
    entries = Objects(nodes if kinds == {dict} else [one if type(one) is dict else {} for one in nodes])
    columns = [*([keys] if keys else ()), *(entries.column(key) for key in IDS if key in entries.keys)]
    ids = [texts for texts in map(texts_in, columns) if any(texts)]
    aliases: list[Any] = ids[0] if len(ids) == 1 else list(chain.from_iterable(zip(*ids, strict=True)))
    every = [alias for alias in aliases if alias is not None] if None in aliases else aliases
    plain = replace(plain, ids=every, entries=entries)
    places: list[str | None] = [None] * len(nodes)
    if str in kinds:
        places = [one if isinstance(one, str) and one.strip() else None for one in nodes]
    for column in _names_of(plain, keys):
        places = [one or other for one, other in zip(places, column, strict=True)] if any(places) else column
        if None not in places:
            break
    named = places if len(ids) == 1 else list(chain.from_iterable(map(repeat, places, repeat(len(ids)))))
    if len(every) < len(aliases):
        named = list(compress(named, [alias is not None for alias in aliases]))
    nameless = (
        frozenset(alias for alias, name in zip(every, named, strict=True) if name is None)
        if None in named
        else frozenset()
    )
    names = {
        alias: name
        for alias, name in compress(zip(every, named, strict=True), map(ne, every, named))
        if name is not None
    }
    return replace(plain, names=names, nameless=nameless, listed=places)


def _entries(listed: dict[str, Any] | list[Any]) -> tuple[list[Any], list[Any]]:
    """List the keys of nodes, if they have some, and the nodes; the mentions of one entity (DocRED) are one node."""
    keys, nodes = ([*listed], [*listed.values()]) if isinstance(listed, dict) else ([], listed)
    kinds = {*map(type, nodes)}
    if list in kinds:
        nodes = [
            next((one for one in node if isinstance(one, dict)), None) if isinstance(node, list) else node
            for node in nodes
        ]
    if dict in kinds and any(inside(node) is not None for node in nodes if isinstance(node, dict)):
        nodes = [_unwrap_node(node) if isinstance(node, dict) else node for node in nodes]
    return keys, nodes


def _unwrap_node(node: dict[str, Any]) -> dict[str, Any]:
    """Take out what Cytoscape, React Flow and graphology wrap of a node; its id may be outside."""
    inner = inside(node) or {}
    if NAMED.isdisjoint(inner) or not {*NAMING}.isdisjoint(node):
        return node
    outer = {"id" if key == "key" else key: node[key] for key in ("key", *IDS) if key in node}
    return {**inner, **outer}


def inside(one: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what is wrapped of a node or an edge; None if nothing is."""
    return next((one[key] for key in INSIDE if isinstance(one.get(key), dict)), None)


def texts_in(column: list[Any]) -> list[str | None]:
    """Write what can be names of nodes as texts, None for anything else."""
    with suppress(TypeError):  # of what is no text
        if all(column) and not any(map(str.isspace, column)):
            return column
    return [str(one) if is_text(one) else None for one in column]


def _names_of(nodes: Nodes, keys: list[Any]) -> Iterator[list[str | None]]:
    """List what may name nodes, the likelier first: a name, a text, the words of a span, and an id that is no code."""
    entries = nodes.entries
    yield from (texts_in(entries.column(key)) for key in NAMING if key in entries.keys)
    if "properties" in entries.keys:
        inner = Objects([one if type(one) is dict else {} for one in entries.column("properties")])
        yield from (texts_in(inner.column(key)) for key in NAMING if key in inner.keys)
    for key in ("label", "text", "entity"):
        if key in entries.keys and (key != "label" or (nodes.code is not None and _labels(entries))):
            yield texts_in([one if isinstance(one, str) else None for one in entries.column(key)])
    if "start" in entries.keys:
        yield list(map(nodes.span, entries.objects))
    if nodes.code is None:
        some = zip(entries.objects, keys or repeat(None), strict=bool(keys))
        yield texts_in([next((node[key] for key in IDS if key in node), own) for node, own in some])


def _labels(entries: Objects) -> bool:
    """Return whether the labels of nodes are their names, and no types: nodes have types as well, or no label repeats."""
    ids = next((entries.column(key) for key in IDS if key in entries.keys), range(len(entries)))
    # Of several graphs in one answer the nodes may be the same.
    labels = {(str(own), label) for own, label in zip(ids, entries.column("label"), strict=True) if is_text(label)}
    return not entries.keys.isdisjoint(TYPES) or len({label for _, label in labels}) == len(labels)


def _word(token: object, text: str) -> str:
    if isinstance(token, dict):
        start, end = token.get("start"), token.get("end")
        word = token.get("text", text[start:end] if isinstance(start, int) and isinstance(end, int) else "")
        return str(word)
    return str(token)
