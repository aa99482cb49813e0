"""The relations between two entities of a correspondence, and their spellings in files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from goldassay.core.patterns import pattern_of

RELATIONS = ("=", "<", ">", "%", "~", "related", "HasInstance", "InstanceOf", "?", "other")
"""The relations: equivalent, narrower than, broader than, disjoint, close, related, has or is an instance, unjudged, and any
other."""
EQUIVALENT, NARROWER, BROADER, DISJOINT, CLOSE, RELATED, HAS_INSTANCE, INSTANCE_OF, UNJUDGED, OTHER = range(
    len(RELATIONS)
)

WORDS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "=", "==", "≡", "≅", "↔", "⇔", "⟷", "⟺", "<->", "<=>", "equivalentto", "isequivalentto", "equalto", "equals", "identical", "equivalence", "equivalent", "equivrelation", "equivalentclass", "equivalentproperty",
                "sameas", "exactmatch", "crossspeciesexactmatch", "exact",
            ),
            EQUIVALENT,
        ),
        **dict.fromkeys(
            (
                "<", "&lt;", "<=", "⊑", "⊏", "⊆", "⊂", "isa", "kindof", "subclass", "narrowerthan", "subsumedby", "source_subsumed_by_target", "subsumedrelation", "subsumed", "subclassof", "subpropertyof", "broadmatch",
                "crossspeciesbroadmatch", "broad",
            ),
            NARROWER,
        ),
        **dict.fromkeys(
            (
                ">", "&gt;", ">=", "⊒", "⊐", "⊇", "⊃", "superclass", "broaderthan", "subsumes", "source_subsumes_target", "subsumerelation", "subsume", "superclassof", "narrowmatch", "crossspeciesnarrowmatch",
                "narrow",
            ),
            BROADER,
        ),
        **dict.fromkeys(("%", "⊥", "incompatrelation", "disjoint", "disjointwith", "differentfrom"), DISJOINT),
        **dict.fromkeys(("~", "≈", "closematch", "crossspeciesclosematch", "close"), CLOSE),
        **dict.fromkeys(("related", "relatedmatch", "seealso", "hasdbxref", "mappingrelation"), RELATED),
        **dict.fromkeys(("hasinstance", "hasinstancerelation"), HAS_INSTANCE),
        **dict.fromkeys(("instanceof", "instanceofrelation", "type"), INSTANCE_OF),
        **dict.fromkeys(("?", "unknown"), UNJUDGED),
        "other": OTHER,
    }
)  # fmt: skip
"""How relations are written, in lower case and without a namespace."""

BLANKS = pattern_of(r"[\s_-]+")
"""What may be between the words of a relation."""

PREDICATES: Mapping[int, str] = MappingProxyType(
    {
        EQUIVALENT: "skos:exactMatch",
        NARROWER: "skos:broadMatch",
        BROADER: "skos:narrowMatch",
        DISJOINT: "owl:disjointWith",
        CLOSE: "skos:closeMatch",
        RELATED: "skos:relatedMatch",
        INSTANCE_OF: "rdf:type",
    }
)
"""How SSSOM writes them; it has no predicate for the others."""

INVERSE: NDArray[np.int8] = np.array(
    [EQUIVALENT, BROADER, NARROWER, DISJOINT, CLOSE, RELATED, INSTANCE_OF, HAS_INSTANCE, UNJUDGED, OTHER], dtype=np.int8
)
"""The inverse of each relation."""

EXACT: NDArray[np.float64] = np.eye(len(RELATIONS))
"""Proximity of two relations: 1 when they are the same."""

GRADED: NDArray[np.float64] = np.eye(len(RELATIONS))
"""Proximity of two relations: 0.5 if one is equivalence and the other is close to it."""
for _near in (NARROWER, BROADER, CLOSE):
    GRADED[EQUIVALENT, _near] = GRADED[_near, EQUIVALENT] = 0.5
GRADED[CLOSE, RELATED] = GRADED[RELATED, CLOSE] = 0.5


@lru_cache(maxsize=256)
def relation_code(word: str) -> int | None:
    """Find the relation that a word denotes, by its last part and without case; None if unknown."""
    stripped = word.strip()
    last = re.split(r"[#/:.]", stripped)[-1] if len(stripped) > 1 else stripped
    ways = last.lower(), stripped.lower(), BLANKS.sub("", stripped.lower())
    return next((WORDS[way] for way in ways if way in WORDS), None)
