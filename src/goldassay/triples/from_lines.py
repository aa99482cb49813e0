"""Lines to answers: JSON Lines, lists of triples (EDC, PiVe, GenWiki), and linearised triples (REBEL)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from goldassay.core.model import NO_ROW
from goldassay.formats import Source
from goldassay.formats.documents import parse_json
from goldassay.formats.literals import parse_literal
from goldassay.formats.quoted import Vocabulary, in_parts
from goldassay.formats.rows import decoded, lines_of, marked_off
from goldassay.triples.answers import Answer, Batch, Statement
from goldassay.triples.batches import records_at_once
from goldassay.triples.regular import regular_records
from goldassay.triples.statements import Reader, role_of, type_of

MARKS = re.compile(r"<(s|/s|pad|unk|triplet|subj|obj)>")
AT_ONCE = 2**24
"""About so many bytes are read at once."""
LINEARISED = "<triplet> subject <subj> object <obj> predicate"
NOISE = frozenset({"s", "/s", "pad", "unk"})


def read_lists(source: Source, reader: Reader) -> Iterator[Answer]:
    """Read lines of which each is the list of a document's triples; the document is called by its line."""
    for line, text in lines_of(source, reader.bad):
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
    for line, text in lines_of(source, reader.bad):
        before = len(reader.faults)
        statements = list(_linearised(text, line, reader))
        readable, rows = len(reader.faults) == before, [line - 1] * len(statements)
        yield Answer(str(line), [statements], line=line, readable=readable, rows=rows)


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
    """Read lines of which each is a JSON object with the triples of a document."""
    number, line, blank, names = 0, 1, 0, Vocabulary()
    for data in in_parts(marked_off(source), AT_ONCE):
        first, batch = line, regular_records(data, names, first=line)
        if batch is None:
            names = Vocabulary()
            some = list(decoded(data, source.path, reader.bad, first=first))
            line += len(data.splitlines())
            # A line that could not be decoded is not among them.
            whole = len(some) == line - first
            batch = records_at_once([text for _, text in some], first=first) if whole else None
        else:
            line += len(batch.ids)
        if batch is not None:
            rows = np.repeat(np.arange(len(batch.ids)) + (first - 1 - blank), batch.sizes)
            yield batch._replace(rows=rows)
            number += len(batch.ids)
            continue
        for place, text in some:
            if text.strip():
                number += 1
                yield _record(text, number, place, reader, row=place - 1 - blank)
            else:
                blank += 1


def _record(text: str, number: int, line: int, reader: Reader, *, row: int) -> Answer:
    try:
        record = parse_json(text)
    except (ValueError, RecursionError) as error:
        return reader.unreadable(
            str(number),
            "The line is not JSON.",
            line=line,
            found=f"{text.strip()[:30]!r} ({error})",
            expected='{"id": "1", "triples": [["subject", "predicate", "object"]]}',
        )
    return answer_of(record, number, line, reader, row=row)


def answer_of(record: Any, number: int, line: int | None, reader: Reader, *, row: int = NO_ROW) -> Answer:
    """Read the record of one document.

    Args:
        record: A list of triples, or an object with them: ``triples``, ``relations``, ``relationships``, or
            ``references`` for several sets; perhaps ``id``, ``text``, and ``nodes`` or ``entities`` with types.
        number: Which record it is; its id where it says none.
        line: Where it stands.
        reader: Receives what cannot be read.
        row: The row of the input that it is, from 0; -1 if it is none.
    """
    reader.record = number
    if isinstance(record, list):
        return reader.answer(str(number), [record], line=line, rows=row)
    if not isinstance(record, Mapping):
        return reader.unreadable(
            str(number), "The record is not an object.", line=line, found=record, expected="an object with triples"
        )
    name = _id(record) or str(number)
    types, names = nodes_of(record)
    text_key = role_of(record, "text")
    text = record[text_key] if text_key is not None and isinstance(record[text_key], str) else _inner_text(record)
    several, one = role_of(record, "references"), role_of(record, "triples")
    if several is not None and isinstance(record[several], list) and record[several]:
        sets = record[several]
    elif one is not None:
        sets = [record[one] if record[one] is not None else []]
    else:
        return reader.unreadable(
            name,
            "The record has no triples.",
            line=line,
            found=f"the keys {', '.join(map(str, record))}",
            expected='"triples": [["subject", "predicate", "object"], ...]',
        )
    return reader.answer(name, sets, line=line, text=text, types=types, names=names, rows=row)


def _id(record: Mapping[str, Any]) -> str | None:
    key = role_of(record, "id")
    found = None if key is None else record[key]
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, str | int) and not isinstance(found, bool) and str(found).strip():
        return str(found).strip()
    source = record.get("source")
    return _id(source) if isinstance(source, Mapping) else None


def _inner_text(record: Mapping[str, Any]) -> str:
    """Find the text of a LangChain graph document, which stands in its source."""
    source = record.get("source")
    key = role_of(source, "text") if isinstance(source, Mapping) else None
    text = source[key] if isinstance(source, Mapping) and key is not None else ""
    return text if isinstance(text, str) else ""


def nodes_of(record: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Read the nodes that a record lists: their types by name, and their names by id."""
    key = role_of(record, "entities")
    listed = None if key is None else record[key]
    if isinstance(listed, Mapping):
        entries = list(listed.items())
    else:
        entries = [(None, one) for one in listed] if isinstance(listed, list) else []
    types: dict[str, str] = {}
    names: dict[str, str] = {}
    for identifier, node in entries:
        if not isinstance(node, Mapping):
            continue
        properties = node.get("properties")
        said = properties if isinstance(properties, Mapping) else {}
        found = node.get("name") or said.get("name") or node.get("title") or node.get("id", identifier)
        if not isinstance(found, str | int):
            continue
        types.update(type_of(str(found), node))
        for alias in (identifier, node.get("id")):
            if isinstance(alias, str | int) and str(alias) != str(found):
                names[str(alias)] = str(found)
    return types, names
