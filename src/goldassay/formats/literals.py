"""Lists in the cells of tables, as JSON or as Python writes them: parsed by a small grammar, never executed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from goldassay.core.limits import DEPTH
from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS
from goldassay.formats.documents import decoder, holds_all, is_deep, parse_json
from goldassay.formats.python_values import RepeatedKeyError, parse_python

COMMENT = pattern_of(r"""("[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z))|//[^\n]*+|\#[^\n]*+|/\*.*?(?:\*/|\Z)""", re.DOTALL)
KEY = pattern_of(
    r"""("[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+')|([{,]\s*+)([A-Za-z_$][\w$]*+)(?=\s*+:)"""
)
"""A key without quotes, as JSON5 allows it."""
MARK = pattern_of(r"""["][^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{},]""", re.DOTALL)
CLOSING = {"[": "]", "{": "}"}
WORDS = pattern_of(r"""[ \t]*+(?:[^\s,:"'\[\]{}][^\n"\[\]{}]*+)?(?:\n|\Z)""")
"""What is on the line behind JSON that is whole, if there is no more of it."""
BRACKETED = pattern_of(r"^[ \t]*+[\[{]", re.MULTILINE)
"""A line that begins like JSON."""
STRAIGHT = str.maketrans("“”„", '"""')
QUOTED = pattern_of(r"""'([^'\\]*)'|"([^"\\]*)\"""")
OF_QUOTED = pattern_of(rf"""[\[({{]\s*(?:{QUOTED.pattern})(?:\s*,?\s*(?:{QUOTED.pattern}))*\s*,?\s*[\])}}]""")
"""A list, a tuple or a set of Python, or an array of NumPy, which has no commas."""
BRACKETS = pattern_of(r"""^\s*(?:\[|[({]\s*["'])""")
"""How a cell begins that may be a list in any column."""
BREAK = pattern_of(r"(?i:<br\s{0,9}/?>)")
"""What is between names in any column."""
LINES = pattern_of(rf"{BREAK.pattern}|[\n\r]")
BETWEEN = pattern_of(r"[;|\n\r]")
"""What is between names in a column whose name is a plural, besides a break."""
ITEM = pattern_of(rf"^(?:[{BULLETS}]|\d{{1,3}}[.)])[ \t]+(?=\S)")
"""What is before a name in a list."""
Opened: TypeAlias = "tuple[str, Opened] | None"
"""The brackets that are open, by what closes them: the innermost, and those around it."""


def parse_written(text: str, *, whole: bool = False) -> tuple[Any, int, bool]:
    """Parse JSON or Python as models write it, with comments and perhaps cut off; also where the part ends that is whole, and whether it is cut off."""
    try:
        return parse_literal(text), len(text), False
    except RepeatedKeyError:
        raise
    except (ValueError, RecursionError):
        pass
    # Comments become blanks, and typographic quotes straight ones, so that all places stay.
    text = with_straight_quotes(text)
    bare = COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), text)
    if whole:
        return parse_literal(KEY.sub(lambda found: found[1] or f'{found[2]}"{found[3]}"', bare)), len(text), False
    end, closing = _whole_part(bare)
    return parse_literal(bare[:end] + closing), end, bool(closing) or not WORDS.match(bare, end)


def with_straight_quotes(text: str) -> str:
    """Write straight quotes where a text has typographic ones only, as what a word processor has changed."""
    return text.translate(STRAIGHT) if "“" in text and '"' not in text else text


def _whole_part(text: str) -> tuple[int, str]:
    """Return where the last value ends that is not cut off, and the brackets that are open there."""
    # What is open is a chain, so that what was open at the end is kept at no cost.
    opened: Opened = None
    end, kept = 0, opened
    last = max((found.start() for found in BRACKETED.finditer(text)), default=0)
    for found in MARK.finditer(text):
        mark = found[0]
        if mark in CLOSING:
            opened = (CLOSING[mark], opened)
        elif mark in ("]", "}"):
            if opened is None or opened[0] != mark:
                break
            opened = opened[1]
            end, kept = found.end(), opened
            if opened is None and last < end and WORDS.match(text, end):
                break
        elif mark == "," and opened and (opened[1] is None or (opened[1][0], opened[0]) == ("}", "]")):
            # A record or a row that is cut off within is none; names below a key, and pairs of a map, are whole.
            end, kept = found.start(), opened
    closing = []
    while kept is not None:
        closing.append(kept[0])
        kept = kept[1]
    return end, "".join(closing)


def parse_literal(text: str) -> Any:
    r"""Parse a list as JSON or as Python writes it: lists, tuples, dictionaries, texts, numbers, truth values and None.

    Example:
        >>> parse_literal('["a", 1]'), parse_literal("[('a', 0.5), ('b',)]"), parse_literal("['it\\'s']")
        (['a', 1], [['a', 0.5], ['b']], ["it's"])
        >>> parse_literal("__import__('os')")
        Traceback (most recent call last):
        ValueError: neither JSON nor a list of Python: '__import__'
    """
    try:
        return parse_json(text)
    except RepeatedKeyError:
        raise
    except (ValueError, RecursionError):
        return parse_python(text)


def parse_if_literal(text: str) -> Any:
    """Parse a value as `parse_literal` does; None if it is none."""
    with suppress(ValueError, RecursionError):
        return parse_literal(text)
    return None


def names_in_cell(cell: str, *, plural: bool) -> list[str] | None:
    """List the names in a cell; None if it is no list. A list of numbers is a name: what marks a list in a text are quotes."""
    text = cell.strip()
    if BRACKETS.match(text):
        if OF_QUOTED.fullmatch(text):
            return [one or other for one, other in QUOTED.findall(text)]
        found = parse_if_literal(f"[{text[1:-1]}]") if text[-1] in "])}" else None
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return found
    parts = BREAK.split(text) if "<" in text else [text]
    names = list(filter(None, map(str.strip, BETWEEN.split("\n".join(parts)) if plural else parts)))
    marks = {name[0] for name in names}
    # A number before one name may be a part of it, as a plus is before one, and next to a minus.
    if (
        names
        and not ("+" in marks and ("-" in marks or len(names) == 1))
        and ITEM.match(names[0])
        and ((plural and text[0] in BULLETS) or _are_items(names) or _are_items(LINES.split(text)))
    ):
        names = [ITEM.sub("", name) for name in names]
    return None if "".join(names) == text else names


def _are_items(names: Sequence[str]) -> bool:
    """Return whether all of several names have a mark of a list, except for empty ones."""
    items = [ITEM.match(name) for name in map(str.strip, names) if name]
    return len(items) > 1 and all(items)


def parse_literals(texts: Sequence[str], parse: Callable[[str], Any] = parse_literal) -> list[Any]:
    """Parse lists as `parse_literal` or another function does: many at once if all are JSON, or would be with other quotes."""
    data, written = "\n".join(texts), texts
    # A text of Python between single quotes, without another quote or an escape, is one of JSON between double ones.
    if '"' not in data and "\\" not in data:
        data, written = data.replace("'", '"'), [text.replace("'", '"') for text in texts]
    decode, unreadable = decoder()
    with suppress(*unreadable):
        values, most = list(map(decode, map(str.encode, written))), DEPTH.value
        deep = (
            is_deep(value, text.encode(), most) for value, text in zip(values, written, strict=True) if len(text) > most
        )
        if holds_all(values, data.encode()) and not any(deep):
            return values
    return list(map(parse, texts))
