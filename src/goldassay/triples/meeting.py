"""Triples that meet within documents: equal ones by a join, similar ones by the best assignment of each document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Progress
from goldassay.core.counts import FloatArray
from goldassay.core.errors import InputError
from goldassay.core.matching import NONE_MET, Side
from goldassay.kernels.assigned import assigned
from goldassay.kernels.keys import met, packed
from goldassay.triples.model import Numbers

LARGEST = 2000
"""Triples of one document on one side that are compared each with each; the time grows with their cube."""

Likeness: TypeAlias = Callable[[Numbers, Numbers], tuple[FloatArray, FloatArray]]
"""Takes rows of pairs, of the prediction and of gold; gives credit and similarity of each pair."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Blocks:
    """The triples of both sides, pair of documents by pair of documents."""

    pred: Numbers  # begin and end of the triples of each pair, shape (pairs, 2)
    gold: Numbers

    @property
    def sizes(self) -> Numbers:
        """How many triples of the prediction and of gold each pair has, int64, shape (pairs, 2)."""
        return np.column_stack([np.diff(self.pred, axis=1), np.diff(self.gold, axis=1)])


def equal_sides(*, pred: Sequence[Numbers], gold: Sequence[Numbers]) -> tuple[Side, Side]:
    """Let equal triples of the same document meet.

    Example:
        >>> sides = equal_sides(pred=np.array([[0, 1, 2, 3], [1, 1, 2, 3]]).T, gold=np.array([[1, 1, 2, 3]]).T)
        >>> sides[0].counterpart.tolist(), sides[1].counterpart.tolist()
        ([-1, 0], [1])
    """
    keys = packed(*map(np.concatenate, zip(pred, gold, strict=True)))
    # Of several equal ones, as synonyms make them, the first meets.
    here, there = met(keys[: len(pred[0])], keys[len(pred[0]) :], once=True)
    return Side.of_equals(here), Side.of_equals(there)


def alike_sides(
    blocks: Blocks,
    likeness: Likeness,
    *,
    one_to_one: bool,
    at_once: int,
    progress: Progress,
    path: str | None,
) -> tuple[Side, Side]:
    """Let similar triples of the same document meet."""
    sides = tuple(_Open(int(ends.max(initial=0))) for ends in (blocks.pred, blocks.gold))
    sizes = blocks.sizes
    if sizes.max(initial=0) > LARGEST:
        raise InputError(
            "A document has too many triples to compare each with each.",
            path=path,
            found=f"{sizes.max():,} triples",
            expected=f"at most {LARGEST:,}",
            hint="names=strict has no bound; or split the document",
        )
    products = sizes[:, 0] * sizes[:, 1]
    for pairs in batches(products, at_once):
        left, right = _each_with_each(blocks, pairs, products)
        credit, similarity = likeness(left, right)
        start = 0
        for pair in pairs.tolist():
            shape = int(sizes[pair, 0]), int(sizes[pair, 1])
            end = start + shape[0] * shape[1]
            cut = credit[start:end].reshape(shape), similarity[start:end].reshape(shape)
            if cut[0].any():
                begin = int(blocks.pred[pair, 0]), int(blocks.gold[pair, 0])
                (_assigned if one_to_one else _best)(*cut, sides=sides, begin=begin)
            start = end
        progress("matching", int(pairs[-1]) + 1, len(products))
    return sides[0].side(), sides[1].side()


class _Open:
    """A side while it is filled."""

    def __init__(self, size: int) -> None:
        self.credit = np.zeros(size)
        self.counterpart = np.full(size, NONE_MET, dtype=np.int64)
        self.similarity = np.full(size, np.nan)

    def meet(self, rows: Numbers, others: Numbers, credit: FloatArray, similarity: FloatArray) -> None:
        self.credit[rows], self.counterpart[rows], self.similarity[rows] = credit, others, similarity

    def side(self) -> Side:
        return Side(credit=self.credit, counterpart=self.counterpart, similarity=self.similarity)


def batches(products: Numbers, at_once: int) -> Iterator[Numbers]:
    """Group pairs of documents so that each group has few pairs of triples; a large one stands alone."""
    pairs = np.flatnonzero(products)
    total = np.cumsum(products[pairs])
    start = 0
    while start < len(pairs):
        before = total[start - 1] if start else 0
        end = max(int(np.searchsorted(total, before + at_once, side="right")), start + 1)
        yield pairs[start:end]
        start = end


def _each_with_each(blocks: Blocks, pairs: Numbers, products: Numbers) -> tuple[Numbers, Numbers]:
    """Lay out all pairs of triples of some pairs of documents, row by row of their matrices."""
    counts = products[pairs]
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    width = np.repeat(blocks.gold[pairs, 1] - blocks.gold[pairs, 0], counts)
    left = np.repeat(blocks.pred[pairs, 0], counts) + within // width
    right = np.repeat(blocks.gold[pairs, 0], counts) + within % width
    return left, right


def _assigned(credit: FloatArray, similarity: FloatArray, *, sides: tuple[_Open, ...], begin: tuple[int, int]) -> None:
    rows, columns = _best_assignment(credit, similarity)
    met = credit[rows, columns] > 0
    rows, columns = rows[met], columns[met]
    found = credit[rows, columns], similarity[rows, columns]
    sides[0].meet(rows + begin[0], columns + begin[1], *found)
    sides[1].meet(columns + begin[1], rows + begin[0], *found)


def _best_assignment(credit: FloatArray, similarity: FloatArray) -> tuple[Numbers, Numbers]:
    """Find the assignment with most credit, and of these one with most similarity.

    Similarities lie in [-1, 1] and are weighed so that all of them together weigh less than the smallest step of credit
    that is told apart, a millionth.
    """
    weight = credit + np.where(credit > 0, similarity, 0.0) * (1e-7 / min(credit.shape))
    if min(weight.shape) == 1:
        best = int(np.argmax(weight))
        return np.array([best // weight.shape[1]]), np.array([best % weight.shape[1]])
    return assigned(weight)


def _best(credit: FloatArray, similarity: FloatArray, *, sides: tuple[_Open, ...], begin: tuple[int, int]) -> None:
    weight = credit + np.where(credit > 0, similarity, 0.0) * 1e-7
    for here, there, axis in ((0, 1, 1), (1, 0, 0)):
        best = np.argmax(weight, axis=axis)
        rows: NDArray[np.int64] = np.arange(weight.shape[1 - axis])
        places = (rows, best) if axis == 1 else (best, rows)
        met = credit[places] > 0
        sides[here].meet(
            rows[met] + begin[here],
            best[met] + begin[there],
            credit[places][met],
            similarity[places][met],
        )
