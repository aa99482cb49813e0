"""Null models of alignments: targets permuted within their kind, and every list of candidates in a random order."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.model import Alignment
from goldassay.alignments.rankings.answers import RejectionRate, RelationChoice
from goldassay.alignments.rankings.gains import MedianRank
from goldassay.alignments.rankings.measure import RankingMatching, RankingMeasure, ReferenceMeasure
from goldassay.alignments.rankings.ranks import Ranks, places_of_first
from goldassay.alignments.semantic import Semantic
from goldassay.core.counts import Counts
from goldassay.core.matching import Matching
from goldassay.core.measure import Measure
from goldassay.core.null import Moments, Noise, Null, chosen
from goldassay.core.parts import exact_sum
from goldassay.kernels.swaps import swapped


def permuted_targets(pred: Alignment, gold: Alignment, rng: np.random.Generator, *, share: float = 1.0) -> Alignment:
    """Swap targets of one kind between correspondences of one test case and relation; no correspondence comes twice.

    Example:
        >>> pred = Alignment.from_rows([("cat", "chat"), ("dog", "chien"), ("cow", "vache")])
        >>> drawn = permuted_targets(pred, pred, np.random.default_rng(0))
        >>> sorted(drawn.targets.tolist()) == sorted(pred.targets.tolist())
        True
    """
    del gold
    kinds = np.zeros(len(pred)) if pred.types is None else pred.types[pred.targets]
    rows = np.column_stack([pred.sources, pred.targets, pred.cases, pred.relations]).astype(np.int64)
    _, groups = np.unique(np.column_stack([kinds, pred.cases, pred.relations]), axis=0, return_inverse=True)
    origin = swapped(rows, 1, rng=rng, groups=groups.ravel(), some=chosen(len(rows), share, rng))
    return replace(pred, targets=pred.targets[origin])


def random_order(pred: Alignment, gold: Alignment, rng: np.random.Generator) -> Alignment:
    """Rank the candidates of each list anew, in a random order without ties.

    Example:
        >>> pred = Alignment.from_rows([("A", "1", "=", 0.9), ("A", "2", "=", 0.9), ("A", "3", "=", 0.1)])
        >>> len(set(random_order(pred, pred, np.random.default_rng(0)).scores.tolist()))
        3
    """
    del gold
    if pred.candidates is not None:
        drawn = _random_scores(len(pred.candidates), rng)
        return replace(pred, candidates=replace(pred.candidates, scores=drawn))
    return replace(pred, scores=_random_scores(len(pred), rng))


def _random_scores(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Give different scores above 0 and up to 1, so that no two are tied in any list."""
    return (rng.permutation(count) + 1.0) / max(count, 1)


def random_ranks(measure: Measure[Any, Any], matching: Matching[Any]) -> Moments | None:
    """Return the moments of the gains when every list is in a random order.

    Each place of a list of n is as likely as the others, so that a reference gains the mean ``g`` of the gains of all
    places, with their variance ``v``; two references of one list have the covariance ``-v / (n - 1)``.
    """
    if not isinstance(measure, ReferenceMeasure) or measure.filtered or not isinstance(matching, RankingMatching):
        return None
    if isinstance(measure, MedianRank):
        return None
    ranks = matching.ranks
    found = np.flatnonzero(ranks.found)
    if measure.first:
        return _random_firsts(measure, ranks, found, int(matching.shares.sum()))
    sizes, size = np.unique(ranks.size[found], return_inverse=True)
    by_size = [measure.gains_of_places(ranks, int(length)) for length in sizes]
    mean, variance = (np.array([one(gains) for gains in by_size]) for one in (np.mean, np.var))
    shares = matching.shares[found].astype(np.float64)
    lists, place = np.unique(ranks.queries[found], return_inverse=True)
    spread = np.zeros(len(lists))
    spread[place] = variance[size] / np.maximum(sizes[size] - 1, 1)
    length = np.zeros(len(lists))
    length[place] = sizes[size]
    squares, sums = (np.bincount(place, weights=shares**power, minlength=len(lists)) for power in (2, 1))
    # How lists are numbered must not move a last bit.
    expected = {"gain": float(exact_sum(shares * mean[size])), measure.counted: int(matching.shares.sum())}
    sd = math.sqrt(exact_sum(np.maximum(spread * (length * squares - sums**2), 0.0)))
    return Moments(Counts(expected), Counts({**expected, "gain": sd}))


def _random_firsts(measure: ReferenceMeasure, ranks: Ranks, found: NDArray[np.int64], queries: int) -> Moments:
    """Return the moments of what the first references of the lists gain; lists know nothing of each other."""
    _, start, count = np.unique(ranks.queries[found], return_index=True, return_counts=True)
    lists, times = np.unique(np.column_stack([ranks.size[found[start]], count]), axis=0, return_counts=True)
    expected, variance = 0.0, 0.0
    for (size, some), often in zip(lists.tolist(), times.tolist(), strict=True):
        gains, chances = measure.gains_of_places(ranks, size), places_of_first(size, some)
        mean = float(gains @ chances)
        expected += often * mean
        variance += often * float(((gains - mean) ** 2) @ chances)
    sums = {"gain": expected, measure.counted: queries}
    return Moments(Counts(sums), Counts({**sums, "gain": float(np.sqrt(variance))}))


def _is_of_sets(measure: Measure[Any, Any]) -> bool:
    # A random alignment may contradict the ontologies, and HermiT would run for every draw.
    reasoned = isinstance(measure, Semantic) and measure.reasoner != "closure"
    return not (reasoned or isinstance(measure, RankingMeasure | RejectionRate | RelationChoice))


def _is_of_ranks(measure: Measure[Any, Any]) -> bool:
    return isinstance(measure, RankingMeasure | RelationChoice)


NULLS: Mapping[str, Null[Alignment]] = MappingProxyType(
    {
        "permute-targets": Null(
            title="targets permuted within their kind",
            answers="What do the right entities in the right numbers earn, put together at random?",
            citation="gionis2007swap",
            draw=permuted_targets,
            fits=_is_of_sets,
        ),
        "random-order": Null(
            title="every list of candidates in a random order",
            answers="What does the length of the lists earn, without any ranking?",
            citation="berrendorf2020ambiguity",
            draw=random_order,
            fits=_is_of_ranks,
            moments=random_ranks,
        ),
    }
)
NOISES: Mapping[str, Noise[Alignment]] = MappingProxyType(
    {
        "drop": lambda alignment, share, rng: alignment.take(np.sort(chosen(len(alignment), 1 - share, rng))),
        "permute-targets": lambda alignment, share, rng: permuted_targets(alignment, alignment, rng, share=share),
    }
)
