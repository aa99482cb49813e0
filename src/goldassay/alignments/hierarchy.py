"""The hierarchies of the two ontologies: how many steps one entity is above another, and what is-a entails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import TextColumn, places_among
from goldassay.core.libraries import pl
from goldassay.core.matching import NO_MATCH
from goldassay.kernels.ragged import distinct, mark, run_heads
from goldassay.kernels.reach import WORD, Order, lists_above
from goldassay.kernels.types import Rows

Names = Sequence[str]
TILE = 2**26
"""Bytes of the bits of a tile."""
MOST_WORDS = 64


@dataclass(frozen=True, eq=False, kw_only=True)
class Hierarchy:
    """The is-a edges of one ontology, as it states them; the first ``classes`` of them are between classes, the others between properties."""

    children: Names = ()
    parents: Names = ()
    classes: int = 0

    @classmethod
    def from_edges(cls, classes: Iterable[tuple[str, str]], properties: Iterable[tuple[str, str]] = ()) -> Hierarchy:
        """Make a hierarchy of (child, parent)."""
        upper, lower = list(dict.fromkeys(classes)), list(dict.fromkeys(properties))
        edges = upper + lower
        return cls(
            children=tuple(child for child, _ in edges),
            parents=tuple(parent for _, parent in edges),
            classes=len(upper),
        )

    @classmethod
    def join(cls, parts: Sequence[Hierarchy]) -> Hierarchy:
        """Make one hierarchy of several."""
        upper: list[tuple[str, str]] = []
        lower: list[tuple[str, str]] = []
        for part in parts:
            edges = list(zip(part.children, part.parents, strict=True))
            upper += edges[: part.classes]
            lower += edges[part.classes :]
        return cls.from_edges(upper, lower)

    @property
    def of_classes(self) -> Hierarchy:
        """The edges between classes."""
        edges = (self.children[: self.classes], self.parents[: self.classes])
        return replace(self, children=edges[0], parents=edges[1])

    def number_terms(self, terms: TextColumn) -> tuple[Rows, int]:
        """Number the ends of the edges, int64, shape (edges, 2), known terms by their rows and others after them; and count the numbers."""
        ends = pl.Series("term", [*self.children, *self.parents], dtype=pl.String)
        row = places_among(ends, terms).astype(np.int64)
        unknown = np.flatnonzero(row == NO_MATCH)
        names, place = np.unique(ends.gather(unknown).to_numpy(), return_inverse=True)
        row[unknown] = len(terms) + place
        return row.reshape(2, -1).T, len(terms) + len(names)


@dataclass(frozen=True, eq=False, kw_only=True)
class Ontologies:
    """What an alignment knows of the ontologies that it connects; ``digest`` and ``language`` are empty if they are not from files."""

    source: Hierarchy = field(default_factory=Hierarchy)
    target: Hierarchy = field(default_factory=Hierarchy)
    digest: str = ""
    language: str = ""
    files: tuple[str, ...] = ()

    @property
    def flat(self) -> bool:
        """Whether nothing is above anything."""
        return not (self.source.children or self.target.children)

    @property
    def of_classes(self) -> Ontologies:
        """The same ontologies without the hierarchies of properties."""
        return replace(self, source=self.source.of_classes, target=self.target.of_classes)


@dataclass(frozen=True, eq=False)
class Steps:
    """Pairs of entities: ``here`` is so many ``steps`` above ``there``, below 0 if it is below, 0 for the same; int64, shape (pairs,)."""

    here: Rows
    there: Rows
    steps: Rows


def steps_between(hierarchy: Hierarchy, terms: TextColumn, here: Rows, there: Rows) -> Steps:
    """Find which of some entities lie above or below which others, and how far by the shortest way."""
    edges, size = hierarchy.number_terms(terms)
    low, high, far = _ascents(edges, size, there)
    above = mark(here, size)[high]
    start, end, down = _ascents(edges, size, here)
    below = mark(there, size)[end] & (down > 0)
    pairs = np.concatenate([high[above] * size + low[above], start[below] * size + end[below]])
    steps = np.concatenate([far[above], -down[below]])
    order = np.lexsort((-steps, np.abs(steps), pairs))
    pairs, steps = pairs[order], steps[order]
    first = run_heads(pairs)
    return Steps(pairs[first] // size, pairs[first] % size, steps[first])


def join_frames(frame: pl.DataFrame, one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """Join a frame with two others over the columns that they share, first with the one that gives fewer rows."""
    # Where one entity is in every row, the other order would make a row for every pair of rows.

    def size(right: pl.DataFrame) -> int:
        on = _shared_columns(frame, right)
        return int(frame.join(right.group_by(on).len("rows"), on=on)["rows"].sum())

    found = frame
    for right in sorted((one, other), key=size):
        found = found.join(right, on=_shared_columns(found, right))
    return found


def _shared_columns(left: pl.DataFrame, right: pl.DataFrame) -> list[str]:
    return [name for name in right.columns if name in left.columns]


def _ascents(edges: Rows, size: int, starts: Rows) -> tuple[Rows, Rows, Rows]:
    """Go up from some nodes, each way up the shortest; cycles are walked once."""
    order = np.argsort(edges[:, 0], kind="stable")
    begin = np.searchsorted(edges[order, 0], np.arange(size + 1)).astype(np.int64)
    lists, nodes, steps = lists_above(begin, edges[order, 1].astype(np.int32), starts)
    return np.repeat(np.arange(size), np.diff(lists)), nodes.astype(np.int64), steps.astype(np.int64)


def mark_reachable(edges: Rows, size: int, lower: Rows, upper: Rows) -> NDArray[np.bool_]:
    """Return which nodes can be reached from which by going up."""
    order = Order.of(edges, size)
    found = order.group[lower] == order.group[upper]
    goals = distinct(upper)
    place = np.searchsorted(goals, upper)
    words = int(np.clip(TILE // (8 * max(size, 1)), 1, MOST_WORDS))
    for first in range(0, len(goals), words * WORD):
        bits = order.above(goals[first : first + words * WORD], words)
        asked = np.flatnonzero((place >= first) & (place < first + words * WORD))
        word, bit = np.divmod(place[asked] - first, WORD)
        found[asked] |= (bits[lower[asked], word] >> bit.astype(np.uint64) & np.uint64(1)).astype(np.bool_)
    return np.asarray(found)
