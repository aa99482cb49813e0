"""What models write around a text, such as "Here is the note:", which says nothing of its subject and is left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

SENTENCE = r"(?:(?<=[.!?:]\s)|(?<=\n)|\A)"
"""Where a sentence begins."""


def blank_preambles(texts: Sequence[str]) -> tuple[list[str], int]:
    """Put blanks in the place of what models write around texts, and count the texts that have some.

    Example:
        >>> blank_preambles(["Possible note: Fever.", "Gout. I hope this helps!"])
        (['               Fever.', 'Gout.                  '], 2)
    """
    blanked = list(map(_blank, texts))
    return blanked, sum(one is not text for one, text in zip(blanked, texts, strict=True))


def _blank(text: str) -> str:
    # Most documents with given concepts have no text.
    lower = text.lower()
    for words, pattern in _patterns() if text else ():
        if any(word in lower for word in words):
            text = pattern.sub(lambda match: " " * len(match[0]), text) if pattern.search(text) else text
    return text


@cache
def _patterns() -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    """Read preambles.tsv: the words of which a text must have one, and the pattern that is left out."""
    lines = files("goldassay.concepts").joinpath("preambles.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    begins = {"begin": r"\A\s{0,9}", "line": SENTENCE}
    return tuple(
        (tuple(words.split("|")), re.compile(begins[where] + pattern, re.IGNORECASE)) for where, words, pattern in rows
    )
