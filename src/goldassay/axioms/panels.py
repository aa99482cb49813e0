"""What the report page shows of axioms: scores by kind, by class and by property."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from goldassay.axioms.breakdown import By, breakdown
from goldassay.axioms.model import Axioms
from goldassay.core.panel import Evidenced, Panel, breakdown_table


def panels(scores: Sequence[Evidenced], *, pred: Axioms, gold: Axioms) -> Iterator[Panel]:
    """Give the panels of one prediction.

    Args:
        scores: Its scores, each with its evidence.
        pred: The prediction.
        gold: The gold standard.
    """
    del pred, gold
    for evidenced in scores:
        if isinstance(evidenced.matching.pred_items, Axioms):
            for by in get_args(By):
                yield breakdown_table(evidenced, breakdown(evidenced.score, by=by).to_dict(as_series=False), by=by)
