"""Vectors that somebody has computed already, with any model anywhere, from a file."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix, Progress, silent
from goldassay.core.errors import EncoderError, unknown_choice
from goldassay.encoders.texts import checked_texts

SUFFIXES = (".npz", ".parquet")
NAMED = 5
"""How many missing texts an error names."""


class PrecomputedEncoder:
    """Looks vectors up in a file: ``.npz`` or ``.parquet``.

    An ``.npz`` holds the arrays ``texts`` (strings, shape (n,)) and ``vectors`` (numbers, shape (n, dimension)), as
    ``numpy.savez("vectors.npz", texts=numpy.array(texts, dtype=str), vectors=vectors)`` writes them. A ``.parquet``
    holds the columns ``text`` and ``vector`` (a list or array of numbers). Rows are scaled to length 1.

    Attributes:
        name: ``precomputed:`` and the name of the file.
        fingerprint: sha256 of the texts and their vectors; the order of rows does not move it.
        dimension: Length of a vector.

    Args:
        path: The file.

    Raises:
        EncoderError: If the file cannot be read, a vector is not a direction, or one text has two vectors.
        UsageError: If the file name ends in neither ``.npz`` nor ``.parquet``.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "vectors.npz"
        >>> np.savez(path, texts=np.array(["cat", "dog"]), vectors=np.array([[3.0, 4.0], [0.0, 2.0]]))
        >>> PrecomputedEncoder(path).encode(["dog", "cat"]).round(1).tolist()
        [[0.0, 1.0], [0.6..., 0.8...]]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        texts, raw = _read(self.path)
        self._vectors = _unit_rows(self.path, texts, raw)
        self._rows = _distinct_rows(self.path, texts, self._vectors)
        self.name = f"precomputed:{self.path.name}"
        self.dimension = self._vectors.shape[1]
        self.fingerprint = _fingerprint(self._rows, self._vectors)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> FloatMatrix:
        """Look texts up, exactly as they are spelled.

        Args:
            texts: Texts that the file holds.
            progress: Called once, when all are found.

        Returns:
            Array of shape (len(texts), dimension), float32, unit rows.

        Raises:
            EncoderError: If the file lacks a text, or an item is not a text.
        """
        words = checked_texts(texts)
        missing = [word for word in dict.fromkeys(words) if word not in self._rows]
        if missing:
            named = ", ".join(map(repr, missing[:NAMED])) + (", ..." if len(missing) > NAMED else "")
            raise EncoderError(
                f"{len(missing):,} of {len(set(words)):,} texts have no vector in this file.",
                path=self.path,
                found=named,
                expected="a vector for every text, spelled exactly alike",
                hint="Compute the missing vectors with the same model and add them to the file.",
            )
        progress("encoding", len(words), len(words))
        return self._vectors[np.fromiter((self._rows[word] for word in words), dtype=np.int64, count=len(words))]


def _read(path: Path) -> tuple[list[str], NDArray[np.generic]]:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise unknown_choice("kind of vector file", suffix or path.name, SUFFIXES)
    if not path.is_file():
        raise EncoderError("There is no such file of vectors.", path=path, hint="Check the path.")
    texts, vectors = _read_npz(path) if suffix == ".npz" else _read_parquet(path)
    if vectors.ndim != 2 or vectors.shape[1] == 0 or vectors.dtype.kind not in "fiu":  # noqa: PLR2004 - rows, columns
        raise EncoderError(
            "The vectors are not a table of numbers.",
            path=path,
            found=f"shape {vectors.shape}, {vectors.dtype}",
            expected="shape (texts, dimension), numbers",
        )
    if len(texts) != len(vectors):
        raise EncoderError(
            "Texts and vectors do not pair up.",
            path=path,
            found=f"{len(texts):,} texts, {len(vectors):,} vectors",
            expected="as many of one as of the other",
        )
    return texts, vectors


