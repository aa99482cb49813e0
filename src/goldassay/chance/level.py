"""The level of chance: predictions drawn from a null model, matched, counted and divided as the prediction was."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from goldassay.core.chance import Chance, ChanceLevel
from goldassay.core.context import WORTH_KEEPING, Context, silent
from goldassay.core.counts import FloatArray
from goldassay.core.errors import GoldassayError
from goldassay.core.family import Family
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model
from goldassay.core.null import Moments

Valuing: TypeAlias = Callable[[Measure[Any, Any], Model], Mapping[str, float]]
"""Gives the values of a measure for a prediction."""
Draws: TypeAlias = list[dict[str, FloatArray]]
"""What draws score: of each measure its values, float64 arrays of shape (draws,)."""

TRIED = 8
"""Draws after which a null model that has changed nothing is taken to change nothing."""
ROUNDING = 1e-9
"""How near two values are that differ by rounding alone."""


def with_chance(
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
    """Give every score its level of chance.

    The measures that are held against one null model see the same draws.

    Args:
        family: The family.
        scores: Scores of the prediction.
        pred: The prediction.
        gold: The gold standard, whose names some null models draw from.
        context: Where vectors come from; the one that the scores were made with, so that no text is encoded again.
        chance: Which null model, how many draws, and where they start.
        valuing: How a draw is scored, where there are several golds; None to score it against ``gold``.
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
        null = family.null_of(score.measure, chance.null)
        reason = None if null else f"{asked} that it counts"
        # Where all draws score the same, either they change nothing, or the prediction is as bad as any.
        still = bool(null) and _same(score.values, values)
        if null and still and not moves(family, null, score.measure, pred=pred, gold=gold, context=context):
            reason = f"the null model {null} changes nothing of this prediction that it counts"
        if null is None or reason:
            without.append(f"{score.spec}: no level of chance, since {reason}")
            found.append(score)
            continue
        merged = score.golds is None or score.golds.rule in ("union", "intersection")
        moments = family.nulls[null].moments(score.measure, score.matching) if merged else None
        found.append(_with_level(score, chance_level(score, values, _from(family, null, chance), moments)))
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
        return measure.divided(measure.count(matching)), sorted(map(items.item, range(len(items))))

    draw, rng = family.nulls[null].draw, np.random.default_rng(0)
    try:
        before = None
        for _ in range(TRIED):
            if (model := draw(pred, gold, rng)) is pred:
                continue
            values, items = before = before or against_itself(pred)
            drawn, others = against_itself(model)
            if items != others or not _same(values, drawn):
                return True
    except GoldassayError:
        return False
    return False


def _same(values: Mapping[str, float], draws: Mapping[str, Any]) -> bool:
    """Return whether draws have the values of a score, each of them."""
    return all(
        np.allclose(draws[name], value, rtol=ROUNDING, atol=ROUNDING, equal_nan=True) for name, value in values.items()
    )


def _from(family: Family[Any], null: str, chance: Chance) -> Chance:
    return replace(chance, null=null, draws=1 if family.nulls[null].certain else chance.draws)


def _with_level(score: Score, level: ChanceLevel) -> Score:
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
    nulls = [family.null_of(measure, chance.null) for measure in measures]
    found: Draws = [{} for _ in measures]
    for null in dict.fromkeys(filter(None, nulls)):
        rows = [row for row, name in enumerate(nulls) if name == null]
        some = [measures[row] for row in rows]
        of_null = _from(family, null, chance)
        made = _drawn(family, some, pred=pred, gold=gold, context=context, chance=of_null, valuing=valuing, part=part)
        for row, values in zip(rows, made, strict=True):
            found[row] = values
    return found


def joined(parts: Sequence[Draws]) -> Draws:
    """Put the parts of draws one after another.

    Args:
        parts: What `draws_of` gave of each part, in order.

    Example:
        >>> joined([[{"f1": np.array([0.5, 0.25])}], [{"f1": np.array([0.75])}], [{}]])[0]["f1"].tolist()
        [0.5, 0.25, 0.75]
    """
    several = [[part for part in of_measure if part] for of_measure in zip(*parts, strict=True)]
    return [
        {name: np.concatenate([part[name] for part in found]) for name in (found[0] if found else ())}
        for found in several
    ]


def _drawn(
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
    """Score predictions drawn from one null model.

    Each draw begins where the one before it left the random numbers. So a part is drawn from the first draw on, and what is
    drawn before it is not scored: its values are those that it has among all draws, to the last bit.
    """

    def against_gold(measure: Measure[Any, Any], model: Model) -> Mapping[str, float]:
        return measure.divided(measure.count(measure.match(pred=model, gold=gold, context=context)))

    value = valuing or against_gold
    rng = np.random.default_rng(chance.seed)
    draw = family.nulls[chance.null].draw
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
    """Let a context know that many draws come, and report the draws in place of what each of them does."""
    progress = context.progress
    context.progress, context.repeats = silent, chance.draws >= WORTH_KEEPING
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
        expected, sd = (measure.divided(sums) for sums in (moments.expected, moments.sd))
    adjusted, percentile = {}, {}
    for name, value in score.values.items():
        best = measure.best(name)
        adjusted[name] = adjusted_for_chance(value, expected=expected[name], sd=sd[name], best=best)
        # No draw is better than what is best: where all are, what lies below is worse than each of them.
        percentile[name] = _percentile(value, draws[name], sign=1 if 2 * best >= expected[name] + value else -1)
    return ChanceLevel(
        drawn=chance, exact=moments is not None, expected=expected, sd=sd, percentile=percentile, adjusted=adjusted
    )


def adjusted_for_chance(value: float, *, expected: float, sd: float, best: float) -> float:
    """Return where a value lies between what chance gives, 0, and what is best, 1.

    Where lower is better both differences change their sign, so that the formula is the same. For the mean rank it gives
    the adjusted mean rank index of Berrendorf et al. (2020), for hits and reciprocal ranks the adjusted indices of Hoyt
    et al. (2022).

    Example:
        >>> adjusted_for_chance(0.75, expected=0.5, sd=0.1, best=1.0), adjusted_for_chance(2, expected=51, sd=9, best=1)
        (0.5, 0.98)
    """
    difference, room = value - expected, best - expected
    if abs(difference) < ROUNDING * max(1.0, abs(expected)):
        difference = 0.0
    below = math.copysign(sd, room) if math.isinf(room) else room
    return difference / below if abs(below) > ROUNDING else math.nan


def _percentile(value: float, draws: FloatArray, *, sign: int) -> float:
    """Return the share of draws that are worse than a value, and half of those as good, in percent."""
    close = np.isclose(draws, value, rtol=ROUNDING, atol=ROUNDING)
    worse = ~close & (sign * draws < sign * value)
    return float(100 * (worse.sum() + close.sum() / 2) / len(draws))
