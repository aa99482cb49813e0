"""What models write around a text, such as "Here is the note:", which says nothing of its subject and is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.turns import LEADING, may_have_turns, without_turns

SENTENCE = r"(?:(?<=[.!?:]\s)|(?<=\n)|\A)"
"""Where a sentence begins."""
TOGETHER = 1_000
BREAKS = pattern_of(r"[^\n]")
Pattern: TypeAlias = tuple[tuple[str, ...], Callable[[str], object], re.Pattern[str]]
"""The words of which a text must have one, what finds a pattern, and this pattern."""


def blank_preambles(texts: Sequence[str]) -> tuple[list[str], int]:
    """Blank out what models write around texts, and count the texts that have some."""
    if not any(texts):
        # Most files with given concepts have no text.
        return list(texts), 0
    blanked: list[str] = []
    for start in range(0, len(texts), TOGETHER):
        some = texts[start : start + TOGETHER]
        # Most patterns have no word in any of many texts.
        lower = "\n".join(some).lower()
        patterns = [one for one in _patterns() if any(word in lower for word in one[0])]
        blanked += [_blank(text, patterns) for text in some] if patterns else some
    return blanked, sum(one is not text for one, text in zip(blanked, texts, strict=True))


def blank_thoughts(texts: Sequence[str], *, answers: bool) -> tuple[list[str], int]:
    """Blank out what models write before they answer, such as thoughts, in answers under titles too; count the texts that have some."""
    blanked: list[str] = []
    for start in range(0, len(texts), TOGETHER):
        some = texts[start : start + TOGETHER]
        # Most signs are in none of many texts.
        may = answers or may_have_turns("\n".join(some)) or any(map(LEADING.match, some))
        blanked += [without_turns(text, _to_blanks, titled=answers) for text in some] if may else some
    return blanked, sum(one != text for one, text in zip(blanked, texts, strict=True))


def _to_blanks(text: str) -> str:
    return BREAKS.sub(" ", text)


def _blank(text: str, patterns: Iterable[Pattern]) -> str:
    lower = text.lower()
    for words, look, pattern in patterns:
        for word in words:
            if word in lower:
                text = pattern.sub(lambda match: " " * len(match[0]), text) if look(text) else text
                break
    return text


@cache
def _patterns() -> tuple[Pattern, ...]:
    """Read preambles.tsv: the words of which a text must have one, what finds the pattern that is left out, and this pattern."""
    lines = files("goldassay.concepts").joinpath("preambles.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    begins = {"begin": r"\A\s{0,9}", "line": SENTENCE}
    compiled = [re.compile(begins[where] + pattern, re.IGNORECASE) for where, _, pattern in rows]
    return tuple(
        (tuple(words.split("|")), one.match if where == "begin" else one.search, one)
        for (where, words, _), one in zip(rows, compiled, strict=True)
    )
