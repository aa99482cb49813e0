"""The level of chance as values: how it is found, and what it is. `goldassay.chance` finds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from goldassay.core.errors import UsageError

MOST_DRAWS = 10**6
NEAR_CHANCE = ("is no more than", "is little more than")
"""How a warning compares a score with chance; what sums scores up looks for it."""


@dataclass(frozen=True, kw_only=True)
class Chance:
    """How the level of chance is found.

    Attributes:
        null: The null model; empty for the first of the family that fits the measure.
        draws: How many predictions are drawn from it.
        seed: Where the draws start.

    Example:
        >>> str(Chance(null="reversed"))
        'reversed(draws=100,seed=0)'
    """

    null: str = ""
    draws: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.draws <= MOST_DRAWS:
            raise UsageError(
                "The number of draws is out of range.",
                found=str(self.draws),
                expected=f"1 to {MOST_DRAWS:,}",
                hint="draws=100",
            )
        if self.seed < 0:
            raise UsageError("A seed is a whole number from 0.", found=str(self.seed), hint="seed=0")

    def __str__(self) -> str:
        return f"{self.null}(draws={self.draws},seed={self.seed})"


@dataclass(frozen=True, kw_only=True)
class ChanceLevel:
    """What a score would be by chance, and how far it is beyond that."""

    drawn: Chance  # how it was found; `draws` is 1 where a null model gives the same at every draw
    exact: bool = False  # whether expected and sd are from a closed form, and not from the draws
    expected: Mapping[str, float] = field(default_factory=dict)  # the mean of each value under the null model
    # its standard deviation; nan where one draw is all there is by choice
    sd: Mapping[str, float] = field(default_factory=dict)
    # the share of the draws that are worse than the score, and half of those as good, in percent
    percentile: Mapping[str, float] = field(default_factory=dict)
    # where the score lies between what chance gives (0) and what is perfect (1): (s - E) / (best - E); nan where chance
    # is perfect too. For a value that knows no best, the difference in standard deviations
    adjusted: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        exact = ",moments=exact" if self.exact else ""
        return f"{self.drawn.null}(draws={self.drawn.draws},seed={self.drawn.seed}{exact})"
