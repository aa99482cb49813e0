"""Score: unrounded values with the counts, the matching and the signature behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from goldassay.core.counts import Counts
from goldassay.core.golds import Golds
from goldassay.core.matching import Matching
from goldassay.core.signature import Signature
from goldassay.core.units import Units

if TYPE_CHECKING:
    from goldassay.core.chance import ChanceLevel
    from goldassay.core.groups import Breakdown
    from goldassay.core.measure import Measure
    from goldassay.core.significance import Interval, Resampling


@dataclass(frozen=True, eq=False, kw_only=True)
class Score:
    """The result of a measure for one prediction. Its values are attributes too: ``score.f1``.

    Attributes:
        measure: The measure.
        values: Unrounded values by name.
        counts: The sums that the values were computed from.
        matching: Which items match.
        signature: Everything that can change the value, in one line.
        undefined: The values that were 0/0.
        resampling: How intervals were drawn; None if not requested.
        units: The counts split by unit; None if intervals were not requested or are not available.
        intervals: The interval of each value; empty if not requested or not available.
        remark: A remark of the measure on its values, in one sentence; None if there is none.
        chance: What the values would be by chance; None if nobody asked, or nobody can say.
        golds: By which rule several golds gave it, and their human ceiling; None if there is one gold.
        bounds: What a value would be if all unjudged items were wrong, and if all were right; empty if all are judged.
        breakdowns: The score split into groups, one entry per grouping; empty if not requested.
    """

    measure: Measure[Any, Any]
    values: Mapping[str, float]
    counts: Counts
    matching: Matching[Any]
    signature: Signature
    undefined: tuple[str, ...] = ()
    resampling: Resampling | None = None
    units: Units | None = None
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    remark: str | None = None
    chance: ChanceLevel | None = None
    golds: Golds | None = None
    bounds: Mapping[str, Interval] = field(default_factory=dict)
    breakdowns: tuple[Breakdown, ...] = ()

    def __getattr__(self, name: str) -> float:
        # Only reached for names that are not fields; dunder look-ups (pickle, copy) come here before there are fields.
        values = self.__dict__.get("values", {})
        if name not in values:
            raise AttributeError(f"{type(self).__name__} has no value {name!r}; it has: {', '.join(values)}")
        return float(values[name])

    def __repr__(self) -> str:
        return f"<Score {self.format()}>"

    @property
    def spec(self) -> str:
        """The measure as its spec."""
        return str(self.measure)

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self.measure.name

    @property
    def headline(self) -> str:
        """The main value of the score, used where only one is shown."""
        return self.measure.headline

    @property
    def higher_is_better(self) -> bool:
        """Whether more of the headline is better."""
        return self.measure.higher_is_better

    @property
    def caveat(self) -> str | None:
        """A remark on the values, in one sentence; None if there is none."""
        said = [] if self.remark is None else [self.remark]
        if self.undefined:
            value = self.values[self.undefined[0]]
            empty = "both sides are empty, so " if not any(self.counts.values()) else ""
            said.insert(0, f"{empty}{' and '.join(self.undefined)} 0/0, given as {value:g}")
        return f"{self.spec}: {'; '.join(said)}" if said else None

    @property
    def unsure(self) -> str | None:
        """Why there are no intervals although they were asked for; None if there are, or were not asked for."""
        if self.resampling is None or self.intervals:
            return None
        if self.golds is not None and self.golds.rule == "mean":
            return f"{self.spec}: no interval, since it is a mean over golds, which are too few to draw from"
        if self.units is None:
            return f"{self.spec}: no interval, since its values are not functions of sums over units"
        return f"{self.spec}: no interval, since there is only {len(self.units)} {self.units.name}"

    def format(self, *, places: int = 4, percent: bool = False) -> str:
        """Write the score as one line.

        Args:
            places: Decimal places.
            percent: Whether to multiply by 100.

        Returns:
            For example ``fuzzy(threshold=0.436): precision 0.3798, recall 0.9805, f1 0.5475``.
        """
        written = ", ".join(f"{name} {self.written(name, places=places, percent=percent)}" for name in self.values)
        return f"{self.spec}: {written}"

    def written(self, name: str, *, places: int = 4, percent: bool = False) -> str:
        """Write one value, and its interval if it has one.

        Args:
            name: The value.
            places: Decimal places.
            percent: Whether to multiply by 100.

        Returns:
            For example ``0.5475 [0.5121, 0.5830]``.
        """
        factor = 100 if percent else 1
        value = f"{self.values[name] * factor:.{places}f}"
        if name not in self.intervals:
            return value
        found = self.intervals[name]
        return f"{value} [{found.low * factor:.{places}f}, {found.high * factor:.{places}f}]"

    def to_dict(self) -> dict[str, Any]:
        """Return the score in the format of ``--format json``."""
        written: dict[str, Any] = {
            "measure": self.spec,
            "name": self.name,
            "headline": self.headline,
            "values": dict(self.values),
            "counts": dict(self.counts),
            "undefined": list(self.undefined),
            "higher_is_better": self.higher_is_better,
            "signature": str(self.signature),
        }
        if self.resampling is not None:
            written["resampling"] = asdict(self.resampling)
            written["intervals"] = {name: [found.low, found.high] for name, found in self.intervals.items()}
            written["units"] = None if self.units is None else self.units.to_dict()
        if self.chance is not None:
            written["chance"] = self.chance.to_dict()
        if self.golds is not None:
            written["golds"] = self.golds.to_dict()
        if self.bounds:
            written["bounds"] = {name: [found.low, found.high] for name, found in self.bounds.items()}
        if self.breakdowns:
            written["breakdowns"] = [one.to_dict() for one in self.breakdowns]
        return written
