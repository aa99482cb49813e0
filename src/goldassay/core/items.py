"""The base of models: items as columns, and what several models state of the same item."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.model import Read

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Columns:
    """Rows in columns.

    Attributes:
        columns: The fields that have one entry a row: an array, a tuple, or what has a ``take`` itself; None where it is absent.
    """

    columns: ClassVar[tuple[str, ...]] = ()

    def take(self, rows: NDArray[Any]) -> Self:
        """Keep some rows, by their numbers or by a mask, and all that they may refer to."""
        places = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return replace(self, **{name: _taken(getattr(self, name), places) for name in self.columns})


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ColumnModel(Columns, Read):
    """A model whose items are rows of columns, next to what they refer to by number: names, nodes, documents."""


def _taken(column: Any, rows: NDArray[Any]) -> Any:
    if column is None or isinstance(column, np.ndarray):
        return None if column is None else column[rows]
    return tuple(map(column.__getitem__, rows.tolist())) if isinstance(column, tuple) else column.take(rows)


def keyed(*columns: Sequence[str]) -> list[str]:
    r"""Make one text of the parts of each item, by which it is the same in two models.

    Example:
        >>> keyed(["cat", "dog"], ["pet", "pet"])
        ['cat\tpet', 'dog\tpet']
    """
    return list(map("\t".join, zip(*columns, strict=True)))


def within(names: Iterable[str], scope: frozenset[str]) -> NDArray[np.bool_]:
    """Return which names are in a scope.

    Example:
        >>> within(["cat", "dog"], frozenset({"dog"})).tolist()
        [False, True]
    """
    return np.array([name in scope for name in names], dtype=np.bool_)


def voted(models: Iterable[Iterable[tuple[Key, Value]]], least: int) -> dict[Key, list[Value]]:
    """Gather what models state of each key, in the order of the keys, if at least so many models have it.

    Example:
        >>> voted([[("cat", 0.9), ("dog", 0.4)], [("cat", 0.7)]], 2)
        {'cat': [0.9, 0.7]}
    """
    found: dict[Key, list[Value]] = {}
    for model in models:
        for key, value in model:
            found.setdefault(key, []).append(value)
    return {key: values for key, values in sorted(found.items()) if len(values) >= least}
