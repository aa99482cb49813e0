"""Whether what a triple speaks of stands in a text, word by word or by the stems of its words."""

from __future__ import annotations

import re
from functools import lru_cache

from goldassay.triples.words import REMEMBERED, stem, words_of

GAPS = re.compile(r"(_|\s+)")
BLANKS = re.compile(r"[\s_]+")
NEW_YEAR = "01januari"
"""Dates of which only the year is known stand in Wikidata as the first of January."""


def plain(text: str) -> str:
    """Write a text in lower case, with single blanks, also for underscores."""
    return BLANKS.sub(" ", text).casefold().strip()


def stands_exactly(name: str, text: str) -> bool:
    """Say whether a name stands in a text as whole words.

    Example:
        >>> stands_exactly("New_York", plain("The new  York.")), stands_exactly("York", plain("Yorkshire"))
        (True, False)
    """
    return bool(name.strip()) and re.search(rf"(?<!\w){re.escape(plain(name))}(?!\w)", text) is not None


@lru_cache(maxsize=REMEMBERED)
def stemmed(text: str) -> str:
    """Write a text as the stems of its words, with nothing between them.

    Example:
        >>> stemmed("Countries of Europe")
        'countriofeurop'
    """
    return GAPS.sub("", "".join(map(stem, words_of(text)))).lower()


def stands_in(name: str, text: str) -> bool:
    """Say whether the stems of a name stand in a text in one piece, whatever words they are cut from.

    Example:
        >>> stands_in("Country", stemmed("Countries of Europe")), stands_in("01 January 2010", stemmed("In 2010."))
        (True, True)
    """
    return stemmed(name).replace(NEW_YEAR, "") in text
