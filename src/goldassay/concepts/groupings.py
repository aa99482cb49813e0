"""Groupings of concept scores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from goldassay.core.documents import DocumentPairs
from goldassay.core.groups import Grouping, group_of_items


def documents(pairs: DocumentPairs) -> list[str]:
    """Return the document of each pair."""
    names: list[str] = pairs.ids.tolist()
    return names


GROUPINGS: Mapping[str, Grouping] = MappingProxyType({"document": group_of_items((DocumentPairs,), documents)})
