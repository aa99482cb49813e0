"""The spec grammar: how a measure is written in a command, a table header and a signature.

::

    spec      = name [ "(" [ parameter { "," parameter } ] ")" ]
    parameter = name "=" value
    value     = number | word | quoted | "[" [ value { "," value } ] "]"

A word is true, false, none, nan, inf, or itself; a text that is not a plain word is quoted; inside quotes a backslash
keeps the next character as it is. Nothing is executed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from goldassay.core.errors import UsageError, check_type
from goldassay.core.patterns import pattern_of

WORDS = {"true": True, "false": False, "none": None, "nan": math.nan, "inf": math.inf, "-inf": -math.inf}
NAME = pattern_of(r"[A-Za-z_]\w*", re.ASCII)
BARE = pattern_of(r"[\w@#][\w.:/@#-]*")
TOKEN = pattern_of(
    r"""\s*(?:
      (?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.:/@\#-]))
    | (?P<word>-inf|[\w@\#][\w.:/@\#-]*)
    | (?P<mark>[()\[\],=])
    )""",
    re.VERBOSE | re.DOTALL,
)
DEEPEST = 8
LONGEST_NUMBER = 40


def format_spec(name: str, parameters: Mapping[str, object]) -> str:
    """Write a name and its parameters in the spec grammar."""
    if not parameters:
        return name
    return f"{name}({', '.join(f'{key}={_format_value(value)}' for key, value in parameters.items())})"


def parse_spec(text: str) -> tuple[str, dict[str, object]]:
    """Read a name and its parameters from the spec grammar."""
    check_type(text, str, "a spec, such as 'fuzzy(threshold=0.5)'")
    return _Parser(text).spec()


@dataclass
class _Parser:
    """A recursive descent over the tokens of one spec."""

    text: str
    position: int = 0

    def spec(self) -> tuple[str, dict[str, object]]:
        name = self._name()
        parameters: dict[str, object] = {}
        if self._take("("):
            while not self._take(")"):
                if parameters:
                    self._expect(",")
                key = self._name()
                if key in parameters:
                    raise self._error(f"{key!r} given twice")
                self._expect("=")
                parameters[key] = self._value(depth=0)
        if self.text[self.position :].strip():
            raise self._error()
        return name, parameters

    def _value(self, depth: int) -> object:
        if depth < DEEPEST and self._take("["):
            elements: list[object] = []
            while not self._take("]"):
                if elements:
                    self._expect(",")
                elements.append(self._value(depth + 1))
            return tuple(elements)
        token = self._next()
        match token.lastgroup:
            case "number":
                return _number(token["number"])
            case "quoted":
                return re.sub(r"\\(.)", r"\1", token["quoted"][1:-1], flags=re.DOTALL)
            case "word":
                return WORDS.get(token["word"].lower(), token["word"])
        raise self._error(token[0].strip())

    def _name(self) -> str:
        token = self._next()
        if not NAME.fullmatch(token["word"] or ""):
            raise self._error(token[0].strip())
        return token["word"]

    def _next(self) -> re.Match[str]:
        token = TOKEN.match(self.text, self.position)
        if token is None:
            raise self._error()
        self.position = token.end()
        return token

    def _take(self, mark: str) -> bool:
        token = TOKEN.match(self.text, self.position)
        if token is None or token["mark"] != mark:
            return False
        self.position = token.end()
        return True

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise self._error(self.text[self.position : self.position + 20], expected=repr(mark))

    def _error(self, found: str | None = None, *, expected: str | None = None) -> UsageError:
        return UsageError(
            f"{self.text[:80]!r} is not a valid measure.",
            found=found or self.text[self.position : self.position + 20] or "the end",
            expected=expected or "name or name(parameter=value, ...)",
            hint="for example: -m literal -m 'fuzzy(threshold=0.5)'",
        )


def _number(text: str) -> int | float:
    # What has thousands of digits is no parameter, and Python refuses to read it as a whole number.
    if len(text) > LONGEST_NUMBER:
        raise UsageError(
            "A number in the measure is too long.",
            found=f"{text[:20]}... ({len(text):,} characters)",
            expected=f"at most {LONGEST_NUMBER} characters",
        )
    try:
        return int(text)
    except ValueError:
        return float(text)


def _format_value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_format_value(element) for element in value)}]"
    if isinstance(value, str):
        return value if _is_bare(value) else "'" + re.sub(r"([\\'])", r"\\\1", value) + "'"
    return str(value).lower()


def _is_bare(value: str) -> bool:
    if value.lower() in WORDS or not BARE.fullmatch(value):
        return False
    token = TOKEN.fullmatch(value)
    return token is not None and token["word"] == value
