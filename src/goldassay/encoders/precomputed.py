"""Precomputed vectors of any model, read from a file."""

from __future__ import annotations

import hashlib
import math
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix, Progress, ignore_progress
from goldassay.core.errors import EncoderError, InputError, convert_errors, unknown_choice_error
from goldassay.core.libraries import pl
from goldassay.core.limits import check_unpacked
from goldassay.encoders.texts import check_texts, unit_rows
from goldassay.formats.parquet import BAD_PARQUET, scan_parquet
from goldassay.formats.source import check_file, load, polars_errors

SUFFIXES = (".npz", ".parquet")
SHOWN = 200
NAMED = 5
"""How many missing texts an error names."""


class PrecomputedEncoder:
    """Looks vectors up in a file: ``.npz`` or ``.parquet``.

    An ``.npz`` holds the arrays ``texts`` (strings, shape (n,)) and ``vectors`` (numbers, shape (n, dimension)), as
    ``numpy.savez("vectors.npz", texts=numpy.array(texts, dtype=str), vectors=vectors)`` writes them. A ``.parquet``
    holds the columns ``text`` and ``vector`` (a list or array of numbers). Rows are scaled to length 1.

    Attributes:
        name: ``precomputed:`` and the name of the file.
        fingerprint: sha256 of the texts and their vectors, independent of the order of rows.
        dimension: Length of a vector.

    Args:
        path: The file.

    Raises:
        EncoderError: If the file cannot be read, a vector has no direction, or a text has two vectors.
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
        with np.errstate(over="ignore"):
            vectors: FloatMatrix = np.asarray(raw, dtype=np.float32)
        self._vectors = unit_rows(vectors, texts, owner="The file", path=self.path)
        self._rows = _distinct_rows(self.path, texts, self._vectors)
        self.name = f"precomputed:{self.path.name}"
        self.dimension = self._vectors.shape[1]
        self.fingerprint = _fingerprint(self._rows, self._vectors)

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process, in another folder, reads the file itself.
        return type(self), (self.path.absolute(),)

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Look texts up, exactly as they are spelled.

        Args:
            texts: Texts that the file holds.
            progress: Called once, when all are found.

        Returns:
            Array of shape (len(texts), dimension), float32, unit rows.

        Raises:
            EncoderError: If the file lacks a text, or an item is not a text.
        """
        words = check_texts(texts)
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
        raise unknown_choice_error("kind of vector file", suffix or path.name, SUFFIXES)
    try:
        check_file(path)
    except InputError as error:
        raise EncoderError(
            error.message, path=path, found=error.found, expected="a file of vectors", hint=error.hint
        ) from error
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
            "The numbers of texts and vectors differ.",
            path=path,
            found=f"{len(texts):,} texts, {len(vectors):,} vectors",
            expected="equal numbers of texts and vectors",
        )
    return texts, vectors


def _read_npz(path: Path) -> tuple[list[str], NDArray[np.generic]]:
    expected = "arrays named texts (strings) and vectors (numbers)"
    hint = "numpy.savez(path, texts=numpy.array(texts, dtype=str), vectors=vectors)"
    with convert_errors(
        "numpy", "This is not a NumPy .npz file that can be read safely.", path=path, kind=EncoderError, hint=hint
    ):
        _check_archive(path)
        with np.load(path, allow_pickle=False) as arrays:
            missing = [name for name in ("texts", "vectors") if name not in arrays]
            if missing:
                raise EncoderError(
                    f"The array {missing[0]!r} is missing.",
                    path=path,
                    found=", ".join(arrays.files)[:SHOWN] or "no array",
                    expected=expected,
                    hint=hint,
                )
            texts, vectors = arrays["texts"], arrays["vectors"]
    if texts.ndim != 1 or texts.dtype.kind != "U":
        found = f"texts of shape {texts.shape}, {texts.dtype}"
        raise EncoderError("The texts are not strings.", path=path, found=found, expected=expected, hint=hint)
    return texts.tolist(), vectors


def _check_archive(path: Path) -> None:
    """Check the declared sizes of the arrays of an archive, before numpy allocates memory for them."""
    packed = path.stat().st_size
    with zipfile.ZipFile(path) as archive:
        check_unpacked(sum(member.file_size for member in archive.infolist()), packed)
        for member in archive.infolist():
            with archive.open(member) as stream:
                version = np.lib.format.read_magic(stream)
                read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
                shape, _, dtype = read(stream)
            # The size in a header is allocated at once, before what follows is read.
            claimed = math.prod(shape) * dtype.itemsize
            if claimed > member.file_size:
                raise EncoderError(
                    "The declared size of an array is wrong.",
                    path=path,
                    found=f"{member.filename}: shape {shape} of {dtype} in {member.file_size:,} bytes"[:SHOWN],
                    expected=f"{claimed:,} bytes",
                    hint="write the file again",
                )


def _read_parquet(path: Path) -> tuple[list[str], NDArray[np.generic]]:
    expected = "columns text (strings) and vector (lists of numbers)"
    try:
        # Pass the content, not the name: polars would read brackets in a name as a pattern.
        with polars_errors(BAD_PARQUET):
            frame = scan_parquet(load(path)).collect()
    except InputError as error:
        raise EncoderError(error.message, path=path, found=error.found, expected=expected, hint=error.hint) from error
    types = {name: frame.schema.get(name) for name in ("text", "vector")}
    if types["text"] != pl.String or not isinstance(types["vector"], pl.List | pl.Array):
        found = ", ".join(f"{name}: {dtype}" for name, dtype in frame.schema.items())
        raise EncoderError("The table has no columns of vectors.", path=path, found=found, expected=expected)
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


def _distinct_rows(path: Path, texts: list[str], vectors: FloatMatrix) -> dict[str, int]:
    rows: dict[str, int] = {}
    for row, text in enumerate(check_texts(texts)):
        first = rows.setdefault(text, row)
        if first != row and not np.array_equal(vectors[first], vectors[row]):
            raise EncoderError(
                "A text has two vectors.",
                path=path,
                found=f"{text!r} in rows {first} and {row}",
                expected="one vector per text",
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
