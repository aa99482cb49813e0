"""What an evaluation does, and how long each stage of it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldassay.core.context import Progress


@dataclass
class Stopwatch:
    """Adds up the seconds that stages take; a stage within another one counts for itself alone.

    Attributes:
        seconds: Seconds by stage, in the order in which stages were first entered.
        told: Called at the end of each stage that is within no other: its name, what it was about, and its seconds.
        progress: Called while a stage goes on; None for nobody.

    Example:
        >>> watch = Stopwatch()
        >>> with watch.stage("matching"), watch.stage("encoding"):
        ...     pass
        >>> list(watch.seconds)
        ['matching', 'encoding']
    """

    seconds: dict[str, float] = field(default_factory=dict)
    told: Callable[[str, str, float], None] | None = None
    progress: Progress | None = None
    _within: float = 0.0
    _depth: int = 0

    @contextmanager
    def stage(self, name: str, about: str = "") -> Iterator[None]:
        """Measure the time of the enclosed code.

        Args:
            name: A readable name of the stage.
            about: The file or the measure that it is about.
        """
        start, before = perf_counter(), self._within
        self.seconds.setdefault(name, 0.0)
        self._within = 0.0
        self._depth += 1
        try:
            yield
        finally:
            whole = perf_counter() - start
            self.seconds[name] += whole - self._within
            self._within = before + whole
            self._depth -= 1
            if self.told and not self._depth:
                self.told(name, about, whole)


_running: ContextVar[Stopwatch | None] = ContextVar("running", default=None)


@contextmanager
def timed(watch: Stopwatch | None = None) -> Iterator[Stopwatch]:
    """Let a stopwatch run while the enclosed code does: the one that is given, the one that runs already, or a new one.

    Example:
        >>> with timed() as watch, stage("reading"):
        ...     pass
        >>> list(watch.seconds)
        ['reading']
    """
    chosen = watch or _running.get() or Stopwatch()
    token = _running.set(chosen)
    try:
        yield chosen
    finally:
        _running.reset(token)


def stage(name: str, about: str = "") -> AbstractContextManager[None]:
    """Measure the time of the enclosed code with the stopwatch that runs, if one does.

    Args:
        name: A readable name of the stage.
        about: The file or the measure that it is about.
    """
    watch = _running.get()
    return watch.stage(name, about) if watch else nullcontext()


def running() -> Stopwatch:
    """Return the stopwatch that runs, or a new one."""
    return _running.get() or Stopwatch()


def progressing() -> Progress | None:
    """Return what to call while the stage goes on that runs; None if nobody wants to know."""
    watch = _running.get()
    return watch.progress if watch else None
