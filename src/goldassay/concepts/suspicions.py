"""Warnings about a prediction and a gold standard: valid input that is probably not intended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.concepts.model import Concepts
from goldassay.concepts.pairing import paired
from goldassay.core.text import against

if TYPE_CHECKING:
    from goldassay.core.measure import Measure


def suspicions(pred: Concepts, gold: Concepts) -> Iterator[str]:
    """Return warnings about a pair, one sentence each.

    Example:
        >>> a, b = Concepts.from_lists([("1", ["x"])]), Concepts.from_lists([("q1", ["x"])])
        >>> list(suspicions(a, b))
        ["no document of the prediction has the id of a gold document (for example '1' against 'q1'): no match is possible"]
    """
    if pred.path is not None and pred.path == gold.path:
        yield "prediction and gold are the same file: FILE#COLUMN reads one column of a file that contains both"
    pairs = paired(pred=pred, gold=gold)
    if len(pred.ids) and len(gold.ids) and len(pairs.missing) == len(gold.ids):
        yield (
            "no document of the prediction has the id of a gold document "
            f"({against(pred.ids.tolist(), gold.ids.tolist())}): no match is possible"
        )
    else:
        yield from (f"{line}; missing documents count as empty" for line in pairs.unpaired)
    yield from (line for role, model in (("prediction", pred), ("gold", gold)) for line in _found_little(role, model))
    ways = [model.choices.get("concepts", "given") for model in (pred, gold)]
    if len({way.partition(",")[0] for way in ways}) > 1:
        yield f"concepts are found in different ways: prediction {ways[0]}, gold {ways[1]}"


def disjoint(pred: Concepts, gold: Concepts, measure: Measure[Concepts, Any]) -> Iterator[str]:
    """Return whether no concept is common."""
    del measure
    here, there = (set(model.names[np.unique(model.words)].tolist()) for model in (pred, gold))
    keys = [set(model.keys[np.unique(model.words)].tolist()) for model in (pred, gold)]
    if here and there and keys[0].isdisjoint(keys[1]):
        yield f"prediction and gold have no concept in common, {against(here, there)}"


def _found_little(role: str, model: Concepts) -> Iterator[str]:
    """Warn of a dictionary that finds nothing in more than half of the documents."""
    empty = int((np.diff(model.starts) == 0).sum())
    if model.choices.get("concepts", "").startswith("dictionary") and empty * 2 > len(model.ids):
        yield (
            f"the dictionary finds nothing in {empty:,} of {len(model.ids):,} documents of the {role}: it is of another field or "
            "language, or the documents name concepts by words that it does not have"
        )
