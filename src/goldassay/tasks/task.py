"""Named tasks, read from TOML files: which there are, and where their gold is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points
from os import PathLike
from os.path import exists, isdir, isfile
from pathlib import Path, PurePosixPath
from typing import Any

from goldassay.core.errors import InputError, UsageError, convert_errors, names_file, require, unknown_choice_error
from goldassay.core.patterns import pattern_of
from goldassay.encoders.cache import cache_path
from goldassay.formats.source import digest_of_file
from goldassay.formats.toml import toml_of
from goldassay.report.results import Benchmark, Published

FOLDER_VARIABLE = "GOLDASSAY_TASKS"
GROUP = "goldassay.tasks"
"""The group of entry points by which other packages add tasks: each names a package whose folder holds TOML files."""
SCHEMA = "goldassay.tasks/task.schema.json"
NAME = pattern_of(r"[a-z0-9.-]+:[a-z0-9.-]+")
SHA256 = pattern_of(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class Located:
    """A task whose files are there.

    Attributes:
        gold: The file or the folder of gold.
        options: Options of the command, with files in place of their paths in the task.
        unchecked: The files whose content could not be checked, each with its digest.
    """

    gold: Path
    options: Mapping[str, Any]
    unchecked: Mapping[str, str]


def locate(task: Task, *, download: bool = False) -> Located:
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
    root = next((folder for folder in folders if any(exists(folder / one.path) for one in task.files)), kept)
    unchecked = dict(_check_file(task, one, root, download=download) for one in task.files)
    gold = root / task.gold
    if isdir(gold):
        _refuse_others(task, gold, root)
    paths = {one.path for one in task.files}
    options = {name: str(root / value) if value in paths else value for name, value in task.options.items()}
    return Located(gold=gold, options=options, unchecked={path: digest for path, digest in unchecked.items() if digest})


def _check_file(task: Task, file: File, root: Path, *, download: bool) -> tuple[str, str]:
    """Return the path of a file that is there, and its digest if the task does not know it."""
    path = root / file.path
    if not isfile(path):
        if not (download and file.url):
            raise _missing(task, file, path)
        _download(file, path)
    digest = digest_of_file(path).hex()
    if file.sha256 and digest != file.sha256:
        raise InputError(
            f"The file is not the one of the task {task.name}.",
            path=path,
            found=f"SHA-256 {digest}",
            expected=f"SHA-256 {file.sha256}",
            hint=f"get it again: {'; '.join(_ways(task, file))}",
        )
    return file.path, "" if file.sha256 else digest


def _missing(task: Task, file: File, path: Path) -> InputError:
    return InputError(
        f"A file of the task {task.name} is missing.",
        path=path,
        expected=f"{file.path} in the folder that {FOLDER_VARIABLE} names",
        hint="; ".join(_ways(task, file)),
    )


def _ways(task: Task, file: File) -> Iterator[str]:
    """Return how to get a file."""
    if file.url:
        yield f"--download, which gets {file.url}"
    else:
        yield task.get or task.benchmark.page


def _download(file: File, path: Path) -> None:
    pooch = require("pooch", extra="tasks", purpose="download the gold of a task")
    known = f"sha256:{file.sha256}" if file.sha256 else None
    hint = "download it by other means, or try again"
    pooch.get_logger().setLevel("ERROR")
    with convert_errors("pooch", f"{file.url} cannot be downloaded.", path=path, hint=hint):
        pooch.retrieve(file.url, known_hash=known, fname=path.name, path=path.parent)


def _refuse_others(task: Task, gold: Path, root: Path) -> None:
    """Refuse a folder of gold with more in it: all of it would be gold."""
    known = {root / one.path for one in task.files}
    for path in sorted(gold.rglob("*")):
        if isfile(path) and path not in known:
            raise InputError(
                f"The folder contains a file that does not belong to the task {task.name}.",
                path=path,
                hint="move it elsewhere",
            )


def own_folder() -> Path | None:
    """Return the folder that ``GOLDASSAY_TASKS`` names; None if it is not set."""
    named = os.environ.get(FOLDER_VARIABLE)
    if not named:
        return None
    if not isdir(named):
        raise InputError(f"{FOLDER_VARIABLE} is not a folder.", path=named, hint=f"make it, or unset {FOLDER_VARIABLE}")
    return Path(named)


def list_tasks() -> dict[str, Task]:
    """List all tasks by name.

    Raises:
        InputError: If the file of a task does not match its schema.
        UsageError: If two tasks have the same name.

    Example:
        >>> list_tasks()["oaei:anatomy"].kind
        'alignment'
    """
    found: dict[str, Task] = {}
    for folder in _folders():
        for path in sorted(folder.glob("*.toml")):
            for task in read_tasks(path):
                if task.name in found:
                    first = f"{found[task.name].folder} and {folder}"
                    raise UsageError(f"There are two tasks {task.name!r}.", found=first, hint="rename one")
                found[task.name] = task
    return found


def find(name: str) -> Task:
    """Find a task by its name.

    Raises:
        UsageError: If there is none of that name.

    Example:
        >>> find("oaei:anatomie")
        Traceback (most recent call last):
        ...
        goldassay.core.errors.UsageError: Unknown task 'oaei:anatomie'.
          expected: ...
          try:      oaei:anatomy
    """
    known = list_tasks()
    if name in known:
        return known[name]
    parts = [one for one in known if one.startswith(f"{name}:")]
    if parts:
        raise UsageError(f"The task {name} has parts.", expected=", ".join(parts), hint=f"--task {parts[0]}")
    raise unknown_choice_error("task", name, known)


def _folders() -> Iterator[Path]:
    yield Path(__file__).parent
    if own := own_folder():
        yield own
    for point in entry_points(group=GROUP):
        yield from map(Path, import_module(point.module).__path__)


@dataclass(frozen=True, kw_only=True)
class File:
    """A file of a task.

    Attributes:
        path: Where it lies in a folder of tasks.
        sha256: The digest of its content; empty if it is not known.
        url: Where it can be downloaded; empty if it cannot.
    """

    path: str
    sha256: str = ""
    url: str = ""


@dataclass(frozen=True, kw_only=True)
class Task:
    """A named task.

    Attributes:
        folder: The folder of the file that it was read from.
        kind: The family.
        measures: The specs of its measures.
        gold: The path of its gold, a file or a folder of its files.
        options: Options of the command, by their names without ``--``.
        files: All its files.
        get: How to get files that cannot be downloaded.
        benchmark: What a report says of it.
    """

    folder: Path
    kind: str
    measures: tuple[str, ...]
    gold: str
    options: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[File, ...]
    get: str = ""
    benchmark: Benchmark

    @property
    def name(self) -> str:
        """Its name."""
        return self.benchmark.name


@names_file
def read_tasks(path: str | PathLike[str]) -> list[Task]:
    """Read the task of a file, or its parts if it has some.

    Args:
        path: The TOML file.

    Raises:
        InputError: If it cannot be read, or a key or a value is invalid.
    """
    written = toml_of(path, SCHEMA)
    name = written["name"]
    if not NAME.fullmatch(name):
        raise InputError("Invalid task name.", found=repr(name), expected="oaei:anatomy, for example")
    parts = written.pop("parts", {})
    if bool(parts) == ("gold" in written):
        raise InputError("A task needs gold, or parts with gold.", expected="the key 'gold' or the table 'parts'")
    files = tuple(_files(written.get("files", [])))
    if not parts:
        return [_task(written, files, path)]
    return [_task(_part(written, word, part), files, path) for word, part in parts.items()]


def _part(whole: Mapping[str, Any], word: str, part: Mapping[str, Any]) -> dict[str, Any]:
    options = {**whole.get("options", {}), **part.get("options", {})}
    named = {"name": f"{whole['name']}:{word}", "title": f"{whole['title']}, {word}"}
    return {**whole, **part, **named, "options": options}


def _files(written: list[dict[str, str]]) -> Iterator[File]:
    for one in written:
        place = PurePosixPath(one["path"])
        if place.is_absolute() or ".." in place.parts:
            raise InputError("The path of a file leaves its folder.", found=one["path"], expected="a/b.rdf")
        if "sha256" in one and not SHA256.fullmatch(one["sha256"]):
            raise InputError("Invalid SHA-256.", found=one["sha256"], expected="64 hexadecimal digits")
        yield File(**one)


def _task(written: Mapping[str, Any], files: tuple[File, ...], path: str | PathLike[str]) -> Task:
    """Make a task of its tables, with those files that it needs."""
    options = written.get("options", {})
    wanted = {written["gold"], *(value for value in options.values() if isinstance(value, str))}
    used = tuple(one for one in files if one.path in wanted or one.path.startswith(f"{written['gold'].rstrip('/')}/"))
    if not used:
        raise InputError(
            "gold must be one of the files of the task.",
            found=written["gold"],
            expected="a path in [[files]]",
        )
    published = tuple(
        Published(system=one["system"], source=one.get("source", written.get("source", "")), values=one["values"])
        for one in written.get("published", [])
    )
    benchmark = Benchmark(**{name: written[name] for name in ("name", "title", "page", "licence")}, published=published)
    return Task(
        folder=Path(path).parent,
        kind=written["kind"],
        measures=tuple(written["measures"]),
        gold=written["gold"],
        options=options,
        files=used,
        get=written.get("get", ""),
        benchmark=benchmark,
    )
