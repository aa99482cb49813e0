"""Labels that are paths from the root down, such as ``Animals > Dogs > Poodle``: they are a hierarchy of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from goldassay.core.patterns import pattern_of
from goldassay.labels.hierarchy import Hierarchy

ARROWS = pattern_of(r"(?<!\s)\s*+(?:(?<!-)-++>|[>›»→])\s*+")
"""What separates the parts of a path if no separator is named."""
ARROW_HEAD = pattern_of("[>›»→]")
JOINED = " > "
HALF = 0.5


def parts_of(label: str, separator: str | None) -> list[str]:
    """Split a path into its parts, from the root down; an IRI in angle brackets is no path."""
    if separator is None and label.startswith("<"):
        return [label]
    parts = ARROWS.split(label) if separator is None else label.split(separator)
    return [part for one in parts if (part := one.strip())]


def normaliser(labels: Collection[str], separator: str | None) -> Callable[[str], str] | None:
    """Return what writes each path alike; None if no separator is named and less than half of the labels are paths."""
    if separator is None and not ARROW_HEAD.search("\n".join(labels)):
        return None
    paths = sum(len(parts_of(label, separator)) > 1 for label in labels)
    if separator is None and paths < max(1, HALF * len(labels)):
        return None
    return lambda label: JOINED.join(parts_of(label, separator)) or label


def hierarchy_of_paths(paths: Iterable[str]) -> Hierarchy:
    """Build the hierarchy of normalised paths: each part lies below the path before it."""
    nodes, edges = dict.fromkeys(filter(None, paths)), dict[tuple[str, str], None]()
    for path in nodes:
        above = path.rpartition(JOINED)[0]
        while above and (path, above) not in edges:
            edges[path, above] = None
            path, above = above, above.rpartition(JOINED)[0]  # noqa: PLW2901 - one step up
    return replace(Hierarchy.from_edges(edges, nodes=list(nodes) or [""]), of_paths=True)
