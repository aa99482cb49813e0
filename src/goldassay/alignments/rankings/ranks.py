"""The ranks of the targets of gold in the lists of a prediction: computed once for all ranking measures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.lookup import rows_of
from goldassay.alignments.model import Alignment, Candidates
from goldassay.alignments.relations import EQUIVALENT
from goldassay.core.matching import NONE_MET, Side

if TYPE_CHECKING:
    from goldassay.alignments.sides import Sides

Ties: TypeAlias = Literal["expected", "order", "optimistic", "pessimistic"]
TIES = ("expected", "order", "optimistic", "pessimistic")
Whole: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranks:
    """The rank of each reference; arrays of shape (references,).

    Attributes:
        found: Whether the target is in the list.
        above: How many candidates have a higher score, int64.
        tied: How many have the same score, itself included, int64.
        order: Its place among the tied in the order of the file, from 0, int64.
        true_above: How many references of the same list have a higher score, int64.
        true_tied: How many have the same score, itself included, int64.
        true_order: Its place among the tied references in the order of the file, from 0, int64.
        queries: The number of the list that each reference belongs to, int64.
        items: The candidates of all lists.
        row: Which of them each reference is, -1 where it was not found, int64.
        lists: The list of each candidate, int64, shape (candidates,).
    """

    found: NDArray[np.bool_]
    above: Whole
    tied: Whole
    order: Whole
    true_above: Whole
    true_tied: Whole
    true_order: Whole
    queries: Whole
    items: Alignment
    row: Whole
    lists: Whole

    @cached_property
    def size(self) -> Whole:
        """How many candidates the list of each reference has, int64."""
        lists, count = np.unique(self.lists, return_counts=True)
        place = rows_of(self.queries, lists)
        return np.where(place == NONE_MET, 0, np.append(count, 0)[place])

    @cached_property
    def candidates(self) -> Side:
        """The verdict on every candidate: whether it is a reference."""
        counterpart = np.full(len(self.items), NONE_MET, dtype=np.int64)
        counterpart[self.row[self.found]] = np.flatnonzero(self.found)
        hit = counterpart != NONE_MET
        return Side(credit=hit.astype(np.float64), counterpart=counterpart, similarity=np.where(hit, 1.0, np.nan))

    @cached_property
    def relevant(self) -> Whole:
        """How many references the list of each reference has, int64."""
        _, number, count = np.unique(self.queries, return_inverse=True, return_counts=True)
        return np.asarray(count[number], dtype=np.int64)

    @cached_property
    def first(self) -> Whole:
        """The reference of each list that is found first, or any if none is found; of tied ones the first in the file."""
        never = np.iinfo(np.int64).max
        order = np.lexsort((self.true_order, np.where(self.found, self.above, never), self.queries))
        _, start = np.unique(self.queries[order], return_index=True)
        return np.asarray(order[start], dtype=np.int64)

    def settled(self, ties: Ties, *, filtered: bool) -> Ranks:
        """Apply a convention: about ties, and about other references of the same list.

        Args:
            ties: ``expected`` keeps ties; all other values order the tied candidates.
            filtered: Whether other references of the same list are removed first.

        Returns:
            The same ranks; unless ties are ``expected``, nothing is tied any more.
        """
        ranks = self
        if filtered:
            ranks = replace(
                self,
                above=self.above - self.true_above,
                tied=self.tied - self.true_tied + 1,
                order=self.order - self.true_order,
                true_above=np.zeros_like(self.true_above),
                true_tied=np.ones_like(self.true_tied),
                true_order=np.zeros_like(self.true_order),
            )
        if ties == "expected":
            return ranks
        ahead = {
            "order": ranks.order,
            "optimistic": ranks.true_order,
            "pessimistic": ranks.tied - ranks.true_tied + ranks.true_order,
        }[ties]
        one = np.ones_like(ranks.tied)
        return replace(
            ranks, above=ranks.above + ahead, tied=one, order=0 * one,
            true_above=ranks.true_above + ranks.true_order, true_tied=one, true_order=0 * one,
        )  # fmt: skip


def places_of_first(size: int, some: int) -> NDArray[np.float64]:
    """Return how likely each place of a random order is that of the first of some of its elements.

    At place j all of the some are at j or after it, and one of them is there: C(n - j, r - 1) / C(n, r). Each is found from
    the one before.

    Args:
        size: How many elements there are, n.
        some: How many of them are meant, r, from 1 to n.

    Returns:
        Probabilities of the places 1 to n, float64, shape (n,).

    Example:
        >>> places_of_first(4, 2).round(4).tolist()
        [0.5, 0.3333, 0.1667, 0.0]
    """
    place = np.arange(1, size)
    ratios = np.maximum(size - place - some + 1, 0) / (size - place)
    return np.asarray(some / size * np.concatenate([[1.0], np.cumprod(ratios)]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Lists:
    """Candidates in ranked lists, and the references that should be found in them.

    Attributes:
        lists: The list of each candidate, int64, shape (candidates,).
        scores: Their scores, float64.
        references: The list of each reference, int64, shape (references,).
        at: The candidate that each reference is, -1 where it is in no list, int64.
        items: The correspondences that candidates are.
        rows: Which of them each candidate is, int64; None if they are the same, one by one.
    """

    lists: Whole
    scores: NDArray[np.float64]
    references: Whole
    at: Whole
    items: Alignment
    rows: Whole | None = None


def ranks_of(both: Sides) -> Ranks:
    """Count the candidates above every reference."""
    lists = _pools_of_pred(both, both.pred.candidates) if both.pred.candidates is not None else _lists(both)
    found = lists.at >= 0
    at = lists.at[found]
    above, tied, order = _places(lists.lists, lists.scores, at)
    true = _sorted_places(lists.references[found], lists.scores[at], order)
    # What was not found is tied only with itself, so that no formula divides by 0.
    nothing = (0, 1, 0, 0, 1, 0)
    counts = [_spread(column, found, fill) for column, fill in zip((above, tied, order, *true), nothing, strict=True)]
    row = np.full(len(found), NONE_MET, dtype=np.int64)
    row[found] = at if lists.rows is None else lists.rows[at]
    return Ranks(
        found=found, above=counts[0], tied=counts[1], order=counts[2], true_above=counts[3], true_tied=counts[4],
        true_order=counts[5], queries=lists.references, items=lists.items, row=row, lists=lists.lists,
    )  # fmt: skip


def _spread(column: Whole, found: NDArray[np.bool_], fill: int) -> Whole:
    whole = np.full(len(found), fill, dtype=np.int64)
    whole[found] = column
    return whole


def _lists(both: Sides) -> Lists:
    """Rank globally, source by source; or within the pools of gold, if it has such."""
    if both.gold.candidates is not None:
        return _pools_of_gold(both, both.gold.candidates)
    numbering = both.numbering
    return Lists(
        lists=numbering.source_keys(both.pred, gold=False),
        scores=both.pred.scores,
        references=numbering.source_keys(both.gold, gold=True),
        at=both.counterpart,
        items=both.pred,
    )


def _pools_of_pred(both: Sides, pools: Candidates) -> Lists:
    """Rank the candidates that the prediction lists for each query; without scores their order is the ranking."""
    size = len(both.numbering.terms)
    queries = both.numbering.pair_keys(pools.queries, gold=False)
    query_of_reference = rows_of(both.gold_keys, np.unique(queries))
    row_of_query = _first_rows(queries)
    references = np.where(query_of_reference >= 0, row_of_query[query_of_reference], -1 - np.arange(len(both.gold)))
    keys = pools.query.astype(np.int64) * size + pools.targets
    _, _, targets = both.numbering.entities(both.gold, gold=True)
    at = np.where(query_of_reference >= 0, rows_of(np.maximum(references, 0) * size + targets, keys), -1)
    scores = pools.scores if pools.scored else -np.arange(len(pools), dtype=np.float64)
    return Lists(
        lists=pools.query.astype(np.int64),
        scores=scores,
        references=references,
        at=at,
        items=_laid_out(both.pred, pools),
    )


def _laid_out(pred: Alignment, pools: Candidates) -> Alignment:
    """Convert the candidates of a prediction to correspondences, one per candidate."""
    count = len(pools)
    return replace(
        pred,
        sources=pools.queries.sources[pools.query],
        targets=pools.targets,
        relations=np.full(count, EQUIVALENT, dtype=np.int8),
        scores=np.nan_to_num(pools.scores),
        times=np.ones(count, dtype=np.int32),
        cases=pools.queries.cases[pools.query],
    )


def _first_rows(keys: Whole) -> Whole:
    _, first = np.unique(keys, return_index=True)
    return np.asarray(first, dtype=np.int64)


def _pools_of_gold(both: Sides, pools: Candidates) -> Lists:
    """Rank the predictions for the candidates that gold lists for each query."""
    numbering, size = both.numbering, len(both.numbering.terms)
    cases, sources, _ = numbering.entities(pools.queries, gold=True)
    targets = numbering.gold_terms[pools.targets].astype(np.int64)
    said = rows_of((cases[pools.query] * size + sources[pools.query]) * size + targets, both.pred_keys)
    kept = np.flatnonzero(said >= 0)
    queries = numbering.pair_keys(pools.queries, gold=True)
    place = rows_of(both.gold_keys, np.unique(queries))
    references = np.where(place >= 0, _first_rows(queries)[place], -1 - np.arange(len(both.gold)))
    _, _, wanted = numbering.entities(both.gold, gold=True)
    keys = pools.query[kept].astype(np.int64) * size + targets[kept]
    at = np.where(place >= 0, rows_of(np.maximum(references, 0) * size + wanted, keys), -1)
    return Lists(
        lists=pools.query[kept].astype(np.int64),
        scores=both.pred.scores[said[kept]],
        references=references,
        at=at,
        items=both.pred,
        rows=said[kept],
    )


def _places(lists: Whole, scores: NDArray[np.float64], at: Whole) -> tuple[Whole, Whole, Whole]:
    """Count the candidates above some candidates of their lists, and those tied with them.

    Args:
        lists: The list of each candidate, int64.
        scores: Their scores, float64.
        at: Which candidates to count for, int64.

    Returns:
        Above, tied (itself included), and the place among the tied from 0; int64, shape (asked,).
    """
    asked, number, count = np.unique(lists[at], return_inverse=True, return_counts=True)
    counts = np.zeros((3, len(at)), dtype=np.int64)
    alone = count[number] == 1
    place = rows_of(lists, asked)
    # If only one candidate of a list is needed, all others are compared with it, without sorting.
    target = np.full(len(asked), NONE_MET, dtype=np.int64)
    target[number[alone]] = at[alone]
    rows = np.flatnonzero((place != NONE_MET) & (np.append(target, NONE_MET)[place] != NONE_MET))
    mine = place[rows]
    score, goal = scores[rows], scores[target[mine]]
    ties = score == goal
    for column, chosen in enumerate((score > goal, ties, ties & (rows < target[mine]))):
        counts[column, alone] = np.bincount(mine[chosen], minlength=len(asked))[number[alone]]
    several = np.flatnonzero((place != NONE_MET) & (np.append(target, 0)[place] == NONE_MET))
    if len(several):
        sorted_counts = _sorted_places(lists[several], scores[several], np.arange(len(several)))
        counts[:, ~alone] = sorted_counts[:, np.searchsorted(several, at[~alone])]
    return counts[0], counts[1], counts[2]


def _sorted_places(lists: Whole, scores: NDArray[np.float64], order: Whole) -> Whole:
    """Count for every candidate those above it, tied with it, and tied and before it; int64, shape (3, n)."""
    import polars as pl

    sequence = (
        pl.DataFrame({"list": lists, "score": scores, "order": order})
        .select(pl.arg_sort_by("list", "score", "order", descending=[False, True, False]).alias("row"))["row"]
        .to_numpy()
    )
    count = len(sequence)
    step = np.arange(count, dtype=np.int64)
    sorted_lists, sorted_scores = lists[sequence], scores[sequence]
    starts = np.ones(count, dtype=np.bool_)
    starts[1:] = sorted_lists[1:] != sorted_lists[:-1]
    changes = starts.copy()
    changes[1:] |= sorted_scores[1:] != sorted_scores[:-1]
    first = np.maximum.accumulate(np.where(starts, step, 0))
    tie = np.maximum.accumulate(np.where(changes, step, 0))
    tied = np.diff(np.append(np.flatnonzero(changes), count))[np.cumsum(changes) - 1] if count else step
    counts = np.empty((3, count), dtype=np.int64)
    counts[:, sequence] = tie - first, tied, step - tie
    return counts
