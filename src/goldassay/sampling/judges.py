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
from goldassay.sampling.designs import ALIKE, CONTINUITY, Codes, Estimate, settle_ends
from goldassay.sampling.special import Numbers

Power: TypeAlias = Literal["classical", "ppi", "ppi++"]
Group: TypeAlias = tuple[Numbers, Numbers, Numbers]
"""Labels, verdicts on the same items, and verdicts on others."""
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
    group = labels, verdicts, others
    trust = _tune([group], [1.0], power)
    value, rectified, spread = _rectify(group, trust)
    return value, rectified + spread, trust


def _tune(groups: Sequence[Group], weights: Sequence[float], power: Power) -> float:
    """Return how far verdicts are trusted, so that the weighted mean of groups varies least."""
    judged = [(weight, group) for weight, group in zip(weights, groups, strict=True) if len(group[2])]
    if power != "ppi++":
        return float(power == "ppi" and bool(judged))
    shared = spread = 0.0
    for weight, (labels, verdicts, others) in judged:
        size, rest = len(labels), len(others)
        shared += weight**2 * float(((labels - labels.mean()) * (verdicts - verdicts.mean())).mean()) / size
        spread += weight**2 * (1 / size + 1 / rest) * float(np.concatenate([verdicts, others]).var(ddof=1))
    return min(max(shared / spread, 0.0), 1.0) if spread else 0.0


def _rectify(group: Group, trust: float) -> tuple[float, float, float]:
    """Return the estimate of a group, the part of its variance from labels, and that from verdicts on the others."""
    labels, verdicts, others = group
    trust = trust if len(others) else 0.0
    apart = labels - trust * verdicts
    value, rectified = float(apart.mean()), float(apart.var()) / len(labels)
    if not trust:
        return value, rectified, 0.0
    return value + trust * float(others.mean()), rectified, trust**2 * float(others.var()) / len(others)


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
    used = [(stratum, weight) for stratum, weight in enumerate(weights.tolist()) if weight]
    groups = [(labels[strata == h], verdicts[strata == h], others[other_strata == h]) for h, _ in used]
    if not all(len(drawn) for drawn, _, _ in groups):
        return Estimate(math.nan, math.nan, math.nan, 0.0)
    # Strata share one number for how far verdicts are trusted: tuned to the few labels of each, the estimates would be biased.
    trust = _tune(groups, [weight for _, weight in used], power)
    wrong = (float(np.abs(labels - verdicts).sum()) + CONTINUITY) / (len(labels) + 1)
    value = variance = cautious = centre = 0.0
    for (stratum, weight), group in zip(used, groups, strict=True):
        size = math.inf if sizes is None else float(sizes[stratum])
        share, spread = _spread(group, trust, size, wrong)
        # The published variance takes the mean of the labels for known, which it is not: a size is of the unbiased one.
        few = len(group[0]) / max(len(group[0]) - 1, 1)
        value += weight * _rectify(group, trust)[0]
        variance, cautious = variance + weight**2 * spread, cautious + weight**2 * spread * few
        centre += weight * share
    # What verdicts add can lead out of what a share can be, or to its end, where it has no variance: that of the labels is taken.
    kept = settle_ends(min(max(value, 0.0), 1.0))
    typical = centre if kept in {0.0, 1.0} else kept
    effective = typical * (1 - typical) / cautious if cautious > 0 else math.inf
    return Estimate(kept, variance, effective, float(len(labels) - np.count_nonzero(weights)))


def _spread(group: Group, trust: float, size: float, wrong: float) -> tuple[float, float]:
    """Return the share of right labels in a stratum of some size, and the variance of its estimate."""
    # Proof: two draws without replacement, of M items that are judged out of N, and of n that are labelled out of M. With
    # u = y - c f and c = trust M / (M - n), the estimate is mean(u of n) - mean(u of M) + mean(y of M), whose variance is
    # S(u) (1/n - 1/M) + S(y) (1/M - 1/N): for a large N that of PPI, by its terms, and never negative.
    labels, verdicts, others = group
    count, judged = len(labels), len(labels) + len(others)
    slope = trust * judged / len(others) if len(others) else 0.0
    varied, share, apart = float(labels.var()), float(labels.mean()), float((labels - slope * verdicts).var())
    # That labels are all alike does not show that all items are, nor that no verdict is wrong if none was: half of one is.
    if varied <= ALIKE:
        share = (float(labels.sum()) + CONTINUITY) / (count + 1)
        varied = share * (1 - share)
        apart = max(apart, varied)
    elif (labels - verdicts).var() <= ALIKE:
        apart += slope**2 * wrong * (1 - wrong)
    return share, apart * (1 / count - 1 / judged) + varied * max(1 / judged - 1 / size, 0.0)


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
