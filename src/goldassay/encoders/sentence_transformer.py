"""Any model of the sentence-transformers library, for those who have it installed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from goldassay.core.context import FloatMatrix, Progress, ignore_progress
from goldassay.core.errors import EncoderError, require
from goldassay.encoders.texts import blocks, check_texts, unit_rows

BLOCK_TEXTS = 2048
BLOCK_CHARACTERS = 4 * 2**20
EXTRA = "sentence-transformers"


class SentenceTransformerEncoder:
    """A model by its name on the Hugging Face hub, or by its folder.

    Source: Reimers and Gurevych (2019), https://arxiv.org/abs/1908.10084; https://sbert.net.

    Attributes:
        name: The name or folder as it was given.
        fingerprint: sha256 over the weights, the vocabulary, the modules and their settings, the length limit.
        dimension: Length of a vector.

    Args:
        model: Name or folder.
        download: Fetch the model from the hub if it is not in the cache of this user.

    Raises:
        EncoderError: If the model cannot be loaded.
        MissingDependencyError: If sentence-transformers is not installed.

    Example:
        >>> encoder = SentenceTransformerEncoder("all-mpnet-base-v2")  # doctest: +SKIP
        >>> encoder.encode(["cat"]).shape  # doctest: +SKIP
        (1, 768)
    """

    def __init__(self, model: str, *, download: bool = False) -> None:
        library = require("sentence_transformers", extra=EXTRA, purpose=f"encode texts with {model}")
        try:
            self._model = library.SentenceTransformer(model, local_files_only=not download)
        except Exception as error:  # the files of a model can raise any exception
            raise EncoderError(
                f"The model {model!r} cannot be loaded.",
                found=f"{type(error).__name__}: {error}",
                expected="a model in the Hugging Face cache, or a folder that sentence-transformers saved",
                hint="Check the name, or add --download (Python: download=True) to fetch it.",
            ) from error
        self.name = model
        self.fingerprint = _fingerprint(self._model)
        self.dimension = int(self._model.encode([""], show_progress_bar=False).shape[1])
        self._found_by = partial(type(self), model, download=download)

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process, perhaps on another machine, opens the model that it has.
        return self._found_by, ()

    def encode(self, texts: Sequence[str], *, progress: Progress = ignore_progress) -> FloatMatrix:
        """Encode texts.

        Args:
            texts: Any texts.
            progress: Called after every block of texts.

        Returns:
            Array of shape (len(texts), dimension), float32, unit rows.

        Raises:
            EncoderError: If an item is not a text, or its vector has no direction.
        """
        words = check_texts(texts)
        vectors = np.empty((len(words), self.dimension), dtype=np.float32)
        for block in blocks(words, count=BLOCK_TEXTS, characters=BLOCK_CHARACTERS):
            raw = self._model.encode(words[block], normalize_embeddings=True, show_progress_bar=False)
            # The rows of a model in half precision are outside the tolerance of the kernels for unit rows.
            vectors[block] = unit_rows(np.asarray(raw, dtype=np.float32), words[block], owner=self.name)
            progress("encoding", block.stop, len(words))
        return vectors


def _fingerprint(model: Any) -> str:
    torch = require("torch", extra=EXTRA, purpose="read the weights of a model")
    settings = {
        "modules": [[type(module).__name__, _settings(module)] for module in model],
        "limit": model.max_seq_length,
        "prompt": [model.default_prompt_name, model.prompts],
        "vocabulary": sorted(model.tokenizer.get_vocab().items()),
    }
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _settings(module: Any) -> Any:
    return module.get_config_dict() if hasattr(module, "get_config_dict") else {}
