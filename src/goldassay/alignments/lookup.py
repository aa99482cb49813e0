"""Fast look-up of texts and numbers among distinct values."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import NONE_MET

if TYPE_CHECKING:
    import polars as pl

Keys: TypeAlias = NDArray[np.int64]
"""Numbers by which rows are compared, int64."""
Rows: TypeAlias = NDArray[np.int32]
"""Rows of a column, int32."""


def places(of: pl.Series, among: pl.Series) -> Rows:
    """Find texts among distinct others.

    Args:
        of: Texts.
        among: Distinct texts.

    Returns:
        The row of each in ``among``, -1 for none, int32.
    """
    import polars as pl

    index = among.alias("term").to_frame().with_row_index("row")
    found = of.alias("term").to_frame().join(index, on="term", how="left", maintain_order="left")
    return found["row"].cast(pl.Int64).fill_null(NONE_MET).to_numpy().astype(np.int32)


def rows_of(keys: Keys, among: Keys) -> Keys:
    """Find keys among distinct others.

    Args:
        keys: Keys, int64.
        among: Distinct keys, int64.

    Returns:
        The row of each in ``among``, -1 for none, int64.

    Example:
        >>> rows_of(np.array([3, 9]), np.array([1, 3])).tolist()
        [1, -1]
    """
    import polars as pl

    index = pl.DataFrame({"key": among, "row": np.arange(len(among))}, schema={"key": pl.Int64, "row": pl.Int64})
    if len(keys) < len(among):
        # The smaller side is hashed; the larger one is only looked up.
        asked = pl.DataFrame({"key": keys}, schema={"key": pl.Int64}).unique()
        index = index.join(asked, on="key", how="semi")
    found = pl.DataFrame({"key": keys}, schema={"key": pl.Int64}).join(
        index, on="key", how="left", maintain_order="left"
    )
    return found["row"].fill_null(NONE_MET).to_numpy()
