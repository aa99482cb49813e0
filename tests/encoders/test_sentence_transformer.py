"""Models of sentence-transformers, where that library is installed; and the wrapping, where it is not."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import goldassay
from goldassay.core.errors import EncoderError, MissingDependencyError
from goldassay.encoders import SentenceTransformerEncoder

pytestmark = pytest.mark.xdist_group("torch")  # it takes seconds to import
LABELS = ["cat", "black cat", "", "gene " * 300]


def test_the_default_model_gives_the_rows_of_minilm(minilm):
    pytest.importorskip("sentence_transformers")
    folder = str(minilm.files.weights.parent)
    encoder = SentenceTransformerEncoder(folder)
    seen = []
    vectors = encoder.encode(LABELS, progress=lambda *call: seen.append(call))
    assert (encoder.name, encoder.dimension, vectors.dtype) == (folder, 384, np.float32)
    np.testing.assert_allclose(vectors, minilm.encode(LABELS), rtol=0, atol=1e-5)
    assert seen == [("encoding", 4, 4)]
    assert encoder.encode([]).shape == (0, 384)


def test_the_fingerprint_follows_weights_and_limit(minilm):
    pytest.importorskip("sentence_transformers")
    from goldassay.encoders.sentence_transformer import _fingerprint

    encoder = SentenceTransformerEncoder(str(minilm.files.weights.parent))
    again = SentenceTransformerEncoder(str(minilm.files.weights.parent))
    assert encoder.fingerprint == again.fingerprint
    again._model.max_seq_length = 64
    assert _fingerprint(again._model) != encoder.fingerprint


def test_the_fingerprint_follows_what_moves_vectors_and_not_the_order_of_settings():
    torch = pytest.importorskip("torch")
    from goldassay.encoders.sentence_transformer import _fingerprint

    class Module(list):
        default_prompt_name, max_seq_length = None, 128

        def __init__(self, prompts, weights, words=("cat", "dog")):
            self.prompts, self.weights = prompts, weights
            self.tokenizer = SimpleNamespace(get_vocab=lambda: {word: number for number, word in enumerate(words)})

        def state_dict(self):
            return {"weights": torch.tensor(self.weights)}

    one, same, prompt, weight, shape, word = (
        _fingerprint(Module(*given))
        for given in (
            ({"a": "x", "b": "y"}, [[1.0, 2.0]]),
            ({"b": "y", "a": "x"}, [[1.0, 2.0]]),
            ({"a": "x", "b": "z"}, [[1.0, 2.0]]),
            ({"a": "x", "b": "y"}, [[1.0, 3.0]]),
            ({"a": "x", "b": "y"}, [[1.0], [2.0]]),
            ({"a": "x", "b": "y"}, [[1.0, 2.0]], ("cat", "cow")),
        )
    )
    assert one == same
    assert len({one, prompt, weight, shape, word}) == 5


def test_a_model_from_a_folder(tmp_path):
    library = pytest.importorskip("sentence_transformers")
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "cat": 1, "black": 2}, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = Whitespace()
    weights = np.array([[0.0, 0.0, 5.0], [3.0, 4.0, 0.0], [3.0, -4.0, 0.0]], dtype=np.float32)
    library.SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)]).save(str(tmp_path))
    encoder = goldassay.get_encoder(f"sentence-transformers:{tmp_path}")
    # The mean of the words' vectors, brought to length 1.
    expected = [[0.6, 0.8, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    np.testing.assert_allclose(encoder.encode(["cat", "black cat", "dog"]), expected, atol=1e-6)


def test_an_absent_model_is_explained(tmp_path):
    pytest.importorskip("sentence_transformers")
    with pytest.raises(EncoderError, match="cannot be loaded") as caught:
        SentenceTransformerEncoder(str(tmp_path / "absent"))
    assert "--download" in caught.value.hint


def test_an_absent_library_gives_the_pip_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingDependencyError, match="sentence_transformers") as caught:
        SentenceTransformerEncoder("all-mpnet-base-v2")
    assert caught.value.hint == "pip install 'goldassay[sentence-transformers]'"


class FakeModel:
    """What sentence-transformers would load, as far as it is used here."""

    asked_locally = None

    def __init__(self, name, *, local_files_only):
        type(self).asked_locally = local_files_only

    def encode(self, texts, **_):
        return np.array([[1.0, 0.0] if text != "silence" else [0.0, 0.0] for text in texts])


@pytest.fixture
def fake_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=FakeModel))
    monkeypatch.setattr("goldassay.encoders.sentence_transformer._fingerprint", lambda _: "ab" * 32)


@pytest.mark.usefixtures("fake_library")
@pytest.mark.parametrize(("asked", "locally"), [({"download": True}, False), ({"download": False}, True), ({}, True)])
def test_the_network_is_used_only_when_asked(asked, locally):
    SentenceTransformerEncoder("any", **asked)
    assert FakeModel.asked_locally is locally


@pytest.mark.usefixtures("fake_library")
def test_a_row_of_zeros_is_an_error_that_names_the_text():
    with pytest.raises(EncoderError, match="without a direction for 1 of 2 texts") as caught:
        SentenceTransformerEncoder("any").encode(["cat", "silence"])
    assert "silence" in caught.value.found
