"""Null models of graphs, and noise: what a prediction would be without its meaning, its edges or its direction, and how a graph is made worse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts
from goldassay.core.intern import Names
from goldassay.core.matching import Matching
from goldassay.core.measure import Measure
from goldassay.core.null import Moments, Noise, Null, choose_rows
from goldassay.graphs.measures.fuzzy import Nodes
from goldassay.graphs.measures.literal import Literal
from goldassay.graphs.measures.motif import Motif
from goldassay.graphs.measures.taxonomic import Taxonomic
from goldassay.graphs.model import Graph
from goldassay.graphs.texts import number_texts
from goldassay.kernels.swaps import swap_values


def shuffle_texts(pred: Graph, gold: Graph, rng: np.random.Generator) -> Graph:
    """Permute the texts of the nodes that have edges."""
    del gold
    nodes, texts = np.unique(pred.edges), pred.texts.tolist()
    drawn = list(texts)
    for node, other in zip(nodes.tolist(), rng.permutation(nodes).tolist(), strict=True):
        drawn[node] = texts[other]
    return replace(pred, texts=Names(drawn))


def rewire(pred: Graph, gold: Graph, rng: np.random.Generator, *, share: float = 1.0) -> Graph:
    """Swap targets between edges of one relation, so that every node keeps its degrees; self-loops stay."""
    del gold
    open_ = np.flatnonzero(pred.edges[:, 0] != pred.edges[:, 1])
    rows = np.column_stack([pred.edges, pred.relations])[open_]
    some = choose_rows(len(rows), share, rng)
    origin = swap_values(rows, 1, rng=rng, groups=rows[:, 2], forbidden=rows[:, 0], some=some)
    edges = pred.edges.copy()
    edges[open_, 1] = rows[origin, 1]
    return replace(pred, edges=edges)


def random_edges(pred: Graph, gold: Graph, rng: np.random.Generator) -> Graph:
    """Draw as many edges as predicted between the texts of gold: distinct ordered pairs of different texts."""
    # Where there are not as many pairs, all of them are edges.
    texts, _ = number_texts(gold.texts)
    pairs = len(texts) * (len(texts) - 1)
    count = min(len(pred), pairs)
    drawn = rng.choice(pairs, size=count, replace=False) if count else np.zeros(0, dtype=np.int64)
    source, target = np.divmod(drawn, max(len(texts) - 1, 1))
    ends = np.column_stack([source, target + (target >= source)]).astype(np.int64)
    names, relations = Names(texts), pred.relations[:count]
    return replace(pred, ids=names, texts=names, edges=ends, relations=relations, input_rows=None)


def reverse_edges(pred: Graph, gold: Graph, rng: np.random.Generator) -> Graph:
    """Turn every edge around."""
    del gold, rng
    return replace(pred, edges=pred.edges[:, ::-1].copy())


def hypergeometric(measure: Measure[Any, Any], matching: Matching[Any]) -> Moments | None:
    """Return the moments of literal hits when edges are drawn at random: the hypergeometric distribution."""
    # Of the `N = n (n - 1)` ordered pairs of different texts of gold, `K` are edges of gold, and `m` are drawn. The
    # hits have the mean `m K / N` and the variance `m (K / N) (1 - K / N) (N - m) / (N - 1)`.
    gold, pred = matching.gold_items, matching.pred_items
    if not isinstance(measure, Literal) or measure.relation != "ignore" or not isinstance(gold, Graph):
        return None
    texts, (ends,) = number_texts(gold.texts)
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
            answers="How much of the score does only the shape earn, with the same texts on the wrong nodes?",
            citation="hubert1976quadratic",
            draw=shuffle_texts,
            fits=lambda measure: not isinstance(measure, Nodes | Motif),
        ),
        "rewire": Null(
            title="the edges of the prediction, rewired",
            answers="How much do the texts and the degrees of the nodes earn, without the edges themselves?",
            citation="milo2003uniform",
            draw=rewire,
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
            draw=reverse_edges,
            fits=_is_of_direction,
            certain=True,
        ),
    }
)


def drop_edges(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Leave a share of the edges out."""
    return graph.take(np.sort(choose_rows(len(graph), 1 - share, rng)))


def add_edges(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Add random edges between the texts of the graph, as many as a share of its edges; where there is room for them."""
    nodes = len(graph.ids)
    known = graph.edges[:, 0] * nodes + graph.edges[:, 1]
    wanted = round(share * len(graph))
    drawn = rng.integers(0, nodes, (8 * wanted + 8, 2)) if nodes else np.zeros((0, 2), dtype=np.int64)
    fresh = drawn[(drawn[:, 0] != drawn[:, 1]) & ~np.isin(drawn[:, 0] * nodes + drawn[:, 1], known)]
    edges = np.unique(fresh, axis=0)
    edges = edges[rng.permutation(len(edges))[:wanted]]
    relations = np.full(len(edges), graph.relations[0] if len(graph) else 0, dtype=np.int64)
    return replace(
        graph,
        edges=np.concatenate([graph.edges, edges]),
        relations=np.concatenate([graph.relations, relations]),
        input_rows=None,
    )


def rename_nodes(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Replace the texts of a share of the nodes by words without meaning."""
    texts = graph.texts.tolist()
    for row in choose_rows(len(texts), share, rng).tolist():
        texts[row] = "".join(rng.choice(LETTERS, WORD).tolist())
    return replace(graph, texts=Names(texts))


def move_up(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Hang a share of the nodes under a parent of their parent, where that has one."""
    parent = _choose_target(graph.edges, len(graph.ids), rng)
    return _move_edges(graph, parent[graph.edges[:, 1]], share, rng)


def move_down(graph: Graph, share: float, rng: np.random.Generator) -> Graph:
    """Hang a share of the nodes under another child of their parent, where there is one."""
    child = _choose_target(graph.edges[:, ::-1], len(graph.ids), rng)
    sibling = child[graph.edges[:, 1]]
    return _move_edges(graph, np.where(sibling == graph.edges[:, 0], NOWHERE, sibling), share, rng)


NOWHERE = -1
WORD = 9
LETTERS = np.array(list("bcdfghjklmnpqrstvwxz"))


def _choose_target(edges: NDArray[np.int64], nodes: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose one target of each node at random, -1 where it has none."""
    target = np.full(nodes, NOWHERE, dtype=np.int64)
    order = rng.permutation(len(edges))
    target[edges[order, 0]] = edges[order, 1]
    return target


def _move_edges(graph: Graph, target: NDArray[np.int64], share: float, rng: np.random.Generator) -> Graph:
    """Replace the target of a share of the edges, where there is another; edges that become equal are merged."""
    edges = graph.edges.copy()
    moving = choose_rows(len(graph), share, rng)
    moving = moving[(target[moving] != NOWHERE) & (target[moving] != edges[moving, 0])]
    edges[moving, 1] = target[moving]
    _, first = np.unique(np.column_stack([edges, graph.relations]), axis=0, return_index=True)
    return replace(graph, edges=edges).take(np.sort(first))


NOISES: Mapping[str, Noise[Graph]] = MappingProxyType(
    {
        "drop": drop_edges,
        "add": add_edges,
        "rewire": lambda graph, share, rng: rewire(graph, graph, rng, share=share),
        "rename": rename_nodes,
        "move up": move_up,
        "move down": move_down,
    }
)
