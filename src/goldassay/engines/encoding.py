"""Encoding on a cluster: each worker process makes the encoder once, and encodes the texts that Spark gives it."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from os.path import isfile
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from goldassay.core.context import Encoder
from goldassay.core.errors import EncoderError
from goldassay.encoders import CachedEncoder, MiniLMEncoder
from goldassay.encoders.weights import WEIGHTS_FILE

Make: TypeAlias = Callable[[], Encoder]
COLUMNS = {"text": "string", "vector": "array<float>"}
_made: dict[str, Encoder] = {}
"""The encoders of this process, by their fingerprints: a worker process runs many tasks."""


def making(encoder: Encoder) -> Make:
    """Return the function with which a worker makes an encoder."""
    if isinstance(encoder, CachedEncoder):
        return making(encoder.encoder)
    if isinstance(encoder, MiniLMEncoder):
        return partial(_minilm, str(encoder.files.weights.parent.absolute()))
    return partial(_return_encoder, encoder)


def unpickle_encoder(sent: bytes) -> Encoder:
    """Make an encoder of what `making` gave, pickled: it is opened where a process makes it, and not by each of its tasks."""
    make: Make = pickle.loads(sent)  # noqa: S301 - from the driver
    return make()


def encode_batches(batches: Iterator[Any], make: Make, fingerprint: str) -> Iterator[Any]:
    """Add the vectors to batches of texts."""
    import pyarrow as pa

    for batch in batches:
        if fingerprint not in _made:
            _made[fingerprint] = _check_encoder(make(), fingerprint)
        texts = batch.column("text")
        vectors = _made[fingerprint].encode(texts.to_pylist())
        ends = np.arange(len(texts) + 1, dtype=np.int32) * vectors.shape[1]
        lists = pa.ListArray.from_arrays(pa.array(ends), pa.array(vectors.ravel(), pa.float32()))
        yield pa.RecordBatch.from_arrays([texts, lists], names=[*COLUMNS])


def _check_encoder(encoder: Encoder, fingerprint: str) -> Encoder:
    if encoder.fingerprint == fingerprint:
        return encoder
    raise EncoderError(
        "A worker has a different encoder.",
        found=f"{encoder.name}, {encoder.fingerprint[:12]}",
        expected=fingerprint[:12],
        hint="the same weights where the workers are",
    )


def _return_encoder(encoder: Encoder) -> Encoder:
    return encoder


def _minilm(folder: str) -> Encoder:
    """Find the weights in the same folder, among the files that were sent with the job, or where they are installed."""
    from pyspark import SparkFiles

    sent = Path(SparkFiles.getRootDirectory())
    known = next((one for one in (Path(folder), sent) if isfile(one / WEIGHTS_FILE)), None)
    return MiniLMEncoder(None if known is None else os.fspath(known))
