"""What a text says of the concepts in it: that they are negated, uncertain, hypothetical, the family's, stopped, left or right.

The rules are those of NegEx and ConText (Chapman et al. 2001; Harkema et al. 2009): a phrase of triggers.tsv holds for the
concepts after or before it, to the end of the sentence or line, or to a phrase that ends it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from goldassay.concepts.model import Found

CATEGORIES = ("negated", "uncertain", "hypothetical", "family", "stopped", "left", "right", "bilateral")
"""What may be said of a concept."""
AFFIRMED = "present"
"""What is said of a concept that is known to be stated without more: nothing is looked for, and nothing is kept."""
VERSION = "context-1"
"""The rules, in signatures: changed whenever a text could be read differently."""
SIDE = re.compile(
    r"\b(?:(left)|(right)|(bilateral(?:ly)?))\b(?:[- ]sided)?"
    r"(?!\s+(?:the|a|an|his|her|home|work|now|away|after|before|off|out|here|untreated)\b)",
    re.IGNORECASE,
)
"""A side; not where left is a verb, or right an adverb."""
BEFORE_SIDE = re.compile(r"[ \t\-]*(?:[^\W\d_]+[ \t\-]){0,2}")
"""What may stand between a side and its concept: at most two words."""
AFTER_SIDE = re.compile(r",?[ \t]+(?:(?:on|in)[ \t]+)?(?:the[ \t]+)?(?=left|right|bilateral)", re.IGNORECASE)
STOP = re.compile(
    r"(?:\.(?<!\bdr\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bvs\.)(?<!\bmrs\.)(?<!\be\.g\.)(?<!\bi\.e\.)|[!?;])(?=\s|$)|[\n\r]",
    re.IGNORECASE,
)
"""The end of a sentence or a line; no abbreviation."""
Scope = tuple[int, int, str]
"""Begin and end in characters, and what is said there."""
LONGEST_SENTENCE = 1000
"""Beyond so many characters nothing is said of a concept."""


class Rule(NamedTuple):
    """A phrase, and what it says."""

    category: str
    scope: str


def asserted(text: str, found: Sequence[Found]) -> list[Found]:
    """Add to concepts what a text says of them; numbers with units, and what has something said already, stay as they are.

    Example:
        >>> from goldassay.concepts.chunks import Chunks
        >>> text = "Denies fever, but has a possible fracture of the left wrist. Stop metformin."
        >>> [(one.name, one.said) for one in asserted(text, Chunks().find(text))]
        [('fever', 'negated'), ('fracture', 'uncertain'), ('left wrist', 'left,uncertain'), ('metformin', 'stopped')]
    """
    if not found:
        return []
    scopes = _scopes(text)
    starts = [start for start, _, _ in scopes]
    sides = [(match.start(), match.end(), CATEGORIES[4 + (match.lastindex or 0)]) for match in SIDE.finditer(text)]
    side_starts = [start for start, _, _ in sides]
    stated = []
    for one in found:
        if one.said:
            stated.append(one._replace(said="") if one.said == AFFIRMED else one)
        elif one.value or one.start < 0:
            stated.append(one)
        else:
            said = {*_within(scopes, starts, one), *_sided(text, sides, side_starts, one)}
            stated.append(one._replace(said=",".join(sorted(said))) if said else one)
    return stated


def _scopes(text: str) -> list[Scope]:
    """List where something is said, sorted by begin; scopes of one sentence lie within it."""
    pattern, rules = _triggers()
    said = [
        (match.start(), match.end(), rules[" ".join(match[0].split())]) for match in pattern.finditer(lowered(text))
    ]
    if not any(rule.scope for _, _, rule in said):
        return []
    scopes: list[Scope] = []
    borders = [0, *(match.end() for match in STOP.finditer(text)), len(text)]
    ends = [(start, end) for start, end, rule in said if rule.category == "end"]
    opens, closes = (sorted(borders + [one[side] for one in ends]) for side in (0, 1))
    for start, end, rule in said:
        if rule.scope in {"after", "both"}:
            scopes.append((end, opens[bisect_left(opens, end)], rule.category))
        if rule.scope in {"before", "both"}:
            scopes.append((closes[bisect_left(closes, start + 1) - 1], start, rule.category))
    return sorted(scopes)


def lowered(text: str) -> str:
    """Write a text in lower case and with straight apostrophes, each character in its place.

    Example:
        >>> lowered("He DOESN\u2019T; \u0130")
        "he doesn't; \u0130"
    """
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals become two characters
        lower = "".join(one if len(one.lower()) > 1 else one.lower() for one in text)
    return lower.replace("\u2019", "'")


def _within(scopes: Sequence[Scope], starts: Sequence[int], one: Found) -> Iterator[str]:
    """Say what holds for a concept: the scopes that it begins in, none of which is longer than a sentence."""
    for place in range(bisect_left(starts, one.start + 1) - 1, -1, -1):
        start, end, category = scopes[place]
        if one.end <= end:
            yield category
        if one.start - start > LONGEST_SENTENCE:
            return


def _sided(text: str, sides: Sequence[Scope], starts: Sequence[int], one: Found) -> Iterator[str]:
    """Say on which side a concept is: by a word within it, shortly before it, or right after it."""
    place = bisect_left(starts, one.end)
    for start, end, side in reversed(sides[max(0, place - 3) : place]):
        if start >= one.start or BEFORE_SIDE.fullmatch(text, end, one.start):
            yield side
            return
    if place < len(sides):
        gap = AFTER_SIDE.match(text, one.end)
        if gap and gap.end() == sides[place][0]:
            yield sides[place][2]


@cache
def _triggers() -> tuple[re.Pattern[str], Mapping[str, Rule]]:
    """Read the phrases: what finds them, the longest first, and what each says."""
    rules: dict[str, Rule] = {}
    for line in files("goldassay.concepts").joinpath("triggers.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            category, scope, phrases = line.split("\t")
            rules.update(dict.fromkeys(phrases.split("|"), Rule(category, scope)))
    return re.compile(rf"(?:(?<![\w'\-])(?=[a-z])|(?=:)){_any_of(rules)}(?![\w\-])"), rules


def _any_of(phrases: Collection[str]) -> str:
    """Write an expression for any of some phrases, the longest first, that looks at each letter once."""
    rests: dict[str, list[str]] = {}
    for phrase in filter(None, phrases):
        rests.setdefault(phrase[0], []).append(phrase[1:])
    parts = [(r"\s+" if first == " " else re.escape(first)) + _any_of(rest) for first, rest in rests.items()]
    return f"(?:{'|'.join(parts)})" + "?" * ("" in phrases) if parts else ""
