"""Names that no item of the other side has, or has but for what is not seen: blanks, invisible characters, composed letters, and characters of HTML."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from typing import Any

import numpy as np

from goldassay.core.intern import TextColumn, as_names, texts_with
from goldassay.core.patterns import pattern_of
from goldassay.core.text import contrast_names

HIDDEN = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
"""Invisible characters, of which some say where text goes from right to left."""
ODD = pattern_of(rf"[^\S ]|  |[\u0300-\u036f{HIDDEN}]|&#?[A-Za-z0-9]{{2,31}};")
"""A blank that is no single space, an invisible character, a mark that is composed with the letter before it, or a character as HTML writes it."""
INVISIBLE = pattern_of(f"[{HIDDEN}]")

WORD = pattern_of(r"\w+")
LONGEST = 5
"""The words of the longest name that is looked for in others."""
OF_NOTHING = 'N/A;null;nil;NaN;<NA>;-;--;\u2013;\u2014;none;(none);root;(root);top-level;ditto;";\u3003;unknown;undefined;unspecified'
OF_NOTHING += ";not applicable;not found;not specified;not mentioned;not stated"
FOR_NOTHING = frozenset(
    way(word) for word in OF_NOTHING.split(";") for way in (str, str.lower, str.upper, str.capitalize)
)
"""What stands for no name, in each case, unless something is called so."""


def names_by_words(names: Iterable[str]) -> dict[str, str]:
    """Return names by their words in lower case."""
    return {" ".join(words): name for name in names if (words := WORD.findall(name.lower()))}


def known_in(name: str, known: Mapping[str, str]) -> str:
    """Return the one known name that is in a text as words, the longest; none if there are several, or it is all of it."""
    words = WORD.findall(name.lower())
    for size in range(min(len(words), LONGEST), 0, -1):
        if found := {" ".join(words[at : at + size]) for at in range(len(words) - size + 1)} & known.keys():
            return known[found.pop()] if len(found) == 1 else ""
    return ""


def plain(name: str) -> str:
    """Write a name with single spaces, composed letters, nothing invisible and no character as HTML writes it."""
    return unicodedata.normalize("NFC", " ".join(INVISIBLE.sub("", unescape(name)).split()))


def warn_of_unseen(pred: TextColumn, gold: TextColumn) -> Iterator[str]:
    """Warn of names that the other side has, but for what is not seen, and of predicted ones that stand for no name."""
    ours = as_names(pred)
    words = set(ours.list_at(np.array(ours.places_of(FOR_NOTHING), dtype=np.int64)))
    words.difference_update(as_names(gold).listed if words else ())
    if words:
        listed = ", ".join(map(repr, sorted(words)))
        yield f"predicted names that gold does not have, and that may stand for no name: {listed}; leave them out if they do"
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
            f"{len(alike):,} {differ} of the other side only in blanks, invisible characters, composed letters or characters of HTML (&amp;), "
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
