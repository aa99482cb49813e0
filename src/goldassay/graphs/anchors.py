"""Where the texts of one side are anchored on the other: at the nearest ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, FloatMatrix
from goldassay.core.intern import StringArray
from goldassay.graphs.model import Graph
from goldassay.graphs.texts import number_texts
from goldassay.kernels.cosine import compute_squared_lengths, error_band, pair_cosines
from goldassay.kernels.edges.layout import PAIRS_WORTH_ROUNDING, same_rows
from goldassay.kernels.edges.nearest import TILE, nearest_rows
from goldassay.kernels.ragged import distinct, find_keys, pair_equal, ranges, starts_of
from goldassay.kernels.rough import Rough
from goldassay.kernels.search import Vectors

MANY = 128
"""Texts that a text is compared with, one by one, before all are searched: a search costs as much as some hundreds."""
Ends: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The texts at the ends of the edges of the prediction and of gold, shape (edges, 2) each."""


@dataclass(frozen=True, eq=False)
class Texts:
    """The texts of both sides in alphabetical order, and those that one side has."""

    every: StringArray  # the texts, shape (texts,)
    vectors: FloatMatrix  # unit rows, float32
    rows: NDArray[np.int64]  # the row of ``vectors`` of each text, int64, shape (texts,)
    squared: NDArray[np.float64]  # the squared length of the vector of each text, float64, shape (texts,)
    kind: NDArray[np.int64]  # the first text with an equal vector, int64, shape (texts,)
    # places of the texts of the prediction and of gold, ascending, int64
    sides: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of(
        cls, pred: Graph, gold: Graph, context: Context
    ) -> tuple[Texts, tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Number the texts of both sides; also return the edges of each side between these numbers."""
        every, (here, there) = number_texts(pred.texts, gold.texts)
        vectors, rows = context.vectors(every)
        used = distinct(rows)
        squared = compute_squared_lengths(vectors, used)
        same = same_rows(vectors, used, squared)[rows]
        first = np.zeros(len(vectors), dtype=np.int64)
        first[same[::-1]] = np.arange(len(every))[::-1]
        sides = distinct(here), distinct(there)
        return cls(every, vectors, rows, squared[np.searchsorted(used, rows)], first[same], sides), (
            here[pred.edges],
            there[gold.edges],
        )

    @cached_property
    def band(self) -> float:
        """How far the float32 product of two vectors may be from their cosine."""
        return error_band(self.vectors.shape[1], self.squared)

    def sight(self) -> Vectors:
        """Prepare the vectors for comparing the texts of one side with those of the other."""
        only = len(self.every) - np.count_nonzero(self.shared)
        many = only * min(map(len, self.sides)) >= PAIRS_WORTH_ROUNDING
        rough = Rough.of(self.vectors, self.rows[distinct(self.kind)], self.band) if many else None
        return Vectors(self.vectors, rough, TILE)

    @cached_property
    def shared(self) -> NDArray[np.bool_]:
        """Which texts both sides have, shape (texts,)."""
        sides = [np.bincount(side, minlength=len(self.every)) for side in self.sides]
        return np.asarray(sides[0] + sides[1] > 1)


@dataclass(frozen=True, eq=False)
class Anchors:
    """Where the texts of one side are anchored on the other."""

    # Texts with equal vectors are one *kind*. A text is anchored at one text, or at kinds: at all their members.
    similarity: NDArray[np.float64]  # cosine of each text and its anchors, nan without one, float64, shape (texts,)
    starts: NDArray[np.int64]  # the anchors of text `i` are `codes[starts[i]:starts[i + 1]]`, int64, shape (texts + 1,)
    codes: NDArray[np.int64]  # numbers of texts, and numbers of kinds plus the number of texts, int64
    # the texts of the other side that are anchors as members of their kind, ascending, int64
    members: NDArray[np.int64]

    def expand(self, edges: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List the pairs of anchors of some edges, int64, shape (edges, 2): the edge, and the codes of both anchors, shape (pairs, 2)."""
        sizes = np.diff(self.starts)[edges]
        pairs = sizes.prod(axis=1)
        edge = np.repeat(np.arange(len(edges)), pairs)
        first, second = np.divmod(ranges(np.zeros(len(edges), dtype=np.int64), pairs), np.maximum(sizes[edge, 1], 1))
        codes = self.codes[self.starts[edges[edge]] + np.column_stack([first, second])]
        codes[:, 1] += size * (codes[:, 1] >= size)
        return edge, codes

    def answer_texts(
        self, edges: NDArray[np.int64], kind: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List the pairs of codes that edges of the other side answer, each end as a text and as a kind: the edge, and both codes."""
        size, is_member = len(kind), find_keys(edges, self.members)
        every, found = np.arange(len(edges)), []
        for of_source, of_target in product((False, True), repeat=2):
            rows = every[(is_member[:, 0] | (not of_source)) & (is_member[:, 1] | (not of_target))]
            source, target = edges[rows].T
            source = kind[source] + size if of_source else source
            target = kind[target] + 2 * size if of_target else target
            found.append((rows, np.column_stack([source, target])))
        rows, codes = (np.concatenate(column) for column in zip(*found, strict=True))
        return rows, codes

    def first(self, texts: Texts, places: NDArray[np.int64]) -> list[str | None]:
        """Name the alphabetically first anchor of some texts."""
        size = len(texts.every)
        matched = self.starts[places + 1] > self.starts[places]
        code = self.codes[np.minimum(self.starts[places], max(len(self.codes) - 1, 0))] if len(self.codes) else places
        of_kind = np.zeros(size, dtype=np.int64)
        of_kind[texts.kind[self.members][::-1]] = self.members[::-1]
        named = texts.every[np.where(code < size, code, of_kind[code % size])].tolist()
        return [name if is_matched else None for name, is_matched in zip(named, matched.tolist(), strict=True)]


Pairs: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Kinds of texts of one side, the nearest kinds of the other side, and their cosine."""


def anchor(
    texts: Texts, ends: Ends, context: Context, *, threshold: float, mutual: bool, every: bool
) -> tuple[Anchors, Anchors]:
    """Anchor the texts of both sides, any number of them at one."""
    pairs = _nearest_kinds(texts, ends, threshold, context, every=every or mutual)
    members = list(texts.sides[::-1])
    if mutual:
        pairs = _mutual(pairs[0], pairs[1], len(texts.every))
        members = [some[~texts.shared[some]] for some in members]
    equal = np.flatnonzero(texts.shared & (threshold < 1))
    first, second = (
        _anchor_kinds(texts, own, some, equal, others)
        for own, some, others in zip(texts.sides, pairs, members, strict=True)
    )
    return first, second


def _nearest_kinds(texts: Texts, ends: Ends, threshold: float, context: Context, *, every: bool) -> list[Pairs]:
    """Find the nearest kinds of the other side for the kinds of those texts that the other side does not have."""
    sight = texts.sight()
    found = []
    for here in (0, 1):
        own = texts.sides[here]
        asking, answering = distinct(texts.kind[own[~texts.shared[own]]]), distinct(texts.kind[texts.sides[1 - here]])
        search = _Search(texts, sight, answering, threshold, context)
        edges, known = texts.kind[ends[here]], texts.kind[ends[1 - here]]
        found.append(search.nearest(asking) if every else _find_needed(search, asking, edges, known))
    return found


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for the nearest of the kinds of one side."""

    texts: Texts
    sight: Vectors
    answering: NDArray[np.int64]
    threshold: float
    context: Context

    def nearest(self, asking: NDArray[np.int64], reached: NDArray[np.float64] | None = None) -> Pairs:
        """Find the nearest kinds for some kinds of the other side."""
        found = nearest_rows(
            self.sight,
            self.texts.rows[asking],
            self.texts.rows[self.answering],
            threshold=self.threshold,
            band=self.texts.band,
            reached=reached,
            memory=self.context.memory,
            progress=self.context.progress,
        )
        place = np.repeat(np.arange(len(asking)), np.diff(found.starts))
        return asking[place], self.answering[found.places], found.similarity[place]


def _find_needed(
    search: _Search, asking: NDArray[np.int64], edges: NDArray[np.int64], known: NDArray[np.int64]
) -> Pairs:
    """Find the nearest kinds of those kinds only whose nearest kind can make an edge right."""
    # Once the anchors of one end of an edge are known, the other end must be anchored at what the edges there lead to:
    # a kind that is nearer to something else makes no edge right. `edges` and `known` are the kinds at the ends of the
    # edges of both sides.
    apart = ~find_keys(edges, search.answering)
    # Of edges with two unknown ends one is looked up first: the one with fewer kinds.
    first = min(map(distinct, edges[apart.all(axis=1)].T), key=len)
    found = search.nearest(first)
    # What the other side has is anchored at itself.
    anchored = np.array([np.concatenate([search.answering, some]) for some in found[:2]])
    anchored = anchored[:, np.argsort(anchored[0], kind="stable")]
    reached = np.full(len(search.texts.every), -np.inf)
    reached[asking[find_keys(asking, search.answering)]] = np.inf
    for end in (0, 1):
        open_ = np.flatnonzero(apart[:, end] & ~find_keys(edges[:, end], first))
        _raise(reached, search.texts, edges[open_][:, [1 - end, end]], anchored, known[:, [1 - end, end]])
    rest = np.setdiff1d(asking[reached[asking] > search.threshold], first)
    more = search.nearest(rest, reached[rest])
    order = np.argsort(np.concatenate([found[0], more[0]]), kind="stable")
    kinds, nearest, cosine = (np.concatenate(both)[order] for both in zip(found, more, strict=True))
    return kinds, nearest, cosine


def _raise(
    reached: NDArray[np.float64],
    texts: Texts,
    edges: NDArray[np.int64],
    anchored: NDArray[np.int64],
    known: NDArray[np.int64],
) -> None:
    """Write the largest cosine of each kind with what the anchors of its neighbours lead to; infinity where these are many."""
    # `edges` and `known` have the end whose anchors are known, and the other end. `anchored` has kinds, ascending, and
    # an anchor of each.
    known = known[np.argsort(known[:, 0], kind="stable")]
    low, high = (np.searchsorted(anchored[0], edges[:, 0], side=side) for side in ("left", "right"))
    asking, anchors = np.repeat(edges[:, 1], high - low), anchored[1][ranges(low, high - low)]
    low, high = (np.searchsorted(known[:, 0], anchors, side=side) for side in ("left", "right"))
    many = np.bincount(asking, high - low, len(reached)) > MANY
    reached[many] = np.inf
    few = ~many[asking]
    kinds, others = np.repeat(asking[few], (high - low)[few]), known[ranges(low[few], (high - low)[few]), 1]
    np.maximum.at(reached, kinds, pair_cosines(texts.vectors, texts.rows[kinds], texts.rows[others]))


def _mutual(here: Pairs, there: Pairs, size: int) -> list[Pairs]:
    """Keep the pairs of kinds that are each other's nearest."""
    keys = here[0] * size + here[1], there[1] * size + there[0]
    both = np.intersect1d(*keys)
    return [
        (some[kept], nearest[kept], cosine[kept])
        for (some, nearest, cosine), key in zip((here, there), keys, strict=True)
        for kept in [find_keys(key, both)]
    ]


def _anchor_kinds(
    texts: Texts, own: NDArray[np.int64], pairs: Pairs, equal: NDArray[np.int64], members: NDArray[np.int64]
) -> Anchors:
    """Anchor texts that the other side has at themselves, and the others at the nearest kinds."""
    kinds, nearest, cosine = pairs
    asking = own[~texts.shared[own]]
    some, place = pair_equal(texts.kind[asking], kinds)
    some = asking[some]
    similarity = np.full(len(texts.every), np.nan)
    similarity[some], similarity[equal] = cosine[place], 1.0
    order = np.argsort(np.concatenate([equal, some]), kind="stable")
    codes = np.concatenate([equal, len(texts.every) + nearest[place]])[order]
    sizes = np.bincount(np.concatenate([equal, some]), minlength=len(texts.every))
    return Anchors(similarity, starts_of(sizes), codes, members)
