"""Units: what a resample draws. The counts of a score, split over the edges, documents or queries they came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts, whole


@dataclass(frozen=True, eq=False, kw_only=True)
class Units:
    """The counts of one score, one row per unit.

    Attributes:
        name: The name of the unit: ``edge``, ``document``, ``query``.
        keys: The key of each unit, the same in every system and on both sides. Strings, shape (units,).
        counts: The counts of each unit, float64 arrays of shape (units,). Their sums are the counts of the score.

    Example:
        >>> units = Units.of("edge", ["a -> b", "c -> b", "a -> b"], Counts({"n_pred": [1, 1, 0], "n_gold": [0, 0, 1]}))
        >>> units.keys.tolist(), units.counts["n_gold"].tolist()
        (['a -> b', 'c -> b'], [1.0, 0.0])
    """

    name: str
    keys: NDArray[Any]
    counts: Counts

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def of(cls, name: str, keys: Iterable[str], counts: Counts) -> Units:
        """Make units; rows with the same key are one unit, whose counts add.

        Args:
            name: The name of the unit.
            keys: Key of each row, shape (rows,).
            counts: Counts of each row, arrays of shape (rows,).
        """
        rows: dict[str, int] = {}
        place = np.fromiter((rows.setdefault(key, len(rows)) for key in keys), dtype=np.int64)
        sums = {word: np.bincount(place, weights=column, minlength=len(rows)) for word, column in counts.items()}
        return cls(name=name, keys=np.array(list(rows), dtype=np.object_), counts=Counts(sums))

    def to_dict(self) -> dict[str, Any]:
        """Return the units in the format of ``--format json``."""
        columns = {name: [whole(one) for one in np.asarray(column).tolist()] for name, column in self.counts.items()}
        return {"name": self.name, "keys": self.keys.tolist(), "counts": columns}

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The counts, one row per unit and one column per sum, float64, shape (units, sums)."""
        columns = [np.asarray(column, dtype=np.float64) for column in self.counts.values()]
        return np.column_stack(columns) if columns else np.zeros((len(self), 0))


def aligned(first: Units, second: Units) -> tuple[Units, Units]:
    """Align the units of two systems, so that the same row is the same unit in both.

    A unit that one system does not have has counts of 0 there: an edge that only the other system predicted.

    Args:
        first: Units of one system.
        second: Units of the other, of the same measure on the same gold standard.

    Returns:
        Both, over the units of either, in the same order.

    Example:
        >>> a = Units.of("edge", ["x"], Counts({"hits": [1]}))
        >>> b = Units.of("edge", ["y", "x"], Counts({"hits": [2, 3]}))
        >>> [side.counts["hits"].tolist() for side in aligned(a, b)]
        [[1.0, 0.0], [3.0, 2.0]]
    """
    if first.counts.sums.keys() != second.counts.sums.keys():
        raise ValueError(f"units of different measures: {list(first.counts)} and {list(second.counts)}")
    place = {key: row for row, key in enumerate(first.keys.tolist())}
    where = np.fromiter((place.setdefault(key, len(place)) for key in second.keys.tolist()), dtype=np.int64)
    keys = np.array(list(place), dtype=np.object_)
    return (
        Units(name=first.name, keys=keys, counts=_spread(first.counts, np.arange(len(first)), len(keys))),
        Units(name=first.name, keys=keys, counts=_spread(second.counts, where, len(keys))),
    )


def _spread(counts: Counts, where: NDArray[np.int64], size: int) -> Counts:
    spread = {}
    for name, column in counts.items():
        spread[name] = np.zeros(size)
        spread[name][where] = column
    return Counts(spread)
