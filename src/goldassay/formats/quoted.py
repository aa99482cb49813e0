"""Texts within bytes, compared and numbered where they stand: what readers of many regular records share."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

WORD = 8
MASKS = np.array([(1 << (8 * size)) - 1 for size in range(WORD + 1)], dtype=np.uint64)
MIXING = np.uint64(0x9E3779B97F4A7C15)
NONE = -1
STRIP = 2**15
"""So many texts are numbered at once: what is made for them stays in the cache of a processor."""
HALF = np.uint64(32)
"""Products with an odd number overflow; mixed with their upper half they tell nearly all texts apart."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Texts within bytes, compared and numbered where they stand.

    Attributes:
        data: The bytes, and at least eight more.
        starts: Where each text begins, int64, shape (texts,).
        sizes: How many bytes each has, int64, shape (texts,).

    Example:
        >>> spans = Spans(b"cat dog cat" + bytes(8), np.array([0, 4, 8]), np.array([3, 3, 3]))
        >>> spans.listed(), Vocabulary().codes(spans).tolist()
        (['cat', 'dog', 'cat'], [0, 1, 0])
    """

    data: bytes
    starts: Numbers
    sizes: Numbers

    def words(self, offset: int = 0) -> Words:
        """Give eight bytes of each text as a number; what lies behind its end is 0."""
        words: Words = np.ndarray((len(self.data) - WORD + 1,), dtype="<u8", buffer=self.data, strides=(1,))
        return words[self.starts + offset] & MASKS[np.minimum(self.sizes - offset, WORD)]

    def only(self, rows: Numbers | NDArray[np.bool_] | slice) -> Spans:
        """Keep some of the texts."""
        return Spans(self.data, self.starts[rows], self.sizes[rows])

    def listed(self) -> list[str]:
        """Give the texts themselves."""
        ends = self.starts + self.sizes
        return [self.data[start:end].decode() for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)]

    def pieces(self) -> Iterator[tuple[Numbers | slice, Words]]:
        """Cut them into words of eight bytes, and say which texts have each."""
        rows: Numbers | slice = slice(None)
        left, offset = self, 0
        while (more := left.sizes > offset).any():
            if not more.all():
                rows, left = np.flatnonzero(self.sizes > offset), left.only(more)
            yield rows, left.words(offset)
            offset += WORD


class Codes(NamedTuple):
    """Texts, of which each is kept once.

    Attributes:
        names: The distinct texts, in the order in which they first stand there; further ones may be added to the list.
        codes: Row of ``names`` of each text, int64, shape (texts,).
    """

    names: list[str]
    codes: Numbers


@dataclass(eq=False)
class Vocabulary:
    """Distinct texts, numbered in the order in which they are first seen, in however many parts they come.

    Texts are looked up by a key of 64 bits in a table with open addressing, and compared whole with the one that is found.

    Attributes:
        names: The texts.

    Example:
        >>> texts = Vocabulary()
        >>> [texts.codes(Spans(part + bytes(8), np.array([0, 4]), np.array([3, 3]))).tolist() for part in (b"cat dog", b"dog cow")]
        [[0, 1], [1, 2]]
        >>> texts.names
        ['cat', 'dog', 'cow']
    """

    names: list[str] = field(default_factory=list)
    _keys: array[int] = field(default_factory=lambda: array("Q"))
    _sizes: array[int] = field(default_factory=lambda: array("q"))
    _words: array[int] = field(default_factory=lambda: array("Q"))
    _begins: array[int] = field(default_factory=lambda: array("q"))
    _table: Numbers = field(default_factory=lambda: np.full(2, NONE, dtype=np.int64))

    def codes(self, texts: Spans) -> Numbers | None:
        """Number texts, equal ones alike, and keep those that are new."""
        found = [self._codes(texts.only(slice(start, start + STRIP))) for start in range(0, len(texts.starts), STRIP)]
        known = [codes for codes in found if codes is not None]
        return np.concatenate([np.zeros(0, dtype=np.int64), *known]) if len(known) == len(found) else None

    def _codes(self, texts: Spans) -> Numbers | None:
        keys, pieces = texts.sizes.astype(np.uint64), list(texts.pieces())
        for here, words in pieces:
            mixed = (keys[here] ^ words) * MIXING
            keys[here] = mixed ^ (mixed >> HALF)
        codes = self._looked_up(keys)
        new = np.flatnonzero(codes == NONE)
        if len(new):
            first, which = _firsts(keys[new])
            codes[new] = len(self.names) + which
            self._add(texts.only(new[first]), keys[new[first]])
        if not np.array_equal(texts.sizes, np.frombuffer(self._sizes, dtype=np.int64)[codes]):
            return None
        kept, begins = np.frombuffer(self._words, dtype=np.uint64), np.frombuffer(self._begins, dtype=np.int64)[codes]
        same = (np.array_equal(words, kept[begins[here] + at]) for at, (here, words) in enumerate(pieces))
        return codes if all(same) else None

    def _looked_up(self, keys: Words) -> Numbers:
        """Give the code of each key, `NONE` for those that are new."""
        places, known = self._places(keys), np.frombuffer(self._keys, dtype=np.uint64)
        codes = self._table[places]
        if not self.names:
            return codes
        left = np.flatnonzero((known[codes] != keys) & (codes != NONE))
        while len(left):
            places[left] = self._next(places[left])
            codes[left] = there = self._table[places[left]]
            left = left[(known[there] != keys[left]) & (there != NONE)]
        return codes

    def _add(self, texts: Spans, keys: Words) -> None:
        """Keep new texts, each there once."""
        before = len(self.names)
        self.names += texts.listed()
        ends = np.cumsum(-(-texts.sizes // WORD)) + len(self._words)
        begins = np.append(len(self._words), ends)[:-1]
        words = np.zeros(ends[-1] - len(self._words), dtype=np.uint64)
        for at, (here, piece) in enumerate(texts.pieces()):
            words[begins[here] - len(self._words) + at] = piece
        for column, added in (
            (self._keys, keys),
            (self._sizes, texts.sizes),
            (self._begins, begins),
            (self._words, words),
        ):
            column.frombytes(added.tobytes())
        if 2 * len(self.names) > len(self._table):
            # Half of the places are free at least, so that few keys are looked for in more than two.
            self._table = np.full(2 << (2 * len(self.names)).bit_length(), NONE, dtype=np.int64)
            before = 0
        self._enter(np.arange(before, len(self.names)))

    def _enter(self, codes: Numbers) -> None:
        """Put codes into the table, each at the first free place for its key."""
        places = self._places(np.frombuffer(self._keys, dtype=np.uint64)[codes])
        while len(codes):
            free = self._table[places] == NONE
            self._table[places[free]] = codes[free]
            left = self._table[places] != codes
            codes, places = codes[left], self._next(places[left])

    def _places(self, keys: Words) -> Numbers:
        return (keys >> np.uint64(WORD * 8 + 1 - len(self._table).bit_length())).astype(np.int64)

    def _next(self, places: Numbers) -> Numbers:
        return (places + 1) & (len(self._table) - 1)


def _firsts(keys: Words) -> tuple[Numbers, Numbers]:
    """Find where each distinct key first stands, in that order, and say of each key which of them it is."""
    order = np.argsort(keys)
    new = np.diff(keys[order], prepend=~keys[order[:1]]) != 0
    first = np.minimum.reduceat(order, np.flatnonzero(new))
    by_place = np.argsort(first)
    rank = np.empty_like(by_place)
    rank[by_place] = np.arange(len(by_place))
    which = np.empty_like(order)
    which[order] = rank[np.cumsum(new) - 1]
    return first[by_place], which
