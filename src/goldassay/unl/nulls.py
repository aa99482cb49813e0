"""The null models of UNL documents and of sentences: every answer is held against another sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from goldassay.core.null import Noise, Null, permutation
from goldassay.unl.model import Document, Texts


def permuted_graphs(pred: Document, gold: Document, rng: np.random.Generator, *, share: float = 1.0) -> Document:
    """Return the graphs of the prediction to its sentences in a random order; ids, lines and original texts stay.

    Args:
        pred: The prediction.
        gold: Of no effect.
        rng: Where chance comes from.
        share: The share of the sentences that take part.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> pred = document_of("[S:1] agt(go(icl>do), he) [/S] [S:2] agt(eat(icl>do), she) [/S]")
        >>> permuted_graphs(pred, pred, np.random.default_rng(0)).ids
        ('1', '2')
    """
    del gold
    order = permutation(len(pred), share, rng).tolist()
    pairs = zip(pred.sentences, (pred.sentences[row] for row in order), strict=True)
    sentences = (replace(other, id=here.id, line=here.line, original=here.original) for here, other in pairs)
    return replace(pred, sentences=tuple(sentences))


def permuted_texts(pred: Texts, gold: Texts, rng: np.random.Generator, *, share: float = 1.0) -> Texts:
    """Return the wordings of the prediction to its sentences in a random order; ids stay.

    Args:
        pred: The prediction.
        gold: Of no effect.
        rng: Where chance comes from.
        share: The share of the sentences that take part.

    Example:
        >>> pred = Texts(ids=("1", "2"), wordings=(("The cat sleeps.",), ("It rains.",)))
        >>> permuted_texts(pred, pred, np.random.default_rng(0)).ids
        ('1', '2')
    """
    del gold
    order = permutation(len(pred), share, rng).tolist()
    return replace(pred, wordings=tuple(pred.wordings[row] for row in order))


ANSWERS = "What does an answer of the same system to another sentence earn?"
NULLS: Mapping[str, Null[Document]] = MappingProxyType(
    {
        "permute-sentences": Null(
            title="the graphs of the prediction permuted over its sentences",
            answers=ANSWERS,
            citation="ojala2010permutation",
            draw=permuted_graphs,
        )
    }
)
TEXT_NULLS: Mapping[str, Null[Texts]] = MappingProxyType(
    {
        "permute-sentences": Null(
            title="the texts of the prediction permuted over its sentences",
            answers=ANSWERS,
            citation="ojala2010permutation",
            draw=permuted_texts,
        )
    }
)
NOISES: Mapping[str, Noise[Document]] = MappingProxyType(
    {"permute-sentences": lambda document, share, rng: permuted_graphs(document, document, rng, share=share)}
)
TEXT_NOISES: Mapping[str, Noise[Texts]] = MappingProxyType(
    {"permute-sentences": lambda texts, share, rng: permuted_texts(texts, texts, rng, share=share)}
)
