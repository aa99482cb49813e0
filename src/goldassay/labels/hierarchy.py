"""The hierarchy: labels, each with its parents, as a directed acyclic graph in columns; what lies above a label."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import InputError
from goldassay.core.intern import StringArray, number_columns, string_array
from goldassay.core.limits import ANCESTORS
from goldassay.kernels.ragged import distinct, mark, ranges
from goldassay.kernels.reach import lists_above

NodeRows: TypeAlias = NDArray[np.int32]
Numbers: TypeAlias = NDArray[np.int64]
SHOWN = 8
SMALL, CLOSED = 2**12, 2**17
"""A hierarchy with at most so many labels, and pairs of a label and one at or above it, is closed once, for all its labels."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Closure:
    """The ancestors of labels, each label included; there may be labels that were not asked for."""

    # where the nodes of each label begin, int64, shape (labels + 1,); a label whose ancestors are not listed has none
    starts: Numbers
    nodes: NodeRows  # the labels at or above it, ascending within a label, int32
    steps: NodeRows  # how many edges the shortest way up to each of them has, int32, same shape

    def sizes(self, labels: NDArray[np.integer]) -> Numbers:
        """Count the nodes at or above each of some labels, int64, shape (labels,)."""
        return np.asarray(self.starts[labels + 1] - self.starts[labels])

    def spread(self, labels: NDArray[np.integer]) -> tuple[Numbers, Numbers]:
        """List the nodes at or above each of some labels: the place in ``labels``, and that in ``nodes``, int64, shape (pairs,) both."""
        sizes = self.sizes(labels)
        check_pairs(int(sizes.sum()))
        return np.repeat(np.arange(len(labels)), sizes), ranges(self.starts[labels], sizes)


