"""All named tasks: ours, those in one's own folder, and those of other packages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from goldassay.core.errors import InputError, UsageError, unknown_choice
from goldassay.tasks.task import Task, read_tasks

FOLDER_VARIABLE = "GOLDASSAY_TASKS"
GROUP = "goldassay.tasks"
"""The group of entry points by which other packages add tasks: each names a package whose folder holds TOML files."""


def own_folder() -> Path | None:
    """Return the folder that ``GOLDASSAY_TASKS`` names; None if it is not set."""
    named = os.environ.get(FOLDER_VARIABLE)
    if not named:
        return None
    if not Path(named).is_dir():
        raise InputError(f"{FOLDER_VARIABLE} names no folder.", path=named, hint=f"make it, or unset {FOLDER_VARIABLE}")
    return Path(named)


def all_tasks() -> dict[str, Task]:
    """List all tasks by name.

    Raises:
        InputError: If the file of a task is not as it should be.
        UsageError: If two tasks have one name.

    Example:
        >>> all_tasks()["oaei:anatomy"].kind
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
    known = all_tasks()
    if name in known:
        return known[name]
    parts = [one for one in known if one.startswith(f"{name}:")]
    if parts:
        raise UsageError(f"The task {name} has parts.", expected=", ".join(parts), hint=f"--task {parts[0]}")
    raise unknown_choice("task", name, known)


def _folders() -> Iterator[Path]:
    yield Path(__file__).parent
    if own := own_folder():
        yield own
    for point in entry_points(group=GROUP):
        yield from map(Path, import_module(point.module).__path__)
