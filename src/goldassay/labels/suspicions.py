"""Warnings about a prediction and a gold standard: valid input that is probably not intended."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goldassay.core.text import against
from goldassay.labels.model import Labels


def suspicions(pred: Labels, gold: Labels) -> Iterator[str]:
    """Return warnings about a prediction and a gold standard, one sentence each.

    Example:
        >>> edges = [("cat", "pet"), ("dog", "pet")]
        >>> gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=edges)
        >>> list(suspicions(Labels.from_rows([("d1", "pet")], edges=edges), gold))
        ['1 of the 2 instances of gold has no prediction, for example d2', 'all labels of the prediction are roots']
    """
    for side, what in ((gold, "gold"), (pred, "the prediction")):
        unknown = side.left_out.get("unknown_labels", 0)
        if unknown and len(side):
            total = unknown + len(side)
            yield f"{unknown:,} of about {total:,} labels of {what} are not in the hierarchy, and are left out"
    ours = {pred.ids[row] for row in np.unique(pred.instances).tolist()}
    theirs = set(gold.ids.tolist())
    known = set(pred.ids.tolist())
    confused = sum(name in gold.hierarchy.rows for name in known)
    if confused and known.isdisjoint(theirs):
        yield (
            f"{confused:,} of the {len(known):,} instances of the prediction are in the hierarchy as labels: check whether gold "
            "and --hierarchy were swapped"
        )
    if not theirs & known:
        shown = f", {against(ours, theirs)}" if ours and theirs else ""
        yield f"prediction and gold share no instance{shown}"
    else:
        yield from _counted(theirs - ours, len(theirs), "of gold", "no prediction")
        yield from _counted(ours - theirs, len(ours), "of the prediction", "no gold labels, and count as wrong")
    for side, what in ((gold, "gold"), (pred, "the prediction")):
        if len(side) and np.isin(side.labels, side.hierarchy.roots).all() and len(side.hierarchy.parents):
            yield f"all labels of {what} are roots"
    if pred.hierarchy is not gold.hierarchy and pred.hierarchy.digest != gold.hierarchy.digest:
        unknown = sum(name not in gold.hierarchy.rows for name in pred.hierarchy.names[pred.labels].tolist())
        labels, counts = ("label", "counts") if unknown == 1 else ("labels", "count")
        wrong = f"; {unknown:,} predicted {labels} that it does not have {counts} as wrong" * bool(unknown)
        yield f"prediction and gold have different hierarchies: only gold's is used{wrong}"


def _counted(missing: set[str], total: int, whose: str, what: str) -> Iterator[str]:
    if missing:
        has = "has" if len(missing) == 1 else "have"
        yield f"{len(missing):,} of the {total:,} instances {whose} {has} {what}, for example {_first(missing)}"


def _first(names: set[str]) -> str:
    return min(names, default="none")
