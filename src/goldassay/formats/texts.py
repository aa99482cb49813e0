"""Values of columns of any type as the texts of cells, alike on every engine; texts as numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import Names, number_columns
from goldassay.core.libraries import pl

MIDNIGHT = " 00:00:00"


def number_by_rows(*columns: pl.Series) -> tuple[list[str], NDArray[np.int64]]:
    """Number texts row by row, the cells of a row one after the other."""
    rows, width = len(columns[0]), len(columns)
    one_by_one = np.arange(width * rows).reshape(width, rows).T
    texts, (places,) = number_columns(pl.concat(columns, rechunk=True).gather(one_by_one.ravel()))
    return Names(texts).listed, places.astype(np.int64).reshape(rows, width)


DECIMAL_COMMA = r"^\s*([01]),([0-9]+)\s*$"
"""How a share is written in many languages."""


def numbers_of(column: pl.Series, *, absent: float) -> NDArray[np.float64]:
    """Read texts or numbers as numbers: what is absent has the given number, and what is no number nan."""
    numbers = column.cast(pl.Float64, strict=False)
    found: NDArray[np.float64] = numbers.fill_null(absent).to_numpy().copy()
    if column.dtype == pl.String:
        odd = (numbers.is_null() & (column != "")).arg_true()
        for row, text in zip(odd.to_list(), column.gather(odd).to_list(), strict=True):
            # Python reads more spellings of numbers than polars.
            try:
                found[row] = float(text)
            except ValueError:
                found[row] = math.nan
    return found


def to_whole(value: Any) -> Any:
    """Return a whole number for a float that is one, and nothing for NaN: a gap makes floats of whole numbers."""
    if not isinstance(value, float):
        return value
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() else value


def number_text(text: str | None) -> str | None:
    """Write a float of any engine as one text: whole numbers without a point, NaN as nothing; an absent one stays absent."""
    if not text:
        return text
    return "" if (value := to_whole(float(text))) is None else str(value)


def moment_text(text: str | None) -> str | None:
    """Write a date and time of any engine as one text, without zeros behind the second, at midnight as a date; an absent one stays absent."""
    head, point, fraction = (text or "").partition(".")
    rest = fraction.rstrip("0")
    return f"{head}.{rest}" if point and rest else text and head.removesuffix(MIDNIGHT)
