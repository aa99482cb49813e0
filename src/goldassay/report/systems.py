"""What repeated runs of several systems found: one row a system and measure, with the spread over its runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from goldassay.core.measure import Measure
from goldassay.core.replication import MeanDifference, Spread
from goldassay.core.signature import Signature
from goldassay.core.significance import Resampling


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemScore:
    """One measure over the runs of one system.

    Attributes:
        values: The spread of each value over the runs.
        signature: All that can move the numbers: what the signatures of the runs share, and how units were drawn.
        against: The system that this one was tested against; None for that system itself.
        differences: How the means differ from those of that system; empty for that system itself.
        p_holm: The p of each difference, adjusted for the number of systems tested.
    """

    measure: Measure[Any, Any]
    values: Mapping[str, Spread]
    signature: Signature
    resampling: Resampling
    unit: str | None
    against: str | None = None
    differences: Mapping[str, MeanDifference] = field(default_factory=dict)
    p_holm: Mapping[str, float] = field(default_factory=dict)

    @property
    def spec(self) -> str:
        """The measure as its spec."""
        return str(self.measure)

    def merit(self, value: str) -> float:
        """Return what to sort one of the values by: the greater, the better."""
        return self.measure.merit(self.values[value].mean)

    def differs(self, value: str) -> bool:
        """Say whether a value differs by more than chance, at the level of the intervals."""
        return self.p_holm.get(value, 1.0) <= 1 - self.resampling.level + 1e-12

    def told(self) -> str:
        """Say how much of the variance of the headline is between runs, and how much between units."""
        found, name = self.values[self.measure.headline], self.measure.headline
        unit = f"{self.unit}s"
        if found.between_runs is None:
            only = f"the interval is of {unit} alone" if found.interval else "there is no interval"
            return f"{self.spec}: one run only, so that nothing is known of the variance between runs; {only}"
        if found.between_units is None:
            return f"{self.spec}: no units to draw, so that the interval is of runs alone"
        if found.share_of_runs is None:
            return f"{self.spec}: {name} varies neither between runs nor between {unit}"
        runs = found.share_of_runs
        return f"{self.spec}: of the variance of {name}, {runs:.0%} is between runs and {1 - runs:.0%} between {unit}"

    def fields_of(self, name: str) -> dict[str, Any]:
        """Return what is known of one value: its spread, and its difference if it was tested."""
        found = dict(vars(self.values[name]))
        if name in self.differences:
            one = self.differences[name]
            found |= {"difference": one.difference, "difference_interval": one.interval, "p": one.p}
            found["p_holm"] = self.p_holm.get(name)
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class System:
    """One system and its runs."""

    name: str
    rows: tuple[int, ...]
    scores: tuple[SystemScore, ...]

    def __getitem__(self, name: str) -> SystemScore:
        return next(score for score in self.scores if name in (score.spec, score.measure.name))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of the spread, a sentence a measure."""
        return tuple(f"{self.name}: {score.told()}" for score in self.scores)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Lay the system out as rows of a table, one a measure."""
        for score in self.scores:
            row: dict[str, Any] = {"system": self.name, "measure": score.spec, "runs": len(self.rows)}
            for name, found in score.values.items():
                ends = found.interval
                row |= {
                    name: found.mean,
                    f"{name}_sd": found.sd,
                    f"{name}_low": ends and ends.low,
                    f"{name}_high": ends and ends.high,
                    f"{name}_between_runs": found.between_runs,
                    f"{name}_between_units": found.between_units,
                    f"p_{name}": score.p_holm.get(name),
                }
            yield {**row, "signature": str(score.signature)}
