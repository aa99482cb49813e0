"""Static embeddings: a vector for each token, averaged. Many times as fast as a transformer, and only a draft."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain
from os.path import exists, isdir, isfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix, Progress, ignore_progress
from goldassay.core.errors import EncoderError, require
from goldassay.encoders.texts import check_texts

MATRICES = (".safetensors", ".npz")
PACKAGE = "wordllama"
"""A package of PyPI that carries such an embedding."""
BATCH = 4096


class StaticEncoder:
    """The mean of the vectors of the tokens of a text, of unit length.

    It is tens of times as fast as MiniLM, and a *draft*: its thresholds are not calibrated, and it distinguishes same from related texts
    no better than spelling does. Use it to try something out, and score with MiniLM.

    Attributes:
        name: ``static-draft:`` and the name of the file.
        fingerprint: The sha256 of the matrix and the tokenizer.
        dimension: Length of a vector.

    Args:
        model_path: A folder with one matrix (``.safetensors`` or ``.npz`` with one table of vectors) and one ``tokenizer.json``
            (any name that contains *tokenizer*), or the matrix; None takes what the installed package wordllama has.

    Raises:
        EncoderError: If there is not one of each, or they do not fit together.
        MissingDependencyError: If tokenizers or safetensors is not installed.

    Source:
        M. Miller, WordLlama: recycled token embeddings from large language models (2024), for the package; Tulkens and van Dongen,
        Model2Vec (2024), for the method.

    Example:
        >>> StaticEncoder("model/").encode(["cat"]).shape  # doctest: +SKIP
        (1, 256)
    """

    def __init__(self, model_path: str | os.PathLike[str] | None = None) -> None:
        self._path = model_path
        self.matrix_path, self.tokenizer_path = _find_files(model_path)
        self.name = f"static-draft:{self.matrix_path.stem}"
        digest = sha256(self.matrix_path.read_bytes())
        digest.update(self.tokenizer_path.read_bytes())
        self.fingerprint = digest.hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._path,)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._matrix.shape[1])

    @cached_property
    def _matrix(self) -> FloatMatrix:
        """Load the vectors of the tokens."""
        tables = [one for one in _tensors(self.matrix_path).values() if one.ndim == 2]  # noqa: PLR2004 - a table
        if len(tables) != 1:
            raise EncoderError(
                "The file does not contain one table of vectors.",
                found=f"{len(tables)} tables in {self.matrix_path}",
                expected="one matrix, a row for each token",
            )
        return np.ascontiguousarray(tables[0], dtype=np.float32)

    @cached_property
    def _tokenizer(self) -> Any:
        require("tokenizers", extra="minilm", purpose="split texts into tokens")
        from tokenizers import Tokenizer

        try:
            made = Tokenizer.from_file(str(self.tokenizer_path))
        except Exception as error:  # the library raises a plain Exception
            raise EncoderError("The tokenizer cannot be read.", found=f"{self.tokenizer_path}: {error}") from error
        if made.get_vocab_size() > len(self._matrix):
            raise EncoderError(
                "The tokenizer does not fit the vectors.",
                found=f"{made.get_vocab_size():,} tokens, {len(self._matrix):,} rows",
                expected="a row for each token",
            )
        made.no_truncation()
        made.no_padding()
        return made

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Encode texts.

        Args:
            texts: Any texts; one without a token has a vector of its own.
            progress: Called after every batch.

        Returns:
            Array of shape (len(texts), dimension), float32, unit rows.

        Raises:
            EncoderError: If an item is not a text, or files do not fit together.
        """
        words = check_texts(texts)
        found = np.empty((len(words), self.dimension), dtype=np.float32)
        for start in range(0, len(words), BATCH):
            batch = words[start : start + BATCH]
            found[start : start + len(batch)] = self._means(batch)
            progress("encoding", start + len(batch), len(words))
        return found

    def _means(self, texts: list[str]) -> FloatMatrix:
        tokens = [one.ids for one in self._tokenizer.encode_batch(texts, add_special_tokens=False)]
        sizes = np.array(list(map(len, tokens)), dtype=np.int64)
        rows = self._matrix[np.fromiter(chain.from_iterable(tokens), dtype=np.int64)].astype(np.float64)
        sums = np.zeros((len(texts), self.dimension))
        some = np.flatnonzero(sizes)
        if len(some):
            sums[some] = np.add.reduceat(rows, (np.cumsum(sizes) - sizes)[some], axis=0)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        sums[lengths[:, 0] == 0] = 1.0
        found: FloatMatrix = (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)
        return found


def _find_files(path: str | os.PathLike[str] | None) -> tuple[Path, Path]:
    """Find the matrix and the tokenizer."""
    if path is None:
        package = find_spec(PACKAGE)
        if package is None or not package.submodule_search_locations:
            raise EncoderError(
                "The encoder static needs a model.",
                expected="--model-path and a folder with a matrix (.safetensors or .npz) and a tokenizer.json",
                hint=f"pip install {PACKAGE}, which carries one of 16 MB",
            )
        path = package.submodule_search_locations[0]
    given = Path(path)
    if not exists(given):
        raise EncoderError("File or folder not found.", found=str(given), expected="a folder with a static embedding")
    folder = given if isdir(given) else given.parent
    matrices, tokenizers = _files(folder)
    matrices = [given] if isfile(given) else matrices
    if len(matrices) != 1 or len(tokenizers) != 1:
        raise EncoderError(
            "The folder does not contain one matrix and one tokenizer.",
            found=f"{len(matrices)} of {' or '.join(MATRICES)}, {len(tokenizers)} of *tokenizer*.json in {folder}",
            expected="one of each",
        )
    return matrices[0], tokenizers[0]


def _files(folder: Path) -> tuple[list[Path], list[Path]]:
    matrices = sorted(one for one in folder.rglob("*") if one.suffix in MATRICES)
    tokenizers = sorted(folder.rglob("tokenizer.json")) or sorted(folder.rglob("*tokenizer*.json"))
    return matrices, tokenizers


def _tensors(path: Path) -> dict[str, NDArray[Any]]:
    if path.suffix == ".npz":
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except Exception as error:  # a broken archive raises many kinds
            raise EncoderError("The matrix cannot be read.", found=f"{path}: {error}") from error
    require("safetensors", extra="minilm", purpose="read a static embedding")
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return dict(load_file(path))
    except (SafetensorError, OSError, TypeError) as error:
        raise EncoderError("The matrix cannot be read.", found=f"{path}: {error}") from error
