"""Estimates from labels: precision of each prediction, pooled and exhaustive recall, differences, groups, raters and judges."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.sampling.agreement import alpha, kappa, sight_of
from goldassay.sampling.designs import DESIGNS, Codes, Draws, Estimate, estimate, interval_of, settle_ends
from goldassay.sampling.intervals import LEVEL, mid_p
from goldassay.sampling.sample import Draw, DrawnItem, Sample
from goldassay.sampling.special import Numbers
from goldassay.sampling.todo import Label

Unsure: TypeAlias = Literal["leave-out", "wrong", "right"]
UNSURE: tuple[Unsure, ...] = get_args(Unsure)
Of: TypeAlias = Callable[[DrawnItem, float], float]
MAJORITY = 0.5
NO_DRAW = -1


class Raters(NamedTuple):
    """The answers of several raters on the same items."""

    names: list[str]  # the raters
    ratings: Numbers  # their answers, float64, shape (items, raters); nan where there is none, or they are unsure
    ids: list[str]  # the items


def raters_of(given: Sequence[Label]) -> Raters:
    """Arrange answers by item and rater."""
    names, ids = list(dict.fromkeys(one.rater for one in given)), list(dict.fromkeys(one.id for one in given))
    ratings = np.full((len(ids), len(names)), np.nan)
    places, columns = {name: row for row, name in enumerate(ids)}, {name: row for row, name in enumerate(names)}
    for one in given:
        ratings[places[one.id], columns[one.rater]] = np.nan if one.value is None else one.value
    return Raters(names, ratings, ids)


def settle_labels(found: Raters, unsure: Unsure = "leave-out") -> dict[str, float]:
    """Return one label of each item: what most raters say. Where as many say yes as no, or all are unsure, the policy decides."""
    if unsure not in UNSURE:
        raise unknown_choice_error("policy for unsure labels", unsure, UNSURE)
    answers = ~np.isnan(found.ratings)
    votes, sums = answers.sum(axis=1), np.nansum(found.ratings, axis=1)
    labels = {}
    for row, name in enumerate(found.ids):
        share = sums[row] / votes[row] if votes[row] else MAJORITY
        if share != MAJORITY:
            labels[name] = float(share > MAJORITY)
        elif unsure != "leave-out":
            labels[name] = float(unsure == "right")
    return labels


def agreement_lines(found: Raters, sample: Callable[[Raters], float] | None = None) -> list[str]:
    """Return how far raters agree, and what the estimate is without each of them."""
    if len(found.names) < 2:  # noqa: PLR2004 - one rater has no one to agree with
        return []
    lines = []
    named = [name or "(no name)" for name in found.names]
    both = int((~np.isnan(found.ratings)).all(axis=1).sum())
    lines.append(
        f"raters {', '.join(named)}: Krippendorff's alpha {alpha(found.ratings):.3f}, {both:,} items rated by all"
    )
    for here in range(len(named)):
        for there in range(here + 1, len(named)):
            pair = found.ratings[:, [here, there]]
            pair = pair[~np.isnan(pair).any(axis=1)]
            if len(pair):
                lines.append(f"{named[here]} and {named[there]}: kappa {kappa(*pair.T)}, {len(pair):,} items")
    for here, name in enumerate(named):
        left = np.delete(found.ratings, here, axis=1)
        if sample is not None:
            value = sample(Raters(found.names[:here] + found.names[here + 1 :], left, found.ids))
            lines.append(
                f"without {name}: precision {value:.4f}"
                if not math.isnan(value)
                else f"without {name}: too few labels are left"
            )
    return lines


@dataclass(frozen=True, eq=False, kw_only=True)
class Ledger:
    """Draws whose items have labels."""

    sample: Sample  # how items were drawn
    labels: Mapping[str, float]  # the label of each item
    draws: tuple[Draw, ...] = field(init=False)  # the draws that have labelled items, with these

    def __post_init__(self) -> None:
        found = (
            replace(one, items=tuple(filter(self.labels.__contains__, one.items)))
            for one, reached in zip(self.sample.draws, self.reached, strict=True)
            if reached
        )
        object.__setattr__(self, "draws", tuple(one for one in found if one.items))

    @property
    def reached(self) -> list[bool]:
        """Whether labels have come to each draw: those up to the last one of each stratum that brought a labelled item."""
        # Labels end where a smaller sample would. A cluster that is drawn again after that has labels from before only if it
        # is small, so small clusters would count too often. Where nothing new waits for a label all draws are reached.
        last, seen, waiting = dict[int, int](), set[str](), set[int]()
        for place, one in enumerate(self.sample.draws):
            fresh = set(one.items) - seen
            seen |= fresh
            if not fresh.isdisjoint(self.labels):
                last[one.stratum] = place
                waiting.discard(one.stratum)
            elif fresh:
                waiting.add(one.stratum)
        return [
            one.stratum not in waiting or place <= last.get(one.stratum, NO_DRAW)
            for place, one in enumerate(self.sample.draws)
        ]

    @property
    def clustered(self) -> bool:
        """Whether draws are clusters."""
        return DESIGNS[self.sample.asked.design].clustered

    @property
    def strata(self) -> Codes:
        """The stratum of each draw."""
        return np.array([one.stratum for one in self.draws], dtype=np.int64)

    @property
    def population(self) -> Numbers:
        """The items of each stratum."""
        return np.array([one.items for one in self.sample.strata], dtype=np.float64)

    def members(self, system: int) -> Numbers:
        """The share of each stratum in what a prediction has; 0 for a stratum that it has nothing of."""
        sizes = np.array([one.items if system in one.systems else 0 for one in self.sample.strata], dtype=np.float64)
        sizes /= max(sizes.sum(), 1)
        return sizes

    def means(self, of: Of) -> Numbers:
        """The mean over the items of each draw of what is made of an item and its label."""
        items, labels = self.sample.items, self.labels
        return np.array(
            [sum(of(items[name], labels[name]) for name in one.items) / len(one.items) for one in self.draws]
        )

    def check(self, weights: Numbers) -> None:
        """Refuse a stratum that counts and has no label."""
        counts = np.bincount(self.strata, minlength=len(weights))
        empty = [
            one for one, weight, count in zip(self.sample.strata, weights, counts, strict=True) if weight and not count
        ]
        if empty:
            raise UsageError(
                "A stratum has no label, so its items cannot be estimated.",
                found=f"{empty[0].name}: {empty[0].items:,} items, no label",
                expected="at least one label in each stratum, better two",
                hint="label the file from the first row down",
            )

    def estimate(self, weights: Numbers, values: Numbers, *, slopes: Numbers | None = None) -> Estimate:
        """Estimate a weighted mean of the draws, whose values are labels, or rise with them by some slopes."""
        self.check(weights)
        counts = np.array([float(len(one.items)) for one in self.draws])
        draws = Draws(
            values=values,
            labels=counts,
            strata=self.strata,
            sizes=self.population,
            weights=weights,
            clustered=self.clustered,
            made_of=None if slopes is None else (self.means(label_of), slopes),
        )
        return estimate(draws)

    def is_complete(self, weights: Numbers) -> bool:
        """Return whether all items of the strata that count have a label; clusters are drawn with replacement and never complete."""
        drawn = np.bincount(self.strata, minlength=len(weights))
        return not self.clustered and bool((drawn >= self.population)[weights != 0].all())

    def ratio(
        self,
        weights: Numbers,
        above: Numbers,
        below: Numbers,
        slopes: tuple[Numbers, Numbers],
        factor: tuple[float, float] = (1.0, 0.0),
        *,
        within: Numbers | None = None,
    ) -> Estimate:
        """Estimate a ratio of two means by its linear terms: ``factor[0] * above / (factor[1] + below)``."""
        # The slopes are how much above and below rise with the labels of a draw.
        # Both means are 0 outside of the strata `within`. A ratio of strata that are labelled completely is known
        # exactly.
        # Source: W. Cochran, Sampling Techniques (1977), section 6.
        top = self.estimate(weights, above).value * factor[0]
        bottom = self.estimate(weights, below).value + factor[1]
        if bottom <= 0:
            return Estimate(math.nan, math.nan, math.inf, 0.0)
        value = settle_ends(top / bottom)
        terms, rise = ((factor[0] * one - value * other) / bottom for one, other in ((above, below), slopes))
        found = self.estimate(weights, terms, slopes=rise)
        if self.is_complete(weights if within is None else within):
            return Estimate(value, 0.0, math.inf, found.freedom)
        # Where all labels are alike the linear terms do not vary: a label says as much as one of a simple sample of the share
        # `above / below`, of which the value is a multiple.
        if not 0 < value < 1 or found.variance <= 0:
            effective = float(np.count_nonzero(below)) * bottom / (factor[0] * (bottom - factor[1]))
        else:
            effective = value * (1 - value) / found.variance
        return Estimate(value, found.variance, effective, found.freedom)


def label_of(item: DrawnItem, label: float) -> float:
    """Return the label itself."""
    del item
    return label


def alike_strata(ledger: Ledger, system: int) -> int:
    """Count the strata of a prediction whose labels are all alike, and do not have all of their items."""
    labels: dict[int, list[float]] = {}
    for one in ledger.draws:
        labels.setdefault(one.stratum, []).extend(ledger.labels[name] for name in one.items)
    left = {one: some for one, some in labels.items() if len(some) < ledger.population[one]}
    weights = ledger.members(system)
    return sum(len(set(some)) == 1 and weights[one] > 0 for one, some in left.items())


def precision_of(ledger: Ledger, system: int) -> Estimate:
    """Estimate the precision of a prediction."""
    return ledger.estimate(ledger.members(system), ledger.means(label_of))


def ends_of(ledger: Ledger, system: int, found: Estimate, kind: str, level: float = LEVEL) -> tuple[float, float]:
    """Return the interval of a precision: exact for a simple sample of a prediction, else on the effective size."""
    if kind == "mid_p":
        weights = ledger.members(system)
        [stratum] = np.flatnonzero(weights)
        here = [ledger.labels[name] for one in ledger.draws if one.stratum == stratum for name in one.items]
        return mid_p(int(sum(here)), len(here), ledger.sample.strata[stratum].items, level)
    return interval_of(found, kind, level)


def kind_of(ledger: Ledger, system: int, asked: str | None = None) -> str:
    """Name the interval: the one that was asked for, or that of the design; mid-p only where the sample is simple."""
    design = DESIGNS[ledger.sample.asked.design]
    simple = not design.clustered and np.count_nonzero(ledger.members(system)) == 1
    if asked == "mid_p" and not simple:
        raise UsageError(
            "The exact interval needs a simple sample of one prediction.", found=f"design {ledger.sample.asked.design}",
            expected="wilson or ahpd", hint="leave out --interval",
        )  # fmt: skip
    return asked or ("mid_p" if simple else "wilson")


def difference(ledger: Ledger, system: int, against: int) -> Estimate:
    """Estimate how much more precise a prediction is than another, from the same labels."""
    return ledger.estimate(ledger.members(system) - ledger.members(against), ledger.means(label_of))


def estimate_pooled(ledger: Ledger, system: int) -> tuple[Estimate, Estimate]:
    """Estimate pooled recall and pooled F1: of the right items of all predictions together, the share that one has."""
    every = ledger.population / ledger.population.sum()
    right = ledger.means(label_of)
    own = ledger.means(lambda item, label: label * (system in item.systems))
    size = float(ledger.population[ledger.members(system) > 0].sum() / ledger.population.sum())
    slopes = ledger.means(lambda item, _: float(system in item.systems)), np.ones(len(right))
    return ledger.ratio(every, own, right, slopes), ledger.ratio(every, own, right, slopes, (2.0, size))


def group_estimate(
    ledger: Ledger, system: int, within: Callable[[DrawnItem], bool], strata: Numbers | None = None
) -> tuple[Estimate, float]:
    """Estimate the precision of the items of a group, and their share; strata that have none of it are 0, if that is known."""
    own = ledger.means(lambda item, label: label * within(item))
    size = ledger.means(lambda item, _: float(within(item)))
    members = ledger.members(system)
    found = ledger.ratio(members, own, size, (size, np.zeros(len(size))), within=strata)
    return found, ledger.estimate(members, size).value


def right_of(ledger: Ledger) -> float:
    """Estimate how many items of all predictions together are right."""
    size = float(ledger.population.sum())
    return ledger.estimate(ledger.population / size, ledger.means(label_of)).value * size


def design_effect(found: Estimate, labels: int, population: int) -> float:
    """Return by how much the variance of an estimate exceeds that of a simple sample of as many labels, without replacement."""
    # The variance of labels is divided by one less than their number, but where all are alike by their number
    # (`designs.estimate`).
    if not 0 < found.effective < math.inf or not 1 < labels < population:
        return 1.0
    plain = labels - (0 < found.value < 1)
    return plain / (1 - labels / population) / found.effective


def labels_of_judge(ledger: Ledger, verdicts: Mapping[str, float], system: int, level: float = LEVEL) -> dict[str, Any]:
    """Align labels and verdicts for `judges.assess`, the strata numbered by those that a prediction has."""
    # What a judge sees is counted item by item. Estimates are of draws: items of one cluster are right or wrong
    # together.
    weights, labels = ledger.members(system), ledger.labels
    number = {int(stratum): row for row, stratum in enumerate(np.flatnonzero(weights))}
    both: list[tuple[int, float, float]] = []
    others: list[tuple[int, float]] = []
    items: dict[str, tuple[int, float, float]] = {}
    for one, reached in zip(ledger.sample.draws, ledger.reached, strict=True):
        judged = [name for name in one.items if name in verdicts] if one.stratum in number else []
        labelled, stratum = [name for name in judged if reached and name in labels], number.get(one.stratum, 0)
        if labelled:
            rows = [(stratum, labels[name], verdicts[name]) for name in labelled]
            items |= dict(zip(labelled, rows, strict=True))
            both.append((stratum, *np.mean([row[1:] for row in rows], axis=0).tolist()))
        elif judged and not (reached and labels.keys() & set(one.items)):
            others.append((stratum, sum(verdicts[name] for name in judged) / len(judged)))
    strata, given, called = _columns(both, 3)
    other_strata, uncertain = _columns(others, 2)
    of_items, truth, seen = _columns(list(items.values()), 3)
    each = weights[list(number)] / np.maximum(np.bincount(of_items.astype(np.int64), minlength=len(number)), 1)
    return {
        "labels": given,
        "verdicts": called,
        "others": uncertain,
        "strata": strata.astype(np.int64),
        "other_strata": other_strata.astype(np.int64),
        "weights": weights[list(number)],
        "sizes": None if ledger.clustered else ledger.population[list(number)],
        "sight": sight_of(truth, seen, each[of_items.astype(np.int64)], level=level),
        "items": len(items),
    }


def _columns(rows: Sequence[tuple[float, ...]], width: int) -> list[Numbers]:
    """Turn rows of numbers into columns, float64, shape (rows,) each."""
    return list(np.array(rows, dtype=np.float64).reshape(-1, width).T)
