"""Which predicates make edges, and their short names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from goldassay.formats.labels import OBO, OBO_IN_OWL, OWL, RDF, RDFS, SKOS, XSD, last_part

PREFIXES: Mapping[str, str] = MappingProxyType(
    {
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
)

TAXONOMIES = ("taxonomy", "definitions")
"""Choices of edges that make a taxonomy: of asserted superclasses, and of those in definitions, too."""

UP: frozenset[str] = frozenset({f"{RDFS}subClassOf", f"{SKOS}broader"})
"""Predicates from child to parent."""

DOWN: frozenset[str] = frozenset({f"{SKOS}narrower"})
"""Predicates from parent to child."""

UP_NAMES = frozenset(
    ["isa", "is", "subclassof", "subclass", "subtypeof", "kindof", "broader", "hypernym", "childof", "instancehypernym"]
)
DOWN_NAMES = frozenset(
    ["narrower", "hyponym", "superclassof", "supertypeof", "parentof", "hassubclass", "instancehyponym"]
)


def expand(name: str) -> str:
    """Expand a predicate: ``<...>`` loses its brackets, a well-known prefix becomes its IRI, other names are kept.

    Example:
        >>> expand("skos:broader"), expand("part_of")
        ('http://www.w3.org/2004/02/skos/core#broader', 'part_of')
    """
    prefix, colon, local = name.partition(":")
    if colon and prefix in PREFIXES:
        return PREFIXES[prefix] + local
    return name[1:-1] if name.startswith("<") and name.endswith(">") else name


@lru_cache
def shorten(iri: str) -> str:
    """Abbreviate a predicate with a well-known prefix if possible.

    Example:
        >>> shorten("http://www.w3.org/2004/02/skos/core#broader"), shorten("http://a/b")
        ('skos:broader', 'http://a/b')
    """
    return next((f"{short}:{iri[len(long) :]}" for short, long in PREFIXES.items() if iri.startswith(long)), iri)


def chooser(edges: str | tuple[str, ...]) -> Callable[[str], bool]:
    """Convert the choice of edges to a test for predicates.

    A name chooses the predicates that end in it; anything with a colon has to be the whole predicate.

    Example:
        >>> chooser(("part_of", "skos:related"))("http://a/b#part_of")
        True
    """
    if edges == "all":
        return lambda predicate: True  # noqa: ARG005 - every predicate, whichever it is
    if edges in TAXONOMIES:
        return lambda predicate: predicate in UP or predicate in DOWN
    wanted = {expand(name) for name in ((edges,) if isinstance(edges, str) else edges)}
    return lambda predicate: predicate in wanted or last_part(predicate) in wanted


@lru_cache
def direction(relation: str) -> int:
    """Return the direction of a relation of a table: 1 from child to parent, -1 from parent to child, 0 neither.

    Example:
        >>> [direction(name) for name in ("is_a", "rdfs:subClassOf", "skos:narrower", "part_of")]
        [1, 1, -1, 0]
    """
    whole = expand(relation)
    word = re.sub(r"[^a-z]", "", last_part(whole).lower())
    return int(whole in UP or word in UP_NAMES) - int(whole in DOWN or word in DOWN_NAMES)


def list_predicates(counts: Mapping[str, int], limit: int = 8) -> str:
    """Format predicates with their counts, the most frequent first.

    Example:
        >>> list_predicates({"http://www.w3.org/2004/02/skos/core#related": 1200, "part_of": 3})
        'skos:related 1,200; part_of 3'
    """
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    more: Iterable[str] = [f"{len(ordered) - limit} more"] if len(ordered) > limit else []
    return "; ".join([*(f"{shorten(name)} {count:,}" for name, count in ordered[:limit]), *more])
