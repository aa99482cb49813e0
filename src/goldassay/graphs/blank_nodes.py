"""Canonical names of blank nodes, independent of the parse: RDFC-1.0, with its cost bounded beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from goldassay.core.errors import InputError, borrowed

if TYPE_CHECKING:
    from pyoxigraph import Triple

COST = 10**8
"""Maximum cost of naming, in steps of about 0.1 microseconds: about ten seconds."""
STEPS_OF_A_SEARCH = 20
"""A step of a search through every order is as slow as this many others; measured on cliques and cubes."""
HINT = "drop blank nodes: --blank-nodes drop (Python: blank_nodes='drop')"


def canonical(triples: Iterable[Triple], path: str | None) -> Iterable[Triple]:
    """Name blank nodes by RDFC-1.0, so that two parses of one graph agree.

    The algorithm tries all orders of blank nodes that look alike, which can take days for ten nodes; how
    many it would try is bounded from above before it starts.

    Source:
        RDF Dataset Canonicalization, W3C 2024, section 4 and section 7.1 on poison graphs:
        https://www.w3.org/TR/rdf-canon/
    """
    from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad

    quads = [Quad(triple.subject, triple.predicate, triple.object) for triple in triples]
    cost = _cost(quads)
    if cost > COST:
        raise InputError(
            "Too many blank nodes look alike to find canonical names.",
            path=path,
            found=f"about {cost:.0e} steps",
            expected=f"at most {COST:.0e}",
            hint=HINT,
        )
    with borrowed("pyoxigraph", "The blank nodes cannot be named.", path=path, hint=HINT):
        dataset = Dataset(quads)
        dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
        return sorted(dataset, key=str)


def _cost(quads: Iterable[Any]) -> float:
    """Estimate from above what RDFC-1.0 costs, from the blank nodes with equal signatures and their links."""
    alike, links = _alike(quads)
    neighbours: dict[str, Counter[tuple[object, ...]]] = {}
    for source, predicate, target in links:
        neighbours.setdefault(source, Counter())["to", predicate, alike[target]] += 1
        neighbours.setdefault(target, Counter())["from", predicate, alike[source]] += 1
    return sum(_cost_of_group(nodes, edges, neighbours) for nodes, edges in _groups(links))


def _cost_of_group(nodes: list[str], edges: int, neighbours: dict[str, Counter[tuple[object, ...]]]) -> float:
    size = len(nodes)
    # Floats, since factorials soon have thousands of digits.
    orders = max(prod(float(factorial(min(count, 100))) for count in neighbours[node].values()) for node in nodes)
    if orders > 1 and edges >= size:
        return STEPS_OF_A_SEARCH * orders * 2.0 ** min(size, 500)
    return orders * float(size) ** 3


def _alike(quads: Iterable[Any]) -> tuple[dict[str, object], list[tuple[str, str, str]]]:
    """Find the blank nodes with equal signatures, that is statements without the names of other blank nodes."""
    from pyoxigraph import BlankNode

    sights: dict[str, list[str]] = {}
    links = []
    for quad in quads:
        ends = (quad.subject, quad.object)
        blank = [isinstance(end, BlankNode) for end in ends]
        names = [end.value if is_blank else "" for end, is_blank in zip(ends, blank, strict=True)]
        for own in {name for name in names if name}:
            shown = (
                ("self" if name == own else "other") if name else str(end)
                for end, name in zip(ends, names, strict=True)
            )
            sights.setdefault(own, []).append(f"{next(shown)} {quad.predicate} {next(shown)}")
        if all(blank) and names[0] != names[1]:
            links.append((names[0], quad.predicate.value, names[1]))
    seen = {name: hash(tuple(sorted(statements))) for name, statements in sights.items()}
    shared = Counter(seen.values())
    alike: dict[str, object] = {name: sight for name, sight in seen.items() if shared[sight] > 1}
    return alike, [link for link in links if link[0] in alike and link[2] in alike]


def _groups(links: list[tuple[str, str, str]]) -> Iterable[tuple[list[str], int]]:
    """Return the connected components: their nodes, and how many links they have."""
    import numpy as np

    from goldassay.kernels.components import parts

    rows: dict[str, int] = {}
    pairs = np.array(
        [(rows.setdefault(a, len(rows)), rows.setdefault(b, len(rows))) for a, _, b in links], dtype=np.int64
    ).reshape(-1, 2)
    if not rows:
        return []
    labels = parts(pairs, len(rows))
    edges = np.bincount(labels[pairs[:, 0]])
    groups: dict[int, list[str]] = {}
    for name, label in zip(rows, labels.tolist(), strict=True):
        groups.setdefault(label, []).append(name)
    return [(nodes, int(edges[label])) for label, nodes in groups.items()]
