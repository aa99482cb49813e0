"""The groups of a score as values; `goldassay.core.breakdown` makes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import FloatArray, format_sum
from goldassay.core.libraries import pl
from goldassay.core.matching import Items
from goldassay.core.significance import Interval
from goldassay.core.units import Units

GroupNames: TypeAlias = "Sequence[str] | pl.Series"
Grouping: TypeAlias = Callable[[Any, Any], "GroupNames | None"]
"""Gives the group of each item: ``grouping(items, items of the other side)``; None where such items have no such group."""


@dataclass(frozen=True)
class ByError:
    """The grouping of items by what is wrong with them, which depends on the matching."""

    kinds: Mapping[str, str]  # what each kind of error means, by its name, in the order in which they are tried

    def __post_init__(self) -> None:
        # A view of a dictionary cannot be pickled, nor copied.
        object.__setattr__(self, "kinds", dict(self.kinds))

    def __call__(self, items: Items, others: Items) -> None:
        """Return no groups: items do not know what they matched."""
        del items, others


@dataclass(frozen=True, eq=False, kw_only=True)
class Breakdown:
    """The groups of one score, numbers by size and then others by name."""

    by: str
    groups: tuple[str, ...]
    values: Mapping[str, FloatArray]  # the values of the measure, nan where 0/0, each of shape (groups,)
    # the sums of each group, which add up to the counts of the score, each of shape (groups,)
    counts: Mapping[str, FloatArray]
    intervals: tuple[Mapping[str, Interval], ...]
    units: tuple[Units, ...] = ()  # the units of each group; empty if none were drawn, or the score was loaded
    # of repeated runs, whose means are the values, the standard deviation of each; empty otherwise
    sd: Mapping[str, FloatArray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.groups)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Return the groups one by one: group, values, counts, intervals, standard deviations over runs."""
        for row, group in enumerate(self.groups):
            yield {
                "group": group,
                "values": {name: float(column[row]) for name, column in self.values.items()},
                "counts": {name: format_sum(column[row]) for name, column in self.counts.items()},
                "intervals": self.intervals[row],
                **({"sd": {name: float(column[row]) for name, column in self.sd.items()}} if self.sd else {}),
            }

    def columns(self) -> dict[str, list[Any]]:
        """Return the groups as columns: group, the values (None where 0/0), what is known of their spread, the counts."""
        columns: dict[str, list[Any]] = {"group": list(self.groups)}
        for name, column in (*self.values.items(), *((f"{name}_sd", column) for name, column in self.sd.items())):
            columns[name] = [None if math.isnan(value) else value for value in column.tolist()]
        for name in dict.fromkeys(name for found in self.intervals for name in found):
            ends = [found.get(name) for found in self.intervals]
            columns[f"{name}_low"] = [None if end is None else end.low for end in ends]
            columns[f"{name}_high"] = [None if end is None else end.high for end in ends]
        for name, column in self.counts.items():
            columns[name] = [format_sum(count) for count in column.tolist()]
        return columns


def names_at(names: Iterable[str], rows: NDArray[np.integer]) -> pl.Series:
    """Name the groups of items, given the row of the name of each."""
    return pl.Series(list(names), dtype=pl.String).gather(rows.astype(np.int64))


def group_of_items(kinds: tuple[type, ...], labels: Callable[[Any], Any]) -> Grouping:
    """Make a grouping for some kinds of items only."""
    return _OfItems(kinds, labels)


@dataclass(frozen=True)
class _OfItems:
    """A grouping of some kinds of items; no closure, so that a report can be pickled."""

    kinds: tuple[type, ...]
    labels: Callable[[Any], Any]

    def __call__(self, items: Items, others: Items) -> Any:
        """Return the group of each item."""
        del others
        return self.labels(items) if isinstance(items, self.kinds) else None
