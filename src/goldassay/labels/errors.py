"""The kinds of errors of labels: where the label of an instance lies from those that the other side gives it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from goldassay.core.matching import SideName
from goldassay.kernels.kin import Neighbours, have_common
from goldassay.kernels.ragged import among, ranges
from goldassay.labels.hierarchy import Numbers

if TYPE_CHECKING:
    from goldassay.labels.match import Pair

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


def kinds_of(pair: Pair, side: SideName, rows: Numbers) -> Numbers:
    """Find the kind of error that each of some labels would be: rows of `ERRORS`, int64, shape (rows,)."""
    pred, gold = (pair.pred_instances, pair.pred_labels), (pair.gold_instances, pair.gold_labels)
    (owners, labels), (others, there) = (pred, gold) if side == "pred" else (gold, pred)
    order = np.argsort(others, kind="stable")
    starts = np.searchsorted(others[order], np.arange(len(pair) + 1))
    is_known = labels[rows] < len(pair.gold.hierarchy)
    kinds = np.where(is_known, ELSEWHERE, UNKNOWN)
    kinds[starts[owners[rows] + 1] == starts[owners[rows]]] = UNLABELLED
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first : first + AT_ONCE]
        sizes = starts[owners[some] + 1] - starts[owners[some]]
        pairs = np.column_stack([
            np.repeat(labels[some], sizes),
            there[order[ranges(starts[owners[some]], sizes)]],
        ])  # fmt: skip
        np.minimum.at(kinds, first + np.repeat(np.arange(len(some)), sizes), _related(pair, pairs))
    return kinds


def _related(pair: Pair, pairs: Numbers) -> Numbers:
    """Find how the first label of each pair lies to the second: a row of `ERRORS`, `UNKNOWN` for none of these."""
    size, closure = len(pair.hierarchy), pair.closure
    keys = np.repeat(np.arange(size), np.diff(closure.starts)) * size + closure.nodes
    here, there = pairs.T
    up = Neighbours(pair.hierarchy.starts, pair.hierarchy.parents.astype(np.int64))
    found = np.full(len(pairs), UNKNOWN)
    found[have_common(up, up, pairs)] = SIBLING
    found[among(here * size + there, keys)] = BELOW
    found[among(there * size + here, keys)] = ABOVE
    found[here == there] = SAME
    return found
