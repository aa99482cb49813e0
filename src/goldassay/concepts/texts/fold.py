r"""Texts to words, each with its place, and words to what they are compared as.

A word is a run of letters, digits and marks. Hyphens, slashes and apostrophes separate words like spaces, every other
symbol is a word of its own, different from all others. Scripts without spaces between words (Chinese, Japanese, Thai,
Lao, Khmer, Burmese) are read character by character.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.texts.words import FUNCTION
from goldassay.core.intern import Names, number_columns
from goldassay.core.libraries import pl
from goldassay.core.patterns import pattern_of
from goldassay.formats.delimited import WHITE

JOINERS = "\\-\u2010-\u2015/'\u2019`\u00b4"
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
SYMBOLS = (
    "!-/:-@\\[-^{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u060c\u061b\u061f\u06d4"
    "\u0964\u0965\u2000-\u200b\u200e-\u206f\u2190-\u2bff\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
PATTERN = f"(?s)[^{WHITE}{SYMBOLS}{UNSPACED}{JOINERS}]+|[{WHITE}{JOINERS}]+|."
"""A word, what separates words, or a symbol: as Python and polars alike read it."""
PIECE, SKIPPED = pattern_of(PATTERN), pattern_of(rf"[\s{JOINERS}]")
SHORTEST_PLURAL = 4
"""Shorter words are left as they are: gas, its, was."""
LONGEST_ACRONYM = 4
"""A longer word in capitals is an ordinary word, written in capitals for emphasis."""
SHORTEST_GREEK = 6
"""From this length on a word in -sis (metastasis) is folded with its plural in -ses; basis is not."""


class Words(NamedTuple):
    """The words of a text."""

    numbers: NDArray[np.int64]  # what each word is compared as, shape (words,)
    spans: NDArray[np.int64]  # begin and end of each word in the text, in characters, shape (words, 2)


class WordNumbers(dict[str, int]):
    """Numbers of words as they are spelt, looked up once per spelling; -1 for separators."""

    def __init__(self, number: Callable[[str], int | None]) -> None:
        self.number = number

    def __missing__(self, piece: str) -> int:
        found = -1 if SKIPPED.match(piece) else self.number(fold(piece)) or 0
        self[piece] = found
        return found

    def words_of_all(self, texts: Sequence[str]) -> list[Words]:
        """Number the words of texts."""
        try:
            column = pl.Series(texts, dtype=pl.String)
        except UnicodeEncodeError:  # a lone surrogate, which becomes another symbol
            column = pl.Series([text.encode(errors="replace").decode() for text in texts], dtype=pl.String)
        names, codes, counts, lengths = pieces_in(column)
        numbers = np.array([self[piece] for piece in names], dtype=np.int64)[codes]
        ends = np.cumsum(lengths)
        borders = np.cumsum(counts)
        spans = (
            np.column_stack([ends - lengths, ends]) - np.repeat(np.append(0, ends)[borders - counts], counts)[:, None]
        )
        kept = numbers >= 0
        last = np.append(0, np.cumsum(kept))[borders][:-1]
        return list(map(Words, np.split(numbers[kept], last), np.split(spans[kept], last)))[: len(texts)]


class Pieces(NamedTuple):
    """Texts, cut into words and what is between them."""

    names: list[str]  # the distinct pieces, in the order in which they first occur
    codes: NDArray[np.int32]  # row of ``names`` of each piece, int32, shape (pieces,)
    counts: NDArray[np.int64]  # how many pieces each text has, int64, shape (texts,)
    lengths: NDArray[np.int64]  # the length of each piece, in characters, int64, shape (pieces,)


def pieces_in(texts: pl.Series) -> Pieces:
    """Cut texts at once, as `pieces_of` does, and number the pieces."""
    found = texts.str.extract_all(PATTERN)
    every = found.explode().drop_nulls()
    names, (codes,) = number_columns(every)
    lengths = every.str.len_chars().to_numpy().astype(np.int64)
    return Pieces(Names(names).listed, codes, found.list.len().to_numpy().astype(np.int64), lengths)


def pieces_of(text: str) -> list[str]:
    """List the words of a text as they are spelt."""
    return [piece for piece in PIECE.findall(text) if not SKIPPED.match(piece)]


def is_acronym(piece: str) -> bool:
    """Return whether a word is two to four capitals, which may coincide with a word: ALL, AIDS."""
    return 1 < len(piece) <= LONGEST_ACRONYM and piece.isupper()


def fold(piece: str) -> str:
    """Fold a word: case, compatibility forms and English plurals; an acronym has no plural."""
    # The result is a key for comparison, not a word of the language.
    folded = unicodedata.normalize("NFKC", piece).casefold()
    return folded if is_acronym(piece) else singular(folded)


def singular(word: str) -> str:
    """Fold singular and plural of a regular English noun, in lower case, into one."""
    if len(word) < SHORTEST_PLURAL:
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > SHORTEST_PLURAL else word[:-1]
    elif word.endswith("sis") and len(word) >= SHORTEST_GREEK:
        word = word[:-2]
    if len(word) >= SHORTEST_PLURAL and word.endswith(("se", "xe", "ze", "che", "she")):
        word = word[:-1]
    return word


def fold_words(pieces: Sequence[str]) -> str:
    """Fold words into one key."""
    return " ".join(map(fold, pieces))


STOP_WORDS = frozenset(map(fold, FUNCTION))
"""Function words, folded as the words of a text are."""
