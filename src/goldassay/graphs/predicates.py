"""Which predicates make edges, and their short names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from goldassay.formats.labels import last_part
from goldassay.formats.relations import DOWN, PREFIXES, UP, direction, expand, leads_down

TAXONOMIES = ("taxonomy", "definitions")
"""Choices of edges that make a taxonomy: of asserted superclasses, and of those in definitions, too."""


@lru_cache
def shorten(iri: str) -> str:
    """Abbreviate a predicate with a well-known prefix if possible."""
    return next((f"{short}:{iri[len(long) :]}" for short, long in PREFIXES.items() if iri.startswith(long)), iri)


def chooser(edges: str | tuple[str, ...]) -> Callable[[str], bool]:
    """Convert the choice of edges to a test for predicates."""
    # A name chooses the predicates that end in it; anything with a colon has to be the whole predicate.
    if edges == "all":
        return lambda predicate: True  # noqa: ARG005 - every predicate, whichever it is
    if edges in TAXONOMIES:
        return lambda predicate: predicate in UP or predicate in DOWN
    wanted = {expand(name) for name in ((edges,) if isinstance(edges, str) else edges)}
    return lambda predicate: predicate in wanted or last_part(predicate) in wanted


def chosen_way(edges: str | tuple[str, ...]) -> Callable[[str], int]:
    """Convert the choice of edges to the way of a relation of a table: 1 as it is, -1 from parent to child, 0 for none."""
    if edges in TAXONOMIES:
        return direction
    is_edge = chooser(edges)
    return lambda relation: int(is_edge(relation)) * (-1 if edges != "all" and leads_down(relation) else 1)


def list_predicates(counts: Mapping[str, int], limit: int = 8) -> str:
    """Format predicates with their counts, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    more: Iterable[str] = [f"{len(ordered) - limit} more"] if len(ordered) > limit else []
    return "; ".join([*(f"{shorten(name)} {count:,}" for name, count in ordered[:limit]), *more])
