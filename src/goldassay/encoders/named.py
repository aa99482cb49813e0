"""Encoders by their names."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal

from goldassay.core.context import Encoder
from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.encoders.cache import CachedEncoder
from goldassay.encoders.hashing import FunctionEncoder, HashingEncoder
from goldassay.encoders.minilm import MiniLMEncoder
from goldassay.encoders.precomputed import SUFFIXES, PrecomputedEncoder
from goldassay.encoders.sentence_transformer import SentenceTransformerEncoder
from goldassay.encoders.static import StaticEncoder

LIBRARY = "sentence-transformers:"
STATIC = "static"
TERMS = {
    "sapbert": "cambridgeltl/SapBERT-from-PubMedBERT-fulltext-mean-token",
    "biolord": "FremyCompany/BioLORD-2023",
}
"""Encoders of biomedical terms, by short names: SapBERT (Liu et al. 2021) as it pools means, and BioLORD (Remy et al. 2024)."""
WORDS = ("hashing", "minilm", STATIC, *TERMS, f"{LIBRARY}NAME", *(f"FILE{suffix}" for suffix in SUFFIXES))


def get_encoder(
    spec: str | Encoder | Callable[[list[str]], Any] = "minilm",
    *,
    model_path: str | os.PathLike[str] | None = None,
    download: bool = False,
    cache: os.PathLike[str] | Literal["default"] | None = "default",
) -> Encoder:
    """Create an encoder from its name.

    Args:
        spec: ``minilm``; ``hashing``; ``static``, a draft from any static embedding; ``sapbert`` or ``biolord``, for biomedical terms;
            ``sentence-transformers:NAME`` with a name on the hub or a folder; the path of an
            ``.npz`` or ``.parquet`` file of vectors; an encoder, which is returned as it is; or a function from a list of
            texts to rows of numbers.
        model_path: Path of the weights of ``minilm``, or of the files of ``static``.
        download: Fetch weights that are not on this machine.
        cache: The file where vectors are kept, ``"default"`` for the cache of this user, None for no cache. Vectors
            from a file and hashed ones are not cached, since looking them up would not be faster.

    Returns:
        The encoder.

    Raises:
        EncoderError: If weights or vectors are not available.
        MissingDependencyError: If a package that the encoder needs is not installed.
        UsageError: If the name is unknown, or ``model_path`` is given for an encoder other than minilm.

    Example:
        >>> get_encoder("hashing").name
        'hashing-256'
        >>> get_encoder("minilmm")
        Traceback (most recent call last):
        goldassay.core.errors.UsageError: Unknown encoder 'minilmm'.
          ...
    """
    if not isinstance(spec, str):
        return _get_given(spec)
    if model_path is not None and spec not in ("minilm", STATIC):
        raise UsageError(
            "Only the encoders minilm and static have a model path.",
            found=f"encoder {spec!r} with model path {os.fspath(model_path)!r}",
            hint=f"{LIBRARY}{os.fspath(model_path)}",
        )
    if spec == "hashing":
        return HashingEncoder()
    if spec.lower().endswith(SUFFIXES):
        return PrecomputedEncoder(spec)
    encoder = _neural(spec, model_path, download=download)
    if cache is None:
        return encoder
    return CachedEncoder(encoder, None if cache == "default" else cache)


def _neural(spec: str, model_path: str | os.PathLike[str] | None, *, download: bool) -> Encoder:
    if spec == "minilm":
        return MiniLMEncoder(model_path, download=download)
    if spec == STATIC:
        return StaticEncoder(model_path)
    if spec in TERMS:
        return SentenceTransformerEncoder(TERMS[spec], download=download)
    if spec.startswith(LIBRARY) and spec != LIBRARY:
        return SentenceTransformerEncoder(spec.removeprefix(LIBRARY), download=download)
    raise unknown_choice_error("encoder", spec, WORDS)


def _get_given(encoder: Any) -> Encoder:
    if isinstance(encoder, Encoder) and not isinstance(encoder, type):
        return encoder
    if callable(encoder) and not isinstance(encoder, type):
        return FunctionEncoder(encoder)
    raise UsageError(
        "Not an encoder.",
        found=repr(encoder),
        expected=f"{', '.join(WORDS)}, a function from texts to rows, or an object with name, fingerprint, dimension and encode(texts, progress=...)",
    )
