"""Texts cut into words, words cut to their stems, and how many words two names share."""

from __future__ import annotations

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
