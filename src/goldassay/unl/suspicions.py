"""Warnings about a prediction and a gold standard: valid input that is probably not intended."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goldassay.unl.model import Document, Texts
from goldassay.unl.pairing import pairing_suspicions


def document_suspicions(pred: Document, gold: Document) -> Iterator[str]:
    """Return warnings about a pair of documents, one sentence each.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> list(document_suspicions(document_of("[S:1][/S]"), document_of("[S:2][/S]")))
        ['sentence ids are not unique or not shared by both sides: sentences were paired by order']
    """
    yield from pairing_suspicions(pred, gold)
    malformed = int(np.count_nonzero(gold.graphs.malformed))
    if malformed:
        yield f"{malformed:,} malformed sentence{'s' * (malformed > 1)} of the gold standard left out of the score"


def sentence_suspicions(pred: Texts, gold: Texts) -> Iterator[str]:
    """Return warnings about a pair of lists of sentences, one sentence each.

    Example:
        >>> same = Texts(ids=("1",), wordings=(("The cat sleeps.",),))
        >>> list(sentence_suspicions(same, same))
        []
    """
    yield from pairing_suspicions(pred, gold)
    several = sum(len(wordings) > 1 for wordings in pred.wordings)
    if several:
        yield f"{several:,} predicted sentence{'s have' if several > 1 else ' has'} several wordings: the first counts"
