"""Groupings of axiom scores."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from goldassay.axioms.coverage import SINGULAR, Vocabulary
from goldassay.axioms.model import CLASS, KINDS, PROPERTY, Axioms
from goldassay.core.groups import Grouping, group_of_items

if TYPE_CHECKING:
    import polars as pl


def kinds(items: Axioms | Vocabulary) -> pl.Series:
    """Name the kind of each axiom, or of each name."""
    import polars as pl

    if isinstance(items, Vocabulary):
        return pl.Series(SINGULAR, dtype=pl.String).gather(items.sections)
    return pl.Series(KINDS, dtype=pl.String).gather(items.kinds.astype(np.int64))


def names(part: int, items: Axioms) -> pl.Series:
    """Name the class or the property of each axiom."""
    import polars as pl

    return pl.Series(items.keys.tolist(), dtype=pl.String).gather(items.rows[:, part])


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        "kind": group_of_items((Axioms, Vocabulary), kinds),
        "class": group_of_items((Axioms,), partial(names, CLASS)),
        "property": group_of_items((Axioms,), partial(names, PROPERTY)),
    }
)
