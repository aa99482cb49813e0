"""Vectors from hashed character n-grams: no weights, no meaning, the same on every machine."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix, Progress, silent
from goldassay.core.errors import UsageError
from goldassay.encoders.texts import checked_texts

VERSION = 1
SIZES = (2, 3, 4)
START, END = "\x02", "\x03"
PROGRESS_EVERY = 1024


class HashingEncoder:
    """Encodes spelling: texts that share character n-grams are similar, regardless of their meaning.

    For tests, for trying things out, and for deliberate comparisons of spelling. The default threshold of a fuzzy
    measure is calibrated for MiniLM and does not apply here.

    Source: the signed feature hashing of Weinberger et al. (2009), https://arxiv.org/abs/0902.2206.

    Attributes:
        name: ``hashing-256`` for 256 dimensions.
        fingerprint: Digest of the way of hashing and the dimension.
        dimension: Length of a vector.

    Args:
        dimension: Length of a vector; more dimensions mean fewer collisions.

    Raises:
        UsageError: If the dimension is less than 1.

    Example:
        >>> cat, cats, ship = HashingEncoder().encode(["black cat", "black cats", "steamship"])
        >>> bool(cat @ cats > 0.8 > 0.3 > cat @ ship)
        True
    """

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 1:
            raise UsageError(
                "A vector needs at least one component.",
                found=f"dimension={dimension!r}",
                expected="a positive integer",
            )
        self.dimension = dimension
        self.name = f"hashing-{dimension}"
        self.fingerprint = hashlib.sha256(f"goldassay hashing {VERSION} {SIZES} {dimension}".encode()).hexdigest()

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> FloatMatrix:
        """Encode texts; case is folded.

        Args:
            texts: Any texts.
            progress: Called as texts are done.

        Returns:
            Array of shape (len(texts), dimension), float32, unit rows.

        Raises:
            EncoderError: If an item is not a text.
        """
        words = checked_texts(texts)
        vectors = np.empty((len(words), self.dimension), dtype=np.float32)
        for row, text in enumerate(words):
            vectors[row] = self._vector(text)
            if (row + 1) % PROGRESS_EVERY == 0 or row + 1 == len(words):
                progress("encoding", row + 1, len(words))
        return vectors

    def _vector(self, text: str) -> NDArray[np.float64]:
        digests = b"".join(hashlib.blake2b(gram.encode(), digest_size=8).digest() for gram in _grams(text.casefold()))
        hashes = np.frombuffer(digests, dtype="<u8")
        columns = (hashes % np.uint64(self.dimension)).astype(np.int64)
        signs = 1.0 - 2.0 * (hashes >> np.uint64(63)).astype(np.float64)
        sums = np.bincount(columns, weights=signs, minlength=self.dimension)
        if not sums.any():
            # All signs cancelled: rare, but the text still needs a direction.
            sums[columns[0]] = signs[0]
        unit: NDArray[np.float64] = sums / math.sqrt(float(sums @ sums))
        return unit


def _grams(text: str) -> Iterator[str]:
    marked = f"{START}{text}{END}"
    for size in SIZES:
        for start in range(len(marked) - size + 1):
            yield marked[start : start + size]
