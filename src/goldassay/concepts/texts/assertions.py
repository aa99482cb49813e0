"""Assertions that a text makes about its concepts: negated, uncertain, hypothetical, the family's, stopped, left or right.

The rules are those of NegEx and ConText (Chapman et al. 2001; Harkema et al. 2009): a phrase of triggers.tsv holds for the
concepts after or before it, to the end of the sentence, the line or the label before a colon, or to a phrase that ends it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.model import RawConcepts
from goldassay.concepts.texts.words import is_measured
from goldassay.core.intern import Names
from goldassay.core.patterns import pattern_of
from goldassay.kernels.ragged import distinct, find_keys, mark, ranges, run_heads
from goldassay.kernels.types import Rows

CATEGORIES = ("negated", "uncertain", "hypothetical", "family", "stopped", "left", "right", "bilateral")
"""The assertions."""
AFFIRMED = "present"
"""The assertion of a concept that is known to be affirmed: none is looked for, and none is kept."""
VERSION = "context-2"
"""The rules, in signatures: changed whenever a text could be read differently."""
SIDE = pattern_of(
    r"\b(?:(left)|(right)|(bilateral(?:ly)?))\b(?:[- ]sided)?"
    r"(?!\s+(?:the|a|an|his|her|home|work|now|away|after|before|off|out|here|untreated)\b)",
    re.IGNORECASE,
)
"""A side; not if left is a verb, or right an adverb."""
BEFORE_SIDE = pattern_of(r"[ \t\-]*(?:[^\W\d_]+[ \t\-]){0,2}")
"""The text between a side and its concept: at most two words."""
NEAR = 100
"""Sides that are more characters away are not looked at."""
AFTER_SIDE = pattern_of(r",?[ \t]+(?:(?:on|in)[ \t]+)?(?:the[ \t]+)?(?=left|right|bilateral)", re.IGNORECASE)
STOP = pattern_of(
    r"[.!?;](?=\s|$)(?:(?<![rsge]\.)|(?<!\b[dm]r\.)(?<!\b[mv]s\.)(?<!\bmrs\.)(?<!\be\.g\.)(?<!\bi\.e\.))"
    r"|[\n\r](?!(?:(?<=[^\n\r]{50}[^\n\r.:;!?][\n\r])|(?<=[^\n\r]{50}[^\n\r.:;!?]\r\n))(?-i:\n?[a-z]))",
    re.IGNORECASE,
)
"""The end of a sentence or a line, one character; no abbreviation, and no line that is broken within a sentence."""
COLON = pattern_of(r":(?<!following:)(?=\s|$)", re.IGNORECASE)
"""The end of a label."""
Scope = tuple[int, int, str]
"""Begin and end in characters, and the assertion there."""
LONGEST_SENTENCE = 1000
"""Scopes that begin more characters before a concept do not apply."""


AT_ONCE = 2**20
"""About so many characters are looked through at once."""
BETWEEN = "\n\0\n"
"""What is put between two texts: no phrase and no scope goes over it."""
MARKS = ":,("
"""With what a phrase may begin that does not begin with a letter."""
OTHER = 127
BEGINNING = 8
"""How many letters of a word decide whether a phrase may begin there."""
ALPHABET = np.array([code & 31 if chr(code).isalpha() else 0 for code in range(OTHER + 1)], dtype=np.uint8)


class Rule(NamedTuple):
    """The category of a phrase, and where it applies."""

    category: str
    scope: str


def add_assertions(stated: RawConcepts, texts: Sequence[str]) -> RawConcepts:
    """Add assertions to concepts with a place in a text, in documents that give none; affirmed concepts have an empty one."""
    # Numbers with units have no assertion.
    spans, rows = stated.spans, _find_unasserted(stated, texts)
    if spans is not None and len(rows):
        found = np.zeros(len(stated.codes), dtype=np.int64)
        found[rows] = _assertions_in(texts, stated.owners[rows], spans[rows])
        stated = _encode_assertions(stated, found)
    keys, names, ids, given, *others = stated.words
    if AFFIRMED in given:
        given = Names(["" if one == AFFIRMED else one for one in given])
    return stated._replace(words=[keys, names, ids, given, *others])


def _find_unasserted(stated: RawConcepts, texts: Sequence[str]) -> Rows:
    """List the concepts whose assertions are to be found."""
    if stated.spans is None or not any(texts):
        return np.zeros(0, dtype=np.int64)
    owners, (given, values) = (
        stated.owners,
        (_is_given(column)[stated.codes] if len(column) else False for column in stated.words[3:5]),
    )
    has_text = np.fromiter(map(bool, texts), dtype=np.bool_, count=len(texts))
    has_text[owners[given]] = False
    return np.flatnonzero(has_text[owners] & (stated.spans[:, 0] >= 0) & ~np.asarray(values))


def _is_given(column: Names) -> NDArray[np.bool_]:
    return np.fromiter(map(bool, column), dtype=np.bool_, count=len(column))


def _encode_assertions(stated: RawConcepts, found: Rows) -> RawConcepts:
    """Add the categories that were found to concepts, as new words."""
    changed = np.flatnonzero(found)
    size, bits = len(stated.words[0]), 2 ** len(CATEGORIES)
    distinct, place = np.unique(stated.codes[changed].astype(np.int64) * bits + found[changed], return_inverse=True)
    texts = [
        ",".join(sorted(name for at, name in enumerate(CATEGORIES) if one >> at & 1))
        for one in (distinct % bits).tolist()
    ]
    more = [column.take(distinct // bits).listed if len(column) else [] for column in stated.words]
    more[3] = texts
    words = [
        Names([*(column.listed if len(column) else [""] * size), *some]) if some else column
        for column, some in zip(stated.words, more, strict=True)
    ]
    codes = stated.codes.astype(np.int64)
    codes[changed] = size + place
    return stated._replace(words=words, codes=codes)


def _assertions_in(texts: Sequence[str], owners: Rows, spans: Rows) -> Rows:
    """Return the categories of concepts as one number each, a bit for each of `CATEGORIES`."""
    found = np.zeros(len(owners), dtype=np.int64)
    first = np.flatnonzero(run_heads(owners))
    sizes = np.array([len(texts[owner]) for owner in owners[first].tolist()], dtype=np.int64) + len(BETWEEN)
    for start, end in pairwise([0, *(np.flatnonzero(np.diff(np.cumsum(sizes) // AT_ONCE)) + 1).tolist(), len(first)]):
        rows = slice(first[start], first[end] if end < len(first) else len(owners))
        document = np.repeat(np.arange(end - start), np.diff([*first[start:end].tolist(), rows.stop]))
        text = BETWEEN.join(texts[owner] for owner in owners[first[start:end]].tolist())
        begins = np.cumsum(sizes[start:end]) - sizes[start:end]
        found[rows] = _categories(text, spans[rows] + begins[document][:, np.newaxis])
    return found


def _categories(text: str, spans: Rows) -> Rows:
    """Return the categories of concepts in a text."""
    lower = lower_text(text)
    letters = Letters.of(lower)
    scopes, sides = _scopes(text, lower, letters), _sides(text, letters)
    found = _categories_within(scopes, spans) if scopes else np.zeros(len(spans), dtype=np.int64)
    for row in np.flatnonzero(found).tolist():
        if is_measured(lower[slice(*spans[row].tolist())]):
            found[row] = 0
    starts, ends = (np.array([side[at] for side in sides], dtype=np.int64) for at in (0, 1))
    following = np.searchsorted(starts, spans[:, 1])
    before = np.append(-NEAR, ends)[following] >= spans[:, 0] - NEAR
    after = np.append(starts, len(text) + NEAR)[following] < spans[:, 1] + NEAR
    for row in np.flatnonzero(before | after).tolist():
        side = _side_of(text, sides, int(following[row]), *spans[row].tolist())
        found[row] |= 0 if side is None else 1 << CATEGORIES.index(side)
    return found


class Letters(NamedTuple):
    """A text as numbers, and where its words begin."""

    codes: NDArray[np.uint8]  # the ASCII code of each character, or `OTHER`, uint8, shape (characters,)
    # the number of each letter of ASCII in the alphabet, 0 for anything else, uint8, shape (characters + 3,)
    numbers: NDArray[np.uint8]
    words: Rows  # where a letter follows anything else, int64, shape (words,)

    @classmethod
    def of(cls, text: str) -> Letters:
        """Look at each character of a text once."""
        codes = np.minimum(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32), OTHER).astype(
            np.uint8
        )
        numbers = np.concatenate([ALPHABET[codes], np.zeros(BEGINNING - 1, dtype=np.uint8)])
        return cls(codes, numbers, np.flatnonzero((numbers != 0) & (np.append(np.uint8(0), numbers[:-1]) == 0)))

    def keys(self) -> Rows:
        """Return a number for each word: its first letters, with five bits each."""
        keys, alive = np.zeros(len(self.words), dtype=np.int64), np.ones(len(self.words), dtype=np.bool_)
        for place in range(BEGINNING):
            numbers = self.numbers[self.words + place]
            alive &= numbers != 0
            keys = keys << 5 | numbers * alive
        return keys

    def beginning(self, phrases: Rows) -> Rows:
        """List the words with which one of some phrases may begin."""
        return self.words[find_keys(self.keys(), phrases)]

    def places(self, marks: str) -> Rows:
        """List where some characters are."""
        wanted = mark(list(map(ord, marks)), OTHER + 1)
        return np.flatnonzero(wanted[self.codes])


def _first_words(phrases: Iterable[str]) -> Rows:
    """Return the numbers of the first words of phrases, sorted."""
    text = "\n".join(phrases)
    letters = Letters.of(text)
    first = np.isin(letters.words, [0, *(letters.places("\n") + 1)])
    return distinct(letters.keys()[first])


def _matches(pattern: re.Pattern[str], text: str, places: Rows) -> Iterator[re.Match[str]]:
    """Match an expression at some places, from left to right, none over another."""
    end = 0
    for place in places.tolist():
        if place >= end and (match := pattern.match(text, place)):
            yield match
            end = match.end()


def _scopes(text: str, lower: str, letters: Letters) -> list[Scope]:
    """List the scopes of phrases, sorted by begin; each lies within a sentence, and on one side of a label's colon."""
    pattern, rules, phrases = _triggers()
    places = np.sort(np.concatenate([letters.beginning(phrases), letters.places(MARKS)]))
    found = [(*match.span(), rules[" ".join(match[0].split())]) for match in _matches(pattern, lower, places)]
    if not any(rule.category in CATEGORIES for _, _, rule in found):
        return []
    stops = [at + 1 for at in letters.places(".!?;\n\r").tolist() if STOP.match(text, at)]
    opened = {end for _, end, rule in found if rule.scope in {"after", "both"}}
    colons = [at for at in letters.places(":").tolist() if at not in opened and COLON.match(text, at)]
    borders = {name: _borders(found, name, stops, colons, len(text)) for name in CATEGORIES}
    scopes: list[Scope] = []
    for start, end, rule in found:
        if rule.category not in CATEGORIES:
            continue
        opens, closes = borders[rule.category]
        if rule.scope in {"after", "both"}:
            scopes.append((end, opens[bisect_left(opens, end)], rule.category))
        if rule.scope in {"before", "both"}:
            scopes.append((closes[bisect_left(closes, start + 1) - 1], start, rule.category))
    return sorted(scopes)


