"""Warnings about a prediction and a gold standard: valid input that is probably not intended."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goldassay.axioms.model import CLASS, FILLER, PARTS, PROPERTY, Axioms
from goldassay.core.text import against


def suspicions(pred: Axioms, gold: Axioms) -> Iterator[str]:
    """Return warnings about a pair of axiom sets, one sentence each.

    Example:
        >>> a, b = Axioms.from_rows([("Brand", "name", "Text")]), Axioms.from_rows([("brand", "name", "text")])
        >>> list(suspicions(a, b))
        ['prediction and gold share a class only when case is ignored: --fold-case']
    """
    here, there = (set(axioms.keys[np.unique(axioms.rows[:, CLASS])].tolist()) for axioms in (pred, gold))
    if here and there and not here & there:
        yield _why_no_class(here, there)
    elif len(pred) and len(gold):
        for part in (PROPERTY, FILLER):
            ours, theirs = (axioms.keys[np.unique(axioms.rows[:, part])].tolist() for axioms in (pred, gold))
            if not set(ours) & set(theirs):
                yield f"prediction and gold have no {PARTS[part]} in common, {against(ours, theirs)}"


def _why_no_class(here: set[str], there: set[str]) -> str:
    if {name.casefold() for name in here} & {name.casefold() for name in there}:
        return "prediction and gold share a class only when case is ignored: --fold-case"
    if {name.partition("(")[0] for name in here} & {name.partition("(")[0] for name in there}:
        return "prediction and gold share a class only without the key in brackets: --strip-key"
    return f"prediction and gold have no class in common, {against(here, there)}"
