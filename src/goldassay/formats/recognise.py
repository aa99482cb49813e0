"""Detection of formats: by the first bytes, then by the first words, and by name only if these are ambiguous."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import chain, takewhile
from json import JSONDecodeError
from pathlib import PurePath
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.formats.answers import tables as answer_tables
from goldassay.formats.answers.batch import (
    BEGINNING,
    FENCED,
    STREAM,
    is_batch,
    is_marked,
    names_output,
    number_lines,
    without_tags,
)
from goldassay.formats.answers.json import rows_of
from goldassay.formats.answers.means import HALF, OF_EDGES, Meaning
from goldassay.formats.answers.names import is_prose
from goldassay.formats.delimited import has_bars, names_columns
from goldassay.formats.documents import (
    DECODER,
    PYTHON,
    NoJSONError,
    is_cut,
    is_json,
    is_well_formed,
    json_in,
    json_of,
    parse_if_json,
    parse_json,
)
from goldassay.formats.edges import parents_in
from goldassay.formats.json_tables import is_json_table
from goldassay.formats.known import ANSWER, FORMATS, SUFFIXES, TITLES
from goldassay.formats.labels import OWL, RDF
from goldassay.formats.literals import parse_if_literal, parse_literal
from goldassay.formats.markup import root_of
from goldassay.formats.python_values import RepeatedKeyError
from goldassay.formats.roles import SSSOM
from goldassay.formats.rows import TABLES
from goldassay.formats.source import PARQUET, WIDE, Source, strip_byte_order_mark, text_of, utf8_of

BINARY: Mapping[bytes, tuple[str, str]] = {
    b"PK\x03\x04": (
        "a ZIP archive, or a spreadsheet or another office document",
        "save a spreadsheet as CSV; unpack an archive, and name the file inside",
    ),
    b"BZh": ("a bzip2 archive", "unpack it, or pack it with gzip"),
    b"\xfd7zXZ": ("an xz archive", "unpack it, or pack it with gzip"),
    b"\x28\xb5\x2f\xfd": ("a Zstandard archive", "unpack it, or pack it with gzip"),
    b"\x89PNG": ("a PNG image", "name the data file itself"),
    b"\xff\xd8\xff": ("a JPEG image", "name the data file itself"),
    b"GIF8": ("a GIF image", "name the data file itself"),
    b"%PDF": ("a PDF document", "name the data file itself"),
    **dict.fromkeys(
        (b"\x80\x04\x95", b"\x80\x05\x95"),
        ("a pickle of Python, which may run any program", "read it in Python, and give goldassay.evaluate the object"),
    ),
    b"ARROW1": (
        "a file of Arrow or Feather",
        "write it as Parquet, in Python: polars.read_ipc(FILE).write_parquet(OUT)",
    ),
    b"\x93NUMPY": ("an array of NumPy", "read it in Python, and give goldassay.evaluate a table of it"),
    b"SQLite format 3": ("an SQLite database", "export it, for example as Turtle"),
}

XML = pattern_of(r"<(?:\?xml|!DOCTYPE|!--|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?(?:\s|/?>))", re.IGNORECASE)
ANGLED_TERM = pattern_of(r"<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"]*>\s")
ANGLED_PAIR = pattern_of(r"<[^<>\s]*>[ \t]+(?:=|-+>|[\xe2])")
"""How a line of two IRIs begins, with a mark between them that no Turtle has: all arrows begin with one byte."""
LINE_OF_QUAD = pattern_of(
    r"""(?:<[^>]*>|_:\S+)\s+<[^>]*>\s+(?:<[^>]*>|_:\S+|"(?:[^"\\]|\\.)*"\S*)\s+(?:<[^>]*>|_:\S+)\s*\."""
)
CLEAR_WORDS = (
    ("obo", pattern_of(r"(?:format-version|data-version|ontology|default-namespace):|\[(?:Term|Typedef|Instance)\]")),
    ("owl-functional", pattern_of(r"(?:Prefix|Ontology)\s*\(")),
    ("manchester", pattern_of(r"(?:Prefix|Ontology|Namespace):")),
    ("turtle", pattern_of(r"@(?:prefix|base)\b|(?:PREFIX|BASE)\s", re.IGNORECASE)),
)
SHAPES = (
    (pattern_of(r"```"), "remove the lines that begin with ```"),
    (pattern_of(r"(?:strict\s+)?(?:di)?graph\b[^\n{]*\{", re.IGNORECASE), "write its edges as a table, one per row"),
    (pattern_of(r"(?:graph|flowchart)\s+(?:TB|TD|BT|RL|LR)\b"), "write its edges as a table, one per row"),
)
"""Texts that no reader reads, and what to do with them."""
EDGES = pattern_of(r"(?:#[^\n]*+\n)*+[^\s,]++(?<![:.)])[ \t][^\s,]++(?<![:.])(?:[ \t][\d.]++)?[ \t\r]*+(?:\n|\Z)")
"""Two names on a line, perhaps with a weight."""
RECORDS = pattern_of(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{")
"""How an array of objects begins."""
RECORD_OF_JSON = pattern_of(r"(?:\[\s*+)?\{\s*+\"[^\"\n]{0,200}\"\s*+:")
"""How a record begins, which is no text."""
TREE = pattern_of(
    rb'"(?:child(?:ren)?|sub(?:class(?:es)?|types?|categor(?:y|ies)|concepts?|terms?|groups?|topics?)|narrower|hyponyms?)"\s*:\s*\[',
    re.IGNORECASE,
)
"""What the objects of a tree have, and those of a table have not."""
FORMAL = pattern_of(r"<(?:\?xml|!DOCTYPE\s+rdf|rdf:RDF|Ontology)\b", re.IGNORECASE)
"""How RDF and OWL in XML begin."""
FORMAL_TEXT = pattern_of(
    r"(?P<turtle>@(?:prefix|base)\b)|(?P<owl_functional>(?:Prefix|Ontology)\()|(?P<obo>format-version:|\[Term\])"
)
"""How ontologies in texts begin, which families that do not read them refuse."""
DECLARED = pattern_of(rb"<\?xml|xmlns|<!DOCTYPE|<html", re.IGNORECASE)
"""What XML begins with that is a format of its own."""
SSSOM_JSON = pattern_of(rb'"(?:mappings|@graph|subject_id)"')
PLAIN_MAPPINGS = pattern_of(
    rb'"mappings"\s*:\s*(?:\{|\[\s*\{\s*"(?:source|target|entity1|entity2|subject|object|from|to)")'
)
"""Correspondences below the key of SSSOM, without its slots."""
LIST_OF_TRIPLES = pattern_of(rb"\s*\[\s*[\[(]\s*'[^']*'\s*,\s*'[^']*'\s*,")
SOME = 0.2
"""The share of statements in prose."""
HEAD = 2**10
LISTS = pattern_of(r"(?:[^,;:\t\n]{1,80}: [^\n]*(?:\n\s*|\Z))+\Z")
"""Lines of a name and a list behind a colon, which are no table."""
ALIGNMENTS = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
"""The namespace of the Alignment API."""
XMLS = frozenset({"rdf-xml", "owl-xml", "oaei"})
CLEAR_NAMES = frozenset({"json-lines", "markdown", "taxo", "text", "unl"})
"""Formats detected by the name of a file, regardless of its content."""
OF_LABELS = (
    ("gaf", pattern_of(r"!gaf-version:", re.IGNORECASE)),
    ("cafa", pattern_of(r"AUTHOR[ \t]")),
    ("hemkit", pattern_of(r"\d+(?: +\d+)* *(?:[\r\n]|$)")),
)
UNL = pattern_of(r"(?:;[^\n]*+\n\s*+)*+(?:\[[SDP][\]:]|\{(?:unl|org)\b)")
HTML = pattern_of(r"<(?:html|body|p|pre|div|br)\b", re.IGNORECASE)
UNL_MARK = pattern_of(r"\[S(?::[^\[\]\n]*+)?\]|\{unl[}:]")
NO_JSON = pattern_of(
    r"(?:\[\s*+)?[\[{]\s*+(?![\"'\[{\]}\-\d]|(?:true|false|null|none|nan|infinity)\b)|\[[^\[\]\"'\n]*+\][ \t]*+[^\s,\]]",
    re.IGNORECASE,
)
"""A bracket that begins a name or a number of a line, and no value of JSON."""
OBO_STANZA = pattern_of(r"\[(?:Term|Typedef|Instance)\]")
LINKED_DATA = frozenset({"@context", "@graph", "@id", "@type", "@value", "@included", "@version"})
TURTLE_FAMILY = frozenset({"turtle", "trig", "n3", "n-triples", "n-quads"})
GENERAL = tuple(known.name for known in FORMATS if known.holds != "documents")


OF_ERRORS = frozenset({"error", "type", "request_id", "code", "status", "status_code"})
"""Keys of the error of a service."""
LONGEST_ERROR = 4096
READ_BY: Mapping[str, str] = {
    "mappings": "goldassay alignment reads it",
    "labels": "goldassay labels reads it",
    "hierarchy": "goldassay labels reads it: --hierarchy FILE",
    "documents": "goldassay triples reads it",
    "sentences": "goldassay unl reads it",
    "statements": "goldassay taxonomy reads it",
}
"""The command that reads what a file of another family holds."""


def recognise(source: Source, readable: Collection[str] = GENERAL, meaning: Meaning = OF_EDGES) -> str:
    r"""Recognise the format of a file.

    Args:
        source: The file.
        readable: The formats that can be read; they also decide ambiguous cases. By default all but those of triples only.
        meaning: What the statements of model output are.

    Returns:
        One of them.

    Raises:
        InputError: If the file is in none of them; the message says what it seems to be, and what to do.
    """
    name = _describe_content(source, readable, meaning)
    if name == ANSWER:
        source.parsed.clear()  # The text is parsed as that of a model, and two trees take twice the memory.
    if name not in readable:
        raise InputError(
            f"The file is in the format {name}, which is not supported here.",
            found=TITLES[name],
            expected=", ".join(TITLES[known] for known in readable),
            hint=READ_BY.get(next(known.holds for known in FORMATS if known.name == name)),
        )
    return name


def _describe_content(source: Source, readable: Collection[str], meaning: Meaning) -> str:
    if source.data.startswith(PARQUET):
        return "parquet"
    _refuse_binary(source)
    refuse_error(source)
    if source.data[:2] in {b"<\0", b"\0<"}:
        return _recognise_xml(source, readable, meaning)
    stem, dot, ending = source.name.rpartition(".")
    by_name = SUFFIXES.get(dot + ending) if stem else None
    # What is searched for is ASCII in every encoding but UTF-16; the reader checks the encoding.
    wide = source.data.startswith(WIDE)
    start = (
        text_of(source)[:BEGINNING] if wide else source.data[:BEGINNING].decode("latin-1").removeprefix("ï»¿")
    ).lstrip()
    if "unl" in readable and _is_unl(start):
        return "unl"
    if ANSWER in readable and begins_like_answer(source, start, meaning, page="markdown" in readable):
        return ANSWER
    by_name = None if by_name == "text" and RECORD_OF_JSON.match(start) else by_name
    if by_name in CLEAR_NAMES and by_name in readable:
        is_either = by_name in ("text", "markdown") and ANSWER in readable and not answer_tables.BEGINS.search(start)
        return ANSWER if is_either and _is_answer(source, meaning) else by_name
    return (
        _recognise_xml(source, readable, meaning)
        if _is_xml(start, readable)
        else _recognise_text(source, start, by_name, readable, meaning)
    )


def begins_like_answer(source: Source, start: str, meaning: Meaning, *, page: bool = False) -> bool:
    """Return whether a file begins with thoughts, a code fence or a record of what a model wrote; a page of tables may have fences."""
    if is_marked(start):
        return True
    if FENCED.search(start, 0, HEAD):
        return not (page and source.name.lower().endswith((".md", ".markdown")) and answer_tables.BEGINS.search(start))
    if start.startswith('"') and source.data.rstrip().endswith(b'"') and "\\n" in start:
        return True
    # A record may be longer than what is looked at of a file.
    may_be = start.startswith(("{", "[", *STREAM)) and names_output(start[:BEGINNING])
    return may_be and is_batch(text_of(source), meaning)


def _is_unl(start: str) -> bool:
    """Return whether a text begins like a UNL document, or is one that was exported as a web page."""
    is_page = start.startswith("<") and HTML.search(start, 0, HEAD)
    return bool(UNL.match(start) or (is_page and UNL_MARK.search(start)))


def _is_xml(start: str, readable: Collection[str]) -> bool:
    if not XML.match(start) or ANGLED_TERM.match(start):
        return False
    # A format of another family is refused by its name: as model output its lines would be statements.
    return not XMLS.isdisjoint(readable) or (ANSWER in readable and bool(FORMAL.match(start)))


def _recognise_text(
    source: Source, start: str, by_name: str | None, readable: Collection[str], meaning: Meaning
) -> str:
    for name, words in OF_LABELS:
        if name in readable and by_name not in TABLES and words.match(start):
            return name
    is_json = start.startswith(("{", "[")) and not (OBO_STANZA.match(start) or NO_JSON.match(start))
    if is_json and by_name not in {*TURTLE_FAMILY, "csv", "tsv"}:
        from goldassay.formats.answers.read import holds_statements

        holds = partial(holds_statements, meaning=meaning)
        of_triples = meaning is OF_EDGES and LIST_OF_TRIPLES.match(source.data)
        if ANSWER in readable and not of_triples and is_json_in_words(source, holds):
            return ANSWER
        is_table = "json-table" in readable and is_json_table(source, meaning.roles.recognises)
        return "json-table" if is_table else _recognise_json(source, readable, meaning)
    # The metadata above the header may be longer than the beginning that was read.
    header = header_of(start if len(start) < BEGINNING // 2 else text_of(source)) if start.startswith("#") else start
    if "sssom" in readable and SSSOM.recognises(re.split(r"[\t,;]", header.partition("\n")[0])):
        return "sssom"
    begin = _skip_comments(start)
    if (
        ANSWER in readable
        and "turtle" not in readable
        and by_name not in readable
        and (formal := FORMAL_TEXT.match(begin))
    ):
        return str(formal.lastgroup).replace("_", "-")
    return _recognise_words(source, begin, by_name, readable, meaning)


def header_of(text: str) -> str:
    """Find the first line of a table that is not a comment."""
    place = 0
    while text.startswith("#", place):
        place = text.find("\n", place) + 1
        if not place:
            return ""
    return text[place:].partition("\n")[0]


def _refuse_binary(source: Source) -> None:
    if source.data.startswith(tuple(BINARY)):
        what, hint = next(known for magic, known in BINARY.items() if source.data.startswith(magic))
        raise InputError(f"The file is {what}.", expected="text or Parquet", hint=hint)
    is_wide = source.data.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"))
    if b"\0" in source.data[:4096] and not is_wide:
        raise InputError("The file is binary.", found=f"the bytes {source.data[:8].hex(' ')}", expected="text")


def refuse_error(source: Source) -> None:
    """Refuse the error of a service in place of an answer."""
    if len(source.data) > LONGEST_ERROR or b'"error"' not in source.data:
        return
    value = parse_if_json(source.data)
    [record] = value if isinstance(value, list) and len(value) == 1 else [value]
    error = record.get("error") if isinstance(record, dict) and OF_ERRORS.issuperset(record) else None
    if isinstance(error, dict) and isinstance(message := error.get("message"), str):
        raise InputError(
            "The file is an error of a service, and no answer.",
            found=message[:200],
            expected="what a model wrote",
            hint="ask the service again",
        )


def _recognise_xml(source: Source, readable: Collection[str], meaning: Meaning) -> str:
    if ANSWER in readable and not DECLARED.search(source.data, 0, BEGINNING) and _is_answer(source, meaning):
        return ANSWER
    root, attributes, line = root_of(source)
    prefix, _, name = root.rpartition(":")
    namespace = attributes.get(f"xmlns:{prefix}" if prefix else "xmlns", "")
    if name.lower() == "html":
        raise InputError(
            "The file is a web page.",
            line=line,
            expected="an ontology or a table",
            hint="download the file itself, not the page about it (on GitHub: the button Raw)",
        )
    if name == "Alignment" or (name == "RDF" and any(value.startswith(ALIGNMENTS) for value in attributes.values())):
        return "oaei"
    if name == "DescriptorRecordSet":
        return "mesh"
    if name == "Ontology" and namespace == OWL:
        return "owl-xml"
    if RDF in attributes.values():
        return "rdf-xml"
    raise InputError(
        "This XML is neither RDF/XML nor OWL/XML.",
        line=line,
        found=f"the outermost element <{root}>",
        expected="<rdf:RDF> or <Ontology>, with their namespaces",
        hint=hint_for("", readable, meaning),
    )


def _recognise_json(source: Source, readable: Collection[str], meaning: Meaning) -> str:
    source = replace(source, data=utf8_of(source)) if source.data.startswith(WIDE) else source
    every = chain.from_iterable(map(bytes.splitlines, BytesIO(source.data.removeprefix(b"\xef\xbb\xbf"))))
    lines = filter(bytes.strip, every)
    first, more = next(lines, b""), next(lines, None) is not None
    plain = PLAIN_MAPPINGS.search(source.data, 0, BEGINNING)
    has_mappings = "sssom-json" in readable and not plain and SSSOM_JSON.search(source.data, 0, BEGINNING)
    if ANSWER in readable and "node-link" not in readable and not has_mappings and _is_nested(source, meaning):
        return ANSWER
    # If only one format of JSON can be read, its reader gives the best message.
    if {"json-ld", "node-link", "sssom-json"}.isdisjoint(readable) or (more and isinstance(parse_if_json(first), dict)):
        return "json-lines"
    if "json-ld" not in readable:
        start = source.data[:BEGINNING]
        is_set = (
            (b'"mappings"' in start and not plain)
            or b'"@graph"' in start
            or (first.lstrip().startswith(b"[") and b'"subject_id"' in start)
        )
        return "sssom-json" if is_set or not first.lstrip().startswith((b"{", b"[")) else "json-lines"
    is_tree = ANSWER in readable and TREE.search(source.data, 0, BEGINNING)
    if (
        "json-lines" in readable
        and RECORDS.match(source.data)
        and not (b"@" in source.data and b'"@' in source.data)
        and not is_tree
    ):
        return "json-lines"
    if ANSWER in readable and _is_list_of_python(source, meaning):
        return ANSWER
    return _recognise_document(source, readable, meaning, one_line=more is False)


def _recognise_document(source: Source, readable: Collection[str], meaning: Meaning, *, one_line: bool) -> str:
    """Recognise one document of JSON by its keys."""
    document = json_of(source)
    entries = document if isinstance(document, list) else [document]
    keys = {key for entry in entries[:100] if isinstance(entry, dict) for key in entry}
    shapes = {
        "json-ld": keys & LINKED_DATA,
        "obo-graph": isinstance(document, dict) and "graphs" in document,
        "node-link": isinstance(document, dict)
        and "nodes" in document
        and (keys & {"links", "edges"} or parents_in(document["nodes"])),
        "sssom-json": "mappings" in keys,
    }
    found = next((name for name, fits in shapes.items() if fits), None)
    if found:
        return found
    if ANSWER in readable and _states(source, document, meaning):
        return ANSWER
    if "json-lines" in readable and RECORDS.match(source.data) and meaning.roles.recognises(sorted(keys)):
        # Rows of a table, with lists in cells that no tree has.
        return "json-lines"
    raise InputError(
        "The structure of this JSON is not supported.",
        found=f"the keys {', '.join(sorted(keys)[:8])}" if keys else "no object with keys",
        expected="JSON-LD (@context, @id), an OBO graph (graphs) or a node-link graph (nodes, and links or edges)",
        hint=_json_hint(document, readable, one_line=one_line),
    )


def _is_answer(source: Source, meaning: Meaning, *, least: float = HALF) -> bool:
    """Return whether a file begins like model output."""
    from goldassay.formats.answers.read import is_answer

    return is_answer(source.start(BEGINNING), meaning, least=least, source=source)


def is_json_in_words(source: Source, holds: Callable[[Any, set[int]], Any]) -> bool:
    """Return whether a file begins with JSON, and is none itself: words follow it, it is written with comments or as Python does, or the end of a text is missing."""
    written = strip_byte_order_mark(source).strip()
    if source.size > PYTHON or is_well_formed(written) or _are_lines(written):
        return False
    try:
        parse_json(written)
    except (NoJSONError, RepeatedKeyError, UnicodeError, RecursionError):
        return False
    except ValueError as error:
        from goldassay.formats.answers.read import holds_json

        text = without_tags(text_of(source))[0].strip()
        suffix = PurePath(source.name).suffix
        is_text = not suffix or SUFFIXES.get(suffix) in ("text", "markdown")
        may_be_cut = is_text and isinstance(error, JSONDecodeError) and is_cut(written.decode(), error)
        return is_json(text) or _has_records(text) or holds_json(text, holds, may_be_cut=may_be_cut)
    return False


def _are_lines(written: bytes) -> bool:
    """Return whether the first line and the last are JSON: one between them may be broken."""
    first, _, more = written.partition(b"\n")
    return bool(more) and is_json(first) and is_json(more[more.rfind(b"\n") + 1 :])


def _has_records(text: str) -> bool:
    """Return whether a text is lines of objects, in JSON or as Python writes them, and perhaps words below them."""
    rows = [row.rstrip("`);, \t") for row in text.split("\n") if row.strip()]
    whole = sum(1 for _ in takewhile(lambda row: isinstance(parse_if_literal(row), dict), rows))
    return whole > 1 and not any(row.lstrip().startswith(("{", "[")) for row in rows[whole:])


def _is_nested(source: Source, meaning: Meaning) -> bool:
    """Return whether a file is JSON with statements that is no array of records."""
    if not source.data.rstrip().endswith((b"}", b"]")) or _begins_like_table(source.data[:BEGINNING], meaning):
        return False
    document = json_in(source)
    if document is None and source.size <= BEGINNING:
        with suppress(ValueError, RecursionError):
            document = parse_literal(text_of(source))
    if rows_of(document, meaning):
        return not RECORDS.match(source.data)
    return _states(source, document, meaning)


def _states(source: Source, document: Any, meaning: Meaning) -> bool:
    """Return whether JSON has statements, which are kept with its text for reading."""
    from goldassay.formats.answers.parse import parse_value

    found = parse_value(document, set(), meaning)
    if found:
        text = text_of(source)
        lines = [number for number, _ in number_lines(text)]
        source.stated.append((meaning, text, found._replace(taken=set(range(lines[0], lines[-1] + 1)))))
    return found is not None


def _begins_like_table(start: bytes, meaning: Meaning) -> bool:
    """Return whether the first record of an array is a row of a table of the family: the other records decide nothing then."""
    if not RECORDS.match(start):
        return False
    text = start.decode(errors="replace")
    try:
        record, _ = DECODER.raw_decode(text, text.index("{"))
    except (ValueError, RecursionError):
        return False
    return bool(rows_of([record], meaning)) and meaning.roles.recognises(list(record))


def _is_list_of_python(source: Source, meaning: Meaning) -> bool:
    """Return whether a small file is a list or a dictionary as Python writes it, and not JSON."""
    if source.size > BEGINNING or b"'" not in source.data or is_json(source.data):
        return False
    return _is_answer(source, meaning) and not (meaning is OF_EDGES and LIST_OF_TRIPLES.match(source.data))


def _json_hint(document: object, readable: Collection[str], *, one_line: bool) -> str | None:
    """Return how JSON becomes JSON Lines, if it is records."""
    if "json-lines" not in readable:
        return None
    if isinstance(document, dict) and not any(isinstance(value, list | dict) for value in document.values()):
        return "set the format: --input-format json-lines" if one_line else "write the record on one line"
    return None


def _recognise_words(
    source: Source, start: str, by_name: str | None, readable: Collection[str], meaning: Meaning
) -> str:
    for name, words in CLEAR_WORDS:
        if "turtle" in readable and words.match(start) and (by_name not in TABLES or name == "turtle"):
            return _recognise_clear_words(name, by_name)
    if by_name in readable:
        return str(by_name)
    if "turtle" in readable and start.startswith(("<", "_:")) and not ANGLED_PAIR.match(start):
        return "n-quads" if LINE_OF_QUAD.match(start) else "turtle"
    first_line = start.partition("\n")[0]
    # A file that begins with a sentence is no table, and may be prose with a few statements.
    least = SOME if first_line.rstrip().endswith((".", "!", ":")) or is_prose(first_line) else HALF
    is_table = "\t" in first_line or names_columns(first_line, meaning.roles.recognises)
    if ANSWER in readable and not is_table and _is_answer(source, meaning, least=least):
        return ANSWER
    # Texts have commas too: where texts are expected, a table is recognised only by its suffix.
    prose = "text" in readable and "turtle" not in readable
    prose = prose or (is_prose(first_line) and first_line.rstrip().endswith((".", "!", "?", ":")))
    if not prose and (has_bars(first_line) or re.search(r"[\t,;]", first_line)) and not LISTS.match(start):
        return "tsv" if "\t" in first_line else "csv"
    if "text" in readable and not PurePath(source.name).suffix:
        return "text"
    utf8_of(source)  # a file in another encoding is refused as one
    raise InputError(
        "The format of this file is not recognised.",
        line=1,
        found=repr(_as_written(source, first_line)[:60]),
        expected=", ".join(TITLES[known] for known in readable),
        hint=hint_for(start, readable, meaning),
    )


def _as_written(source: Source, text: str) -> str:
    """Decode a piece of the beginning for a message; it was read byte by byte, unless it is UTF-16."""
    return text if source.data.startswith(WIDE) else text.encode("latin-1").decode(errors="replace")


def hint_for(start: str, readable: Collection[str], meaning: Meaning = OF_EDGES) -> str | None:
    """Return how a text of a known shape can be read; None if it has none."""
    found = next((hint for shape, hint in SHAPES if shape.match(start)), None)
    if meaning is OF_EDGES and EDGES.match(start):
        return "if each line is an edge, or a node and its neighbours, let the name end with .edgelist or .adjlist"
    if found or "text" in readable:
        return found or "if this is plain text, let its name end with .txt"
    return f"if a model wrote this, let it write {meaning.expected}" if ANSWER in readable else None


def _recognise_clear_words(name: str, by_name: str | None) -> str:
    if name == "manchester":
        raise InputError(
            "The file is in OWL's Manchester syntax, which goldassay does not read.",
            hint="save it as Turtle or RDF/XML, for example: robot convert --input IN.omn --output OUT.ttl",
        )
    return by_name if name == "turtle" and by_name in {"trig", "n3"} else name


def _skip_comments(start: str) -> str:
    while start.startswith(("#", "!")):
        start = start.partition("\n")[2].lstrip()
    return start
