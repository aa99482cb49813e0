"""Null models: random predictions that keep some properties of a prediction and randomise one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts
from goldassay.core.matching import Matching
from goldassay.core.measure import Measure
from goldassay.core.model import Model

ModelType = TypeVar("ModelType", bound=Model)
Noise: TypeAlias = "Callable[[ModelType, float, np.random.Generator], ModelType]"
"""Makes a share of a model worse."""


def choose_rows(size: int, share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose a share of some rows; from the same start a greater share chooses the same rows, and more."""
    return rng.permutation(size)[: round(share * size)]


def permutation(size: int, share: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Permute a share of some rows at random, and leave the others where they are."""
    order, some = np.arange(size), choose_rows(size, share, rng)
    order[some] = rng.permutation(some)
    return order


@dataclass(frozen=True)
class Moments:
    """What the sums of a score are under a null model, from a closed form.

    It is for measures whose values grow in proportion to the sums that chance moves while the others stay the same, so that
    dividing the mean of the sums gives the mean of the values, and dividing their standard deviation that of the values.
    """

    expected: Counts  # the mean of every sum
    sd: Counts  # the standard deviation of the sums that chance moves, and the mean of the others


def return_no_moments(measure: Measure[Any, Any], matching: Matching[Any]) -> Moments | None:
    """Know no closed form: the moments of a score are those of its draws."""
    del measure, matching
    return None


def fits_all(measure: Measure[Any, Any]) -> bool:
    """Return that a null model fits every measure."""
    del measure
    return True


@dataclass(frozen=True, eq=False, kw_only=True)
class Null(Generic[ModelType]):
    """A null model: how to draw a prediction that keeps some of what a prediction has, and knows nothing of the rest.

    Attributes:
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
    moments: Callable[[Measure[Any, Any], Matching[Any]], Moments | None] = return_no_moments
    certain: bool = False


def permute_answers(
    name: str,
    *,
    title: str,
    answers: str,
    reordered: Callable[[Any, NDArray[np.int64]], Any],
    fits: Callable[[Measure[Any, Any]], bool] = fits_all,
) -> tuple[Mapping[str, Null[Any]], Mapping[str, Noise[Any]]]:
    """Make the null model that gives the answers of a prediction to its records in a random order, and a noise of its name."""

    def noise(model: Any, share: float, rng: np.random.Generator) -> Any:
        return reordered(model, permutation(len(model.ids), share, rng))

    def draw(pred: Any, gold: Any, rng: np.random.Generator) -> Any:
        del gold
        return noise(pred, 1.0, rng) if len(pred.ids) > 1 else pred

    null = Null(title=title, answers=answers, citation="ojala2010permutation", draw=draw, fits=fits)
    return MappingProxyType({name: null}), MappingProxyType({name: noise})
