"""How well scores agree with ratings: of items, of segments and of systems. Matrices are systems x items; nan is a gap."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.sampling.agreement import kappa_of, table_of

Matrix = NDArray[np.float64]
BLOCK = 2**22
"""Pairs that are compared at once."""
PERMUTATIONS, SEED = 1000, 4
"""The draws of mt-metrics-eval."""
UNDECIDED = 0.5
"""The p value of systems that are equal on every segment."""
DIGITS = 12
"""Decimal places of the largest number from which on numbers are equal."""


def mean_along(values: Matrix, axis: int, digits: int = DIGITS) -> Matrix:
    """Average what is not nan; neither the order of numbers nor rounding makes equal means differ."""
    count = (~np.isnan(values)).sum(axis=axis)
    found = np.full(count.shape, np.nan)
    np.divide(np.nansum(np.sort(values, axis=axis), axis=axis), count, out=found, where=count > 0)
    scale = np.ldexp(1.0, np.frexp(np.nanmax(np.abs(found), initial=0.0))[1] - 1)
    return np.asarray(np.round(found / scale, digits) * scale)


def centred(values: Matrix) -> Matrix:
    """Subtract the mean of all that is not nan; what is left of equal numbers is rounding, and made 0."""
    apart = values - np.nanmean(values)
    return np.where(np.abs(apart) <= 10.0**-DIGITS * np.nanmax(np.abs(values)), 0.0, apart)


def kendall_b(ratings: Matrix, scores: Matrix) -> float:
    """Return Kendall's tau-b over all cells that both matrices have; nan if either has only one value."""
    # Source: M. G. Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945).
    there = ~np.isnan(ratings) & ~np.isnan(scores)
    x, y = ratings[there], scores[there]
    agree = untied_x = untied_y = 0.0
    step = max(1, BLOCK // max(1, len(x)))
    for start in range(0, len(x), step):
        part = slice(start, start + step)
        dx, dy = (np.sign(values[part, None] - values) for values in (x, y))
        agree += float((dx * dy).sum())
        untied_x += float(np.abs(dx).sum())
        untied_y += float(np.abs(dy).sum())
    return agree / float(np.sqrt(untied_x * untied_y)) if untied_x and untied_y else np.nan


def accuracy_with_ties(
    ratings: Matrix, scores: Matrix, by: Literal["none", "item", "system"] = "none"
) -> tuple[float, float]:
    """Return the accuracy over pairs with calibrated ties, and the largest difference of scores that is a tie."""
    # A pair is right if it is tied on both sides, or ordered alike. Pairs are compared within groups, whose accuracies
    # are averaged. Of all differences of scores, the smallest that makes the mean largest is chosen.
    # Source: D. Deutsch, G. Foster and M. Freitag, Ties matter: meta-evaluating modern metrics with pairwise accuracy
    # and tie calibration, EMNLP 2023.
    if by == "none":
        ratings, scores = ratings.reshape(1, -1), scores.reshape(1, -1)
    elif by == "item":
        ratings, scores = ratings.T, scores.T
    there = ~np.isnan(ratings) & ~np.isnan(scores)
    sizes, pairs = there.sum(axis=1), dict[int, Any]()
    gaps, gains, base, count = [np.zeros(1)], [np.zeros(1)], 0.0, 0
    for row in np.flatnonzero(sizes > 1).tolist():
        # Groups are often of one size.
        size = int(sizes[row])
        first, second = pairs.get(size) or pairs.setdefault(size, np.triu_indices(size, 1))
        dx, dy = (values[row][there[row]] for values in (ratings, scores))
        dx, dy = dx[first] - dx[second], dy[first] - dy[second]
        ordered = (np.sign(dx) * np.sign(dy)) > 0
        base, count = base + float(ordered.mean()), count + 1
        gaps.append(np.abs(dy))
        gains.append(((dx == 0).astype(np.float64) - ordered) / len(dx))
    if not count:
        return np.nan, np.nan
    gap, gain = np.concatenate(gaps), np.concatenate(gains)
    order = np.argsort(gap, kind="stable")
    last = np.flatnonzero(np.append(np.diff(gap[order]) > 0, True))
    means = (base + np.cumsum(gain[order])[last]) / count
    # Sums in another order differ in the last digits, and are the same accuracy.
    best = int(np.argmax(np.round(means, 12)))
    return float(means[best]), float(gap[order][last[best]])


def pairwise_accuracy(ratings: Matrix, scores: Matrix) -> float:
    """Return the share of pairs of systems that mean scores order as mean ratings do."""
    # Source: T. Kocmi et al., To ship or not to ship: an extensive evaluation of automatic metrics for machine
    # translation, WMT 2021.
    x, y = mean_along(ratings, 1), mean_along(scores, 1)
    pairs = [np.sign(x[a] - x[b]) == np.sign(y[a] - y[b]) for a, b in combinations(range(len(x)), 2)]
    return float(np.mean(pairs)) if pairs else np.nan


def pearson(ratings: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
    """Return Pearson's correlation of two columns; nan if either has only one value."""
    there = ~np.isnan(ratings) & ~np.isnan(scores)
    x, y = (centred(values[there]) if there.any() else values[there] for values in (ratings, scores))
    lengths = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / lengths if lengths else np.nan


def permutation_p_values(scores: Matrix, *, permutations: int = PERMUTATIONS, seed: int = SEED) -> Matrix:
    """Test each pair of systems one-sided: how often a difference is as large if scores of random segments are swapped."""
    # The draws are those of mt-metrics-eval, which adds them up in float32: where draws tie, its p values may differ a
    # little. A draw that ties counts in full, as there, so that p depends a little on which system comes first. Two
    # systems that are equal on every segment would have p = 1 for whichever comes first, so that a constant would agree
    # with people or not by the order of systems: they have 0.5, which says nothing for either. Rows must be complete.
    # Where `i < j` it is p that system `i` is better than `j`, elsewhere -1.
    draws = np.random.default_rng(seed).random((permutations, scores.shape[1]), dtype=np.float32)
    signs = np.rint(draws).astype(np.float64) * 2.0 - 1.0
    totals, drawn = scores.sum(axis=1), scores @ signs.T
    # A draw that swaps nothing, or what is equal, ties: rounding, which libraries of products do in their own ways, must not decide.
    slack = 1e-9 * float(np.abs(scores).sum(axis=1).max(initial=0.0))
    found = np.full((len(scores), len(scores)), -1.0)
    for a, b in combinations(range(len(scores)), 2):
        equal = bool((np.abs(scores[a] - scores[b]) <= slack).all())
        found[a, b] = UNDECIDED if equal else np.mean(drawn[a] - drawn[b] >= totals[a] - totals[b] - slack)
    return found


def soft_pairwise_accuracy(p_human: Matrix, p_measure: Matrix) -> float:
    """Return one minus the mean distance of two tables of p values, over pairs of systems."""
    # Source: B. Thompson, N. Mathur, D. Deutsch and H. Khayrallah, Improving statistical significance in human
    # evaluation of automatic metrics via soft pairwise accuracy, WMT 2024.
    pairs = np.triu_indices(len(p_human), 1)
    return float(1 - np.abs(p_human[pairs] - p_measure[pairs]).mean()) if len(pairs[0]) else np.nan


def chance_of_spa(p_human: Matrix, scores: Matrix) -> float:
    """Return the mean soft pairwise accuracy over all ways to name the systems of the measure."""
    # Each pair of people is then held against every pair of the measure, as often in one order as in the other.
    pairs = np.triu_indices(len(p_human), 1)
    human, counts = np.unique(p_human[pairs], return_counts=True)
    measure = np.concatenate([permutation_p_values(order)[pairs] for order in (scores, scores[::-1])])
    return float(1 - np.average(np.abs(human[:, None] - measure).mean(axis=1), weights=counts))


def chance_of_accuracy(human: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
    """Return the mean of `pairwise_accuracy` over all ways to give the scores to the systems."""
    # Of the pairs that neither side ties half are in the same order, and those that both tie agree.
    ordered, untied = _share_ordered(human), _share_ordered(scores)
    return ordered * untied / 2 + (1 - ordered) * (1 - untied)


def _share_ordered(scores: NDArray[np.float64]) -> float:
    """Return the share of pairs that are not tied; nan without a pair."""
    pairs = len(scores) * (len(scores) - 1) / 2
    _, counts = np.unique(scores, return_counts=True)
    return float(1 - (counts * (counts - 1) / 2).sum() / pairs) if pairs else np.nan


def auc(truth: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """Return the probability that a right item scores higher than a wrong one, a tie counting half; nan without both."""
    # Source: J. A. Hanley and B. J. McNeil, The meaning and use of the area under a ROC curve, Radiology 143 (1982).
    values, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    del values
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    right, wrong = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - right * (right + 1) / 2) / (right * wrong)) if right and wrong else np.nan


def verdicts(truth: NDArray[np.bool_], verdict: NDArray[np.bool_]) -> dict[str, float]:
    """Return sensitivity, specificity and Cohen's kappa of yes/no verdicts; nan where undefined."""
    table = table_of(truth.astype(np.float64), verdict.astype(np.float64))
    with np.errstate(invalid="ignore"):
        no, yes = np.diag(table) / table.sum(axis=1)
    return {"sensitivity": float(yes), "specificity": float(no), "kappa": float(kappa_of(table))}
