"""Predicates that are called several things, as a person declares them in a table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from goldassay.core.errors import InputError
from goldassay.formats import load
from goldassay.formats.delimited import rows_of
from goldassay.formats.records import BadRecords
from goldassay.triples.model import Numbers, TripleSet

HEADER = ("predicate", "synonym", "similarity")
PAIR = 2
HEADERS = frozenset({HEADER[:2], ("pred", "gold"), ("name", "synonym")})


def read_synonyms(path: str) -> list[tuple[str, str]]:
    """Read a table of two columns whose names are one; its first row may name them (predicate, synonym).

    A table that ``--propose-synonyms`` wrote has a third column, and rows without a predicate, which say nothing.
    """
    source = load(path)
    name = "tsv" if b"\t" in source.data.partition(b"\n")[0] else "csv"
    pairs: list[tuple[str, str]] = []
    proposed = False
    for line, row, _ in rows_of(source, name, BadRecords()):
        cells = [cell.strip() for cell in row]
        words = tuple(cell.lower() for cell in cells)
        if not pairs and words in (HEADER, *HEADERS):
            proposed = words == HEADER
            continue
        if proposed and not cells[0]:
            # A predicate that is like none of gold.
            continue
        if len(cells) != PAIR + proposed or not all(cells[:PAIR]):
            raise InputError(
                "A table of synonyms has two names a row.",
                path=path,
                line=line,
                found=repr(row)[:80],
                expected="a predicate and a synonym of it",
            )
        pairs.append((cells[0], cells[1]))
    return pairs


def merged_codes(texts: list[str], pairs: Iterable[tuple[str, str]], *, gold: TripleSet) -> tuple[Numbers, list[str]]:
    """Number names so that synonyms have one number.

    Example:
        >>> codes, texts = merged_codes(["located in", "at"], [("in", "located in")], gold=TripleSet.from_lists({}))
        >>> codes.tolist(), texts
        ([2, 1], ['located in', 'at', 'in'])
    """
    numbers = {text: row for row, text in enumerate(texts)}
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while name in parents:
            # Halving the way keeps long chains short.
            parents[name] = parents.get(parents[name], parents[name])
            name = parents[name]
        return name

    for one, other in pairs:
        ends = root(gold.normalise(one)), root(gold.normalise(other))
        if ends[0] != ends[1]:
            parents[ends[1]] = ends[0]
    # A root that neither side uses is numbered after all names.
    for name in list(parents):
        numbers.setdefault(root(name), len(numbers))
    return np.array([numbers[root(text)] for text in texts], dtype=np.int64), list(numbers)
