"""Groupings of label scores: by depth, branch and root."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from goldassay.core.groups import Grouping, group_of_items
from goldassay.kernels.ragged import distinct
from goldassay.labels.hierarchy import Numbers
from goldassay.labels.matching import Pair

if TYPE_CHECKING:
    import polars as pl

SEVERAL, NONE = "several", "none"


def depths(pair: Pair) -> pl.Series:
    """Return the depth of the deepest label of each instance, by gold, or by the prediction where gold has none; a root has 1."""
    import polars as pl

    deepest = np.zeros(len(pair), dtype=np.int64)
    for instances, labels in _labels(pair):
        np.maximum.at(deepest, instances, pair.hierarchy.levels[labels])
    return pl.Series(deepest.tolist()).cast(pl.String)


def roots(pair: Pair) -> pl.Series:
    """Name the root that the labels of each instance lie below; ``several`` if there are more."""
    return _named(pair, pair.hierarchy.roots)


def branches(pair: Pair) -> pl.Series:
    """Name the child of a root that the labels of each instance lie at or below; ``several`` if there are more."""
    return _named(pair, np.flatnonzero(pair.hierarchy.shallowest == 2))  # noqa: PLR2004 - one step below a root


def _labels(pair: Pair) -> list[tuple[Numbers, Numbers]]:
    """Return the labels that an instance is grouped by: those of gold, and of instances that gold has no label for, the others."""
    without = np.bincount(pair.gold_instances, minlength=len(pair)) == 0
    other = without[pair.pred_instances]
    return [(pair.gold_instances, pair.gold_labels), (pair.pred_instances[other], pair.pred_labels[other])]


def _named(pair: Pair, tops: Numbers) -> pl.Series:
    import polars as pl

    size = len(pair.hierarchy)
    wanted = np.zeros(size, dtype=np.bool_)
    wanted[tops] = True
    keys = np.concatenate([pair.keys(instances, labels)[1] for instances, labels in _labels(pair)])
    met = distinct(keys[wanted[keys % size]])
    counts = np.bincount(met // size, minlength=len(pair))
    group = np.full(len(pair), size + 1, dtype=np.int64)
    group[met // size] = met % size
    group[counts > 1] = size
    names = pl.Series([*pair.hierarchy.names.tolist(), SEVERAL, NONE], dtype=pl.String)
    return names.gather(group)


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        "depth": group_of_items((Pair,), depths),
        "branch": group_of_items((Pair,), branches),
        "root": group_of_items((Pair,), roots),
    }
)
