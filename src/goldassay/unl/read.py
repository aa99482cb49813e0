"""Files to UNL documents: plain text and HTML exports, in all known dialects."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike

from goldassay.core.errors import InputError, RecordError
from goldassay.core.parameters import Options, parameter
from goldassay.formats import load
from goldassay.formats.options import OnError, on_error_option
from goldassay.formats.records import BadRecords
from goldassay.formats.source import decode, text_of
from goldassay.unl.grammar import GraphError, parse_graph
from goldassay.unl.model import Document, Node, Relation, Sentence

LINE_BREAK = re.compile(r"<br\s*/?>(?:\r?\n)?", re.IGNORECASE)
# No character has more digits; Python refuses to read thousands of them.
ENTITY = re.compile(r"&(?:quot|amp|lt|gt|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
# A mark contains no opening bracket, so that unclosed marks take linear time.
SENTENCE = re.compile(r"\[S(?::([^\[\]\n]*+))?\]|(\[/S\])|(\{unl(?::[^{}\n]*+)?\})|(\{/unl\})")
SECTION = re.compile(r"\{(/?)([a-z]{2,3})(?::([^{}\n]*+))?\}")
FOUND = 40
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
    text = decode(source, reading.encoding) if reading.encoding else text_of(source)
    document = document_of(text, path=source.path, reading=reading)
    if not len(document):
        raise InputError(
            "The file contains no UNL sentence.",
            path=source.path,
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
    reader = _Reader(plain, path, BadRecords(on_error=reading.on_error))
    sentences = tuple(reader.sentences())
    labels = {one.label for sentence in sentences for one in sentence.relations} - KNOWN_LABELS
    unknown = (f"unknown relation labels, kept as they are: {', '.join(sorted(labels))}",) if labels else ()
    return Document(
        sentences=sentences,
        path=path,
        format="unl in html" if is_html else "unl",
        left_out=reader.bad.left_out(),
        facts={
            "relations": sum(len(sentence.relations) for sentence in sentences),
            "isolated_nodes": sum(len(sentence.isolated) for sentence in sentences),
            "empty_graphs": sum(not sentence.nodes for sentence in sentences),
        },
        notes=(*reader.bad.notes(), *unknown, *_duplicate_notes(sentences)),
        choices={"encoding": reading.encoding or "unicode"},
    )


def _duplicate_notes(sentences: Sequence[Sentence]) -> Iterator[str]:
    """Note relations that occur more than once in a graph: each counts, which may not be intended."""
    repeated = {row: len(one.relations) - len(set(one.relations)) for row, one in enumerate(sentences)}
    found = {row: count for row, count in repeated.items() if count}
    if found:
        first = next(iter(found))
        total = sum(found.values())
        yield (
            f"{total:,} duplicate relation{'s' * (total > 1)}, each counted, in {len(found):,} "
            f"sentence{'s' * (len(found) > 1)}, first in sentence {sentences[first].id or first + 1}"
        )


@dataclass
class _Reader:
    text: str
    path: str | None
    bad: BadRecords
    line_starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def sentences(self) -> list[Sentence]:
        """Cut the text at its sentence marks, and read each piece."""
        found, begin, name = [], None, ""
        unl_begin = None
        for mark in SENTENCE.finditer(self.text):
            opens = mark.lastindex in (None, 1)
            if mark[4] and begin is None and unl_begin is not None:
                found.append(self._sentence("", unl_begin, mark.end()))
                unl_begin = None
            elif mark[3] and begin is None:
                unl_begin = mark.start()
            elif mark[2] and begin is not None:
                found.append(self._sentence(name, begin, mark.start()))
                begin = None
            elif mark[2]:
                self._complain("", mark.start(), "A sentence is closed but was not opened.", "[S] before [/S]")
            elif opens:
                if begin is not None:
                    found.append(self._unclosed(name, begin))
                begin, name = mark.end(), (mark[1] or "").strip()
                unl_begin = None
        if begin is not None:
            found.append(self._unclosed(name, begin))
        elif unl_begin is not None:
            self._complain("", unl_begin, "The section {unl} is not closed.", "{/unl}")
        return found

    def _sentence(self, name: str, begin: int, end: int) -> Sentence:
        line = bisect_right(self.line_starts, begin)
        text = self.text[begin:end]
        sections, problem = _sections(text)
        relations: list[Relation] = []
        isolated: list[Node] = []
        try:
            if problem:
                raise problem
            bodies = [body for body in sections if body[0] == "unl"] or [("unl", "", 0, _outside(text, sections))]
            for _, _, offset, body in bodies:
                try:
                    graph = parse_graph(body)
                except GraphError as error:
                    error.offset += offset
                    raise
                relations += graph[0]
                isolated += graph[1]
        except GraphError as error:
            self._complain(name, begin + error.offset, error.message, error.expected)
            return Sentence(id=name, line=line, original=_original(sections), texts=_texts(sections), malformed=True)
        return Sentence(
            id=name,
            line=line,
            relations=tuple(relations),
            isolated=tuple(isolated),
            original=_original(sections),
            texts=_texts(sections),
        )

    def _unclosed(self, name: str, begin: int) -> Sentence:
        self._complain(name, begin, "The sentence is not closed.", "[/S]")
        return Sentence(id=name, line=bisect_right(self.line_starts, begin), malformed=True)

    def _complain(self, name: str, place: int, message: str, expected: str) -> None:
        line = bisect_right(self.line_starts, place)
        where = f" (sentence {name})" if name else ""
        self.bad.add(
            RecordError(
                message.removesuffix(".") + where + ".",
                path=self.path,
                line=line,
                column=place - self.line_starts[line - 1] + 1,
                found=repr(self.text[place : place + FOUND].partition("\n")[0]),
                expected=expected,
                hint="correct the sentence, or skip bad ones: --on-error skip",
            )
        )


def _sections(text: str) -> tuple[list[tuple[str, str, int, str]], GraphError | None]:
    """Cut a sentence into sections (tag, what follows the tag, place, body), and find the error if any."""
    sections: list[tuple[str, str, int, str]] = []
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


def _outside(text: str, sections: Sequence[tuple[str, str, int, str]]) -> str:
    """Return what no section contains; sections are replaced by spaces, to keep the offsets of the rest."""
    rest, place = [], 0
    for tag, _, begin, body in sections:
        opening = text.rindex("{", 0, begin)
        after = begin + len(body) + len(f"{{/{tag}}}")
        rest += [text[place:opening], re.sub(r"[^\n]", " ", text[opening:after])]
        place = after
    return "".join([*rest, text[place:]])


def _original(sections: list[tuple[str, str, int, str]]) -> str:
    return next((" ".join(body.split()) for tag, _, _, body in sections if tag == "org"), "")


def _texts(sections: list[tuple[str, str, int, str]]) -> tuple[tuple[str, str], ...]:
    """List the texts by language, the original first if its language is given."""
    languages = [hint.partition("=")[0] for tag, hint, _, _ in sections if tag == "org"]
    original = tuple((language, _original(sections)) for language in languages[:1] if language)
    return (
        *original,
        *((tag, " ".join(body.split())) for tag, _, _, body in sections if tag not in ("unl", "org")),
    )
