"""Values as Python writes them: parsed by a small grammar, never executed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from goldassay.core.limits import DIGITS
from goldassay.core.patterns import pattern_of

# Possessive: an unclosed text is scanned only once.
TEXT = r"""(?P<text>'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+")"""
NEXT_LINE = pattern_of(rf"\n\s*+{TEXT}")
"""The rest of a text that pprint breaks behind a blank."""
TOKEN = pattern_of(
    rf"""\s*+(?:{TEXT}"""
    r"""|(?P<number>[-+]?+(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+)"""
    r"""|(?P<word>(?:True|False|None)\b)|(?P<mark>[][(){},:]))"""
)
ESCAPE = pattern_of(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
LETTERS = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
WORDS = {"True": True, "False": False, "None": None}
CLOSING = {"[": "]", "(": ")", "{": "}"}
DEEPEST = 16


class RepeatedKeyError(ValueError):
    """An object with a key that occurs twice, of which a dictionary would keep the last value."""


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs; each key may occur once."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise RepeatedKeyError(f"the key {twice!r} occurs twice")
    return made


def parse_python(text: str) -> Any:
    """Parse a value as Python writes it."""
    return _Literal(text.strip()).whole()


@dataclass
class _Literal:
    """A parser of one literal, by recursive descent to a fixed depth."""

    text: str
    at: int = 0

    def whole(self) -> Any:
        value = self._value(*self._next(), 0)
        if self.at < len(self.text):
            raise self._error()
        return value

    def _next(self) -> tuple[str, str]:
        found = TOKEN.match(self.text, self.at)
        if found is None:
            raise self._error()
        self.at = found.end()
        kind = str(found.lastgroup)
        return kind, found[kind]

    def _value(self, kind: str, sign: str, depth: int) -> Any:
        if kind == "text":
            text = _unescape(sign[1:-1])
            while text.endswith(" ") and (more := NEXT_LINE.match(self.text, self.at)):
                self.at = more.end()
                text += _unescape(more["text"][1:-1])
            return text
        if kind == "word":
            return WORDS[sign]
        if kind == "number":
            if len(sign) > DIGITS.value:
                raise ValueError(f"a number of {len(sign):,} characters")
            return int(sign) if sign.lstrip("+-").isdigit() else float(sign)
        if sign not in CLOSING or depth == DEEPEST:
            raise self._error()
        if sign == "{":
            members, _ = self._items(sign, lambda kind, sign: self._member(kind, sign, depth))
            kinds = {*map(type, members)}
            if kinds <= {tuple}:
                return object_of(members)
            if tuple in kinds:
                raise self._error()
            return members
        items, commas = self._items(sign, lambda kind, sign: self._value(kind, sign, depth + 1))
        # Brackets around one value are not a tuple.
        return items[0] if sign == "(" and len(items) == 1 and not commas else items

    def _items(self, opening: str, read: Callable[[str, str], Any]) -> tuple[list[Any], int]:
        """Read values up to the closing bracket; count the commas."""
        items: list[Any] = []
        commas = 0
        kind, sign = self._next()
        while sign != CLOSING[opening] or kind != "mark":
            items.append(read(kind, sign))
            kind, sign = self._next()
            if kind == "mark" and sign == ",":
                commas += 1
                kind, sign = self._next()
            elif kind != "mark" or sign != CLOSING[opening]:
                raise self._error()
        return items, commas

    def _member(self, kind: str, sign: str, depth: int) -> Any:
        """Read a member of a set, or a key with its value as a tuple, which no value is."""
        member = self._value(kind, sign, depth + 1)
        if (found := TOKEN.match(self.text, self.at)) is None or found["mark"] != ":":
            return member
        if type(member) not in (str, int):
            raise self._error()
        self.at = found.end()
        return str(member), self._value(*self._next(), depth + 1)

    def _error(self) -> ValueError:
        return ValueError(f"neither JSON nor a list of Python: {self.text[self.at :][:40].split('(')[0]!r}")


def _unescape(text: str) -> str:
    return ESCAPE.sub(_letter, text) if "\\" in text else text


def _letter(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2] or escape[3]
    if code is None:
        if escape[4] not in LETTERS:
            raise ValueError(f"the unknown escape {escape[0]}")
        return LETTERS[escape[4]]
    number = int(code, 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:  # noqa: PLR2004 - not valid in Unicode
        raise ValueError(f"the escape {escape[0]}, which is not a character")
    return chr(number)
