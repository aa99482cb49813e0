"""Ancestors and descendants in pairs of hierarchies over the same concepts, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.components import cycles
from goldassay.kernels.ragged import distinct, ranges, run_heads
from goldassay.kernels.types import Rows

Bits = NDArray[np.uint64]
WORD = 64
BITS = np.uint64(1) << np.arange(WORD, dtype=np.uint64)
MATRICES = 8
"""Bit matrices that a block needs at once."""
LISTED = 64
"""Bytes that a listed pair needs at most while it is sorted and compared."""
SEEN_BYTES = 2**27
"""What may be marked at once while the ways up from many nodes are followed."""


@dataclass(frozen=True, eq=False)
class Order:
    """A hierarchy whose cycles are condensed, in layers."""

    group: Rows  # the condensed node of each node, int64, shape (nodes,)
    edges: Rows  # edges (below, above) between condensed nodes, each once, int64, shape (edges, 2)
    size: int  # how many condensed nodes there are

    @classmethod
    def of(cls, edges: Rows, nodes: int) -> Order:
        """Condense cycles, and sort the rest into layers by the longest path up."""
        group = cycles(edges, nodes)
        size, between = int(group.max(initial=-1)) + 1, group[edges]
        # One number for each edge: numpy sorts rows three times as slowly.
        numbers = np.unique((between[:, 0] * size + between[:, 1])[between[:, 0] != between[:, 1]])
        between = np.column_stack(np.divmod(numbers, max(size, 1)))
        return cls(group, between, size)

    @property
    def is_forest(self) -> bool:
        """Whether no node has two parents."""
        return bool((np.bincount(self.edges[:, 0], minlength=1) < 2).all())  # noqa: PLR2004

    @cached_property
    def layers(self) -> list[Rows]:
        """The edges, sorted so that all nodes above the upper end of an edge were settled by earlier layers; in a layer by the lower end."""
        return _layers(self.edges, self.size)

    @cached_property
    def depths(self) -> Rows:
        """Edges of the longest way up from each condensed node, int64, shape (size,)."""
        depth = np.zeros(self.size, dtype=np.int64)
        for level, layer in enumerate(self.layers, start=1):
            depth[layer[:, 0]] = level
        return depth

    def swap_sides(self) -> Order:
        """Return the reversed hierarchy."""
        return Order(self.group, self.edges[:, ::-1], self.size)

    def above(self, seeds: Rows, words: int) -> Bits:
        """Mark which of some nodes each node is strictly below.

        The place of each seed is its bit; bits are uint64, shape (nodes, words).
        """
        return self.above_any(seeds, np.arange(len(seeds)), words)

    def above_any(self, nodes: Rows, bits: Rows, words: int) -> Bits:
        """Mark for each node which bits the nodes strictly above it have; several nodes may have the same bit.

        ``bits`` is the bit of each node; bits are uint64, shape (nodes, words).
        """
        found = np.zeros((self.size, words), dtype=np.uint64)
        np.bitwise_or.at(found, (self.group[nodes], bits // WORD), BITS[bits % WORD])
        strictly = np.zeros_like(found)
        for layer in self.layers:
            start = np.flatnonzero(run_heads(layer[:, 0]))
            lower = layer[start, 0]
            strictly[lower] = np.bitwise_or.reduceat(found[layer[:, 1]], start, axis=0)
            found[lower] |= strictly[lower]
        return np.asarray(strictly[self.group])


def lists_above(
    starts: Rows,
    parents: NDArray[np.int32],
    nodes: NDArray[np.integer],
    *,
    counted: Callable[[int], None] = lambda total: None,  # noqa: ARG005 - any number is allowed
) -> tuple[Rows, NDArray[np.int32], NDArray[np.int32]]:
    """List what lies at or above some nodes of a hierarchy, in which cycles are walked once.

    Step by step: the nodes themselves, then the parents of what the last step found and no step before. So every node is
    found at the length of the shortest way, and each pair is looked at once.

    Args:
        starts: Where the parents of each node begin, int64, shape (size + 1,).
        parents: The parents of each node, int32, shape (edges,).
        nodes: The nodes that are asked for, integers, shape (k,).
        counted: Called with the number of pairs found so far; may refuse to go on.

    Returns:
        Where the list of each node begins, int64, shape (size + 1,), that of one that was not asked for being empty; the
        nodes at or above it, ascending within a list, int32; and how many edges the shortest way up to each has, int32.
    """
    size = np.int64(len(starts) - 1)
    wanted = distinct(nodes)
    found: list[Rows] = [np.zeros(0, dtype=np.int64)]
    steps: list[NDArray[np.int32]] = [np.zeros(0, dtype=np.int32)]
    total, chunk = 0, max(1, SEEN_BYTES // max(len(starts) - 1, 1))
    seen = np.zeros(min(chunk, len(wanted)) * size, dtype=np.bool_)
    for start in range(0, len(wanted), chunk):
        for step, front in enumerate(_go_up(starts, parents, wanted[start : start + chunk], seen)):
            total += len(front)
            counted(total)
            found.append(front)
            steps.append(np.full(len(front), step, dtype=np.int32))
    keys = np.concatenate(found)
    order = np.argsort(keys, kind="stable")
    begins = np.searchsorted(keys[order], np.arange(size + 1) * size)
    return begins.astype(np.int64), (keys[order] % size).astype(np.int32), np.concatenate(steps)[order]


def _go_up(starts: Rows, parents: NDArray[np.int32], nodes: Rows, seen: NDArray[np.bool_]) -> Iterator[Rows]:
    """Go up from some nodes, all of them at once.

    ``seen`` has room for a mark for each pair, all False, as it is again in the end. Each step yields its pairs, ``node * size + upper``,
    ascending.
    """
    size = np.int64(len(starts) - 1)
    front = np.arange(len(nodes)) * size + nodes
    marked = []
    while len(front):
        seen[front] = True
        marked.append(front)
        row, node = np.divmod(front, size)
        yield nodes[row] * size + node
        counts = starts[node + 1] - starts[node]
        above = np.repeat(row * size, counts) + parents[ranges(starts[node], counts)]
        front = distinct(above[~seen[above]])
    for front in marked:
        seen[front] = False


def _layers(edges: Rows, size: int) -> list[Rows]:
    """Sort the edges of an acyclic graph by the longest path up from their lower end."""
    waiting = np.bincount(edges[:, 0], minlength=size)
    by_upper = edges[np.argsort(edges[:, 1], kind="stable")]
    cuts = np.searchsorted(by_upper[:, 1], np.arange(size + 1))
    depth = np.zeros(size, dtype=np.int64)
    settled = np.flatnonzero(waiting == 0)
    level = 0
    while len(settled):
        depth[settled] = level
        starts, counts = cuts[settled], cuts[settled + 1] - cuts[settled]
        at = ranges(starts, counts)
        lower, times = np.unique(by_upper[at, 0], return_counts=True)
        waiting[lower] -= times
        settled, level = lower[waiting[lower] == 0], level + 1
    order = np.lexsort((edges[:, 1], edges[:, 0], depth[edges[:, 0]]))
    ordered = edges[order]
    if not len(ordered):
        return []
    return np.split(ordered, np.flatnonzero(np.diff(depth[ordered[:, 0]])) + 1)


def ancestor_keys(order: Order, most: int) -> Rows | None:
    """List the pairs of a node and an ancestor as sorted keys; None if there are more than ``most``, or about so many.

    Layer by layer from the top: a node has its parents, and what these have. Each layer is sorted separately. The members of a cycle are
    neither above nor below each other.

    Args:
        order: The hierarchy.
        most: How many pairs may be listed.

    Returns:
        ``node * nodes + ancestor``, ascending, int64.
    """
    size = np.int64(order.size)
    begin, count = np.zeros(order.size, dtype=np.int64), np.zeros(order.size, dtype=np.int64)
    pool, used = np.zeros(1024, dtype=np.int64), 0
    keys = []
    for layer in order.layers:
        lower, upper = layer[:, 0], layer[:, 1]
        sizes = count[upper]
        if used + len(layer) + int(sizes.sum()) > most:
            return None
        above = np.concatenate([upper, pool[ranges(begin[upper], sizes)]])
        found = distinct(np.concatenate([lower, np.repeat(lower, sizes)]) * size + above)
        if used + len(found) > len(pool):
            pool = np.concatenate([pool[:used], np.zeros(max(used, len(found)), dtype=np.int64)])
        pool[used : used + len(found)] = found % size
        owner = found // size
        first = np.flatnonzero(run_heads(owner))
        begin[owner[first]] = used + first
        count[owner[first]] = np.diff(np.append(first, len(found)))
        used += len(found)
        keys.append(found)
    pairs = np.concatenate([np.zeros(0, dtype=np.int64), *keys])
    lower, upper = np.divmod(pairs, size)
    # A condensed node stands for all members of its cycle.
    members, counts = np.argsort(order.group, kind="stable"), np.bincount(order.group, minlength=order.size)
    begins = np.cumsum(counts) - counts
    if len(members) > order.size and int((counts[lower] * counts[upper]).sum()) > most:
        return None
    low, upper = members[ranges(begins[lower], counts[lower])], np.repeat(upper, counts[lower])
    low, high = np.repeat(low, counts[upper]), members[ranges(begins[upper], counts[upper])]
    return np.sort(low * len(members) + high)


def words_at_once(memory: int, nodes: int) -> int:
    """Return how many words of bits each node may have in a block: as many as leave room for all matrices, 1 to 512."""
    return min(512, max(1, memory // (MATRICES * 8 * max(1, nodes))))
