"""Lists in the cells of tables, as JSON or as Python writes them: parsed by a small grammar, never executed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from goldassay.core.limits import DEPTH
from goldassay.core.patterns import pattern_of
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
