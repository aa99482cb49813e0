"""The texts that every encoder takes, checked once for all of them, and cut into blocks that bound memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix
from goldassay.core.errors import EncoderError, UsageError
from goldassay.kernels.cosine import UNIT_TOLERANCE, row_chunks

SHORTEST, LONGEST = 1e-18, 1e18
"""No model returns vectors with lengths outside these bounds, whose squares do not fit into float32."""


def check_texts(texts: Sequence[str]) -> list[str]:
    r"""Reject items that are not texts, with a clearer message than that of a native library.

    Example:
        >>> check_texts(("cat", "猫"))
        ['cat', '猫']
        >>> check_texts(["\ud800"])
        Traceback (most recent call last):
        goldassay.core.errors.EncoderError: Text 0 is not valid Unicode.
          ...
    """
    if isinstance(texts, str):
        raise UsageError("A single text was given instead of a list of texts.", found=repr(texts), hint=f"[{texts!r}]")
    checked = list(texts)
    for row, text in enumerate(checked):
        if not isinstance(text, str):
            raise EncoderError(f"Item {row} is not a text.", found=repr(text), expected="a str")
        if not text.isascii():
            _check_unicode(row, text)
    return checked


def _check_unicode(row: int, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise EncoderError(
            f"Text {row} is not valid Unicode.",
            found=f"{text!r}, with a lone surrogate at character {error.start}",
            expected="text without lone surrogates",
            hint="Read the file as UTF-8, without errors='surrogateescape'.",
        ) from error


def blocks(texts: Sequence[str], *, count: int, characters: int) -> Iterator[slice]:
    """Cut texts into runs of bounded size; a run holds at least one text."""
    start = size = 0
    for row, text in enumerate(texts):
        if row > start and (row - start == count or size + len(text) > characters):
            yield slice(start, row)
            start, size = row, 0
        size += len(text)
    if start < len(texts):
        yield slice(start, len(texts))


def is_unit(vectors: FloatMatrix) -> NDArray[np.bool_]:
    """Return which rows are unit vectors, with the tolerance of the kernels."""
    lengths = row_lengths(vectors)
    near: NDArray[np.bool_] = np.abs(lengths * lengths - 1) <= UNIT_TOLERANCE
    return near


def row_lengths(vectors: FloatMatrix) -> NDArray[np.float64]:
    """Compute the lengths of rows; rows that are not finite have a length that is not finite."""
    lengths = np.empty(len(vectors), dtype=np.float64)
    for part in row_chunks(len(vectors), vectors.shape[1]):
        chunk = vectors[part].astype(np.float64)
        lengths[part] = np.sqrt(np.vecdot(chunk, chunk))
    return lengths


def unit_rows(
    vectors: FloatMatrix, texts: Sequence[str], *, owner: str, path: str | PathLike[str] | None = None
) -> FloatMatrix:
    """Scale rows to length 1; rows without a direction are an error.

    Example:
        >>> unit_rows(np.array([[3.0, 4.0]], dtype=np.float32), ["cat"], owner="The file").round(1).tolist()
        [[0.6..., 0.8...]]
    """
    lengths = row_lengths(vectors)
    bad = np.flatnonzero(~((lengths >= SHORTEST) & (lengths <= LONGEST)))
    if len(bad):
        row = int(bad[0])
        raise EncoderError(
            f"{owner} returns vectors without a direction for {len(bad):,} of {len(texts):,} texts.",
            path=path,
            found=f"a vector of length {lengths[row]:g} for {texts[row]!r} (row {row})",
            expected=f"finite numbers, not all of them zero, of a length between {SHORTEST:g} and {LONGEST:g}",
            hint="recompute these vectors, or remove their texts",
        )
    unit: FloatMatrix = vectors / lengths.astype(np.float32)[:, None]
    return unit
