"""The whole curve: concept F1 at every epsilon, from one look at the nearest concepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from goldassay.concepts.concept import Concept
from goldassay.concepts.matching import ConceptMatching
from goldassay.core.counts import Division
from goldassay.core.errors import UsageError
from goldassay.core.matching import Side
from goldassay.core.score import Score

if TYPE_CHECKING:
    import polars as pl

EVERY_HUNDREDTH = tuple(round(step / 100, 2) for step in range(101))


def sweep(score: Score, epsilons: Sequence[float] = EVERY_HUNDREDTH) -> pl.DataFrame:
    """Score the same matching at other epsilons.

    Args:
        score: A score of `Concept`.
        epsilons: The cosines to reach, in any order.

    Returns:
        One row an epsilon: epsilon, then the values of the measure.

    Raises:
        UsageError: If the score is not one of `Concept`.

    Example:
        >>> from goldassay.concepts import Concepts
        >>> gold, pred = (Concepts.from_lists([("q1", [one])]) for one in ("heart attack", "heart attacks"))
        >>> frame = sweep(Concept().score(pred=pred, gold=gold, encoder="hashing"), [0.5, 0.99])
        >>> frame.select("epsilon", "f1").rows()
        [(0.5, 1.0), (0.99, 0.0)]
    """
    import polars as pl

    measure = score.measure
    if not isinstance(measure, Concept):
        raise UsageError(f"{score.spec} has no epsilon to sweep over.", expected="a score of concept")
    nearest = cast("ConceptMatching", score.matching.best())
    rows = []
    for epsilon in epsilons:
        counts = measure.count(replace(nearest, pred=_at(nearest, "pred", epsilon), gold=_at(nearest, "gold", epsilon)))
        rows.append({"epsilon": float(epsilon), **measure.divide(counts, Division(measure.undefined))})
    return pl.DataFrame(rows, schema=dict.fromkeys(("epsilon", *measure.values), pl.Float64))


def _at(matching: ConceptMatching, side: str, epsilon: float) -> Side:
    half = matching.pred if side == "pred" else matching.gold
    return replace(half, credit=(half.similarity >= epsilon).astype(np.float64))
