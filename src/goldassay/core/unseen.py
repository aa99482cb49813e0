"""Names that no item of the other side has, or has but for what is not seen: blanks, invisible characters, and composed letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from goldassay.core.intern import TextColumn, as_names, texts_with
from goldassay.core.patterns import pattern_of
from goldassay.core.text import contrast_names

ODD = pattern_of("[^\\S ]|  |[\u00ad\u0300-\u036f\u200b-\u200d\u2060\ufeff]")
"""A blank that is no single space, an invisible character, or a mark that is composed with the letter before it."""
INVISIBLE = pattern_of("[\u00ad\u200b-\u200d\u2060\ufeff]")


def plain(name: str) -> str:
    """Write a name with single spaces, composed letters and nothing invisible."""
    return unicodedata.normalize("NFC", " ".join(INVISIBLE.sub("", name).split()))


def warn_of_unseen(pred: TextColumn, gold: TextColumn) -> Iterator[str]:
    """Warn of names that the other side has, but for what is not seen."""
    odd = [texts_with(side, ODD) for side in (pred, gold)]
    if not any(odd):
        return
    here, there = (set(as_names(side).listed) for side in (pred, gold))
    sides = ((odd[0], there | set(map(plain, odd[1])), there), (odd[1], here | set(map(plain, odd[0])), here))
    alike = [name for some, others, same in sides for name in some if name not in same and plain(name) in others]
    if alike:
        differ, match = ("names differ from those", "do") if len(alike) > 1 else ("name differs from one", "does")
        it = "them" if len(alike) > 1 else "it"
        yield (
            f"{len(alike):,} {differ} of the other side only in blanks, invisible characters or composed letters, "
            f"and {match} not match {it}, for example {min(alike)!a}"
        )


def disjoint_at(places: Mapping[str, Callable[[Any], Iterable[str]]]) -> Callable[[Any, Any, Any], Iterator[str]]:
    """Make the function of a family that warns of the places of its items at which the two sides have no name in common."""

    def disjoint(pred: Any, gold: Any, measure: Any) -> Iterator[str]:
        del measure
        for place, names_of in places.items():
            here, there = set(names_of(pred)), set(names_of(gold))
            if here and there and here.isdisjoint(there):
                yield f"prediction and gold have no {place} in common, {contrast_names(here, there)}"

    return disjoint
