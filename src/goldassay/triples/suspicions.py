"""What is suspicious about a prediction and a gold standard: valid input that its owner probably did not mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.core.text import against
from goldassay.triples.model import PREDICATE, SLOTS, SUBJECT, Triples
from goldassay.triples.normalise import RULES, normaliser
from goldassay.triples.pairing import numbered, paired
from goldassay.triples.read import not_in_full
from goldassay.triples.synonyms import merged_codes, read_synonyms

if TYPE_CHECKING:
    from goldassay.core.measure import Measure

COMPARED: dict[str, tuple[int, ...]] = {
    "entities": (SUBJECT,),
    "relations": (PREDICATE,),
    **dict.fromkeys(("conformance", "grounding", "facts"), ()),
}
"""Slots whose names a measure compares with those of gold, where these are not predicates and subjects."""


def suspicions(pred: Triples, gold: Triples) -> Iterator[str]:
    """Say what is suspicious about a pair, each in one sentence.

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
        yield from (f"{line}; missing documents count as empty" for line in pairs.unpaired)
    if pred.faults:
        yield not_in_full(pred, "predicted document")


def disjoint(pred: Triples, gold: Triples, measure: Measure[Triples, Any]) -> Iterator[str]:
    """Return which slots have no name in common, of those that a measure compares; synonyms are one name.

    Example:
        >>> from goldassay.triples import Entities
        >>> a, b = Triples.from_lists({"1": [("x", "r", "y")]}), Triples.from_lists({"1": [("p", "q", "y")]})
        >>> list(disjoint(a, b, Entities()))
        ["prediction and gold have no subject in common, for example 'x' against 'p'"]
    """
    names = numbered(pred=pred, gold=gold)
    for slot in COMPARED.get(measure.name, (PREDICATE, SUBJECT)):
        file = getattr(measure, "synonyms", None) if slot == PREDICATE else None
        synonyms = read_synonyms(file) if file else ()
        merged = merged_codes(names.texts, synonyms, gold=gold)[0]
        codes = merged[pred.rows[:, slot]], merged[names.gold[gold.rows[:, slot]]]
        if len(codes[0]) and len(codes[1]) and not np.isin(*codes).any():
            here, there = _names(pred, slot), _names(gold, slot)
            advice = _alike(here, there) if slot == PREDICATE else ""
            yield f"prediction and gold have no {SLOTS[slot]} in common, {against(here, there)}{advice}"


def _alike(here: set[str], there: set[str]) -> str:
    """Return which rules make names equal, if they do."""
    rules = normaliser(RULES)
    if {rules(name) for name in here}.isdisjoint(map(rules, there)):
        return ""
    return "; some are equal without case, underscores and the like: --normalise case,underscores,camel"


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
