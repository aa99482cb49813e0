"""Words for the relation of a child and its parent: one table for tables, graphs and hierarchies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from goldassay.core.patterns import pattern_of
from goldassay.formats.labels import OBO, OBO_IN_OWL, OWL, RDF, RDFS, SKOS, XSD, last_part

PREFIXES: Mapping[str, str] = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "obo": OBO,
    "oboInOwl": OBO_IN_OWL,
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "schema": "http://schema.org/",
    "skos": SKOS,
    "wdt": "http://www.wikidata.org/prop/direct/",
    "xsd": XSD,
}

UP: frozenset[str] = frozenset({f"{RDFS}subClassOf", f"{SKOS}broader"})
"""Predicates from child to parent."""

DOWN: frozenset[str] = frozenset({f"{SKOS}narrower"})
"""Predicates from parent to child."""

UP_NAMES = pattern_of(
    r"isa|is|p279|(?:is)?(?:an?|the)?(?:(?:sub)?(?:type|kind|sort)|sub(?:class|category|concept|term|topic)|child|hyponym)of"
    r"|subclass|broader|(?:instance)?hypernym|parent|superclass"
    r"|has(?:parent|broader|hypernym|superclass|supertype)|(?:is)?narrowerthan|(?:is)?subsumedby"
)
DOWN_NAMES = pattern_of(
    r"narrower|(?:instance)?hyponym|child|subsumes|(?:is)?broaderthan"
    r"|(?:is)?(?:an?|the)?(?:parent|hypernym|super(?:class|type|category|concept))of"
    r"|has(?:sub(?:class|type|category|concept|term|topic)|child|hyponym|narrower)(?:es|ren|s)?"
)
"""Relations of a taxonomy, as letters and digits."""
PERHAPS_DOWN = frozenset(
    {"includes", "contains", "hastype", "haskind", "hasmember", "hasinstance", "ancestorof", "generalizes"}
)
"""Relations that lead down, but make no taxonomy unless they are asked for: they may be of parts and wholes."""


def expand(name: str) -> str:
    """Expand a predicate: ``<...>`` loses its brackets, a well-known prefix becomes its IRI, other names are kept."""
    prefix, colon, local = name.partition(":")
    if colon and prefix in PREFIXES:
        return PREFIXES[prefix] + local
    return name[1:-1] if name.startswith("<") and name.endswith(">") else name


@lru_cache
def direction(relation: str) -> int:
    """Return the direction of a relation of a table: 1 from child to parent, -1 from parent to child, 0 neither."""
    whole = expand(relation)
    word = _word(whole)
    return int(whole in UP or bool(UP_NAMES.fullmatch(word))) - int(whole in DOWN or bool(DOWN_NAMES.fullmatch(word)))


def leads_down(relation: str) -> bool:
    """Return whether a relation leads from parent to child, also one that makes no taxonomy."""
    return direction(relation) < 0 or _word(relation) in PERHAPS_DOWN


def _word(relation: str) -> str:
    return re.sub(r"[^a-z0-9]", "", last_part(relation).lower())
