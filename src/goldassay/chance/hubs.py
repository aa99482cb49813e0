"""Hubs: predicted items that serve many items of gold."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import NONE_MET, Matching


class Hub(NamedTuple):
    """A predicted item, and how many items of gold it serves.

    Attributes:
        item: The item, named for a person.
        serves: The items of gold that earn something and have it as their best counterpart.
        share: Their share of all of gold.

    Example:
        >>> print(Hub("cancer -> disease", 3, 0.25))
        3 (25.0% of gold)  cancer -> disease
    """

    item: str
    serves: int
    share: float

    def __str__(self) -> str:
        return f"{self.serves:,} ({self.share:.1%} of gold)  {self.item}"


def hubs(
    matching: Matching[Any], *, sample: NDArray[np.int64] | None = None, most: int | None = None, least: int = 1
) -> list[Hub]:
    """List the predicted items that are the best counterpart of some item of gold, those of the most first.

    Args:
        matching: Which items match.
        sample: Rows of gold to look at, int64, shape (rows,); None for all. The share is then that of the sample.
        most: How many to list; None for all.
        least: How many items the first must serve; if it serves fewer, none is listed.

    Example:
        >>> from goldassay.graphs import Graph, Literal
        >>> from goldassay.core.context import Context
        >>> graph = Graph.from_edges([("cat", "animal"), ("dog", "animal")])
        >>> [hub.serves for hub in hubs(Literal().match(pred=graph, gold=graph, context=Context()))]
        [1, 1]
    """
    credit = matching.gold.credit
    rows = np.arange(len(credit)) if sample is None else sample
    served = rows[credit[rows] > 0]
    best = matching.gold.counterpart[served]
    unknown = best == NONE_MET
    if unknown.any():
        best[unknown] = matching.evidence("gold", served[unknown]).counterpart
    items, times = np.unique(best[best != NONE_MET], return_counts=True)
    if times.max(initial=0) < least:
        return []
    order = np.lexsort((items, -times))[:most]
    found = zip(items[order].tolist(), times[order].tolist(), strict=True)
    return [Hub(matching.pred_items.item(item), serves, serves / len(rows)) for item, serves in found]