def _read_npz(path: Path) -> tuple[list[str], NDArray[np.generic]]:
    expected = "arrays named texts (strings) and vectors (numbers)"
    hint = "numpy.savez(path, texts=numpy.array(texts, dtype=str), vectors=vectors)"
    try:
        with np.load(path, allow_pickle=False) as arrays:
            texts, vectors = arrays["texts"], arrays["vectors"]
    except KeyError as error:
        raise EncoderError("An array is missing.", path=path, found=str(error), expected=expected, hint=hint) from error
    except (AttributeError, EOFError, OSError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise EncoderError(
            "This is not a NumPy .npz file that can be read safely.",
            path=path,
            found=str(error),
            expected=expected,
            hint=hint,
        ) from error
    if texts.ndim != 1 or texts.dtype.kind != "U":
        found = f"texts of shape {texts.shape}, {texts.dtype}"
        raise EncoderError("The texts are not strings.", path=path, found=found, expected=expected, hint=hint)
    return texts.tolist(), vectors


def _read_parquet(path: Path) -> tuple[list[str], NDArray[np.generic]]:
    import polars as pl

    expected = "columns text (strings) and vector (lists of numbers)"
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise EncoderError("This is not a Parquet file.", path=path, found=str(error), expected=expected) from error
    types = {name: frame.schema.get(name) for name in ("text", "vector")}
    if types["text"] != pl.String or not isinstance(types["vector"], pl.List | pl.Array):
        found = ", ".join(f"{name}: {dtype}" for name, dtype in frame.schema.items())
        raise EncoderError("The columns are not those of vectors.", path=path, found=found, expected=expected)
    lists = frame["vector"].cast(pl.List(types["vector"].inner))
    lengths = lists.list.len().unique().to_list()
    if frame["text"].null_count() or lists.null_count() or len(lengths) != 1:
        raise EncoderError(
            "Some rows have no text, no vector, or a vector of another length.",
            path=path,
            found=f"{frame['text'].null_count()} rows without text, {lists.null_count()} without vector, "
            f"vectors of length {', '.join(map(str, sorted(filter(None, lengths))))}",
            expected="a text and a vector in every row, all of one length",
        )
    return frame["text"].to_list(), lists.explode().to_numpy().reshape(len(frame), -1)


def _unit_rows(path: Path, texts: list[str], raw: NDArray[np.generic]) -> FloatMatrix:
    with np.errstate(over="ignore"):
        vectors: FloatMatrix = np.asarray(raw, dtype=np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    bad = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if len(bad):
        raise EncoderError(
            f"{len(bad):,} of {len(texts):,} vectors are no direction.",
            path=path,
            found=f"zeros only, NaN or infinity for {texts[bad[0]]!r} (row {bad[0]})",
            expected="finite numbers, not all of them zero",
            hint="Compute these vectors anew, or leave their rows out.",
        )
    unit: FloatMatrix = vectors / lengths.astype(np.float32)[:, None]
    return unit


def _distinct_rows(path: Path, texts: list[str], vectors: FloatMatrix) -> dict[str, int]:
    rows: dict[str, int] = {}
    for row, text in enumerate(checked_texts(texts)):
        first = rows.setdefault(text, row)
        if first != row and not np.array_equal(vectors[first], vectors[row]):
            raise EncoderError(
                "One text has two vectors.",
                path=path,
                found=f"{text!r} in rows {first} and {row}",
                expected="one vector a text",
                hint="Leave one of the rows out.",
            )
    return rows


def _fingerprint(rows: dict[str, int], vectors: FloatMatrix) -> str:
    texts = sorted(rows)
    lengths = np.fromiter(map(len, texts), dtype="<i8", count=len(texts))
    digest = hashlib.sha256(np.array(vectors.shape[1], dtype="<i8").tobytes())
    digest.update(lengths.tobytes())
    digest.update("".join(texts).encode())
    digest.update(vectors[[rows[text] for text in texts]].astype("<f4", copy=False).tobytes())
    return digest.hexdigest()
