"""Whether a measure separates good from bad on a gold standard: gold made worse in a few ways, scored against itself."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from goldassay.core.context import Context
from goldassay.core.errors import GoldassayError, GoldassayWarning
from goldassay.core.family import Family
from goldassay.core.measure import Measure
from goldassay.core.model import Model

FEWEST = 20
"""From how many items of gold on a measure is questioned."""
MOST = 300
"""Items of gold that are looked at: of a larger gold standard a sample."""
SHARE = 0.2
"""How much of gold each noise changes."""
NOISES = 3
"""Noises that are tried, the first of the family."""
SEPARATES = 0.1
"""How far a score has to fall, where all of gold is changed, to show anything."""


def explain_not_separated(
    family: Family[Any], measure: Measure[Any, Any], gold: Model, *, context: Context
) -> str | None:
    """Return in which ways gold can be made worse and still score well, in one sentence; None if in none.

    Gold is scored against itself after the null model of the measure, after those that leave nothing to chance, and after the
    first three noises of the family, each of which changes a fifth of it.

    Args:
        family: The family.
        measure: The measure.
        gold: The gold standard.
        context: Where vectors come from; the one that the scores were made with, so that few texts are encoded.

    Example:
        >>> from goldassay.encoders import HashingEncoder
        >>> from goldassay.families import family
        >>> from goldassay.graphs import Fuzzy, Graph, Literal
        >>> gold = Graph.from_edges([(f"n{i}", f"n{i // 2}") for i in range(1, 30)])
        >>> context = Context(encoder=HashingEncoder())
        >>> explain_not_separated(family("taxonomy"), Literal(), gold, context=context)
        >>> explain_not_separated(family("taxonomy"), Fuzzy(threshold=-1.0), gold, context=context)[:76]
        'fuzzy(threshold=-1.0): does not separate good from bad on this gold: f1 1.00'
    """
    if len(gold) < FEWEST:
        return None
    chosen: Any = gold
    if len(gold) > MOST:
        chosen = context.get_or_make("a sample of gold", (gold,), lambda: _sample(family, gold))
    name, best = measure.headline, measure.best(measure.headline)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoldassayWarning)
        for change, least, worse in _worsen_gold(family, measure, chosen):
            value = measure.evaluate(pred=worse, gold=chosen, context=context).values[name]
            if abs(best - value) < least:
                found.append(f"{value:.2f} after {change}")
    if not found:
        return None
    about = "" if chosen is gold else f" (a sample of {MOST:,} {family.item}s)"
    return f"{measure}: does not separate good from bad on this gold{about}: {name} {', '.join(found)}"


def _sample(family: Family[Any], gold: Any) -> Any:
    """Draw items of gold, without what belongs to no other item, so that the time does not depend on the size of gold."""
    mask = np.zeros(len(gold), dtype=np.bool_)
    mask[np.random.default_rng(0).choice(len(gold), MOST, replace=False)] = True
    prune, sample = family.trust.pruned, gold.take(mask)
    return prune(sample) if prune else sample


def _worsen_gold(family: Family[Any], measure: Measure[Any, Any], gold: Any) -> Iterator[tuple[str, float, Any]]:
    """Make gold worse: how, how far the score has to fall, and the result."""
    trust = family.trust
    certain = [name for name, null in trust.nulls.items() if null.certain and null.fits(measure)]
    for name in dict.fromkeys([*certain, *filter(None, [trust.null_of(measure)])]):
        try:
            yield name, SEPARATES, trust.nulls[name].draw(gold, gold, np.random.default_rng(0))
        except GoldassayError:
            continue
    for name, noise in islice(trust.noises.items(), NOISES):
        yield f"{name} of {SHARE:.0%}", SEPARATES * SHARE, noise(gold, SHARE, np.random.default_rng(0))
