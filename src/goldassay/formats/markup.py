"""Preprocessing of XML: conversion to UTF-8, expansion of entities, checks of all tags and of the depth.

The parsers of RDF/XML and OWL/XML read only UTF-8, expand entities incorrectly (one uses the last declaration
of a name, and those in comments) and without a limit, and accept truncated files. So expat, which comes
with Python, reads the declarations and checks the file; the result has neither entities nor a DTD.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import NamedTuple
from xml.etree import ElementTree as ET
from xml.parsers import expat

import numpy as np

from goldassay.core.errors import InputError
from goldassay.core.limits import DEPTH, NAMESPACES
from goldassay.core.patterns import pattern_of
from goldassay.formats.source import TOO_LONG, Source, check_stretches, decode

DECLARATION = pattern_of(r"""\A(<\?xml\b[^>]*?\sencoding\s*=\s*)(["'])([A-Za-z0-9._-]+)\2""")
HEAD = 400
"""Bytes within which an XML declaration ends."""
# In a document without a DTD that expat has accepted, "<" always begins a tag, except for these three.
VERBATIM_OR_REFERENCE = pattern_of(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|&([^\s#&;<>\"']+);", re.DOTALL
)
OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
PROLOG = pattern_of(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
ENDS_EARLY = frozenset(
    expat.errors.codes[text] for text in (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN)
)
NESTING = 32
SHOWN = 80
EXPANSION_OF_FILE = 16
EXPANSION_AT_LEAST = 2**20


class _Reached(Exception):  # noqa: N818 - no error: it ends a parse that has found what it wanted
    pass


def utf8_xml(source: Source) -> bytes:
    """Check an XML file to its end, and return it as UTF-8 without custom entities and without a DTD."""
    data = _transcode(source)
    parser = expat.ParserCreate()
    dtd = _Dtd(parser, data)
    parser.EndDoctypeDeclHandler = dtd.finish
    parser.EntityDeclHandler, parser.AttlistDeclHandler = dtd.declare, dtd.give
    _run(parser, data)
    if dtd.expanded is not None:
        data = dtd.expanded
        _run(expat.ParserCreate(), data)
    check_stretches(data, b"<", TOO_LONG)
    _check_tags(data)
    return data


def xml_tree(data: bytes) -> ET.Element:
    """Parse XML that `utf8_xml` has checked."""
    with _add_declared_prefixes():
        return ET.fromstring(data)  # noqa: S314


def xml_elements(data: bytes) -> Iterator[ET.Element]:
    """Parse XML that `utf8_xml` has checked, and yield each element as soon as it is closed."""
    with _add_declared_prefixes():
        for _, element in ET.iterparse(BytesIO(data)):  # noqa: S314
            yield element


@contextmanager
def _add_declared_prefixes() -> Iterator[None]:
    try:
        yield
    except ET.ParseError as error:
        # Only namespaces are not checked yet.
        line, column = error.position
        raise InputError(
            "Invalid XML.",
            line=line,
            column=column + 1,
            found=str(error).partition(":")[0],
            expected="prefixes that are declared: xmlns:...",
            hint="correct this line, or export the file again",
        ) from error


@dataclass
class _Dtd:
    """The declarations of a document type, as read by expat: the first of a name counts, comments do not."""

    parser: expat.XMLParserType
    data: bytes
    entities: dict[str, str] = field(default_factory=dict)
    expanded: bytes | None = None

    def finish(self) -> None:
        """Expand the entities before expat does, and keep the line ends of the DTD."""
        prolog, end = PROLOG.match(self.data), self.parser.CurrentByteIndex + 1
        start = prolog.end() if prolog else 0
        room = EXPANSION_AT_LEAST + EXPANSION_OF_FILE * len(self.data)
        expansion = _Expansion(self.entities, room, len(self.data))
        rest = expansion.of(self.data[end:].decode(), line=self.data.count(b"\n", 0, end) + 1)
        self.expanded = self.data[:start] + b"\n" * self.data.count(b"\n", start, end) + rest.encode()

    def declare(self, name: str, is_parameter: int, value: str | None, *_: object) -> None:
        if not is_parameter and value is not None:
            self.entities.setdefault(name, value)

    def give(self, element: str, attribute: str, kind: str, default: str | None, required: int) -> None:
        del kind, required
        if default is not None:
            raise InputError(
                "The DTD of this XML declares default attributes, which are not supported.",
                line=self.parser.CurrentLineNumber,
                found=f"a default for {attribute} of <{element}>",
                expected="all attributes written in the elements",
                hint="expand the attributes, for example: xmllint --noent --dtdattr IN > OUT",
            )


class _Expansion:
    """Expands entities, with a common limit for all of them."""

    def __init__(self, entities: Mapping[str, str], room: int, size: int) -> None:
        self.entities, self.bound, self.size = entities, room, size
        self.room = room
        self.values: dict[str, str] = {}

    def of(self, text: str, *, line: int = 1, depth: int = 0) -> str:
        """Expand the entities of a text that begins on a line."""

        def replaced(match: re.Match[str]) -> str:
            name = match[1]
            if name is None or name in OF_XML:
                return match[0]
            if name not in self.entities:
                raise self._elsewhere(name, line + text.count("\n", 0, match.start()))
            value = self._value(name, depth)
            self.room -= len(value)
            if self.room < 0:
                raise self._bomb()
            return value

        return VERBATIM_OR_REFERENCE.sub(replaced, text)

    def _value(self, name: str, depth: int) -> str:
        if depth > NESTING:
            raise InputError(
                "The entities of this XML file are nested too deeply, or refer to themselves.",
                line=1,
                found=f"&{name};",
                expected=f"at most {NESTING} levels",
                hint="replace the entities by their text",
            )
        if name not in self.values:
            raw = self.entities[name]
            # A quotation mark would end an attribute; markup is not allowed in one, and needs its own quotes.
            text = raw if "<" in raw else raw.replace('"', "&quot;").replace("'", "&apos;")
            self.values[name] = self.of(text, depth=depth + 1)
        return self.values[name]

    def _elsewhere(self, name: str, line: int) -> InputError:
        return InputError(
            "The XML refers to an entity that is external or undefined; external entities are not loaded.",
            line=line,
            found=f"&{name};",
            expected=f'<!ENTITY {name} "..."> in the file itself',
            hint="expand the entities, for example: xmllint --noent IN > OUT",
        )

    def _bomb(self) -> InputError:
        return InputError(
            "The entities of this XML file are too large when expanded.",
            line=1,
            found=f"more than {self.bound:,} characters from a file of {self.size:,} bytes",
            expected=f"at most {self.bound:,}",
            hint="do not trust this file; if it is your own, replace its entities by their text",
        )


class Root(NamedTuple):
    """The outermost element of an XML file."""

    name: str
    attributes: Mapping[str, str]
    line: int


def root_of(source: Source) -> Root:
    """Find the outermost element of an XML file."""
    parser = expat.ParserCreate()
    found: list[Root] = []

    def stop(name: str, attributes: dict[str, str]) -> None:
        found.append(Root(name, attributes, parser.CurrentLineNumber))
        raise _Reached

    parser.StartElementHandler = stop
    try:
        _run(parser, _transcode(source))
    except _Reached:
        return found[0]
    raise AssertionError("expat accepts no document without an element")  # pragma: no cover


def _run(parser: expat.XMLParserType, data: bytes) -> None:
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        ends_early = error.code in ENDS_EARLY
        raise InputError(
            "The XML ends early." if ends_early else "Invalid XML.",
            line=error.lineno,
            column=error.offset + 1,
            found=expat.ErrorString(error.code),
            hint="copy or download it again" if ends_early else "correct this line, or export the file again",
        ) from error
    except InputError:
        raise
    except (LookupError, ValueError) as error:
        # A declaration that only expat recognises has an encoding that only Python knows.
        found = str(error)[:SHOWN]
        raise InputError("The file declares an unknown encoding.", line=1, found=found, hint="declare UTF-8") from error


def _check_tags(data: bytes) -> None:
    """Limit the levels of elements, and the namespaces in force at one place: the parsers look each name up in a list of all of them."""
    deepest, few = _depth_at_once(data), data.count(b"xmlns") <= NAMESPACES.value
    if deepest is None or not few:
        deepest = _depth_by_expat(data)
    DEPTH.check(deepest, "The elements are nested too deeply.")


def _depth_at_once(data: bytes) -> int | None:
    """Return the depth of the elements of a well-formed document; None if its brackets do not strictly alternate.

    Where they do, each ``<`` begins one tag, comment or section, and the next ``>`` ends it: ``<`` is in no attribute
    of a well-formed document, and a ``>`` in one, or in a text, would make two in a row.
    """
    characters = np.frombuffer(data, dtype=np.uint8)
    opens, closes = (np.flatnonzero(characters == ord(mark)) for mark in "<>")
    if len(opens) != len(closes) or not (opens < closes).all() or not (closes[:-1] < opens[1:]).all():
        return None
    first, last = characters[opens + 1], characters[closes - 1]
    steps = np.ones(len(opens), dtype=np.int64)
    steps[(first == ord("!")) | (first == ord("?")) | (last == ord("/"))] = 0
    steps[first == ord("/")] = -1
    # An empty element counts for the maximum, but does not change the depth.
    return int((np.cumsum(steps) + (last == ord("/"))).max(initial=0))


def _depth_by_expat(data: bytes) -> int:
    """Return the depth of the elements, visited one by one with their namespaces."""
    in_force, deepest = [0], 0

    def start(_: str, attributes: Mapping[str, str]) -> None:
        nonlocal deepest
        deepest = max(deepest, len(in_force))
        in_force.append(in_force[-1] + sum(name.startswith("xmlns") for name in attributes))
        NAMESPACES.check(in_force[-1], "The XML declares too many namespaces.", line=parser.CurrentLineNumber)

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: in_force.pop()
    _run(parser, data)
    return deepest


def _transcode(source: Source) -> bytes:
    """Encode the document in UTF-8, and correct its declaration."""
    text = decode(source, _encoding(source))
    declared = DECLARATION.match(text[:HEAD].removeprefix("\ufeff").lstrip())
    if text.startswith("\ufeff") or (declared and declared[3].lower() != "utf-8"):
        text = text.removeprefix("\ufeff")
        return (DECLARATION.sub(r"\1\2UTF-8\2", text[:HEAD]) + text[HEAD:]).encode()
    return source.data if source.data[:1] == b"<" else text.encode()


def _encoding(source: Source) -> str:
    head = source.data[:HEAD]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if head.startswith((b"<\0", b"\0<")):
        return "utf-16-le" if head.startswith(b"<\0") else "utf-16-be"
    declared = DECLARATION.match(head.removeprefix(codecs.BOM_UTF8).lstrip().decode("latin-1"))
    if declared is None or head.startswith(codecs.BOM_UTF8):
        return "utf-8"
    return "utf-8" if declared[3].lower() in {"utf-8", "utf8"} else declared[3]
