"""Pairs of a node and an ancestor, and which of them another hierarchy has: in bits, block by block, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.forests import Spans, count_related, deep_spans
from goldassay.kernels.ragged import distinct, mark, places_of, ranges
from goldassay.kernels.reach import BITS, LISTED, WORD, Bits, Order, ancestor_keys, words_at_once
from goldassay.kernels.search import MEMORY, tiles
from goldassay.kernels.types import Progress, Rows

GATHERED = 2**22
"""Words that are gathered at once."""


class Tally(NamedTuple):
    """How many pairs each node is the lower end of."""

    pairs: Rows  # all of them, int64, shape (nodes,)
    matched: Rows  # those that the other hierarchy has, int64, shape (nodes,)


@dataclass(frozen=True, eq=False)
class Kinship:
    """How many concepts are above or below each concept: in either hierarchy, and in both."""

    left: Rows  # in the left hierarchy, int64, shape (concepts,)
    right: Rows  # in the right hierarchy, int64, shape (concepts,)
    both: Rows  # in both, in either direction, int64, shape (concepts,)


@dataclass(frozen=True, eq=False)
class Links:
    """Which nodes of one hierarchy stand for which of the other."""

    starts: Rows  # those that stand for the node `i` are `nodes[starts[i]:starts[i + 1]]`, int64, shape (m + 1,)
    nodes: NDArray[np.integer]  # nodes of the other hierarchy, integers, shape (links,)

    @classmethod
    def of(cls, left: Rows, right: NDArray[np.integer], size: int) -> Links:
        """Sort pairs of nodes by their left one, of which there are ``size``."""
        order = np.argsort(left, kind="stable")
        return cls(np.searchsorted(left[order], np.arange(size + 1)).astype(np.int64), right[order])

    @property
    def owners(self) -> Rows:
        """The left node of each link, int64, shape (links,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def swap_sides(self, size: int) -> Links:
        """Return the links seen from the other hierarchy, which has ``size`` nodes."""
        return Links.of(self.nodes.astype(np.int64), self.owners, size)

    def gather(self, bits: Bits) -> Bits:
        """Join for each left node the bits of the nodes that stand for it."""
        found = np.zeros((len(self.starts) - 1, bits.shape[1]), dtype=np.uint64)
        some = np.flatnonzero(np.diff(self.starts))
        # So many nodes at once as have not too many links; one at the least.
        steps = np.searchsorted(self.starts[some + 1], np.arange(0, len(self.nodes), max(1, GATHERED // bits.shape[1])))
        for block in np.split(some, np.unique(steps)):
            if len(block):
                first, last = self.starts[block[0]], self.starts[block[-1] + 1]
                rows = bits[self.nodes[first:last]]
                found[block] = np.bitwise_or.reduceat(rows, self.starts[block] - first, axis=0)
        return found


def tallies(
    left: Order,
    right: Order,
    *,
    asked: tuple[Rows, Rows] | None = None,
    among: NDArray[np.bool_] | None = None,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> tuple[Tally, Tally]:
    """Count the pairs of a node and an ancestor of two hierarchies over the same nodes, and those that both have.

    Where the pairs of both fit into the memory, they are listed and compared as sorted keys, in time
    proportional to the pairs; where there are many, they are counted if no node has two parents (`goldassay.kernels.forests`), and else
    in bits, see `tally`.

    Args:
        left: One hierarchy.
        right: The other.
        asked: The pairs of each that are counted, int64, shape (pairs, 2); None for all.
        among: Which nodes are counted, as either end, bool, shape (nodes,); None for all.
        memory: Bytes that may be used.
        progress: Called as ``progress(stage, done, total)``.
    """
    size = len(left.group)
    spans = deep_spans((left, right), memory // (2 * LISTED))
    if spans is not None:
        return _count_pairs(spans, asked, among)
    keys = []
    for order in (left, right):
        found = ancestor_keys(order, memory // (2 * LISTED))
        if found is None:
            first, second = (
                tally(*pair, asked=some, among=among, memory=memory, progress=progress)
                for pair, some in zip(((left, right), (right, left)), asked or (None, None), strict=True)
            )
            return first, second
        keys.append(found)
    wanted = keys
    if asked is not None:
        wanted = [distinct(pairs[:, 0] * size + pairs[:, 1]) for pairs in asked]
        # An edge inside a cycle is no pair.
        wanted = [some[_find_keys(some, known)] for some, known in zip(wanted, keys, strict=True)]
    if among is not None:
        wanted = [some[among[some // size] & among[some % size]] for some in wanted]
    first, second = (
        Tally(
            np.bincount(mine // size, minlength=size),
            np.bincount(mine[_find_keys(mine, other)] // size, minlength=size),
        )
        for mine, other in ((wanted[0], keys[1]), (wanted[1], keys[0]))
    )
    return first, second


def _count_pairs(
    spans: Sequence[Spans], asked: tuple[Rows, Rows] | None, among: NDArray[np.bool_] | None
) -> tuple[Tally, Tally]:
    """Count the pairs of two hierarchies in which no node has two parents."""
    size = len(spans[0].begin)
    counted = np.ones(size, dtype=np.bool_) if among is None else among
    ways = list(zip(spans, reversed(spans), asked or (None, None), strict=True))
    found = [np.zeros((2, size), dtype=np.int64) for _ in ways]
    for tally, (mine, other, pairs) in zip(found, ways, strict=True):
        if pairs is None:
            nodes = np.flatnonzero(counted)
            tally[:, nodes] = count_related([mine], nodes, [False]), count_related([mine, other], nodes, [False, False])
        else:
            # An edge inside a cycle is no pair.
            kept = pairs[counted[pairs].all(axis=1) & mine.above(pairs)]
            tally[:] = [np.bincount(some[:, 0], minlength=size) for some in (kept, kept[other.above(kept)])]
    first, second = (Tally(*tally) for tally in found)
    return first, second


def _find_keys(keys: Rows, known: Rows) -> NDArray[np.bool_]:
    """Return which of some sorted keys are among other sorted ones: a merge, since both are in order."""
    both = np.concatenate([known, keys])
    order = np.argsort(both, kind="stable")
    twice = np.zeros(len(both), dtype=np.bool_)
    twice[1:] = both[order[1:]] == both[order[:-1]]
    found = np.zeros(len(both), dtype=np.bool_)
    found[order] = twice
    return found[len(known) :]


def tally(
    left: Order,
    right: Order,
    links: Links | None = None,
    *,
    asked: Rows | None = None,
    among: NDArray[np.bool_] | None = None,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Tally:
    """Count the pairs of a node and an ancestor of one hierarchy, and those that the other one has too.

    The pair (u, v) matches if some r that stands for u has an ancestor that stands for v. A block looks at some v at once, a
    bit each: they are spread from the nodes that stand for them down the right hierarchy, and joined over the r of each u.
    The members of a cycle are neither above nor below each other. The time is proportional to (edges + links) times the
    nodes that are an ancestor, over 64.

    Args:
        left: The hierarchy whose pairs are counted.
        right: The other one.
        links: Which nodes of the right one stand for each node of the left; None if both number the same nodes.
        asked: The pairs that are counted, int64, shape (pairs, 2); None for all. Of a pair inside a cycle none is counted.
        among: Which nodes of the left hierarchy are counted, as either end, bool, shape (nodes,); None for all.
        memory: Bytes that may be used.
        progress: Called as ``progress(stage, done, total)``.
    """
    size = len(left.group)
    counted = np.ones(size, dtype=np.bool_) if among is None else among
    if asked is not None:
        asked = asked[left.group[asked[:, 0]] != left.group[asked[:, 1]]]
    above = mark(left.edges[:, 1], left.size)
    seeds = np.flatnonzero(above[left.group] & counted)
    words = words_at_once(memory, max(size, len(right.group)))
    pairs, matched = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for part in tiles(len(seeds), words * WORD):
        some = seeds[part]
        width = -(-len(some) // WORD)
        mine = left.above(some, width) if asked is None else _mark_pairs(asked, some, size, width)
        if links is None:
            theirs = right.above(some, width)
        else:
            at, bits = _marks(links, some)
            theirs = links.gather(right.above_any(at, bits, width))
        mine[~counted] = 0
        pairs += np.bitwise_count(mine).sum(axis=1, dtype=np.int64)
        matched += np.bitwise_count(mine & theirs).sum(axis=1, dtype=np.int64)
        if progress is not None:
            progress("comparing ancestors", part.stop, len(seeds))
    return Tally(pairs, matched)


def _marks(links: Links, some: Rows) -> tuple[Rows, Rows]:
    """List the nodes that stand for some nodes, each with the place of the one that it stands for."""
    counts = links.starts[some + 1] - links.starts[some]
    place = ranges(links.starts[some], counts)
    return links.nodes[place].astype(np.int64), np.repeat(np.arange(len(some)), counts)


def _mark_pairs(pairs: Rows, seeds: Rows, size: int, words: int) -> Bits:
    """Mark the pairs whose upper end is one of some nodes."""
    found = np.zeros((size, words), dtype=np.uint64)
    place = np.searchsorted(seeds, pairs[:, 1])
    known = seeds[np.minimum(place, len(seeds) - 1)] == pairs[:, 1]
    place = place[known]
    np.bitwise_or.at(found, (pairs[known, 0], place // WORD), BITS[place % WORD])
    return found


def reduction(order: Order, edges: Rows, *, memory: int = MEMORY) -> Rows:
    """Keep the edges that no longer way makes needless; edges inside a cycle are left out."""
    group = order.group
    edges = edges[group[edges[:, 0]] != group[edges[:, 1]]]
    if order.is_forest:
        return edges
    seeds = np.unique(edges[:, 1])
    size = len(group)
    words = words_at_once(memory, size)
    needless = np.zeros(len(edges), dtype=np.bool_)
    for part in tiles(len(seeds), words * WORD):
        some = seeds[part]
        width = -(-len(some) // WORD)
        above = order.above(some, width)
        further = np.zeros((order.size, width), dtype=np.uint64)
        np.bitwise_or.at(further, group[edges[:, 0]], above[edges[:, 1]])
        place = np.searchsorted(some, edges[:, 1])
        here = np.flatnonzero(some[np.minimum(place, len(some) - 1)] == edges[:, 1])
        bit = place[here]
        needless[here] = (further[group[edges[here, 0]], bit // WORD] & BITS[bit % WORD]) > 0
    return edges[~needless]


def kinship(
    left: Rows, right: Rows, nodes: int, common: Rows, *, memory: int = MEMORY, progress: Progress | None = None
) -> Kinship:
    """Count, for each common concept, the common concepts that are above or below it: in each hierarchy, and in both.

    The members of a cycle are neither above nor below each other. Related pairs are listed where they fit into the memory, in time
    proportional to them; where they are many, they are counted if no node has two parents. Else the time is proportional to nodes times
    common concepts over 64.

    Args:
        left: Lower and upper end of each edge of one hierarchy, int64, shape (m, 2).
        right: The same for the other, over the same numbering of nodes.
        nodes: How many nodes there are.
        common: Nodes that are in both hierarchies, int64, shape (concepts,).
        memory: Bytes that may be used.
        progress: Called as ``progress(stage, done, total)``.

    Returns:
        The counts, one entry per common concept.
    """
    orders = [Order.of(edges, nodes) for edges in (left, right)]
    spans = deep_spans(orders, memory // LISTED)
    if spans is not None:
        left_kin, right_kin = (
            count_related([one], common, [False]) + count_related([one], common, [True]) for one in spans
        )
        ways = product((False, True), repeat=2)
        return Kinship(left_kin, right_kin, np.sum([count_related(spans, common, way) for way in ways], axis=0))
    listed = [_find_related(order, common, memory // LISTED) for order in orders]
    if listed[0] is not None and listed[1] is not None:
        both = np.intersect1d(listed[0], listed[1], assume_unique=True)
        ends = (np.concatenate(np.divmod(pairs, len(common))) for pairs in (listed[0], listed[1], both))
        return Kinship(*(np.bincount(some, minlength=len(common)) for some in ends))
    up_and_down = [(order, order.swap_sides()) for order in orders]
    counts = np.zeros((3, len(common)), dtype=np.int64)
    words = words_at_once(memory, nodes)
    for part in tiles(len(common), words * WORD):
        seeds = common[part]
        here, there = (up.above(seeds, words)[common] | down.above(seeds, words)[common] for up, down in up_and_down)
        for row, bits in enumerate((here, there, here & there)):
            counts[row] += np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
        if progress is not None:
            progress("comparing hierarchies", part.stop, len(common))
    return Kinship(*counts)


def _find_related(order: Order, common: Rows, most: int) -> Rows | None:
    """List pairs of common concepts of which one is above the other, as keys of their places, the lesser first; None if there are too many."""
    keys = ancestor_keys(order, most)
    if keys is None:
        return None
    place = places_of(common, len(order.group))
    ends = place[np.stack(np.divmod(keys, len(place)))]
    ends = ends[:, (ends >= 0).all(axis=0)]
    return np.sort(ends.min(axis=0) * len(common) + ends.max(axis=0))
