"""Files of builders and benchmarks to triples of documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import PurePath
from types import MappingProxyType

from goldassay.core.errors import EmptyInputError, InputError, RecordError, names_file
from goldassay.core.patterns import pattern_of
from goldassay.core.text import LISTED, count_of
from goldassay.formats import Source, load
from goldassay.formats.answers.batch import FENCED, is_marked
from goldassay.formats.answers.cells import as_batch
from goldassay.formats.answers.json import OF_DOCUMENTS, read_stated
from goldassay.formats.answers.means import HALF, OF_TRIPLES
from goldassay.formats.answers.read import holds_statements, is_answer, read_answer
from goldassay.formats.builders import are_extractions, are_tuples, linearised_in
from goldassay.formats.delimited import names_columns
from goldassay.formats.documents import is_json, is_json_file, json_in, parse_json
from goldassay.formats.graph_files import as_known
from goldassay.formats.json_tables import is_json_table
from goldassay.formats.known import ANSWER, SUFFIXES, formats_of
from goldassay.formats.markup import root_of
from goldassay.formats.memory import Columns
from goldassay.formats.recognise import (
    BINARY,
    DECLARED,
    FORMAL_TEXT,
    HEAD,
    NO_JSON,
    begins_like_answer,
    hint_for,
    is_json_in_words,
    refuse_error,
)
from goldassay.formats.records import BadRecords, pause_collector
from goldassay.formats.source import PARQUET, strip_byte_order_mark, utf8_of
from goldassay.formats.tasks import accepted
from goldassay.triples.formats.annotators import as_documents
from goldassay.triples.formats.extractions import read_openie, read_tuples
from goldassay.triples.formats.lines import read_linearised, read_lists, read_quads
from goldassay.triples.formats.markup import read_graphml, read_webnlg
from goldassay.triples.formats.raw import RawDocuments
from goldassay.triples.formats.records import WITHOUT_TRIPLES, name_columns, read_json
from goldassay.triples.formats.rows import add_texts
from goldassay.triples.formats.slots import lists_triples
from goldassay.triples.formats.tables import read_table
from goldassay.triples.model import TripleSet
from goldassay.triples.reading import AS_USUAL, READABLE, TriplesReading

OF_BRAT = pattern_of(r"(?:T\d{1,9}\t\S{1,99} \d{1,9} \d{1,9}|R\d{1,9}\t\S{1,99} Arg1:)[^\n]{0,60}")
"""How a file of BRAT begins."""
READERS: Mapping[str, Callable[[Source, RawDocuments], None]] = MappingProxyType(
    {
        "webnlg": read_webnlg,
        "json": read_json,
        "json-lines": read_json,
        "json-table": read_json,
        "n-quads": read_quads,
        "trig": read_quads,
        "rdf-xml": read_quads,
        "lists": read_lists,
        "rebel": read_linearised,
        "graphml": read_graphml,
        "gexf": read_graphml,
        "tuples": read_tuples,
        "openie": read_openie,
    }
)
QUADS = ("n-quads", "trig")
BY_NAME = frozenset({*formats_of("documents", "rows"), *QUADS}) - {"json-lines"}
"""Formats that the name of a file says; what JSON holds is looked at."""
TRIPLE_PER_LINE = pattern_of(r"(?:\s*\[\s*([\"'])(?!\s*[(<\[])[^\[\]\n|]*\1\s*\],?\s*$){2}", re.MULTILINE)
LIST_OF_LISTS = pattern_of(r"\[\s*[\[(\]]")
QUAD = pattern_of(r"(?:<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*>|_:\S+)\s+<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*>\s")
ANGLED = pattern_of(r"(?:\d+[.)]\s+)?<[^<>/:\n]+[,|;][^<>\n]+[,|;][^<>\n]+>")
"""A tuple in angle brackets, which is no XML."""
TURTLE = pattern_of(r"(?:#[^\n]*\n\s*)*(?:@prefix|@base|PREFIX\s)", re.IGNORECASE)
BEGINNING = 2**16
ARRAY, OBJECT = "[", "{"
OF_LINES = (".jsonl", ".ndjson")
RULED = pattern_of(rb"\s*-{3,}[ \t\r]*\n([^\n]*)\n-{3,}\s*")
"""One line between two rules."""
BEGINS_RECORD = pattern_of(rb"^[ \t]*[\[{]", re.MULTILINE)
MAY_STATE = pattern_of(
    rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*(?:"|\[\s*")|\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{(?!\s*"(?:%b)"\s*:)'
    rb'\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:\[\s*)?[^\s\[{])' % "|".join(sorted(OF_DOCUMENTS)).encode()
)
"""JSON that may be statements: texts, lists that begin with a text, or names with objects; records and documents by id are none."""
LOOKED_AT = 100
UNREAD_SHOWN = 200


@names_file
def read_triples_of_documents(path: str | PathLike[str], reading: TriplesReading = AS_USUAL) -> TripleSet:
    r"""Read documents and their triples.

    Nothing is dropped in silence: ``left_out`` counts what was not taken, by reason, ``notes`` lists it.

    Args:
        path: The file, gzipped or not.
        reading: How to understand it.

    Returns:
        The documents, in the order of the file.

    Raises:
        InputError: If the file cannot be read, holds no document, or one id twice.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "answers.jsonl")
        >>> _ = file.write_text('{"id": "d1", "triples": [["Oslo", "capital of", "Norway"]]}\n')
        >>> read_triples_of_documents(file).item(0)
        'd1: Oslo | capital of | Norway'
    """
    with pause_collector():
        found = accepted(as_batch(load(path), reading, OF_TRIPLES))
        source = as_documents(as_known(found.source)) if reading.input_format is None else found.source
        triples = _read_source(source, reading.input_format or format_of(source), path, reading)
        return replace(triples, **found.left_out(triples))


def _read_source(source: Source, name: str, path: str | PathLike[str], reading: TriplesReading) -> TripleSet:
    """Read a file whose format is known."""
    if name == ANSWER:
        return _read_answer(source, path, reading)
    raw = RawDocuments(source.path, BadRecords(on_error=reading.on_error), name, reading)
    READERS.get(name, read_table)(source, raw)
    triples = TripleSet(**raw.columns(reading.normaliser))
    if not len(triples.ids) and raw.faults:
        raise raw.faults[0]
    if raw.unnamed and triples.facts.get("half_triples", 0) == len(triples.rows):
        # Every triple is one of ids: not a bad record, but a file of another kind.
        raise raw.unnamed
    if len(raw.faults) == len(triples.ids) > 0 and all(fault.message == WITHOUT_TRIPLES for fault in raw.faults):
        # A wrong key in all records is no bad record, but another kind of file.
        raise raw.faults[0]
    if not len(triples.ids):
        raise EmptyInputError("The file contains no document.", expected="at least one")
    return replace(
        triples,
        path=fspath(path),
        format=name,
        left_out={**triples.left_out, **raw.left_out},
        numbered=raw.numbered,
        faults=tuple(raw.faults),
        notes=tuple(_notes(triples, raw)),
        warnings=(*raw.warnings, *_warn_of_nothing_read(triples, raw)),
        choices=reading.choices,
    )


def _read_answer(source: Source, path: str | PathLike[str], reading: TriplesReading) -> TripleSet:
    """Convert model output to triples: what is in it is read as a file of its own."""
    answer = read_answer(source, meaning=OF_TRIPLES)
    triples = _read_source(answer.source, answer.format or format_of(answer.source), path, reading)
    return replace(triples, format=ANSWER, **answer.provenance(fspath(path), triples))


def triples_of_columns(columns: Columns, reading: TriplesReading = AS_USUAL) -> TripleSet | None:
    """Make documents of a list of tuples; without ids all triples are of one document. None if it has numbers, which are values or ids."""
    if columns.numeric:
        return None
    raw = RawDocuments(columns.path, reading=reading)
    add_texts(raw, columns.cells, columns.rows.tolist(), None)
    return replace(TripleSet(**raw.columns(reading.normaliser)), path=columns.name, choices=reading.choices)


def format_of(source: Source) -> str:
    """Recognise the format of a file: by its first bytes and words, then by its name."""
    if source.data.startswith(PARQUET):
        return "parquet"
    for magic, (what, hint) in BINARY.items():
        if source.data.startswith(magic):
            raise InputError(f"The file is {what}.", expected="triples of documents", hint=hint)
    refuse_error(source)
    data = strip_byte_order_mark(source)
    beginning = _beginning(data, PurePath(source.name).suffix)
    if brat := OF_BRAT.match(beginning):
        raise InputError(
            "The file is annotations of BRAT.",
            line=1,
            found=repr(brat[0]),
            expected="triples with the names of their ends",
            hint="write each relation as a row of subject, predicate and object; concepts reads the entities",
        )
    found = _recognise_beginning(source, beginning, data)
    if found is None:
        utf8_of(source)  # a file in another encoding is refused as one
        raise InputError(
            "The format of this file is not recognised.",
            line=1,
            found=repr(beginning[:60]),
            expected=", ".join(READABLE),
            hint=hint_for(beginning, READABLE, OF_TRIPLES),
        )
    return found


def _recognise_beginning(source: Source, beginning: str, data: bytes) -> str | None:
    ruled = RULED.fullmatch(data) if beginning.startswith("---") else None
    if is_marked(beginning) or FENCED.search(beginning, 0, HEAD) or (ruled and is_json(ruled[1])):
        return ANSWER
    if of_text := _recognise_text(beginning[:BEGINNING]):
        return of_text
    if (formal := FORMAL_TEXT.match(beginning)) and formal.lastgroup != "turtle":
        return None
    may_be = ANGLED.match(beginning) or begins_like_answer(source, beginning, OF_TRIPLES)
    if may_be or _is_in_words(source, beginning):
        return ANSWER
    if is_json_table(source, name_columns):
        return "json-table"
    by_name = SUFFIXES.get(PurePath(source.name).suffix)
    return by_name if by_name in BY_NAME else _recognise_words(source, beginning, data)


def _is_in_words(source: Source, beginning: str) -> bool:
    """Return whether a file is JSON with words behind it; lists of lists are read line by line."""
    begins = beginning.startswith((ARRAY, OBJECT)) and not (NO_JSON.match(beginning) or LIST_OF_LISTS.match(beginning))
    if not begins or source.name.endswith(OF_LINES) or _are_documents(beginning.splitlines()[:2]):
        return False
    return is_json_in_words(source, partial(holds_statements, meaning=OF_TRIPLES))


def _are_documents(lines: Sequence[str]) -> bool:
    """Return whether the first lines are records with lists of triples: a line that is none is a bad one of them."""
    return len(lines) > 1 and all(_is_object(line) and lists_triples(parse_json(line)) for line in lines)


def _recognise_words(source: Source, beginning: str, data: bytes) -> str | None:
    """Recognise RDF, XML and JSON by how they begin; other texts are lists of triples, or model output."""
    if QUAD.match(beginning):
        return "n-quads"
    if beginning.startswith("<"):
        return _recognise_xml(source, beginning)
    if TURTLE.match(beginning):
        return "trig"
    is_text = PurePath(source.name).suffix == ".txt" and not beginning.startswith((ARRAY, OBJECT))
    no_json = is_text or NO_JSON.match(beginning) or TRIPLE_PER_LINE.match(beginning)
    known = None if no_json else _recognise_json(source, beginning, data)
    if is_text and are_lists(beginning):
        return "lists"
    # A text without a list on any line is no lists of triples.
    may_be_lists = is_text and BEGINS_RECORD.search(data)
    least = HALF if may_be_lists or not is_text else 0.0
    if (
        _is_stated(source, data)
        if known == "json"
        else known is None and is_answer(source.start(BEGINNING), OF_TRIPLES, least=least, source=source)
    ):
        return ANSWER
    return "lists" if may_be_lists else "tsv" if known is None and "\t" in beginning.partition("\n")[0] else known


def are_lists(beginning: str) -> bool:
    """Return whether most lines are lists of lists; a damaged first line says nothing of the others."""
    lines = [line for line in beginning.splitlines() if line.strip()]
    return 2 * sum(bool(LIST_OF_LISTS.match(line)) for line in lines) > len(lines)


def _recognise_text(beginning: str) -> str | None:
    """Recognise triples in a text; a damaged first line says nothing of the others."""
    if names_columns(beginning.partition("\n")[0], name_columns):
        return "csv"
    if linearised_in(beginning):
        return "rebel"
    if beginning.startswith((ARRAY, OBJECT, "<")):
        return None
    return "tuples" if are_tuples(beginning) else "openie" if are_extractions(beginning) else None


def _beginning(data: bytes, suffix: str) -> str:
    """Decode what decides the format; an object may be on one line of any length, which counts only as a whole if it may be one of lines."""
    start = len(data) - len(data.lstrip())
    line = data.find(b"\n", start)
    whole = len(data) if line < 0 else line
    is_line = data.startswith(b"{", start) and (suffix != ".json" or line >= 0 or b"\r" in data)
    end = max(start + BEGINNING, whole if is_line else 0)
    return data[start:end].decode(errors="replace")


def _recognise_xml(source: Source, beginning: str) -> str:
    root, _, line = root_of(source)
    known = {"benchmark": "webnlg", "graphml": "graphml", "gexf": "gexf", "rdf": "rdf-xml"}
    name = root.rpartition(":")[2].lower()
    if name not in known and not DECLARED.search(source.data, 0, BEGINNING) and is_answer(beginning, OF_TRIPLES):
        return ANSWER
    if name not in known:
        raise InputError(
            "This XML contains no triples of documents.",
            line=line,
            found=f"the outermost element <{root}>",
            expected="<benchmark> (WebNLG), <rdf:RDF>, <graphml> or <gexf>",
            hint=hint_for(beginning, READABLE, OF_TRIPLES),
        )
    return known[name]


def _recognise_json(source: Source, beginning: str, data: bytes) -> str | None:
    of_lines = source.name.endswith(OF_LINES)
    if beginning.startswith(OBJECT) and not of_lines and not any(end in beginning.rstrip() for end in "\n\r"):
        return "json"
    first, *others = beginning.splitlines() or [""]
    if _is_object(first):
        return "json-lines"
    if any(map(_is_object, others[: LOOKED_AT - 1])) and not is_json_file(source):
        return "json-lines"
    if beginning.startswith(ARRAY):
        # A file of one line may be either; an array of objects is JSON, a list of lists is the triples of a document.
        may_be_lists = LIST_OF_LISTS.match(first) and len(first.strip()) > 1
        return "lists" if may_be_lists and (not others or is_json(first) or not is_json_file(source)) else "json"
    if of_lines and BEGINS_RECORD.search(data):
        return "json-lines"
    return "json" if beginning.startswith(OBJECT) else None


def _is_stated(source: Source, data: bytes) -> bool:
    """Return whether JSON has names with relations and objects, and no list of triples: a second look only where the first value allows it."""
    return bool(MAY_STATE.match(data)) and bool(read_stated(json_in(source), OF_TRIPLES))


def _is_object(line: str) -> bool:
    return line.strip().startswith(OBJECT) and is_json(line)


def _notes(triples: TripleSet, raw: RawDocuments) -> Iterator[str]:
    if raw.faults:
        yield note_incomplete(triples, "document")
        yield from map(_describe, raw.faults[:LISTED])
        if len(raw.faults) > LISTED:
            yield f"and {len(raw.faults) - LISTED:,} more"

    if raw.unread:
        keys = ", ".join(f"{key} ({count_of(count, 'record')})" for key, count in sorted(raw.unread.items()))
        yield f"keys that are not read: {keys}"[:UNREAD_SHOWN]


def _warn_of_nothing_read(triples: TripleSet, raw: RawDocuments) -> Iterator[str]:
    """Warn that a file has triples, but none that can be read: it is not empty."""
    if raw.faults and not len(triples):
        yield f"no triple could be read: {_describe(raw.faults[0])}"


def _describe(error: RecordError) -> str:
    place = f"line {error.line}: " if error.line is not None else ""
    return f"{place}{error.message}" + (f" ({error.found})" if error.found else "")


def note_incomplete(triples: TripleSet, what: str) -> str:
    """Return how many documents were not read in full."""
    count = int(triples.unreadable.sum())
    if not count:
        return f"what could not be read belongs to no {what}, and is skipped"
    return f"{count_of(count, what)} could not be read completely; what is unreadable counts as missing"
