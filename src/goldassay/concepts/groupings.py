"""Groupings of concept scores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from goldassay.core.documents import DocumentPairs
from goldassay.core.groups import Grouping, group_of_items

GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {"document": group_of_items((DocumentPairs,), lambda pairs: pairs.ids.tolist())}
)
