"""Whether a measure tells good from bad on a gold standard: against itself, against chance, and under rising noise.

The criteria are those of Dellschaft and Staab (2006): a measure should give gold itself the best score, and fall as errors
are made, gradually, whatever their kind.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from goldassay.chance import with_chance
from goldassay.core.chance import Chance
from goldassay.core.context import Context
from goldassay.core.errors import GoldassayWarning
from goldassay.core.family import Family
from goldassay.core.measure import Measure
from goldassay.core.model import Model

STEPS = (0.2, 0.4, 0.6, 0.8, 1.0)
DROPPED = (0.1, 0.3, 0.5, 0.7, 0.9)
"""What is dropped altogether is no prediction any more."""
SLACK = 0.01
"""How much a score may rise from one step to the next: noise is drawn, and may do good by chance."""
BARS = "▁▂▃▄▅▆▇█"
TELLS = 0.1
"""How far a score has to fall under the most noise to tell anything."""


@dataclass(frozen=True, kw_only=True)
class Fitness:
    """How a measure takes one kind of change to gold.

    Attributes:
        measure: The measure as its spec.
        change: What was done to gold.
        steps: How much of it was changed, at each step; empty where there are no steps.
        values: The headline value of each step, or the only one.
        verdict: What that says of the measure.
        fit: Whether it is as it should be.
        worst: How far from the best value the measure's worst one lies; infinite where there is none.
        best: The best value.
    """

    measure: str
    change: str
    steps: tuple[float, ...] = ()
    values: tuple[float, ...]
    verdict: str
    fit: bool
    worst: float
    best: float

    @property
    def bars(self) -> str:
        """Draw the values as bars, the highest where a value is the best: those of rising noise after that of gold itself.

        Example:
            >>> Fitness(measure="m", change="drop", values=(0.9, 0.5, 0.0), verdict="", fit=True, worst=1.0, best=1.0).bars
            '▇▄▁'
        """
        apart = np.abs(np.array(self.values) - self.best)
        room = self.worst if np.isfinite(self.worst) else max(float(apart.max()), 1.0)
        heights = np.clip(1 - apart / room, 0, 1) * (len(BARS) - 1)
        return "".join(BARS[int(height)] for height in heights)


def fitness(
    family: Family[Any],
    gold: Model,
    measures: list[Measure[Any, Any]],
    *,
    context: Context,
    draws: int = 20,
    seed: int = 0,
) -> Iterator[Fitness]:
    """Return of measures whether they tell good from bad on a gold standard.

    Args:
        family: The family.
        gold: The gold standard.
        measures: The measures.
        context: The encoder.
        draws: Draws of each null model.
        seed: Where chance starts.

    Example:
        >>> from goldassay.families import family
        >>> from goldassay.graphs import Graph, Literal
        >>> gold = Graph.from_edges([(f"n{i}", f"n{i // 2}") for i in range(1, 30)])
        >>> found = list(fitness(family("taxonomy"), gold, [Literal()], context=Context()))
        >>> found[0].values, all(one.fit for one in found if one.change == "drop")
        ((1.0,), True)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoldassayWarning)
        for measure in measures:
            itself = measure.evaluate(pred=gold, gold=gold, context=context)
            value = itself.values[measure.headline]
            best = measure.best(measure.headline)
            perfect = bool(np.isclose(value, best))
            told = "as it should" if perfect else f"should be {best:g}"
            yield _found(measure, "itself", (value,), told, fit=perfect)
            for null in family.nulls:
                if family.null_of(measure, null) is None:
                    continue
                chance = Chance(null=null, draws=draws, seed=seed)
                (drawn,), _ = with_chance(family, [itself], pred=gold, gold=gold, context=context, chance=chance)
                if drawn.chance:
                    yield _of_chance(measure, null, drawn.chance.expected[measure.headline])
            for name in family.noises:
                yield _of_noise(family, gold, measure, name, context=context, seed=seed)


def _of_chance(measure: Measure[Any, Any], null: str, expected: float) -> Fitness:
    """Judge what gold scores when a null model has taken something from it."""
    apart = abs(measure.best(measure.headline) - expected)
    told = "tells" if apart >= TELLS else "does not tell"
    return _found(measure, null, (expected,), told, fit=apart >= TELLS)


def _of_noise(
    family: Family[Any], gold: Model, measure: Measure[Any, Any], name: str, *, context: Context, seed: int
) -> Fitness:
    steps = DROPPED if name == "drop" else STEPS
    values = []
    for share in steps:
        # The same seed at every step, so that a greater share changes the same items, and more.
        noisy = family.noises[name](gold, share, np.random.default_rng(seed))
        score = measure.evaluate(pred=noisy, gold=gold, context=context)
        values.append(float(score.values[measure.headline]))
    best = measure.best(measure.headline)
    apart = np.abs(np.array([best, *values]) - best)
    if apart[-1] < TELLS:
        return _found(measure, name, tuple(values), "does not tell", fit=False, steps=steps)
    if (np.diff(apart) < -SLACK).any():
        return _found(measure, name, tuple(values), "rises again", fit=False, steps=steps)
    return _found(measure, name, tuple(values), "falls step by step", fit=True, steps=steps)


def _found(
    measure: Measure[Any, Any],
    change: str,
    values: tuple[float, ...],
    verdict: str,
    *,
    fit: bool,
    steps: tuple[float, ...] = (),
) -> Fitness:
    best = measure.best(measure.headline)
    worst = max(abs(best - bound) for bound in measure.values[measure.headline])
    return Fitness(
        measure=str(measure),
        change=change,
        steps=steps,
        values=values,
        verdict=verdict,
        fit=fit,
        worst=worst,
        best=best,
    )
