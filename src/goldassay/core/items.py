"""The base of models: items as columns, rows that a program lists, and what several models state of the same item."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import UsageError
from goldassay.core.model import Provenance


def list_rows(
    rows: Iterable[Any], *, lengths: Sequence[int], expected: str, kind: str, absent: bool = False
) -> list[tuple[Any, ...]]:
    """List rows, each as a tuple of so many values.

    Example:
        >>> list_rows([["a", "b"]], lengths=(2, 3), expected="(source, target)", kind="alignment")
        [('a', 'b')]
    """
    listed = []
    for number, row in enumerate(rows, start=1):
        # A dictionary would give its keys, a text its letters, and a set has no order.
        ordered = isinstance(row, Iterable) and not isinstance(row, str | Mapping | AbstractSet)
        values = tuple(row) if ordered else ()
        # NaN is not equal to itself.
        if len(values) not in lengths or (not absent and any(one is None or one == "" or one != one for one in values)):  # noqa: PLR0124
            raise UsageError(
                f"Row {number} cannot be used.",
                found=f"{row!r:.80}",
                expected=expected,
                hint=f'goldassay.read(ROWS, kind="{kind}") takes dictionaries and tables',
            )
        listed.append(values)
    return listed


def score_of(score: Any, number: int) -> float:
    """Give the score of a row.

    Example:
        >>> score_of("0.5", 1)
        0.5
    """
    with suppress(TypeError, ValueError):
        if not math.isnan(float(score)):
            return float(score)
    raise UsageError(f"The score of row {number} is not a number.", found=f"{score!r:.80}", expected="a number")


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
        return replace(self, **{name: _take_column(getattr(self, name), places) for name in self.columns})


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ColumnModel(Columns, Provenance):
    """A model whose items are rows of columns, next to what they refer to by number: names, nodes, documents."""


def _take_column(column: Any, rows: NDArray[Any]) -> Any:
    if column is None or isinstance(column, np.ndarray):
        return None if column is None else column[rows]
    return tuple(map(column.__getitem__, rows.tolist())) if isinstance(column, tuple) else column.take(rows)


def make_keys(*columns: Sequence[str]) -> list[str]:
    r"""Make one text of the parts of each item, by which it is the same in two models.

    Example:
        >>> make_keys(["cat", "dog"], ["pet", "pet"])
        ['cat\tpet', 'dog\tpet']
    """
    return list(map("\t".join, zip(*columns, strict=True)))


def find_in_scope(names: Iterable[str], scope: frozenset[str]) -> NDArray[np.bool_]:
    """Return which names are in a scope.

    Example:
        >>> find_in_scope(["cat", "dog"], frozenset({"dog"})).tolist()
        [False, True]
    """
    return np.array([name in scope for name in names], dtype=np.bool_)


def vote(models: Iterable[Iterable[tuple[Key, Value]]], least: int) -> dict[Key, list[Value]]:
    """Gather what models state of each key, in the order of the keys, if at least so many models have it.

    Example:
        >>> vote([[("cat", 0.9), ("dog", 0.4)], [("cat", 0.7)]], 2)
        {'cat': [0.9, 0.7]}
    """
    found: dict[Key, list[Value]] = {}
    for model in models:
        for key, value in model:
            found.setdefault(key, []).append(value)
    return {key: values for key, values in sorted(found.items()) if len(values) >= least}
