"""Data in the YAML of an answer: read by the rules of JSON where its keys are fields; names within names are an outline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.fields import ends_of
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.ontology import read_ontology
from goldassay.formats.answers.tree import describes, has_fields, is_heading, is_held, is_note
from goldassay.formats.yaml import parse_yaml

BEGINS = pattern_of(
    r"(?:[ \t]*(?:#[^\n]*|---[ \t]*)?\n)*(?:-[ \t]++(?![*`])|[\[{]|(?!-[ \t])[^\s\[\]{}|*>`][^\n:|]{0,200}:(?:[ \t]|\n))"
)
"""How data may begin: with an item, with brackets, or with a key; not in bold, or with what stands for a value further up."""
KEY = pattern_of(r"^[ \t]*(?:-[ \t]+)?[^\s\-\[{][^\n:]{0,200}:(?:[ \t]|$)", re.MULTILINE)
NESTED = pattern_of(r"^[ \t]*(?:[\[{]|-[ \t]+[-\[{]|(?:-[ \t]+)?[^\s\-\[{][^\n:]{0,200}:[ \t]+[\[{])", re.MULTILINE)
"""A line that holds a list or an object, which may go on on the next one."""
ESCAPED = pattern_of(r"""(?:^|[:\-,\[{])[ \t]*(?:"[^"\n]*\\|'[^'\n]*'')""", re.MULTILINE)
"""A text in quotes that says more than its letters: as a line it would be taken as it is."""
FIELDS = 2
"""Data with fields has as many keys, if no line holds a list or an object: one key is what an answer begins with."""
PAIR, ROW = 2, 3
"""Cells of a row without names."""


def yaml_in(text: str) -> Any:
    """Parse the YAML of a text, if it begins as data and is an object or a list; None if not."""
    if BEGINS.match(text):
        with suppress(ValueError, RecursionError):
            value = parse_yaml(text)
            return value if isinstance(value, dict | list) and value else None
    return None


def data_in(text: str, meaning: Meaning) -> Any:
    """Parse the YAML of a text, if it is data with fields; None if not."""
    if not BEGINS.match(text):
        return None
    written = NESTED.search(text) or ESCAPED.search(text)
    if not written and len([*islice(KEY.finditer(text), FIELDS)]) < FIELDS:
        return None
    value = yaml_in(text)
    return value if value is not None and (written or _is_data(value, meaning)) else None


def _is_data(value: Any, meaning: Meaning) -> bool:
    """Return whether lines of YAML are no outline of names, nor lines that say something each, nor a bullet for each field."""
    lists = [value] if isinstance(value, list) else filter(_is_list_of_fields, value.values())
    bullets = [one for some in lists for one in some if not isinstance(one, str)]
    if meaning.nested != "list" and bullets and _is_list_of_fields(bullets):
        names = list(dict.fromkeys(chain.from_iterable(bullets)))
        if meaning.roles.recognises(names) or ends_of(names, meaning):
            return False
    if isinstance(value, dict):
        if meaning.nested == "list" and all(map(_is_list, value.values())):
            return True
        lines = meaning.nested == "facts" and any(not isinstance(one, dict) for one in value.values())
        if not lines and _is_mixed(value):
            return True
    if any(_is_row(one, meaning) for one in _objects(value)) or (meaning.nested == "tree" and has_fields(value)):
        return True
    return (meaning is OF_EDGES and is_held(value)) or bool(read_ontology(value, meaning))


def _is_list_of_fields(value: Any) -> bool:
    """Return whether a list has one field in each of its items, as bullets have."""
    return isinstance(value, list) and all(
        isinstance(one, dict) and len(one) == 1 and all(isinstance(end, str) or _is_list(end) for end in one.values())
        for one in value
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str | int) for one in value)


def _is_mixed(value: dict[str, Any]) -> bool:
    """Return whether names have a name next to lists of names: as an outline the name would be a description."""
    waiting, mixed = [value], False
    while waiting:
        one = [(key, end) for key, end in waiting.pop().items() if end is not None and not is_note(key, end)]
        inside = [end for _, end in one if isinstance(end, dict)]
        lists = [end for _, end in one if isinstance(end, list)]
        # What only says what the others are is a heading.
        texts = [end for key, end in one if isinstance(end, str) and not (describes(end) or is_heading(key))]
        if len(inside) + len(lists) + len(texts) < len(one) or not all(map(_is_list, lists)):
            return False
        mixed |= bool(texts) and bool(lists or inside)
        waiting += inside
    return mixed


def _objects(value: Any) -> Iterator[Any]:
    """List the objects, and the lists within lists; not the value itself, which may be lines of names."""
    waiting = [(value, False)]
    while waiting:
        one, inner = waiting.pop()
        if isinstance(one, dict):
            if inner:
                yield one
            waiting += [(end, True) for end in one.values() if isinstance(end, dict)]
            waiting += [(end, False) for end in one.values() if isinstance(end, list)]
        elif isinstance(one, list):
            if inner:
                yield one
            waiting += [(end, True) for end in one]


def _is_row(one: Any, meaning: Meaning) -> bool:
    if isinstance(one, dict):
        return meaning.roles.recognises(list(one))
    return len(one) in ((PAIR, ROW) if meaning.arrow == "edge" else (ROW,)) and all(
        isinstance(cell, str | int | float) for cell in one
    )
