"""The identity of what a model holds: a digest of its items, in any order and from any format."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias
from zlib import adler32, crc32

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import PART, Names, as_names

Hashes: TypeAlias = NDArray[np.uint64]
GAMMA = np.uint64(0x9E3779B97F4A7C15)
"""The odd constant of SplitMix64."""


class TextRows(NamedTuple):
    """A column of texts as numbers: rows of some texts."""

    texts: Any
    rows: NDArray[np.integer[Any]]


Content: TypeAlias = Sequence[Any]
"""Columns of one length: `TextRows`, columns of texts, or numbers that are no rows of texts."""


def digest_content(*tables: Content) -> str:
    """Digest tables, each without regard to the order of its rows; a row that occurs twice counts twice."""
    # The hashes of the rows are added up, so that nothing is sorted; each distinct text is hashed once. The hash is our
    # own, since those of Python and polars differ between versions, and digests are saved.
    found = blake2b(digest_size=16)
    for columns in tables:
        rows: Hashes = np.zeros(1, dtype=np.uint64)
        for column in columns:
            rows = _mix(rows * GAMMA + _hash_column(column))
        sums = np.array([len(rows), rows.sum(), _mix(rows + GAMMA).sum()], dtype="<u8")
        found.update(sums.tobytes())
    return found.hexdigest()


def _hash_column(column: Any) -> Hashes:
    if isinstance(column, TextRows):
        hashes: Hashes = _hash_texts(as_names(column.texts))[column.rows]
        return hashes
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        return _mix(column.astype(np.int64).view(np.uint64))
    return _hash_texts(as_names(column))


def _hash_texts(names: Names) -> Hashes:
    """Hash texts by two checksums of 32 bits: one change of a text has the same with a probability of 2**-32, and no one gains by looking for it."""
    found = np.empty(len(names), dtype=np.uint64)
    # Parts, so that a long column of polars does not become one list.
    for start in range(0, len(names), PART):
        part = names if len(names) <= PART else names.take(np.arange(start, min(start + PART, len(names))))
        data = _encode(part.listed)
        sums = (np.fromiter(map(one, data), dtype=np.uint64, count=len(data)) for one in (crc32, adler32))
        found[start : start + PART] = next(sums) << np.uint64(32) | next(sums)
    return _mix(found)


def _encode(texts: list[str]) -> list[bytes]:
    try:
        return list(map(str.encode, texts))
    except UnicodeEncodeError:  # half of a surrogate pair, as in the name of a file
        return [text.encode("utf-8", "surrogatepass") for text in texts]


def _mix(numbers: Hashes) -> Hashes:
    """Spread each bit over all, by the finaliser of SplitMix64 (Steele, Lea and Flood, 2014)."""
    mixed = numbers + GAMMA
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def bits(numbers: Any) -> NDArray[np.int64]:
    """Return the bits of numbers, int64, shape as they have."""
    return np.ascontiguousarray(numbers, dtype=np.float64).view(np.int64)
