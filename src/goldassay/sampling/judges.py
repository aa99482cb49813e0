"""Judges: files of verdicts on items, held against the labels of people, and the estimates that they sharpen."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from goldassay.core.text import count_of
from goldassay.sampling.agreement import Sight, sight_of
from goldassay.sampling.designs import ALIKE, CONTINUITY, Codes, Estimate
from goldassay.sampling.special import Numbers

Power: TypeAlias = Literal["classical", "ppi", "ppi++"]
LEAST_SAVED = 0.05
"""A judge that saves less of the labels is refused."""


def prediction_powered(
    labels: Numbers,
    verdicts: Numbers,
    others: Numbers,
    *,
    power: Power = "ppi++",
) -> tuple[float, float, float]:
    """Estimate a share from labels and verdicts of a judge (prediction-powered inference)."""
    # Source: A. Angelopoulos, J. Duchi and T. Zrnic, PPI++: Efficient Prediction-Powered Inference (2023), section 6.
    size, rest = len(labels), len(others)
    trust = float(power == "ppi" and rest > 0)
    if power == "ppi++" and rest:
        spread = float(np.concatenate([verdicts, others]).var(ddof=1))
        shared = float(((labels - labels.mean()) * (verdicts - verdicts.mean())).mean())
        trust = min(max(shared / ((1 + size / rest) * spread), 0.0), 1.0) if spread else 0.0
    value = float((labels - trust * verdicts).mean())
    variance = float((labels - trust * verdicts).var()) / size
    if trust:
        value += trust * float(others.mean())
        variance += trust**2 * float(others.var()) / rest
    return value, variance, trust


def estimate_by_strata(
    labels: Numbers,
    verdicts: Numbers,
    others: Numbers,
    *,
    strata: Codes,
    other_strata: Codes,
    weights: Numbers,
    power: Power,
    sizes: Numbers | None = None,
) -> Estimate:
    """Estimate a share stratum by stratum, and weigh the strata."""
    value = variance = 0.0
    for stratum, weight in enumerate(weights.tolist()):
        here, there = strata == stratum, other_strata == stratum
        if weight and not here.any():
            return Estimate(math.nan, math.nan, math.nan, 0.0)
        if weight:
            found, spread, _ = prediction_powered(labels[here], verdicts[here], others[there], power=power)
            varied, count = float(labels[here].var()), int(here.sum())
            if varied <= ALIKE:
                # That all labels are alike does not show that all items are: half of one is not.
                nearly = (float(labels[here].sum()) + CONTINUITY) / (count + 1)
                varied = nearly * (1 - nearly)
                spread = varied / count
            # Two draws without replacement: of the items that are judged, and of those that are labelled.
            left = 0.0 if sizes is None else varied / float(sizes[stratum])
            value, variance = value + weight * found, variance + weight**2 * max(spread - left, 0.0)
    effective = value * (1 - value) / variance if variance > 0 else math.inf
    return Estimate(value, variance, effective, float(len(labels) - np.count_nonzero(weights)))


@dataclass(frozen=True, kw_only=True)
class Admission:
    """Whether a judge may sharpen an estimate, and why."""

    judge: str  # its name
    items: int  # labelled items that it has a verdict on
    unanswered: int  # verdicts that are no answer, or do not know
    uneven: bool  # whether it is refused because the estimate would be biased
    sight: Sight  # what it sees
    flips: float  # the share of items whose verdict differs between its runs; nan with one run
    saved: float  # the share of labels that it saves
    admitted: bool  # whether it may be used
    reason: str  # why not, or why
    classical: Estimate  # the estimate without it
    powered: Estimate  # the estimate with it

    def line(self) -> str:
        """Return one line: whether it is admitted, with its figures."""
        sight = self.sight
        figures = (
            f"sensitivity {sight.sensitivity}, specificity {sight.specificity}, J {sight.youden}, kappa {sight.kappa}, "
            f"{count_of(self.items, 'labelled item')}"
        )
        more = f", {self.unanswered:,} without an answer" if self.unanswered else ""
        more += "" if math.isnan(self.flips) else f", {self.flips:.1%} of verdicts flip between runs"
        return f"judge {self.judge} {'admitted' if self.admitted else 'refused'}: {self.reason}; {figures}{more}"


def assess(
    judge: str,
    labels: Numbers,
    verdicts: Numbers,
    others: Numbers,
    *,
    strata: Codes | None = None,
    other_strata: Codes | None = None,
    weights: Numbers | None = None,
    sizes: Numbers | None = None,
    sight: Sight | None = None,
    items: int | None = None,
    unanswered: int = 0,
    flips: float = math.nan,
    uneven: str = "",
) -> Admission:
    """Hold a judge against labels, estimate with and without it, and admit it, or refuse one without information or that saves too few labels."""
    # Labels and verdicts may be means of clusters; then what the judge sees of items is given, and how many these are.
    # `uneven` is why its verdicts on the other items do not stand for those on the labelled ones.
    strata = np.zeros(len(labels), dtype=np.int64) if strata is None else strata
    other_strata = np.zeros(len(others), dtype=np.int64) if other_strata is None else other_strata
    weights = np.ones(1) if weights is None else weights
    drawn = np.bincount(strata, minlength=len(weights))
    sight = sight or sight_of(labels, verdicts, (weights / np.maximum(drawn, 1))[strata])
    powers: Sequence[Power] = ("classical", "ppi++")
    within = {"strata": strata, "other_strata": other_strata, "weights": weights, "sizes": sizes}
    classical, powered = (estimate_by_strata(labels, verdicts, others, **within, power=power) for power in powers)  # type: ignore[arg-type]
    saved = 1 - powered.variance / classical.variance if classical.variance > 0 else 0.0
    index = sight.youden
    reasons = {
        uneven: bool(uneven),
        "it has no verdict on a labelled item, or on none of a stratum": math.isnan(classical.value),
        "the labelled items are all right or all wrong, so that nothing is known of it": math.isnan(index.value),
        "it has no information: the interval of J contains 0": index.low <= 0 <= index.high,
        "it is wrong more often than chance": index.value < 0,
        f"it saves {max(saved, 0):.1%} of the labels, less than {LEAST_SAVED:.0%}": saved < LEAST_SAVED,
    }
    refused = next((reason for reason, holds in reasons.items() if holds), None)
    return Admission(
        judge=judge,
        items=len(labels) if items is None else items,
        unanswered=unanswered,
        uneven=bool(uneven),
        sight=sight,
        flips=flips,
        saved=saved,
        admitted=refused is None,
        reason=refused or f"it saves {saved:.1%} of the labels",
        classical=classical,
        powered=powered,
    )


def flips_of(runs: Mapping[str, Mapping[str, float]]) -> float:
    """Return the share of items, among those with several verdicts of a judge, whose verdicts differ."""
    found: dict[str, set[float]] = {}
    times = Counter(item for verdicts in runs.values() for item in verdicts)
    for verdicts in runs.values():
        for item, verdict in verdicts.items():
            found.setdefault(item, set()).add(verdict)
    several = [item for item, count in times.items() if count > 1]
    return sum(len(found[item]) > 1 for item in several) / len(several) if several else math.nan
