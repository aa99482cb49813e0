"""Lines to answers: JSON Lines, lists of triples (EDC, PiVe, GenWiki), and linearised triples (REBEL)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from goldassay.formats import Source
from goldassay.formats.literals import parse_literal
from goldassay.formats.records import json_lines, json_records, not_utf8
from goldassay.formats.source import marked_off
from goldassay.triples.answers import Answer, Batch, Statement
from goldassay.triples.records import EXPECTED, Records
from goldassay.triples.statements import Reader

MARKS = re.compile(r"<(s|/s|pad|unk|triplet|subj|obj)>")
LINEARISED = "<triplet> subject <subj> object <obj> predicate"
NOISE = frozenset({"s", "/s", "pad", "unk"})


def read_lists(source: Source, reader: Reader) -> Iterator[Answer]:
    """Read lines of which each is the list of a document's triples; the document is called by its line."""
    for line, text in _lines(source, reader):
        if text is None:
            yield Answer(str(line), [[]], line=line, readable=False)
            continue
        try:
            found = parse_literal(text)
            # A lone surrogate cannot be stored: it is an error of this line.
            if "\\" in text:
                json.dumps(found, ensure_ascii=False).encode()
        except ValueError as error:
            yield reader.unreadable(
                str(line),
                "The line is not a list of triples.",
                line=line,
                found=f"{text.strip()[:30]!r} ({error})",
                expected="[['subject', 'predicate', 'object'], ...]",
            )
            continue
        yield reader.answer(str(line), [found], line=line, rows=line - 1)


def read_linearised(source: Source, reader: Reader) -> Iterator[Answer]:
    """Read lines such as ``<triplet> Rome <subj> Italy <obj> country``; the document is called by its line."""
    for line, text in _lines(source, reader):
        before = len(reader.faults)
        statements = [] if text is None else list(_linearised(text, line, reader))
        readable, rows = text is not None and len(reader.faults) == before, [line - 1] * len(statements)
        yield Answer(str(line), [statements], line=line, readable=readable, rows=rows)


def _lines(source: Source, reader: Reader) -> Iterator[tuple[int, str | None]]:
    """List the lines of a file with their numbers; None for one that is not UTF-8, which keeps its number."""
    # Unlike str.splitlines, this splits at \n, \r\n and \r only.
    for line, data in enumerate(marked_off(source).splitlines(), start=1):
        try:
            yield line, data.decode()
        except UnicodeDecodeError as error:
            reader.bad.add(not_utf8(data, error, source.path, line))
            yield line, None


def _linearised(text: str, line: int, reader: Reader) -> Iterator[Statement]:
    """Read one line: each ``<triplet>`` gives a head, and each ``<subj>`` with its ``<obj>`` a tail and a relation."""
    parts = MARKS.split(text)
    if parts[0].strip():
        reader.fault("A line of triples begins with <triplet>.", line=line, found=parts[0].strip(), expected=LINEARISED)
    marks = [(mark, words.strip()) for mark, words in zip(parts[1::2], parts[2::2], strict=True) if mark not in NOISE]
    head: str | None = None
    for place, (mark, name) in enumerate(marks):
        following, relation = marks[place + 1] if place + 1 < len(marks) else ("", "")
        before = marks[place - 1][0] if place else ""
        if mark == "triplet":
            head = name
        elif mark == "subj" or before != "subj":
            # A relation without a tail before it is half a triple too.
            statement = (
                Statement(head, relation if following == "obj" else None, name)
                if mark == "subj"
                else Statement(head, name, None)
            )
            if not statement.whole:
                reader.fault(
                    "Half a triple: <subj> and <obj> go together.", line=line, found=text.strip(), expected=LINEARISED
                )
            yield statement


def read_json_lines(source: Source, reader: Reader) -> Iterator[Answer | Batch]:
    """Read lines of which each is a JSON object with the triples of a document, or a list of them."""
    lists = marked_off(source).lstrip().startswith(b"[")
    blocks = (json_lines if lists else json_records)(source, expected=EXPECTED)
    return Records(reader).documents(blocks)
