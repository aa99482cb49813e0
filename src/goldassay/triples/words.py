"""Texts cut into words, words cut to their stems, and whether what a triple speaks of occurs in a text."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from typing import Any

from goldassay.core.errors import require

REMEMBERED = 2**18


@lru_cache(maxsize=REMEMBERED)
def words_of(text: str) -> tuple[str, ...]:
    """Cut a text into words and marks as NLTK's word tokenizer does.

    A text is taken for one sentence, as no model of sentences comes with NLTK.

    Example:
        >>> words_of("Oslo (Norway)")
        ('Oslo', '(', 'Norway', ')')
    """
    nltk = require("nltk.tokenize", extra="triples", purpose="cut texts into words")
    return tuple(nltk.word_tokenize(text, preserve_line=True))


@lru_cache(maxsize=REMEMBERED)
def stem(word: str) -> str:
    """Cut a word to its stem by Porter's algorithm, in lower case.

    Example:
        >>> stem("Countries")
        'countri'
    """
    stemmed: str = _stemmer().stem(word)
    return stemmed


@cache
def _stemmer() -> Any:
    return require("nltk.stem.porter", extra="triples", purpose="cut words to their stems").PorterStemmer()


@lru_cache(maxsize=REMEMBERED)
def overlap(here: str, there: str) -> float:
    """Give the F1 of the words of two names, which are parted by blanks.

    Example:
        >>> overlap("New York City", "New York"), overlap("Oslo", "Oslo"), overlap("Oslo", "Rome")
        (0.8, 1.0, 0.0)
    """
    if here == there:
        return 1.0
    ours, theirs = Counter(here.split()), Counter(there.split())
    words = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / words if words else 0.0


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
