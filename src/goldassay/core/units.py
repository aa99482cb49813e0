"""Units: what a resample draws. The counts of a score, split over the edges, documents or queries they came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts
from goldassay.core.intern import number_columns


@dataclass(frozen=True, eq=False, kw_only=True)
class Units:
    """The counts of one score, one row per unit."""

    name: str  # the name of the unit: `edge`, `document`, `query`
    keys: NDArray[Any]  # the key of each unit, the same in every system and on both sides. Strings, shape (units,)
    counts: Counts  # the counts of each unit, float64 arrays of shape (units,). Their sums are the counts of the score

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def of(cls, name: str, keys: Iterable[str], counts: Counts) -> Units:
        """Make units; rows with the same key are one unit, whose counts add."""
        rows, (place,) = number_columns(list(keys))
        sums = {word: np.bincount(place, weights=column, minlength=len(rows)) for word, column in counts.items()}
        return cls(name=name, keys=np.array(list(rows), dtype=np.object_), counts=Counts(sums))

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The counts, one row per unit and one column per sum, float64, shape (units, sums)."""
        columns = [np.asarray(column, dtype=np.float64) for column in self.counts.values()]
        return np.column_stack(columns) if columns else np.zeros((len(self), 0))


def align_units(*several: Units) -> tuple[Units, ...]:
    """Align the units of systems, so that a row is the same unit in all."""
    # A unit that one system does not have counts nothing there: an edge that only another one predicted.
    first, names = several[0], sums_of([one.counts for one in several])
    every, where = number_columns(*(one.keys.tolist() for one in several))
    keys = np.array(every, dtype=np.object_)
    return tuple(
        Units(name=first.name, keys=keys, counts=_spread(one.counts, names, rows, len(keys)))
        for one, rows in zip(several, where, strict=True)
    )


def sums_of(several: Sequence[Counts]) -> list[str]:
    """List the sums of several scores of one measure, in an order that the order of the scores does not move.

    A sum that a score lacks is 0 there, as the ranks of a median are that only another prediction has.
    """
    for other in several[1:]:
        if several[0].keys().isdisjoint(other):
            raise ValueError(f"units of different measures: {list(several[0])} and {list(other)}")
    names = dict.fromkeys(name for one in several for name in one)
    return list(names) if all(len(one) == len(names) for one in several) else sorted(names)


def _spread(counts: Counts, names: Sequence[str], where: NDArray[np.integer[Any]], size: int) -> Counts:
    spread = {}
    for name in names:
        spread[name] = np.zeros(size)
        spread[name][where] = counts.get(name, 0.0)
    return Counts(spread)
