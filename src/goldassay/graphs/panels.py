"""The panels of taxonomies: motifs, and the trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldassay.core.panel import Bars, Evidenced, Panel, Tree, TreeSide
from goldassay.graphs.model import Graph
from goldassay.graphs.motif import MotifMatching, Motifs
from goldassay.kernels.triads import TRIADS


def panels(scores: Sequence[Evidenced], *, pred: Graph, gold: Graph) -> Iterator[Panel]:
    """Return the panels of one predicted taxonomy.

    Args:
        scores: Its scores, each with its evidence.
        pred: The prediction.
        gold: The gold standard.
    """
    del pred, gold  # a measure may have scored fewer edges than were read
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
                series={"gold": there.frequencies.tolist(), "prediction": here.frequencies.tolist()},
            )
        if isinstance(here, Graph) and isinstance(there, Graph):
            yield from _edge_panels(one, here, there)


def _edge_panels(one: Evidenced, pred: Graph, gold: Graph) -> Iterator[Panel]:
    yield Tree(
        title="The two taxonomies",
        note="A node is shown below each of its parents, with the verdict on that edge.",
        measure=one.score.spec,
        gold=TreeSide(texts=gold.texts.tolist(), edges=gold.edges, verdicts=one.of("gold", "verdict")),
        pred=TreeSide(texts=pred.texts.tolist(), edges=pred.edges, verdicts=one.of("pred", "verdict")),
    )
