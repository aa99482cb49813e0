"""Statements from all formats in one model, pyoxigraph's terms and triples; broken ones are skipped where that is asked."""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from goldassay.core.errors import InputError, convert_errors
from goldassay.core.libraries import ox
from goldassay.core.limits import DEPTH
from goldassay.core.patterns import pattern_of
from goldassay.core.timing import progressing
from goldassay.formats.documents import TURTLE, check_nesting, json_of
from goldassay.formats.labels import BASE
from goldassay.formats.markup import utf8_xml
from goldassay.formats.obo import read_obo, read_obo_graph
from goldassay.formats.owl import functional_as_rdf, xml_as_rdf
from goldassay.formats.records import BadRecords
from goldassay.formats.source import Source, utf8_of

if TYPE_CHECKING:
    from goldassay.core.context import Progress

POSITION = pattern_of(r"^Parser error (?:at|between) line [\w ]*+: ")
SHOWN = 60
START = r"^(?:@|<[^\s<>]*+>\s|_:|(?i:prefix|base)\s|(?:[^\W\d_][\w.-]*+)?+:)"
"""How a statement may begin on a line of its own."""
DECLARATION = pattern_of(r"@|(?:prefix|base)\s", re.IGNORECASE)
WITHOUT_DOT = pattern_of(r"(?:prefix\s++[^\s:<>]*+:|base)\s*+<[^\s<>]*+>", re.IGNORECASE)
"""A declaration as SPARQL writes it."""
# A name begins where no name goes on: otherwise each character of a long word would be tried.
PREFIX = pattern_of(r"(?<![\w.-])([\w.-]*+):")
BLANK = pattern_of(r"(?:\s++|#[^\n\r]*+)*+")
TRIES, LOOKED_AT = 8, 20_000
"""How many lines of a broken statement are tried as the beginning of another one; more in a short statement."""
STATEMENTS = frozenset({"turtle", "n-triples", "n-quads"})
"""Formats in which statements follow one another, so that the others can be read where one is broken."""
LARGE = 2**22
"""From how many bytes on a parser reports its progress."""
BUFFER = "buffer maximal size"
"""What the parser says of a token that is longer than its buffer."""
SKIPPING = "leave out broken statements: --on-error skip"
NO_SKIPPING = "this format cannot be read past an error, so --on-error skip does not help here"


def _tokens(line_break: str) -> re.Pattern[str]:
    """Make the pattern of what matters: texts, IRIs and comments, where no statement ends, ends, and possible starts."""
    # Possessive or atomic (a possessive group with a choice or a look ahead in it is wrong before Python 3.11.5), and an unclosed text that is long or has escapes is a token too, so that any input takes linear time.
    long = "|".join(
        rf"{q * 3}(?>(?:[^{q}\\\n]++|\\.|{line_break}|{q}(?!{q * 2}))*)(?P<closed{number}>{q * 3})?"
        for number, q in enumerate("\"'")
    )
    short = "|".join(rf"{q}[^{q}\\\n\r]*+(?:{q}|(?:\\.[^{q}\\\n\r]*+)++{q}?+)" for q in "\"'")
    return re.compile(
        rf"(?P<start>(?={START}))|(?P<long>{long})|{short}|<[^\s<>]*+>|#[^\n\r]*+|(?P<end>\.(?=[\s#]|\Z))",
        re.DOTALL | re.MULTILINE,
    )


TOKENS = _tokens(r"\n")
WARY = _tokens(rf"\n(?!{START})")
"""For files with a long text that is not closed: none goes on over a line that may begin a statement."""


def recover_statements(text: str, syntax: ox.RdfFormat, base: str | None, bad: BadRecords) -> Iterator[ox.Triple]:
    r"""Read the statements of a file, and leave out those that are broken.

    A statement ends with a dot. Where it is broken, the next line that begins a whole statement ends it, too, so that a
    dot that is missing costs one statement. Each statement counts whole or not at all.

    Example:
        >>> from pyoxigraph import RdfFormat
        >>> bad = BadRecords(on_error="skip")
        >>> page = "<a:a> <a:b> <a:c>\n<a:d> <a:e> <a:f> .\n"
        >>> [str(triple.subject) for triple in recover_statements(page, RdfFormat.TURTLE, None, bad)]
        ['<a:d>']
        >>> bad.notes()[1]
        "skipped line 1: Invalid statement: ... ('<a:a> <a:b> <a:c>')"
    """
    reader = _Statements(text, syntax, base, bad)
    tokens = [TOKENS, WARY] if any(map(_is_open, TOKENS.finditer(text))) else [TOKENS]
    place, spent, found = 0, 0, False
    while (place := _count_skipped(text, place)) < len(text):
        # Only warily once the file has been looked at often enough, so that statements without an end cost no square.
        extents = [_extent(each, text, place) for each in (tokens if spent <= TRIES * len(text) else tokens[-1:])]
        spent += sum(end - place for _, end in extents)
        triples, place = reader.read(place, extents)
        found = found or bool(triples)
        yield from triples
    if bad.errors and not found:
        raise bad.errors[0]


