"""The ranks of the targets of gold in the lists of a prediction: computed once for all ranking measures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.model import NONE, Alignment, Candidates, Pairs
from goldassay.alignments.relations import EQUIVALENT, RELATIONS
from goldassay.core.libraries import pl
from goldassay.core.matching import NO_MATCH, Side, equal_counterparts
from goldassay.kernels.ragged import best_rows, run_heads, turns_of
from goldassay.kernels.types import Rows

if TYPE_CHECKING:
    from goldassay.alignments.match import Numbering, Sides

Ties: TypeAlias = Literal["expected", "order", "name", "optimistic", "pessimistic"]
TIES = ("expected", "order", "name", "optimistic", "pessimistic")
DIGITS = 12
"""Decimal places of scores where ties are broken by name: Bio-ML's kit rounds to so many."""
MOST_ROWS = 2**24
"""More lists of one source than any file has."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranks:
    """The rank of each reference; arrays of shape (references,), int64."""

    found: NDArray[np.bool_]
    above: Rows  # candidates with a higher score
    tied: Rows  # candidates with the same score, itself included
    order: Rows  # its place among the tied in the order of the file, from 0
    true_above: Rows  # the same of references of the list
    true_tied: Rows
    true_order: Rows
    queries: Rows  # the list that each reference belongs to
    items: Alignment  # the candidates of all lists
    row: Rows  # which of them each reference is, -1 where it was not found
    lists: Rows  # the list of each candidate, shape (candidates,)

    @cached_property
    def size(self) -> Rows:
        """How many candidates the list of each reference has, int64."""
        lists, count = np.unique(self.lists, return_counts=True)
        place = equal_counterparts(self.queries, lists)
        return np.where(place == NO_MATCH, 0, np.append(count, 0)[place])

    @cached_property
    def candidates(self) -> Side:
        """The verdict on every candidate: whether it is a reference."""
        counterpart = np.full(len(self.items), NO_MATCH, dtype=np.int64)
        counterpart[self.row[self.found]] = np.flatnonzero(self.found)
        return Side.of_equals(counterpart)

    @cached_property
    def relevant(self) -> Rows:
        """How many references the list of each reference has, int64."""
        _, number, count = np.unique(self.queries, return_inverse=True, return_counts=True)
        return np.asarray(count[number], dtype=np.int64)

    @cached_property
    def first(self) -> Rows:
        """The reference of each list that is found first, or any if none is found; of tied ones the first in the file."""
        never = np.iinfo(np.int64).max
        order = np.lexsort((self.true_order, np.where(self.found, self.above, never), self.queries))
        _, start = np.unique(self.queries[order], return_index=True)
        return np.asarray(order[start], dtype=np.int64)

    def settle_ties(self, ties: Ties, *, filtered: bool) -> Ranks:
        """Apply a convention: about ties, and about other references of the same list."""
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
            "name": ranks.order,
            "optimistic": ranks.true_order,
            "pessimistic": ranks.tied - ranks.true_tied + ranks.true_order,
        }[ties]
        one = np.ones_like(ranks.tied)
        return replace(
            ranks, above=ranks.above + ahead, tied=one, order=0 * one,
            true_above=ranks.true_above + ranks.true_order, true_tied=one, true_order=0 * one,
        )  # fmt: skip


def places_of_first(size: int, some: int) -> NDArray[np.float64]:
    """Return how likely each place of a random order is that of the first of some of its elements."""
    # At place j all of the some are at j or after it, and one of them is there: C(n - j, r - 1) / C(n, r). Each is
    # found from the one before.
    place = np.arange(1, size)
    ratios = np.maximum(size - place - some + 1, 0) / (size - place)
    return np.asarray(some / size * np.concatenate([[1.0], np.cumprod(ratios)]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Lists:
    """Candidates in ranked lists, and the references that should be found in them."""

    lists: Rows  # of each candidate
    scores: NDArray[np.float64]
    references: Rows  # the list of each reference
    at: Rows  # the candidate that each reference is, -1 where it is in no list
    items: Alignment  # the correspondences that candidates are
    rows: Rows | None = None  # which of them each candidate is; None if they are the same

    @property
    def candidates(self) -> Alignment:
        """The correspondence that each candidate is."""
        return self.items if self.rows is None else self.items.take(self.rows)


def ranks_of(both: Sides, *, typed: bool = False, by_name: bool = False) -> Ranks:
    """Count the candidates above every reference."""
    lists = lists_of(both, typed=typed, by_name=by_name)
    found = lists.at >= 0
    at = lists.at[found]
    above, tied, order = _places(lists.lists, lists.scores, at)
    true = _count_above(lists.references[found], lists.scores[at], order)
    # What was not found has no place: 1 is divided by without an error.
    names = ("above", "tied", "order", "true_above", "true_tied", "true_order")
    columns = {name: np.ones(len(found), dtype=np.int64) for name in names}
    for column, known in zip(columns.values(), (above, tied, order, *true), strict=True):
        column[found] = known
    row = np.full(len(found), NO_MATCH, dtype=np.int64)
    row[found] = at if lists.rows is None else lists.rows[at]
    return Ranks(found=found, queries=lists.references, items=lists.items, row=row, lists=lists.lists, **columns)


def lists_of(both: Sides, *, typed: bool, by_name: bool) -> Lists:
    """Build the lists that are ranked."""
    kind = _Kind.of(both, typed=typed)
    lists = _pools_of_pred(kind, both.pred.candidates) if both.pred.candidates is not None else _lists(kind)
    return _sort_lists(lists) if by_name else lists


@dataclass(frozen=True, eq=False, kw_only=True)
class _Kind:
    """What is ranked: entities, or entities with relations."""

    numbering: Numbering
    pred: Alignment
    gold: Alignment
    here: Rows  # the relation of each prediction, 0 if relations are ignored
    there: Rows  # the same for gold
    is_typed: bool

    @classmethod
    def of(cls, both: Sides, *, typed: bool) -> _Kind:
        pred, gold = (both.whole_pred, both.whole_gold) if typed else (both.pred, both.gold)
        here, there = (side.relations.astype(np.int64) * typed for side in (pred, gold))
        return cls(numbering=both.numbering, pred=pred, gold=gold, here=here, there=there, is_typed=typed)

    @property
    def size(self) -> int:
        """How many ends there may be: entities with each relation."""
        return len(self.numbering.terms) * len(RELATIONS)

    def ends(self, targets: Rows, relations: Rows | int) -> Rows:
        """Number ends: a target with its relation."""
        return np.asarray(targets * len(RELATIONS) + relations)

    def keys(self, *, gold: bool) -> Rows:
        """Number correspondences by case, source, target and relation."""
        side, relations = (self.gold, self.there) if gold else (self.pred, self.here)
        return self.ends(self.numbering.pair_keys(side, gold=gold), relations)

    def of_candidates(self, pools: Candidates) -> Rows | int:
        """Return the relation of each candidate; of candidates without one it is equivalence."""
        return 0 if not self.is_typed or pools.relations is None else pools.relations.astype(np.int64)


def _lists(kind: _Kind) -> Lists:
    """Rank globally, source by source; or within the pools of gold, if it has such."""
    if kind.gold.candidates is not None:
        return _pools_of_gold(kind, kind.gold.candidates)
    return Lists(
        lists=kind.numbering.source_keys(kind.pred, gold=False),
        scores=kind.pred.scores,
        references=kind.numbering.source_keys(kind.gold, gold=True),
        at=equal_counterparts(kind.keys(gold=True), kind.keys(gold=False)),
        items=kind.pred,
    )


def _pools_of_pred(kind: _Kind, pools: Candidates) -> Lists:
    """Rank the candidates that the prediction lists for each query; without scores their order is the ranking."""
    if not kind.is_typed:
        pools = _keep_best_relation(pools)
    query = _queries_of_references(kind, pools)
    references = np.where(query != NO_MATCH, query, -1 - np.arange(len(kind.gold)))
    keys = pools.query.astype(np.int64) * kind.size + kind.ends(
        pools.targets.astype(np.int64), kind.of_candidates(pools)
    )
    _, _, targets = kind.numbering.entities(kind.gold, gold=True)
    wanted = np.maximum(query, 0) * kind.size + kind.ends(targets, kind.there)
    scores = pools.scores if pools.scored else -np.arange(len(pools), dtype=np.float64)
    return Lists(
        lists=pools.query.astype(np.int64),
        scores=scores,
        references=references,
        at=np.where(query != NO_MATCH, equal_counterparts(wanted, keys), NO_MATCH),
        items=as_correspondences(kind.pred, pools),
    )


def _keep_best_relation(pools: Candidates) -> Candidates:
    """Keep the best-scored of the relations of each candidate."""
    if pools.relations is None:
        return pools
    return replace(pools.take(np.sort(best_rows(pools.scores, pools.targets, pools.query))), relations=None)


def _queries_of_references(kind: _Kind, pools: Candidates) -> Rows:
    """Find the list of each reference, -1 for none: by its source and target."""
    # Where lists name no target, the first list of a source answers its first row in gold, the second its second.
    numbering = kind.numbering
    queries = numbering.pair_keys(pools.queries, gold=False)
    wanted = numbering.pair_keys(kind.gold, gold=True)
    if (pools.queries.targets != NONE).all() or not len(queries):
        return equal_counterparts(wanted, queries)
    rows, _ = _rows_of_gold(kind)
    asked = _number_keys(numbering.source_keys(rows, gold=True))
    offered = _number_keys(numbering.source_keys(pools.queries, gold=False))
    return np.append(equal_counterparts(asked, offered), NO_MATCH)[_rows_of_references(kind)]


def _rows_of_gold(kind: _Kind) -> tuple[Pairs | Alignment, Rows | int]:
    """Return the rows of gold as the file has them, with duplicates if it has lists of candidates, and their relations."""
    pools = kind.gold.candidates
    if pools is None:
        return kind.gold, kind.there
    relations = 0 if not kind.is_typed or pools.wanted is None else pools.wanted.astype(np.int64)
    return pools.queries, relations


def _rows_of_references(kind: _Kind) -> Rows:
    """Find the first row of gold's file that each reference is, -1 for none."""
    rows, relations = _rows_of_gold(kind)
    return equal_counterparts(kind.keys(gold=True), kind.ends(kind.numbering.pair_keys(rows, gold=True), relations))


