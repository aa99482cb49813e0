"""The kinds of errors of edges: how the two texts of an edge are related on the other side."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from goldassay.core.intern import Names, number_columns
from goldassay.core.matching import first_that_holds
from goldassay.kernels.kin import Neighbours, have_common, lead_up
from goldassay.kernels.ragged import find_keys
from goldassay.kernels.types import Rows

ERRORS: Mapping[str, str] = MappingProxyType({
    "self-loop": "child and parent have the same text",
    "child and parent unknown": "the other side has neither text",
    "child unknown": "the other side has no such child",
    "parent unknown": "the other side has no such parent",
    "same texts": "the other side has the edge, but with another relation, or it is matched already",
    "reversed": "the other side has the edge the other way round",
    "skips a level": "the other side has one node between child and parent",
    "right by closure": "the other side has several nodes between child and parent",
    "reversed by closure": "the other side has the parent below the child, with nodes between them",
    "sibling instead of parent": "child and parent have a parent in common on the other side",
    "wrong parent": "the other side has both texts, but relates them in none of these ways",
})  # fmt: skip


def kinds_of(texts: tuple[Names, Names], asked_edges: Rows, known_edges: Rows) -> list[str]:
    """Name for each of some edges how the edges of the other side relate its texts: the first of `ERRORS` that holds."""
    every, (mine, theirs) = number_columns(*texts)
    size = len(every)
    edges, pairs = theirs[known_edges].astype(np.int64), mine[asked_edges].astype(np.int64)
    child, parent = pairs.T
    known = np.isin(np.arange(size), theirs)
    loops = edges[:, 0] == edges[:, 1]
    up, down = (Neighbours.of(ends, size) for ends in (edges[~loops], edges[~loops, ::-1]))
    stated = np.sort(edges[:, 0] * size + edges[:, 1])
    asked = np.flatnonzero(known[pairs].all(axis=1))
    ways = np.zeros((3, len(pairs)), dtype=np.bool_)
    ways[0, asked] = lead_up(edges[~loops], size, pairs[asked])
    ways[1, asked] = lead_up(edges[~loops], size, pairs[asked, ::-1])
    ways[2, asked] = have_common(up, up, pairs[asked])
    two = np.zeros(len(pairs), dtype=np.bool_)
    two[ways[0]] = have_common(up, down, pairs[ways[0]])
    holds = [
        child == parent,
        ~known[child] & ~known[parent],
        ~known[child],
        ~known[parent],
        find_keys(child * size + parent, stated),
        find_keys(parent * size + child, stated),
        two,
        ways[0],
        ways[1],
        ways[2],
        np.ones(len(pairs), dtype=np.bool_),
    ]
    return first_that_holds(ERRORS, holds)
