"""The text of a node that has no label: its name, opened up or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from karat.formats.labels import LABELS, best_labels, last_part, opened

__all__ = ["LABELS", "NAMED", "best_labels", "opened", "title"]


def title(iri: str) -> str:
    """Write the last part of an IRI with blanks for underscores, and nothing else opened up: OLLM's titles.

    Example:
        >>> title("http://a/b#TripleNegative_breast-cancer")
        'TripleNegative breast-cancer'
    """
    return last_part(iri).replace("_", " ")


NAMED: Mapping[str, Callable[[str], str]] = MappingProxyType({"label": opened, "title": title, "iri": str})
"""How each choice of text names a node that has no label."""
