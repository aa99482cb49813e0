"""Timing of the stages of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter


@dataclass
class Stopwatch:
    """Adds up the seconds that stages take.

    Attributes:
        seconds: Seconds by stage, in the order in which stages were first entered.

    Example:
        >>> watch = Stopwatch()
        >>> with watch.stage("reading"):
        ...     pass
        >>> list(watch.seconds)
        ['reading']
    """

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the time of the enclosed code.

        Args:
            name: A readable name of the stage.
        """
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - start