def _borders(
    found: Sequence[tuple[int, int, Rule]], category: str, stops: Sequence[int], colons: Sequence[int], size: int
) -> tuple[list[int], list[int]]:
    """List where scopes of a category end, and where those that reach backwards begin: not before an earlier one of them."""
    ends = [
        (start, end) for start, end, rule in found if rule.category == "end" and category in (rule.scope or category)
    ]
    opens = sorted([*stops, *colons, *(start for start, _ in ends), size])
    before = (end for _, end, rule in found if rule.scope == "before")
    return opens, sorted([0, *stops, *(at + 1 for at in colons), *(end for _, end in ends), *before])


def _categories_within(scopes: Sequence[Scope], spans: Rows) -> Rows:
    """Return the categories of the scopes that concepts lie in; behind the first that begins too far before it no scope counts."""
    starts, ends = (np.array([scope[side] for scope in scopes], dtype=np.int64) for side in (0, 1))
    bits = np.array([1 << CATEGORIES.index(category) for _, _, category in scopes], dtype=np.int64)
    order = np.argsort(spans[:, 0], kind="stable")
    begins = spans[order, 0]
    first, last = np.searchsorted(begins, starts, side="left"), np.searchsorted(begins, ends, side="left")
    scope = np.repeat(np.arange(len(scopes)), np.maximum(last - first, 0))
    row = order[ranges(first, np.maximum(last - first, 0))]
    following = np.append(starts[1:], np.iinfo(np.int64).max)[scope]
    holds = (spans[row, 1] <= ends[scope]) & (spans[row, 0] - following <= LONGEST_SENTENCE)
    found = np.zeros(len(spans), dtype=np.int64)
    np.bitwise_or.at(found, row[holds], bits[scope[holds]])
    return found