def pools_of_references(both: Sides) -> tuple[Rows, Rows] | None:
    """Return which entities gold lists for its references, if it does: rows of references and numbers of entities, int64."""
    pools = both.gold.candidates
    if pools is None:
        return None
    references = pl.DataFrame({"query": _rows_of_references(_Kind.of(both, typed=True))}).with_row_index("reference")
    targets = both.numbering.gold_terms[pools.targets].astype(np.int64)
    listed = pl.DataFrame({"query": pools.query.astype(np.int64), "target": targets})
    joined = references.join(listed, on="query")
    return joined["reference"].to_numpy().astype(np.int64), joined["target"].to_numpy()


def _number_keys(keys: Rows) -> Rows:
    """Number equal keys by their order: the first, the second, ..."""
    return keys * MOST_ROWS + turns_of(keys)


def as_correspondences(pred: Alignment, pools: Candidates) -> Alignment:
    """Convert the candidates of a prediction to correspondences, one per candidate."""
    count = len(pools)
    return replace(
        pred,
        sources=pools.queries.sources[pools.query],
        targets=pools.targets,
        relations=np.full(count, EQUIVALENT, dtype=np.int8) if pools.relations is None else pools.relations,
        scores=np.nan_to_num(pools.scores),
        times=np.ones(count, dtype=np.int32),
        cases=pools.queries.cases[pools.query],
        input_rows=pools.input_rows,
    )


