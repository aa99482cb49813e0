"""All families and all measures by name: the one table that knows them all."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from goldassay.core.errors import unknown_choice
from goldassay.core.family import Family, parse_measure
from goldassay.core.measure import Measure

HOMES = {
    "taxonomy": "goldassay.graphs",
    "axioms": "goldassay.axioms",
    "alignment": "goldassay.alignments",
    "concepts": "goldassay.concepts",
    "unl": "goldassay.unl",
    "sentences": "goldassay.unl.sentences",
}
"""Where each family lives, by its kind; a family is imported when somebody asks for it."""


def family(kind: str) -> Family[Any]:
    """Find a family by its kind.

    Raises:
        UsageError: If there is no such kind.
    """
    if kind not in HOMES:
        raise unknown_choice("kind", kind, HOMES)
    loaded: Family[Any] = import_module(HOMES[kind]).FAMILY
    return loaded


def families() -> dict[str, Family[Any]]:
    """List every family by its kind."""
    return {kind: family(kind) for kind in HOMES}


def parse(spec: str) -> Measure[Any, Any]:
    """Make a measure of any family from its spec.

    Raises:
        UsageError: If the spec is malformed, or names a measure or parameter that there is not.

    Example:
        >>> parse("fuzzy(threshold=0.5)").threshold
        0.5
    """
    return parse_measure(spec, all_measures())


def all_measures() -> dict[str, type[Measure[Any, Any]]]:
    """List the measures of every family by name."""
    return {measure.name: measure for chosen in families().values() for measure in chosen.measures}
