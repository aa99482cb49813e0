"""The files of a task: found in a folder, or downloaded, and held against their digests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldassay.core.errors import InputError, borrowed, require
from goldassay.encoders.cache import cache_path
from goldassay.tasks.task import FOLDER_VARIABLE, File, Task, own_folder


@dataclass(frozen=True, kw_only=True)
class Located:
    """A task whose files are there.

    Attributes:
        gold: The file or the folder of gold.
        options: Options of the command, with files in place of their paths in the task.
        unchecked: The files whose content nobody could check, each with its digest.
    """

    gold: Path
    options: Mapping[str, Any]
    unchecked: Mapping[str, str]


def located(task: Task, *, download: bool = False) -> Located:
    """Find the files of a task, and check them.

    They are looked for in the folder of the task's own TOML file, in the folder that ``GOLDASSAY_TASKS`` names, and where
    downloads are kept.

    Args:
        task: The task.
        download: Whether files that are missing may be downloaded.

    Raises:
        InputError: If a file is missing, cannot be downloaded, or is not the one of the task.
        MissingDependencyError: If files are to be downloaded, and pooch is not installed.
    """
    kept = cache_path().with_name("tasks")
    folders = [folder for folder in (task.folder, own_folder(), kept) if folder is not None]
    # Gold may be a folder, so that all files are taken from one place.
    root = next((folder for folder in folders if any((folder / one.path).exists() for one in task.files)), kept)
    unchecked = dict(_checked(task, one, root, download=download) for one in task.files)
    gold = root / task.gold
    if gold.is_dir():
        _refuse_others(task, gold, root)
    paths = {one.path for one in task.files}
    options = {name: str(root / value) if value in paths else value for name, value in task.options.items()}
    return Located(gold=gold, options=options, unchecked={path: digest for path, digest in unchecked.items() if digest})


def _checked(task: Task, file: File, root: Path, *, download: bool) -> tuple[str, str]:
    """Return the path of a file that is there, and its digest if the task does not know it."""
    path = root / file.path
    if not path.is_file():
        if not (download and file.url):
            raise _missing(task, file, path)
        _download(file, path)
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if file.sha256 and digest != file.sha256:
        raise InputError(
            f"This is not the file of the task {task.name}.",
            path=path,
            found=f"SHA-256 {digest}",
            expected=f"SHA-256 {file.sha256}",
            hint=f"get it again: {'; '.join(_ways(task, file))}",
        )
    return file.path, "" if file.sha256 else digest


def _missing(task: Task, file: File, path: Path) -> InputError:
    return InputError(
        f"A file of the task {task.name} is not here.",
        path=path,
        expected=f"{file.path} in the folder that {FOLDER_VARIABLE} names",
        hint="; ".join(_ways(task, file)),
    )


def _ways(task: Task, file: File) -> Iterator[str]:
    """Say how to get a file."""
    if file.url:
        yield f"--download, which gets {file.url}"
    else:
        yield task.get or task.benchmark.page


def _download(file: File, path: Path) -> None:
    pooch = require("pooch", extra="tasks", purpose="download the gold of a task")
    known = f"sha256:{file.sha256}" if file.sha256 else None
    hint = "download it by other means, or try again"
    pooch.get_logger().setLevel("ERROR")
    with borrowed("pooch", f"{file.url} cannot be downloaded.", path=path, hint=hint):
        pooch.retrieve(file.url, known_hash=known, fname=path.name, path=path.parent)


def _refuse_others(task: Task, gold: Path, root: Path) -> None:
    """Refuse a folder of gold with more in it: all of it would be gold."""
    known = {root / one.path for one in task.files}
    for path in sorted(gold.rglob("*")):
        if path.is_file() and path not in known:
            raise InputError(
                f"The folder holds a file that is none of the task {task.name}.", path=path, hint="move it elsewhere"
            )