def reason(error: SyntaxError) -> str:
    """Return what the parser says is wrong, without its place."""
    return " ".join(POSITION.sub("", error.msg or str(error)).split())


@dataclass
class _Statements:
    """The statements of a file, with the prefixes and the base in force."""

    text: str
    syntax: ox.RdfFormat
    base: str | None
    bad: BadRecords
    prefixes: dict[str, str] = field(default_factory=dict)
    line: int = 1
    seen: int = 0

    def read(self, place: int, extents: list[tuple[list[int], int]]) -> tuple[list[ox.Triple], int]:
        """Read a statement, or the first whole one that begins on a line in it, and leave out what is before."""
        starts, end = extents[-1]
        # So that the work is bounded: few tries for a long statement.
        most = max(TRIES, LOOKED_AT // (end - place))
        tries = [*((place, one) for _, one in extents), *((start, end) for start in starts[:most])]
        first: SyntaxError | None = None
        for start, stop in dict.fromkeys(tries):
            try:
                triples = self._parse(self.text[start:stop])
            except SyntaxError as error:
                first = first or error
            else:
                if first and start > place:
                    self._leave_out(place, start, first)
                return triples, stop
        if first:
            self._leave_out(place, end, first)
        return [], end

    def _parse(self, statement: str) -> list[ox.Triple]:
        used = self.prefixes.keys() & set(PREFIX.findall(statement))
        head = "".join(f"@prefix {name}: <{self.prefixes[name]}> . " for name in sorted(used))
        parser = ox.parse(head + statement, format=self.syntax, base_iri=self.base)
        triples = list(parser)
        if DECLARATION.match(statement):
            self.prefixes |= parser.prefixes
            self.base = parser.base_iri
        return triples

    def _leave_out(self, place: int, end: int, error: SyntaxError) -> None:
        self.line += self.text.count("\n", self.seen, place)
        self.seen = place
        lines = self.text[place:end].strip().split("\n")
        more = f" and {len(lines) - 1:,} more line{'s' * (len(lines) > 2)}" if len(lines) > 1 else ""  # noqa: PLR2004
        self.bad.refuse(
            f"Invalid statement: {reason(error)[:SHOWN]}.",
            line=self.line,
            found=f"{lines[0].strip()[:SHOWN]!r}{more}",
            expected="subject predicate object .",
            hint="correct it",
        )


def _count_skipped(text: str, place: int) -> int:
    blank = BLANK.match(text, place)
    return blank.end() if blank else place


def _extent(tokens: re.Pattern[str], text: str, place: int) -> tuple[list[int], int]:
    """Find the lines in a statement that may begin another one, and its end."""
    if whole := WITHOUT_DOT.match(text, place):
        return [], whole.end()
    starts: list[int] = []
    for token in tokens.finditer(text, place):
        if token["end"]:
            return starts, token.end()
        if token["start"] is not None and token.start() > place:
            starts.append(token.start())
    return starts, len(text)


def _is_open(token: re.Match[str]) -> bool:
    """Return whether a token is a long text that is not closed."""
    return bool(token["long"]) and not (token["closed0"] or token["closed1"])


def read_triples(
    source: Source, name: str, bad: BadRecords | None = None, *, genus: bool = False
) -> Iterator[ox.Triple]:
    """Read the statements of a file, in the order of the file, with duplicates.

    Named graphs are read as one. Relative IRIs are resolved against the base that the file names, else against
    :data:`~goldassay.formats.labels.BASE`. Nothing is ever fetched.

    Args:
        source: The file.
        name: Its format, one of :data:`~goldassay.formats.known.TRIPLES`.
        bad: Receives the bad records of OBO files, and the broken statements of Turtle, N-Triples and N-Quads, where
            records can be separated; without it the first error is raised.
        genus: Whether to give the genus of logical definitions in OBO, which RDF has as intersections.

    Yields:
        Triples (or quads, which have the same three parts) of pyoxigraph's terms.

    Raises:
        InputError: If the file is broken; the message has the line if the parser gives it.
        MissingDependencyError: If the format needs a package that is not installed.
    """
    if name == "obo":
        return read_obo(source, bad, genus=genus)
    if name == "obo-graph":
        return read_obo_graph(source, bad, genus=genus)
    return _parse(source, name, bad)


def _parse(source: Source, name: str, bad: BadRecords | None) -> Iterator[ox.Triple]:
    data = _as_rdf(source, name)
    base = None if name in {"n-triples", "n-quads"} else BASE
    syntax = _format(name, ox.RdfFormat)
    with convert_errors("pyoxigraph", f"The file cannot be read as {name}.", hint=f"correct it, {_skipping(name)}"):
        try:
            if bad is not None and bad.on_error == "skip" and name in STATEMENTS and _is_broken(data, syntax, base):
                yield from recover_statements(data.decode(), syntax, base, bad)
                return
            yield from ox.parse(_follow_progress(data, source.path), format=syntax, base_iri=base)
        except SyntaxError as error:
            raise _explain_error(error, name) from error
        except MemoryError as error:
            if BUFFER not in str(error):
                raise
            # It is the cause of no error: memory is not what is lacking.
            raise _too_long_error(data) from None


def _too_long_error(data: bytes) -> InputError:
    """Build the error for a text, an IRI or a comment that is longer than the buffer of the parser."""
    longest = max(TURTLE.finditer(data), key=lambda token: token.end() - token.start(), default=None)
    start, end = longest.span() if longest else (0, len(data))
    return InputError(
        "A text, an IRI or a comment is too long.",
        line=data.count(b"\n", 0, start) + 1,
        found=f"{end - start:,} bytes",
        expected="at most 16,777,216 bytes, the limit of the parser",
        hint="shorten it or leave it out",
    )


def _follow_progress(data: bytes, path: str) -> bytes | ProgressBytes:
    """Read in pieces that report progress, if it is shown."""
    report = progressing()
    return data if report is None or len(data) < LARGE else ProgressBytes(data, f"reading {path}", report)


class ProgressBytes(io.BytesIO):
    """Bytes that report how many of them have been read."""

    def __init__(self, data: bytes, stage: str, report: Progress) -> None:
        super().__init__(data)
        self.stage, self.report, self.size = stage, report, len(data)

    def read(self, size: int | None = -1, /) -> bytes:
        """Read a piece."""
        self.report(self.stage, self.tell(), self.size)
        return super().read(size)


def _is_broken(data: bytes, syntax: ox.RdfFormat, base: str | None) -> bool:
    try:
        deque(ox.parse(data, format=syntax, base_iri=base), maxlen=0)
    except SyntaxError:
        return True
    return False


def _skipping(name: str) -> str:
    return f"or {SKIPPING}" if name in STATEMENTS else NO_SKIPPING


def _as_rdf(source: Source, name: str) -> bytes:
    if name == "owl-functional":
        return functional_as_rdf(source)
    if name == "owl-xml":
        return xml_as_rdf(source)
    if name == "rdf-xml":
        return utf8_xml(source)
    data = utf8_of(source)
    if name == "json-ld":
        _check_contexts(json_of(source))
    else:
        # Triple terms: the only nesting of these syntaxes that the parser follows by recursion.
        check_nesting(data, TURTLE, "<>", width=2)
    return data


def _check_contexts(document: Any) -> None:
    """Limit the chains of terms in a JSON-LD context; the parser follows them by recursion."""
    rest = [document]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            rest += (inner for inner in value.values() if isinstance(inner, dict | list))
            context = value.get("@context")
            for part in context if isinstance(context, list) else [context]:
                if isinstance(part, dict) and len(part) > DEPTH.value:
                    DEPTH.check(_longest_chain(part), "The chain of terms in a JSON-LD context is too long.")
        elif isinstance(value, list):
            rest += (inner for inner in value if isinstance(inner, dict | list))


def _longest_chain(context: dict[str, Any]) -> int:
    """Return the length of the longest chain of terms; a cycle ends it."""
    follows: dict[str, str] = {}
    for term, meant in context.items():
        iri = meant.get("@id") if isinstance(meant, dict) else meant
        if isinstance(iri, str):
            follows[term] = iri if iri in context else iri.partition(":")[0]
    lengths: dict[str, int] = {}
    for first in follows:
        chain, term = [], first
        while term in follows and term not in lengths:
            lengths[term] = 0
            chain.append(term)
            term = follows[term]
        known = lengths.get(term, 0)
        lengths |= {one: known + step for step, one in enumerate(reversed(chain), start=1)}
    return max(lengths.values(), default=0)


def _format(name: str, formats: type[ox.RdfFormat]) -> ox.RdfFormat:
    return {
        "turtle": formats.TURTLE,
        "n-triples": formats.N_TRIPLES,
        "n-quads": formats.N_QUADS,
        "trig": formats.TRIG,
        "n3": formats.N3,
        "json-ld": formats.JSON_LD,
    }.get(name, formats.RDF_XML)


def _explain_error(error: SyntaxError, name: str) -> InputError:
    found = reason(error)
    if "LoadDocumentCallback" in found:
        return InputError(
            "The JSON-LD context is on the web, and remote contexts are not loaded.",
            found='an address as "@context"',
            expected='the context itself: "@context": {...}',
            hint="put the context into the file, or convert the file to N-Triples on a machine with network access",
        )
    return InputError(
        f"Invalid {name}.",
        line=error.lineno,
        column=error.offset,
        found=found,
        hint=f"correct the {'line' if error.lineno else 'file'}, {_skipping(name)}",
    )
