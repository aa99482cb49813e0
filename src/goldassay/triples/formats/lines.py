"""Lines to documents: lists of triples (EDC, PiVe, GenWiki), linearised triples (REBEL), and RDF with named graphs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from goldassay.core.libraries import ox
from goldassay.core.text import count_of
from goldassay.formats import Source, read_triples
from goldassay.formats.edges import OPAQUE
from goldassay.formats.labels import LABELS, XSD, last_part
from goldassay.formats.literals import parse_literal
from goldassay.formats.records import not_utf8_error
from goldassay.formats.roles import TRIPLES
from goldassay.formats.source import check_lines, strip_byte_order_mark
from goldassay.triples.formats.linearised import parse_linearised
from goldassay.triples.formats.raw import RawDocuments
from goldassay.triples.formats.rows import GRAPH
from goldassay.triples.formats.slots import are_documents, read_document, read_unreadable

DEFAULT_GRAPH = "default"
PLAIN = f"{XSD}string"


def read_lists(source: Source, raw: RawDocuments) -> None:
    """Read lines of which each is the list of a document's triples; the document is called by its line. One line may have all documents."""
    is_one_line = len(strip_byte_order_mark(source).strip().splitlines()) == 1
    for line, text in _lines(source, raw):
        if text is None:
            read_unreadable(raw, str(line), line=line)
            continue
        try:
            found = parse_literal(text)
            # A lone surrogate cannot be stored: it is an error of this line.
            if "\\" in text:
                json.dumps(found, ensure_ascii=False).encode()
        except ValueError as error:
            read_unreadable(
                raw,
                str(line),
                "The line is not a list of triples.",
                line=line,
                found=f"{text.strip()[:30]!r} ({error})",
                expected="[['subject', 'predicate', 'object'], ...]",
            )
            continue
        if is_one_line and are_documents(found):
            for number, triples in enumerate(found, start=1):
                read_document(raw, str(number), [triples], line=line)
            continue
        rows = found if isinstance(found, list) else []
        if len(rows) > 1 and isinstance(rows[0], list | tuple) and [*TRIPLES.header_in(rows[0]).values()] == [0, 1, 2]:
            # The first triple says what the parts of the others are.
            found = rows[1:]
        read_document(raw, str(line), [found], line=line, row=line - 1)


def read_linearised(source: Source, raw: RawDocuments) -> None:
    """Read lines such as ``<triplet> Rome <subj> Italy <obj> country``; the document is called by its line."""
    for line, text in _lines(source, raw):
        if text is None:
            read_unreadable(raw, str(line), line=line)
            continue
        before = len(raw.faults)
        one = raw.begin(str(line), line)
        for slots in parse_linearised(text, line, raw):
            raw.add(one, slots, row=line - 1)
        if len(raw.faults) > before:
            raw.mark_unreadable(one)


def _lines(source: Source, raw: RawDocuments) -> Iterator[tuple[int, str | None]]:
    """List the lines of a file with their numbers; None for one that is not UTF-8, which keeps its number."""
    # Unlike str.splitlines, this splits at \n, \r\n and \r only.
    for line, data in enumerate(strip_byte_order_mark(check_lines(source)).splitlines(), start=1):
        try:
            yield line, data.decode()
        except UnicodeDecodeError as error:
            raw.bad.add(not_utf8_error(data, error, line))
            yield line, None


def read_quads(source: Source, raw: RawDocuments) -> None:
    """Read RDF; statements in no graph are the document ``default`` next to those in graphs, else the one that tables without ids are."""
    blank, whole_iris, labelled = 0, raw.reading.text == "iri", list[str]()
    for quad in read_triples(source, raw.format):
        graph = getattr(quad, "graph_name", None)
        name = DEFAULT_GRAPH if graph is None or isinstance(graph, ox.DefaultGraph) else _name(graph, whole_iris)
        document = raw.set_of(name)
        if isinstance(quad.subject, ox.BlankNode) or isinstance(quad.object, ox.BlankNode):
            blank += 1
            continue
        slots = [_name(term, whole_iris) for term in (quad.subject, quad.predicate, quad.object)]
        raw.add(document, slots, datatype=_datatype(quad.object))
        if quad.predicate.value in LABELS and not whole_iris and OPAQUE.fullmatch(slots[0]):
            labelled.append(slots[0])
    if labelled:
        count = count_of(len(labelled), "label")
        raw.warnings += (
            f"ids are compared, not names: {count} of ids such as {labelled[0]!r} count as triples of their own",
        )
    if raw.ids == [DEFAULT_GRAPH]:
        raw.ids[:] = [GRAPH]
    if blank:
        raw.left_out["blank_nodes"] = blank


def _name(term: Any, whole_iris: bool) -> str:
    value: str = getattr(term, "value", None) or str(term)
    if hasattr(term, "datatype") or whole_iris:
        return value
    return unquote(last_part(value))


def _datatype(term: Any) -> str:
    datatype = getattr(term, "datatype", None)
    return "" if datatype is None or datatype.value == PLAIN or term.language else str(datatype.value)
