"""Scikit-learn: a scorer for searches over grids and for cross validation. It needs no package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from goldassay.integrations.verdict import judge, parse_name


def scorer(
    value: str, *, items: Callable[[Any, Any], Any] | None = None, **options: Any
) -> Callable[[Any, Any, Any], float]:
    """Make a scorer: a function of an estimator, its features, and the truth.

    Example:
        >>> def pairs(features, labels):
        ...     return [pair for pair, yes in zip(features, labels) if yes]
        >>> class Always:
        ...     def predict(self, features):
        ...         return [True] * len(features)
        >>> score = scorer("literal.precision", items=pairs)
        >>> score(Always(), [("cat", "animal"), ("animal", "cat")], [True, False])
        0.5
    """
    sign = 1.0 if parse_name(value)[0].higher_is_better else -1.0

    def score(estimator: Any, features: Any, truth: Any) -> float:
        sides = estimator.predict(features), truth
        pred, gold = (side if items is None else items(features, side) for side in sides)
        return sign * judge(pred, gold, value, **options).value

    return score
