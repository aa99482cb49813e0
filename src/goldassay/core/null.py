"""What chance means: null models, which say what a prediction would be if it knew nothing of one thing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.matching import Matching
from goldassay.core.model import Model

if TYPE_CHECKING:
    from goldassay.core.measure import Measure

ModelType = TypeVar("ModelType", bound=Model)
Noise: TypeAlias = Callable[[ModelType, float, np.random.Generator], ModelType]
"""Makes a share of a model worse."""
MOST_DRAWS = 10**6


def chosen(size: int, share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose a share of some rows; from the same start a greater share chooses the same rows, and more.

    Example:
        >>> sorted(chosen(4, 0.5, np.random.default_rng(0)).tolist())
        [0, 2]
    """
    return rng.permutation(size)[: round(share * size)]


def permutation(size: int, share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Permute a share of some rows at random, and leave the others where they are.

    Example:
        >>> permutation(4, 0.0, np.random.default_rng(0)).tolist()
        [0, 1, 2, 3]
    """
    order, some = np.arange(size), chosen(size, share, rng)
    order[some] = rng.permutation(some)
    return order


@dataclass(frozen=True)
class Moments:
    """What the sums of a score are under a null model, from a closed form.

    It is for measures whose values grow in proportion to the sums that chance moves while the others stand still, so that
    dividing the mean of the sums gives the mean of the values, and dividing their standard deviation that of the values.

    Attributes:
        expected: The mean of every sum.
        sd: The standard deviation of the sums that chance moves, and the mean of the others.
    """

    expected: Counts
    sd: Counts


def no_closed_form(measure: Measure[Any, Any], matching: Matching[Any]) -> Moments | None:
    """Know no closed form: the moments of a score are those of its draws."""
    del measure, matching
    return None


def fits_all(measure: Measure[Any, Any]) -> bool:
    """Say that a null model fits every measure."""
    del measure
    return True


@dataclass(frozen=True, eq=False, kw_only=True)
class Null(Generic[ModelType]):
    """A null model: how to draw a prediction that keeps some of what a prediction has, and knows nothing of the rest.

    Attributes:
        title: What it does, in a few words.
        answers: The question that it answers, in one sentence.
        citation: Where it is from; a key in ``references.bib``.
        draw: Draws a prediction, from the prediction, gold and chance. It changes neither.
        fits: Whether it can say something of a measure: whether it moves what the measure counts.
        moments: The closed form of a measure's moments, from what was matched; None where there is none.
        certain: Whether it gives the same at every draw, so that one is enough.
    """

    title: str
    answers: str
    citation: str
    draw: Callable[[ModelType, ModelType, np.random.Generator], ModelType]
    fits: Callable[[Measure[Any, Any]], bool] = fits_all
    moments: Callable[[Measure[Any, Any], Matching[Any]], Moments | None] = no_closed_form
    certain: bool = False


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
                "So many draws cannot be.", found=str(self.draws), expected=f"1 to {MOST_DRAWS:,}", hint="draws=100"
            )
        if self.seed < 0:
            raise UsageError("A seed is a whole number from 0.", found=str(self.seed), hint="seed=0")

    def __str__(self) -> str:
        return f"{self.null}(draws={self.draws},seed={self.seed})"


@dataclass(frozen=True, kw_only=True)
class ChanceLevel:
    """What a score would be by chance, and how far it is beyond that.

    Attributes:
        drawn: How it was found; ``draws`` is 1 where a null model gives the same at every draw.
        exact: Whether expected and sd are from a closed form, and not from the draws.
        expected: The mean of each value under the null model.
        sd: Its standard deviation; nan where one draw is all there is by choice.
        percentile: The share of the draws that are worse than the score, and half of those as good, in percent.
        adjusted: Where the score lies between what chance gives (0) and what is perfect (1): (s - E) / (best - E); nan
            where chance is perfect too. For a value that knows no best, the difference in standard deviations.
    """

    drawn: Chance
    exact: bool = False
    expected: Mapping[str, float] = field(default_factory=dict)
    sd: Mapping[str, float] = field(default_factory=dict)
    percentile: Mapping[str, float] = field(default_factory=dict)
    adjusted: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        exact = ",moments=exact" if self.exact else ""
        return f"{self.drawn.null}(draws={self.drawn.draws},seed={self.drawn.seed}{exact})"

    def to_dict(self) -> dict[str, Any]:
        """Give the level in the shape that ``--format json`` writes; what is not a number is None."""
        columns = {name: getattr(self, name) for name in ("expected", "sd", "percentile", "adjusted")}
        return {
            "null": self.drawn.null,
            "draws": self.drawn.draws,
            "seed": self.drawn.seed,
            "exact": self.exact,
            **{
                name: {value: None if math.isnan(number) else number for value, number in column.items()}
                for name, column in columns.items()
            },
        }
