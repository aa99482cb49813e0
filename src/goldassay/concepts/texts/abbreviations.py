"""Abbreviations that a text explains itself: chronic kidney disease (CKD) and CKD are one concept there.

They are found by the algorithm of Schwartz and Hearst (2003), in the package abbreviation-extractor.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import partial
from importlib.metadata import version
from itertools import accumulate, tee
from typing import Any

from goldassay.concepts.model import Mention
from goldassay.concepts.texts.extract import Extractor
from goldassay.concepts.texts.fold import fold_words, pieces_of
from goldassay.concepts.texts.variants import ABBREVIATION
from goldassay.core.errors import require
from goldassay.core.patterns import pattern_of

TURNED = pattern_of(r"(?<![\w\-])(?P<short>[^\W\d_][\w\-]{1,9}) ?\((?P<long>[^()\n]{5,200})\)")
"""A short form, and its long form in brackets: the package finds only the other order."""


class WithAbbreviations:
    """Takes the short forms that a text explains as the concepts of their long forms."""

    # A long form is the concept that the extractor finds in it, if that is all of it; otherwise its short form does not
    # change.

    def __init__(self, extractor: Extractor) -> None:
        package = require(
            "abbreviation_extractor", extra="abbreviations", purpose="find the abbreviations that texts explain"
        )
        self._extractor = extractor
        self._pairs = partial(package.extract_abbreviation_definition_pairs, tokenize=True, ignore_errors=True)
        self.choice = f"{extractor.choice},abbreviations-{version('abbreviation-extractor')}"
        self.notes = extractor.notes

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Mention]]:
        """Find the concepts of texts."""
        texts, asked = tee(texts)
        for text, found in zip(texts, self._extractor.find_all(asked), strict=True):
            explained = find_abbreviations(text, self._pairs)
            yield self._resolve(text, found, explained) if explained else found

    def _resolve(self, text: str, found: list[Mention], explained: dict[str, str]) -> list[Mention]:
        """Add the concepts of long forms at the places of their short forms."""
        concepts = {}
        for (short, long), [*inside] in zip(
            explained.items(), self._extractor.find_all(explained.values()), strict=True
        ):
            if len(inside) == 1 and fold_words(pieces_of(long)) == fold_words(
                pieces_of(long[inside[0].start : inside[0].end])
            ):
                concepts[short] = inside[0]
        places = _places(text, concepts)
        kept = sorted((one for one in found if (one.start, one.end) not in places), key=lambda one: one.start)
        starts, reached = [one.start for one in kept], [0, *accumulate((one.end for one in kept), max)]
        added = [
            concepts[short]._replace(start=start, end=end, way=ABBREVIATION)
            for (start, end), short in places.items()
            if reached[bisect_left(starts, end)] <= start
        ]
        return sorted([*kept, *added], key=lambda one: one.start)


def _places(text: str, shorts: Iterable[str]) -> dict[tuple[int, int], str]:
    """Return the places of short forms, as whole words."""
    words = "|".join(sorted(map(re.escape, shorts), key=len, reverse=True))
    found = re.finditer(rf"(?<![\w\-])(?:{words})(?![\w\-])", text) if words else ()
    return {match.span(): match[0] for match in found}


def find_abbreviations(text: str, pairs: Any) -> dict[str, str]:
    """List the short forms that a text explains, each with its long form; of several the first."""
    if "(" not in text:
        return {}
    found: dict[str, str] = {}
    for one in pairs(text):
        found.setdefault(one.abbreviation, one.definition)
    for match in TURNED.finditer(text):
        short, long = match["short"], match["long"].strip()
        if (
            short not in found
            and any(map(str.isupper, short))
            and any(one.abbreviation == short and one.definition == long for one in pairs(f"{long} ({short})"))
        ):
            found[short] = long
    return found
