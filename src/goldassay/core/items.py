"""The base of models: items as columns, rows that a program lists, and what several models state of the same item."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any, ClassVar, Self, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import UsageError
from goldassay.core.model import Provenance
from goldassay.core.text import show_object


def reach(starts: Iterable[str], further: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """List some names and all that they lead to, also where they form cycles."""
    found, waiting = set[str](), list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += further.get(name, ())
    return frozenset(found)


def list_rows(
    rows: Iterable[Any],
    *,
    lengths: Sequence[int],
    texts: int,
    expected: str,
    kind: str,
    absent: bool = False,
    of: str = "",
) -> list[tuple[Any, ...]]:
    """List rows, each as a tuple of so many values, of which the first are texts: a number is written as one."""
    hint = f'goldassay.read(ROWS, kind="{kind}") takes dictionaries and tables'
    # A dictionary would give its keys, and a text its letters; a row that is a set has no order.
    if not (_is_ordered(rows) or isinstance(rows, AbstractSet)):
        raise UsageError(
            f"The rows{of} cannot be used.", found=show_object(rows)[:80], expected=f"a list of {expected}", hint=hint
        )
    listed = []
    for number, row in enumerate(rows, start=1):
        values = (row,) if isinstance(row, str) and 1 in lengths else tuple(row) if _is_ordered(row) else ()
        named = [_as_text(one) for one in values[:texts]]
        wrong = [at for at, one in enumerate(named) if not one and not (absent and at and one == "")]
        if len(values) not in lengths or wrong or (not absent and "" in map(_as_text, values[texts:])):
            raise UsageError(
                f"Row {number}{of} cannot be used.", found=show_object(row)[:80], expected=expected, hint=hint
            )
        listed.append((*named, *values[texts:]))
    return listed


def list_documents(documents: Any, *, kind: str) -> list[tuple[Any, ...]]:
    """List documents and what each contains, given as a dictionary or as pairs."""
    pairs = list(documents.items()) if isinstance(documents, Mapping) else documents
    return list_rows(pairs, lengths=(2,), texts=1, expected="(id of a document, list)", kind=kind)


def is_iterable(value: object) -> TypeGuard[Iterable[Any]]:
    """Return whether a value has others in it: an array without dimensions has none, but claims to."""
    return isinstance(value, Iterable) and getattr(value, "shape", None) != ()


def _is_ordered(value: Any) -> bool:
    """Return whether a value has an order of values that it is made of."""
    # Nearly all rows are one of these two, and to ask an abstract class takes longer than all else.
    return type(value) in {tuple, list} or (
        is_iterable(value) and not isinstance(value, str | bytes | bytearray | Mapping | AbstractSet)
    )


def _as_text(value: Any) -> str | None:
    """Write a text or a number as text, and what is absent as an empty one; None for all else."""
    if isinstance(value, str):
        return value
    # NaN is not equal to itself.
    if value is None or (isinstance(value, Number) and value != value):  # noqa: PLR0124
        return ""
    return str(value) if isinstance(value, Number) else None


def score_of(score: Any, number: int) -> float:
    """Return the score of a row."""
    with suppress(TypeError, ValueError):
        if not math.isnan(float(score)):
            return float(score)
    raise UsageError(f"The score of row {number} is not a number.", found=f"{score!r:.80}", expected="a number")


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Columns:
    """Rows in columns."""

    # the fields that have one entry a row: an array, a tuple, or what has a `take` itself; None where it is absent
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
    """Make one text of the parts of each item, by which it is the same in two models."""
    return list(map("\t".join, zip(*columns, strict=True)))


def find_in_scope(names: Iterable[str], scope: frozenset[str]) -> NDArray[np.bool_]:
    """Return which names are in a scope."""
    return np.array([name in scope for name in names], dtype=np.bool_)


def vote(models: Iterable[Iterable[tuple[Key, Value]]], least: int) -> dict[Key, list[Value]]:
    """Gather what models state of each key, in the order of the keys, if at least so many models have it."""
    found: dict[Key, list[Value]] = {}
    for model in models:
        for key, value in model:
            found.setdefault(key, []).append(value)
    return {key: values for key, values in sorted(found.items()) if len(values) >= least}
