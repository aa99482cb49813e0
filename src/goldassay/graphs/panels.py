"""The panels of taxonomies: motifs, the trees, and where the nodes lie by meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.panel import Bars, Panel, ScoreEvidence, Tree, TreeSide
from goldassay.graphs.match import MeaningMatching
from goldassay.graphs.measures.motif import MotifMatching, Motifs
from goldassay.graphs.model import Graph
from goldassay.kernels.places import places
from goldassay.kernels.ragged import distinct
from goldassay.kernels.triads import TRIADS

Places: TypeAlias = Mapping[int, NDArray[np.int64]]
"""The place of each node by meaning, by the identity of the texts of its graph."""


def panels(scores: Sequence[ScoreEvidence], *, pred: Graph, gold: Graph) -> Iterator[Panel]:
    """Return the panels of one predicted taxonomy."""
    del pred, gold  # a measure may have scored fewer edges than were read
    placed = _places_by_meaning(scores)
    for one in scores:
        matching = one.matching
        here, there = matching.pred_items, matching.gold_items
        if isinstance(matching, MotifMatching) and isinstance(here, Motifs) and isinstance(there, Motifs):
            yield Bars(
                title="Motifs",
                note="Share of each of the 13 connected patterns of three nodes.",
                measure=one.score.spec,
                axis="share",
                categories=TRIADS,
                series={"gold": there.frequencies, "prediction": here.frequencies},
            )
        if isinstance(here, Graph) and isinstance(there, Graph):
            yield Tree(
                title="The two taxonomies",
                note="A node is shown below each of its parents, with the verdict on that edge. Nodes that belong together are in one line.",
                measure=one.score.spec,
                gold=_side(there, one.of("gold", "verdict"), placed),
                pred=_side(here, one.of("pred", "verdict"), placed),
            )


def _side(graph: Graph, verdicts: Sequence[str], placed: Places) -> TreeSide:
    return TreeSide(texts=graph.words, edges=graph.edges, verdicts=verdicts, places=placed.get(id(graph.texts)))


def _places_by_meaning(scores: Sequence[ScoreEvidence]) -> Places:
    """Place the nodes of both sides by the vectors that a measure compared: once, for all measures of these graphs."""
    for one in scores:
        match one.matching:
            case MeaningMatching(pred_items=Graph() as pred, gold_items=Graph() as gold) as matching:
                rows = distinct(np.concatenate([matching.pred_rows.ravel(), matching.gold_rows.ravel()]))
                order = np.zeros(len(matching.vectors), dtype=np.int64)
                order[rows] = places(matching.vectors, rows)
                sides = ((pred, matching.pred_rows), (gold, matching.gold_rows))
                return {id(graph.texts): _sum_of_nodes(graph, order[ends]) for graph, ends in sides}
    return {}


def _sum_of_nodes(graph: Graph, ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up for each node the values of its edges at that end; 0 for a node without edges."""
    found = np.zeros(len(graph.texts), dtype=np.int64)
    found[graph.edges] = ends
    return found
