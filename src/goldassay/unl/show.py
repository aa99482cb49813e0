"""The two graphs of a sentence side by side, with differences marked."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from goldassay.core.errors import unknown_choice
from goldassay.unl.items import relation_items
from goldassay.unl.model import Document, Sentence
from goldassay.unl.pairing import partners

NOTHING = Sentence()


class Line(NamedTuple):
    """One line of the comparison: a mark, and the items of both sides.

    Attributes:
        mark: ``=`` for both, ``~`` for the same UWs with other attributes or node ids, ``-`` for missing, ``+`` for
            exceeding.
        gold: The relation or node of the gold standard; empty if there is none.
        pred: The relation or node of the prediction; empty if there is none.
    """

    mark: str
    gold: str
    pred: str


def side_by_side(*, pred: Document, gold: Document, name: str) -> list[Line]:
    """Compare the two graphs of a sentence line by line.

    Args:
        pred: The prediction.
        gold: The gold standard.
        name: The sentence, as its id or ``S:`` and its id.

    Returns:
        What both have, then what is missing, then what exceeds.

    Raises:
        UsageError: If the gold standard has no such sentence.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> gold = document_of("[S:1] agt(kill.@past, Peter) obj(kill.@past, Mary) [/S]")
        >>> pred = document_of("[S:1] agt(kill, Peter) gol(kill, Mary) [/S]")
        >>> for line in side_by_side(pred=pred, gold=gold, name="S:1"):
        ...     print(*line)
        ~ agt(kill.@past, Peter) agt(kill, Peter)
        - obj(kill.@past, Mary)
        +  gol(kill, Mary)
    """
    wanted = name.removeprefix("S:")
    names = [identifier or str(row + 1) for row, identifier in enumerate(gold.ids)]
    if wanted not in names:
        raise unknown_choice("sentence", name, names[:20])
    row = names.index(wanted)
    here = next((one for one, other in zip(pred.sentences, partners(pred, gold), strict=True) if other == row), NOTHING)
    expected, actual = _lines(gold.sentences[row]), _lines(here)
    counted = Counter(key for key, _ in actual)
    both, missing = [], []
    for key, text in expected:
        if counted[key]:
            counted[key] -= 1
            partner = next(place for place, (other, _) in enumerate(actual) if other == key)
            there = actual.pop(partner)[1]
            both.append(Line("=" if text == there else "~", text, there))
        else:
            missing.append(Line("-", text, ""))
    return [*both, *missing, *(Line("+", "", text) for _, text in actual)]


def _lines(sentence: Sentence) -> list[tuple[tuple[str, ...], str]]:
    keys = [*relation_items(sentence), *((node.uw,) for node in sentence.isolated)]
    return list(zip(keys, map(str, (*sentence.relations, *sentence.isolated)), strict=True))
