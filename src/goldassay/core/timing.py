"""What an evaluation does, and how long each stage of it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldassay.kernels.types import Progress


@dataclass
class Stopwatch:
    """Adds up the seconds that stages take; a stage within another one counts only for itself."""

    # seconds by stage, in the order in which stages were first entered
    seconds: dict[str, float] = field(default_factory=dict)
    # called at the end of each stage that is within no other: its name, what it was about, and its seconds
    on_stage: Callable[[str, str, float], None] | None = None
    # called with each detail of a stage, such as a line that was not read
    on_detail: Callable[[str], None] | None = None
    progress: Progress | None = None
    within: float = 0.0  # seconds of the stages within the current one
    depth: int = 0

    def stage(self, name: str, about: str = "") -> AbstractContextManager[None]:
        """Measure the time of the enclosed code."""
        return _Stage(self, name, about)


class _Stage:
    """The time of some code; a class, since a generator takes three times as long, and a small call has many stages."""

    __slots__ = ("about", "before", "name", "start", "watch")

    def __init__(self, watch: Stopwatch, name: str, about: str) -> None:
        self.watch, self.name, self.about = watch, name, about

    def __enter__(self) -> None:
        watch = self.watch
        watch.seconds.setdefault(self.name, 0.0)
        self.before, watch.within = watch.within, 0.0
        watch.depth += 1
        self.start = perf_counter()

    def __exit__(self, *error: object) -> None:
        watch, whole = self.watch, perf_counter() - self.start
        watch.seconds[self.name] += whole - watch.within
        watch.within = self.before + whole
        watch.depth -= 1
        if watch.on_stage and not watch.depth:
            watch.on_stage(self.name, self.about, whole)


_running: ContextVar[Stopwatch | None] = ContextVar("running", default=None)


@contextmanager
def time_block(watch: Stopwatch | None = None) -> Iterator[Stopwatch]:
    """Run a stopwatch with the enclosed code: the given one, the running one, or a new one."""
    chosen = watch or _running.get() or Stopwatch()
    token = _running.set(chosen)
    try:
        yield chosen
    finally:
        _running.reset(token)


def stage(name: str, about: str = "") -> AbstractContextManager[None]:
    """Measure the time of the enclosed code with the stopwatch that runs, if one does."""
    watch = _running.get()
    return watch.stage(name, about) if watch else nullcontext()


def log_detail(text: str) -> None:
    """Report a detail of what is done, if details are listed."""
    watch = _running.get()
    if watch and watch.on_detail:
        watch.on_detail(text)


def running() -> Stopwatch:
    """Return the stopwatch that runs, or a new one."""
    return _running.get() or Stopwatch()


def progressing() -> Progress | None:
    """Return what to call while the stage goes on that runs; None if there is nothing to call."""
    watch = _running.get()
    return watch.progress if watch else None
