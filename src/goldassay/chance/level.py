"""The level of chance: predictions drawn from a null model are scored like the prediction; and diagnostics where that is near."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.chance import NEAR_CHANCE, Chance, ChanceLevel
from goldassay.core.context import WORTH_KEEPING, Context, ignore_progress
from goldassay.core.counts import Counts, FloatArray
from goldassay.core.errors import GoldassayError
from goldassay.core.family import Family
from goldassay.core.matching import NO_MATCH, Matching
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model
from goldassay.core.null import Moments

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
Valuing: TypeAlias = Callable[[Measure[Any, Any], Model], Mapping[str, float]]
"""Gives the values of a measure for a prediction."""
Draws: TypeAlias = list[dict[str, FloatArray]]
"""What draws score: of each measure its values, float64 arrays of shape (draws,)."""
TRIED = 8
"""Draws after which a null model that has changed nothing is taken to change nothing."""
ROUNDING = 1e-9
"""How near two values are that differ only by rounding."""


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
    unknown = best == NO_MATCH
    if unknown.any():
        best[unknown] = matching.evidence("gold", served[unknown]).counterpart
    items, times = np.unique(best[best != NO_MATCH], return_counts=True)
    if times.max(initial=0) < least:
        return []
    order = np.lexsort((items, -times))[:most]
    found = zip(items[order].tolist(), times[order].tolist(), strict=True)
    return [Hub(matching.pred_items.item(item), serves, serves / len(rows)) for item, serves in found]


def diagnose(family: Family[Any], score: Score, *, pred: Model, gold: Model, context: Context) -> Iterator[str]:
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
        null = score.chance.drawn.null if score.chance else family.trust.null_of(score.measure)
        once = None if null is None else _draw_headline(family, score, null, pred=pred, gold=gold, context=context)
        if null is not None and once is not None and _is_near(score, once):
            draws = "chance gives" if score.chance else "one draw of chance gives"
            near = NEAR_CHANCE[value > once + ROUNDING]
            yield (
                f"{score.spec}: {score.headline} {value:.4f} {near} {once:.4f}, which {draws} "
                f"({null}: {family.trust.nulls[null].title})"
            )
    # Some measures of a family count other things than its items, such as nodes.
    yield from _hub_diagnostics(family.item if isinstance(score.matching.gold_items, type(gold)) else "item", score)


def _draw_headline(
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
    return _sample_headline(family, score, null, pred=pred, gold=gold, context=context)


def _is_near(score: Score, once: float) -> bool:
    value = score.values[score.headline]
    return bool(value - once < NEAR * value)


def _sample_headline(
    family: Family[Any], score: Score, null: str, *, pred: Any, gold: Any, context: Context
) -> float | None:
    """Return the headline by the hits of samples of either side against all of the other side."""
    # None where the sample of the prediction shows that it is not near.
    rng = np.random.default_rng(0)
    drawn = family.trust.nulls[null].draw(pred, gold, rng)
    some_pred, some_gold = (side.take(rng.choice(len(side), SAMPLE, replace=False)) for side in (drawn, gold))
    measure = score.measure
    here = measure.count(measure.match(pred=some_pred, gold=gold, context=context))
    # No score is higher than if all of gold were matched.
    if not _is_near(score, _headline(score, here, {"hit_gold": SAMPLE, "n_gold": SAMPLE})):
        return None
    there = measure.count(measure.match(pred=drawn, gold=some_gold, context=context))
    return _headline(score, here, there)


def _headline(score: Score, here: Mapping[str, Any], there: Mapping[str, Any]) -> float:
    """Divide counts of which each side was counted by itself."""
    counts = Counts({name: (here if name.endswith("pred") else there)[name] for name in TWO_SIDED})
    return float(score.measure.divide_counts(counts)[score.headline])


def _hub_diagnostics(item: str, score: Score) -> Iterator[str]:
    matching = score.matching
    size, other = len(matching.gold.credit), len(matching.pred.credit)
    most = max(SAMPLE, LOOKED_UP // max(other, 1))
    sample = np.random.default_rng(0).choice(size, most, replace=False) if size > most else None
    # Neither one hub nor ten are worth a word if the first serves few.
    ten = hubs(matching, sample=sample, most=10, least=SEVERAL)
    about = "" if sample is None else f" (by a sample of {len(sample):,})"
    if ten and ten[0].share > ONE:
        yield f"{score.spec}: one predicted {item} is the best counterpart of {ten[0].share:.0%} of gold{about}: {ten[0].item}"
    elif _share(ten) >= TEN:
        yield f"{score.spec}: ten predicted {item}s are the best counterparts of {_share(ten):.0%} of gold{about}: {_names(ten)}"


def _share(found: list[Hub]) -> float:
    return math.fsum(hub.share for hub in found)


def _names(found: list[Hub]) -> str:
    return "; ".join(hub.item for hub in found)


def add_chance(
    family: Family[Any],
    scores: Sequence[Score],
    *,
    pred: Model,
    gold: Model,
    context: Context,
    chance: Chance,
    valuing: Valuing | None = None,
    draws: Draws | None = None,
) -> tuple[list[Score], list[str]]:
    """Add the level of chance to every score.

    The measures that are held against one null model see the same draws.

    Args:
        family: The family.
        scores: Scores of the prediction.
        pred: The prediction.
        gold: The gold standard, whose names some null models draw from.
        context: Where vectors come from; the one that the scores were made with, so that no text is encoded again.
        chance: Which null model, how many draws, and where they start.
        valuing: How a draw is scored, where there are several gold standards; None to score it against ``gold``.
        draws: What `draws_of` gave of these measures, all parts of it; None to draw now.

    Returns:
        The scores, and one sentence for each that has no level of chance.
    """
    if draws is None:
        measures = [score.measure for score in scores]
        draws = draws_of(family, measures, pred=pred, gold=gold, context=context, chance=chance, valuing=valuing)
    asked = f"the null model {chance.null} changes nothing" if chance.null else "no null model changes anything"
    found, without = [], []
    for score, values in zip(scores, draws, strict=True):
        null = family.trust.null_of(score.measure, chance.null)
        reason = None if null else f"{asked} that it counts"
        # Where all draws score the same, either they change nothing, or the prediction is as bad as any.
        still = bool(null) and _equal_values(score.values, values)
        if null and still and not moves(family, null, score.measure, pred=pred, gold=gold, context=context):
            reason = f"the null model {null} changes nothing of this prediction that it counts"
        if null is None or reason:
            without.append(f"{score.spec}: no level of chance, since {reason}")
            found.append(score)
            continue
        merged = score.combined is None or score.combined.rule in ("union", "intersection")
        moments = family.trust.nulls[null].moments(score.measure, score.matching) if merged else None
        found.append(_add_level(score, chance_level(score, values, _chance_from(family, null, chance), moments)))
    return found, without


def moves(
    family: Family[Any], null: str, measure: Measure[Any, Any], *, pred: Model, gold: Model, context: Context
) -> bool:
    """Return whether a null model changes what a measure counts of a prediction.

    Some draws are scored against the prediction itself: a prediction of one document has the same answers in any order, and
    accepted candidates are the same in any order. Draws of other items are a change, though the measure may accept all of them.

    Args:
        family: The family.
        null: The null model.
        measure: The measure.
        pred: The prediction.
        gold: The gold standard, whose names some null models draw from.
        context: Where vectors come from.
    """

    def against_itself(model: Model) -> tuple[Mapping[str, Any], list[str]]:
        matching = measure.match(pred=model, gold=pred, context=context)
        items = matching.pred_items
        return measure.divide_counts(measure.count(matching)), sorted(map(items.item, range(len(items))))

    draw, rng = family.trust.nulls[null].draw, np.random.default_rng(0)
    try:
        before = None
        for _ in range(TRIED):
            if (model := draw(pred, gold, rng)) is pred:
                continue
            values, items = before = before or against_itself(pred)
            drawn, others = against_itself(model)
            if items != others or not _equal_values(values, drawn):
                return True
    except GoldassayError:
        return False
    return False


def _equal_values(values: Mapping[str, float], draws: Mapping[str, Any]) -> bool:
    """Return whether draws have the values of a score, each of them."""
    return all(
        np.allclose(draws[name], value, rtol=ROUNDING, atol=ROUNDING, equal_nan=True) for name, value in values.items()
    )


def _chance_from(family: Family[Any], null: str, chance: Chance) -> Chance:
    return replace(chance, null=null, draws=1 if family.trust.nulls[null].certain else chance.draws)


def _add_level(score: Score, level: ChanceLevel) -> Score:
    return replace(score, chance=level, signature=score.signature.with_field("chance", str(level)))


def draws_of(
    family: Family[Any],
    measures: Sequence[Measure[Any, Any]],
    *,
    pred: Model,
    gold: Model,
    context: Context,
    chance: Chance,
    valuing: Valuing | None = None,
    part: range | None = None,
) -> Draws:
    """Score predictions drawn from the null model of each measure.

    Args:
        family: The family.
        measures: The measures.
        pred: The prediction.
        gold: The gold standard.
        context: The encoder.
        chance: Which null model, how many draws, and where they start.
        valuing: How a draw is scored; None to score it against ``gold``.
        part: Which draws are scored; None for all.

    Returns:
        The values of each measure, of a part those of its draws; nothing of a measure that no null model fits, or whose draws
        are all of another part.
    """
    nulls = [family.trust.null_of(measure, chance.null) for measure in measures]
    found: Draws = [{} for _ in measures]
    for null in dict.fromkeys(filter(None, nulls)):
        rows = [row for row, name in enumerate(nulls) if name == null]
        some = [measures[row] for row in rows]
        of_null = _chance_from(family, null, chance)
        made = _draw_scores(
            family, some, pred=pred, gold=gold, context=context, chance=of_null, valuing=valuing, part=part
        )
        for row, values in zip(rows, made, strict=True):
            found[row] = values
    return found


def concat_draws(parts: Sequence[Draws]) -> Draws:
    """Concatenate the parts of draws.

    Args:
        parts: What `draws_of` gave of each part, in order.

    Example:
        >>> concat_draws([[{"f1": np.array([0.5, 0.25])}], [{"f1": np.array([0.75])}], [{}]])[0]["f1"].tolist()
        [0.5, 0.25, 0.75]
    """
    several = [[part for part in of_measure if part] for of_measure in zip(*parts, strict=True)]
    return [
        {name: np.concatenate([part[name] for part in found]) for name in (found[0] if found else ())}
        for found in several
    ]


def _draw_scores(
    family: Family[Any],
    measures: Sequence[Measure[Any, Any]],
    *,
    pred: Model,
    gold: Model,
    context: Context,
    chance: Chance,
    valuing: Valuing | None,
    part: range | None,
) -> Draws:
    """Score predictions drawn from one null model."""
    # Each draw begins where the one before it left the random numbers. So a part is drawn from the first draw on, and
    # what is drawn before it is not scored: its values are those that it has among all draws, to the last bit.

    def against_gold(measure: Measure[Any, Any], model: Model) -> Mapping[str, float]:
        return measure.divide_counts(measure.count(measure.match(pred=model, gold=gold, context=context)))

    value = valuing or against_gold
    rng = np.random.default_rng(chance.seed)
    draw = family.trust.nulls[chance.null].draw
    found: list[list[Mapping[str, float]]] = [[] for _ in measures]
    wanted = range(chance.draws) if part is None else part
    with _repeating(context, chance) as report:
        for done in range(min(wanted.stop, chance.draws)):
            report(done)
            model = draw(pred, gold, rng)
            if done in wanted:
                for measure, values in zip(measures, found, strict=True):
                    values.append(value(measure, model))
        report(chance.draws)
    return [
        {name: np.array([one[name] for one in values], dtype=np.float64) for name in (values[0] if values else ())}
        for values in found
    ]


@contextmanager
def _repeating(context: Context, chance: Chance) -> Iterator[Callable[[int], None]]:
    """Prepare a context for many draws, and report the progress of the draws only."""
    progress = context.progress
    context.progress, context.repeats = ignore_progress, chance.draws >= WORTH_KEEPING
    try:
        yield lambda done: progress(f"drawing from {chance.null}", done, chance.draws)
    finally:
        context.progress, context.repeats = progress, False


def chance_level(score: Score, draws: Mapping[str, FloatArray], chance: Chance, moments: Moments | None) -> ChanceLevel:
    """Return what a score is by chance, from the values of draws."""
    measure = score.measure
    expected = {name: math.fsum(values.tolist()) / len(values) for name, values in draws.items()}
    sd = {name: float(values.std(ddof=1)) if len(values) > 1 else 0.0 for name, values in draws.items()}
    if moments is not None:
        expected, sd = (measure.divide_counts(sums) for sums in (moments.expected, moments.sd))
    adjusted, percentile = {}, {}
    for name, value in score.values.items():
        best = measure.best(name)
        adjusted[name] = adjust_for_chance(value, expected=expected[name], sd=sd[name], best=best)
        percentile[name] = _percentile(value, draws[name], expected=expected[name], best=best)
    return ChanceLevel(
        drawn=chance, exact=moments is not None, expected=expected, sd=sd, percentile=percentile, adjusted=adjusted
    )


def adjust_for_chance(value: float, *, expected: float, sd: float, best: float) -> float:
    """Return where a value lies between what chance gives, 0, and what is best, 1."""
    # Where lower is better both differences change their sign, so that the formula is the same. For the mean rank it
    # gives the adjusted mean rank index of Berrendorf et al. (2020), for hits and reciprocal ranks the adjusted indices
    # of Hoyt et al. (2022).
    difference, room = value - expected, best - expected
    if abs(difference) < ROUNDING * max(1.0, abs(expected)):
        difference = 0.0
    below = math.copysign(sd, room) if math.isinf(room) else room
    return difference / below if abs(below) > ROUNDING else math.nan


def _percentile(value: float, draws: FloatArray, *, expected: float, best: float) -> float:
    """Return the share of defined draws that are worse than a value, and half of those as good, in percent; nan if there is nothing to compare."""
    defined = draws[~np.isnan(draws)]
    if math.isnan(value) or not len(defined):
        return math.nan
    # No draw is better than what is best: where all are, what lies below is worse than each of them.
    middle = float(defined.mean()) if math.isnan(expected) else expected
    sign = 1 if 2 * best >= middle + value else -1
    close = np.isclose(defined, value, rtol=ROUNDING, atol=ROUNDING)
    worse = ~close & (sign * defined < sign * value)
    return float(100 * (worse.sum() + close.sum() / 2) / len(defined))
