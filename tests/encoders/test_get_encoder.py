"""The words for encoders."""

import subprocess
import sys

import numpy as np
import pytest

from goldassay import encoders
from goldassay.core.errors import EncoderError, MissingDependencyError, UsageError
from goldassay.encoders import CachedEncoder, HashingEncoder, PrecomputedEncoder, cache_path, get_encoder


def test_words_give_their_encoders(tmp_path):
    path = tmp_path / "Vectors.NPZ"
    with path.open("wb") as handle:
        np.savez(handle, texts=np.array(["cat"]), vectors=np.ones((1, 2)))
    assert isinstance(get_encoder("hashing"), HashingEncoder)
    assert isinstance(get_encoder(str(path)), PrecomputedEncoder)


def test_an_encoder_is_returned_as_it_is():
    encoder = HashingEncoder(8)
    assert get_encoder(encoder) is encoder


@pytest.mark.parametrize("no_encoder", [None, 3, object(), HashingEncoder, ["minilm"]])
def test_what_is_no_encoder_is_refused(no_encoder):
    with pytest.raises(UsageError, match="Not an encoder"):
        get_encoder(no_encoder)


@pytest.mark.parametrize(
    ("word", "hint"),
    [("minlm", "minilm"), ("hashin", "hashing"), ("", None), ("sentence-transformers:", "sentence-transformers:NAME")],
)
def test_an_unknown_word_is_refused_with_the_nearest(word, hint):
    with pytest.raises(UsageError, match="Unknown encoder") as caught:
        get_encoder(word)
    assert caught.value.hint == hint


def test_a_model_path_belongs_to_minilm(tmp_path):
    with pytest.raises(UsageError, match="Only the encoders minilm and static"):
        get_encoder("hashing", model_path=tmp_path)


def test_minilm_is_cached_unless_reported_otherwise(minilm, tmp_path):
    weights = minilm.files.weights
    assert get_encoder("minilm", model_path=weights, cache=None).name == "all-MiniLM-L6-v2"
    default = get_encoder("minilm", model_path=weights)
    chosen = get_encoder("minilm", model_path=weights, cache=tmp_path / "mine.sqlite")
    assert isinstance(default, CachedEncoder)
    assert isinstance(chosen, CachedEncoder)
    assert default.path == cache_path()
    assert chosen.path == tmp_path / "mine.sqlite"
    assert default.fingerprint == minilm.fingerprint


@pytest.mark.xdist_group("torch")
def test_sentence_transformers_are_asked_for_by_name(tmp_path):
    with pytest.raises((EncoderError, MissingDependencyError)) as caught:
        get_encoder(f"sentence-transformers:{tmp_path / 'no such model'}")
    assert caught.value.hint is not None


def test_every_name_is_there_and_sorted():
    assert encoders.__all__ == sorted(encoders.__all__)
    assert all(hasattr(encoders, name) for name in encoders.__all__)


def test_importing_encoders_pulls_in_nothing_heavy():
    heavy = ("onnx", "onnxruntime", "tokenizers", "huggingface_hub", "polars", "torch")
    script = f"import sys, goldassay.encoders; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
