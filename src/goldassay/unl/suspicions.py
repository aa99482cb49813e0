"""Warnings about a prediction and a gold standard: valid input that is probably not intended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from goldassay.unl.items import SentenceItems, all_relations, all_uws
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
    yield from _nothing_in_common(pred, gold)
    malformed = int(np.count_nonzero(gold.graphs.malformed))
    if malformed:
        yield f"{malformed:,} malformed sentence{'s' * (malformed > 1)} of the gold standard left out of the score"


def _nothing_in_common(pred: Document, gold: Document) -> Iterator[str]:
    """Warn where no relation, or no UW, of one side occurs on the other, as with ids of concepts against names."""
    for what, listed, parts in (("relation", all_relations, (0, 1, 2)), ("UW", all_uws, (1,))):
        here, there = listed(pred), listed(gold)
        if len(here) and len(there) and not _has_common(here, there, parts):
            one, other = (", ".join(items.column(part, slice(1))[0] for part in parts) for items in (here, there))
            yield f"prediction and gold have no {what} in common: for example {one!r} in the prediction, {other!r} in gold"
            return


def _has_common(here: SentenceItems, there: SentenceItems, parts: Sequence[int]) -> bool:
    """Return whether any item is on both sides, by some of its parts."""
    keys = [np.zeros(len(items), dtype=np.int64) for items in (here, there)]
    for part in parts:
        codes = {word: code for code, word in enumerate(dict.fromkeys((*here.words[part], *there.words[part])))}
        for side, items in enumerate((here, there)):
            numbers = np.array([codes[word] for word in items.words[part]], dtype=np.int64)
            keys[side] = keys[side] * len(codes) + numbers[items.parts[:, part]]
    return bool(np.isin(keys[0], keys[1]).any())


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
