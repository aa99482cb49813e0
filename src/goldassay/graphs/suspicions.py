"""Warnings about a prediction and a gold standard: valid input that is probably not intended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import FEW, numbered
from goldassay.core.text import against
from goldassay.graphs.model import Graph
from goldassay.kernels.ragged import among, distinct

NAMESPACE = re.compile(r"^(\w+://.*[/#])[^/#]*$|^(\w+:)[^/]")
HALF = 32
"""Bits of a number of texts within a number of pairs."""


def suspicions(pred: Graph, gold: Graph) -> Iterator[str]:
    """Return warnings about a pair of graphs, one sentence each.

    Example:
        >>> a, b = Graph.from_edges([("x", "y")]), Graph.from_edges([("p", "q")])
        >>> list(suspicions(a, b))
        ["prediction and gold have no text in common, so no literal match is possible, for example 'x' against 'p'"]
    """
    if pred.choices.get("edges") == "all" and pred.choices.get("text") == "iri":
        yield (
            "every triple is an edge and IRIs are compared as text: such scores are inflated, "
            "since any two triples of one predicate nearly match; --edges taxonomy --text label compares taxonomies"
        )
    if pred.texts.is_disjoint(gold.texts):
        yield (
            "prediction and gold have no text in common, so no literal match is possible"
            + (f", {against(pred.texts, gold.texts)}" if len(pred.texts) and len(gold.texts) else "")
            + _but_for_case(pred, gold)
            + _namespaces(pred, gold)
        )
    elif reading := _turned(pred, gold):
        yield reading


def _turned(pred: Graph, gold: Graph) -> str | None:
    """Say that edges are those of gold the other way round, if none is one of gold as it is."""
    # Most predictions that share edges with gold share some of the first ones, which few nodes of gold have.
    some = set(_pairs(pred, pred.edges[:FEW]))
    known = np.zeros(len(gold.texts), dtype=np.bool_)
    known[gold.texts.places_of(set(chain.from_iterable(some)))] = True
    if not some.isdisjoint(_pairs(gold, gold.edges[known[gold.edges].all(axis=1)])):
        return None
    shared, turned = _shared(pred, gold)
    if shared or not turned:
        return None
    several = "edges are" if turned > 1 else "edge is"
    return f"no edge is one of gold, and {turned:,} {several} so the other way round: check which column is the child"


def _pairs(graph: Graph, edges: NDArray[np.int64]) -> Iterator[tuple[str, str]]:
    """Return the two texts of each of some edges."""
    return zip(*(graph.texts.take(ends).listed for ends in edges.T), strict=True)


def _shared(pred: Graph, gold: Graph) -> tuple[int, int]:
    """Count the pairs of texts that both sides have as edges, and those that gold has the other way round."""
    used = [side.texts.used(*side.edges.T) for side in (pred, gold)]
    _, numbers = numbered(*(texts for texts, _ in used))
    (child, parent), (gold_child, gold_parent) = (
        [number[end].astype(np.int64) for end in ends] for number, (_, ends) in zip(numbers, used, strict=True)
    )
    there = distinct(gold_child << HALF | gold_parent)
    return int(among(child << HALF | parent, there).sum()), int(among(distinct(parent << HALF | child), there).sum())


def _but_for_case(pred: Graph, gold: Graph) -> str:
    common = {text.casefold() for text in pred.texts} & {text.casefold() for text in gold.texts}
    return f"; without regard to upper and lower case they share {len(common):,}" if common else ""


def _namespaces(pred: Graph, gold: Graph) -> str:
    """Describe the namespaces of both sides if they share none, the usual reason for no matches."""
    here, there = _count_namespaces(pred), _count_namespaces(gold)
    if not here or not there or here.keys() & there.keys():
        return ""
    return f"; their namespaces differ: {here.most_common(1)[0][0]} and {there.most_common(1)[0][0]}"


def _count_namespaces(graph: Graph) -> Counter[str]:
    found = (NAMESPACE.match(node) for node in graph.ids.tolist())
    return Counter(match[1] or match[2] for match in found if match)
