"""The default encoder: sentence-transformers/all-MiniLM-L6-v2 on ONNX Runtime, without torch."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import FloatMatrix, Progress, ignore_progress
from goldassay.core.errors import require
from goldassay.encoders import minilm_graph
from goldassay.encoders.texts import blocks, check_texts
from goldassay.encoders.weights import WEIGHTS_SHA256, find_model
from goldassay.kernels.threads import workers

MAX_TOKENS = 256
BATCH_TOKENS = 512
"""Large enough for matrix products at full speed, small enough for the cache of a core."""
BLOCK_TEXTS = 16_384
BLOCK_CHARACTERS = 4 * 2**20


class MiniLMEncoder:
    """The genuine all-MiniLM-L6-v2: mean pooling, unit length, 256 tokens, case folded by its own tokenizer.

    Rows agree with those of sentence-transformers to 1e-5. The weights are found and checked here; they are loaded when
    the first text is encoded.

    Source: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2; Reimers and Gurevych (2019),
    https://arxiv.org/abs/1908.10084; Wang et al. (2020), https://arxiv.org/abs/2002.10957.

    Attributes:
        name: ``all-MiniLM-L6-v2``.
        fingerprint: The sha256 of the weights; tokenizer, pooling and length limit are pinned with them.
        dimension: 384.

    Args:
        model_path: The folder of the model, or its ``model.safetensors``; None looks in the usual places.
        download: Fetch the model if it is in none of them.

    Raises:
        EncoderError: If there are no weights, or they are not the genuine ones.
        MissingDependencyError: If a package of the extra ``minilm`` is absent.

    Example:
        >>> encoder = MiniLMEncoder()  # doctest: +SKIP
        >>> cat, kitten, ship = encoder.encode(["cat", "kitten", "steamship"])  # doctest: +SKIP
        >>> bool(cat @ kitten > 0.7 > cat @ ship)  # doctest: +SKIP
        True
    """

    name = "all-MiniLM-L6-v2"
    fingerprint = WEIGHTS_SHA256
    dimension = minilm_graph.HIDDEN

    def __init__(self, model_path: str | os.PathLike[str] | None = None, *, download: bool = False) -> None:
        self.files = find_model(model_path, download=download)
        self._found_by = partial(type(self), model_path, download=download)

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process, perhaps on another machine, opens the weights that it has.
        return self._found_by, ()

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Encode texts, those of equal token length together.

        Args:
            texts: Any texts; texts are truncated to 256 tokens, as by the authors of the model.
            progress: Called after every batch.

        Returns:
            Array of shape (len(texts), 384), float32, unit rows.

        Raises:
            EncoderError: If an item is not a text.
            MissingDependencyError: If a package of the extra ``minilm`` is absent.
        """
        words = check_texts(texts)
        vectors = np.empty((len(words), self.dimension), dtype=np.float32)
        self._fill(vectors, words, "vectors", progress)
        return vectors

    def lengths(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> NDArray[np.float32]:
        """Return the length of the vector of each text before normalisation.

        Args:
            texts: Any texts.
            progress: Called after every batch.

        Returns:
            Lengths, float32, shape (len(texts),).

        Raises:
            EncoderError: If an item is not a text.
            MissingDependencyError: If a package of the extra ``minilm`` is absent.
        """
        words = check_texts(texts)
        lengths = np.empty(len(words), dtype=np.float32)
        self._fill(lengths, words, "lengths", progress)
        return lengths

    def _fill(self, results: NDArray[np.float32], texts: list[str], output: str, progress: Progress) -> None:
        done = 0
        with closing(self._encode_texts(texts, output)) as encoded:
            for rows, part in encoded:
                results[rows] = part
                done += len(rows)
                progress("encoding", done, len(texts))

    def _encode_texts(
        self, texts: list[str], output: str
    ) -> Generator[tuple[NDArray[np.int64], NDArray[np.float32]], None, None]:
        # One batch per thread, rather than all threads on one batch: no thread waits for one that lost its core to
        # another program.
        pool = ThreadPoolExecutor(_threads())
        try:
            for block in blocks(texts, count=BLOCK_TEXTS, characters=BLOCK_CHARACTERS):
                batches = list(equal_length_batches(self._tokenize(texts[block]), BATCH_TOKENS))
                parts = pool.map(partial(minilm_graph.run, self._session, output=output), (ids for _, ids in batches))
                for (rows, _), part in zip(batches, parts, strict=True):
                    yield block.start + rows, part
        finally:
            # On Ctrl-C, hundreds of batches may still be waiting.
            pool.shutdown(cancel_futures=True)

    def _tokenize(self, texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizers = require("tokenizers", extra="minilm", purpose="split texts into the tokens of MiniLM")
        tokenizer = tokenizers.Tokenizer.from_file(str(self.files.tokenizer))
        # The file says 128 tokens, padded; sentence_bert_config.json overrules it with 256, and padding is not wanted.
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        return minilm_graph.open_session(self.files.weights, threads=1)


def _threads() -> int:
    # Unlike os.cpu_count, polars respects the limits of a container or of taskset.
    from polars import thread_pool_size

    return min(thread_pool_size(), workers())


def equal_length_batches(
    token_ids: Sequence[Sequence[int]], tokens: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
    """Group texts by their number of tokens, so that no batch needs padding."""
    lengths = np.fromiter(map(len, token_ids), dtype=np.int64, count=len(token_ids))
    for length in np.unique(lengths):
        rows = np.flatnonzero(lengths == length)
        step = max(1, tokens // int(length))
        for start in range(0, len(rows), step):
            batch = rows[start : start + step]
            yield batch, np.array([token_ids[row] for row in batch], dtype=np.int32)