@dataclass(frozen=True, eq=False, kw_only=True)
class Hierarchy:
    """Labels with their parents.

    Attributes:
        names: The labels, unique, shape (labels,).
        starts: Where the parents of each label begin, int64, shape (labels + 1,).
        parents: Rows of ``names``: the parents of each label, int32, shape (edges,).
        aliases: Other names of labels, such as alternative identifiers: the row of each.
        levels: Edges of the longest way down from a root, plus 1, int32, shape (labels,).
        is_flat: Whether there is no hierarchy, and these are only the labels that occur.
        of_paths: Whether the labels are paths, so that what lies above one is part of its name.
        titles: What labels that are ids are called.

    Example:
        >>> pets = Hierarchy.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal")])
        >>> pets.names.tolist(), pets.levels.tolist(), [pets.names[row] for row in pets.roots]
        (['cat', 'pet', 'dog', 'animal'], [3, 2, 3, 1], ['animal'])
    """

    names: StringArray
    starts: Numbers
    parents: NodeRows
    levels: NodeRows
    aliases: Mapping[str, int] = field(default_factory=dict)
    is_flat: bool = False
    of_paths: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_labels(cls, names: Iterable[str]) -> Hierarchy:
        """Take labels as they are, without a hierarchy.

        Example:
            >>> flat = Hierarchy.of_labels(["cat", "dog", "cat"])
            >>> flat.names.tolist(), len(flat.parents), flat.digest
            (['cat', 'dog'], 0, 'none')
        """
        # Without any label there is still a place that no label has.
        unique = list(dict.fromkeys(names)) or [""]
        return replace(cls.from_rows(unique, np.zeros((0, 2), dtype=np.int64)), is_flat=True)

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str]],
        *,
        nodes: Iterable[str] = (),
        aliases: Mapping[str, str] = MappingProxyType({}),
    ) -> Hierarchy:
        """Build a hierarchy from (child, parent); an edge twice counts once.

        Args:
            edges: The edges.
            nodes: Labels that may have no edge.
            aliases: Other names of labels.

        Raises:
            InputError: If the edges have a cycle, or there is no label.
        """
        ends = list(chain.from_iterable(edges))
        names, (_, places) = number_columns(list(nodes), ends)
        rows = {name: row for row, name in enumerate(names)}
        other = {name: rows[known] for name, known in aliases.items() if known in rows and name not in rows}
        return cls.from_rows(names, places.astype(np.int64).reshape(-1, 2), aliases=other)

    @classmethod
    def from_rows(
        cls,
        names: Sequence[str],
        edges: Numbers,
        *,
        aliases: Mapping[str, int] = MappingProxyType({}),
    ) -> Hierarchy:
        """Build a hierarchy from edges between rows of names.

        Args:
            names: The labels, unique.
            edges: (child, parent), rows of ``names``, int64, shape (edges, 2).
            aliases: Other names of labels: the row of each.

        Raises:
            InputError: If the edges have a cycle, or there is no label.
        """
        if not len(names):
            raise InputError("The hierarchy is empty.", found="no label", expected="edges (child, parent)")
        keys = distinct(edges[:, 0] * len(names) + edges[:, 1])
        child, parent = keys // len(names), keys % len(names)
        starts = np.searchsorted(child, np.arange(len(names) + 1)).astype(np.int64)
        levels = _levels(child, parent, len(names))
        if (levels == 0).any():
            raise _cycle(names, starts, parent, levels)
        return cls(
            names=string_array(names),
            starts=starts,
            parents=parent.astype(np.int32),
            levels=levels,
            aliases=dict(aliases),
        )

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def is_root(self) -> NDArray[np.bool_]:
        """Whether each label has no parent, shape (labels,)."""
        return np.asarray(np.diff(self.starts) == 0)

    @property
    def roots(self) -> Numbers:
        """The labels without a parent, int64."""
        return np.flatnonzero(self.is_root)

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each label by its name or another name of it."""
        return {**self.aliases, **{name: row for row, name in enumerate(self.names.tolist())}}

    @cached_property
    def shallowest(self) -> NodeRows:
        """Edges of the shortest way up to a root, plus 1, int32, shape (labels,)."""
        depth = np.zeros(len(self), dtype=np.int32)
        for level in self._by_level():
            sizes = np.diff(self.starts)[level]
            above = depth[self.parents[ranges(self.starts[level], sizes)]]
            nearest = np.zeros(len(level), dtype=np.int32)
            if len(above):
                some = sizes > 0
                nearest[some] = np.minimum.reduceat(above, np.cumsum(sizes[some]) - sizes[some])
            depth[level] = nearest + 1
        return depth

    @cached_property
    def digest(self) -> str:
        """Eight digits of a hash of the labels and edges, in any order; ``none`` without a hierarchy."""
        if self.is_flat:
            return "none"
        child = np.repeat(np.arange(len(self)), np.diff(self.starts))
        names = self.names.tolist()
        edges = sorted(f"{names[a]}\t{names[b]}" for a, b in zip(child.tolist(), self.parents.tolist(), strict=True))
        text = "\n".join([*sorted(names), "", *edges])
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @cached_property
    def numbers(self) -> Numbers:
        """A number for each label that only its name decides: the name itself if all are whole numbers, else its rank."""
        names = self.names.tolist()
        if all(name.isascii() and name.isdigit() and len(name) < 18 for name in names):  # noqa: PLR2004 - fits int64
            return np.array([int(name) for name in names], dtype=np.int64)
        ranks = np.empty(len(names), dtype=np.int64)
        ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(1, len(names) + 1)
        return ranks

    def shown(self, row: int) -> str:
        """Name a label for a person: an id is followed by what it is called."""
        name = str(self.names[row])
        title = self.titles.get(name, "")
        return f"{name} {title}" if title else name

    def parents_of(self, row: int) -> NodeRows:
        """List the parents of a label."""
        return self.parents[self.starts[row] : self.starts[row + 1]]

    def closure(self, labels: NDArray[np.integer]) -> Closure:
        """List what lies at or above some labels, or all of them."""
        return self._whole or self._close(labels, check_pairs)

    @cached_property
    def _whole(self) -> Closure | None:
        """What lies at or above all labels; None if there are too many."""
        most = min(CLOSED, ANCESTORS.value) if len(self) <= SMALL else 0

        def refuse(pairs: int) -> None:
            if pairs > most:
                raise _TooManyError

        try:
            return self._close(np.arange(len(self)), refuse) if most else None
        except _TooManyError:
            return None

    def _close(self, labels: NDArray[np.integer], counted: Callable[[int], None]) -> Closure:
        starts, nodes, steps = lists_above(self.starts, self.parents, labels, counted=counted)
        return Closure(starts=starts, nodes=nodes, steps=steps)

    def below(self, roots: Sequence[int]) -> NDArray[np.bool_]:
        """Return which labels are some labels, or lie below them, shape (labels,)."""
        inside = mark(list(roots), len(self))
        for level in self._by_level():
            sizes = np.diff(self.starts)[level]
            above = inside[self.parents[ranges(self.starts[level], sizes)]]
            owner = np.repeat(level, sizes)
            inside[owner[above]] = True
        return inside

    def merge(self, other: Hierarchy) -> tuple[Hierarchy, Numbers]:
        """Join two hierarchies by the names of their labels.

        Args:
            other: The other hierarchy.

        Returns:
            The hierarchy of the labels and edges of both, whose first rows are those of this one, and the row in it of each
            label of the other, int64.

        Raises:
            InputError: If the edges of both have a cycle.
        """
        rows, (_, own) = number_columns(self.names, other.names)
        moved = own.astype(np.int64)
        edges = [
            np.column_stack([place[np.repeat(np.arange(len(side)), np.diff(side.starts))], place[side.parents]])
            for side, place in ((self, np.arange(len(self))), (other, moved))
        ]
        if (
            len(rows) == len(self)
            and np.isin(edges[1] @ np.array([len(rows), 1]), edges[0] @ np.array([len(rows), 1])).all()
        ):
            return self, moved
        made = Hierarchy.from_rows(list(rows), np.concatenate(edges))
        titles, of_paths = {**other.titles, **self.titles}, self.of_paths and other.of_paths
        return replace(made, is_flat=self.is_flat and other.is_flat, of_paths=of_paths, titles=titles), moved

    def with_names(self, names: StringArray) -> tuple[Hierarchy, Numbers]:
        """Add the names that the hierarchy does not have, as labels without a parent."""
        rows, (_, own) = number_columns(self.names, names)
        more = len(rows) - len(self)
        if not more:
            return self, own.astype(np.int64)
        starts, levels = np.pad(self.starts, (0, more), mode="edge"), np.pad(self.levels, (0, more), constant_values=1)
        return replace(self, names=string_array(list(rows)), starts=starts, levels=levels), own.astype(np.int64)

    def _by_level(self) -> list[Numbers]:
        """List the labels level by level, those without a parent first."""
        order = np.argsort(self.levels, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.levels)[1:])[:-1])


class _TooManyError(Exception):
    """There are more pairs than are listed at once."""


def check_pairs(number: int) -> None:
    """Limit how many pairs of a label and one above it are laid out: a chain of labels has the square of its length."""
    ANCESTORS.check(number, "The labels have too many labels above them.")


def _levels(child: Numbers, parent: Numbers, size: int) -> NodeRows:
    """Return the level of each label, 1 for a root; 0 for one on a cycle or below one."""
    order = np.argsort(parent, kind="stable")
    children, first = child[order], np.searchsorted(parent[order], np.arange(size + 1))
    waiting = np.bincount(child, minlength=size)
    levels = np.zeros(size, dtype=np.int32)
    front, level = np.flatnonzero(waiting == 0), 0
    while len(front):
        level += 1
        levels[front] = level
        reached = children[ranges(first[front], first[front + 1] - first[front])]
        np.subtract.at(waiting, reached, 1)
        touched = distinct(reached)
        front = touched[waiting[touched] == 0]
    return levels


def _cycle(names: Sequence[str], starts: Numbers, parents: Numbers, levels: NodeRows) -> InputError:
    """Name one cycle: from a label that no level has, always a parent without one leads on."""
    row = int(np.flatnonzero(levels == 0)[0])
    seen: dict[int, int] = {}
    while row not in seen:
        seen[row] = len(seen)
        above = parents[starts[row] : starts[row + 1]]
        row = int(above[levels[above] == 0][0])
    ring = [names[one] for one in list(seen)[seen[row] :]]
    shown = [*ring[:SHOWN], "..."] if len(ring) > SHOWN else [*ring, ring[0]]
    return InputError(
        "The hierarchy has a cycle.",
        found=" -> ".join(shown),
        expected="no label above itself",
        hint="remove one of these edges (child -> parent)",
    )
