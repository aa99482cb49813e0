"""Static embeddings: the mean of the vectors of tokens, from files of several kinds; and what is refused."""

import pickle

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

import goldassay
from goldassay.core.errors import EncoderError
from goldassay.encoders import StaticEncoder

WORDS = ["[UNK]", "cat", "dog", "big"]
MATRIX = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], dtype=np.float16)


def written(folder, *, form="safetensors", matrix=MATRIX, name="tokenizer.json"):
    folder.mkdir(exist_ok=True)
    made = Tokenizer(WordLevel({word: row for row, word in enumerate(WORDS)}, unk_token="[UNK]"))  # noqa: S106
    made.pre_tokenizer = Whitespace()
    made.save(str(folder / name))
    if form == "npz":
        np.savez(folder / "model.npz", vectors=matrix)
    else:
        from safetensors.numpy import save_file

        save_file({"embedding.weight": matrix}, folder / "model.safetensors")
    return folder


@pytest.mark.parametrize("form", ["safetensors", "npz"])
@pytest.mark.parametrize("name", ["tokenizer.json", "l2_tokenizer_config.json"])
def test_a_text_is_the_mean_of_its_tokens(tmp_path, form, name):
    encoder = goldassay.get_encoder("static", model_path=written(tmp_path / "m", form=form, name=name), cache=None)
    found = encoder.encode(["cat", "big cat", "cat dog dog", "", "what"])
    expected = np.array([[1, 0, 0], [1, 0, 3], [1, 4, 0], [1, 1, 1], [1, 1, 1]], dtype=np.float64)
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-7)
    assert found.dtype == np.float32
    assert encoder.name == "static-draft:model"
    again = pickle.loads(pickle.dumps(encoder))
    assert again.fingerprint == encoder.fingerprint
    np.testing.assert_array_equal(again.encode(["cat dog"]), encoder.encode(["cat dog"]))


def test_batches_change_nothing(tmp_path, monkeypatch):
    encoder = StaticEncoder(written(tmp_path / "m"))
    whole = encoder.encode(["cat", "", "big dog", "dog"])
    monkeypatch.setattr("goldassay.encoders.static.BATCH", 1)
    np.testing.assert_array_equal(encoder.encode(["cat", "", "big dog", "dog"]), whole)


def test_it_is_a_draft_in_signatures_and_its_threshold_is_doubted(tmp_path):
    gold = goldassay.Graph.from_edges([("cat", "dog")])
    encoder = StaticEncoder(written(tmp_path / "m"))
    report = goldassay.evaluate(gold, gold=gold, measures="fuzzy", encoder=encoder)
    assert "encoder:static-draft:model@" in str(report["fuzzy"].signature)
    assert any("calibrated for all-MiniLM-L6-v2" in line for run in report for line in run.warnings)


def test_what_does_not_fit_is_refused(tmp_path):
    with pytest.raises(EncoderError, match="not found"):
        StaticEncoder(tmp_path / "absent")
    with pytest.raises(EncoderError, match="one matrix and one tokenizer"):
        StaticEncoder(tmp_path)
    short = StaticEncoder(written(tmp_path / "short", matrix=MATRIX[:2]))
    with pytest.raises(EncoderError, match="does not fit the vectors"):
        short.encode(["cat"])
    flat = written(tmp_path / "flat", form="npz", matrix=MATRIX[0])
    with pytest.raises(EncoderError, match="one table of vectors"):
        StaticEncoder(flat).encode(["cat"])
    broken = written(tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(EncoderError, match="cannot be read"):
        StaticEncoder(broken).encode(["cat"])
    unread = written(tmp_path / "unread")
    (unread / "tokenizer.json").write_text("{}")
    with pytest.raises(EncoderError, match="tokenizer cannot be read"):
        StaticEncoder(unread).encode(["cat"])


def test_without_a_path_the_package_that_carries_one_is_named(monkeypatch):
    monkeypatch.setattr("goldassay.encoders.static.find_spec", lambda name: None)
    with pytest.raises(EncoderError, match="needs a model") as caught:
        goldassay.get_encoder("static")
    assert "wordllama" in str(caught.value)
