"""Groupings of scores of UNL and of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from goldassay.core.groups import Grouping, group_of_items
from goldassay.unl.items import SentenceItems


def named_part(name: str, items: SentenceItems) -> list[str] | None:
    """Return one part of each item, such as its relation label."""
    return items.column(items.columns.index(name)) if name in items.columns else None


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {name: group_of_items((SentenceItems,), partial(named_part, name)) for name in ("label", "position", "attribute")}
)
