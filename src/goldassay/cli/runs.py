"""Which files are predictions: names, patterns and folders, and with ``--runs NAME=PATTERN`` the runs of systems."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from os.path import exists, isdir, isfile, lexists
from typing import Any

from goldassay.core.errors import InputError, UsageError
from goldassay.core.limits import FILES
from goldassay.core.patterns import pattern_of
from goldassay.inputs import File, files_in

LONGEST = 4096
"""No path has more characters, and a pattern of brackets that are not closed takes the square of its length."""
SEPARATORS = os.sep + (os.altsep or "")
PART = pattern_of(f"[^{re.escape(SEPARATORS)}]*+[{re.escape(SEPARATORS)}]++|[^{re.escape(SEPARATORS)}]++")
"""A part of a pattern: the name of a file, or of a folder with what separates it from the next part."""


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


def files_of(preds: Sequence[str], *, folders: bool, is_one: Callable[[str], bool] = lambda _: False) -> list[Any]:
    """Find the files of predictions, each of which may have a name: ``mine=learned.ttl``; a folder may be one prediction."""
    found: list[File] = []
    for given in preds:
        name, path = split_name(given)
        files = _files_of(path, folders=folders or (isdir(path) and is_one(path)))
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


def split_name(given: str) -> tuple[str | None, str]:
    """Split ``NAME=FILE``; a path that exists is one, and may have an equals sign in the name of a folder."""
    name, equals, path = (part.strip() for part in given.partition("="))
    named = equals and name and path and not _is_path(given) and (_is_path(path) or not {"/", os.sep, "#"} & {*name})
    return (name, path) if named else (None, given)


def _is_path(given: str) -> bool:
    """Return whether a path exists, also one with the name of a part of the file, or matches as a pattern."""
    return any(map(exists, (given, given.rpartition("#")[0]))) or (_is_pattern(given) and bool(_find(given)))


def _is_pattern(name: str) -> bool:
    return any(mark in name for mark in "*?[")


def _files_of(name: str, *, folders: bool) -> list[str]:
    if isdir(name) and not folders and not name.rstrip("/").endswith(".parquet"):
        return [*map(str, files_in(name))]
    literal = any(map(exists, (name, name.rpartition("#")[0])))
    return _matches(name) if _is_pattern(name) and not literal else [name]


def _matches(pattern: str) -> list[str]:
    # A file whose own name has brackets is that file. A name that no file can have is none, and no error of the system.
    found = {pattern} if isfile(pattern) else _find(pattern)
    if not found:
        raise InputError("No file matches.", path=pattern, expected="a file, or a pattern such as 'runs/gpt-*.ttl'")
    return sorted(found)


def _find(pattern: str) -> set[str]:
    return _Search(pattern).find() if len(pattern) <= LONGEST else set()


@dataclass
class _Search:
    """A search for what matches a pattern; ``**`` is a folder at any depth, and follows no link: folders may link to themselves.

    Each part of the pattern is matched below all that the parts before it matched, so that no part looks into a folder twice.
    """

    pattern: str
    looked_at: int = 0

    def find(self) -> set[str]:
        """Find the paths, as the pattern writes them."""
        found = {""}
        for part in PART.findall(f"{self.pattern}/*" if PART.findall(self.pattern)[-1] == "**" else self.pattern):
            name = part.rstrip(SEPARATORS)
            end = part[len(name) :]
            if name == "**":
                found = self._at_any_depth(found, end)
            elif _is_pattern(name):
                found = {path + end for folder in found for path in self._matching(folder, name)}
                found = {path for path in found if not end or isdir(path)}
            else:
                self._count(len(found))
                found = {path for folder in found if (isdir if end else lexists)(path := folder + part)}
        return found

    def _at_any_depth(self, folders: set[str], end: str) -> set[str]:
        found, waiting = set(folders), list(folders)
        while waiting:
            folder = waiting.pop()
            inside = {f"{folder}{name}{end}" for name, below in self._entries(folder) if below and name[0] != "."}
            waiting += inside - found
            found |= inside
        return found

    def _matching(self, folder: str, name: str) -> Iterator[str]:
        for one, _ in self._entries(folder):
            if fnmatch(one, name) and (name[0] == "." or one[0] != "."):
                yield folder + one

    def _entries(self, folder: str) -> Iterator[tuple[str, bool]]:
        """Give the names in a folder, with whether each is a folder; a name that no folder can have holds none."""
        with suppress(OSError), os.scandir(folder or ".") as entries:
            for entry in entries:
                self._count(1)
                yield entry.name, entry.is_dir(follow_symlinks=False)

    def _count(self, more: int) -> None:
        self.looked_at += more
        if self.looked_at > FILES.value:
            raise InputError(
                "The pattern looks at too many files.",
                path=self.pattern,
                found=f"more than {FILES.value:,} {FILES.unit}",
                expected=f"at most {FILES.value:,} {FILES.unit}",
                hint=f"begin it with the folder of the runs, such as 'runs/**/gpt-*.ttl', or raise the limit: --limit {FILES.name}=N",
            )
