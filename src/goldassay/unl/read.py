"""Files to UNL documents: plain text and HTML exports, in all known dialects."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from os import PathLike
from typing import Any, TypeAlias

import numpy as np

from goldassay.core.errors import EmptyInputError, InputError, RecordError, name_file, names_file
from goldassay.core.intern import Numbering, places_among
from goldassay.core.parameters import Options, parameter
from goldassay.core.patterns import pattern_of
from goldassay.core.text import count_of
from goldassay.formats import load
from goldassay.formats.answers.batch import is_marked
from goldassay.formats.options import OnError, on_error_option
from goldassay.formats.records import BadRecords
from goldassay.formats.source import decode, text_of
from goldassay.kernels.keys import pack_rows
from goldassay.kernels.ragged import distinct, find_keys
from goldassay.kernels.types import Rows
from goldassay.unl.grammar import Graph, GraphError, Row, parse_graph, parse_node
from goldassay.unl.model import NULL, Document, Graphs, Node, Vocabulary
from goldassay.unl.records import answers_in, document_in, written_in

LINE_BREAK = pattern_of(r"<br\s*/?>(?:\r?\n)?", re.IGNORECASE)
# No character has more digits; Python refuses to read thousands of them.
ENTITY = pattern_of(r"&(?:quot|amp|lt|gt|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
# A mark contains no opening bracket, so that unclosed marks take linear time.
ORDINARY = r"[^\[\]{}]*+\{unl(?::[^{}\n]*+)?\}(?P<body>[^\[\]{}]*+)\{/unl\}[^\[\]{}]*+\[/S\]"
"""The rest of a sentence that has one section, and no bracket or brace in or around it: most have."""
# Atomic: a possessive group with groups or a choice in it is wrong before Python 3.11.5.
SENTENCE = pattern_of(
    rf"(?P<opens>\[S(?::(?P<name>[^\[\]\n]*+))?\])(?>(?:{ORDINARY})?)"
    r"|(?P<closes>\[/S\])|(?P<unl>\{unl(?::[^{}\n]*+)?\})|(?P<end>\{/unl\})"
)
SECTION = pattern_of(r"\{(/?)([a-z]{2,3})(?::([^{}\n]*+))?\}")
FRAME = pattern_of(r"(?>(?:\s++|;[^\n]*+|\[/?[DP](?::[^\[\]\n]*+)?\])*)")
"""A document without sentences: marks of documents and paragraphs, and comments."""
FOUND = 40
AT_ONCE = 2**13
"""Relations and nodes that are objects at the same time, about: more of them keep the collector of garbage busy."""
WHOLE = ""
"""The scope of a relation of the whole sentence."""
Section: TypeAlias = tuple[str, str, int, str]
"""A section of a sentence: its tag, what follows the tag, its place and its body."""
KNOWN_LABELS = frozenset(
    re.findall(
        r"\w+",
        "agt and ant aoj bas ben cag cnt con coo dur equ exp fld fmt frm gol icl iof ins int lpl man mat met mod nam obj "
        "opl or per plc plf plt pof pos ptn pur qua res rsn scn seq src tim tmf tmt to via",
    )
)


@dataclass(frozen=True, kw_only=True)
class DocumentReading(Options):
    """Options for reading a file as a UNL document.

    Attributes:
        encoding: The encoding; None for UTF-8, or UTF-16 with its mark.
        on_error: ``"stop"`` raises the first error; ``"skip"`` keeps the sentence as malformed, counts and lists it.

    Raises:
        UsageError: If a value is not one of the above.

    Example:
        >>> DocumentReading(encoding="latin-1").on_error
        'stop'
    """

    encoding: str | None = parameter(None, help="Encoding of the files, if not UTF-8.", metavar="NAME")
    on_error: OnError = on_error_option()


AS_USUAL = DocumentReading()


@names_file
def read_document(path: str | PathLike[str], reading: DocumentReading = AS_USUAL) -> Document:
    r"""Read a UNL document from a file.

    Args:
        path: The file, gzipped or not; in an HTML export every ``<br />`` ends a line.
        reading: The options of the reader.

    Returns:
        The document, every sentence in the order of the file.

    Raises:
        InputError: If the file cannot be read, or contains no sentence; a `RecordError` with line and column for one
            bad sentence.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "one.unl")
        >>> _ = file.write_text("[S:1]\n{org:en}\nBooks\n{/org}\n{unl}\n[W]\nbook.@pl\n[/W]\n{/unl}\n[/S]\n")
        >>> read_document(file).item(0)
        'S:1 Books'
    """
    source = load(path)
    answers = None if reading.encoding else answers_in(source)
    records = None if reading.encoding or (answers and not answers.texts) else document_in(source)
    if answers or records:
        text = records.text if records else answers.one if answers else ""
    else:
        text = decode(source, reading.encoding) if reading.encoding else text_of(source)
        text = written_in(text) if is_marked(text) else text
    try:
        document = document_of(text, path=source.path, reading=reading)
    except RecordError as error:
        if records and error.line is not None:
            error.line, error.column = records.line(error.line), None
        raise
    if not len(document):
        raise (EmptyInputError if FRAME.fullmatch(text) else InputError)(
            "The file contains no UNL sentence.",
            found=repr(text.strip()[:FOUND]),
            expected="[S:1] {unl} agt(kill, Peter) {/unl} [/S]",
            hint="check that this is a UNL document",
        )
    return document


def document_of(text: str, *, path: str | None = None, reading: DocumentReading = AS_USUAL) -> Document:
    """Parse the text of a UNL document.

    Args:
        text: The text, of plain or HTML kind.
        path: The path of the file in errors.
        reading: The options of the reader.

    Returns:
        The document, which may have no sentence.

    Raises:
        RecordError: For the first bad sentence, with line and column, unless bad sentences are skipped.

    Example:
        >>> document_of("[S:1] agt(a, b) [/S]").sentences[0].relations[0].label
        'agt'
    """
    is_html = LINE_BREAK.search(text) is not None
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = ENTITY.sub(lambda match: html.unescape(match[0]), LINE_BREAK.sub("\n", plain))
    reader = _Reader(plain, BadRecords(on_error=reading.on_error))
    with name_file(path):
        reader.read()
    graphs = reader.layout.graphs()
    labels = set(graphs.vocabulary.labels) - KNOWN_LABELS
    unknown = (f"unknown relation labels, kept as they are: {', '.join(sorted(labels))}",) if labels else ()
    return Document(
        ids=tuple(reader.ids),
        lines=np.array(reader.lines, dtype=np.int64),
        originals=tuple(reader.originals),
        texts=tuple(reader.texts),
        graphs=graphs,
        path=path,
        format="unl in html" if is_html else "unl",
        left_out=reader.bad.left_out(),
        facts={
            "relations": len(graphs.relations),
            "isolated_nodes": len(graphs.isolated),
            "empty_graphs": int(np.count_nonzero(graphs.sizes + graphs.isolated_sizes == 0)),
        },
        notes=(*reader.bad.notes(), *unknown, *_duplicate_notes(reader.ids, graphs)),
        choices={"encoding": reading.encoding or "unicode"},
    )


def _duplicate_notes(ids: Sequence[str], graphs: Graphs) -> Iterator[str]:
    """Note relations that occur more than once in a graph: each counts, which may not be intended."""
    _, first = np.unique(pack_rows(graphs.sentences, *graphs.relations.T), return_index=True)
    repeated = graphs.sizes - np.bincount(graphs.sentences[first], minlength=len(graphs))
    found = np.flatnonzero(repeated)
    if len(found):
        total = int(repeated.sum())
        yield (
            f"{count_of(total, 'duplicate relation')}, each counted, in {count_of(len(found), 'sentence')}, "
            f"first in sentence {ids[found[0]] or found[0] + 1}"
        )


@dataclass(eq=False)
class Layout:
    """Columns while graphs are read; the text of a node is parsed once, however often it occurs."""

    labels: Numbering = field(default_factory=Numbering)
    scopes: Numbering = field(default_factory=lambda: Numbering([WHOLE]))
    written: Numbering = field(default_factory=Numbering)
    rows: list[Row] = field(default_factory=list)
    blocks: list[Rows] = field(default_factory=list)
    sections: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    isolated: list[Node] = field(default_factory=list)
    owners_of_isolated: list[int] = field(default_factory=list)
    malformed: list[bool] = field(default_factory=list)

    def add(self, graphs: Iterable[Graph], *, malformed: bool) -> None:
        """Add a sentence."""
        sentence = len(self.malformed)
        self.malformed.append(malformed)
        for rows, isolated in graphs:
            self.owners.append(sentence)
            self.sections.append(len(rows))
            self.rows += rows
            self.isolated += isolated
            self.owners_of_isolated += [sentence] * len(isolated)
        if len(self.rows) >= AT_ONCE:
            self._number_rows()

    def graphs(self) -> Graphs:
        """Finish, and give the columns."""
        self._number_rows()
        relations = np.concatenate(self.blocks)
        isolated = self.written.codes(self.isolated)
        uws, ids, marks = map(Numbering, (("", NULL), ("",), ()))
        parsed = self._parse(uws, ids, marks)
        _, first, node_of = np.unique(pack_rows(*parsed.T), return_index=True, return_inverse=True)
        relations[:, 2:] = node_of[relations[:, 2:]]
        nodes = self._resolve_scopes(relations, parsed[first], ids)
        sizes = np.zeros(len(self.malformed), dtype=np.int64)
        np.add.at(sizes, self.owners, self.sections)
        return Graphs(
            Vocabulary(tuple(self.labels), tuple(self.scopes), tuple(uws), tuple(ids), tuple(marks), nodes),
            sizes,
            relations,
            np.bincount(np.array(self.owners_of_isolated, dtype=np.int64), minlength=len(sizes)),
            node_of[isolated],
            np.array(self.malformed, dtype=np.bool_),
        )

    def _number_rows(self) -> None:
        tables = (self.labels, self.scopes, self.written, self.written)
        self.blocks.append(_numbers(self.rows, tables))
        self.rows.clear()

    def _parse(self, *tables: Numbering) -> Rows:
        """Parse every node as it was written, and number its parts, int64, shape (written, 3)."""
        nodes = (one if isinstance(one, Node) else parse_node(one) for one in self.written)
        blocks = [_numbers([], tables)]
        while some := list(islice(nodes, AT_ONCE)):
            blocks.append(_numbers(some, tables))
        return np.concatenate(blocks)

    def _resolve_scopes(self, relations: Rows, nodes: Rows, ids: Numbering) -> Rows:
        """Make nodes refer to scopes: `:3F` is a scope only if a relation of its section has this label, else a null UW."""
        named = np.zeros(len(ids), dtype=np.int64)
        places = places_among(list(self.scopes), list(ids))
        named[places[places >= 0]] = np.flatnonzero(places >= 0)
        named_by = np.where(nodes[:, 0] == 1, named[nodes[:, 1]], 0)
        able = np.flatnonzero(named_by)
        place = np.zeros(len(nodes), dtype=np.int64)
        place[able] = np.arange(len(nodes), len(nodes) + len(able))
        # Number 0 is the whole sentence, and no scope.
        keys = np.repeat(np.arange(len(self.sections)), self.sections) * len(self.scopes)
        known = distinct((keys + relations[:, 1])[relations[:, 1] > 0])
        ends = relations[:, 2:]
        refers = find_keys(keys[:, None] + named_by[ends], known)
        ends[refers] = place[ends[refers]]
        scopes = nodes[able]
        scopes[:, 0] = 0
        return np.concatenate([nodes, scopes])


def _numbers(rows: Sequence[tuple[Any, ...]], tables: Sequence[Numbering]) -> Rows:
    """Number the entries of each column by its table, int64, shape (rows, tables)."""
    columns = zip(*rows, strict=True) if rows else [()] * len(tables)
    return np.column_stack(
        [table.codes(column).astype(np.int64) for table, column in zip(tables, columns, strict=True)]
    )


@dataclass
class _Reader:
    text: str
    bad: BadRecords
    ids: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    originals: list[str] = field(default_factory=list)
    texts: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    layout: Layout = field(default_factory=Layout)
    line_starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def read(self) -> None:
        """Cut the text at its sentence marks, and read each piece."""
        begin, name = None, ""
        unl_begin = None
        for mark in SENTENCE.finditer(self.text):
            kind = mark.lastgroup
            if kind == "end" and begin is None and unl_begin is not None:
                self._sentence("", unl_begin, mark.end())
                unl_begin = None
            elif kind == "unl" and begin is None:
                unl_begin = mark.start()
            elif kind == "closes" and begin is not None:
                self._sentence(name, begin, mark.start())
                begin = None
            elif kind == "closes":
                self._report("", mark.start(), "A sentence is closed but was not opened.", "[S] before [/S]")
            elif kind in {"opens", "body"}:
                self._unclosed_error(name, begin)
                begin, name = mark.end("opens"), (mark["name"] or "").strip()
                unl_begin = None
                if kind == "body":
                    self._graphs(name, begin, (), [(mark.start("body") - begin, mark["body"])])
                    begin = None
        self._unclosed_error(name, begin)
        if unl_begin is not None:
            self._report("", unl_begin, "The section {unl} is not closed.", "{/unl}")

    def _sentence(self, name: str, begin: int, end: int) -> None:
        text = self.text[begin:end]
        sections, problem = _sections(text)
        if problem:
            self._fault(name, begin, problem)
            self._add(name, begin, sections, [], malformed=True)
            return
        bodies = [(offset, body) for tag, _, offset, body in sections if tag == "unl"]
        self._graphs(name, begin, sections, bodies or [(0, _outside(text, sections))])

    def _graphs(self, name: str, begin: int, sections: Sequence[Section], bodies: Iterable[tuple[int, str]]) -> None:
        """Read the graphs of a sentence, each from its place behind the beginning."""
        graphs = []
        for offset, body in bodies:
            try:
                graphs.append(parse_graph(body))
            except GraphError as error:
                error.offset += offset
                self._fault(name, begin, error)
                self._add(name, begin, sections, [], malformed=True)
                return
        self._add(name, begin, sections, graphs)

    def _unclosed_error(self, name: str, begin: int | None) -> None:
        """Report the sentence that is open, if there is one."""
        if begin is not None:
            self._report(name, begin, "The sentence is not closed.", "[/S]")
            self._add(name, begin, (), [], malformed=True)

    def _add(
        self, name: str, begin: int, sections: Sequence[Section], graphs: Collection[Graph], *, malformed: bool = False
    ) -> None:
        self.ids.append(name)
        self.lines.append(bisect_right(self.line_starts, begin))
        original, texts = _texts(sections)
        self.originals.append(original)
        self.texts.append(texts)
        self.layout.add(graphs, malformed=malformed)

    def _fault(self, name: str, begin: int, error: GraphError) -> None:
        self._report(name, begin + error.offset, error.message, error.expected)

    def _report(self, name: str, place: int, message: str, expected: str) -> None:
        line = bisect_right(self.line_starts, place)
        where = f" (sentence {name})" if name else ""
        self.bad.add(
            RecordError(
                message.removesuffix(".") + where + ".",
                line=line,
                column=place - self.line_starts[line - 1] + 1,
                found=repr(self.text[place : place + FOUND].partition("\n")[0]),
                expected=expected,
                hint="correct the sentence, or skip bad ones: --on-error skip",
            )
        )


def _sections(text: str) -> tuple[list[Section], GraphError | None]:
    """Cut a sentence into sections, and find the error if any."""
    sections: list[Section] = []
    place = 0
    while opening := SECTION.search(text, place):
        tag = opening[2]
        if opening[1]:
            return sections, GraphError(f"The section {{{tag}}} was not opened.", opening.start(), f"{{{tag}}}")
        end = text.find(f"{{/{tag}}}", opening.end())
        if end < 0:
            return sections, GraphError(f"The section {{{tag}}} is not closed.", opening.start(), f"{{/{tag}}}")
        sections.append((tag, opening[3] or "", opening.end(), text[opening.end() : end]))
        place = end + len(f"{{/{tag}}}")
    return sections, None


def _outside(text: str, sections: Sequence[Section]) -> str:
    """Return what no section contains; sections are replaced by spaces, to keep the offsets of the rest."""
    rest, place = [], 0
    for tag, _, begin, body in sections:
        opening = text.rindex("{", 0, begin)
        after = begin + len(body) + len(f"{{/{tag}}}")
        rest += [text[place:opening], re.sub(r"[^\n]", " ", text[opening:after])]
        place = after
    return "".join([*rest, text[place:]])


def _texts(sections: Sequence[Section]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the original text, and the texts by language, the original first if its language is given."""
    if not sections:
        return "", ()
    texts = [(tag, hint, " ".join(body.split())) for tag, hint, _, body in sections if tag != "unl"]
    originals = [(hint.partition("=")[0], text) for tag, hint, text in texts if tag == "org"]
    named = [(language, text) for language, text in originals[:1] if language]
    return originals[0][1] if originals else "", (*named, *((tag, text) for tag, _, text in texts if tag != "org"))