def _sides(text: str, letters: Letters) -> list[Scope]:
    """List the sides that a text names."""
    places = letters.beginning(SIDES)
    return [(*match.span(), CATEGORIES[4 + (match.lastindex or 0)]) for match in _matches(SIDE, text, places)]


def _side_of(text: str, sides: Sequence[Scope], place: int, begin: int, end: int) -> str | None:
    """Return on which side a concept is: by a word within it, shortly before it, or right after it, where the next side is."""
    for start, stop, side in reversed(sides[max(0, place - 3) : place]):
        if start >= begin or BEFORE_SIDE.fullmatch(text, stop, begin):
            return side
    gap = AFTER_SIDE.match(text, end) if place < len(sides) else None
    return sides[place][2] if gap and gap.end() == sides[place][0] else None


def lower_text(text: str) -> str:
    """Write a text in lower case and with straight apostrophes, each character in its place."""
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals become two characters
        lower = "".join(one if len(one.lower()) > 1 else one.lower() for one in text)
    return lower.replace("\u2019", "'")


@cache
def _triggers() -> tuple[re.Pattern[str], Mapping[str, Rule], Rows]:
    """Read the phrases: an expression for all of them, the longest first, their rules, and their first words."""
    rules: dict[str, Rule] = {}
    for line in files("goldassay.concepts").joinpath("triggers.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            category, scope, phrases = line.split("\t")
            rules.update(dict.fromkeys(phrases.split("|"), Rule(category, scope)))
    pattern = re.compile(rf"(?:(?<![\w'\-])(?=[a-z])|(?=[{MARKS}])){_any_phrase(rules)}(?![\w\-])")
    return pattern, rules, _first_words(phrase for phrase in rules if phrase[0] not in MARKS)


def _any_phrase(phrases: Collection[str]) -> str:
    """Write an expression for any of some phrases, the longest first, that looks at each letter once."""
    rests: dict[str, list[str]] = {}
    for phrase in filter(None, phrases):
        rests.setdefault(phrase[0], []).append(phrase[1:])
    parts = [(r"\s+" if first == " " else re.escape(first)) + _any_phrase(rest) for first, rest in rests.items()]
    return f"(?:{'|'.join(parts)})" + "?" * ("" in phrases) if parts else ""


SIDES = _first_words(("left", "right", "bilateral"))
