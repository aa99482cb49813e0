"""Patterns that are compiled when they are first used: there are hundreds, of which one run needs a few."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Pattern:
    """What compiles itself when it is asked for what only a compiled pattern has, and keeps the answer as its own attribute."""

    def __init__(self, written: str | bytes, flags: int) -> None:
        self.pattern = written
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # What has an underscore is a question of the interpreter, such as how a copy is made.
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def pattern_of(written: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    r"""Return a pattern that has all methods of a compiled one, and is compiled when one of them is first asked for.

    Every pattern of a module is made by this (docs/decisions/0133).

    Example:
        >>> pattern_of(r"\d+").findall("1 of 20")
        ['1', '20']
    """
    return cast("re.Pattern[AnyStr]", _Pattern(written, flags))
