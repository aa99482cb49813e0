"""The texts that every encoder takes, checked once for all of them, and cut into blocks that bound memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix
from goldassay.core.errors import EncoderError, UsageError

UNIT_TOLERANCE = 1e-3
"""How far from 1 the length of a row may lie before it is no unit vector any more; float16 models stay within it."""


def checked_texts(texts: Sequence[str]) -> list[str]:
    r"""Refuse what is no text, before a library in a foreign language does so less kindly.

    Args:
        texts: What the caller wants encoded.

    Returns:
        The same texts as a list.

    Raises:
        EncoderError: If an item is not a string, or holds half of a surrogate pair.
        UsageError: If ``texts`` is one string: its characters are hardly what was meant.

    Example:
        >>> checked_texts(("cat", "猫"))
        ['cat', '猫']
        >>> checked_texts(["\ud800"])
        Traceback (most recent call last):
        goldassay.core.errors.EncoderError: Text 0 is not valid Unicode.
          ...
    """
    if isinstance(texts, str):
        raise UsageError("One text was given where a list of texts belongs.", found=repr(texts), hint=f"[{texts!r}]")
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
            found=f"{text!r}, with half of a surrogate pair at character {error.start}",
            expected="whole characters",
            hint="Read the file as UTF-8, without errors='surrogateescape'.",
        ) from error


def blocks(texts: Sequence[str], *, count: int, characters: int) -> Iterator[slice]:
    """Cut texts into runs of bounded size; a run holds at least one text.

    Args:
        texts: The texts to cut.
        count: The most texts in one run.
        characters: The most characters in one run, unless a single text has more.

    Yields:
        One slice of ``texts`` after the other, together all of it.

    Example:
        >>> [run.stop for run in blocks(["a", "bb", "cccc", "d"], count=3, characters=4)]
        [2, 3, 4]
    """
    start = size = 0
    for row, text in enumerate(texts):
        if row > start and (row - start == count or size + len(text) > characters):
            yield slice(start, row)
            start, size = row, 0
        size += len(text)
    if start < len(texts):
        yield slice(start, len(texts))


def is_unit(vectors: FloatMatrix) -> NDArray[np.bool_]:
    """Tell which rows are unit vectors: finite, and of length 1.

    Args:
        vectors: float32 of shape (n, dimension).

    Returns:
        Boolean array of shape (n,).

    Example:
        >>> is_unit(np.array([[0.6, 0.8], [1.0, 1.0], [np.nan, 0.0]], dtype=np.float32)).tolist()
        [True, False, False]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        squared: NDArray[np.float32] = np.einsum("ij,ij->i", vectors, vectors)
    near: NDArray[np.bool_] = np.abs(squared - 1) < 2 * UNIT_TOLERANCE
    return near
