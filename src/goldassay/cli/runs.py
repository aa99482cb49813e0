"""Which files are predictions: names, patterns and folders, and with ``--runs NAME=PATTERN`` the runs of systems."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from glob import escape, glob
from os.path import exists, isdir, isfile
from pathlib import Path
from typing import Any

from goldassay.core.errors import InputError, UsageError
from goldassay.inputs import File

LONGEST = 4096
"""No path has more characters, and a pattern of brackets that are not closed takes the square of its length."""
ANY_DEPTH = re.compile(r"(?<![^/])(?:\*\*(?:/+|$))+")
"""The part of a pattern that stands for folders at any depth."""


def systems_of(runs: Sequence[str], preds: Sequence[str]) -> dict[str, list[str]]:
    """Find the files of each system.

    Example:
        >>> systems_of(["gpt"], [])
        Traceback (most recent call last):
        goldassay.core.errors.UsageError: --runs needs a name and a pattern.
          found:    gpt
          expected: NAME=PATTERN, for example 'gpt=runs/gpt-*.ttl'
    """
    if runs and preds:
        raise UsageError("PRED and --runs cannot be given together.", found=f"{preds[0]} and --runs {runs[0]}")
    systems: dict[str, list[str]] = {}
    for text in runs:
        name, equals, pattern = (part.strip() for part in text.partition("="))
        if not (name and equals and pattern):
            raise UsageError(
                "--runs needs a name and a pattern.",
                found=text,
                expected="NAME=PATTERN, for example 'gpt=runs/gpt-*.ttl'",
            )
        found = _matches(pattern)
        twice = set(found) & {path for paths in systems.values() for path in paths}
        if twice:
            raise UsageError(
                "A file is listed as a run twice.", found=min(twice), expected="each run once, of one system"
            )
        systems.setdefault(name, []).extend(map(File, found))
    return systems


def files_of(preds: Sequence[str], *, folders: bool) -> list[Any]:
    """Find the files of predictions, each of which may have a name: ``mine=learned.ttl``."""
    found: list[File] = []
    for given in preds:
        name, path = _split_name(given)
        files = _files_of(path, folders=folders)
        if name and len(files) > 1:
            raise UsageError(
                "Several files have the same name.",
                found=given,
                hint=f"--runs {given} for the runs of a system, or a name for each file",
            )
        found += [File(file, name) for file in files]
    for what, values in (("prediction", map(str, found)), ("name", (one.called for one in found if one.called))):
        twice = [value for value, times in Counter(values).items() if times > 1]
        if twice:
            raise UsageError(f"The same {what} is given twice.", found=twice[0])
    return found


def _split_name(given: str) -> tuple[str | None, str]:
    """Split ``NAME=FILE``; a path that exists is one, and may have an equals sign in the name of a folder.

    Example:
        >>> _split_name("mine=learned.ttl"), _split_name("runs/lr=0.1.ttl")
        (('mine', 'learned.ttl'), (None, 'runs/lr=0.1.ttl'))
    """
    name, equals, path = (part.strip() for part in given.partition("="))
    named = equals and name and path and not _is_path(given) and (_is_path(path) or not {"/", os.sep, "#"} & {*name})
    return (name, path) if named else (None, given)


def _is_path(given: str) -> bool:
    """Return whether a path exists, also one with the name of a part of the file, or matches as a pattern."""
    return any(map(exists, (given, given.rpartition("#")[0]))) or (
        _is_pattern(given) and bool(_find_at_any_depth(given))
    )


def _is_pattern(name: str) -> bool:
    return any(mark in name for mark in "*?[")


def _files_of(name: str, *, folders: bool) -> list[str]:
    if isdir(name) and not folders and not name.rstrip("/").endswith(".parquet"):
        inside = sorted(str(file) for file in Path(name).iterdir() if isfile(file) and file.name[0] != ".")
        if not inside:
            raise InputError("The folder contains no file.", path=name, expected="a folder of predictions")
        return inside
    literal = any(map(exists, (name, name.rpartition("#")[0])))
    return _matches(name) if _is_pattern(name) and not literal else [name]


def _matches(pattern: str) -> list[str]:
    # A file whose own name has brackets is that file. A name that no file can have is none, and no error of the system.
    try:
        found = {pattern} if isfile(pattern) else _find_at_any_depth(pattern)
    except RecursionError:  # folders in folders, by the hundred
        found = set()
    if not found:
        raise InputError("No file matches.", path=pattern, expected="a file, or a pattern such as 'runs/gpt-*.ttl'")
    return sorted(found)


def _find_at_any_depth(pattern: str, seen: set[str] | None = None) -> set[str]:
    """Find what matches a pattern; ``**`` is a folder at any depth, and follows no link: folders may link to themselves.

    What several ``**`` reach in many ways is searched once: ``seen`` holds the patterns that were.
    """
    if len(pattern) > LONGEST:
        return set()
    seen = set() if seen is None else seen
    before, *after = ANY_DEPTH.split(pattern, maxsplit=1)
    if not after:
        return set(glob(pattern))  # noqa: PTH207 - keeps the path as it is written
    found: set[str] = set()
    for root in glob(before) if before else [""]:  # noqa: PTH207
        for folder, inside, _ in os.walk(root or "."):
            named = folder if root else folder[2:]
            deeper = os.path.join(escape(named), after[0] or "*")  # noqa: PTH118
            inside[:] = [] if deeper in seen else [name for name in inside if not name.startswith(".")]
            if deeper not in seen:
                seen.add(deeper)
                found |= _find_at_any_depth(deeper, seen)
    return found
