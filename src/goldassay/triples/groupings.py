"""What scores of triples can be grouped by."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.core.documents import DocumentPairs
from goldassay.core.groups import Grouping, group_of_items
from goldassay.core.matching import Items
from goldassay.triples.conformance import ConformingTriples
from goldassay.triples.full_triples import Distinct
from goldassay.triples.grounding import GroundedTriples
from goldassay.triples.measure import InDocuments
from goldassay.triples.model import PREDICATE, Triples
from goldassay.triples.names import NameItems

if TYPE_CHECKING:
    import polars as pl

LENGTHS = (10, 20, 50, 100, 200)
"""Texts of up to so many words are one group."""


def _triples(items: Items) -> Triples | None:
    """Give the triples that items are, if they are triples."""
    inner = items.items if isinstance(items, InDocuments) else items
    if isinstance(inner, ConformingTriples | GroundedTriples):
        return inner.triples
    return inner if isinstance(inner, Triples) else None


def predicate(items: Items, others: Items) -> pl.Series | None:
    """Name the predicate of each triple."""
    del others
    import polars as pl

    triples = _triples(items)
    if triples is None:
        return None
    return pl.Series(triples.keys.tolist(), dtype=pl.String).gather(triples.rows[:, PREDICATE])


def shared(items: Items, others: Items) -> list[str] | None:
    """Say whether the other side uses the predicate of each triple, or a synonym of it, anywhere."""
    here, there = _predicates(items), _predicates(others)
    if here is None or there is None:
        return None
    known = set(there)
    return ["shared predicate" if one in known else "predicate of one side" for one in here]


def _predicates(items: Items) -> Any:
    """Return the predicate of each triple as it was compared: by number where synonyms were, else by name."""
    if isinstance(items, InDocuments) and items.predicates is not None:
        return items.predicates.tolist()
    triples = _triples(items)
    return None if triples is None else triples.keys[triples.rows[:, PREDICATE]].tolist()


def name(items: Items, others: Items) -> pl.Series | None:
    """Give each name itself."""
    del others
    import polars as pl

    inner = items.items if isinstance(items, InDocuments) else items
    if not isinstance(inner, NameItems):
        return None
    return pl.Series(inner.triples.keys.tolist(), dtype=pl.String).gather(inner.keys)


def size(items: InDocuments) -> Sequence[str]:
    """Count the triples that gold has of the document of each item."""
    counts = np.bincount(items.gold.documents, minlength=len(items.gold.ids))
    return items.of_gold([str(count) for count in counts.tolist()], "0")


def length(items: InDocuments) -> Sequence[str] | None:
    """Say how many words the text of the document of each item has, in steps."""
    words = [len(text.split()) for text in items.gold.texts.tolist()]
    return items.of_gold([_step(count) for count in words], "no text") if any(words) else None


def _step(words: int) -> str:
    if not words:
        return "no text"
    place = bisect_left(LENGTHS, words)
    most = f"up to {LENGTHS[place]:>3}" if place < len(LENGTHS) else f"over {LENGTHS[-1]:>4}"
    return f"{most} words"


def document(items: Items, others: Items) -> Any:
    """Name the document of each item."""
    del others
    if isinstance(items, InDocuments):
        return items.names()
    return items.ids.tolist() if isinstance(items, DocumentPairs) else None


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        "predicate": predicate,
        "shared": shared,
        "name": name,
        "size": group_of_items((InDocuments,), size),
        "length": group_of_items((InDocuments,), length),
        "triple": group_of_items((Distinct,), attrgetter("texts")),
        "document": document,
    }
)
