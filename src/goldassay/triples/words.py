"""Texts cut into words and stems, how alike they are by these (word overlap, BLEU, ROUGE), and whether a text has a name."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from goldassay.core.errors import require
from goldassay.core.patterns import pattern_of

REMEMBERED = 2**18
LONGEST_GRAM = 4
NOTHING_IN_COMMON = 0.1
"""What BLEU counts instead of no n-gram at all (method 1 of Chen & Cherry 2014)."""
SHORT_WORD = 3
ASCII_GAPS = pattern_of(r"[^a-z0-9]+")
SENTENCE_GAPS = pattern_of(r"[\W_]+")
CHUNKS = pattern_of(r"\S+|\s+")


@lru_cache(maxsize=REMEMBERED)
def words_of(text: str) -> tuple[str, ...]:
    """Cut a text into words and marks as NLTK's word tokenizer does."""
    # A text is taken for one sentence, as no model of sentences comes with NLTK.
    nltk = require("nltk.tokenize", extra="triples", purpose="cut texts into words")
    return tuple(nltk.word_tokenize(text, preserve_line=True))


@lru_cache(maxsize=REMEMBERED)
def stem(word: str) -> str:
    """Cut a word to its stem by Porter's algorithm, in lower case."""
    stemmed: str = _stemmer().stem(word)
    return stemmed


@cache
def _stemmer() -> Any:
    return require("nltk.stem.porter", extra="triples", purpose="cut words to their stems").PorterStemmer()


@lru_cache(maxsize=REMEMBERED)
def overlap(here: str, there: str) -> float:
    """Return the F1 of the words of two names, which are parted by blanks."""
    if here == there:
        return 1.0
    ours, theirs = Counter(here.split()), Counter(there.split())
    words = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / words if words else 0.0


GAPS = pattern_of(r"(_|\s+)")
BLANKS = pattern_of(r"[\s_]+")
NEW_YEAR = "01januari"
"""In Wikidata a date of which only the year is known is the first of January."""


def to_plain_text(text: str) -> str:
    """Write a text in lower case, with single blanks, also for underscores."""
    return BLANKS.sub(" ", text).casefold().strip()


def occurs_exactly(name: str, text: str) -> bool:
    """Return whether a name occurs in a text as whole words."""
    return bool(name.strip()) and re.search(rf"(?<!\w){re.escape(to_plain_text(name))}(?!\w)", text) is not None


@lru_cache(maxsize=REMEMBERED)
def stem_text(text: str) -> str:
    """Write a text as the stems of its words, with nothing between them."""
    return GAPS.sub("", "".join(map(stem, words_of(text)))).lower()


def occurs_in(name: str, text: str) -> bool:
    """Return whether the stems of a name occur in a text in one piece, also inside other words."""
    return stem_text(name).replace(NEW_YEAR, "") in text


def sentence_of(slots: Sequence[str]) -> str:
    """Write a triple as a sentence."""
    return ";".join(slots).lower().strip()


@lru_cache(maxsize=REMEMBERED)
def tokens(sentence: str) -> tuple[str, ...]:
    """Cut the sentence of a triple at blanks and semicolons; a semicolon is a word unless a word begins with it."""
    # Of several blanks one parts, and the others are a word, as spaCy's tokenizer has it.
    found: list[str] = []
    for chunk in CHUNKS.findall(sentence):
        if chunk.isspace():
            rest = chunk[1:] if chunk[0] == " " and found else chunk
            found += [rest] if rest else []
        else:
            found += _split_words(chunk)
    return tuple(found)


def _split_words(chunk: str) -> list[str]:
    parts, start = [], 0
    for match in re.finditer(";", chunk):
        if match.start() == 0:
            continue
        if match.start() != start:
            parts.append(chunk[start : match.start()])
        parts.append(";")
        start = match.end()
    return [*parts, chunk[start:]] if chunk[start:] else parts


@lru_cache(maxsize=REMEMBERED)
def bleu(candidate: str, reference: str) -> float:
    """Score the sentence of a triple against another by BLEU of up to four words, smoothed."""
    # Papineni et al. 2002, with 0.1 for an order of n-grams that has none in common (Chen & Cherry 2014, method 1), as
    # ``nltk.translate.bleu_score.sentence_bleu`` computes it.
    here, there = tokens(candidate), tokens(reference)
    logarithms = []
    for size in range(1, LONGEST_GRAM + 1):
        ours, theirs = _grams(here, size), _grams(there, size)
        common = (ours & theirs).total()
        if size == 1 and not common:
            return 0.0
        logarithms.append(0.25 * math.log((common or NOTHING_IN_COMMON) / max(1, ours.total())))
    brevity = 1.0 if len(here) > len(there) else math.exp(1 - len(there) / len(here))
    return brevity * math.exp(math.fsum(logarithms))


@lru_cache(maxsize=REMEMBERED)
def rouge2(candidate: str, reference: str, *, ascii_only: bool = False) -> tuple[float, float]:
    """Return the precision and recall of the pairs of neighbouring stems of one sentence of a triple in another."""
    # Lin 2004, over words of letters and digits, those of more than three characters cut to their stems.
    ours, theirs = (_grams(_stems(sentence, ascii_only), 2) for sentence in (candidate, reference))
    common = (ours & theirs).total()
    return common / max(ours.total(), 1), common / max(theirs.total(), 1)


def _grams(words: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + size]) for start in range(len(words) - size + 1))


@lru_cache(maxsize=REMEMBERED)
def _stems(sentence: str, ascii_only: bool) -> tuple[str, ...]:
    words = (ASCII_GAPS if ascii_only else SENTENCE_GAPS).sub(" ", sentence.lower()).split()
    return tuple(stem(word) if len(word) > SHORT_WORD else word for word in words)
