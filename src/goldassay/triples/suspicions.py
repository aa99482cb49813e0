"""What is suspicious about a prediction and a gold standard: valid input that its owner probably did not mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goldassay.triples.model import PREDICATE, Triples
from goldassay.triples.normalise import RULES, normaliser
from goldassay.triples.pairing import paired
from goldassay.triples.read import not_in_full


def suspicions(pred: Triples, gold: Triples) -> Iterator[str]:
    """Say what is suspicious about a pair, each in one sentence.

    Args:
        pred: The prediction.
        gold: The gold standard.

    Example:
        >>> a, b = Triples.from_lists({"1": [("x", "r", "y")]}), Triples.from_lists({"q1": [("x", "r", "y")]})
        >>> list(suspicions(a, b))
        ['no document of the prediction has the id of a gold document (1 against q1): nothing can meet; --ids order']
    """
    pairs = paired(pred=pred, gold=gold)
    if len(pred.ids) and len(gold.ids) and len(pairs.missing) == len(gold.ids):
        yield (
            "no document of the prediction has the id of a gold document "
            f"({pred.ids[0]} against {gold.ids[0]}): nothing can meet; --ids order"
        )
    else:
        yield from (f"{line}; what is not there counts as empty" for line in pairs.unpaired)
    if pred.faults:
        yield not_in_full(pred, "predicted document")
    here, there = _predicates(pred), _predicates(gold)
    if here and there and not here & there:
        rules = normaliser(RULES)
        both = {rules(name) for name in here} & {rules(name) for name in there}
        advice = "some are equal without case, underscores and the like: --normalise case,underscores,camel"
        yield f"prediction and gold have no predicate in common{f'; {advice}' if both else ''}"


def _predicates(triples: Triples) -> set[str]:
    return set(triples.keys[np.unique(triples.rows[:, PREDICATE])].tolist())