def _pools_of_gold(kind: _Kind, pools: Candidates) -> Lists:
    """Rank the predictions for the candidates that gold lists for each query."""
    numbering = kind.numbering
    cases, sources, _ = numbering.entities(pools.queries, gold=True)
    targets = numbering.gold_terms[pools.targets].astype(np.int64)
    offered = (cases[pools.query] * len(numbering.terms) + sources[pools.query]) * len(numbering.terms) + targets
    asked = pl.DataFrame({"key": offered, "query": pools.query.astype(np.int64)}, schema_overrides={"key": pl.Int64})
    predicted = pl.DataFrame({"key": numbering.pair_keys(kind.pred, gold=False)}, schema={"key": pl.Int64})
    matched = asked.join(predicted.with_row_index("row"), on="key", maintain_order="left_right")
    query, row = matched["query"].to_numpy(), matched["row"].to_numpy().astype(np.int64)
    first = _rows_of_references(kind)
    references = np.where(first != NO_MATCH, first, -1 - np.arange(len(kind.gold)))
    _, _, wanted = numbering.entities(kind.gold, gold=True)
    _, _, found = numbering.entities(kind.pred, gold=False)
    known = query * kind.size + kind.ends(found[row], kind.here[row])
    goal = np.maximum(references, 0) * kind.size + kind.ends(wanted, kind.there)
    return Lists(
        lists=query,
        scores=kind.pred.scores[row],
        references=references,
        at=np.where(first != NO_MATCH, equal_counterparts(goal, known), NO_MATCH),
        items=kind.pred,
        rows=row,
    )


