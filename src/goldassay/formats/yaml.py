r"""The part of YAML that data is written in: maps, lists, texts, numbers and anchors; no tags."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, takewhile
from textwrap import dedent
from typing import Any, NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.formats.documents import DECODER

KEY = pattern_of(
    r"""("[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*'|[^\s\[\]{},"'#&*!|>%@`][^:#]{0,200}?)\s{0,9}:(?:\s+|$)"""
)
FLOW = pattern_of(
    r"""(?:\s|(?<!\S)#[^\n]*(?:\n|\Z))*("[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^']*(?:''[^']*)*'|[\[\]{},]|:(?=\s)"""
    r"""|[^\s\[\]{},:#"'](?:[^\[\]{},:#]|:(?!\s)|(?<!\s)#)*|\Z)"""
)
BLOCK = pattern_of(r"[|>][-+1-9]{0,2}")
FOLDED = pattern_of(r"(?<![ \t])[ \t]*+\n\s*+")
ESCAPE = pattern_of(r"\\(?:x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8})|\n\s*|.)")
ESCAPES = {"\\ ": "\\u0020", "\\_": "\\u00a0", "\\N": "\\u0085", "\\L": "\\u2028", "\\P": "\\u2029", "\\0": "\\u0000"}
"""Escapes that JSON does not have; it has the others that programs write."""
INTEGER, NUMBER = pattern_of(r"[-+]?\d{1,18}"), pattern_of(r"[-+]?\d{1,18}\.\d{1,18}")
WORDS = {"null": None, "~": None, "": None, "true": True, "false": False}
ANCHOR = pattern_of(r"&(\S{1,200})(?:\s+|$)")
UNKNOWN = ("&", "*", "!", "@", "`", "%", "|", ">")
"""What begins a scalar that is more than a text: tags and directives."""


LONGEST_REPEATED = 100
"""Members of the longest list or map that an anchor stands for."""


class _Line(NamedTuple):
    indent: int
    text: str
    number: int


class _Lines(list[_Line]):
    """The lines of data, all lines that they are among, and what anchors stand for."""

    def __init__(self, written: list[str]) -> None:
        super().__init__(_lines_of(written))
        self.written = written
        self.anchors: dict[str, Any] = {}


def parse_yaml(text: str) -> Any:
    """Parse data in YAML."""
    lines = _Lines(text.split("\n"))
    if not lines:
        raise ValueError("no data")
    value, end = _block(lines, 0, -1)
    if end < len(lines):
        raise ValueError(f"not below anything: {lines[end].text!r}")
    return value


def _lines_of(written: list[str]) -> Iterator[_Line]:
    for number, raw in enumerate(written):
        line = raw.rstrip()
        body = line.lstrip(" ")
        if not body or body.startswith("#") or line in ("---", "..."):
            continue
        if body.startswith("\t"):
            raise ValueError("a tab before data")
        yield _Line(len(line) - len(body), body, number)


def _block(lines: _Lines, at: int, above: int) -> tuple[Any, int]:
    """Parse what begins on a line, below one with an indent, and return where it ends."""
    indent, text, _ = lines[at]
    if text == "-" or text.startswith("- "):
        return _list(lines, at, indent)
    if KEY.match(text):
        return _map(lines, at, indent)
    return _scalar(lines, at + 1, text, above)


