"""Texts and rows as numbers that look random, and are the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.keys import GOLDEN

if TYPE_CHECKING:
    import polars as pl

TOGETHER, WORD = 2**16, 8
"""Texts whose columns stay in the caches, and the bytes that are stirred in at once."""
ODD, HALF = np.uint64(0xD6E8FEB86659FD93), np.uint64(32)
MASKS = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype=np.uint64)


def stirred(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Stir each number so that every bit moves about half of all; no two numbers become one.

    Source:
        degski64 (2018): shifts by half the bits between products with one odd number.
    """
    for _ in range(2):
        numbers = (numbers ^ (numbers >> HALF)) * ODD
    return numbers ^ (numbers >> HALF)


def text_numbers(texts: pl.Series, seed: int) -> NDArray[np.uint64]:
    """Return a number for each text: its bytes are stirred in eight at a time, in UTF-8, after its size and the seed."""
    start = stirred(np.array([seed % 2**64], dtype=np.uint64)) + GOLDEN
    found = np.zeros(len(texts), dtype=np.uint64)
    for first in range(0, len(texts), TOGETHER):
        some = texts.slice(first, TOGETHER)
        data = some.str.join("").item().encode() + bytes(WORD)
        # Eight bytes from any place on, as one number.
        words = np.ndarray(len(data) - WORD + 1, dtype="<u8", buffer=data, strides=(1,))
        left = some.str.len_bytes().to_numpy().astype(np.int64)
        at, rows = np.cumsum(left) - left, np.arange(first, first + len(some))
        found[rows] = start ^ left.astype(np.uint64)
        while len(rows):
            found[rows] = stirred(found[rows] ^ (words[at] & MASKS[np.minimum(left, WORD)]))
            more = left > WORD
            rows, at, left = rows[more], at[more] + WORD, left[more] - WORD
    return found
