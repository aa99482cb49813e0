"""Warnings about a prediction and a gold standard: valid input that is probably not intended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from goldassay.core.text import against
from goldassay.graphs.model import Graph

NAMESPACE = re.compile(r"^(\w+://.*[/#])[^/#]*$|^(\w+:)[^/]")


def suspicions(pred: Graph, gold: Graph) -> Iterator[str]:
    """Return warnings about a pair of graphs, one sentence each.

    Args:
        pred: The prediction.
        gold: The gold standard.

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
    here, there = (
        {*zip(*(side.texts[side.edges[:, end]].tolist() for end in (0, 1)), strict=True)} for side in (pred, gold)
    )
    turned = sum((parent, child) in there for child, parent in here)
    if not turned or not here.isdisjoint(there):
        return None
    several = "edges are" if turned > 1 else "edge is"
    return f"no edge is one of gold, and {turned:,} {several} so the other way round: check which column is the child"


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
