"""Predicates and entities of triples that are called several things."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.formats.synonyms import ENTITY, PREDICATE, Synonyms, merge_codes
from goldassay.triples.model import Numbers, TripleSet

OTHER = {ENTITY: PREDICATE, PREDICATE: ENTITY}


def codes_of_slots(
    texts: list[str], pairs: Sequence[Synonyms], *, gold: TripleSet
) -> tuple[tuple[Numbers, Numbers, Numbers], list[str]]:
    """Number the names of subjects, predicates and objects so that synonyms have one number."""
    size, found = len(texts), {}
    for of in (PREDICATE, ENTITY):
        some = [pair for pair in pairs if pair.of != OTHER[of]]
        codes, texts = merge_codes(texts, some, normalise=gold.normalise)
        found[of] = codes[:size]
    return (found[ENTITY], found[PREDICATE], found[ENTITY]), texts
