"""The null models of UNL documents and of sentences: every answer is held against another sentence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.core.null import permuted_answers
from goldassay.unl.model import Document

NAME = "permute-sentences"
ANSWERS = "What does an answer of the same system to another sentence earn?"


def _reordered(document: Document, order: NDArray[np.int64]) -> Document:
    """Give sentences other graphs; ids, lines and original texts stay."""
    texts = tuple(document.texts[row] for row in order.tolist())
    return replace(document, graphs=document.graphs.take(order), texts=texts)


NULLS, NOISES = permuted_answers(
    NAME, title="the graphs of the prediction permuted over its sentences", answers=ANSWERS, reordered=_reordered
)
TEXT_NULLS, TEXT_NOISES = permuted_answers(
    NAME,
    title="the texts of the prediction permuted over its sentences",
    answers=ANSWERS,
    reordered=lambda texts, order: replace(texts, wordings=tuple(texts.wordings[row] for row in order.tolist())),
)
