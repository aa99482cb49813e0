"""Lines that each hold a list of triples, as Python or as JSON writes it: read by a parser of its own, with bounds."""

from __future__ import annotations

import re
from typing import TypeAlias

Value: TypeAlias = "str | int | float | bool | list[Value] | None"
DEEPEST = 3
"""A list of triples is a list of lists; a slot may at most be a list once more, which is then told apart as no slot."""
LONGEST_NUMBER = 400
TOKEN = re.compile(
    r"""\s*(?:
      (?P<open>[\[(])
    | (?P<close>[\])])
    | (?P<comma>,)
    | (?P<text>[uU]?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    | (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
    | (?P<word>[A-Za-z]+)
    )""",
    re.VERBOSE,
)
WORDS = {"None": None, "null": None, "True": True, "true": True, "False": False, "false": False}
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0"}
LAST_CHARACTER = 0x10FFFF


def parse_list(text: str) -> list[Value]:
    """Parse a list of lists of texts, numbers, true, false and none. Nothing is evaluated, and nothing nests deeply.

    Args:
        text: One line.

    Raises:
        ValueError: If it is none; says what is wrong and in which column.

    Example:
        >>> parse_list("[['Rome', 'country', \\"Italy's\\"], ('a', 'b', 1904)]")
        [['Rome', 'country', "Italy's"], ['a', 'b', 1904]]
        >>> parse_list("here you are: []")
        Traceback (most recent call last):
        ValueError: column 1: no list begins here
    """
    root: list[Value] = []
    stack: list[list[Value]] = []
    position, wants_value = 0, True
    while True:
        token = TOKEN.match(text, position)
        if token is None:
            raise ValueError(_said(text, position, "no list begins here" if not stack else "no list goes on like this"))
        kind = token.lastgroup
        if not stack and kind != "open":
            raise ValueError(_said(text, position, "no list begins here"))
        if kind in ("open", "text", "number", "word") and not wants_value:
            raise ValueError(_said(text, position, "a comma is missing"))
        position = token.end()
        if kind == "open":
            if len(stack) == DEEPEST:
                raise ValueError(_said(text, position - 1, "the lists nest too deeply"))
            inner: list[Value] = root if not stack else []
            if stack:
                stack[-1].append(inner)
            stack.append(inner)
            wants_value = True
        elif kind == "close":
            stack.pop()
            wants_value = False
            if not stack:
                break
        elif kind == "comma":
            if wants_value:
                raise ValueError(_said(text, position - 1, "a comma stands alone"))
            wants_value = True
        else:
            stack[-1].append(_value(token, text))
            wants_value = False
    if text[position:].strip():
        raise ValueError(_said(text, position, "something follows the list"))
    return root


def _value(token: re.Match[str], text: str) -> Value:
    if token["text"] is not None:
        return _text(token["text"].lstrip("uU")[1:-1])
    if token["number"] is not None:
        number = token["number"]
        if len(number) > LONGEST_NUMBER:
            raise ValueError(_said(text, token.start(), "the number is too long"))
        return int(number) if re.fullmatch(r"[-+]?\d+", number) else float(number)
    word = token["word"]
    if word not in WORDS:
        raise ValueError(_said(text, token.start(), f"{word[:20]!r} stands without quotes"))
    return WORDS[word]


def _text(quoted: str) -> str:
    if "\\" not in quoted:
        return quoted
    opened = ESCAPE.sub(_character, quoted)
    whole = PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), opened)
    whole.encode()  # half of a character is an error here, before numpy says so less kindly
    return whole


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return PLAIN.get(match[4], match[4])
    number = int(code, 16)
    if number > LAST_CHARACTER:
        raise ValueError(f"\\U{code} is no character")
    return chr(number)


def _said(text: str, position: int, problem: str) -> str:
    column = position + len(text[position:]) - len(text[position:].lstrip()) + 1
    return f"column {column}: {problem}"
