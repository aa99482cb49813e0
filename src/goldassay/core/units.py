"""Units: what a resample draws. The counts of a score, split over the edges, documents or queries they came from."""

from __future__ import annotations

from collections.abc import Iterable
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
    first = several[0]
    for other in several[1:]:
        if first.counts.sums.keys() != other.counts.sums.keys():
            raise ValueError(f"units of different measures: {list(first.counts)} and {list(other.counts)}")
    every, where = number_columns(*(one.keys.tolist() for one in several))
    keys = np.array(every, dtype=np.object_)
    return tuple(
        Units(name=first.name, keys=keys, counts=_spread(one.counts, rows, len(keys)))
        for one, rows in zip(several, where, strict=True)
    )


def _spread(counts: Counts, where: NDArray[np.integer[Any]], size: int) -> Counts:
    spread = {}
    for name, column in counts.items():
        spread[name] = np.zeros(size)
        spread[name][where] = column
    return Counts(spread)