def _list(lines: _Lines, at: int, indent: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    while at < len(lines) and lines[at].indent == indent and lines[at].text[:2] in ("-", "- "):
        name, rest = _anchor(lines[at].text[1:].lstrip())
        if rest:
            lines[at] = lines[at]._replace(indent=indent + len(lines[at].text) - len(rest), text=rest)
            value, at = _block(lines, at, indent)
        else:
            value, at = _below(lines, at + 1, indent)
        lines.anchors[name] = value
        found.append(value)
    return found, at


def _map(lines: _Lines, at: int, indent: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while at < len(lines) and lines[at].indent == indent and (key := KEY.match(lines[at].text)):
        name, (anchor, rest) = key[1], _anchor(_without_comment(lines[at].text[key.end() :]))
        if rest:
            value, at = _scalar(lines, at + 1, rest, indent)
        elif at + 1 < len(lines) and lines[at + 1].indent == indent and lines[at + 1].text[:2] in ("-", "- "):
            value, at = _list(lines, at + 1, indent)
        else:
            value, at = _below(lines, at + 1, indent)
        called = str(_value(name)) if name[0] in "\"'" else name
        if called in found:
            raise ValueError(f"twice: {called!r}")
        found[called] = lines.anchors[anchor] = value
    return found, at


def _anchor(text: str) -> tuple[str, str]:
    """Split off the name that other places have for a value."""
    found = ANCHOR.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)


def _repeated(value: Any) -> Any:
    """Return what an anchor stands for: lists of lists would grow without bound."""
    some = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [value]
    if len(some) > LONGEST_REPEATED or any(isinstance(one, dict | list) for one in some):
        raise ValueError("an anchor of more than a few texts")
    return value


def _below(lines: _Lines, at: int, indent: int) -> tuple[Any, int]:
    return _block(lines, at, indent) if at < len(lines) and lines[at].indent > indent else (None, at)


def _scalar(lines: _Lines, at: int, text: str, indent: int) -> tuple[Any, int]:
    """Parse a text, which goes on on the lines below it that are deeper."""
    begin, first = at, lines[at - 1].number + 1
    while at < len(lines) and lines[at].indent > indent:
        at += 1
    more = [line.text for line in lines[begin:at]]
    if text[0] == "*" and text[1:] in lines.anchors and not more:
        return _repeated(lines.anchors[text[1:]]), at
    if text[0] in "\"'[{" or BLOCK.fullmatch(text):
        # What looks like a comment may be within the text.
        below = takewhile(lambda line: not line[: indent + 1].strip(" "), islice(lines.written, first, None))
        whole = "\n".join(below).rstrip()
        if text[0] in "|>":
            return dedent(whole) if text[0] == "|" else _folded(whole.strip()), at
        return _value(f"{text}\n{whole}".rstrip()), at
    if any(KEY.match(line) or line.startswith("- ") for line in more):
        raise ValueError(f"below a text: {more[0]!r}")
    return _value(" ".join([text, *more])), at


def _without_comment(text: str) -> str:
    return text if text[:1] in ("'", '"', "[", "{") else text.partition(" #")[0].rstrip() if text[:1] != "#" else ""


def _value(text: str) -> Any:
    """Parse a text, a number or a word, or brackets."""
    if text[0] == '"':
        return DECODER.decode(_folded(ESCAPE.sub(_escape_of_json, text)).replace("\n", "\\n"))
    if text[0] == "'":
        if len(text) == 1 or text[-1] != "'":
            raise ValueError(f"an open quote: {text!r}")
        return _folded(text[1:-1].replace("''", "'"))
    if text[0] in "[{":
        return _flow(text)
    if text.startswith(UNKNOWN) or ": " in text:
        raise ValueError(f"more than data: {text!r}")
    text = _folded(_without_comment(text))
    if (word := text.lower()) in WORDS:
        return WORDS[word]
    return int(text) if INTEGER.fullmatch(text) else float(text) if NUMBER.fullmatch(text) else text


def _folded(text: str) -> str:
    """Write a text on one line; an empty line is the end of one."""
    return FOLDED.sub(lambda found: "\n" * (found[0].count("\n") - 1) or " ", text)


def _escape_of_json(escape: re.Match[str]) -> str:
    if escape[1]:
        return f"\\u00{escape[1]}"
    if escape[2]:
        return json.dumps(chr(int(escape[2], 16)))[1:-1]
    return "" if escape[0][1] == "\n" else ESCAPES.get(escape[0], escape[0])


def _flow(text: str) -> Any:
    """Parse brackets, which may hold texts without quotes."""
    with suppress(ValueError):
        return DECODER.decode(text)
    parts, place = [], 0
    while place < len(text) and (part := FLOW.match(text, place)):
        parts += [part[1].strip()] if part[1] else []
        place = part.end()
    written = "".join(part if part in "[]{},:" else json.dumps(_value(part)) for part in parts)
    if text[place:].strip():
        raise ValueError(f"not between brackets: {text!r}")
    return DECODER.decode(written)
