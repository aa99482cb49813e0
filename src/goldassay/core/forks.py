"""Processes that were forked after Polars had started: they have none of its threads, and would wait for them without end."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

PACKAGE = __name__.partition(".")[0]
COLLECTING = (("DataFrame", "lazy"), ("LazyFrame", "collect"))
"""Methods of Polars, one of which each of its calls uses that takes threads."""
HINT = (
    'multiprocessing.get_context("spawn").Pool(), or ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")); '
    "or make the processes before anything is read"
)
WORKING = ("polars-0", "async-executor-")
"""The threads that compute; others, such as one that removes files, come with the import, and nothing waits for them."""
_started = [False]


def watch_forks() -> None:
    """Refuse, in each process that is forked from here on, what would wait for threads that only the first one has."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_note_threads, after_in_child=_refuse_threads)


def _note_threads() -> None:
    _started[0] = "polars" in sys.modules and any(name.startswith(WORKING) for name in _threads())


def _threads() -> Iterator[str]:
    """Give the names of the threads of this process; none where the system does not list them."""
    from pathlib import Path

    for name in Path("/proc/self/task").glob("*/comm"):
        try:
            yield name.read_text()
        except OSError:
            # It has ended.
            continue


def _refuse_threads() -> None:
    if _started[0]:
        for kind, name in COLLECTING:
            owner = getattr(sys.modules["polars"], kind)
            setattr(owner, name, _refusing(getattr(owner, name)))


def _refusing(method: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse a method of Polars where goldassay calls it."""
    from functools import wraps

    from goldassay.core.errors import UsageError

    @wraps(method)
    def refused(*given: Any, **named: Any) -> Any:
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - what warnings themselves look at
        while frame is not None:
            if str(frame.f_globals.get("__name__")).partition(".")[0] == PACKAGE:
                raise UsageError(
                    "This process was forked after tables had been read, and cannot read any: it has no threads of Polars.",
                    found="a process made by fork, the default of multiprocessing on Linux before Python 3.14",
                    hint=HINT,
                )
            frame = frame.f_back
        return method(*given, **named)

    return refused
