"""Rows that a program builds a model from: checked, so that a wrong one is told and not read as something else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any

from goldassay.core.errors import UsageError


def listed_rows(
    rows: Iterable[Any], *, lengths: Sequence[int], expected: str, kind: str, absent: bool = False
) -> list[tuple[Any, ...]]:
    """List rows, each as a tuple of so many values.

    Example:
        >>> listed_rows([["a", "b"]], lengths=(2, 3), expected="(source, target)", kind="alignment")
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
