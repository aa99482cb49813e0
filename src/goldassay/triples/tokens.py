"""How many words two names share."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from goldassay.triples.words import REMEMBERED


@lru_cache(maxsize=REMEMBERED)
def overlap(here: str, there: str) -> float:
    """Give the F1 of the words of two names, which are parted by blanks.

    Example:
        >>> overlap("New York City", "New York"), overlap("Oslo", "Oslo"), overlap("Oslo", "Rome")
        (0.8, 1.0, 0.0)
    """
    if here == there:
        return 1.0
    ours, theirs = Counter(here.split()), Counter(there.split())
    words = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / words if words else 0.0
