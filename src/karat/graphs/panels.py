"""What the report page shows of taxonomies: the curve over thresholds, scores by relation and by depth, and the trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from karat.core.counts import FloatArray, f_measure
from karat.core.matching import SideName
from karat.core.panel import Evidenced, Lines, Panel, Tree, TreeSide, group_table
from karat.graphs.matching import MeaningMatching
from karat.graphs.model import Graph

THRESHOLDS = 200
SIDES: tuple[SideName, SideName] = ("pred", "gold")


def panels(scores: Sequence[Evidenced], *, pred: Graph, gold: Graph) -> Iterator[Panel]:
    """Give the panels of one predicted taxonomy.

    Args:
        scores: Its scores, each with its evidence.
        pred: The prediction.
        gold: The gold standard.
    """
    del pred, gold  # a measure may have scored fewer edges than were read
    for evidenced in scores:
        if isinstance(evidenced.matching, MeaningMatching):
            yield threshold_curve(evidenced, evidenced.matching.threshold)
        sides = [evidenced.matching.pred_items, evidenced.matching.gold_items]
        graphs = [side for side in sides if isinstance(side, Graph)]
        if len(graphs) == len(SIDES):
            yield from _edge_panels(evidenced, *graphs)


def threshold_curve(evidenced: Evidenced, cut: float) -> Lines:
    """Take precision, recall and F1 at thresholds evenly spread, from the best similarities of the items.

    Args:
        evidenced: A score whose items are hit when their best similarity passes a threshold.
        cut: The threshold that was chosen.
    """
    similarities = {side: np.asarray(evidenced.of(side, "similarity"), dtype=np.float64) for side in SIDES}
    known = [column[~np.isnan(column)] for column in similarities.values()]
    lowest = min([0.0, cut, *(float(column.min()) for column in known if len(column))])
    # Nothing is nearer than 1, so that the curve would end in a fall to 0 that says nothing.
    thresholds = np.linspace(lowest, 1.0, THRESHOLDS, endpoint=False)
    precision, recall = (
        _passing(column, len(similarities[side]), thresholds) for column, side in zip(known, SIDES, strict=True)
    )
    return Lines(
        title="Every threshold",
        note="What precision, recall and F1 would be had another threshold been chosen.",
        measure=evidenced.score.measure,
        axis="threshold",
        thresholds=thresholds,
        series={"precision": precision, "recall": recall, "f1": f_measure(precision, recall)},
        cut=cut,
    )


def _passing(known: FloatArray, items: int, thresholds: FloatArray) -> FloatArray:
    passing = len(known) - np.searchsorted(np.sort(known), thresholds, side="right")
    return passing / max(items, 1)


def _edge_panels(evidenced: Evidenced, pred: Graph, gold: Graph) -> Iterator[Panel]:
    if len({*_used_relations(pred), *_used_relations(gold)}) > 1:
        yield group_table(
            evidenced, title="By relation", group="relation", pred=_used_relations(pred), gold=_used_relations(gold)
        )
    yield group_table(
        evidenced,
        title="By depth",
        note="Depth is how far the upper end of an edge lies below the nearest root of its own side.",
        group="depth",
        pred=edge_depths(pred),
        gold=edge_depths(gold),
        in_order=lambda depth: (len(depth), depth),
    )
    yield Tree(
        title="The two taxonomies",
        note="A node stands below each of its parents, with the verdict of the edge that puts it there.",
        measure=evidenced.score.measure,
        gold=TreeSide(texts=gold.texts.tolist(), edges=gold.edges, verdicts=evidenced.of("gold", "verdict")),
        pred=TreeSide(texts=pred.texts.tolist(), edges=pred.edges, verdicts=evidenced.of("pred", "verdict")),
    )


def _used_relations(graph: Graph) -> list[str]:
    return [graph.relation_names[relation] for relation in graph.relations.tolist()]


def edge_depths(graph: Graph) -> list[str]:
    """Say of each edge how far its upper end lies below the nearest root.

    A root is a node with nothing above it, or any node of a cycle with nothing above it.

    Args:
        graph: The graph.

    Example:
        >>> edge_depths(Graph.from_edges([("poodle", "dog"), ("dog", "animal"), ("x", "y"), ("y", "x"), ("z", "x")]))
        ['1', '0', '0', '0', '0']
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components, dijkstra

    nodes = len(graph.texts)
    children, parents = graph.edges.T
    edges = coo_array((np.ones(len(parents)), (parents, children)), shape=(nodes + 1, nodes + 1))
    cycles, cycle_of = connected_components(edges.tocsr(), connection="strong")
    has_parent = np.zeros(cycles, dtype=np.bool_)
    has_parent[cycle_of[children][cycle_of[children] != cycle_of[parents]]] = True
    roots = np.flatnonzero(~has_parent[cycle_of[:nodes]])
    # One node above all roots, so that a single search finds every depth.
    above, below = np.concatenate([parents, np.full(len(roots), nodes)]), np.concatenate([children, roots])
    steps = coo_array((np.ones(len(above)), (above, below)), shape=(nodes + 1, nodes + 1)).tocsr()
    depths = dijkstra(steps, indices=nodes, unweighted=True)[parents] - 1
    return [f"{depth:.0f}" for depth in depths.tolist()]
