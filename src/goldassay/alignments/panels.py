"""What the report page shows of alignments: every score, and scores by test case, relation and namespace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldassay.alignments.matching import AlignmentMatching
from goldassay.alignments.model import Alignment
from goldassay.alignments.rankings.measure import RankingMatching
from goldassay.alignments.sweep import sweep
from goldassay.core.panel import Evidenced, Panel, curve_lines


def panels(scores: Sequence[Evidenced], *, pred: Alignment, gold: Alignment) -> Iterator[Panel]:
    """Give the panels of one predicted alignment.

    Args:
        scores: Its scores, each with its evidence.
        pred: The prediction.
        gold: The gold standard.
    """
    del pred, gold
    for one in scores:
        matching = one.matching
        if not isinstance(matching, AlignmentMatching) or isinstance(matching, RankingMatching):
            continue
        # The mean over test cases has no sums of correspondences to sweep over.
        if "hit_pred" in one.score.counts and len(curve := sweep(one.score)) > 1:
            yield curve_lines(one, curve, axis="score")
