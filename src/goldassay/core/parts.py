"""Parts: the rows that a measure counts, laid out once. Their sums are its counts, its units and its groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from goldassay.core.counts import Counts, FloatArray, format_sum
from goldassay.core.intern import FEW
from goldassay.core.libraries import pl
from goldassay.core.matching import Items
from goldassay.core.units import Units


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """Rows that a measure counts, and what each of them adds to which sum."""

    items: Items
    others: Items  # what they were compared with: the items of the other side
    # returns the unit of each row, the same in every system and on both sides: shape (rows,)
    unit_keys: Callable[[], Sequence[str]]
    # what each row adds, by the name of the sum, arrays of numbers of shape (rows,). A sum that is not listed is not
    # changed by these rows
    counts: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.items)


def both_parts(
    items: tuple[Items, Items], unit_keys: Sequence[Callable[[], Sequence[str]]], counts: Sequence[Mapping[str, Any]]
) -> tuple[Part, Part]:
    """Make the parts of the items of both sides, which were compared with each other."""
    first, second = (
        Part(items=own, others=others, unit_keys=keys, counts=columns)
        for own, others, keys, columns in zip(items, items[::-1], unit_keys, counts, strict=True)
    )
    return first, second


def names_of(parts: Sequence[Part]) -> list[str]:
    """List the sums of all parts: the first of each part, the second of each, and so on."""
    return list(
        dict.fromkeys(name for names in zip_longest(*(part.counts for part in parts)) for name in names if name)
    )


def column_of(parts: Sequence[Part], name: str) -> FloatArray:
    """List what every row of all parts adds to one sum, float64, shape (rows,)."""
    return _join_arrays([part.counts[name] if name in part.counts else np.zeros(len(part)) for part in parts])


def _join_arrays(columns: Sequence[Any]) -> FloatArray:
    if len(columns) == 1:
        return np.asarray(columns[0], dtype=np.float64)
    arrays = [np.asarray(column, dtype=np.float64) for column in columns]
    return np.concatenate(arrays) if arrays else np.zeros(0)


def sum_parts(parts: Sequence[Part]) -> Counts:
    """Add up the rows of all parts."""
    columns: dict[str, list[Any]] = {name: [] for name in names_of(parts)}
    for part in parts:
        for name, column in part.counts.items():
            columns[name].append(column)
    return Counts({name: exact_sum(_join_arrays(some)) for name, some in columns.items()})


def exact_sum(column: FloatArray) -> int | float:
    """Add numbers without intermediate rounding, so that their order does not matter; whole numbers are ints."""
    if len(column) <= FEW:
        return format_sum(math.fsum(column.tolist()))
    # Whole numbers add without rounding up to 2**53, and numpy adds them faster.
    exact = bool(np.all(column == np.floor(column)))
    return format_sum(column.sum() if exact else math.fsum(column.tolist()))


def units_of(name: str, parts: Sequence[Part]) -> Units:
    """Add up the rows of the same unit."""
    keys = [key for part in parts for key in part.unit_keys()]
    return Units.of(name, keys, Counts({count: column_of(parts, count) for count in names_of(parts)}))


def labels_of(
    parts: Sequence[Part], by: str, unit: str, groupings: Mapping[str, Callable[[Any, Any], Any]]
) -> list[pl.Series] | None:
    """Name the group of every row, part by part; None where some rows have none."""
    found = []
    for part in parts:
        labels = part.unit_keys() if by == unit else groupings[by](part.items, part.others) if by in groupings else None
        if labels is None:
            return None
        found.append(labels if isinstance(labels, pl.Series) else pl.Series(list(labels), dtype=pl.String))
    return found or None


def sum_clusters(units: Units, parts: Sequence[Part], labels: Sequence[pl.Series] | None, name: str) -> Units | None:
    """Add up the units of each cluster; None where the rows of one unit are of several clusters, or of none."""
    if labels is None:
        return None
    keys = [key for part in parts for key in part.unit_keys()]
    pairs = set(zip(keys, (label for column in labels for label in column.to_list()), strict=True))
    cluster = dict(pairs)
    return (
        Units.of(name, [cluster[key] for key in units.keys.tolist()], units.counts)
        if len(cluster) == len(pairs)
        else None
    )
