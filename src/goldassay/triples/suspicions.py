"""What is suspicious about a prediction and a gold standard: valid input that its owner probably did not mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goldassay.core.text import against
from goldassay.triples.model import PREDICATE, SUBJECT, Triples
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
        ["no document of the prediction has the id of a gold document (for example '1' against 'q1'): nothing can meet; --ids order"]
    """
    pairs = paired(pred=pred, gold=gold)
    if len(pred.ids) and len(gold.ids) and len(pairs.missing) == len(gold.ids):
        yield (
            "no document of the prediction has the id of a gold document "
            f"({against(pred.ids.tolist(), gold.ids.tolist())}): nothing can meet; {_advice(pred, gold)}"
        )
    else:
        yield from (f"{line}; what is not there counts as empty" for line in pairs.unpaired)
    if pred.faults:
        yield not_in_full(pred, "predicted document")
    here, there = _names(pred, PREDICATE), _names(gold, PREDICATE)
    if here and there and not here & there:
        rules = normaliser(RULES)
        both = {rules(name) for name in here} & {rules(name) for name in there}
        advice = "some are equal without case, underscores and the like: --normalise case,underscores,camel"
        yield f"prediction and gold have no predicate in common, {against(here, there)}{f'; {advice}' if both else ''}"
    subjects = _names(pred, SUBJECT), _names(gold, SUBJECT)
    if all(subjects) and subjects[0].isdisjoint(subjects[1]):
        yield f"prediction and gold have no subject in common, {against(*subjects)}"


def _advice(pred: Triples, gold: Triples) -> str:
    """Return what would pair documents."""
    without = [side for side, one in (("prediction", pred), ("gold", gold)) if one.numbered]
    if len(without) != 1:
        return "--ids order"
    return (
        f"the records of the {without[0]} have no id, and are numbered: add the key id (or doc_id, source.id or "
        "source.metadata.doc_id), or pair them by their numbers with --ids order"
    )


def _names(triples: Triples, slot: int) -> set[str]:
    return set(triples.keys[np.unique(triples.rows[:, slot])].tolist())
