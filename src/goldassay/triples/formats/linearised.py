"""Linearised triples, as REBEL and mREBEL write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from goldassay.core.patterns import pattern_of
from goldassay.triples.formats.raw import RawDocuments

MARKS = pattern_of(r"<(s|/s|pad|unk|triplet|subj|obj)>")
TYPED = pattern_of(r"<(s|/s|pad|unk|triplet|[a-z_]+)>")
"""The marks of mREBEL: a head, its type, a tail, its type, a relation."""
LANGUAGE = pattern_of(r"\b\w\w_XX\b")
LINEARISED = "<triplet> subject <subj> object <obj> predicate"
NOISE = frozenset({"s", "/s", "pad", "unk"})


def parse_linearised(
    text: str, line: int | None, raw: RawDocuments
) -> Iterator[tuple[str | None, str | None, str | None]]:
    """List the triples of one line: each ``<triplet>`` gives a head, and each ``<subj>`` with its ``<obj>`` a tail and a relation."""
    typed = "<subj>" not in text and "<obj>" not in text and _count(TYPED, text) > _count(MARKS, text)
    marks = _marks(TYPED, LANGUAGE.sub("", text)) if typed else _marks(MARKS, text)
    _, first = next(marks)
    if first:
        raw.fault("A line of triples must begin with <triplet>.", line=line, found=first, expected=LINEARISED)
    marks = _parse_untyped(marks) if typed else marks
    head: str | None = None
    before = ""
    # A line may have many triples, so that its marks are looked at one after the other, each with the next one.
    for (mark, name), (following, relation) in pairwise(chain(marks, [("", "")])):
        if mark == "triplet":
            head = name
        elif mark == "subj" or before != "subj":
            # A relation without a tail before it is half a triple too.
            tail, predicate = (name, relation if following == "obj" else None) if mark == "subj" else (None, name)
            if not (head and predicate and tail):
                raw.fault(
                    "Incomplete triple: <subj> and <obj> must come together.",
                    line=line,
                    found=text.strip(),
                    expected=LINEARISED,
                )
            yield head, predicate, tail
        before = mark


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _marks(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    """List the words before the first mark, then each mark with the words behind it."""
    mark, begin = "", 0
    for match in pattern.finditer(text):
        if mark not in NOISE:
            yield mark, text[begin : match.start()].strip()
        mark, begin = match[1], match.end()
    if mark not in NOISE:
        yield mark, text[begin:].strip()


def _parse_untyped(marks: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Call the types of heads and tails what REBEL writes in their place."""
    turn = 0
    for mark, words in marks:
        turn = 0 if mark == "triplet" else turn + 1
        yield (mark if mark == "triplet" else "subj" if turn % 2 else "obj"), words
