"""What the ends of triples refer to: nodes by their ids, entities by their place, tokens and characters of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

CODE = re.compile(r"(?P<prefix>[A-Za-z]{0,8}[-_:#]?)\d+|[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}|\d+:\S+")
"""A text that may be a code: 7, n7, node_7, a UUID, 4:5c6e:7."""
NAMING = ("name", "title", "entity_id")
TYPES = ("type", "labels", "category", "entity_type")
IDS = ("id", "uuid", "identity")
NUMBERS = frozenset({int, float})
UNKNOWN = object()
"""An end that is an id or an index of something without a name."""


def name_of(node: Mapping[str, Any]) -> str | None:
    """Find the name of a node: its name or title, or that among its properties; None if it has none.

    Example:
        >>> name_of({"id": 7, "properties": {"name": "Oslo"}}), name_of({"id": 7, "label": "Oslo"})
        ('Oslo', None)
    """
    properties = node.get("properties")
    for some in (node, properties if isinstance(properties, dict) else {}):
        for key in NAMING:
            if is_text(some.get(key)):
                return str(some[key])
    return None


def is_text(value: object) -> bool:
    """Return whether a value of JSON can be a name: a text that is not blank, or a number.

    Example:
        >>> is_text("Oslo"), is_text(7), is_text(" "), is_text(True)
        (True, True, False, False)
    """
    if isinstance(value, str):
        return bool(value) and not value.isspace()
    return type(value) in NUMBERS


def are_codes(ids: Sequence[object]) -> bool:
    """Return whether all ids of a list are numbers or codes of one kind, and no names.

    Example:
        >>> are_codes([1, 2]), are_codes(["n1", "n2"]), are_codes(["G20", "2020"]), are_codes(["Oslo", "n2"])
        (True, True, False, False)
    """
    found = [CODE.fullmatch(str(one).strip()) for one in ids]
    return bool(found) and all(found) and len({match and match["prefix"] for match in found}) == 1


@dataclass(frozen=True, kw_only=True)
class Nodes:
    """What the ends of the triples of a record may refer to.

    Example:
        >>> nodes = nodes_of([{"id": 1, "label": "Ada"}, {"id": 2, "label": "Rome"}])
        >>> nodes.names, nodes_of([{"id": 1}]).nameless, nodes_of(["Ada", "Rome"]).at(1)
        ({'1': 'Ada', '2': 'Rome'}, frozenset({'1'}), 'Rome')
    """

    names: Mapping[str, str] = field(default_factory=dict)  # of nodes by id, without those that are named by their id
    nameless: frozenset[str] = frozenset()  # ids of nodes that nothing names
    code: str | None = None  # one of the ids if they are codes
    listed: Sequence[str | None] = ()  # the names of entities by place
    entries: Sequence[Mapping[str, Any] | None] = ()  # the entities that are objects
    tokens: Sequence[str] = ()  # the words of the text
    text: str = ""

    @property
    def rename(self) -> bool:
        """Whether an end that is a text may be an id."""
        return self.code is not None or bool(self.names)

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
        if self.code is not None and cell not in self.listed and are_codes([self.code, cell]):
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
        """Return the words that a span covers; None if it covers none.

        Characters of the text are meant where tokens have places of their own, or where there is only a text; else tokens.
        """
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
        return replace(plain, listed=[one if one.strip() else None for one in listed], entries=[None] * len(listed))
    entries = list(_entries(listed))
    ids = [list(_ids(identifier, node)) for identifier, node in entries]
    every = list(chain.from_iterable(ids))
    codes = bool(every) and are_codes(every)
    by_label = codes and _labels([node for _, node in entries if isinstance(node, dict)])
    names: dict[str, str] = {}
    nameless: set[str] = set()
    places: list[str | None] = []
    for (identifier, node), own in zip(entries, ids, strict=True):
        found = _name_node(node, identifier, plain, codes=codes, by_label=by_label)
        aliases = {*map(str, own)}
        if found is None:
            nameless |= aliases
        names.update((alias, found) for alias in aliases if found is not None and alias != found)
        places.append(found)
    code = str(every[0]) if codes else None
    objects = [node if isinstance(node, dict) else None for _, node in entries]
    return replace(plain, names=names, nameless=frozenset(nameless), code=code, listed=places, entries=objects)


def _entries(listed: object) -> Iterator[tuple[object, object]]:
    """List nodes, each with its key, None where they are in a list; the mentions of one entity (DocRED) are one node."""
    pairs = (
        listed.items()
        if isinstance(listed, dict)
        else ((None, one) for one in listed)
        if isinstance(listed, list)
        else ()
    )
    for key, node in pairs:
        if isinstance(node, list):
            yield key, next((one for one in node if isinstance(one, dict)), None)
        else:
            # Cytoscape wraps what it says of a node.
            inner = node.get("data") if isinstance(node, dict) else None
            yield key, inner if isinstance(inner, dict) else node


def _ids(identifier: object, node: object) -> Iterator[object]:
    own = [node.get(key) for key in IDS] if isinstance(node, dict) else []
    yield from filter(is_text, (identifier, *own))


def _labels(nodes: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the labels of nodes are their names, and no types: nodes have types as well, or no label repeats."""
    labels = [node["label"] for node in nodes if is_text(node.get("label"))]
    return any(key in node for node in nodes for key in TYPES) or len(set(labels)) == len(labels)


def _name_node(node: object, identifier: object, words: Nodes, *, codes: bool, by_label: bool) -> str | None:
    """Name one node; None if it has nothing but an id that is a code."""
    if not isinstance(node, dict):
        return node if isinstance(node, str) and node.strip() else None
    keys = ("label", "text", "entity") if by_label else ("text", "entity")
    own = next((node[key] for key in IDS if key in node), identifier)
    return (
        name_of(node)
        or next((node[key] for key in keys if isinstance(node.get(key), str) and node[key].strip()), None)
        or words.span(node)
        or (str(own) if is_text(own) and not codes else None)
    )


def _word(token: object, text: str) -> str:
    if isinstance(token, dict):
        start, end = token.get("start"), token.get("end")
        word = token.get("text", text[start:end] if isinstance(start, int) and isinstance(end, int) else "")
        return str(word)
    return str(token)
