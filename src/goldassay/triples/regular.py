"""JSON Lines that are all written alike, read from the places of their quotes: nothing is parsed, and everything is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.triples.answers import SLOTS, Batch, Codes, Numbers
from goldassay.triples.batches import batch_of

Words: TypeAlias = NDArray[np.uint64]
Kinds: TypeAlias = NDArray[np.uint8]

QUOTE, SPACE = ord('"'), ord(" ")
WORD = 8
MASKS = np.array([(1 << (8 * size)) - 1 for size in range(WORD + 1)], dtype=np.uint64)
MIXING = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)
"""Products with an odd number overflow; mixed with their upper half they tell nearly all texts apart."""
OTHER, COLON, COMMA, BEGIN, NEXT, END, EMPTY = range(7)
BETWEEN = {
    COLON: (": ", ":"),
    COMMA: (", ", ","),
    BEGIN: (": [[", ":[["),
    NEXT: ("], [", "],["),
    END: ("]]}\n{",),
    EMPTY: (": []}\n{", ":[]}\n{"),
}
"""What stands between two texts, each in a word of eight bytes."""
HEADER = 3
"""``"id"``, the id and ``"triples"`` come before the slots."""


@dataclass(frozen=True, eq=False)
class _Texts:
    """Texts within bytes.

    Attributes:
        data: The bytes, and at least eight more.
        starts: Where each text begins, int64, shape (texts,).
        sizes: How many bytes each has, int64, shape (texts,).
    """

    data: bytes
    starts: Numbers
    sizes: Numbers

    def words(self, offset: int = 0) -> Words:
        """Give eight bytes of each text as a number; what lies behind its end is 0."""
        words: Words = np.ndarray((len(self.data) - WORD + 1,), dtype="<u8", buffer=self.data, strides=(1,))
        return words[self.starts + offset] & MASKS[np.minimum(self.sizes - offset, WORD)]

    def only(self, rows: Numbers | NDArray[np.bool_]) -> _Texts:
        """Keep some of the texts."""
        return _Texts(self.data, self.starts[rows], self.sizes[rows])

    def all_are(self, text: str) -> bool:
        """Say whether all are this one, of up to eight bytes."""
        return bool((self.sizes == len(text)).all() and (self.words() == _word(text)).all())

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


def regular_records(data: bytes, *, first: int) -> Batch | None:
    r"""Read lines that are all written as ``json.dumps`` writes ``{"id": ..., "triples": [[...]]}``, without escapes.

    Between the quotes of such lines stand a few separators alone, each of at most eight bytes, which are compared as numbers.

    Args:
        data: Whole lines.
        first: The number of the first of them.

    Returns:
        The documents; None if any line is of another shape, which says nothing of whether it can be read.

    Example:
        >>> regular_records(b'{"id": "d", "triples": [["Oslo", "in", "Norway"]]}\n', first=1).slots.names
        ['Oslo', 'in', 'Norway']
        >>> regular_records(b'{"id": "d", "triples": [["Oslo", "in", null]]}\n', first=1)
    """
    data = data if data.endswith(b"\n") else data + b"\n"
    lines = data.count(b"\n")
    laid = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(laid == QUOTE)
    if (
        not lines
        or not len(quotes)
        or b"\\" in data
        or np.count_nonzero(laid < SPACE) != lines
        or len(quotes) % 2
        or not _is_utf8(data)
    ):
        return None
    # The last line ends as the others do: with the beginning of a next one.
    data += b"{" + bytes(WORD)
    begins, ends = quotes[0::2], quotes[1::2]
    texts = _Texts(data, begins + 1, ends - begins - 1)
    gaps = _Texts(data, ends + 1, np.append(begins[1:], len(data) - WORD) - ends - 1)
    kinds = _kinds(gaps)
    last = np.flatnonzero((kinds == END) | (kinds == EMPTY))
    if data[: begins[0]] != b"{" or (kinds == OTHER).any() or len(last) != lines or last[-1] != len(kinds) - 1:
        return None
    header = np.append(0, last[:-1] + 1)
    sizes = np.diff(np.append(header, len(kinds))) - HEADER
    slots = np.ones(len(kinds) + HEADER, dtype=np.bool_)
    for place in range(HEADER):
        slots[header + place] = False
    slots = slots[: len(kinds)]
    if not _is_regular(texts, kinds, header, sizes, kinds[slots]):
        return None
    found = texts.only(slots).codes()
    if found is None:
        return None
    return batch_of(
        ids=texts.only(header + 1).listed(),
        texts=[""] * lines,
        lines=range(first, first + lines),
        sizes=sizes // len(SLOTS),
        slots=found,
    )


def _is_regular(texts: _Texts, kinds: Kinds, header: Numbers, sizes: Numbers, slots: Kinds) -> bool:
    """Say whether every record has its id and its triples, and every triple three slots."""
    if (sizes < 0).any() or (sizes % len(SLOTS)).any():
        return False
    triples = slots.reshape(-1, len(SLOTS))
    return bool(
        texts.only(header).all_are("id")
        and texts.only(header + 2).all_are("triples")
        and (kinds[header] == COLON).all()
        and (kinds[header + 1] == COMMA).all()
        and (kinds[header + 2] == np.where(sizes == 0, EMPTY, BEGIN)).all()
        and (triples[:, :2] == COMMA).all()
        and ((triples[:, 2] == NEXT) | (triples[:, 2] == END)).all()
    )


def _kinds(gaps: _Texts) -> Kinds:
    """Say of what stands between texts which separator it is."""
    kinds = np.zeros(len(gaps.starts), dtype=np.uint8)
    if gaps.sizes.max(initial=0) <= WORD:
        words = gaps.words()
        for kind, written in BETWEEN.items():
            for text in written:
                # No control character stands there, so that the number says the length too.
                kinds += np.uint8(kind) * (words == _word(text))
    return kinds


def _word(text: str) -> np.uint64:
    return np.uint64(int.from_bytes(text.encode(), "little"))


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False
