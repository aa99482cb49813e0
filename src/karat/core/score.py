"""Score: unrounded values with the counts, the matching and the signature behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat.core.counts import Counts
from karat.core.matching import Matching
from karat.core.signature import Signature


@dataclass(frozen=True, eq=False, kw_only=True)
class Score:
    """What a measure says of one prediction. Its values are attributes too: ``score.f1``.

    Attributes:
        name: Name of the measure.
        measure: The measure as its spec.
        headline: Which of the values stands for the score where there is room for one.
        values: Unrounded values by name.
        counts: The sums that the values were divided from.
        matching: Which item met which.
        signature: All that can move the number, in one line.
        undefined: The values that were 0/0.
    """

    name: str
    measure: str
    headline: str
    values: Mapping[str, float]
    counts: Counts
    matching: Matching
    signature: Signature
    undefined: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> float:
        # Only reached for what is no field; dunder look-ups (pickle, copy) come here before there are fields.
        values = self.__dict__.get("values", {})
        if name not in values:
            raise AttributeError(f"{type(self).__name__} has no value {name!r}; it has: {', '.join(values)}")
        return float(values[name])

    def __repr__(self) -> str:
        return f"<Score {self.format()}>"

    @property
    def caveat(self) -> str | None:
        """What a reader must know of the values, in one sentence; None if there is nothing."""
        if not self.undefined:
            return None
        value = self.values[self.undefined[0]]
        empty = "both sides are empty, so " if not any(self.counts.values()) else ""
        return f"{self.measure}: {empty}{' and '.join(self.undefined)} 0/0, given as {value:g}"

    def format(self, *, places: int = 4, percent: bool = False) -> str:
        """Write the score as one line.

        Args:
            places: Decimal places.
            percent: Whether to multiply by 100.

        Returns:
            For example ``fuzzy(threshold=0.436): precision 0.3798, recall 0.9805, f1 0.5475``.
        """
        factor = 100 if percent else 1
        written = ", ".join(f"{name} {value * factor:.{places}f}" for name, value in self.values.items())
        return f"{self.measure}: {written}"

    def to_dict(self) -> dict[str, Any]:
        """Give the score in the shape that ``--format json`` writes."""
        return {
            "measure": self.measure,
            "name": self.name,
            "headline": self.headline,
            "values": dict(self.values),
            "counts": dict(self.counts),
            "undefined": list(self.undefined),
            "signature": str(self.signature),
        }
