"""Doubts: what a reader must know where a score says little, looked for unasked, on samples that cost little."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.chance.level import ROUNDING, draws_of, moves
from goldassay.core.chance import NEAR_CHANCE, Chance
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.family import Family
from goldassay.core.matching import NONE_MET, Matching
from goldassay.core.measure import Score
from goldassay.core.model import Model


class Hub(NamedTuple):
    """A predicted item, and how many items of gold it serves.

    Attributes:
        item: The item, named for a person.
        serves: The items of gold that earn something and have it as their best counterpart.
        share: Their share of all of gold.

    Example:
        >>> print(Hub("cancer -> disease", 3, 0.25))
        3 (25.0% of gold)  cancer -> disease
    """

    item: str
    serves: int
    share: float

    def __str__(self) -> str:
        return f"{self.serves:,} ({self.share:.1%} of gold)  {self.item}"


def hubs(
    matching: Matching[Any], *, sample: NDArray[np.int64] | None = None, most: int | None = None, least: int = 1
) -> list[Hub]:
    """List the predicted items that are the best counterpart of some item of gold, those of the most first.

    Args:
        matching: Which items match.
        sample: Rows of gold to look at, int64, shape (rows,); None for all. The share is then that of the sample.
        most: How many to list; None for all.
        least: How many items the first must serve; if it serves fewer, none is listed.

    Example:
        >>> from goldassay.graphs import Graph, Literal
        >>> from goldassay.core.context import Context
        >>> graph = Graph.from_edges([("cat", "animal"), ("dog", "animal")])
        >>> [hub.serves for hub in hubs(Literal().match(pred=graph, gold=graph, context=Context()))]
        [1, 1]
    """
    credit = matching.gold.credit
    rows = np.arange(len(credit)) if sample is None else sample
    served = rows[credit[rows] > 0]
    best = matching.gold.counterpart[served]
    unknown = best == NONE_MET
    if unknown.any():
        best[unknown] = matching.evidence("gold", served[unknown]).counterpart
    items, times = np.unique(best[best != NONE_MET], return_counts=True)
    if times.max(initial=0) < least:
        return []
    order = np.lexsort((items, -times))[:most]
    found = zip(items[order].tolist(), times[order].tolist(), strict=True)
    return [Hub(matching.pred_items.item(item), serves, serves / len(rows)) for item, serves in found]


FEWEST = 20
"""From how many items on either side on a score is questioned: what is smaller is judged by eye."""
NEAR = 0.1
"""How much of a score must be beyond a shuffled prediction."""
ONE, TEN = 0.05, 0.5
"""Shares of gold that one item, and ten items, serve without a word."""
SEVERAL = 5
"""An item that serves fewer is no hub, however small gold is."""
MOST_PAIRS = 4_000_000
"""Pairs of items up to which a shuffled prediction is matched as a whole; beyond, samples of it are."""
SAMPLE = 256
TWO_SIDED = ("hit_pred", "hit_gold", "n_pred", "n_gold")
LOOKED_UP = 20_000_000
"""Pairs of items that are looked at for hubs."""


def doubts(family: Family[Any], score: Score, *, pred: Model, gold: Model, context: Context) -> Iterator[str]:
    """Return why a score says little, each reason in one sentence: chance comes near it, or few items serve much of gold.

    Args:
        family: The family.
        score: The score.
        pred: The prediction.
        gold: The gold standard.
        context: The one that the score was made with.
    """
    value = score.values[score.headline]
    if len(gold) < FEWEST or not score.higher_is_better or not value > 0:
        return
    if len(pred) >= FEWEST:
        null = score.chance.drawn.null if score.chance else family.null_of(score.measure)
        once = None if null is None else _by_chance(family, score, null, pred=pred, gold=gold, context=context)
        if null is not None and once is not None and _is_near(score, once):
            draws = "chance gives" if score.chance else "one draw of chance gives"
            near = NEAR_CHANCE[value > once + ROUNDING]
            yield (
                f"{score.spec}: {score.headline} {value:.4f} {near} {once:.4f}, which {draws} "
                f"({null}: {family.nulls[null].title})"
            )
    yield from _hub_doubts(family.item, score)


def _by_chance(
    family: Family[Any], score: Score, null: str, *, pred: Model, gold: Model, context: Context
) -> float | None:
    """Return the headline of a prediction that is drawn once; None where that would take long, or is known not to be near."""
    if score.chance is not None:
        return score.chance.expected[score.headline]
    measure, chance = score.measure, Chance(null=null, draws=1)
    if len(pred) * len(gold) <= MOST_PAIRS:
        (drawn,) = draws_of(family, [measure], pred=pred, gold=gold, context=context, chance=chance)
        once = float(drawn[score.headline][0])
        same = abs(score.values[score.headline] - once) <= ROUNDING
        return None if same and not moves(family, null, measure, pred=pred, gold=gold, context=context) else once
    if not (measure.needs_encoder and measure.sums_over_records and score.counts.keys() == {*TWO_SIDED}):
        return None
    return _sampled(family, score, null, pred=pred, gold=gold, context=context)


def _is_near(score: Score, once: float) -> bool:
    value = score.values[score.headline]
    return bool(value - once < NEAR * value)


def _sampled(family: Family[Any], score: Score, null: str, *, pred: Any, gold: Any, context: Context) -> float | None:
    """Return the headline by the hits of samples of either side against all of the other side.

    None where the sample of the prediction alone tells that it is not near.
    """
    rng = np.random.default_rng(0)
    drawn = family.nulls[null].draw(pred, gold, rng)
    some_pred, some_gold = (side.take(rng.choice(len(side), SAMPLE, replace=False)) for side in (drawn, gold))
    measure = score.measure
    here = measure.count(measure.match(pred=some_pred, gold=gold, context=context))
    # No score is higher than if all of gold were met.
    if not _is_near(score, _headline(score, here, {"hit_gold": SAMPLE, "n_gold": SAMPLE})):
        return None
    there = measure.count(measure.match(pred=drawn, gold=some_gold, context=context))
    return _headline(score, here, there)


def _headline(score: Score, here: Mapping[str, Any], there: Mapping[str, Any]) -> float:
    """Divide counts of which each side was counted by itself."""
    counts = Counts({name: (here if name.endswith("pred") else there)[name] for name in TWO_SIDED})
    return float(score.measure.divided(counts)[score.headline])


def _hub_doubts(item: str, score: Score) -> Iterator[str]:
    matching = score.matching
    size, other = len(matching.gold.credit), len(matching.pred.credit)
    most = max(SAMPLE, LOOKED_UP // max(other, 1))
    sample = np.random.default_rng(0).choice(size, most, replace=False) if size > most else None
    # Neither one hub nor ten are worth a word if the first serves few.
    ten = hubs(matching, sample=sample, most=10, least=SEVERAL)
    about = "" if sample is None else f" (by a sample of {len(sample):,})"
    if ten and ten[0].share > ONE:
        yield f"{score.spec}: one predicted {item} serves {ten[0].share:.0%} of gold{about}: {ten[0].item}"
    elif _share(ten) >= TEN:
        yield f"{score.spec}: ten predicted {item}s serve {_share(ten):.0%} of gold{about}: {_names(ten)}"


def _share(found: list[Hub]) -> float:
    return math.fsum(hub.share for hub in found)


def _names(found: list[Hub]) -> str:
    return "; ".join(hub.item for hub in found)
