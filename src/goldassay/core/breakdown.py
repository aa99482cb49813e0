"""A score split into groups of its items: precision, recall and F1 of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.core.counts import Division, precision_recall_f1
from goldassay.core.errors import unknown_choice
from goldassay.core.matching import Matching, Side, SideName

if TYPE_CHECKING:
    import polars as pl


def grouped(matching: Matching[Any], groups: Mapping[SideName, pl.Series]) -> pl.DataFrame:
    """Split a matching into groups.

    Every item keeps the credit that it earned against the whole other side, and belongs to its own group. So the counts of
    the groups add up to those of the score.

    Args:
        matching: What was matched.
        groups: Name of the group of each item, by side; strings.

    Returns:
        One row a group, by name, numbers by size: group, precision, recall, f1 (null where 0/0), hit_pred, n_pred,
        hit_gold, n_gold.
    """
    import polars as pl

    sides: tuple[tuple[SideName, Side], ...] = (("pred", matching.pred), ("gold", matching.gold))
    halves = [
        pl.DataFrame({"group": groups[name], "hit": side.credit})
        .group_by("group")
        .agg(pl.col("hit").sum().alias(f"hit_{name}"), pl.len().cast(pl.Int64).alias(f"n_{name}"))
        for name, side in sides
    ]
    table = halves[0].join(halves[1], on="group", how="full", coalesce=True).fill_null(0)
    table = table.sort(pl.col("group").cast(pl.Int64, strict=False), "group")
    counts = {name: table[name].to_numpy() for name in table.columns if name != "group"}
    values = precision_recall_f1(counts, Division(undefined=math.nan))
    columns = (pl.Series(name, np.asarray(column)).fill_nan(None) for name, column in values.items())
    return table.with_columns(columns).select("group", *values, "hit_pred", "n_pred", "hit_gold", "n_gold")


def check_by(by: str, known: tuple[Any, ...]) -> None:
    """Refuse groups that there are not.

    Raises:
        UsageError: If ``by`` is none of the known ones.
    """
    if by not in known:
        raise unknown_choice("by", by, known)