def _sort_lists(lists: Lists) -> Lists:
    """Put the candidates into the order of relations, and then of names; scores that differ only by rounding are tied."""
    items = lists.candidates
    names = items.terms.take(items.targets).series
    columns = {"relation": items.relations, "name": names}
    order = pl.DataFrame(columns).with_row_index("row").sort("relation", "name", maintain_order=True)["row"].to_numpy()
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order], place[NO_MATCH] = np.arange(len(order)), NO_MATCH
    return replace(
        lists,
        lists=lists.lists[order],
        scores=np.round(lists.scores[order], DIGITS),
        at=place[lists.at],
        rows=order.astype(np.int64) if lists.rows is None else lists.rows[order],
    )


def _places(lists: Rows, scores: NDArray[np.float64], at: Rows) -> tuple[Rows, Rows, Rows]:
    """Count the candidates above some candidates of their lists, and those tied with them."""
    asked, number, count = np.unique(lists[at], return_inverse=True, return_counts=True)
    counts = np.zeros((3, len(at)), dtype=np.int64)
    single = count[number] == 1
    place = equal_counterparts(lists, asked)
    # If only one candidate of a list is needed, all others are compared with it, without sorting.
    target = np.full(len(asked), NO_MATCH, dtype=np.int64)
    target[number[single]] = at[single]
    rows = np.flatnonzero((place != NO_MATCH) & (np.append(target, NO_MATCH)[place] != NO_MATCH))
    mine = place[rows]
    score, goal = scores[rows], scores[target[mine]]
    ties = score == goal
    for column, chosen in enumerate((score > goal, ties, ties & (rows < target[mine]))):
        counts[column, single] = np.bincount(mine[chosen], minlength=len(asked))[number[single]]
    several = np.flatnonzero((place != NO_MATCH) & (np.append(target, 0)[place] == NO_MATCH))
    if len(several):
        sorted_counts = _count_above(lists[several], scores[several], np.arange(len(several)))
        counts[:, ~single] = sorted_counts[:, np.searchsorted(several, at[~single])]
    return counts[0], counts[1], counts[2]


def _count_above(lists: Rows, scores: NDArray[np.float64], order: Rows) -> Rows:
    """Count for every candidate those above it, tied with it, and tied and before it; int64, shape (3, n)."""
    sequence = (
        pl.DataFrame({"list": lists, "score": scores, "order": order})
        .select(pl.arg_sort_by("list", "score", "order", descending=[False, True, False]).alias("row"))["row"]
        .to_numpy()
    )
    count = len(sequence)
    step = np.arange(count, dtype=np.int64)
    sorted_lists, sorted_scores = lists[sequence], scores[sequence]
    starts, changes = run_heads(sorted_lists), run_heads(sorted_lists, sorted_scores)
    first = np.maximum.accumulate(np.where(starts, step, 0))
    tie = np.maximum.accumulate(np.where(changes, step, 0))
    tied = np.diff(np.append(np.flatnonzero(changes), count))[np.cumsum(changes) - 1] if count else step
    counts = np.empty((3, count), dtype=np.int64)
    counts[:, sequence] = tie - first, tied, step - tie
    return counts
