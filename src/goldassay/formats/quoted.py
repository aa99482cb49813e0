"""Texts within bytes, compared and numbered where they stand: what readers of many regular records share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Kinds: TypeAlias = NDArray[np.uint8]

QUOTE, SPACE = ord('"'), ord(" ")
WORD = 8
MASKS = np.array([(1 << (8 * size)) - 1 for size in range(WORD + 1)], dtype=np.uint64)
MIXING = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)
"""Products with an odd number overflow; mixed with their upper half they tell nearly all texts apart."""
OTHER, COLON, COMMA, BEGIN, END, EMPTY = range(6)
"""What stands between two texts: none of the separators, and in a record ``{"id": ..., NAME: [...]}`` what is behind a name, between
texts, before the first of the list, behind the last, and in place of a list without texts."""
NEXT = 6
"""What stands between two lists of a list."""
HEADER = 3
"""The texts of a record before those of its list: ``"id"``, the id, and the name of the list."""


class Codes(NamedTuple):
    """Texts, of which each is kept once.

    Attributes:
        names: The distinct texts, in the order in which they first stand there.
        codes: Row of ``names`` of each text, int64, shape (texts,).
    """

    names: list[str]
    codes: Numbers


@dataclass(frozen=True, eq=False)
class Spans:
    """Texts within bytes, compared and numbered where they stand.

    Attributes:
        data: The bytes, and at least eight more.
        starts: Where each text begins, int64, shape (texts,).
        sizes: How many bytes each has, int64, shape (texts,).

    Example:
        >>> spans = Spans(b"cat dog cat" + bytes(8), np.array([0, 4, 8]), np.array([3, 3, 3]))
        >>> spans.listed(), spans.codes().codes.tolist()
        (['cat', 'dog', 'cat'], [0, 1, 0])
    """

    data: bytes
    starts: Numbers
    sizes: Numbers

    def words(self, offset: int = 0) -> Words:
        """Give eight bytes of each text as a number; what lies behind its end is 0."""
        words: Words = np.ndarray((len(self.data) - WORD + 1,), dtype="<u8", buffer=self.data, strides=(1,))
        return words[self.starts + offset] & MASKS[np.minimum(self.sizes - offset, WORD)]

    def only(self, rows: Numbers | NDArray[np.bool_]) -> Spans:
        """Keep some of the texts."""
        return Spans(self.data, self.starts[rows], self.sizes[rows])

    def all_are(self, text: str) -> bool:
        """Say whether all are this one."""
        data = text.encode()
        return bool((self.sizes == len(data)).all()) and all(
            bool((self.words(at) == word_of(data[at : at + WORD])).all()) for at in range(0, len(data), WORD)
        )

    def listed(self) -> list[str]:
        """Give the texts themselves."""
        ends = self.starts + self.sizes
        return [self.data[start:end].decode() for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)]

    def codes(self) -> Codes | None:
        """Number them, equal ones alike; None if different ones have one key, which is not to be expected."""
        import polars as pl

        keys = self.sizes.astype(np.uint64)
        pieces = list(self._pieces())
        for here, words in pieces:
            keys[here] = (keys[here] ^ words) * MIXING
            keys[here] ^= keys[here] >> HALF
        numbered = pl.select(pl.lit(keys).alias("key")).with_row_index("row")
        first = numbered.select(pl.col("row").first().over("key")).to_series().to_numpy()
        if not np.array_equal(self.sizes, self.sizes[first]):
            return None
        place = np.zeros(len(keys), dtype=np.int64)
        for here, words in pieces:
            place[here] = np.arange(len(here))
            if not np.array_equal(words, words[place[first[here]]]):
                return None
        new = first == np.arange(len(keys))
        return Codes(names=self.only(new).listed(), codes=(np.cumsum(new) - 1)[first])

    def _pieces(self) -> Iterator[tuple[Numbers, Words]]:
        """Cut them into words of eight bytes, and say which texts have each."""
        rows, left, offset = np.arange(len(self.starts)), self, 0
        while (more := left.sizes > offset).any():
            rows, left = (rows, left) if more.all() else (rows[more], left.only(more))
            yield rows, left.words(offset)
            offset += WORD


class Quoted(NamedTuple):
    """The texts of lines of JSON that are written alike.

    Attributes:
        texts: What stands between quotes, one after the other.
        kinds: Which separator follows each, uint8, shape (texts,).
        header: The first text of each line, int64, shape (lines,).
        sizes: How many texts each line has, int64, shape (lines,).
    """

    texts: Spans
    kinds: Kinds
    header: Numbers
    sizes: Numbers

    def listed(self) -> NDArray[np.bool_] | None:
        """Say which texts are of the list of a record; None if a record is too short to have one, shape (texts,)."""
        if (self.sizes < HEADER).any():
            return None
        inner = np.ones(len(self.kinds), dtype=np.bool_)
        for place in range(HEADER):
            inner[self.header + place] = False
        return inner

    def are_records(self, name: str, of: str) -> bool:
        """Say whether every line is one record, of an id and a list.

        Args:
            name: What the id is called.
            of: What the list is called.
        """
        behind = self.kinds[self.header + 2]
        return bool(
            self.texts.only(self.header).all_are(name)
            and self.texts.only(self.header + 2).all_are(of)
            and (self.kinds[self.header] == COLON).all()
            and (self.kinds[self.header + 1] == COMMA).all()
            and (behind == np.where(self.sizes == HEADER, EMPTY, BEGIN)).all()
        )


def quoted_lines(data: bytes, separators: Mapping[int, Sequence[str]], ends: Sequence[int]) -> Quoted | None:
    r"""Find the texts of lines of JSON in which nothing stands between texts but a few separators, which are compared as numbers.

    Args:
        data: Whole lines.
        separators: What may stand between two texts, of at most eight bytes each, by a number that is not `OTHER`; the last text of a
            line is followed by what begins the next line, too.
        ends: The numbers of the separators that end a line.

    Returns:
        The texts; None if a line has an escape, or anything else between texts, which says nothing of whether it can be read.

    Example:
        >>> quoted_lines(b'{"id": "d"}\n', {1: (": ",), 2: ("}\n{",)}, (2,)).texts.listed()
        ['id', 'd']
    """
    data = data if data.endswith(b"\n") else data + b"\n"
    lines = data.count(b"\n")
    laid = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(laid == QUOTE)
    if (
        not len(quotes)
        or b"\\" in data
        or np.count_nonzero(laid < SPACE) != lines
        or len(quotes) % 2
        or not _is_utf8(data)
    ):
        return None
    # The last line ends as the others do: with the beginning of a next one.
    data += b"{" + bytes(WORD)
    first, last = quotes[0::2], quotes[1::2]
    texts = Spans(data, first + 1, last - first - 1)
    kinds = _kinds(Spans(data, last + 1, np.append(first[1:], len(data) - WORD) - last - 1), separators)
    ended = np.flatnonzero(np.isin(kinds, ends))
    if data[: first[0]] != b"{" or (kinds == OTHER).any() or len(ended) != lines or ended[-1] != len(kinds) - 1:
        return None
    header = np.append(0, ended[:-1] + 1)
    return Quoted(texts, kinds, header, np.diff(np.append(header, len(kinds))))


def _kinds(gaps: Spans, separators: Mapping[int, Sequence[str]]) -> Kinds:
    """Say of what stands between texts which separator it is."""
    kinds = np.zeros(len(gaps.starts), dtype=np.uint8)
    if gaps.sizes.max(initial=0) <= WORD:
        words = gaps.words()
        for kind, written in separators.items():
            for text in written:
                # No control character but the line break stands there, so that the number says the length too.
                kinds += np.uint8(kind) * (words == word_of(text.encode()))
    return kinds


def word_of(data: bytes) -> np.uint64:
    """Give up to eight bytes as a number.

    Example:
        >>> int(word_of(b"a"))
        97
    """
    return np.uint64(int.from_bytes(data, "little"))


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False
