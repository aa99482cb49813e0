"""Null models of graphs: what a prediction would be without its meaning, its edges, or its direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from goldassay.core.counts import Counts
from goldassay.core.intern import Names
from goldassay.core.matching import Matching
from goldassay.core.measure import Measure
from goldassay.core.null import Moments, Null, chosen
from goldassay.graphs.literal import Literal
from goldassay.graphs.model import Graph
from goldassay.graphs.motif import Motif
from goldassay.graphs.nodes import Nodes
from goldassay.graphs.taxonomic import Taxonomic
from goldassay.graphs.texts import numbered_texts
from goldassay.kernels.swaps import swapped


def shuffled_texts(pred: Graph, gold: Graph, rng: np.random.Generator) -> Graph:
    """Put the texts of the nodes that have edges onto these nodes in a random order.

    Example:
        >>> pred = Graph.from_edges([("cat", "animal"), ("dog", "animal")])
        >>> drawn = shuffled_texts(pred, pred, np.random.default_rng(0))
        >>> drawn.edges.tolist() == pred.edges.tolist(), sorted(drawn.texts.tolist())
        (True, ['animal', 'cat', 'dog'])
    """
    del gold
    nodes, texts = np.unique(pred.edges), pred.texts.tolist()
    drawn = list(texts)
    for node, other in zip(nodes.tolist(), rng.permutation(nodes).tolist(), strict=True):
        drawn[node] = texts[other]
    return replace(pred, texts=Names(drawn))


def rewired(pred: Graph, gold: Graph, rng: np.random.Generator, *, share: float = 1.0) -> Graph:
    """Swap targets between edges of one relation, so that every node keeps its degrees; self-loops stay.

    Example:
        >>> pred = Graph.from_edges([("cat", "animal"), ("oak", "plant"), ("elm", "plant")])
        >>> drawn = rewired(pred, pred, np.random.default_rng(0))
        >>> np.bincount(drawn.edges[:, 1]).tolist() == np.bincount(pred.edges[:, 1]).tolist()
        True
    """
    del gold
    open_ = np.flatnonzero(pred.edges[:, 0] != pred.edges[:, 1])
    rows = np.column_stack([pred.edges, pred.relations])[open_]
    some = chosen(len(rows), share, rng)
    origin = swapped(rows, 1, rng=rng, groups=rows[:, 2], forbidden=rows[:, 0], some=some)
    edges = pred.edges.copy()
    edges[open_, 1] = rows[origin, 1]
    return replace(pred, edges=edges)


def random_edges(pred: Graph, gold: Graph, rng: np.random.Generator) -> Graph:
    """Draw as many edges as predicted between the texts of gold: distinct ordered pairs of different texts.

    Where there are not as many pairs, all of them are edges.

    Example:
        >>> gold = Graph.from_edges([("cat", "animal"), ("oak", "plant")])
        >>> len(random_edges(gold, gold, np.random.default_rng(0)))
        2
    """
    texts, _ = numbered_texts(gold.texts)
    pairs = len(texts) * (len(texts) - 1)
    count = min(len(pred), pairs)
    drawn = rng.choice(pairs, size=count, replace=False) if count else np.zeros(0, dtype=np.int64)
    source, target = np.divmod(drawn, max(len(texts) - 1, 1))
    ends = np.column_stack([source, target + (target >= source)]).astype(np.int64)
    names, relations = Names(texts), pred.relations[:count]
    return replace(pred, ids=names, texts=names, edges=ends, relations=relations, input_rows=None)


def reversed_edges(pred: Graph, gold: Graph, rng: np.random.Generator) -> Graph:
    """Turn every edge around.

    Example:
        >>> pred = Graph.from_edges([("cat", "animal")])
        >>> reversed_edges(pred, pred, np.random.default_rng(0)).item(0)
        'animal -> cat'
    """
    del gold, rng
    return replace(pred, edges=pred.edges[:, ::-1].copy())


def hypergeometric(measure: Measure[Any, Any], matching: Matching[Any]) -> Moments | None:
    """Return the moments of literal hits when edges are drawn at random: the hypergeometric distribution.

    Of the ``N = n (n - 1)`` ordered pairs of different texts of gold, ``K`` are edges of gold, and ``m`` are drawn. The
    hits have the mean ``m K / N`` and the variance ``m (K / N) (1 - K / N) (N - m) / (N - 1)``.
    """
    gold, pred = matching.gold_items, matching.pred_items
    if not isinstance(measure, Literal) or measure.relation != "ignore" or not isinstance(gold, Graph):
        return None
    texts, (ends,) = numbered_texts(gold.texts)
    edges = ends[gold.edges]
    pairs = len(texts) * (len(texts) - 1)
    right = int((edges[:, 0] != edges[:, 1]).sum())
    if not pairs or len(np.unique(edges, axis=0)) < len(gold):
        return None
    drawn = min(len(pred), pairs)
    share = right / pairs
    sd = sqrt(drawn * share * (1 - share) * (pairs - drawn) / max(pairs - 1, 1))
    return Moments(*(_hits(one, drawn, len(gold)) for one in (drawn * share, sd)))


def _hits(hits: float, drawn: int, gold: int) -> Counts:
    return Counts({"hit_pred": hits, "hit_gold": hits, "n_pred": drawn, "n_gold": gold})


def _is_of_texts(measure: Measure[Any, Any]) -> bool:
    return not isinstance(measure, Nodes | Motif)


def _is_of_edges(measure: Measure[Any, Any]) -> bool:
    return not isinstance(measure, Nodes)


def _is_of_direction(measure: Measure[Any, Any]) -> bool:
    # What is above and what is below a concept are one set.
    undirected = isinstance(measure, Taxonomic) or getattr(measure, "direction", "") == "undirected"
    return _is_of_edges(measure) and not undirected


NULLS: Mapping[str, Null[Graph]] = MappingProxyType(
    {
        "shuffle-texts": Null(
            title="the texts of the prediction, shuffled over its nodes",
            answers="How much of the score does the shape alone earn, with the same texts on the wrong nodes?",
            citation="hubert1976quadratic",
            draw=shuffled_texts,
            fits=_is_of_texts,
        ),
        "rewire": Null(
            title="the edges of the prediction, rewired",
            answers="How much do the texts and the degrees of the nodes earn, without the edges themselves?",
            citation="milo2003uniform",
            draw=rewired,
            fits=_is_of_edges,
        ),
        "random-edges": Null(
            title="as many random edges over the texts of gold",
            answers="What does it earn to know the vocabulary of gold, and nothing of its edges?",
            citation="erdos1959random",
            draw=random_edges,
            fits=_is_of_edges,
            moments=hypergeometric,
        ),
        "reversed": Null(
            title="every edge of the prediction turned around",
            answers="How much does the direction of the edges matter to the score?",
            citation="dellschaft2006gold",
            draw=reversed_edges,
            fits=_is_of_direction,
            certain=True,
        ),
    }
)
