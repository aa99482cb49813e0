"""Encoders without weights: hashed character n-grams, the same on every machine; and any function of texts."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix, Progress, ignore_progress
from goldassay.core.errors import EncoderError, UsageError
from goldassay.encoders.texts import check_texts, row_lengths, unit_rows
from goldassay.kernels.cosine import UNIT_TOLERANCE

BATCH = 4096
PROBE = ("leukemia", "A cat is a pet.", "42")
"""Texts whose vectors identify a function: its code and its weights cannot be seen."""
ROUNDED = 3
"""Decimal places of the fingerprint; other hardware moves the last bits of a vector."""
VERSION = 1
SIZES = (2, 3, 4)
START, END = "\x02", "\x03"
PROGRESS_EVERY = 1024


class FunctionEncoder:
    """Encodes with a function from a list of texts to an array of numbers, one row for each text.

    Rows of another length than 1 are normalised, and the name says so from then on. Vectors are not cached on disk, since
    it cannot be known whether the function is still the same.

    Attributes:
        name: The name of the function, and ``+normalised`` if its rows were.
        fingerprint: sha256 of the vectors of three short texts, rounded to three places; of the name, if the function does
            not know these texts.
        dimension: Length of a vector; 0 before the first one.

    Args:
        function: Takes a list of texts, and returns an array of shape (texts, dimension), or what NumPy makes one of.

    Raises:
        EncoderError: If the function returns something else.

    Example:
        >>> encoder = FunctionEncoder(lambda texts: [[len(text), 1.0] for text in texts])
        >>> encoder.encode(["cat"]).round(2).tolist(), encoder.name
        ([[0.9..., 0.3...]], '<lambda>+normalised')
    """

    def __init__(self, function: Callable[[list[str]], Any]) -> None:
        self._function = function
        self._own_name = getattr(function, "__qualname__", type(function).__name__).rpartition("<locals>.")[2]
        self._normalises = False
        self.dimension = 0
        self.fingerprint = hashlib.sha256(self._probe()).hexdigest()

    def _probe(self) -> bytes:
        try:
            # Adding 0 makes a negative zero a positive one.
            return (np.round(self._rows(list(PROBE)), ROUNDED) + np.float32(0)).tobytes()
        except Exception:  # noqa: BLE001 - a function may know its own texts only: then its name is all that is known
            return self._own_name.encode()

    @property
    def name(self) -> str:
        """The name of the function, and whether its rows were normalised."""
        return f"{self._own_name}+normalised" if self._normalises else self._own_name

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Encode texts.

        Args:
            texts: Any texts.
            progress: Called after each batch.

        Returns:
            Array of shape (len(texts), dimension), float32, unit rows.

        Raises:
            EncoderError: If the function returns another shape, or a row that is zero, NaN or infinite; names the text.
        """
        words = check_texts(texts)
        batches = []
        for start in range(0, len(words), BATCH):
            batches.append(self._rows(words[start : start + BATCH]))
            progress("encoding", start + len(batches[-1]), len(words))
        return np.concatenate(batches) if batches else np.empty((0, self.dimension), dtype=np.float32)

    def _rows(self, texts: list[str]) -> FloatMatrix:
        returned = self._function(texts)
        try:
            with np.errstate(over="ignore"):
                found: FloatMatrix = np.asarray(returned, dtype=np.float32)
        except (TypeError, ValueError, RuntimeError) as error:
            # PyTorch refuses rows with gradients by a RuntimeError, and says what to do.
            raise self._unlike(f"{type(returned).__name__}: {error}", len(texts)) from error
        width = self.dimension or (found.shape[-1] if found.ndim else 0)
        if found.shape != (len(texts), width) or not width:
            raise self._unlike(f"the shape {found.shape}", len(texts))
        unit = unit_rows(found, texts, owner=f"The function {self._own_name}")
        self.dimension = width
        self._normalises |= bool((np.abs(row_lengths(found) ** 2 - 1) > UNIT_TOLERANCE).any())
        return unit

    def _unlike(self, found: str, count: int) -> EncoderError:
        return EncoderError(
            f"The function {self._own_name} did not return one row of numbers for each text.",
            found=f"{found} for {count:,} texts",
            expected=f"the shape ({count}, {self.dimension or 'dimension'})",
        )


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

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Encode texts; case is folded.

        Args:
            texts: Any texts.
            progress: Called as texts are done.

        Returns:
            Array of shape (len(texts), dimension), float32, unit rows.

        Raises:
            EncoderError: If an item is not a text.
        """
        words = check_texts(texts)
        vectors = np.empty((len(words), self.dimension), dtype=np.float32)
        for row, text in enumerate(words):
            vectors[row] = self._vector(text)
            if (row + 1) % PROGRESS_EVERY == 0 or row + 1 == len(words):
                progress("encoding", row + 1, len(words))
        return vectors

    def _vector(self, text: str) -> NDArray[np.float64]:
        digests = b"".join(map(_digest, _grams(text.casefold())))
        hashes = np.frombuffer(digests, dtype="<u8")
        columns = (hashes % np.uint64(self.dimension)).astype(np.int64)
        signs = 1.0 - 2.0 * (hashes >> np.uint64(63)).astype(np.float64)
        sums = np.bincount(columns, weights=signs, minlength=self.dimension)
        if not sums.any():
            # All signs cancelled: rare, but the text still needs a direction.
            sums[columns[0]] = signs[0]
        unit: NDArray[np.float64] = sums / math.sqrt(float(sums @ sums))
        return unit


@lru_cache(2**14)
def _digest(gram: str) -> bytes:
    """Digest one of the few thousand n-grams that most texts are made of."""
    return hashlib.blake2b(gram.encode(), digest_size=8).digest()


def _grams(text: str) -> Iterator[str]:
    marked = f"{START}{text}{END}"
    for size in SIZES:
        for start in range(len(marked) - size + 1):
            yield marked[start : start + size]
