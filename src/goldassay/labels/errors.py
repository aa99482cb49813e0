"""The kinds of errors of labels: where the label of an instance lies from those that the other side gives it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from goldassay.kernels.kin import Neighbours, have_common
from goldassay.kernels.ragged import find_equal, find_keys, ranges
from goldassay.labels.hierarchy import Closure, Hierarchy, Numbers

ERRORS: Mapping[str, str] = MappingProxyType({
    "same label": "the other side gives the instance the label, with a score below the threshold or without credit",
    "ancestor": "the label is above one that the other side gives the instance",
    "descendant": "the label is below one that the other side gives the instance",
    "sibling": "the label has a parent in common with one that the other side gives the instance",
    "other branch": "none of these: the label lies elsewhere",
    "unknown label": "the hierarchy does not have the label",
    "instance without labels": "the other side does not have the instance, or gives it no label",
})  # fmt: skip
"""What each kind of error means; of several labels of the other side the one of the first kind decides."""
SAME, ABOVE, BELOW, SIBLING, ELSEWHERE, UNKNOWN, UNLABELLED = range(len(ERRORS))
AT_ONCE = 2**20
"""Labels whose instances are looked at together."""


def kinds_of(
    asked: tuple[Numbers, Numbers], there: tuple[Numbers, Numbers], hierarchy: Hierarchy, closure: Closure, known: int
) -> Numbers:
    """Find the kind of error, a row of `ERRORS`, that each of some labels would be; instances and labels are int64, shape (labels,)."""
    (owners, labels), (others, given) = asked, there
    order, first, counts = find_equal(owners, others)
    kinds = np.where(labels < known, ELSEWHERE, UNKNOWN)
    kinds[counts == 0] = UNLABELLED
    for start in range(0, len(owners), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        sizes = counts[some]
        place = np.repeat(np.arange(start, start + len(sizes)), sizes)
        pairs = np.column_stack([labels[place], given[order[ranges(first[some], sizes)]]])
        np.minimum.at(kinds, place, _find_relation(hierarchy, closure, pairs))
    return kinds


def _find_relation(hierarchy: Hierarchy, closure: Closure, pairs: Numbers) -> Numbers:
    """Find how the first label of each pair lies to the second: a row of `ERRORS`, `UNKNOWN` for none of these."""
    size = len(hierarchy)
    keys = np.repeat(np.arange(size), np.diff(closure.starts)) * size + closure.nodes
    here, there = pairs.T
    up = Neighbours(hierarchy.starts, hierarchy.parents.astype(np.int64))
    found = np.full(len(pairs), UNKNOWN)
    found[have_common(up, up, pairs)] = SIBLING
    found[find_keys(here * size + there, keys)] = BELOW
    found[find_keys(there * size + here, keys)] = ABOVE
    found[here == there] = SAME
    return found
