r"""Texts to words, each with its place, and words to what they are compared as.

A word is a run of letters, digits and marks. Hyphens, slashes and apostrophes separate words like spaces, every other
symbol is a word of its own, different from all others. Scripts without spaces between words (Chinese, Japanese, Thai,
Lao, Khmer, Burmese) are read character by character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.formats.quoted import WORD, Codes, Spans, Vocabulary

JOINERS = r"\-\u2010-\u2015/'\u2019`\u00b4"
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
SYMBOLS = (
    r"!-/:-@\[-^{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u060c\u061b\u061f\u06d4"
    r"\u0964\u0965\u2000-\u200b\u200e-\u206f\u2190-\u2bff\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
PIECE = re.compile(rf"[^\s{SYMBOLS}{UNSPACED}{JOINERS}]+|[\s{JOINERS}]+|.", re.DOTALL)
SKIPPED = re.compile(rf"[\s{JOINERS}]")
PASSED_OVER = re.compile(r"[\u2010-\u2015\u2019\u00b4\u00a0]")
"""What separates words like a space, beyond ASCII and in many texts."""
IN_WORD, SKIP, ALONE = range(3)
CLASSES = np.array(
    [
        SKIP if SKIPPED.match(chr(code)) else IN_WORD if len(PIECE.findall(chr(code) * 2)) == 1 else ALONE
        for code in range(128)
    ],
    dtype=np.uint8,
)
"""What each character of ASCII is: part of a word, between words, or a word of its own."""
SHORTEST_PLURAL = 4
"""Shorter words are left as they are: gas, its, was."""
LONGEST_ACRONYM = 4
"""A longer word in capitals is an ordinary word, written in capitals for emphasis."""
SHORTEST_GREEK = 6
"""From this length on a word in -sis (metastasis) is folded with its plural in -ses; basis is not."""


class Words(NamedTuple):
    """The words of a text.

    Attributes:
        numbers: What each word is compared as, shape (words,).
        spans: Begin and end of each word in the text, in characters, shape (words, 2).
    """

    numbers: NDArray[np.int64]
    spans: NDArray[np.int64]


class Numbering(dict[str, int]):
    """Numbers of words as they are spelt, looked up once per spelling; -1 for separators.

    Args:
        number: Numbers a folded word.

    Example:
        >>> numbers = Numbering({"cat": 7}.get)
        >>> numbers["Cats"], numbers[" "]
        (7, -1)
    """

    def __init__(self, number: Callable[[str], int | None]) -> None:
        self.number = number

    def __missing__(self, piece: str) -> int:
        found = -1 if SKIPPED.match(piece) else self.number(fold(piece)) or 0
        self[piece] = found
        return found

    def words(self, text: str) -> Words:
        """Number the words of a text.

        Example:
            >>> Numbering({"cat": 7}.get).words("Two cats!")
            Words(numbers=array([0, 7, 0]), spans=array([[0, 3],
               [4, 8],
               [8, 9]]))
        """
        pieces = PIECE.findall(text)
        numbers = np.fromiter(map(self.__getitem__, pieces), dtype=np.int64, count=len(pieces))
        ends = np.cumsum(np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces)))
        starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]])[: len(ends)]
        kept = numbers >= 0
        return Words(numbers[kept], np.column_stack([starts[kept], ends[kept]]))

    def words_of_all(self, texts: Sequence[str]) -> list[Words]:
        """Number the words of texts: those in ASCII, but for apostrophes, dashes and spaces, all at once.

        Example:
            >>> [found.spans.tolist() for found in Numbering(len).words_of_all(["Two cats!", "chat noir", "na\u00efve"])]
            [[[0, 3], [4, 8], [8, 9]], [[0, 4], [5, 9]], [[0, 5]]]
        """
        plain = [text if text.isascii() else PASSED_OVER.sub(" ", text) for text in texts]
        at_once = [row for row, text in enumerate(plain) if text.isascii()]
        data = "\n".join(plain[row] for row in at_once).encode()
        spans, codes = words_in(data)
        numbers = np.array([self[piece] for piece in codes.names], dtype=np.int64)[codes.codes]
        begins = np.cumsum([0, *(len(plain[row]) + 1 for row in at_once)])
        borders = np.searchsorted(spans[:, 0], begins)
        found = {
            row: Words(numbers[start:end], spans[start:end] - begin)
            for row, begin, start, end in zip(
                at_once, begins.tolist(), borders.tolist(), borders[1:].tolist(), strict=False
            )
        }
        return [found[row] if row in found else self.words(text) for row, text in enumerate(texts)]


def words_in(data: bytes) -> tuple[NDArray[np.int64], Codes]:
    r"""Find the words of a text in ASCII, and number them, equal ones alike.

    Example:
        >>> spans, codes = words_in(b"A cat, a cat")
        >>> spans.tolist(), codes.names
        ([[0, 1], [2, 5], [5, 6], [7, 8], [9, 12]], ['A', 'cat', ',', 'a'])
    """
    kinds = CLASSES[np.frombuffer(data, dtype=np.uint8)]
    inside = kinds == IN_WORD
    begins = np.flatnonzero((kinds == ALONE) | (inside & ~np.append(False, inside[:-1])[: len(inside)]))
    # A word ends before the next character that is not of a word; a symbol is one character.
    outside = np.append(np.flatnonzero(~inside), len(kinds))
    stops = outside[np.searchsorted(outside, begins)]
    stops = np.where(kinds[begins] == ALONE, begins + 1, stops)
    words, texts = Vocabulary(), Spans(data + bytes(WORD), begins, stops - begins)
    codes = words.codes(texts)
    # Different words with one key are not to be expected.
    numbered = Codes(texts.listed(), np.arange(len(begins))) if codes is None else Codes(words.names, codes)
    return np.column_stack([begins, stops]), numbered


def pieces_of(text: str) -> list[str]:
    """List the words of a text as they are spelt.

    Example:
        >>> pieces_of("Type-2 diabetes, not 糖尿.")
        ['Type', '2', 'diabetes', ',', 'not', '糖', '尿', '.']
    """
    return [piece for piece in PIECE.findall(text) if not SKIPPED.match(piece)]


def is_acronym(piece: str) -> bool:
    """Return whether a word is two to four capitals, which may coincide with a word: ALL, AIDS.

    Example:
        >>> is_acronym("ALL"), is_acronym("all"), is_acronym("A"), is_acronym("DISEASE")
        (True, False, False, False)
    """
    return 1 < len(piece) <= LONGEST_ACRONYM and piece.isupper()


def fold(piece: str) -> str:
    """Fold a word: case, compatibility forms and English plurals; an acronym has no plural.

    The result is a key for comparison, not a word of the language.

    Example:
        >>> [fold(word) for word in ("Cats", "biopsies", "metastases", "metastasis", "AIDS", "aids", "gas")]
        ['cat', 'biopsy', 'metastas', 'metastas', 'aids', 'aid', 'gas']
    """
    folded = unicodedata.normalize("NFKC", piece).casefold()
    return folded if is_acronym(piece) else singular(folded)


def singular(word: str) -> str:
    """Fold singular and plural of a regular English noun, in lower case, into one.

    Example:
        >>> [singular(word) for word in ("branch", "branches", "headache", "headaches", "virus", "viruses", "class")]
        ['branch', 'branch', 'headach', 'headach', 'virus', 'virus', 'class']
    """
    if len(word) < SHORTEST_PLURAL:
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > SHORTEST_PLURAL else word[:-1]
    elif word.endswith("sis") and len(word) >= SHORTEST_GREEK:
        word = word[:-2]
    if len(word) >= SHORTEST_PLURAL and word.endswith(("se", "xe", "ze", "che", "she")):
        word = word[:-1]
    return word


def folded(pieces: Sequence[str]) -> str:
    """Fold words into one key.

    Example:
        >>> folded(pieces_of("Breast-Cancers"))
        'breast cancer'
    """
    return " ".join(map(fold, pieces))
