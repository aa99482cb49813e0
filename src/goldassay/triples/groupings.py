"""What scores of triples can be grouped by."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldassay.core.breakdown import Grouping, group_of_items
from goldassay.triples.conformance import ConformingTriples
from goldassay.triples.full_triples import Distinct
from goldassay.triples.grounding import GroundedTriples
from goldassay.triples.model import PREDICATE, Triples
from goldassay.triples.names import NameItems
from goldassay.triples.pairing import Pairs

if TYPE_CHECKING:
    import polars as pl


def predicates(items: Triples | ConformingTriples | GroundedTriples) -> pl.Series:
    """Name the predicate of each triple."""
    import polars as pl

    triples = items if isinstance(items, Triples) else items.triples
    return pl.Series(triples.keys.tolist(), dtype=pl.String).gather(triples.rows[:, PREDICATE])


def names(items: NameItems) -> pl.Series:
    """Give each name itself."""
    import polars as pl

    return pl.Series(items.triples.keys.tolist(), dtype=pl.String).gather(items.keys)


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        "predicate": group_of_items((Triples, ConformingTriples, GroundedTriples), predicates),
        "name": group_of_items((NameItems,), names),
        "triple": group_of_items((Distinct,), lambda items: items.texts),
        "document": group_of_items((Pairs,), lambda pairs: pairs.ids.tolist()),
    }
)
