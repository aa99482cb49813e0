"""MD5 sums of many short texts at once: the rounds of RFC 1321 on columns of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import md5

import numpy as np
from numpy.typing import NDArray

TOGETHER, BLOCK, ROOM = 2**14, 64, 55
"""Texts whose columns stay in the caches, and the bytes of a block, of which a text with its mark and length leaves so many."""
SINES = [np.uint32(int(abs(math.sin(step + 1)) * 2**32)) for step in range(64)]
TURNS = [
    turns[step % 4]
    for turns in ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
    for step in range(16)
]
WORDS = [*range(16), *((5 * step + 1) % 16 for step in range(16)), *((3 * step + 5) % 16 for step in range(16)), *((7 * step) % 16 for step in range(16))]  # fmt: skip
STATE = tuple(map(np.uint32, (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)))


def md5_numbers(texts: Sequence[str], salt: str = "") -> NDArray[np.uint64]:
    """Return the first 64 bits, little-endian, of the MD5 sum of each text with a salt before it, shape (texts,).

    A text that does not fit into one block with the salt is summed by hashlib.

    Source:
        R. Rivest, The MD5 Message-Digest Algorithm, RFC 1321 (1992).

    Example:
        >>> md5_numbers(["cat"], "0").tolist()
        [2646954614780666310]
    """
    start = salt.encode()
    found = np.zeros(len(texts), dtype=np.uint64)
    for first in range(0, len(texts), TOGETHER):
        encoded = [text.encode(errors="surrogatepass") for text in texts[first : first + TOGETHER]]
        sizes = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
        short = np.flatnonzero(sizes <= ROOM - len(start))
        found[first + short] = _numbers(start, [encoded[row] for row in short.tolist()], sizes[short])
        for row in np.flatnonzero(sizes > ROOM - len(start)).tolist():
            digest = md5(start + encoded[row], usedforsecurity=False).digest()
            found[first + row] = int.from_bytes(digest[:8], "little")
    return found


def _numbers(start: bytes, encoded: Sequence[bytes], sizes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Lay texts out as a block each, sum them, and join the two first words of the sums."""
    blocks = np.zeros((len(encoded), BLOCK), dtype=np.uint8)
    blocks[:, : len(start)] = np.frombuffer(start, dtype=np.uint8)
    begins = np.arange(len(encoded)) * BLOCK + len(start)
    places = np.repeat(begins - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))
    flat = blocks.reshape(-1)
    flat[places] = np.frombuffer(b"".join(encoded), dtype=np.uint8)
    flat[begins + sizes] = 0x80
    words = np.ascontiguousarray(blocks.view("<u4").T)
    words[14] = (8 * (len(start) + sizes)).astype(np.uint32)
    a, b = _rounds(words)
    return a.astype(np.uint64) | (b.astype(np.uint64) << np.uint64(32))


def _rounds(words: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Stir the words of each column into the state, 64 times; sums wrap around."""
    a, b, c, d = (np.full(words.shape[1], one, dtype=np.uint32) for one in STATE)
    for step, (word, turn) in enumerate(zip(WORDS, TURNS, strict=True)):
        match step // 16:
            case 0:
                mixed = d ^ (b & (c ^ d))
            case 1:
                mixed = c ^ (d & (b ^ c))
            case 2:
                mixed = b ^ c ^ d
            case _:
                mixed = c ^ (b | ~d)
        mixed += a
        mixed += words[word]
        mixed += SINES[step]
        a, d, c = d, c, b
        b = b + ((mixed << np.uint32(turn)) | (mixed >> np.uint32(32 - turn)))
    return a + STATE[0], b + STATE[1]
