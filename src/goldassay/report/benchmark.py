"""The named task that a report is about: whose gold it is, and what others published on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldassay.core.measure import Score


@dataclass(frozen=True, kw_only=True)
class Published:
    """What somebody published of one system.

    Attributes:
        values: The values of each measure, by the measure as its spec or its name.
    """

    system: str
    source: str
    values: Mapping[str, Mapping[str, float]]

    def of(self, score: Score) -> Mapping[str, float]:
        """Give the values of the measure of a score; nothing if none were published."""
        return self.values.get(score.spec) or self.values.get(score.name) or {}


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """A named task."""

    name: str
    title: str
    page: str
    licence: str
    published: tuple[Published, ...]

    def beside(self, score: Score) -> Iterator[tuple[Published, Mapping[str, float]]]:
        """List the systems that have published values of the measure of a score, with these values."""
        for one in self.published:
            if values := one.of(score):
                yield one, values

    def lines(self) -> Iterator[str]:
        """Say what the task is, whose its gold is, and where the published values are from."""
        yield f"task {self.name}: {self.title} ({self.page})"
        yield f"licence of gold: {self.licence}"
        for source in dict.fromkeys(one.source for one in self.published):
            yield f"published: {source}"
