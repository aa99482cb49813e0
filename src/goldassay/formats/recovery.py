"""Turtle with broken statements: the others are read, and what is left out is counted and listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldassay.core.errors import RecordError
from goldassay.formats.records import BadRecords

if TYPE_CHECKING:
    from pyoxigraph import RdfFormat, Triple

POSITION = re.compile(r"^Parser error (?:at|between) line [\w ]*+: ")
SHOWN = 60
START = r"^(?:@|<[^\s<>]*+>\s|_:|(?i:prefix|base)\s|(?:[^\W\d_][\w.-]*+)?+:)"
"""How a statement may begin on a line of its own."""
DECLARATION = re.compile(r"@|(?:prefix|base)\s", re.IGNORECASE)
WITHOUT_DOT = re.compile(r"(?:prefix\s++[^\s:<>]*+:|base)\s*+<[^\s<>]*+>", re.IGNORECASE)
"""A declaration as SPARQL writes it."""
# A name begins where no name goes on: otherwise each character of a long word would be tried.
PREFIX = re.compile(r"(?<![\w.-])([\w.-]*+):")
BLANK = re.compile(r"(?:\s++|#[^\n\r]*+)*+")


def _tokens(line_break: str) -> re.Pattern[str]:
    """Make the pattern of what matters: texts, IRIs and comments, where no statement ends, ends, and possible starts."""
    # Possessive, and an unclosed long text is a token too, so that any input takes linear time.
    long = "|".join(
        rf"{q * 3}(?:[^{q}\\\n]|\\.|{line_break}|{q}(?!{q * 2}))*+(?P<closed{number}>{q * 3})?+"
        for number, q in enumerate("\"'")
    )
    short = "|".join(rf"{q}[^{q}\\\n\r]*+(?:\\.[^{q}\\\n\r]*+)*+{q}" for q in "\"'")
    return re.compile(
        rf"(?P<start>(?={START}))|(?P<long>{long})|{short}|<[^\s<>]*+>|#[^\n\r]*+|(?P<end>\.(?=[\s#]|\Z))",
        re.DOTALL | re.MULTILINE,
    )


TOKENS = _tokens(r"\n")
WARY = _tokens(rf"\n(?!{START})")
"""For files with a long text that is not closed: none goes on over a line that may begin a statement."""
TRIES, LOOKED_AT = 8, 20_000
"""How many lines of a broken statement are tried as the beginning of another one; more in a short statement."""


def recovered(text: str, path: str, syntax: RdfFormat, base: str | None, bad: BadRecords) -> Iterator[Triple]:
    r"""Read the statements of a file, and leave out those that are broken.

    A statement ends with a dot. Where it is broken, the next line that begins a whole statement ends it, too, so that a
    dot that is missing costs one statement. Each statement counts whole or not at all.

    Example:
        >>> from pyoxigraph import RdfFormat
        >>> bad = BadRecords(on_error="skip")
        >>> page = "<a:a> <a:b> <a:c>\n<a:d> <a:e> <a:f> .\n"
        >>> [str(triple.subject) for triple in recovered(page, "a.ttl", RdfFormat.TURTLE, None, bad)]
        ['<a:d>']
        >>> bad.notes()[1]
        "skipped line 1: The statement is broken: ... ('<a:a> <a:b> <a:c>')"
    """
    reader = _Statements(text, path, syntax, base, bad)
    tokens = [TOKENS, WARY] if any(map(_is_open, TOKENS.finditer(text))) else [TOKENS]
    place, spent, found = 0, 0, False
    while (place := _skipped(text, place)) < len(text):
        # Warily alone once the file has been looked at often enough, so that statements without an end cost no square.
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
    path: str
    syntax: RdfFormat
    base: str | None
    bad: BadRecords
    prefixes: dict[str, str] = field(default_factory=dict)
    line: int = 1
    seen: int = 0

    def read(self, place: int, extents: list[tuple[list[int], int]]) -> tuple[list[Triple], int]:
        """Read a statement, or the first whole one that begins on a line in it, and leave out what is before."""
        starts, end = extents[-1]
        # So that the work is bounded: few tries for a long statement.
        most = max(TRIES, LOOKED_AT // (end - place))
        tries = [*((place, one) for _, one in extents), *((start, end) for start in starts[:most])]
        first: SyntaxError | None = None
        for start, stop in dict.fromkeys(tries):
            try:
                triples = self._parsed(self.text[start:stop])
            except SyntaxError as error:
                first = first or error
            else:
                if first and start > place:
                    self._leave_out(place, start, first)
                return triples, stop
        if first:
            self._leave_out(place, end, first)
        return [], end

    def _parsed(self, statement: str) -> list[Triple]:
        from pyoxigraph import parse

        used = self.prefixes.keys() & set(PREFIX.findall(statement))
        head = "".join(f"@prefix {name}: <{self.prefixes[name]}> . " for name in sorted(used))
        parser = parse(head + statement, format=self.syntax, base_iri=self.base)
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
        self.bad.add(
            RecordError(
                f"The statement is broken: {reason(error)[:SHOWN]}.",
                path=self.path,
                line=self.line,
                found=f"{lines[0].strip()[:SHOWN]!r}{more}",
                expected="subject predicate object .",
                hint="correct it",
            )
        )


def _skipped(text: str, place: int) -> int:
    blank = BLANK.match(text, place)
    return blank.end() if blank else place


def _extent(tokens: re.Pattern[str], text: str, place: int) -> tuple[list[int], int]:
    """Find the lines in a statement that may begin another one, and its end."""
    if alone := WITHOUT_DOT.match(text, place):
        return [], alone.end()
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
